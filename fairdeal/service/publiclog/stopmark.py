"""A log that may not sign any more says so on its disk, until a person takes that away."""

import os
from pathlib import Path
from typing import Final

NAME: Final = "stopped"
_MOST_CHARACTERS: Final = 1000


class StopMark:
    """The file ``stopped`` of a log's folder: one line, why nothing is signed.

    Args:
        folder: Where the log's key is.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    @property
    def path(self) -> Path:
        """What a person removes once the reason is gone."""
        return self._path

    def reason(self) -> str | None:
        """Return why the log may not sign; None if it may."""
        try:
            with self._path.open("rb") as file:
                text = file.read(_MOST_CHARACTERS).decode(errors="replace").strip()
        except FileNotFoundError:
            return None
        return text or "the file says no reason"

    def set(self, reason: str) -> None:
        """Keep a reason, durable on return; the first one stays."""
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            return
        with os.fdopen(descriptor, "wb") as file:
            file.write(f"{reason[: _MOST_CHARACTERS - 1]}\n".encode())
            file.flush()
            os.fsync(descriptor)
        folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
