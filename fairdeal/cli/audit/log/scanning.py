"""Pass 3: entries, leaf hashes, tiles and the root, a range of level 0 at a time."""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final

from fairdeal.cli.audit.log.collecting import Found
from fairdeal.cli.audit.log.findings import Finding
from fairdeal.cli.audit.log.leaffacts import BadLeaf, Fact, read_leaf
from fairdeal.cli.audit.log.mirror import Mirror
from fairdeal.cli.audit.log.spreading import spread
from fairdeal.errors import MalformedInput
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import Edge, grow, tile_root
from fairdeal.tlog.merkle import HASH_BYTES, leaf_hash
from fairdeal.tlog.tiles import ENTRIES, WIDTH, Tile, cut, read_bundle, read_tile, width_at

TILES: Final = 8
"""Full tiles of level 0 that one process takes at once: 2,048 entries."""


@dataclass(frozen=True, slots=True)
class Part:
    """A range of tiles to look at.

    Attributes:
        size: Of the tree.
        first: The number of its first tile.
        since: Leaves before this place were looked at in an earlier audit: they are hashed only.
    """

    source: Mirror
    size: int
    first: int
    since: int


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a range of tiles came to.

    Attributes:
        roots: The hash of each full tile.
        rest: The hashes of the tile at the end that is not full, one after another.
        facts: Of the leaves, in order.
        files: What is wrong with tiles and bundles.
        leaves: What is wrong with leaves.
    """

    roots: list[bytes]
    rest: bytes
    facts: list[Fact]
    files: list[Finding]
    leaves: list[Finding]


def scan(part: Part) -> Scanned:
    """Look at a range of tiles; runs in any process."""
    done = Scanned([], b"", [], [], [])
    rest = b""
    for number in range(part.first, part.first + TILES):
        width = width_at(0, number, part.size)
        if not width:
            break
        hashes = _tile(part, number, width, done)
        if width == WIDTH:
            done.roots.append(tile_root(hashes))
        else:
            rest = hashes
    return Scanned(done.roots, rest, done.facts, done.files, done.leaves)


def scan_all(source: Mirror, size: int, since: int, executor: Executor | None) -> Iterator[Scanned]:
    """Yield all ranges from the tile on in which leaf ``since`` is."""
    parts = (
        Part(source, size, first, since)
        for first in range(since // WIDTH, -(-size // WIDTH), TILES)
    )
    return spread(scan, parts, executor)


class Tree:
    """The tree above level 0, as it grows from the hashes of full tiles.

    Args:
        edge: Of the tree whose leaves are the full tiles of earlier audits.
    """

    def __init__(self, source: Mirror, edge: Edge, found: Found) -> None:
        self.edge = edge
        self._source = source
        self._found = found
        self._rest = b""

    def take(self, scanned: Scanned) -> None:
        """Take a range, and hold full tiles above level 0 to it."""
        self.edge, made = grow(self.edge, scanned.roots)
        self._rest = scanned.rest
        for tile, due in made.items():
            if tile.width == WIDTH:
                self._hold(Tile(tile.level + 1, tile.number), due)

    def finish(self, checkpoint: Checkpoint) -> None:
        """Hold the tiles that are not full, and the root."""
        size = self.edge.size
        for level, due in enumerate(self.edge.levels):
            if due:
                self._hold(Tile(level + 1, size // WIDTH, len(due) // HASH_BYTES), due)
            size //= WIDTH
        levels = (self._rest, *self.edge.levels) if self._rest or self.edge.size else ()
        whole = Edge(self.edge.size * WIDTH + len(self._rest) // HASH_BYTES, levels)
        if (whole.size, whole.root) != (checkpoint.size, checkpoint.root):
            if self._found.is_wrong:
                return
            self._found.add(
                "E_ROOT",
                f"The {checkpoint.size} entries do not give the root of the checkpoint.",
                path="checkpoint",
            )

    def _hold(self, tile: Tile, due: bytes) -> None:
        files: list[Finding] = []
        data = _read(self._source, tile, files)
        if data is not None and data != due:
            files.append(_differs(tile, data, due))
        for one in files:
            self._found.take(one)


def _tile(part: Part, number: int, width: int, done: Scanned) -> bytes:
    """Return the hashes over the entries of a tile; of the tile itself where these are missing."""
    tile, entries = Tile(0, number, width), Tile(ENTRIES, number, width)
    hashes = _read(part.source, tile, done.files)
    data = _read(part.source, entries, done.files)
    if data is None:
        return hashes or bytes(width * HASH_BYTES)
    found = read_bundle(data, width)
    leaves = [leaf_hash(entry) for entry in found]
    due = b"".join(leaves)
    if hashes is not None and due != hashes:
        done.files.append(_differs(tile, hashes, due))
    for index, (entry, leaf) in enumerate(zip(found, leaves, strict=True), number * WIDTH):
        if index < part.since:
            continue
        try:
            done.facts.append(read_leaf(index, entry, leaf))
        except BadLeaf as bad:
            done.leaves.append(Finding(bad.code, bad.sentence, index, None, entries.path))
    return due


def _read(source: Mirror, tile: Tile, files: list[Finding]) -> bytes | None:
    """Return a tile or bundle of just its width; a full one stands in for a partial one."""
    data = source.read(tile.path)
    is_cut = False
    if data is None and tile.width < WIDTH:
        data, is_cut = source.read(Tile(tile.level, tile.number).path), True
    what = "bundle" if tile.level == ENTRIES else "tile"
    if data is None:
        code = f"E_{what.upper()}_MISSING"
        files.append(Finding(code, f"The {what} is missing.", _index(tile), None, tile.path))
        return None
    try:
        data = cut(tile, data) if is_cut else data
        if tile.level == ENTRIES:
            read_bundle(data, tile.width)
        else:
            read_tile(data, tile.width)
    except MalformedInput as error:
        code = f"E_{what.upper()}_WIDTH"
        files.append(Finding(code, error.sentence, _index(tile), None, tile.path))
        return None
    return data


def _differs(tile: Tile, data: bytes, due: bytes) -> Finding:
    at = next(i for i in range(0, len(due), HASH_BYTES) if data[i : i + 32] != due[i : i + 32])
    place = tile.first + at // HASH_BYTES
    if tile.level == 0:
        bundle = Tile(ENTRIES, tile.number, tile.width).path
        return Finding(
            "E_LEAF_HASH",
            f"Entry {place} in {bundle} has another hash than its tile tells.",
            place,
            None,
            tile.path,
        )
    below = Tile(tile.level - 1, place).path
    return Finding(
        "E_TILE_HASH",
        f"Hash {at // HASH_BYTES} is not that of the tile below it, {below}.",
        place << (8 * tile.level),
        None,
        tile.path,
    )


def _index(tile: Tile) -> int:
    return tile.first << (8 * max(0, tile.level))
