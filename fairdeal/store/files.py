"""Files that are durable once they are written: the public folder of the log (log.md 5.3).

A file is written under another name in its folder, synced and renamed; then its folder is synced,
through a descriptor from before the renaming, for one that was opened later may not tell of an
error (tessera#749). An error ends it all: after a failed fsync the system may claim that the data
is there, so nothing is tried again by the process that met it.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final, Protocol

from fairdeal.errors import StorageFailure
from fairdeal.store.disk import Disk, Folder, RealDisk

_THREADS: Final = 8
_MOST_SETTLED: Final = 10_000


class Files(Protocol):
    """Files below a root by relative paths with slashes; every write is durable on return.

    A path may be read by others at any time: it has its old bytes or its new ones. Every method
    raises `StorageFailure`: `log_not_durable` where the disk fails, then also of every write that
    follows.
    """

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where there is none."""

    def part(self, path: str, begin: int, most: int) -> bytes:
        """Return at most so many bytes of a file, from a place on; fewer only at its end."""

    def size(self, path: str) -> int | None:
        """Return how many bytes a file has, or None where there is none."""

    def exists(self, path: str) -> bool:
        """Say whether there is a file."""

    def write(self, path: str, data: bytes) -> None:
        """Put a file in the place of the one that is there, if any."""

    def write_many(self, files: Mapping[str, bytes]) -> None:
        """Write files that never change, at one go; what is there already has to have these bytes.

        It is written anew all the same: whoever wrote it may not have got as far as to sync it.

        Raises:
            StorageFailure: `tile_differs`: a file is there with other bytes; nothing was written.
        """

    def append(self, path: str, data: bytes) -> None:
        """Add to the end of a file, or make it."""

    def truncate(self, path: str, size: int) -> None:
        """Cut a file off behind so many bytes."""

    def alone(self) -> contextlib.AbstractContextManager[None]:
        """Keep other processes of this machine out that ask for the same."""


class DurableFiles:
    """Writes through a few calls of a file system.

    Args:
        disk: Those calls.
        threads: So many files are synced at once.
    """

    def __init__(self, disk: Disk, threads: int = _THREADS) -> None:
        self._disk = disk
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._draft = f"{os.getpid()}-{os.urandom(4).hex()}.new"
        self._settled: set[str] = set()
        self._failed: OSError | None = None

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None where there is none."""
        with self._ended_by_failure(path, for_good=False):
            return self._disk.read(path)

    def part(self, path: str, begin: int, most: int) -> bytes:
        """Return at most so many bytes of a file, from a place on; fewer only at its end."""
        with self._ended_by_failure(path, for_good=False):
            return self._disk.part(path, begin, most)

    def size(self, path: str) -> int | None:
        """Return how many bytes a file has, or None where there is none."""
        with self._ended_by_failure(path, for_good=False):
            return self._disk.size(path)

    def exists(self, path: str) -> bool:
        """Say whether there is a file."""
        return self.size(path) is not None

    def write(self, path: str, data: bytes) -> None:
        """Put a file in the place of the one that is there, if any."""
        self._put({path: data})

    def write_many(self, files: Mapping[str, bytes]) -> None:
        """Write files that never change; those that are there have to have these bytes."""
        for path, data in files.items():
            there = self.read(path)
            if there is not None and there != data:
                raise StorageFailure(
                    "tile_differs", f"{path} is there with other bytes; it is left as it is."
                )
        self._put(files)

    def append(self, path: str, data: bytes) -> None:
        """Add to the end of a file, or make it."""
        with self._ended_by_failure(path):
            parent = _parent(path)
            self._settle(parent)
            with self._opened([parent]) as folders:
                self._disk.append(path, data)
                if path not in self._settled:
                    folders[parent].sync()
                    self._settled.add(path)

    def truncate(self, path: str, size: int) -> None:
        """Cut a file off behind so many bytes."""
        with self._ended_by_failure(path):
            self._disk.truncate(path, size)

    def alone(self) -> contextlib.AbstractContextManager[None]:
        """Keep other processes of this machine out that ask for the same."""
        return self._disk.alone()

    def _put(self, files: Mapping[str, bytes]) -> None:
        if not files:
            return
        with self._ended_by_failure(next(iter(files))):
            parents = sorted({_parent(path) for path in files})
            for parent in parents:
                self._settle(parent)
            drafts = {path: self._draft_of(path) for path in files}
            try:
                self._replace(files, drafts, parents)
            except OSError:
                self._clear(drafts.values())
                raise

    def _replace(
        self, files: Mapping[str, bytes], drafts: Mapping[str, str], parents: list[str]
    ) -> None:
        with self._opened(parents) as folders:
            self._put_drafts([(drafts[path], data) for path, data in files.items()])
            for path, draft in drafts.items():
                self._disk.rename(draft, path)
            for folder in folders.values():
                folder.sync()

    def _clear(self, drafts: Iterable[str]) -> None:
        """Give back what room drafts have taken, as far as the disk lets us."""
        for draft in drafts:
            with contextlib.suppress(OSError):
                self._disk.remove(draft)

    def _put_drafts(self, drafts: list[tuple[str, bytes]]) -> None:
        if self._pool is None or len(drafts) == 1:
            for path, data in drafts:
                self._disk.put(path, data)
            return
        begun = [self._pool.submit(self._disk.put, path, data) for path, data in drafts]
        wait(begun)  # all of them, so that none is at work once this is over
        for one in begun:
            one.result()

    def _settle(self, folder: str) -> None:
        """Make a folder and those above it, their names durable.

        One that is there may have been made by a process that ended before it could sync it, so
        each is synced once by this one.
        """
        if not folder or folder in self._settled:
            return
        above = _parent(folder)
        self._settle(above)
        with self._opened([above]) as opened:
            self._disk.make_folder(folder)
            opened[above].sync()
        if len(self._settled) >= _MOST_SETTLED:
            self._settled.clear()
        self._settled.add(folder)

    @contextlib.contextmanager
    def _opened(self, paths: list[str]) -> Iterator[dict[str, Folder]]:
        with contextlib.ExitStack() as stack:
            folders: dict[str, Folder] = {}
            for path in paths:
                folders[path] = self._disk.folder(path)
                stack.callback(folders[path].close)
            yield folders

    @contextlib.contextmanager
    def _ended_by_failure(self, path: str, *, for_good: bool = True) -> Iterator[None]:
        if for_good and self._failed is not None:
            raise _not_durable(path, self._failed) from self._failed
        try:
            yield
        except OSError as error:
            self._failed = error if for_good else self._failed
            raise _not_durable(path, error) from error

    def _draft_of(self, path: str) -> str:
        parent, name = _parent(path), path.rpartition("/")[2]
        draft = f".{name}.{self._draft}"
        return f"{parent}/{draft}" if parent else draft


class DiskFiles(DurableFiles):
    """Durable files in a folder of this machine.

    Args:
        root: Made where it is not there.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(RealDisk(root))


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _not_durable(path: str, error: OSError) -> StorageFailure:
    return StorageFailure(
        "log_not_durable", f"{path} could not be read or made durable: {error.strerror or error}."
    )
