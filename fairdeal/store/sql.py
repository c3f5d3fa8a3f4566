"""The store, on SQLite and on PostgreSQL: one schema, one writing thread a process.

Reads run on other connections, each a single statement (`reading.py`); writes are queued for the
one thread (`writer.py`); the bell is carried to other processes by `ringing.py`.
"""

import threading
from pathlib import Path
from typing import Final

from fairdeal.errors import Conflict, StaleVersion, StorageFailure
from fairdeal.store.askport import Asked
from fairdeal.store.bell import Bell
from fairdeal.store.driving import Driven
from fairdeal.store.engines import writing_engine
from fairdeal.store.highwater import HighWater
from fairdeal.store.ports import Post, Where, Write
from fairdeal.store.posts import Posts
from fairdeal.store.reading import Reads
from fairdeal.store.ringing import Announcer, Carrier, Listener, Poller
from fairdeal.store.schema import bring_up, check
from fairdeal.store.writer import Writer
from fairdeal.store.writing import check_storable

PATIENCE_S: Final = 30.0
"""So long a caller waits for the disk."""


class SqlStore(Reads):
    """Keeps everything in one database (contract: `ports.Store`).

    Args:
        where: A path: the SQLite file, beside which SQLite lays its `-wal` and `-shm`. A text: the
            address of a PostgreSQL database.
        high: As `opening.open_store`.
        reads_only: As `opening.open_store`.

    Raises:
        StorageFailure: As `opening.open_store`.
    """

    def __init__(
        self, where: Where, high: HighWater | None = None, *, reads_only: bool = False
    ) -> None:
        super().__init__(where)
        self._gate = threading.Lock()  # of _closed; never held over a statement
        self._bell = Bell()
        self._writer: Writer | None = None
        self._announcer: Announcer | None = None
        self._posts: Posts | None = None
        if high is not None and isinstance(where, Path) and not where.exists():
            high.admit(lambda: None)
        try:
            if reads_only:
                self._check(where)
            else:
                self._open(where, high)
        except BaseException:
            self._lender.close()
            raise
        self._carriers = self._carry(where)
        for carrier in self._carriers:
            carrier.start()

    @property
    def commits(self) -> int:
        """How many commits there were since the store was opened."""
        return 0 if self._writer is None else self._writer.commits

    @property
    def bell(self) -> Bell:
        """Rings when something was written."""
        return self._bell

    def write(self, write: Write) -> None:
        """Keep the whole of it, and return when it is durable (contract: `ports.Store.write`).

        Raises:
            StaleVersion, Conflict, StorageFailure: As the contract says.
            MalformedInput: A text or a number is one that no database can keep.
        """
        check_storable(write)
        with self._gate:
            self.check_open()
            if self._writer is None:
                raise StorageFailure("store_failed", "The store was opened for reading only.")
            done = self._writer.put(write)
        try:
            done.result(timeout=PATIENCE_S)
        except TimeoutError:
            raise StorageFailure("store_slow", "The disk did not answer in time.") from None

    def ask(self, asked: Asked, *, newest: bool = False) -> bool:
        """Keep what a seat asked for, and return when it is durable; say whether it is new."""
        alone = Write(asked=asked)
        after = Write(game=asked.game, after=asked.n, stands=True, asked=asked)
        try:
            self.write(after if newest else alone)
        except StaleVersion:
            raise
        except Conflict:  # Nothing else in this write could be there already.
            return False
        return True

    def lead(self, post: Post) -> bool:
        """Take a post; a SQLite file has one process that writes, which holds them all."""
        self.check_open()
        return self._writer is not None if self._posts is None else self._posts.lead(post)

    def resign(self, post: Post) -> None:
        """Let go of a post."""
        if self._posts is not None:
            self._posts.resign(post)

    def close(self) -> None:
        """Finish the writes that were accepted and let go of the database."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
        if self._writer is not None:
            self._writer.stop()
        for carrier in self._carriers:
            carrier.stop()
        if self._posts is not None:
            self._posts.close()
        self._lender.close()

    def _check(self, where: Where) -> None:
        """Refuse to read a database that is not there or not of the newest schema."""
        if isinstance(where, Path) and not where.exists():
            raise StorageFailure("store_unavailable", "There is no database yet.")
        check(self._reading)

    def _open(self, where: Where, high: HighWater | None) -> None:
        engine = writing_engine(where)
        bring_up(engine)
        if isinstance(where, str):
            self._announcer = Announcer(engine, self._bell)
            self._posts = Posts(engine)
        self._writer = Writer(engine, high, self._commit, self._ring)

    def _carry(self, where: Where) -> tuple[Carrier, ...]:
        """Return the threads that carry rings to this process and from it."""
        if isinstance(where, str):
            listener = Listener(writing_engine(where), self._bell, self._announcer)
            return (listener,) if self._announcer is None else (self._announcer, listener)
        return (Poller(self._reading, self._bell),) if self._writer is None else ()

    def _ring(self, names: tuple[str, ...]) -> None:
        self._bell.ring(names)
        if self._announcer is not None:
            self._announcer.announce(names)

    def _commit(self, driven: Driven) -> None:
        """Make a group durable; a seam: tests let it fail before and after the deed."""
        driven.commit()
