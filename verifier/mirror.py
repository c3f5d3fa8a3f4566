"""A log as a folder of tiles: its entries as one stream of lines (C2SP tlog-tiles)."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, cast

from verifier.held import HeldFault

WIDTH: Final = 256  # entries of a full bundle
_LENGTH: Final = 2  # bytes before each entry, big-endian
_MAX_BUNDLE: Final = WIDTH * (_LENGTH + 65_535)
CHECKPOINT: Final = "checkpoint"
_PARTS: Final = frozenset(map(str, range(1, WIDTH)))


class MirrorFault(HeldFault):
    """A bundle cannot be cut into as many entries as its name says."""


class _Lines(io.RawIOBase):
    """The entries of a folder one after another; it can only be read on or begun again."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._begin()

    def _begin(self) -> None:
        self._bundles = _bundles(self._folder)
        self._left = memoryview(b"")
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if (offset, whence) != (0, io.SEEK_SET):
            raise io.UnsupportedOperation("a log is read from its beginning")
        self._begin()
        return 0

    def readinto(self, buffer: object, /) -> int:
        target = memoryview(cast("bytearray", buffer))
        while not self._left:
            bundle = next(self._bundles, None)
            if bundle is None:
                return 0
            self._left = memoryview(bundle)
        taken = min(len(target), len(self._left))
        target[:taken] = self._left[:taken]
        self._left = self._left[taken:]
        self._at += taken
        return taken


def open_mirror(folder: Path) -> BinaryIO:
    """Return the entries in a folder's ``tile/entries`` as a file of lines, read when wanted.

    Reading it raises MirrorFault or OSError. An entry that is no line, or more than one, shows as
    another root than the checkpoint's.
    """
    return cast("BinaryIO", io.BufferedReader(_Lines(folder)))


def _bundles(folder: Path) -> Iterator[bytes]:
    number = 0
    while True:
        path = folder / _name(number)
        if path.is_file():
            yield _entries(path, WIDTH)
            number += 1
            continue
        parts = path.with_name(f"{path.name}.p")
        widths = [int(name) for name in _names(parts) if name in _PARTS]
        if widths:
            yield _entries(parts / str(max(widths)), max(widths))
        return


def _name(number: int) -> str:
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03d}")
    return "/".join(("tile", "entries", *groups))


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _entries(path: Path, width: int) -> bytes:
    """Return a bundle's entries, one after another."""
    with path.open("rb") as file:
        data = file.read(_MAX_BUNDLE + 1)
    place = 0
    entries: list[bytes] = []
    while place + _LENGTH <= len(data) and len(entries) <= width:
        end = place + _LENGTH + int.from_bytes(data[place : place + _LENGTH], "big")
        entries.append(data[place + _LENGTH : end])
        place = end
    if place != len(data) or len(entries) != width:
        raise MirrorFault(f"{path}: no bundle of {width} entries")
    return b"".join(entries)
