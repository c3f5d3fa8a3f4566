"""How far a database reaches, and what a recovery does to one."""

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import DBAPIError

from fairdeal.errors import StorageFailure
from fairdeal.store import tables
from fairdeal.store.appending import is_postgresql
from fairdeal.store.engines import connect, writing_engine
from fairdeal.store.highwater import Mark
from fairdeal.store.ports import Where
from fairdeal.store.schema import bring_up

# Numbers have no gaps, so the newest of each game says how many there are: a step a game.
_COUNT: Final = """
    WITH RECURSIVE games (game) AS (
        SELECT min(game) FROM records
        UNION ALL
        SELECT (SELECT min(game) FROM records WHERE game > games.game) FROM games
        WHERE games.game IS NOT NULL
    )
    SELECT coalesce(sum((SELECT max(n) + 1 FROM records WHERE game = games.game)), 0)
    FROM games WHERE game IS NOT NULL
"""
_LAST: Final = "SELECT coalesce(max(serial), 0) FROM records"


def standing(connection: Connection) -> Mark:
    """Return what a database of the newest schema holds now."""
    serial = is_postgresql(connection)
    records = connection.exec_driver_sql(_LAST if serial else _COUNT).scalar_one()
    name = connection.execute(select(tables.identity.c.name)).scalar_one()
    return Mark(records, name, serial=serial)


def standing_of(where: Where) -> Mark | None:
    """Return what a database holds, brought to the newest schema; None where there is no file.

    Raises:
        StorageFailure: It cannot be opened, is damaged, or is not ours.
    """
    if isinstance(where, Path) and not where.exists():
        return None
    with _opened(where) as connection, connection.begin():
        return standing(connection)


def rename(where: Where) -> None:
    """Give a database a new random name, so that no earlier copy of it passes for it."""
    with _opened(where) as connection, connection.begin():
        connection.execute(update(tables.identity).values(name=secrets.token_hex(16)))


@contextlib.contextmanager
def _opened(where: Where) -> Iterator[Connection]:
    engine = writing_engine(where)
    try:
        with connect(engine) as connection:
            bring_up(connection)
            yield connection
    except DBAPIError as error:
        raise StorageFailure("store_unavailable", "The database is damaged.") from error.orig
    finally:
        engine.dispose()
