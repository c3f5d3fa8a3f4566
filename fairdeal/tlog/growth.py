"""A tree as it grows: what has to be remembered to append, and the tiles that come of it.

Remembered is the right edge: of each level the hashes of the tile that is not full yet, at most
255 a level. So the cost of a leaf does not depend on how many there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from fairdeal.errors import MalformedInput
from fairdeal.tlog.merkle import EMPTY_ROOT, HASH_BYTES, node_hash, root_of
from fairdeal.tlog.tiles import WIDTH, Tile

_FULL: Final = WIDTH * HASH_BYTES


@dataclass(frozen=True, slots=True)
class Edge:
    """The right edge of a tree.

    Attributes:
        size: How many leaves the tree has.
        levels: Of each level, from the leaves up, the hashes of its tile that is not full, one
            after another, 32 bytes each; no level at the top is empty.

    Raises:
        MalformedInput: `bad_edge`: the levels are not those of a tree of this size.
    """

    size: int = 0
    levels: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        """Hold the widths to the size."""
        size, widths = self.size, []
        while size:
            widths.append(size % WIDTH * HASH_BYTES)
            size //= WIDTH
        if [len(level) for level in self.levels] != widths:
            raise MalformedInput("bad_edge", f"The edge is not that of {self.size} leaves.")

    @property
    def root(self) -> bytes:
        """The root of the tree."""
        reached: bytes | None = None
        for level in self.levels:
            hashes = [level[at : at + HASH_BYTES] for at in range(0, len(level), HASH_BYTES)]
            # What is below is one more node at the end of this level, smaller than the others.
            reached = _over(hashes, reached)
        return EMPTY_ROOT if reached is None else reached

    @property
    def text(self) -> bytes:
        """All levels one after another, as `Edge.read` takes them."""
        return b"".join(self.levels)

    @classmethod
    def read(cls, size: int, text: bytes) -> Self:
        """Return the edge that `text` was made of.

        Raises:
            MalformedInput: `bad_edge`.
        """
        levels, at, rest = [], 0, size
        while rest:
            end = at + rest % WIDTH * HASH_BYTES
            levels.append(text[at:end])
            at, rest = end, rest // WIDTH
        if at != len(text):
            raise MalformedInput("bad_edge", f"The edge is not that of {size} leaves.")
        return cls(size, tuple(levels))


def grow(edge: Edge, leaves: Iterable[bytes]) -> tuple[Edge, dict[Tile, bytes]]:
    """Append leaves to a tree; return its new edge and the hash tiles that it did not have.

    Args:
        edge: Of the tree as it was.
        leaves: The hashes of the new leaves, in order.

    Returns:
        The new edge, and by tile its bytes: each full tile that became so, and of each level that
        changed the partial one.
    """
    levels = [bytearray(level) for level in edge.levels]
    counts = [edge.size // WIDTH ** (at + 1) for at in range(len(levels))]  # full tiles a level
    before = [len(level) for level in levels]
    made: dict[Tile, bytes] = {}
    size = edge.size
    for leaf in leaves:
        size += 1
        at, reached = 0, leaf
        while True:
            if at == len(levels):
                levels.append(bytearray())
                counts.append(0)
                before.append(0)
            level = levels[at]
            level += reached
            if len(level) < _FULL:
                break
            full = bytes(level)
            made[Tile(at, counts[at])] = full
            counts[at] += 1
            level.clear()
            before[at] = -1
            reached, at = tile_root(full), at + 1
    for at, level in enumerate(levels):
        if level and len(level) != before[at]:
            made[Tile(at, counts[at], len(level) // HASH_BYTES)] = bytes(level)
    while levels and not levels[-1]:
        # A level has begun only where a tile below it is full.
        levels.pop()
    return Edge(size, tuple(map(bytes, levels))), made


def tile_root(full: bytes) -> bytes:
    """Return the hash that a full tile has in the level above."""
    level = [full[at : at + 64] for at in range(0, len(full), 64)]
    hashes = [sha256(b"\x01" + pair).digest() for pair in level]
    while len(hashes) > 1:
        hashes = [node_hash(a, b) for a, b in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]


def _over(hashes: list[bytes], last: bytes | None) -> bytes | None:
    """Return the root over nodes of one size and, at the end, one over fewer leaves."""
    if last is not None:
        hashes = [*hashes, last]
    return root_of(hashes) if hashes else None
