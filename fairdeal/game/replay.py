"""What history means: the fold over a game's records.

The only reader of records; ``decide`` is the only writer of what comes next.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fairdeal.canasta import acts, engine
from fairdeal.canasta.ruleset import from_json
from fairdeal.errors import MalformedInput, Unprocessable
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.lines import seat_line
from fairdeal.game.dealing import deal_of, position_of
from fairdeal.game.state import Game
from fairdeal.records.chain import Record


def replay(records: Iterable[Record], master: Secret | None) -> Game:
    """Fold a game's records from record 0 on.

    Args:
        records: In order; checked already (``records.chain``).
        master: The game's master secret, or None to follow everything but the cards.

    Raises:
        MalformedInput: There is no record 0.
        Unprocessable: ``unsupported_game``: the game is not refereed.
    """
    game: Game | None = None
    for record in records:
        game = begin(record, master) if game is None else fold(game, record)
    if game is None:
        raise MalformedInput("empty", "A game has at least its first record.")
    return game


def begin(
    record: Record, master: Secret | None, opened: Mapping[int, Secret] | None = None
) -> Game:
    """Give the game of a record 0.

    Args:
        record: Record 0.
        master: As for ``replay``.
        opened: Hand secrets that are out, by hand; those hands are followed without the master.
    """
    play = record.body["rules"].get("play")
    if play is None:
        raise Unprocessable("unsupported_game", "Only refereed games can be followed here.")
    ruleset = from_json(play["ruleset"])
    seats = len(record.body["seats"])
    return Game(
        head=record,
        opening=record.body,
        open_hash=record.hash,
        ruleset=ruleset,
        master=master,
        opened=dict(opened or {}),
        lines=(b"",) * seats,
        totals=(0,) * len(ruleset.side_seats),
        stood_in=(0,) * seats,
    )


def fold(game: Game, record: Record) -> Game:
    """Give the game after one more record."""
    game = replace(game, head=record)
    body = record.body
    match record.type:
        case "share":
            line = seat_line(
                game.id,
                body["epoch"],
                body["seat"],
                game.open_hash,
                body["nonce"],
                body["seed_sha256"],
            )
            lines = list(game.lines)
            lines[body["seat"]] = line
            return replace(game, lines=tuple(lines))
        case "lock":
            return replace(game, locked=True)
        case "deal":
            return _dealt(game, body["hand"])
        case "act":
            return _acted(game, record)
        case "score":
            totals = tuple(side["total"] for side in body["result"]["sides"])
            return replace(game, position=None, scored=game.scored + 1, totals=totals)
        case "abort":
            return replace(game, position=None)
        case "close":
            return replace(game, closed=True)
        case "master":
            return replace(game, finished=True)
        case _:
            return game


def _dealt(game: Game, hand: int) -> Game:
    if game.master is None and hand not in game.opened:
        # Nobody here knows its cards; the place keeps the numbers of hands right.
        return replace(game, deals=(*game.deals, None), position=None)
    found = deal_of(game, hand)
    return replace(
        game,
        deals=(*game.deals, found),
        position=position_of(game, hand, found),
        stood_in=(0,) * game.seats,
    )


def _acted(game: Game, record: Record) -> Game:
    if game.position is None:
        return game
    seat = record.body["seat"]
    # The act was checked when it was recorded; history is not judged again here.
    position = game.position.copy()
    engine.play(position, seat, acts.parse(record.body["act"]))
    stood_in = list(game.stood_in)
    stood_in[seat] += record.body["by"] != "seat"
    return replace(game, position=position, stood_in=tuple(stood_in))
