"""Writes the public folder of a log, of entries at hand and of the pure core alone."""

from collections.abc import Sequence
from pathlib import Path

from fairdeal.records.notes import SigningKey
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.cosignature import WitnessKey
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from fairdeal.tlog.policy import Policy, Witness
from fairdeal.tlog.tiles import ENTRIES, Tile, bundle, tiles_of
from tests.tlog.signers import cosign, with_lines

NOW = 1_764_000_000
"""When the first checkpoint is cosigned, where nothing else is said; seconds since 1970."""

NamedSeed = tuple[str, bytes]
"""A witness: its name and its private key of 32 bytes."""


def make_log(
    folder: Path,
    entries: Sequence[bytes],
    *,
    key: SigningKey,
    witnesses: Sequence[NamedSeed] = (),
    times: Sequence[int] = (),
    sizes: Sequence[int] = (),
) -> None:
    """Write tiles, bundles, ``checkpoint``, ``checkpoints/SIZE`` and ``policy`` below a folder.

    What a log that published at each of the sizes leaves behind, partial tiles included. May be
    called again for a folder, with the same entries and more: it writes the same and more.

    Args:
        folder: Made where it is not there.
        entries: In order; all of them are under the last checkpoint.
        key: The log's; its name is the origin.
        witnesses: Each cosigns every checkpoint; the quorum of the policy is all of them.
        times: When, of each checkpoint in the order of sizes; NOW and a second more each, if none.
        sizes: Of the checkpoints before the last one, ascending.
    """
    seen = [
        WitnessKey(name, SigningKey(name, seed).verifying_key.public) for name, seed in witnesses
    ]
    keys = tuple(map(Witness, seen))
    policy = Policy((key.verifying_key,), keys, len(keys))
    put(folder / "policy", policy.text.encode())
    edge = Edge()
    for at, size in enumerate([*(one for one in sizes if one < len(entries)), len(entries)]):
        since = edge.size
        edge, hashes = grow(edge, map(leaf_hash, entries[since:size]))
        for tile in tiles_of(size, since):
            if tile.level == ENTRIES:
                put(folder / tile.path, bundle(entries_of(tile, entries)))
            else:
                put(folder / tile.path, hashes[tile])
        time = times[at] if at < len(times) else NOW + at
        checkpoint = Checkpoint(key.name, size, edge.root)
        lines = [cosign(name, seed, checkpoint.text, time) for name, seed in witnesses]
        note = with_lines(checkpoint.sign(key), lines).encode()
        put(folder / "checkpoints" / str(size), note)
        put(folder / "checkpoint", note)


def entries_of(tile: Tile, entries: Sequence[bytes]) -> Sequence[bytes]:
    """Return the entries of a bundle."""
    return entries[tile.first : tile.first + tile.width]


def numbered(count: int) -> list[bytes]:
    """Return so many different lines."""
    return [b'{"n":%d}\n' % number for number in range(count)]


def put(path: Path, data: bytes) -> None:
    """Write a file, and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
