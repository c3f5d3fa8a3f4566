"""The store, on SQLite and on PostgreSQL: one schema, one writing thread a process.

Reads run on other connections, each a single statement (`reading.py`); writes are queued for the
one thread (`writer.py`).
"""

import threading
from pathlib import Path
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from fairdeal.errors import StorageFailure
from fairdeal.store.bell import Bell
from fairdeal.store.engines import Where, connect, unavailable, writing_engine
from fairdeal.store.highwater import HighWater
from fairdeal.store.ports import Post, Write
from fairdeal.store.reading import Reads
from fairdeal.store.schema import bring_up
from fairdeal.store.writer import Writer

PATIENCE_S: Final = 30.0
"""So long a caller waits for the disk."""


class SqlStore(Reads):
    """Keeps everything in one database (contract: `ports.Store`).

    Args:
        where: A path: the SQLite file, beside which SQLite lays its `-wal` and `-shm`, made where
            it is not there. A text: the address of a PostgreSQL database, `postgresql://...`.
        high: Marks outside the database how far it reaches; None marks nothing.

    Raises:
        StorageFailure: The database cannot be opened or is not one of ours; `database_behind`: it
            lacks what was marked before.
    """

    def __init__(self, where: Where, high: HighWater | None = None) -> None:
        super().__init__(where)
        self._gate = threading.Lock()  # of _closed; never held over a statement
        self._bell = Bell()
        if high is not None and isinstance(where, Path) and not where.exists():
            high.admit(None)
        engine = writing_engine(where)
        connection = connect(engine)
        try:
            bring_up(connection)
            self._writer = Writer(engine, connection, high, self._commit, self._bell.ring)
        except BaseException as error:
            connection.invalidate()
            connection.close()
            if isinstance(error, DBAPIError):
                raise unavailable(error) from error.orig
            raise

    @property
    def commits(self) -> int:
        """How many commits there were since the store was opened."""
        return self._writer.commits

    @property
    def bell(self) -> Bell:
        """Rings when something was written."""
        return self._bell

    def write(self, write: Write) -> None:
        """Keep the whole of it, and return when it is durable (contract: `ports.Store.write`)."""
        with self._gate:
            self.check_open()
            done = self._writer.put(write)
        try:
            done.result(timeout=PATIENCE_S)
        except TimeoutError:
            raise StorageFailure("store_slow", "The disk did not answer in time.") from None

    def lead(self, post: Post) -> bool:  # noqa: ARG002  the contract's
        """Say yes: the folder's lock keeps every other process out."""
        return True

    def resign(self, post: Post) -> None:
        """Let go of a post; nobody else could take it."""

    def close(self) -> None:
        """Finish the writes that were accepted and let go of the database."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
        self._writer.stop()
        self._reading.dispose()

    def _commit(self, connection: Connection) -> None:
        """Make a group durable; a seam: tests let it fail before and after the deed."""
        connection.commit()
