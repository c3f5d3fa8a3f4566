"""Finds the leaf of a game's record in a mirror, by reading its entry bundles."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fairdeal.cli.mirror.fetching import CHECKPOINT
from fairdeal.cli.mirror.folder import MirrorFolder
from fairdeal.errors import MalformedInput, NotFound
from fairdeal.records.canonical import decode_canonical
from fairdeal.records.noteform import parse_note
from fairdeal.tlog.checkpoint import Checkpoint, parse_body
from fairdeal.tlog.prooffile import ProofFile
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import ENTRIES, MAX_ENTRY, WIDTH, Tile, read_bundle, width_at


@dataclass(frozen=True, slots=True)
class Leaf:
    """A record in a log.

    Attributes:
        index: Its place.
        entry: Its line, LF included.
        type: As in its record.
    """

    index: int
    entry: bytes
    type: str


class MirroredLog:
    """Reads a mirror that is whole up to its checkpoint.

    Args:
        folder: Of the mirror.

    Attributes:
        note: The newest checkpoint.
        checkpoint: What it says; not verified here.

    Raises:
        NotFound: `no_mirror`: the folder has no checkpoint.
        MalformedInput: It is none.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = MirrorFolder(folder) if folder.is_dir() else None
        note = None if self._folder is None else self._folder.read(CHECKPOINT)
        if note is None:
            raise NotFound("no_mirror", f"{folder} is no mirror of a log: it has no checkpoint.")
        self.note: str = note.decode("utf-8", "replace")
        self.checkpoint: Checkpoint = parse_body(parse_note(self.note).text)

    def find(self, game: str, n: int) -> Leaf:
        """Return the leaf of a record.

        Raises:
            NotFound: `no_such_game`; `not_a_leaf`: it is an act, which a later record covers;
                `not_public_yet`.
        """
        wanted = b'"game":"%s","n":' % game.encode()
        newest = -1
        for index, entry in self._entries():
            if wanted not in entry:
                continue
            found = _record(entry)
            if found is None or found[0] != game:
                continue
            if found[1] == n:
                return Leaf(index, entry, found[2])
            if found[1] > n:
                raise NotFound(
                    "not_a_leaf",
                    f"Record {n} of {game} is an act, which is no leaf of the log. Record"
                    f" {found[1]} ({found[2]}) covers it: prove that one.",
                )
            newest = found[1]
        size = self.checkpoint.size
        if newest < 0:
            raise NotFound("no_such_game", f"None of the {size} leaves is of the game {game}.")
        raise NotFound(
            "not_public_yet",
            f"Of {game} the log has records up to {newest}, at {size} leaves; not yet {n}.",
        )

    def prove(self, leaf: Leaf) -> ProofFile:
        """Return the proof of a leaf under the mirror's checkpoint."""
        path = TileTree(self.checkpoint.size, self._tile).inclusion(leaf.index)
        return ProofFile(index=leaf.index, path=path, note=self.note)

    def _entries(self) -> Iterator[tuple[int, bytes]]:
        size = self.checkpoint.size
        for number in range(-(-size // WIDTH)):
            tile = Tile(ENTRIES, number, width_at(ENTRIES, number, size))
            yield from enumerate(read_bundle(self._tile(tile), tile.width), tile.first)

    def _tile(self, tile: Tile) -> bytes:
        data = None if self._folder is None else self._folder.read(tile.path)
        if data is None:
            raise NotFound("tile_missing", f"{tile.path} is not in the mirror; fetch it again.")
        return data


def _record(entry: bytes) -> tuple[str, int, str] | None:
    try:
        said = decode_canonical(entry[:-1], max_bytes=MAX_ENTRY)
    except MalformedInput:
        return None
    if not isinstance(said, dict):
        return None
    game, n, kind = said.get("game"), said.get("n"), said.get("type")
    if isinstance(game, str) and isinstance(n, int) and isinstance(kind, str):
        return game, n, kind
    return None
