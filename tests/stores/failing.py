"""Stores whose commits fail, or wait."""

import sqlite3
import threading

from fairdeal.store.sql import SqlStore


class FailingStore(SqlStore):
    """Fails its next commit, before or after the deed."""

    fail = ""

    def _commit(self, driven):
        wanted, self.fail = self.fail, ""
        if wanted == "before":
            raise sqlite3.OperationalError("disk I/O error")
        super()._commit(driven)
        if wanted == "after":
            raise sqlite3.OperationalError("disk I/O error")


class WaitingStore(SqlStore):
    """Waits in its commit while `go` is not set, so that what is written meanwhile is one group."""

    def __init__(self, *given, **more):
        self.go = threading.Event()
        self.go.set()
        self.held = threading.Event()
        super().__init__(*given, **more)

    def _commit(self, driven):
        self.held.set()
        assert self.go.wait(30)
        super()._commit(driven)

    def together(self, *writes):
        """Write the first, then the others in one group; give what came of each, None or an error.

        The writer is told to go on only once all of them wait.
        """
        writer = self._writer
        assert writer is not None
        self.held.clear()
        self.go.clear()
        first = writer.put(writes[0])
        assert self.held.wait(30)
        waiting = [writer.put(write) for write in writes[1:]]
        self.go.set()
        return [done.exception(30) for done in (first, *waiting)]
