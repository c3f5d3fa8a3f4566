"""Every field of honest games is changed, one at a time, re-chained and re-signed by the server.

Only the free fields that docs/protocol.md 2.10 lists may pass; ``FREE`` below is that list.
"""

import io
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.forge import Forge, Signer
from tests.verifier.test_beacon import drawn, locked
from verifier.selftest.run import plant
from verifier.verify import verify

VECTORS = Path(__file__).parents[1] / "vectors"
PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")

# Type of the record and path of the field; * is any place in a list or free value.
FREE = {
    ("*", "t"),
    ("draw", "seat"),
    ("score", "result"),  # dealt-only games
    ("score", "result.hints.*"),  # refereed games
    ("act", "by"),
    ("void", "reason"),
    ("abort", "reason"),
    ("close", "reason"),
}
# Free too in an epoch that was given up: nothing was ever made from it.
FREE_IF_VOID = {("seal", "seal"), ("share", "nonce"), ("share", "seed_sha256")}
LONG = 40  # of a longer list every ninth item is changed
OUTSIDE = ("body", "origin")  # signed under another name: the receipt is of no use (E_ORIGIN, 3.1)


def published(name: str) -> list[str]:
    vectors = json.loads((VECTORS / "pfd1-vectors.json").read_bytes())
    return list(vectors["transcripts"][name]["lines"])


def lines_of(path: str) -> list[str]:
    return (VECTORS / path / "game.jsonl").read_text("utf-8").split("\n")[:-1]


def made(forge: Forge) -> list[str]:
    return forge.data().decode().split("\n")[:-1]


def voided() -> Forge:
    forge = Forge(kinds="ppb", profile="sealed", epoch_hands=1).seal(0)
    forge.add("void", epoch=1, reason="no answer", seats=[1]).next_epoch()
    return forge.seal(0).seal(1).sealed().share(1).share(0).lock().play().end()


def void_open() -> Forge:
    forge = Forge(kinds="pp", first_seat=0).share(0)
    forge.add("void", epoch=1, reason="no answer", seats=[1]).next_epoch()
    return forge.share(1).share(0).lock().play().end()


GAMES = {
    "open": lambda: published("solo-0001"),
    "sealed, two epochs, an abort": lambda: published("table-0042"),
    "sealed with a beacon": lambda: published("beacon-0007"),
    "a share dropped": lambda: made(
        drawn(locked("ppb", left_out=1, missing_share="drop")).play().end()
    ),
    "a void epoch": lambda: made(voided()),
    "a void epoch, profile open": lambda: made(void_open()),
    "refereed, scored": lambda: lines_of("ours/V09a"),
    "refereed, aborted and given up": lambda: lines_of("ours/V05a"),
}


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every scalar, every list and every null, with its path; of long lists a part."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        for index in range(0, len(value), 9 if len(value) > LONG else 1):
            yield from leaves(value[index], (*path, str(index)))


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value is None:
        return 1
    if isinstance(value, list):
        return value[:-1] if value else [0]
    if re.fullmatch("[0-9a-f]{16,}", value):
        return ("1" if value[0] == "0" else "0") + value[1:]
    swaps = {"player": "bot", "open": "sealed", "sealed": "open", "void": "drop", "drop": "void"}
    swaps |= {"stand-in": "clock", "clock": "stand-in", "seat": "stand-in"}
    swaps |= {"JK": "AC", "complete": "over"}
    return swaps.get(value, f"{value}x" if len(value) > 2 else "JK")


def changed(lines: list[str], at: int, path: tuple[str, ...], value: Any) -> bytes:
    fault = {"at": at, "path": ".".join(path), "value": value}
    return "".join(f"{line}\n" for line in plant(lines, fault)).encode()


@cache
def signer(origin: str) -> Signer:
    return Signer(origin)


def pattern(kind: str, path: tuple[str, ...]) -> tuple[str, str]:
    field = ".".join("*" if part.isdigit() else part for part in path[1:] or path)
    if field == "t":
        return ("*", "t")
    return (kind, field)


def free_at(kind: str, path: tuple[str, ...], *, is_refereed: bool, is_void: bool) -> bool:
    name = pattern(kind, path)
    if is_void and name in FREE_IF_VOID:
        return True
    if kind == "score" and not is_refereed and path[:2] == ("body", "result"):
        return ("score", "result") in FREE
    return name in FREE


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_only_the_free_fields_survive_a_change_by_the_server(name):
    lines = GAMES[name]()
    records = [json.loads(line) for line in lines]
    origin = records[0]["body"]["origin"]
    is_refereed = "play" in records[0]["body"]["rules"]
    void = {record["body"]["epoch"] for record in records if record["type"] == "void"}
    last = len(lines) - 1
    survivors = set()
    for at, record in enumerate(records):
        for path, value in leaves({"t": record["t"], "body": record["body"]}):
            data = changed(lines, at, path, other(value))
            receipt = signer(origin).receipt(data, last, records[0]["game"])
            report = verify(io.BytesIO(data), signer(origin).held(receipt))
            if report.verdict == "VALID":
                is_void = record["body"].get("epoch") in void
                kind = record["type"]
                assert free_at(kind, path, is_refereed=is_refereed, is_void=is_void), (at, path)
                survivors.add(pattern(record["type"], path))
            elif path == OUTSIDE:
                assert report.verdict == "INVALID"
            else:
                assert report.verdict in {"FRAUD", "MALFORMED"}, (at, path, report.errors[:2])
    assert ("*", "t") in survivors


@pytest.mark.parametrize("field", ["v", "game", "n", "prev", "type"])
def test_no_field_around_a_body_survives(field):
    lines = published("solo-0001")
    for at in range(len(lines)):
        record = json.loads(lines[at])
        record[field] = {"v": "pfd2", "type": "draw", "game": "another-game"}.get(
            field, other(record[field])
        )
        bent = [*lines]
        bent[at] = json.dumps(record, sort_keys=True, separators=(",", ":"))
        data = "".join(f"{line}\n" for line in bent).encode()
        assert bent[at] == lines[at] or verify(io.BytesIO(data), Signer().held()).verdict in {
            "INVALID",
            "MALFORMED",
        }


def test_the_page_lists_the_free_fields():
    sentence = PAGE[PAGE.index("Which fields nothing can check but receipts and the log") :]
    listed = sentence[: sentence.index("\n\n")]
    for words in (
        "`t`",
        "score results",
        "`hints`",
        "`by`",
        "reasons",
        "which seat drew",
        "given up",
    ):
        assert words in listed, words
