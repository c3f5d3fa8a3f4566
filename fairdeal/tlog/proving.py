"""Proofs made of tiles: which hashes they need, and reading those (RFC 9162 §2.1.3.1, 2.1.4.1)."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from fairdeal.tlog.merkle import EMPTY_ROOT, HASH_BYTES, node_hash
from fairdeal.tlog.tiles import WIDTH, Tile, width_at

ReadTile = Callable[[Tile], bytes]
"""Returns the bytes of a tile that is asked for by the width it has in the tree at hand."""

_HEIGHT: Final = 8
"""Levels of nodes in a tile: 256 hashes and what is above them, but for its root."""


class TileTree:
    """A tree of which the hashes are read from tiles.

    Args:
        size: Leaves.
        read: Gives tiles; each is asked for once.
    """

    def __init__(self, size: int, read: ReadTile) -> None:
        self.size = size
        self._read = read
        # Of each tile that was asked for, its levels: a proof takes one hash of each.
        self._levels: dict[tuple[int, int], list[list[bytes]]] = {}

    def root(self, size: int | None = None) -> bytes:
        """Return the root of the tree, or of the one that its first leaves made."""
        return self._range(0, self.size if size is None else size)

    def inclusion(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """Return the inclusion proof of a leaf, its sibling first.

        Raises:
            ValueError: There is no such leaf in a tree of this size, or no such tree.
        """
        size = self._size(size)
        if not 0 <= index < size:
            raise ValueError(f"there is no leaf {index} in a tree of {size}")
        path: list[bytes] = []
        for height in range(0, (size - 1).bit_length(), _HEIGHT):
            number, place = divmod(index >> height, WIDTH)
            levels, reach = self._tile(height // _HEIGHT, number), (size >> height) - number * WIDTH
            # Both of a pair are in one tile.
            if reach >= WIDTH:
                path += [level[place >> inner ^ 1] for inner, level in enumerate(levels)]
                continue
            for inner, level in enumerate(levels):
                neighbour = place >> inner ^ 1
                if neighbour < reach >> inner:
                    path.append(level[neighbour])
                    continue
                # It reaches beyond the tree, or is not there.
                begin = number * WIDTH + (neighbour << inner) << height
                if begin < size:
                    path.append(self._range(begin, size))
        return tuple(path)

    def consistency(self, old: int, size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that a tree begins with the one of ``old`` leaves; none for 0.

        Raises:
            ValueError: The older tree is larger, or there is no such tree.
        """
        size = self._size(size)
        if not 0 <= old <= size:
            raise ValueError(f"a tree of {size} did not grow from one of {old}")
        if old in (0, size):
            return ()
        return tuple(self._range(*span) for span in _consistency(old, 0, size, whole=True))

    def _size(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise ValueError(f"the tree has {self.size} leaves, not {size}")
        return size

    def _range(self, begin: int, end: int) -> bytes:
        """Return the hash over leaves; they begin where a subtree of their number may."""
        if begin == end:
            return EMPTY_ROOT
        height = (end - begin).bit_length() - 1
        left = self._node(height, begin >> height)
        middle = begin + (1 << height)
        return left if middle == end else node_hash(left, self._range(middle, end))

    def _node(self, height: int, at: int) -> bytes:
        """Return the hash of a full subtree of 2^height leaves, by its number among those."""
        level, inner = divmod(height, _HEIGHT)
        number, place = divmod(at, 1 << (_HEIGHT - inner))
        return self._tile(level, number)[inner][place]

    def _tile(self, level: int, number: int) -> list[list[bytes]]:
        """Return the levels of a tile; empty ones where the tree does not reach it."""
        levels = self._levels.get((level, number))
        if levels is None:
            width = width_at(level, number, self.size)
            tile = self._read(Tile(level, number, width)) if width else b""
            levels = self._levels[level, number] = _levels(tile)
        return levels


def _levels(tile: bytes) -> list[list[bytes]]:
    """Return the hashes of a tile and those of the full subtrees over them, level by level."""
    below = [tile[at : at + HASH_BYTES] for at in range(0, len(tile), HASH_BYTES)]
    levels = [below]
    for _ in range(_HEIGHT - 1):
        # One without a neighbour is under no full subtree.
        pairs = zip(below[::2], below[1::2], strict=False)
        below = [sha256(b"\x01" + left + right).digest() for left, right in pairs]
        levels.append(below)
    return levels


def _consistency(old: int, begin: int, end: int, *, whole: bool) -> Iterator[tuple[int, int]]:
    if old == end - begin:
        if not whole:
            yield begin, end
        return
    split = _split(end - begin)
    if old <= split:
        yield from _consistency(old, begin, begin + split, whole=whole)
        yield begin + split, end
    else:
        yield from _consistency(old - split, begin + split, end, whole=False)
        yield begin, begin + split


def _split(size: int) -> int:
    """Return the largest power of two below a size above 1."""
    return 1 << ((size - 1).bit_length() - 1)
