"""The tree as files: hash tiles and entry bundles, made of the entries in the book."""

from collections.abc import Sequence
from typing import Final

from fairdeal.errors import MalformedInput, StorageFailure
from fairdeal.service.publiclog.ports import RefusesToSign
from fairdeal.store.files import Files
from fairdeal.store.logport import LogBook, LogEntry
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import ENTRIES, WIDTH, Tile, bundle, width_at

_AT_ONCE: Final = 16 * WIDTH
"""So many entries are held at a time: whole tiles of them."""


def extend(files: Files, book: LogBook, edge: Edge, size: int) -> Edge:
    """Write all tiles and bundles that a tree has and a smaller one had not; durable on return.

    Args:
        files: The public folder.
        book: Has the entries.
        edge: Of the smaller tree, whose tiles are there.
        size: Of the larger one.

    Returns:
        Its edge.

    Raises:
        RefusesToSign: `entry_altered`: an entry no longer has the hash that it was written with.
        StorageFailure: The book or the disk fails; `tile_differs`; `entries_missing`.
    """
    while edge.size < size:
        begin = edge.size - edge.size % WIDTH
        end = min(size, begin + _AT_ONCE)
        entries = _entries(book, begin, end)
        edge, hashes = grow(edge, [one.leaf for one in entries[edge.size - begin :]])
        tiles = {tile.path: data for tile, data in hashes.items() if _is_of(tile, size)}
        files.write_many({**_bundles(begin, entries), **tiles})
    return edge


def edge_at(files: Files, size: int) -> Edge | None:
    """Return the edge of a tree of which the tiles were written; None where one is not there."""
    levels: list[bytes] = []
    while size >> 8 * len(levels):
        level = len(levels)
        count = size >> 8 * level
        tile = Tile(level, count // WIDTH, count % WIDTH)
        data = files.read(tile.path) if tile.width else b""
        if data is None:
            return None
        levels.append(data)
    try:
        return Edge(size, tuple(levels))
    except MalformedInput:
        return None


def prove_growth(files: Files, old: int, size: int) -> tuple[bytes, ...]:
    """Return the proof that the tree of a size begins with an older one.

    Raises:
        ValueError: The older one is larger.
        StorageFailure: `tile_missing`.
    """

    def read(tile: Tile) -> bytes:
        data = files.read(tile.path)
        if data is None:
            raise StorageFailure("tile_missing", f"{tile.path} is not there.")
        return data

    return TileTree(size, read).consistency(old)


def _entries(book: LogBook, begin: int, end: int) -> Sequence[LogEntry]:
    entries = book.entries(begin, end)
    if [one.index for one in entries] != list(range(begin, end)):
        raise StorageFailure("entries_missing", f"The book lacks entries of {begin} to {end}.")
    for one in entries:
        if leaf_hash(one.entry) != one.leaf:
            raise RefusesToSign(
                "entry_altered", f"Entry {one.index} is not what it was when it was written."
            )
    return entries


def _bundles(begin: int, entries: Sequence[LogEntry]) -> dict[str, bytes]:
    made = {}
    for at in range(0, len(entries), WIDTH):
        held = [one.entry for one in entries[at : at + WIDTH]]
        tile = Tile(ENTRIES, (begin + at) // WIDTH, len(held))
        made[tile.path] = bundle(held)
    return made


def _is_of(tile: Tile, size: int) -> bool:
    """Say whether a tile is one of the final tree, none of a tree on the way to it."""
    return tile.width == width_at(tile.level, tile.number, size)
