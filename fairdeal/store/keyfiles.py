"""Keys in files: lines that begin with an unmistakable word, for their owner's eyes alone.

Such a file has mode 0600 and is refused otherwise. It is written whole or not at all: under
another name first, so that a killed process leaves no half of a key behind.
"""

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure

MOST_BYTES: Final = 4096
"""More than any key file has."""


def read_key_lines(path: Path, prefix: str) -> tuple[str, ...]:
    """Return what follows the prefix in each line of a key file; at least one line.

    Args:
        path: The file.
        prefix: What each line has to begin with.

    Raises:
        StorageFailure: `key_file`: it is not there, others may read it, or it is not such a file.
            The message names the file and quotes nothing of it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise StorageFailure("key_file", f"The key file {path} cannot be opened.") from error
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor)
        if not stat.S_ISREG(mode.st_mode) or stat.S_IMODE(mode.st_mode) & 0o077:
            raise StorageFailure(
                "key_file", f"The key file {path} must be readable by its owner alone (chmod 600)."
            )
        text = file.read(MOST_BYTES + 1)
    lines = text.split(b"\n")
    whole = len(text) <= MOST_BYTES and text.isascii() and len(lines) > 1 and lines.pop() == b""
    if not (whole and all(line.startswith(prefix.encode()) for line in lines)):
        raise StorageFailure("key_file", f"The file {path} is not a key file of this kind.")
    return tuple(line[len(prefix) :].decode("ascii") for line in lines)


def read_key_file(path: Path, prefix: str) -> str:
    """Return what follows the prefix in a key file of one line (raises as `read_key_lines`)."""
    lines = read_key_lines(path, prefix)
    if len(lines) != 1:
        raise StorageFailure("key_file", f"The file {path} is not a key file of this kind.")
    return lines[0]


def write_key_file(path: Path, line: str) -> None:
    """Make a key file of one line; durable on return.

    Raises:
        FileExistsError: There is one already; it is left as it is.
    """
    if path.is_symlink() or path.exists():
        raise FileExistsError(errno.EEXIST, "there is a key file already", str(path))
    replace_key_file(path, (line,))


def replace_key_file(path: Path, lines: Sequence[str]) -> None:
    """Put a key file in the place of the one that is there, if any; durable on return."""
    draft = path.with_name(path.name + ".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(draft, flags, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)
        file.write("".join(f"{line}\n" for line in lines).encode("ascii"))
        file.flush()
        os.fsync(descriptor)
    draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
