"""Lends connections to those who read, and keeps them for the next one.

SQLAlchemy's own pool does the same at twice the cost of a whole read, for it also undoes what a
borrower may have left behind; here nobody begins anything.
"""

import contextlib
import threading
from collections import deque
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from fairdeal.errors import StorageFailure
from fairdeal.store.engines import connect

READERS: Final = 16
"""At most so many connections of one process read at once; who comes later waits for one."""

PATIENCE_S: Final = 20.0


class Lender:
    """Lends the connections of an engine outside of transactions.

    Args:
        engine: Gives connections that commit by themselves.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._idle: deque[Connection] = deque()
        self._places = threading.BoundedSemaphore(READERS)
        self._closed = False

    @contextlib.contextmanager
    def lend(self) -> Iterator[Connection]:
        """Lend a connection; one on which a statement failed is not lent again.

        Raises:
            StorageFailure: `store_slow`: all are lent for long; or as `engines.connect`.
        """
        if not self._places.acquire(timeout=PATIENCE_S):
            raise StorageFailure("store_slow", "Too many read at once.")
        try:
            connection = self._take()
            try:
                yield connection
            except BaseException as error:
                _drop(connection)
                if isinstance(error, DBAPIError) and error.connection_invalidated:
                    self._forget()  # a server that went away takes all of them along
                raise
            self._idle.append(connection)
            if self._closed:
                self._forget()
        finally:
            self._places.release()

    def close(self) -> None:
        """Let go of all that are not lent, and later of those that are."""
        self._closed = True
        self._forget()

    def _take(self) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return connect(self._engine)

    def _forget(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                _drop(self._idle.pop())


def _drop(connection: Connection) -> None:
    with contextlib.suppress(SQLAlchemyError, OSError):
        connection.invalidate()
        connection.close()
