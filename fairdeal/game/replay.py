"""What history means: the fold over a game's records.

The only reader of records; ``decide`` is the only writer of what comes next.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fairdeal.canasta import acts, engine
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.ruleset import from_json
from fairdeal.errors import MalformedInput
from fairdeal.fairness.keys import Secret
from fairdeal.game.dealing import deal_of, position_of
from fairdeal.game.epoch import (
    SHARING,
    VOID,
    Epoch,
    fresh,
    with_beacon,
    with_lock,
    with_seal,
    with_share,
)
from fairdeal.game.state import Game
from fairdeal.records.chain import Record


def replay(records: Iterable[Record], master: Secret | None) -> Game:
    """Fold a game's records from record 0 on.

    Args:
        records: In order; checked already (``records.chain``).
        master: The game's master secret, or None to follow everything but the cards.

    Raises:
        MalformedInput: There is no record 0.
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
    ruleset = None if play is None else from_json(play["ruleset"])
    return Game(
        head=record,
        opening=record.body,
        open_hash=record.hash,
        ruleset=ruleset,
        master=master,
        opened=dict(opened or {}),
        totals=() if ruleset is None else (0,) * len(ruleset.side_seats),
        stood_in=(0,) * len(record.body["seats"]),
        heard=(record.t,) * len(record.body["seats"]),
    )


def fold(game: Game, record: Record) -> Game:
    """Give the game after one more record."""
    game = replace(game, head=record)
    body = record.body
    match record.type:
        case "seal" | "sealed" | "share" | "lock" | "void" | "beacon":
            heard = _heard(game, record) if record.type in ("seal", "share") else game.heard
            return replace(game, epochs=_seeded(game, record.type, body), heard=heard)
        case "deal":
            dealt = _dealt(game, body["hand"])
            return replace(dealt, turn_since=record.t, turn_from=record.n)
        case "act":
            return _acted(game, record)
        case "score":
            totals = game.totals
            if game.ruleset is not None:
                totals = tuple(side["total"] for side in body["result"]["sides"])
            scored = game.scored + 1
            game = replace(game, scored=scored, totals=totals)
            return replace(game, in_play=False, position=None, memory=None)
        case "abort":
            return replace(game, in_play=False, position=None, memory=None)
        case "draw":
            return replace(game, draws=(*game.draws, body["seat"]))
        case _:
            return game


def _seeded(game: Game, kind: str, body: Mapping[str, Any]) -> tuple[Epoch, ...]:
    """Give the epochs after a record about seeds (§2.5)."""
    before, epoch = game.epochs, game.epoch
    if epoch is None or epoch.number != body["epoch"]:
        epoch = fresh(body["epoch"], game.seats, game.opening["profile"])
    else:
        before = before[:-1]
    match kind:
        case "seal":
            epoch = with_seal(epoch, body)
        case "sealed":
            epoch = replace(epoch, phase=SHARING)
        case "share":
            epoch = with_share(epoch, game.id, game.open_hash, body)
        case "lock":
            epoch = with_lock(epoch, body)
        case "void":
            epoch = replace(epoch, phase=VOID)
        case _:
            epoch = with_beacon(epoch, game.opening["beacon"]["chain"], body)
    return (*before, epoch)


def _dealt(game: Game, hand: int) -> Game:
    if game.master is None and hand not in game.opened:
        # Nobody here knows its cards; the place keeps the numbers of hands right.
        game = replace(game, deals=(*game.deals, None), in_play=True, draws=())
        return replace(game, position=None, memory=None)
    found = deal_of(game, hand)
    return replace(
        game,
        deals=(*game.deals, found),
        in_play=True,
        position=None if game.ruleset is None else position_of(game, hand, found),
        memory=None if game.ruleset is None else Memory.fresh(game.seats),
        draws=(),
        stood_in=(0,) * game.seats,
    )


def _acted(game: Game, record: Record) -> Game:
    if game.position is None:
        return game
    seat, itself = record.body["seat"], record.body["by"] == "seat"
    # The act was checked when it was recorded; history is not judged again here.
    position, act = game.position.copy(), acts.parse(record.body["act"])
    memory = None if game.memory is None else game.memory.after(position, seat, act)
    engine.play(position, seat, act)
    stood_in = list(game.stood_in)
    stood_in[seat] += not itself
    goes_on = position.turn == seat
    return replace(
        game,
        position=position,
        memory=memory,
        stood_in=tuple(stood_in),
        turn_since=game.turn_since if goes_on else record.t,
        turn_from=game.turn_from if goes_on else record.n,
        heard=_heard(game, record) if itself else game.heard,
    )


def _heard(game: Game, record: Record) -> tuple[int, ...]:
    """Give when each seat was heard of, after it did something itself."""
    heard = list(game.heard)
    heard[record.body["seat"]] = record.t
    return tuple(heard)
