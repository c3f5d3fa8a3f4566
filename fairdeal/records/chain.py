"""A game's records: numbered lines, each bound to the one before by its hash (protocol §2.10)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import MAX_BYTES, MAX_INTEGER, decode_canonical, encode

PROTOCOL: Final = "pfd1"
HASH_OF_NOTHING: Final = "0" * 64
MAX_LINE_BYTES: Final = MAX_BYTES
MAX_RECORDS: Final = 20_000
RECORD_TYPES: Final = (
    "open", "seal", "sealed", "share", "void", "lock", "beacon", "deal", "draw", "act", "score",
    "abort", "reveal", "close", "master",
)  # fmt: skip

_FIELDS: Final = frozenset({"v", "game", "n", "prev", "t", "type", "body"})
# The last alternative is a line without its LF, which `parse` refuses.
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_GAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of a game, with its line.

    Attributes:
        game: The game's name.
        n: Its number, from 0.
        prev: The hash of the record before, 64 hex digits; 64 zeros for the first.
        t: When it was made, milliseconds since 1970; never falling within a game.
        type: One of `RECORD_TYPES`.
        body: What it says, as §2.10 lists it; not to be changed.
        line: Its canonical JSON with the LF.
        hash: The SHA-256 of the line, 64 hex digits.
    """

    game: str
    n: int
    prev: str
    t: int
    type: str
    # Any: the shape depends on the type; `bodies` checks it where a body is built.
    body: Mapping[str, Any] = field(compare=False, repr=False)
    line: bytes = field(repr=False)
    hash: str


def make(
    previous: Record | None,
    game: str,
    t: int,
    type: str,  # noqa: A002  the field's name
    body: Mapping[str, object],
) -> Record:
    """Make the record that follows another one: number it, link it, hash it (§2.10).

    Args:
        previous: The game's newest record; None for the first.
        game: The game's name.
        t: Now, milliseconds since 1970.
        type: One of `RECORD_TYPES`.
        body: From the function for this type in `fairdeal.records.bodies`; copied.

    Raises:
        ValueError: The game has another name, `t` falls or is no time, the type is unknown, or
            the game has 20,000 records already.
        MalformedInput: The body has no canonical form, or the line is over 256 KiB.
    """
    n, prev, earliest = (0, HASH_OF_NOTHING, 0) if previous is None else _after(previous)
    if _GAME.fullmatch(game) is None:
        raise ValueError(f"no name of a game: {game!r}")
    if previous is not None and previous.game != game:
        raise ValueError(f"a record of {game!r} cannot follow one of {previous.game!r}")
    if n >= MAX_RECORDS:
        raise ValueError(f"{game!r} has {MAX_RECORDS} records; there may be no more")
    if not earliest <= t <= MAX_INTEGER:
        raise ValueError(f"t is {t} in record {n} of {game!r}, the record before has {earliest}")
    if type not in RECORD_TYPES:
        raise ValueError(f"no type of record: {type!r}")
    fields = {
        "v": PROTOCOL, "game": game, "n": n, "prev": prev, "t": t, "type": type,
        "body": dict(body),
    }  # fmt: skip
    line = encode(fields) + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise MalformedInput(
            "too_large",
            f"Record {n} would have {len(line)} bytes; at most {MAX_LINE_BYTES} are allowed.",
            {"n": n, "bytes": len(line), "max": MAX_LINE_BYTES},
        )
    # Read back from the line, so that nobody else holds a part of it.
    return reread(line)


def parse(line: bytes, previous: Record | None) -> Record:
    """Read the record that follows another one from its stored line, strictly (§2.10).

    The body's shape is not looked at: `fairdeal.records.bodies.check_body` does that.

    Args:
        line: Canonical JSON with its LF.
        previous: The record before; None for the first.

    Raises:
        MalformedInput: The line is not canonical, has other fields, or does not follow.
    """
    n, prev, earliest = (0, HASH_OF_NOTHING, 0) if previous is None else _after(previous)
    if not line.endswith(b"\n"):
        raise _bad(n, "has no line feed at its end")
    if len(line) > MAX_LINE_BYTES:
        raise _bad(n, f"has over {MAX_LINE_BYTES} bytes")
    fields = decode_canonical(line[:-1])
    if not isinstance(fields, dict) or fields.keys() != _FIELDS:
        raise _bad(n, f"is no object with exactly the fields {', '.join(sorted(_FIELDS))}")
    if fields["v"] != PROTOCOL:
        raise _bad(n, f"is not of {PROTOCOL}")
    if type(fields["n"]) is not int or fields["n"] != n:
        raise _bad(n, f"is numbered {fields['n']!r}")
    if type(fields["game"]) is not str or _GAME.fullmatch(fields["game"]) is None:
        raise _bad(n, "names no game")
    if previous is not None and fields["game"] != previous.game:
        raise _bad(n, f"belongs to {fields['game']!r}, the one before to {previous.game!r}")
    if fields["prev"] != prev:
        raise _bad(n, f"follows {fields['prev']!r}, the one before has the hash {prev}")
    if type(fields["t"]) is not int or not earliest <= fields["t"]:
        raise _bad(n, f"has the time {fields['t']!r}, the one before {earliest}")
    if fields["type"] not in RECORD_TYPES:
        raise _bad(n, f"has the unknown type {fields['type']!r}")
    if not isinstance(fields["body"], dict):
        raise _bad(n, "has no object as its body")
    return _record(fields, line)


def reread(line: bytes) -> Record:
    """Return a line that was checked before as a record; nothing is checked again.

    Args:
        line: Canonical JSON with its LF.
    """
    return _record(json.loads(line), line)


def read(lines: bytes) -> tuple[Record, ...]:
    """Read all records of one game from its stored lines, strictly (§2.10).

    Args:
        lines: The lines of records 0, 1, ... one after the other, each with its LF.

    Raises:
        MalformedInput: As `parse`, or there are over 20,000 records.
    """
    records: list[Record] = []
    for line in _LINE.findall(lines):
        if len(records) == MAX_RECORDS:
            raise _bad(MAX_RECORDS, "is one too many")
        records.append(parse(line, records[-1] if records else None))
    return tuple(records)


def _after(previous: Record) -> tuple[int, str, int]:
    return previous.n + 1, previous.hash, previous.t


def _record(fields: dict[str, Any], line: bytes) -> Record:
    return Record(
        game=fields["game"],
        n=fields["n"],
        prev=fields["prev"],
        t=fields["t"],
        type=fields["type"],
        body=fields["body"],
        line=line,
        hash=sha256(line).hexdigest(),
    )


def _bad(n: int, why: str) -> MalformedInput:
    return MalformedInput("bad_record", f"Record {n} {why}.", {"n": n})
