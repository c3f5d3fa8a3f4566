"""Where a service keeps its records: a file in its folder, or a PostgreSQL server.

The address of a server may hold a password; nothing here quotes it.
"""

import importlib.util
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.store.highwater import HighWater
from fairdeal.store.logport import LogBook
from fairdeal.store.opening import open_logbook, open_store
from fairdeal.store.ports import Store

FILE: Final = "games.db"
HIGH: Final = "games.high"

_SCHEMES: Final = ("postgresql", "postgres", "postgresql+psycopg")


@dataclass(frozen=True, slots=True)
class Database:
    """A database by its address.

    Attributes:
        url: `postgresql://USER@HOST:PORT/NAME`; empty for the file in the folder.
    """

    url: str = field(default="", repr=False)

    @property
    def is_shared(self) -> bool:
        """Whether several processes, on several machines, may use it at once."""
        return bool(self.url)

    @property
    def has_password(self) -> bool:
        """Whether the address itself tells a password."""
        rest = self.url.partition("://")[2]
        return ":" in rest.rpartition("@")[0] or "password=" in rest.partition("?")[2]

    def where(self, folder: Path) -> Path | str:
        """Return the file's path or the server's address, as the store takes it."""
        return self.url or folder / FILE

    def open(self, folder: Path, *, marked: bool = True) -> Store:
        """Open the database, making it where it is not there.

        Args:
            folder: That of the service.
            marked: Whether to mark beside the keys how far it reaches, and to refuse one that does
                not reach as far as was marked.

        Raises:
            StorageFailure: It cannot be opened; `database_behind`.
        """
        if self.is_shared and importlib.util.find_spec("psycopg") is None:
            raise StorageFailure(
                "no_driver",
                "PostgreSQL needs psycopg: pip install 'psycopg[binary]>=3.2.10,<4' into the"
                " environment of the service.",
            )
        return open_store(self.where(folder), HighWater(folder / HIGH) if marked else None)

    def open_log_book(self, folder: Path) -> LogBook:
        """Open the log's side of the database.

        Args:
            folder: That of the service.

        Raises:
            StorageFailure: As `open`.
        """
        return open_logbook(self.where(folder))

    def open_to_read(self, folder: Path) -> Store:
        """Open the database beside those who write to it; its bell rings for what they write.

        Raises:
            StorageFailure: It is not there, or of another version than this program.
        """
        return open_store(self.where(folder), reads_only=True)


def load_drivers() -> None:
    """Import what speaks to databases; a process does so by itself once it opens one."""
    importlib.import_module("fairdeal.store.sql")


def read_database(text: str) -> Database:
    """Return the database with this address; empty for the file in the folder.

    Raises:
        StorageFailure: `bad_database`: it is the address of nothing that can be used here.
    """
    scheme, mark, rest = text.partition("://")
    # More than one @: part of an unescaped password would be taken for the host, and quoted.
    if text and (scheme not in _SCHEMES or not mark or not rest or rest.count("@") > 1):
        raise StorageFailure(
            "bad_database",
            "The address of the database must be postgresql://USER@HOST:PORT/NAME with %40 for an @"
            " in it, or empty for a file in the folder.",
        )
    return Database(f"postgresql+psycopg://{rest}" if text else "")
