"""Proofs made of tiles: which hashes they need, and reading those (RFC 9162 §2.1.3.1, 2.1.4.1)."""

from collections.abc import Callable, Iterator

from fairdeal.tlog.merkle import HASH_BYTES, root_of
from fairdeal.tlog.tiles import WIDTH, Tile, width_at

ReadTile = Callable[[Tile], bytes]
"""Returns the bytes of a tile that is asked for by the width it has in the tree at hand."""


class TileTree:
    """A tree of which the hashes are read from tiles.

    Args:
        size: Leaves.
        read: Gives tiles; each is asked for once.
    """

    def __init__(self, size: int, read: ReadTile) -> None:
        self.size = size
        self._read = read
        self._tiles: dict[tuple[int, int], bytes] = {}

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
        return tuple(self._range(*span) for span in _inclusion(index, 0, size))

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
        level = 0
        while begin % WIDTH ** (level + 1) == 0 and end - begin >= WIDTH ** (level + 1):
            level += 1
        unit = WIDTH**level
        hashes = [self._hash(level, at) for at in range(begin // unit, end // unit)]
        if end % unit:
            hashes.append(self._range(end - end % unit, end))
        return root_of(hashes)

    def _hash(self, level: int, at: int) -> bytes:
        number, offset = divmod(at, WIDTH)
        tile = self._tiles.get((level, number))
        if tile is None:
            tile = self._read(Tile(level, number, width_at(level, number, self.size)))
            self._tiles[level, number] = tile
        return tile[offset * HASH_BYTES : (offset + 1) * HASH_BYTES]


def _inclusion(index: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges whose hashes are the path, the leaf's sibling first."""
    if end - begin <= 1:
        return
    middle = begin + _split(end - begin)
    if index < middle:
        yield from _inclusion(index, begin, middle)
        yield middle, end
    else:
        yield from _inclusion(index, middle, end)
        yield begin, middle


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
