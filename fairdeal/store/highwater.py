"""How much was ever stored: one line in a file beside the keys, which outlives the database.

A database that was set back, emptied or exchanged knows nothing of the records that it lost;
whoever went on from it would sign their numbers a second time. The line tells how many records
there were, and in which database. It is written after the commit, so after a crash it may lie
behind the database, never before it.

On PostgreSQL, where several processes write and share the file, it tells the serial of the last
record that was committed instead: a serial is used once, in whatever order, and a write that was
refused may have used some up.
"""

import contextlib
import fcntl
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure

BEHIND: Final = "database_behind"
"""The code of a database that lacks what was stored before."""

NO_DATABASE: Final = "0" * 32
"""Stands in a mark while a recovery is under way: no database may be served then."""

_FORM: Final = "fairdeal-high-1 {:020d} {}\n"
_LINE: Final = re.compile(rb"fairdeal-high-1 ([0-9]{20}) ([0-9a-f]{32})\n")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a database holds, or held once.

    Attributes:
        records: How many records, of all games; or the serial of the last.
        database: Its random name, 32 hex digits, given when it was made.
        serial: Whether it is a serial. Known of a database, not of a line in the file.
    """

    records: int
    database: str
    serial: bool = field(default=False, compare=False)


class HighWater:
    """The file of the mark.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Mark | None:
        """Return the mark, or None where there is none yet.

        Raises:
            StorageFailure: `database_behind`: the file holds no mark.
        """
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return None
        found = _LINE.fullmatch(text)
        if found is None:
            raise StorageFailure(
                BEHIND,
                f"The file {self._path} holds no mark; run `fairdeal recover` (SECURITY.md).",
            )
        return Mark(int(found[1]), found[2].decode())

    def put(self, mark: Mark) -> None:
        """Replace the mark by any other: whole, and durable on return."""
        with self._alone() as folder:
            self._put(mark, folder)

    def raise_to(self, mark: Mark) -> None:
        """Write a higher mark over the one that is there; durable on return.

        The line keeps its length and lies within one sector, so no power cut leaves half of it.
        Another process may have written one that is higher still; then that one stands.

        Raises:
            StorageFailure: `database_behind`: meanwhile another database was marked.
        """
        with self._alone() as folder:
            found = self.read()
            if found is None:
                self._put(mark, folder)
                return
            if found.database != mark.database:
                raise StorageFailure(BEHIND, "Meanwhile another database was marked.")
            if found.records >= mark.records:
                return
            descriptor = os.open(self._path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.pwrite(descriptor, _FORM.format(mark.records, mark.database).encode(), 0)
                os.fdatasync(descriptor)
            finally:
                os.close(descriptor)

    def admit(self, look: Callable[[], Mark | None]) -> Mark | None:
        """Let a database be served, mark how far it reaches, and return that.

        Args:
            look: Tells what it holds; None where there is no database. Called once the mark is
                read: what other processes mark meanwhile may not be in what it tells.

        Raises:
            StorageFailure: `database_behind`: it lacks what was stored before.
        """
        mark = self.read()
        standing = look()
        if (said := shortfall(mark, standing)) is not None:
            raise StorageFailure(
                BEHIND, f"{said} Nothing is served until `fairdeal recover` is run."
            )
        if standing is not None and mark != standing:
            self.raise_to(standing)
        return standing

    @contextlib.contextmanager
    def _alone(self) -> Iterator[int]:
        """Keep other processes from the file meanwhile; give its folder's descriptor."""
        folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield folder
        finally:
            os.close(folder)

    def _put(self, mark: Mark, folder: int) -> None:
        draft = self._path.with_name(self._path.name + ".new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(draft, flags, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_FORM.format(mark.records, mark.database).encode())
            file.flush()
            os.fsync(descriptor)
        draft.replace(self._path)
        os.fsync(folder)


def shortfall(mark: Mark | None, standing: Mark | None) -> str | None:
    """Say in one sentence what a database lacks of what was marked, or None where it is whole.

    Args:
        mark: What was stored before; None where nobody marked it.
        standing: What the database holds; None where there is none.
    """
    if mark is None:
        return None
    if standing is None:
        return f"The database is missing, and {mark.records} records with it."
    if mark.database == NO_DATABASE:
        return "The mark is damaged, or a recovery was begun and not finished."
    upto = "records up to number " if standing.serial else ""
    records = "" if standing.serial else " records"
    if mark.database != standing.database:
        return (
            f"The database holds {upto}{standing.records}{records} and is not the one in which"
            f" {upto}{mark.records}{records} were stored."
        )
    if standing.records < mark.records:
        return (
            f"The database holds {upto}{standing.records} of {mark.records}{records}:"
            f" {'up to ' if standing.serial else ''}{mark.records - standing.records} are missing."
        )
    return None
