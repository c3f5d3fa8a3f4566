"""``fairdeal replay``: steps through a game's transcript as text."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from fairdeal.canasta import acts
from fairdeal.canasta.cards import FACES
from fairdeal.canasta.gametext import game_text, tell_act
from fairdeal.canasta.position import Position
from fairdeal.canasta.view import seat_view
from fairdeal.cli.followable import check_next
from fairdeal.errors import FairdealError, MalformedInput, RuleBroken
from fairdeal.fairness.keys import Secret
from fairdeal.game import Game, begin, fold
from fairdeal.records.bodies import check_body
from fairdeal.records.chain import Record, parse, read


def steps(path: Path) -> Iterator[str]:
    """Tell a transcript record by record.

    Hands whose secrets are in the file are told with all cards face up; of others only what the
    table saw is known.

    Raises:
        MalformedInput: This is no chain of records, or one of them cannot follow; named.
        OSError: The file cannot be read.
    """
    for before, game, record in folded(path):
        yield _tell(before, game, record)


def folded(path: Path) -> Iterator[tuple[Game | None, Game, Record]]:
    """Give each record with the game before and after it."""
    records = _read(path)
    for record in records:
        with _named(path, record):
            check_body(record.type, record.body)
    master = next(
        (Secret.from_hex(one.body["secret"]) for one in records if one.type == "master"), None
    )
    opened = {
        one.body["hand"]: Secret.from_hex(one.body["secret"])
        for one in records
        if one.type == "reveal"
    }
    game: Game | None = None
    for record in records:
        before = game
        with _named(path, record):
            check_next(game, record)
            game = begin(record, master, opened) if game is None else fold(game, record)
        yield before, game, record


@contextmanager
def _named(path: Path, record: Record) -> Iterator[None]:
    """Refuse what goes wrong with a record under the file's name and the record's number."""
    where = f"{path}, record {record.n} ({record.type})"
    try:
        yield
    except RuleBroken as wrong:
        why = f"the rules forbid this act of seat {record.body['seat']}: {', '.join(wrong.codes)}."
        raise MalformedInput("bad_record", f"{where}: {why}", {"n": record.n}) from wrong
    except FairdealError as wrong:
        raise MalformedInput(wrong.code, f"{where}: {wrong.sentence}", wrong.facts) from wrong
    except (LookupError, TypeError, ValueError) as wrong:
        # The file may say anything; what cannot be derived from it breaks somewhere in the fold.
        why = "this does not fit the records before it."
        raise MalformedInput("bad_record", f"{where}: {why}", {"n": record.n}) from wrong


def _read(path: Path) -> tuple[Record, ...]:
    lines = path.read_bytes()
    try:
        return read(lines)
    except MalformedInput as wrong:
        where = f"{path}, line {_count_good(lines) + 1}"
        raise MalformedInput(wrong.code, f"{where}: {wrong.sentence}", wrong.facts) from wrong


def _count_good(lines: bytes) -> int:
    """Count the records before the first that cannot be read."""
    count, last = 0, None
    with suppress(MalformedInput):
        for line in BytesIO(lines):
            last = parse(line, last)
            count += 1
    return count


def forum(path: Path) -> Iterator[str]:
    """Tell the hands of a transcript as text for people, a line a turn, without drawn cards.

    A hand whose secret is not in the file is not told; one that was given up is told as far as it
    went.

    Raises:
        MalformedInput: This is no chain of records, or one of them cannot follow; named.
        OSError: The file cannot be read.
    """
    start: Position | None = None
    played: list[tuple[int, acts.Act]] = []
    for before, game, record in folded(path):
        body = record.body
        match record.type:
            case "deal":
                start, played = game.position, []
                yield f"Hand {body['hand']}."
                if start is None:
                    yield "Its secret is not in this file."
            case "act" if before is not None and before.position is not None:
                played.append((body["seat"], acts.parse(body["act"])))
            case "score" | "abort" if start is not None:
                yield from game_text(start, played)
                if record.type == "abort":
                    yield f"The hand is given up: {body['reason']}."
                yield ""


def left_in_hands(path: Path) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Give, of each hand that was opened, the faces that every seat held when it was over.

    Raises:
        MalformedInput: This is no chain of records, or one of them cannot follow; named.
        OSError: The file cannot be read.
    """
    found: dict[int, tuple[tuple[str, ...], ...]] = {}
    for before, _, record in folded(path):
        if record.type in ("score", "abort") and before and (position := before.position):
            found[record.body["hand"]] = tuple(
                tuple(FACES[card] for card in position.holding(seat))
                for seat in range(before.seats)
            )
    return found


def _tell(before: Game | None, game: Game, record: Record) -> str:
    body = record.body
    match record.type:
        case "open":
            told = f"game {record.game} at {body['origin']}, {game.seats} seats, locked"
        case "share":
            told = f"seat {body['seat']} gives its seed"
        case "lock":
            told = "the seeds are locked"
        case "deal":
            told = _tell_deal(game, body["hand"])
        case "act":
            told = _tell_act(before, body)
        case "score":
            told = _tell_score(game, body)
        case "abort":
            told = f"hand {body['hand']} is aborted: {body['reason']}"
        case "reveal":
            told = f"the secret of hand {body['hand']} opens"
        case "close":
            told = f"the game closes: {body['reason']}, {body['hands']} hands"
        case "master":
            told = "the master secret opens"
        case _:
            told = record.type
    return f"{record.n:>5}  {told}"


def _tell_deal(game: Game, hand: int) -> str:
    told = [f"hand {hand} is dealt"]
    if game.position is not None:
        for seat in range(game.seats):
            you = seat_view(game.position, seat)["you"]
            holding = you["holding"] if isinstance(you, dict) else []
            told.append(f"       seat {seat}: {' '.join(holding)}")
        told.append(f"       pile: {' '.join(game.faces(game.deal_of(hand).up))}")
    return "\n".join(told)


def _tell_act(before: Game | None, fields: Mapping[str, Any]) -> str:
    position = before.position if before is not None else None
    act = acts.parse(fields["act"])
    told = f"{tell_act(position, act)}." if position is not None else f"{fields['act']}."
    shown = f" Red threes: {' '.join(fields['shown'])}." if fields["shown"] else ""
    by = "" if fields["by"] == "seat" else f" (by {fields['by']})"
    return f"seat {fields['seat']}{by}: {told}{shown}"


def _tell_score(game: Game, fields: Mapping[str, Any]) -> str:
    result = fields["result"]
    if game.ruleset is None:
        # Any JSON; in ASCII, so that a terminal obeys nothing in it.
        return f"hand {fields['hand']} ends: {json.dumps(result)}"
    told = [f"hand {fields['hand']} ends: {_words(result['end'])}"]
    for side, score in enumerate(result["sides"]):
        lines = ", ".join(f"{_words(code)} {points}" for code, points in score["lines"])
        told.append(f"       side {side}: {score['hand']} ({lines}), total {score['total']}")
    return "\n".join(told)


def _words(code: str) -> str:
    return code.replace("_", " ").lower()
