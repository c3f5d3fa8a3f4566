"""Lends connections to those who read, and keeps them for the next one.

SQLAlchemy's own pool also undoes what a borrower may have left behind, which costs more than most
reads; here nobody begins anything.
"""

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Engine

from fairdeal.errors import StorageFailure
from fairdeal.store.driving import Driven, drive

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 16
"""At most so many connections of one process read at once; who comes later waits for one."""

PATIENCE_S: Final = 20.0


class Lender:
    """Lends the connections of an engine outside of transactions.

    Args:
        engine: Gives connections.

    Attributes:
        fault: What the driver raises.
    """

    def __init__(self, engine: Engine) -> None:
        self.fault: type[Exception] = engine.dialect.loaded_dbapi.Error
        self._engine = engine
        self._idle: deque[Driven] = deque()
        self._places = threading.BoundedSemaphore(READERS)
        self._closed = False

    def borrow(
        self, run: Callable[Concatenate[Driven, P], T], *given: P.args, **more: P.kwargs
    ) -> T:
        """Return what somebody does with a connection; it is done again where that was lost.

        Raises:
            StorageFailure: `store_slow`: all are lent for long; or as `engines.connect`.
            Exception: What was raised meanwhile.
        """
        if not self._places.acquire(timeout=PATIENCE_S):
            raise StorageFailure("store_slow", "Too many read at once.")
        try:
            for _ in range(2):
                driven = self._take()
                try:
                    done = run(driven, *given, **more)
                except BaseException as error:
                    if not self._is_lost(driven, error):
                        raise
                    failure = error
                else:
                    self._give_back(driven)
                    return done
            raise failure
        finally:
            self._places.release()

    def close(self) -> None:
        """Let go of all that are not lent, and later of those that are."""
        self._closed = True
        self._forget()

    def _take(self) -> Driven:
        try:
            return self._idle.pop()
        except IndexError:
            return drive(self._engine)

    def _give_back(self, driven: Driven) -> None:
        self._idle.append(driven)
        if self._closed:
            self._forget()

    def _is_lost(self, driven: Driven, error: BaseException) -> bool:
        """Let go of a connection on which something failed; say whether it was lost."""
        lost = driven.is_lost(error)
        driven.drop()
        if lost:
            self._forget()  # a server that went away takes all of them along
        return lost

    def _forget(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().drop()
