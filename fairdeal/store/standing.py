"""How far a database reaches, and what a recovery does to one."""

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import update

from fairdeal.errors import StorageFailure
from fairdeal.store import tables
from fairdeal.store.driving import Driven, Statement, drive
from fairdeal.store.engines import writing_engine
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
_RENAME: Final = Statement(update(tables.identity), sets=("name",))
_LAST: Final = "SELECT coalesce(max(serial), 0) FROM records"


def standing(driven: Driven) -> Mark:
    """Return what a database of the newest schema holds now."""
    serial = driven.is_postgresql
    records = driven.text(_LAST if serial else _COUNT).fetchone()[0]
    name = driven.text("SELECT name FROM identity").fetchone()[0]
    return Mark(records, name, serial=serial)


def standing_of(where: Where) -> Mark | None:
    """Return what a database holds, brought to the newest schema; None where there is no file.

    Raises:
        StorageFailure: It cannot be opened, is damaged, or is not ours.
    """
    if isinstance(where, Path) and not where.exists():
        return None
    with _opened(where) as driven:
        return standing(driven)


def rename(where: Where) -> None:
    """Give a database a new random name, so that no earlier copy of it passes for it."""
    with _opened(where) as driven:
        driven.run(_RENAME, {"name": secrets.token_hex(16)})


@contextlib.contextmanager
def _opened(where: Where) -> Iterator[Driven]:
    engine = writing_engine(where)
    bring_up(engine)
    driven = drive(engine)
    try:
        yield driven
    except driven.fault as error:
        raise StorageFailure("store_unavailable", "The database is damaged.") from error
    finally:
        driven.drop()
