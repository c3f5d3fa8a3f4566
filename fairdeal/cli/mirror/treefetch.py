"""Fetches the tiles and bundles of a checkpoint, each held to its root before it is kept.

From the top of the tree downwards: the hashes at the right edge make the root, a full tile makes
one hash of the level above, the entries of a bundle make the hashes of a tile. So whatever is in a
mirror is signed, also if the fetch was killed half-way.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Final

from fairdeal.cli.mirror.answers import CannotLook
from fairdeal.cli.mirror.asking import Asker
from fairdeal.cli.mirror.findings import TILE_CHANGED, TILE_WRONG, Found, Wrong
from fairdeal.cli.mirror.folder import EVIDENCE, MirrorFolder, seen_path
from fairdeal.errors import MalformedInput
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import tile_root
from fairdeal.tlog.merkle import HASH_BYTES, is_consistent, leaf_hash
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import (
    ENTRIES,
    MAX_ENTRY,
    WIDTH,
    Tile,
    cut,
    read_bundle,
    tiles_of,
    width_at,
)

THREADS: Final = 8
_MOST_TILE: Final = WIDTH * HASH_BYTES
_MOST_BUNDLE: Final = WIDTH * (2 + MAX_ENTRY)
_TRIES: Final = 3


class TreeFetch:
    """Brings a mirror's tiles to a checkpoint.

    Args:
        asker: Of the log.
        mirror: Where they go.
        checkpoint: Signed; what they are held to.
        tell: Is told of so many tiles more that are there.
    """

    def __init__(
        self,
        asker: Asker,
        mirror: MirrorFolder,
        checkpoint: Checkpoint,
        tell: Callable[[int], object],
    ) -> None:
        self._asker = asker
        self._mirror = mirror
        self._checkpoint = checkpoint
        self._size = checkpoint.size
        self._root = checkpoint.root
        self._tell = tell
        # Tiles asked for to hold the root and older checkpoints to each other: a few a level.
        self._looked: dict[Tile, bytes] = {}
        self._is_mirror_used = True
        self._tree = TileTree(checkpoint.size, self._look)

    def hold_to_root(self) -> None:
        """Read the tiles at the right edge, which make the root that was signed.

        Raises:
            CannotLook: A tile is not to be had.
            Wrong: They make another root; or a tile of the mirror is not the one that does.
        """
        for _ in range(_TRIES):
            if self._edge_holds():
                if not self._is_mirror_used:
                    self._hold_mirror()
                return
            # The mirror may have been damaged, or an answer on its way.
            self._anew()
        raise Wrong(
            Found(
                TILE_WRONG,
                f"checkpoint of {self._size}",
                f"The tiles that the log serves do not make the root of its checkpoint of"
                f" {self._size}.",
                (seen_path(self._checkpoint),),
            )
        )

    def grew_from(self, older: Checkpoint) -> bool:
        """Say whether the tree begins with an older one, once it was held to its root."""
        for _ in range(_TRIES):
            try:
                path = self._tree.consistency(older.size)
            except MalformedInput:
                path = ()
            if is_consistent(older.size, older.root, self._size, self._root, path):
                return True
            self._anew()
            if not self._edge_holds():
                continue
        return False

    def run(self, since: int) -> int:
        """Fetch what a tree of ``since`` leaves did not have; return how many files were fetched.

        Raises:
            CannotLook: A file is not to be had.
            Wrong: A file is not the one that was signed.
        """
        tiles = sorted(tiles_of(self._size, since), key=lambda tile: -tile.level)
        fetched = 0
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                # A level is whole before the one below it is held to it.
                for _, level in groupby(tiles, key=lambda tile: tile.level):
                    for is_new in pool.map(self._bring, level):
                        fetched += is_new
                        self._tell(1)
            except BaseException:
                self._asker.give_up()
                pool.shutdown(cancel_futures=True)
                raise
        return fetched

    def _edge_holds(self) -> bool:
        try:
            return self._tree.root() == self._root
        except MalformedInput:
            return False

    def _anew(self) -> None:
        self._looked.clear()
        self._is_mirror_used = False
        self._tree = TileTree(self._size, self._look)

    def _hold_mirror(self) -> None:
        for tile, data in self._looked.items():
            there = self._mirror.read(tile.path) if tile.width == WIDTH else None
            if there is not None and there != data:
                raise self._changed(tile)

    def _bring(self, tile: Tile) -> bool:
        due = self._due(tile)
        there = self._mirror.read(tile.path)
        if there is not None:
            if _fits(tile, there, due):
                return False
            if tile.width == WIDTH:
                raise self._changed(tile)
        data = self._looked.get(tile, b"")
        for _ in range(_TRIES):
            if _fits(tile, data, due):
                break
            data = self._fetch(tile)
        if _fits(tile, data, due):
            self._mirror.write(tile.path, data)
            return True
        kept = f"{EVIDENCE}/{tile.path}"
        self._mirror.write(kept, data)
        raise Wrong(
            Found(
                TILE_WRONG,
                tile.path,
                f"The log serves {tile.path} with other bytes than its checkpoint of {self._size}"
                " signs.",
                (kept,),
            )
        )

    def _changed(self, tile: Tile) -> Wrong:
        return Wrong(
            Found(
                TILE_CHANGED,
                tile.path,
                f"The mirror has {tile.path} with other bytes than the checkpoint of {self._size}"
                " signs; it was left as it is.",
                (tile.path, seen_path(self._checkpoint)),
            )
        )

    def _due(self, tile: Tile) -> bytes:
        """Return the hashes that a tile or bundle has to make."""
        if tile.level == ENTRIES:
            return self._kept(Tile(0, tile.number, tile.width))
        if tile.width < WIDTH:
            return self._looked[tile]
        number, place = divmod(tile.number, WIDTH)
        above = Tile(tile.level + 1, number, width_at(tile.level + 1, number, self._size))
        return self._kept(above)[place * HASH_BYTES : (place + 1) * HASH_BYTES]

    def _kept(self, tile: Tile) -> bytes:
        data = self._mirror.read(tile.path)
        if data is None:
            raise CannotLook("not_there", f"{tile.path} vanished from the mirror.")
        return data

    def _look(self, tile: Tile) -> bytes:
        is_used = self._is_mirror_used and tile.width == WIDTH
        there = self._mirror.read(tile.path) if is_used else None
        if there is not None and len(there) == _MOST_TILE:
            return there
        data = self._fetch(tile)
        if len(data) != tile.width * HASH_BYTES:
            raise MalformedInput("bad_tile", f"{tile.path} has {len(data)} bytes.")
        self._looked[tile] = data
        return data

    def _fetch(self, tile: Tile) -> bytes:
        """Return the bytes that the log serves, cut off the full tile where there is no other."""
        most = _MOST_BUNDLE if tile.level == ENTRIES else _MOST_TILE
        data = self._asker.get(tile.path, most)
        if data is None and tile.width < WIDTH:
            full = self._asker.get(Tile(tile.level, tile.number).path, most)
            if full is not None:
                try:
                    return cut(tile, full)
                except MalformedInput:
                    return full
        if data is None:
            raise CannotLook(
                "not_there",
                f"{self._asker.prefix.text}{tile.path} is not there, under a checkpoint"
                f" of {self._size}.",
            )
        return data


def _fits(tile: Tile, data: bytes, due: bytes) -> bool:
    if tile.level == ENTRIES:
        try:
            return b"".join(map(leaf_hash, read_bundle(data, tile.width))) == due
        except MalformedInput:
            return False
    if tile.width < WIDTH:
        return data == due
    return len(data) == _MOST_TILE and tile_root(data) == due
