"""A mirror on the disk: the paths of the log, and beside them every checkpoint ever seen.

A file has its whole bytes or is not there: each is written under another name and renamed. What a
kill leaves behind under such a name is in nobody's way.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from fairdeal.tlog.checkpoint import Checkpoint, Opened
from fairdeal.tlog.tiles import ENTRIES, WIDTH, Tile, width_at

SEEN: Final = "seen"
EVIDENCE: Final = "evidence"
_ROOT_DIGITS: Final = 16


class MirrorFolder:
    """Reads and writes one mirror.

    Args:
        root: Its folder; made where it is not there.
    """

    def __init__(self, root: Path) -> None:
        self.root: Final = root
        root.mkdir(parents=True, exist_ok=True)

    def read(self, path: str) -> bytes | None:
        """Return a file, or None where there is none."""
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, path: str, data: bytes) -> None:
        """Put a file in the place of the one that is there, if any."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.{os.getpid()}.new")
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            if not path.startswith("tile/"):
                # A checkpoint is what everything else is held to; tiles are held to it.
                os.fsync(file.fileno())
        draft.replace(target)

    def keep_seen(self, opened: Opened) -> str:
        """Keep a signed checkpoint for good, and return where; the first note of a tree stays."""
        path = seen_path(opened.checkpoint)
        if self.read(path) is None:
            self.write(path, opened.note.encode())
        return path

    def seen(self) -> Iterator[tuple[str, str]]:
        """Yield path and note of every checkpoint that was seen, by size."""
        folder = self.root / SEEN
        names = [one.name for one in folder.iterdir()] if folder.is_dir() else []
        for name in sorted(
            (one for one in names if one.partition("-")[0].isdecimal()),
            key=lambda name: (int(name.partition("-")[0]), name),
        ):
            path = f"{SEEN}/{name}"
            yield path, (self.read(path) or b"").decode("utf-8", "replace")

    def drop_partial(self, before: int, size: int) -> None:
        """Remove the partial tiles of a smaller tree that wider ones have taken the place of."""
        level = ENTRIES
        while level < 0 or before >> 8 * level:
            number, width = divmod(before >> 8 * max(0, level), WIDTH)
            if width and width_at(level, number, size) > width:
                target = self.root / Tile(level, number, width).path
                target.unlink(missing_ok=True)
                with suppress(OSError):
                    target.parent.rmdir()
            level += 1


def seen_path(checkpoint: Checkpoint) -> str:
    """Return where a checkpoint is kept: by its size and the beginning of its root."""
    return f"{SEEN}/{checkpoint.size}-{checkpoint.root.hex()[:_ROOT_DIGITS]}"
