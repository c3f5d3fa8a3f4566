"""What an auditor keeps of a log: facts by space and key in one file, in one transaction.

Knows no rule and no log. Memory stays the same however many facts there are; what is not saved
is as if it had never been written, so an audit that is stopped leaves the book as it was.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_FORM: Final = 0x66644C31  # application_id: "fdL1"
_CACHE_KIB: Final = 16_384
_PAGE: Final = 512  # facts read at a time


class AuditBook:
    """A book, open for one audit.

    Args:
        place: Its file, made where it is not there; None for one that nobody keeps.

    Raises:
        OSError: The file is no such book, is in use, or cannot be read or written.
    """

    def __init__(self, place: Path | None) -> None:
        if place is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
        # An empty name is a file of SQLite's own that goes away by itself.
        self._facts = sqlite3.connect(place or "", isolation_level=None, timeout=1)
        try:
            self._begin()
        except sqlite3.Error as error:
            self._facts.close()
            raise OSError(f"{place} cannot be used as the state of an audit: {error}") from None
        except OSError:
            self._facts.close()
            raise

    def _begin(self) -> None:
        ask = self._facts.execute
        ask(f"PRAGMA cache_size = -{_CACHE_KIB}")
        (form,) = ask("PRAGMA application_id").fetchone()
        (tables,) = ask("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and form != _FORM:
            raise FileExistsError("this is the file of something else; it was left as it is")
        ask("BEGIN IMMEDIATE")
        ask(f"PRAGMA application_id = {_FORM}")
        ask(
            "CREATE TABLE IF NOT EXISTS facts (space TEXT, key TEXT, value BLOB NOT NULL,"
            " PRIMARY KEY (space, key)) WITHOUT ROWID"
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, at: TracebackType | None
    ) -> None:
        """Forget what was not saved."""
        self._facts.close()

    def get(self, space: str, key: str) -> bytes | None:
        """Return a fact, or None."""
        found = self._facts.execute(
            "SELECT value FROM facts WHERE space = ? AND key = ?", (space, key)
        ).fetchone()
        return None if found is None else bytes(found[0])

    def put(self, space: str, key: str, value: bytes) -> None:
        """Write a fact, in the place of one of the same key."""
        self._facts.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", (space, key, value))

    def drop(self, space: str, key: str) -> None:
        """Forget a fact, if it is there."""
        self._facts.execute("DELETE FROM facts WHERE space = ? AND key = ?", (space, key))

    def each(self, space: str) -> Iterator[tuple[str, bytes]]:
        """Yield the facts of a space by key; others may be written meanwhile."""
        after = ""
        while True:
            page = self._facts.execute(
                "SELECT key, value FROM facts WHERE space = ? AND key > ? ORDER BY key LIMIT ?",
                (space, after, _PAGE),
            ).fetchall()
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1][0]

    def save(self) -> None:
        """Keep what was written, durably.

        Raises:
            OSError: It cannot be written.
        """
        try:
            self._facts.execute("COMMIT")
            self._facts.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            raise OSError(f"the state cannot be saved: {error}") from None
