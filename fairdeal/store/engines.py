"""How a database is reached, and what every connection to it is told first.

Where it is says which one: a path is that of a SQLite file, a text the address of a PostgreSQL
database (`postgresql://user@host/name`). Engines belong to the process that made them.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from fairdeal.errors import StorageFailure
from fairdeal.store.ports import Where

# recursive_triggers: without it INSERT OR REPLACE would slip past the guard against removal.
# secure_delete: what is wiped is overwritten. FULL: an acknowledged write survives a power cut.
# temp_store: a large write would else need room in the system's folder for temporary files.
_SQLITE: Final = """
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA recursive_triggers = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
"""

# A caller waits 30 s for a write (sql.PATIENCE_S): the server gives up before. The last one frees
# what a process holds that was stopped in the middle of a transaction.
_POSTGRESQL: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
    "default_transaction_isolation": "read committed",
    "statement_timeout": "15s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
}

# What libpq is told unless the address says otherwise.
_CONNECT: Final = {
    "connect_timeout": "5",
    "application_name": "fairdeal",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


def writing_engine(where: Where) -> Engine:
    """Return an engine whose transactions may write; it keeps no connection that is not used."""
    if isinstance(where, Path):
        engine = _sqlite(where, poolclass=NullPool)
        event.listen(engine, "connect", _by_hand)
        event.listen(engine, "begin", _immediate)
        return engine
    engine = create_engine(_address(where), poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "connect", _told)
    return engine


def reading_engine(where: Where) -> Engine:
    """Return an engine whose connections run single statements and refuse to write."""
    more = {"poolclass": NullPool, "isolation_level": "AUTOCOMMIT"}
    if isinstance(where, Path):
        engine = _sqlite(where, **more)
        event.listen(engine, "connect", _query_only)
        return engine
    engine = create_engine(_address(where), hide_parameters=True, **more)
    event.listen(engine, "connect", _told_to_read)
    return engine


def connect(engine: Engine) -> Connection:
    """Return a connection.

    Raises:
        StorageFailure: `store_unavailable`: there is none to be had; `store_unsafe`: the server is
            set up to lose what it has acknowledged.
    """
    try:
        return engine.connect()
    except DBAPIError as error:
        raise unavailable(error) from error.orig
    except OSError as error:
        raise StorageFailure("store_unavailable", "The database cannot be opened.") from error


@contextlib.contextmanager
def autocommit(engine: Engine) -> Iterator[Connection]:
    """Lend a connection that stands outside of transactions.

    Raises:
        StorageFailure: As `connect`.
    """
    with connect(engine) as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


def unavailable(error: DBAPIError) -> StorageFailure:
    """Return the failure of a database that cannot be reached, with what its driver said."""
    said = str(error.orig).strip().partition("\n")[0].rstrip(".")
    return StorageFailure("store_unavailable", f"The database cannot be opened: {said}.")


def _sqlite(path: Path, **more: Any) -> Engine:  # noqa: ANN401  passed on
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False},
        hide_parameters=True,
        **more,
    )
    event.listen(engine, "connect", _pragmas)
    return engine


def _address(where: str) -> URL:
    try:
        url = make_url(where)
    except ArgumentError:
        url = URL.create("unreadable")
    if url.drivername not in ("postgresql", "postgresql+psycopg"):
        # The address may hold a password: nothing of it is repeated.
        raise StorageFailure(
            "store_unavailable", "The database's address must begin with postgresql://."
        )
    missing = {name: said for name, said in _CONNECT.items() if name not in url.query}
    return url.set(drivername="postgresql+psycopg").update_query_dict(missing)


def _pragmas(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
    connection.executescript(_SQLITE)


def _query_only(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
    connection.execute("PRAGMA query_only = ON")


def _by_hand(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
    """Keep the driver from beginning transactions: it would, too late, and lose updates."""
    connection.isolation_level = None


def _immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _told(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
    """Set up a PostgreSQL session, and refuse a server that may lose what it acknowledged."""
    try:
        with connection.cursor() as cursor:
            _tell(cursor, _settings(cursor))
        connection.commit()
    except BaseException:
        connection.close()
        raise


def _told_to_read(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
    _told(connection, _record)
    with connection.cursor() as cursor:
        _tell(cursor, {"default_transaction_read_only": "on"})
    connection.commit()


def _settings(cursor: Any) -> dict[str, str]:  # noqa: ANN401  the driver's own
    asked = ("fsync", "full_page_writes", "synchronous_commit", "server_encoding")
    cursor.execute("SELECT " + ", ".join(f"current_setting('{name}')" for name in asked))
    fsync, pages, commit, encoding = cursor.fetchone()
    if (fsync, pages, encoding) != ("on", "on", "UTF8"):
        raise StorageFailure(
            "store_unsafe",
            "PostgreSQL must run with fsync and full_page_writes on, on a database in UTF8;"
            f" found: {fsync}, {pages}, {encoding}.",
        )
    # What waits for another server to have applied it is stronger still.
    return _POSTGRESQL if commit == "remote_apply" else _POSTGRESQL | {"synchronous_commit": "on"}


def _tell(cursor: Any, settings: dict[str, str]) -> None:  # noqa: ANN401  the driver's own
    for name, said in settings.items():
        cursor.execute("SELECT set_config(%s, %s, false)", (name, said))
