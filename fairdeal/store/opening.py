"""Opens a store, and looks at a database without one; imports what speaks to it only then.

SQLAlchemy takes half a second to import, and most commands need no database.
"""

from fairdeal.store.highwater import HighWater, Mark
from fairdeal.store.logport import LogBook
from fairdeal.store.ports import Store, Where


def open_store(where: Where, high: HighWater | None = None, *, reads_only: bool = False) -> Store:
    """Open a store (`sql.SqlStore`), making database and tables where they are not there.

    Args:
        where: The database.
        high: Marks outside the database how far it reaches; None marks nothing.
        reads_only: Whether this process only reads: it makes nothing, writes are refused, and the
            bell rings for what other processes write.

    Raises:
        StorageFailure: `store_unavailable`: the database cannot be opened; `store_unsafe`: its
            server may lose what it acknowledged; `store_foreign`, `store_too_new`: it is not one
            of ours; `database_behind`: it lacks what was marked before.
    """
    from fairdeal.store.sql import SqlStore  # noqa: PLC0415  late: start-up time

    return SqlStore(where, high, reads_only=reads_only)


def standing_of(where: Where) -> Mark | None:
    """Return what a database holds, brought to the newest schema; None where there is no file.

    Raises:
        StorageFailure: As `open_store`.
    """
    from fairdeal.store import standing  # noqa: PLC0415  late, as above

    return standing.standing_of(where)


def rename(where: Where) -> None:
    """Give a database a new random name, so that no earlier copy of it passes for it."""
    from fairdeal.store import standing  # noqa: PLC0415  late, as above

    standing.rename(where)


def open_logbook(where: Where) -> LogBook:
    """Open the log's side of a database, for the process that gives leaves their places.

    Raises:
        StorageFailure: As `open_store`.
    """
    from fairdeal.store.logbook import SqlLogBook  # noqa: PLC0415  late, as above

    return SqlLogBook(where)
