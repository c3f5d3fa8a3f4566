"""Tiles and entry bundles: their names, their widths, their bytes (C2SP tlog-tiles)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import MalformedInput
from fairdeal.tlog.merkle import HASH_BYTES

WIDTH: Final = 256
"""Hashes, or entries, of a full tile."""

MAX_ENTRY: Final = 65_535
"""Bytes of an entry: its length is written in two bytes."""

ENTRIES: Final = -1
"""The level of entry bundles; hash tiles have 0 to 63."""

_PATH: Final = re.compile(
    r"tile/(entries|[0-9]|[1-5][0-9]|6[0-3])/(?!x000/)((?:x[0-9]{3}/)*[0-9]{3})"
    r"(?:\.p/([1-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?"
)
_MOST_GROUPS: Final = 6


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One tile or bundle as it is asked for.

    Attributes:
        level: ENTRIES, or the level of the hashes, 0 for leaves.
        number: From 0.
        width: How many hashes or entries, 1 to WIDTH.
    """

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Its path below the log's prefix, as ``tile/0/x001/067.p/8``."""
        groups = [f"{self.number % 1000:03d}"]
        rest = self.number // 1000
        while rest:
            groups.insert(0, f"x{rest % 1000:03d}")
            rest //= 1000
        level = "entries" if self.level == ENTRIES else str(self.level)
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{level}/{'/'.join(groups)}{partial}"

    @property
    def first(self) -> int:
        """The place of its first hash in its level, from 0; of a bundle that of its first entry."""
        return self.number * WIDTH


def parse_path(path: str) -> Tile | None:
    """Return the tile that a path below the prefix names, or None; there is one path for each."""
    match = _PATH.fullmatch(path)
    if match is None or match[2].count("/") >= _MOST_GROUPS:
        return None
    level = ENTRIES if match[1] == "entries" else int(match[1])
    number = int(match[2].replace("x", "").replace("/", ""))
    return Tile(level, number, int(match[3] or WIDTH))


def tiles_of(size: int, since: int = 0) -> Iterator[Tile]:
    """Yield the tiles and bundles of a tree that one of ``since`` leaves did not have.

    Bundles come first, then levels upwards; in each by number, a partial tile last.
    """
    yield from _level(ENTRIES, size, since)
    level = 0
    while size:
        yield from _level(level, size, since)
        size, since, level = size >> 8, since >> 8, level + 1


def _level(level: int, size: int, since: int) -> Iterator[Tile]:
    if size == since:
        return
    for number in range(since // WIDTH, size // WIDTH):
        yield Tile(level, number)
    if size % WIDTH:
        yield Tile(level, size // WIDTH, size % WIDTH)


def width_at(tile_level: int, number: int, size: int) -> int:
    """Return how wide a tile is in a tree of this size: 0 where there is none, at most WIDTH."""
    level_size = size >> (8 * max(0, tile_level))
    return max(0, min(WIDTH, level_size - number * WIDTH))


def bundle(entries: Sequence[bytes]) -> bytes:
    """Return an entry bundle: before each entry its length in two bytes, big-endian.

    Raises:
        MalformedInput: `entry_too_large`.
    """
    if any(len(entry) > MAX_ENTRY for entry in entries):
        raise MalformedInput("entry_too_large", f"An entry has more than {MAX_ENTRY} bytes.")
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)


def read_bundle(data: bytes, width: int) -> list[bytes]:
    """Return the entries of a bundle of this width.

    Raises:
        MalformedInput: `bad_bundle`: it ends early, or goes on.
    """
    entries: list[bytes] = []
    at = 0
    for _ in range(width):
        end = at + 2 + int.from_bytes(data[at : at + 2])
        if end > len(data) or at + 2 > len(data):
            raise MalformedInput("bad_bundle", f"The bundle ends within entry {len(entries)}.")
        entries.append(data[at + 2 : end])
        at = end
    if at != len(data):
        raise MalformedInput("bad_bundle", f"{len(data) - at} bytes follow the {width} entries.")
    return entries


def read_tile(data: bytes, width: int) -> list[bytes]:
    """Return the hashes of a tile of this width.

    Raises:
        MalformedInput: `bad_tile`: it has another length.
    """
    if len(data) != width * HASH_BYTES:
        raise MalformedInput(
            "bad_tile", f"The tile has {len(data)} bytes, due are {width * HASH_BYTES}."
        )
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


def cut(tile: Tile, full: bytes) -> bytes:
    """Return a narrower tile of the bytes of a wider one: its first hashes, or entries.

    Raises:
        MalformedInput: `bad_bundle`, `bad_tile`: the wider one is too short.
    """
    if tile.level != ENTRIES:
        if len(full) < tile.width * HASH_BYTES:
            raise MalformedInput("bad_tile", "The tile is too short to be cut.")
        return full[: tile.width * HASH_BYTES]
    at = 0
    for _ in range(tile.width):
        at += 2 + int.from_bytes(full[at : at + 2])
        if at > len(full):
            raise MalformedInput("bad_bundle", "The bundle is too short to be cut.")
    return full[:at]
