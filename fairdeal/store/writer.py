"""The thread that writes: many writes in one commit, and one place that decides their order.

Callers queue their writes; the thread takes what waits, writes each as if it were alone, commits
once, marks how far the store now reaches, and only then answers them all. So the price of
a durable commit is shared, and writers of one process never wait for each other's locks.
"""

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Final, Literal

from sqlalchemy import Engine

from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.store.appending import claim
from fairdeal.store.driving import Driven, drive
from fairdeal.store.grouping import Fate, keep_all
from fairdeal.store.highwater import HighWater, Mark
from fairdeal.store.ports import Write
from fairdeal.store.standing import standing
from fairdeal.store.writing import touched

GROUP: Final = 64
"""At most so many writes share a commit."""

_Waiting = tuple[Write, "Future[None]"]
_Stage = Literal["connecting", "writing", "committing"]


class Writer:
    """Writes to a database that is open, in a thread of its own.

    Args:
        engine: Gives connections that write to a database of the newest schema.
        high: Marks outside the database how far it reaches; None marks nothing.
        commit: Makes a group durable.
        ring: Told the names of the games and rooms of which something was written.

    Raises:
        StorageFailure: `database_behind`: it lacks what was marked before.
    """

    def __init__(
        self,
        engine: Engine,
        high: HighWater | None,
        commit: Callable[[Driven], None],
        ring: Callable[[tuple[str, ...]], None],
    ) -> None:
        self._engine = engine
        self._driven: Driven | None = drive(engine)
        self._high = high
        self._commit = commit
        self._ring = ring
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._standing: Mark | None = None
        self._stage: _Stage = "connecting"
        self.commits = 0
        if high is not None:
            self._standing = _admitted(self._driven, high)
        self._thread = threading.Thread(target=self._run, name="fairdeal-writer", daemon=True)
        self._thread.start()

    def put(self, write: Write) -> "Future[None]":
        """Queue a write; what is returned is settled when it is durable, or refused."""
        done: Future[None] = Future()
        self._queue.put((write, done))
        return done

    def stop(self) -> None:
        """Write what waits, and end."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        for group in self._groups():
            self._settle(group)
        if self._driven is not None:
            self._driven.drop()

    def _groups(self) -> Iterator[list[_Waiting]]:
        """Yield what waits, at most GROUP at a time and at least one, until the store is shut."""
        while (first := self._queue.get()) is not None:
            group = [first]
            while len(group) < GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    yield group
                    return
                group.append(following)
            yield group

    def _settle(self, group: list[_Waiting], *, again: bool = True) -> None:
        """Write a group in one commit, then answer each of its callers."""
        try:
            fates = self._together([write for write, _ in group])
        except Exception as error:  # noqa: BLE001 - whatever it was, nobody may be left waiting
            self._recover(group, error, again=again)
            return
        rung: list[str] = []
        for (write, done), fate in zip(group, fates, strict=True):
            if isinstance(fate, FairdealError):
                done.set_exception(fate)
            else:
                done.set_result(None)
                rung.extend(touched(write))
        if rung:
            self._ring(tuple(rung))

    def _together(self, writes: list[Write]) -> list[Fate]:
        """Write all, commit, mark; what is refused is left out."""
        self._stage = "connecting"
        driven = self._connected()
        driven.begin()
        heads = claim(driven, writes)
        self._stage = "writing"
        fates = keep_all(driven, writes, heads)
        reaches = [fate for fate in fates if isinstance(fate, int)]
        if not reaches:
            driven.rollback()
            return fates
        self._stage = "committing"
        self._commit(driven)
        self._mark(driven, reaches)
        self.commits += 1
        return fates

    def _mark(self, driven: Driven, reaches: list[int]) -> None:
        """Mark how far the store reaches, before anybody hears that it does."""
        if self._high is None:
            return
        before, self._standing = self._standing, None  # so that a failure has it counted anew
        if before is None:
            now = standing(driven)
        elif before.serial:
            now = Mark(max(before.records, *reaches), before.database, serial=True)
        else:
            now = Mark(before.records + sum(reaches), before.database)
        if now != before:
            self._high.raise_to(now)
        self._standing = now

    def _connected(self) -> Driven:
        if self._driven is None:
            self._driven = drive(self._engine)
        return self._driven

    def _recover(self, group: list[_Waiting], error: Exception, *, again: bool) -> None:
        """After a failure: what was certainly not written is tried anew, once; or given up."""
        self._standing = None
        lost = self._undo(error)
        if again and lost and self._stage != "committing":
            # The server was started anew, say: the next connection may be a good one.
            self._settle(group, again=False)
        elif again and self._stage == "writing" and len(group) > 1:
            # One of them may be to blame, or met a writer of another process.
            for waiting in group:
                self._settle([waiting], again=False)
        else:
            for _, done in group:
                done.set_exception(_failure(error))

    def _undo(self, error: Exception) -> bool:
        """Leave no transaction behind; say whether the connection is of no more use, and gone."""
        driven = self._driven
        if driven is None:
            return False
        lost = driven.is_lost(error)
        try:
            if not lost:
                driven.rollback()
        except driven.fault:
            lost = True
        if lost:
            self._driven = None
            driven.drop()
        return lost


def _admitted(driven: Driven, high: HighWater) -> Mark | None:
    """Return how far a database reaches that may be served."""
    try:
        return high.admit(lambda: standing(driven))
    except driven.fault as error:
        driven.drop()
        raise StorageFailure("store_unavailable", "The database is damaged.") from error
    except BaseException:
        driven.drop()
        raise


def _failure(error: Exception) -> StorageFailure:
    """Return what a caller is told: whatever it was, it may have been kept or not."""
    if isinstance(error, StorageFailure):
        return StorageFailure(error.code, error.sentence)
    failure = StorageFailure("store_failed", "The store could not keep it.")
    failure.__cause__ = error
    return failure
