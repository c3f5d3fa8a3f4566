"""Whose a database is, of which version, and the steps that bring it to the newest.

Alembic is imported only where a step is due: it takes a second.
"""

import contextlib
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from fairdeal.errors import StorageFailure
from fairdeal.store.engines import connect, unavailable

REVISIONS: Final = ("0001", "0002", "0003", "0004")
"""The steps in `migrations/versions`, oldest first; a test holds this to what Alembic finds."""

HEAD: Final = REVISIONS[-1]

# The versions of a SQLite file that were kept before Alembic was (migrations/earlier.py).
_EARLIER: Final = range(1, 5)
_APPLICATION_ID: Final = 0x66646C31
_MIGRATING: Final = 0x66646C31
"""The PostgreSQL advisory lock under which one process at a time makes the tables."""


def bring_up(engine: Engine) -> None:
    """Bring a database to the newest schema, all steps that are due in one transaction.

    Args:
        engine: One that writes.

    Raises:
        StorageFailure: `store_unavailable`: the database cannot be opened or is damaged;
            `store_foreign`: it belongs to another program; `store_too_new`: to a newer version of
            this one.
    """
    with _looking(engine) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        if revision(connection) != HEAD:
            _upgrade(connection)


def check(engine: Engine) -> None:
    """Refuse a database that is not of the newest schema, as whoever only reads has to.

    Raises:
        StorageFailure: As `bring_up`; `store_unavailable`: its tables are still to be made.
    """
    with _looking(engine) as connection:
        if revision(connection) != HEAD:
            raise StorageFailure("store_unavailable", "The service has not made its tables yet.")


@contextlib.contextmanager
def _looking(engine: Engine) -> Iterator[Connection]:
    try:
        with connect(engine) as connection:
            yield connection
    except DBAPIError as error:
        raise unavailable(error) from error.orig


def revision(connection: Connection) -> str | None:
    """Return the newest step that a database has gone through, None before the first.

    Raises:
        StorageFailure: As `bring_up`.
    """
    tables = inspect(connection).get_table_names()
    if "alembic_version" in tables and "identity" in tables:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars()
        steps = tuple(found)
        if len(steps) != 1 or steps[0] not in REVISIONS:
            raise StorageFailure(
                "store_too_new",
                f"This database has schema {', '.join(steps)}; this program knows {HEAD}.",
            )
        return str(steps[0])
    if tables:
        _check_earlier(connection)
    return None


def _check_earlier(connection: Connection) -> None:
    """Let only a SQLite file of ours from before Alembic pass."""
    if connection.dialect.name == "sqlite":
        application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if application == _APPLICATION_ID and version in _EARLIER:
            return
        if application == _APPLICATION_ID:
            raise StorageFailure("store_too_new", f"This database has schema {version}.")
    raise StorageFailure("store_foreign", "This database belongs to another program.")


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415  late: start-up time
    from alembic.config import Config  # noqa: PLC0415  late: start-up time

    config = Config()
    config.set_main_option("script_location", "fairdeal.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
