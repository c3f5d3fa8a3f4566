"""Transcripts of many games in one file, and the index of such files (docs/decisions/0011).

A bundle is gzip members one after another; unpacked, the lines of whole games one after another,
each from its record 0 to its `master`.
"""

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import decode_canonical, encode
from fairdeal.records.chain import MAX_LINE_BYTES, MAX_RECORDS

FOLDER: Final = "bundles"
INDEX: Final = f"{FOLDER}/index.json"
MOST_INDEX_BYTES: Final = 16 * 2**20
"""Two hundred years of days."""

_GZIP: Final = 31
_PIECE: Final = 2**18
_SHORT: Final = 2**14
_MOST_GAME_BYTES: Final = 256 * 2**20
# The keys of a line are in order, so these are its last ones; a text within its body has its
# quotation marks escaped.
_FIRST: Final = re.compile(
    rb'"game":"([a-z0-9][a-z0-9._-]{7,63})","n":0,"prev":"0{64}","t":[0-9]{1,16},'
    rb'"type":"[a-z]{1,16}","v":"pfd1"\}\n'
)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_NUMBERS: Final = ("bytes", "first_index", "games", "last_index")


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleDay:
    """One bundle as the index tells it.

    Attributes:
        day: ``YYYY-MM-DD``, of UTC.
        bytes: So many of the file count; what is behind them is none of it yet.
        sha256: Of these bytes, 64 hex digits.
        games: At least one.
        first_index: The place of its first game's `master` in the log.
        last_index: That of its last game's.
    """

    day: str
    bytes: int
    sha256: str
    games: int
    first_index: int
    last_index: int

    @property
    def path(self) -> str:
        """Where the file is below the log's prefix."""
        return bundle_path(self.day)


@dataclass(frozen=True, slots=True)
class BundleIndex:
    """All bundles of a log.

    Attributes:
        complete_to_index: Each `master` at a place before this one has its transcript in a bundle.
        days: In order, of days and of places.
    """

    complete_to_index: int = 0
    days: tuple[BundleDay, ...] = ()

    @property
    def text(self) -> bytes:
        """The file: canonical JSON and LF."""
        days = [
            {"day": one.day, "sha256": one.sha256} | {key: getattr(one, key) for key in _NUMBERS}
            for one in self.days
        ]
        return encode({"complete_to_index": self.complete_to_index, "days": days}) + b"\n"


def bundle_path(day: str) -> str:
    """Return where the bundle of a day is below the log's prefix."""
    return f"{FOLDER}/{day}.jsonl.gz"


def parse_bundle_index(data: bytes) -> BundleIndex:
    """Read an index; ``parse_bundle_index(x).text == x``.

    Raises:
        MalformedInput: `bad_bundle_index`, or as `decode_canonical`.
    """
    said: Any = decode_canonical(data[:-1], max_bytes=MOST_INDEX_BYTES)
    if not data.endswith(b"\n") or not isinstance(said, dict):
        raise _bad_index("is no line of canonical JSON")
    if said.keys() != {"complete_to_index", "days"} or not isinstance(said["days"], list):
        raise _bad_index("has complete_to_index and days")
    days = tuple(_day(one) for one in said["days"])
    end = said["complete_to_index"]
    if not _is_number(end) or (days and days[-1].last_index >= end):
        raise _bad_index("is complete to a place behind its last game")
    if any(a.day >= b.day or a.last_index >= b.first_index for a, b in pairwise(days)):
        raise _bad_index("has its days in order")
    return BundleIndex(end, days)


def read_bundle_games(pieces: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the transcript of each game of a bundle, one in memory at a time.

    What the lines say is not looked at, but for where a game begins.

    Args:
        pieces: The bytes of the file, in pieces of any size.

    Raises:
        MalformedInput: `bad_bundle`: it is not gzip to its end, or no lines of whole games.
    """
    game, size = "", 0
    lines: list[bytes] = []
    for line in _lines(pieces):
        first = _FIRST.search(line)
        if first is not None and first.end() == len(line):
            if game:
                yield game, b"".join(lines)
            game, lines, size = first[1].decode(), [], 0
        lines.append(line)
        size += len(line)
        if not game:
            raise _bad_bundle("does not begin with a game's record 0")
        if len(lines) > MAX_RECORDS or size > _MOST_GAME_BYTES:
            raise _bad_bundle(f"has more of game {game} than a game may have")
    if game:
        yield game, b"".join(lines)


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in _unpacked(pieces):
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line + b"\n"
        if len(rest) > MAX_LINE_BYTES:
            raise _bad_bundle(f"has a line of over {MAX_LINE_BYTES} bytes")
    if rest:
        raise _bad_bundle("ends within a line")


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    member: Any = None
    # What is left of a piece is copied each time, so pieces are short.
    for short in (one[at : at + _SHORT] for one in pieces for at in range(0, len(one), _SHORT)):
        packed = short
        while packed:
            member = zlib.decompressobj(_GZIP) if member is None else member
            try:
                yield member.decompress(packed, _PIECE)
            except zlib.error:
                raise _bad_bundle("is not gzip") from None
            packed = member.unused_data if member.eof else member.unconsumed_tail
            member = None if member.eof else member
    if member is not None:
        raise _bad_bundle("ends within a gzip member")


def _day(said: object) -> BundleDay:
    if not isinstance(said, dict) or said.keys() != {"day", "sha256", *_NUMBERS}:
        raise _bad_index(f"has of each day: day, sha256, {', '.join(_NUMBERS)}")
    texts = isinstance(said["day"], str) and isinstance(said["sha256"], str)
    if not texts or not _DAY.fullmatch(said["day"]) or not _HASH.fullmatch(said["sha256"]):
        raise _bad_index("has a day without its date or its hash")
    if not all(_is_number(said[key]) for key in _NUMBERS):
        raise _bad_index("has a day with a number that is none")
    read = BundleDay(**said)
    # Two games have two places.
    if not 1 <= read.games <= read.last_index - read.first_index + 1:
        raise _bad_index("has a day with more games than places")
    return read


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _bad_index(why: str) -> MalformedInput:
    return MalformedInput("bad_bundle_index", f"An index of bundles {why}; this one does not.")


def _bad_bundle(why: str) -> MalformedInput:
    return MalformedInput("bad_bundle", f"The bundle {why}.")
