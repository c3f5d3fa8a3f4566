"""What everybody may fetch of the log: the files of its public folder, by canonical paths alone.

No key, no database: whoever has a copy of the folder can serve it. What is told of a path is what
C2SP tlog-tiles says, and the table of log.md 1.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Final

from fairdeal.errors import FairdealError, MalformedInput, NotFound, StorageFailure
from fairdeal.records.noteform import parse_note
from fairdeal.store.ports import Store
from fairdeal.tlog.checkpoint import parse_body
from fairdeal.tlog.prooffile import ProofFile
from fairdeal.tlog.proving import TileTree
from fairdeal.tlog.tiles import ENTRIES, WIDTH, Tile, cut, parse_path, width_at

TEXT: Final = "text/plain; charset=utf-8"
BYTES: Final = "application/octet-stream"
JSON: Final = "application/json"
GZIP: Final = "application/gzip"

NEWEST: Final = "no-cache, max-age=1"
LASTING: Final = "public, max-age=604800, immutable"
"""Seven days, as long as an old checkpoint's tiles are asked for."""
ASKED_AGAIN: Final = "no-cache"
A_WHILE: Final = "max-age=300"

INDEX: Final = "bundles/index.json"

_NUMBERED: Final = re.compile(r"(checkpoints|proof)/(0|[1-9][0-9]{0,18})")
_DAY: Final = re.compile(r"bundles/([0-9]{4}-[0-9]{2}-[0-9]{2})\.jsonl\.gz")
_HELD_BUNDLES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What lies at a path.

    Attributes:
        type: Its media type.
        caching: Its `Cache-Control`.
        body: Its bytes; empty where `file` is given.
        file: Where the bytes are, of what may be large.
        length: So many bytes from the beginning of `file` are public.
        tag: Its ETag, without quotation marks; empty for none.
        is_entries: Whether it is an entry bundle, which may be sent compressed.
    """

    type: str
    caching: str
    body: bytes = b""
    file: Path | None = None
    length: int = 0
    tag: str = ""
    is_entries: bool = False

    def compressed(self) -> bytes:
        """Return the body as gzip; the same bytes each time."""
        return _compressed(self.body)


class PublicFolder:
    """Reads the public folder of a log, which another process may be writing.

    Args:
        folder: Holds ``checkpoint``; where it is absent, so is all.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fixed: dict[str, Callable[[], Served | None]] = {
            "checkpoint": self._newest,
            "policy": lambda: self._plain("policy", TEXT, A_WHILE),
            "log.json": lambda: self._plain("log.json", JSON, A_WHILE),
            INDEX: lambda: self._plain(INDEX, JSON, ASKED_AGAIN),
        }

    def find(self, path: str) -> Served | None:
        """Return what lies at a path below the log's prefix, or None.

        Args:
            path: Without a slash at its beginning. There is one for each thing; any other spelling
                of it finds nothing.

        Raises:
            StorageFailure: `log_unreadable`: a file that should be there is not as it must be.
        """
        if (fixed := self._fixed.get(path)) is not None:
            return fixed()
        if path.startswith("tile/"):
            tile = parse_path(path)
            return None if tile is None else self._tile(tile)
        if (match := _NUMBERED.fullmatch(path)) is not None:
            number = int(match[2])
            return self._proof(number) if match[1] == "proof" else self._earlier(number)
        if (match := _DAY.fullmatch(path)) is not None:
            return self._day(path, match[1])
        return None

    def prove(self, index: int) -> str | None:
        """Return the ``.tlog-proof`` of an entry under the newest public checkpoint.

        Args:
            index: The entry's place, from 0.

        Returns:
            The file; None where the entry is not public yet.

        Raises:
            StorageFailure: `log_unreadable`.
        """
        note = self._read("checkpoint")
        size = 0 if note is None else _size(note)
        if note is None or not 0 <= index < size:
            return None
        path = TileTree(size, self._bytes_of).inclusion(index)
        return ProofFile(index=index, path=path, note=note.decode()).text

    def _newest(self) -> Served | None:
        note = self._read("checkpoint")
        if note is None:
            return None
        _size(note)  # Raises where it is none.
        return Served(type=TEXT, caching=NEWEST, body=note, tag=sha256(note).hexdigest()[:32])

    def _earlier(self, size: int) -> Served | None:
        if size > self._published():
            return None
        return self._plain(f"checkpoints/{size}", TEXT, LASTING)

    def _proof(self, index: int) -> Served | None:
        text = self.prove(index)
        if text is None:
            return None
        return Served(type=TEXT, caching=ASKED_AGAIN, body=text.encode())

    def _tile(self, tile: Tile) -> Served | None:
        if tile.width > width_at(tile.level, tile.number, self._published()):
            return None
        body = self._bytes_of(tile)
        return Served(type=BYTES, caching=LASTING, body=body, is_entries=tile.level == ENTRIES)

    def _day(self, path: str, day: str) -> Served | None:
        told = self._read(INDEX)
        if told is None:
            return None
        try:
            (listed,) = [one for one in json.loads(told)["days"] if one["day"] == day] or [None]
            length, tag = (listed["bytes"], listed["sha256"]) if listed else (-1, "")
        except (ValueError, TypeError, KeyError) as fault:
            raise _unreadable(INDEX) from fault
        if listed is None:
            return None
        # What follows the bytes that the index tells may not be on the disk for good yet.
        file = self._folder / path
        return Served(type=GZIP, caching=ASKED_AGAIN, file=file, length=length, tag=tag[:32])

    def _plain(self, path: str, kind: str, caching: str) -> Served | None:
        body = self._read(path)
        return None if body is None else Served(type=kind, caching=caching, body=body)

    def _published(self) -> int:
        note = self._read("checkpoint")
        return 0 if note is None else _size(note)

    def _bytes_of(self, tile: Tile) -> bytes:
        """Return the bytes of a tile that is public, cut off a wider one where need be."""
        for path in self._wider(tile):
            data = self._read(path)
            if data is not None:
                try:
                    return cut(tile, data)
                except MalformedInput as fault:
                    raise _unreadable(path) from fault
        raise _unreadable(tile.path)

    def _wider(self, tile: Tile) -> list[str]:
        """Return the paths at which a tile's bytes may be found, the likeliest first."""
        full = Tile(tile.level, tile.number)
        if tile == full:
            return [full.path]
        partial = self._folder / f"{full.path}.p"
        try:
            widths = {int(one.name) for one in partial.iterdir() if one.name.isdecimal()}
        except FileNotFoundError:
            widths = set()
        wider = sorted(width for width in widths if tile.width < width < WIDTH)
        others = [Tile(tile.level, tile.number, width).path for width in wider]
        return [tile.path, full.path, *others]

    def _read(self, path: str) -> bytes | None:
        try:
            return (self._folder / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as fault:
            raise _unreadable(path) from fault


class Proofs:
    """Gives out proofs that records are in the log.

    Args:
        store: Knows the places of records.
        folder: The log's; None where this process serves none.

    Attributes:
        folder: As given.
    """

    def __init__(self, store: Store, folder: PublicFolder | None) -> None:
        self._store = store
        self.folder: Final = folder

    def of_record(self, game: str, n: int) -> str:
        """Return the ``.tlog-proof`` of a record; whoever asks, for the log is everybody's.

        Args:
            game: The game.
            n: The number of the record.

        Raises:
            NotFound: `not_public_yet`, also of an act, which never is a leaf; `no_such_game`.
            StorageFailure: `log_unreadable`.
        """
        if self._store.newest(game) is None:
            raise NotFound("no_such_game", "There is no such game here.")
        place = self._store.log_place(game, n)
        proof = None if place is None or self.folder is None else self.folder.prove(place)
        if proof is None:
            raise NotFound("not_public_yet", "This record is not in the public log, or not yet.")
        return proof


def path_of_origin(origin: str) -> str:
    """Return where the log of an origin lies below its host, with a slash at its beginning.

    Raises:
        StorageFailure: `bad_log_path`: the origin names a host alone, or no plain path.
    """
    _, slash, path = origin.partition("/")
    parts = path.split("/")
    if not slash or any(re.fullmatch(r"(?!\.+$)[A-Za-z0-9._~-]+", part) is None for part in parts):
        raise StorageFailure(
            "bad_log_path",
            f"The public log is served at the path of the service's name, and {origin!r} has none"
            " that can be served: name it like cards.example/log/1.",
        )
    return f"/{path}"


def _size(note: bytes) -> int:
    try:
        return parse_body(parse_note(note.decode()).text).size
    except (FairdealError, UnicodeDecodeError) as fault:
        raise _unreadable("checkpoint") from fault


@lru_cache(maxsize=_HELD_BUNDLES)
def _compressed(body: bytes) -> bytes:
    return compress(body, 6, mtime=0)


def _unreadable(path: str) -> StorageFailure:
    return StorageFailure("log_unreadable", f"The public log's {path} cannot be read.")
