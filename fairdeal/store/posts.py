"""Posts: work that one process at a time does, on a database that several share."""

import contextlib
import threading
from hashlib import blake2b

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from fairdeal.errors import StorageFailure
from fairdeal.store.engines import connect
from fairdeal.store.ports import Post


class Posts:
    """Holds posts as PostgreSQL's advisory locks, which end with the connection that holds them.

    Args:
        engine: Gives the connection, once the first post is asked for.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._gate = threading.Lock()
        self._connection: Connection | None = None
        self._held: set[Post] = set()

    def lead(self, post: Post) -> bool:
        """Take a post where nobody holds it; say whether it is held here now.

        Raises:
            StorageFailure: The server does not answer.
        """
        with self._gate:
            if self._connection is not None:
                with contextlib.suppress(DBAPIError):
                    return self._lead(self._connection, post)
                self._let_go()  # with all posts; others may have them by now
            try:
                self._connection = connect(self._engine).execution_options(
                    isolation_level="AUTOCOMMIT"
                )
                return self._lead(self._connection, post)
            except DBAPIError as error:
                self._let_go()
                raise StorageFailure("store_failed", "The store does not answer.") from error.orig

    def resign(self, post: Post) -> None:
        """Let go of a post; nothing happens where it is not held."""
        with self._gate:
            if post not in self._held or self._connection is None:
                return
            self._held.discard(post)
            try:
                self._connection.exec_driver_sql("SELECT pg_advisory_unlock(%s)", (_number(post),))
            except DBAPIError:
                self._let_go()

    def close(self) -> None:
        """Let go of all."""
        with self._gate:
            self._let_go()

    def _lead(self, connection: Connection, post: Post) -> bool:
        if post in self._held:
            connection.exec_driver_sql("SELECT 1")
            return True
        row = connection.exec_driver_sql("SELECT pg_try_advisory_lock(%s)", (_number(post),))
        if row.scalar_one():
            self._held.add(post)
        return post in self._held

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError, OSError):
                connection.invalidate()
                connection.close()


def _number(post: Post) -> int:
    digest = blake2b(post.encode(), digest_size=8, person=b"post").digest()
    return int.from_bytes(digest, signed=True)
