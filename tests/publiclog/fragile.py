"""A disk in memory that can lose power between any two of its calls, or fail at any of them."""

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Survivors = Literal["synced", "all", "names", "some"]
"""What is there after a cut, beyond what was synced: nothing; everything, as after a kill; names
without their bytes; a part of it, by chance."""


class Cut(BaseException):
    """The power is gone: nobody catches this."""


@dataclass
class Inode:
    """A file's bytes as seen, and as they are on the platter."""

    seen: bytes = b""
    kept: bytes = b""


@dataclass
class Directory:
    """The names in a folder as seen, and as they are on the platter."""

    seen: dict[str, Inode] = field(default_factory=dict)
    kept: dict[str, Inode] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    kept_folders: set[str] = field(default_factory=set)


class FragileDisk:
    """Implements `fairdeal.store.disk.Disk`; every change of state is one step.

    ``before`` is called with the number of each step, from 1, and what it is: it may raise `Cut`
    or `OSError`.
    """

    def __init__(self) -> None:
        self.folders: dict[str, Directory] = {"": Directory()}
        self.steps = 0
        self.before: Callable[[int, str], None] = lambda _number, _what: None

    def step(self, what: str) -> None:
        self.steps += 1
        self.before(self.steps, what)

    def cut(self, survivors: Survivors, chance: random.Random) -> "FragileDisk":
        """Return the disk as it is found after a power cut."""
        after = FragileDisk()

        def stays() -> bool:
            return survivors in ("all", "names") or (survivors == "some" and chance.random() < 0.5)

        def bytes_of(inode: Inode) -> bytes:
            match survivors:
                case "all":
                    return inode.seen
                case "some" if inode.seen != inode.kept:
                    return inode.seen[: chance.randrange(len(inode.seen) + 1)]
                case _:
                    return inode.kept

        def restore(path: str) -> None:
            was = self.folders[path]
            there = after.folders.setdefault(path, Directory())
            for name in sorted({*was.seen, *was.kept}):
                inode = (was.seen if stays() else was.kept).get(name)
                if inode is not None:
                    data = bytes_of(inode)
                    there.seen[name] = there.kept[name] = Inode(data, data)
            for name in sorted(was.folders):
                if name in was.kept_folders or stays():
                    there.folders.add(name)
                    there.kept_folders.add(name)
                    restore(f"{path}/{name}".lstrip("/"))

        restore("")
        return after

    def read(self, path: str) -> bytes | None:
        inode = self._find(path)
        return None if inode is None else inode.seen

    def part(self, path: str, begin: int, most: int) -> bytes:
        data = self.read(path)
        if data is None:
            raise FileNotFoundError(2, "no such file", path)
        return data[begin : begin + most]

    def size(self, path: str) -> int | None:
        data = self.read(path)
        return None if data is None else len(data)

    def put(self, path: str, data: bytes) -> None:
        folder, name = self._place(path)
        self.step(f"create {path}")
        if name in folder.seen:
            raise FileExistsError(17, "there is one", path)
        inode = folder.seen[name] = Inode()
        self.step(f"write {path}")
        inode.seen = data
        self.step(f"sync {path}")
        inode.kept = data

    def append(self, path: str, data: bytes) -> None:
        folder, name = self._place(path)
        self.step(f"open {path}")
        inode = folder.seen.setdefault(name, Inode())
        self.step(f"append {path}")
        inode.seen += data
        self.step(f"sync {path}")
        inode.kept = inode.seen

    def truncate(self, path: str, size: int) -> None:
        folder, name = self._place(path)
        self.step(f"truncate {path}")
        folder.seen[name].seen = folder.seen[name].seen[:size]
        self.step(f"sync {path}")
        folder.seen[name].kept = folder.seen[name].seen

    def rename(self, old: str, new: str) -> None:
        (source, was), (target, name) = self._place(old), self._place(new)
        self.step(f"rename {new}")
        target.seen[name] = source.seen.pop(was)

    def remove(self, path: str) -> None:
        folder, name = self._place(path)
        self.step(f"remove {path}")
        folder.seen.pop(name, None)

    def make_folder(self, path: str) -> None:
        above, name = self._place(path)
        if name not in above.folders:
            self.step(f"mkdir {path}")
            above.folders.add(name)
            self.folders[path] = Directory()

    def folder(self, path: str) -> "OpenFolder":
        return OpenFolder(self, path, self.folders[path])

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        yield

    def _find(self, path: str) -> Inode | None:
        parent, _, name = path.rpartition("/")
        folder = self.folders.get(parent)
        return None if folder is None else folder.seen.get(name)

    def _place(self, path: str) -> tuple[Directory, str]:
        parent, _, name = path.rpartition("/")
        if parent not in self.folders:
            raise FileNotFoundError(2, "no such folder", parent)
        return self.folders[parent], name


class OpenFolder:
    """A folder, opened."""

    def __init__(self, disk: FragileDisk, path: str, folder: Directory) -> None:
        self._disk, self._path, self._folder = disk, path, folder

    def sync(self) -> None:
        self._disk.step(f"sync folder {self._path}")
        self._folder.kept = dict(self._folder.seen)
        self._folder.kept_folders = set(self._folder.folders)

    def close(self) -> None:
        pass
