"""The few calls to a file system that durability rests on, so that a test can stand in for one."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

_FRESH: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Folder(Protocol):
    """A folder that was opened before something in it was renamed or made."""

    def sync(self) -> None:
        """Make durable which names it has."""

    def close(self) -> None:
        """Let go of it."""


class Disk(Protocol):
    """Files below one root by relative paths; every method raises `OSError` as the system does."""

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where there is none."""

    def part(self, path: str, begin: int, most: int) -> bytes:
        """Return at most so many bytes of a file, from a place on; fewer only at its end."""

    def size(self, path: str) -> int | None:
        """Return how many bytes a file has, or None where there is none."""

    def put(self, path: str, data: bytes) -> None:
        """Make a new file; its bytes are durable on return, its name is not."""

    def append(self, path: str, data: bytes) -> None:
        """Add to a file, or make it; its bytes are durable on return, a new name is not."""

    def truncate(self, path: str, size: int) -> None:
        """Cut a file off; durable on return."""

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in the place of one that has it."""

    def remove(self, path: str) -> None:
        """Remove a file; nothing happens where it is not there."""

    def make_folder(self, path: str) -> None:
        """Make a folder where it is not there."""

    def folder(self, path: str) -> Folder:
        """Open a folder; the empty path is the root."""

    def alone(self) -> contextlib.AbstractContextManager[None]:
        """Keep others from what they also do in here, on this machine."""


class _RealFolder:
    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, _FOLDER)

    def sync(self) -> None:
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


class RealDisk:
    """A folder of this machine.

    Args:
        root: Made where it is not there, its name durable.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        root.parent.mkdir(parents=True, exist_ok=True)
        above = _RealFolder(root.parent)
        try:
            root.mkdir(exist_ok=True)
            above.sync()
        finally:
            above.close()

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where there is none."""
        try:
            return (self._root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def part(self, path: str, begin: int, most: int) -> bytes:
        """Return at most so many bytes of a file, from a place on; fewer only at its end."""
        with (self._root / path).open("rb") as file:
            file.seek(begin)
            return file.read(most)

    def size(self, path: str) -> int | None:
        """Return how many bytes a file has, or None where there is none."""
        try:
            return (self._root / path).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None

    def put(self, path: str, data: bytes) -> None:
        """Make a new file; its bytes are durable on return, its name is not."""
        self._write(path, _FRESH, data)

    def append(self, path: str, data: bytes) -> None:
        """Add to a file, or make it; its bytes are durable on return, a new name is not."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        self._write(path, flags, data)

    def truncate(self, path: str, size: int) -> None:
        """Cut a file off; durable on return."""
        descriptor = os.open(self._root / path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in the place of one that has it."""
        (self._root / old).rename(self._root / new)

    def remove(self, path: str) -> None:
        """Remove a file; nothing happens where it is not there."""
        (self._root / path).unlink(missing_ok=True)

    def make_folder(self, path: str) -> None:
        """Make a folder where it is not there."""
        (self._root / path).mkdir(exist_ok=True)

    def folder(self, path: str) -> Folder:
        """Open a folder; the empty path is the root."""
        return _RealFolder(self._root / path)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep others from what they also do in here, on this machine."""
        descriptor = os.open(self._root, _FOLDER)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _write(self, path: str, flags: int, data: bytes) -> None:
        descriptor = os.open(self._root / path, flags, 0o644)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
