"""Where the files of a log are read from: a folder with the paths of its prefix."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

MOST_BYTES: Final = 64 * 2**20
"""Of a file that is read whole; bundles of a day are read in pieces. A bundle of entries has at
most 256 times 65,537 bytes."""


class Mirror(Protocol):
    """A copy of a log. It is sent to other processes, so it can be pickled."""

    def read(self, path: str) -> bytes | None:
        """Return a file; None where there is none, or where it is too large to be one of a log."""

    def open(self, path: str) -> BinaryIO | None:
        """Return a file to read from; None where there is none."""

    def names(self, folder: str) -> Iterator[str]:
        """Yield the names of the files in a folder, in no order."""


@dataclass(frozen=True, slots=True)
class FolderMirror:
    """A mirror in a folder."""

    folder: Path

    def read(self, path: str) -> bytes | None:
        """Return a file; None where there is none, or where it is too large."""
        file = self.open(path)
        if file is None:
            return None
        with file:
            data = file.read(MOST_BYTES + 1)
        return data if len(data) <= MOST_BYTES else None

    def open(self, path: str) -> BinaryIO | None:
        """Return a file to read from; None where there is none."""
        try:
            return (self.folder / path).open("rb")
        except OSError:
            return None

    def names(self, folder: str) -> Iterator[str]:
        """Yield the names of the files in a folder, in no order."""
        place = self.folder / folder
        if place.is_dir():
            yield from (one.name for one in place.iterdir() if one.is_file())
