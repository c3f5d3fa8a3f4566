"""A store whose next commit fails."""

import sqlite3

from fairdeal.store.sql import SqlStore


class FailingStore(SqlStore):
    """Fails its next commit, before or after the deed."""

    fail = ""

    def _commit(self, connection):
        wanted, self.fail = self.fail, ""
        if wanted == "before":
            raise sqlite3.OperationalError("disk I/O error")
        super()._commit(connection)
        if wanted == "after":
            raise sqlite3.OperationalError("disk I/O error")
