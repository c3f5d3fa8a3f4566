"""Reads a public folder as an auditor does, by the pure core and no more."""

from collections.abc import Callable

from fairdeal.records.notes import SigningKey, VerifyingKey
from fairdeal.tlog.checkpoint import Checkpoint, open_checkpoint
from fairdeal.tlog.merkle import EMPTY_ROOT, leaf_hash, root_of
from fairdeal.tlog.tiles import ENTRIES, Tile, read_bundle, read_tile, tiles_of, width_at

KEY = SigningKey("deal.example.com/log/1", bytes(range(32)))

Read = Callable[[str], bytes | None]


def audited(read: Read, key: VerifyingKey = KEY.verifying_key) -> tuple[Checkpoint, list[bytes]]:
    """Return the public checkpoint and all entries; that of no leaf where nothing is public.

    Raises:
        AssertionError: A tile or bundle is missing or another, or the root is another.
    """
    note = read("checkpoint")
    if note is None:
        return Checkpoint(key.name, 0, EMPTY_ROOT), []
    checkpoint = open_checkpoint(note.decode(), [key]).checkpoint
    entries: list[bytes] = []
    hashes: dict[tuple[int, int], bytes] = {}
    for tile in tiles_of(checkpoint.size):
        data = read(tile.path)
        assert data is not None, f"{tile.path} is missing under {checkpoint.size}"
        if tile.level == ENTRIES:
            entries += read_bundle(data, tile.width)
        else:
            hashes[tile.level, tile.number] = data
    leaves = [leaf_hash(entry) for entry in entries]
    assert root_of(leaves) == checkpoint.root
    for (level, number), data in hashes.items():
        unit = 256**level
        at = range(number * 256, number * 256 + width_at(level, number, checkpoint.size))
        expected = [root_of(leaves[one * unit : (one + 1) * unit]) for one in at]
        assert read_tile(data, len(expected)) == expected
    return checkpoint, entries


def tile_paths(size: int, since: int = 0) -> list[str]:
    """Return the paths of all tiles and bundles."""
    return [Tile(one.level, one.number, one.width).path for one in tiles_of(size, since)]
