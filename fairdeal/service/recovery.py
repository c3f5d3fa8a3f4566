"""What is left to do with a folder whose database lost records: say so, and end what it cut off.

A game of which records may be lost cannot go on honestly: its next record would take a number
that another record had. It is closed, and its master secret published, so that every hand that
was dealt can be checked against what the players kept.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.game import RECORDS_LOST, decide_close
from fairdeal.service.batch import Batch
from fairdeal.service.premises import DATABASE, HIGH, VAULT_KEY, held
from fairdeal.service.shelf import Shelf
from fairdeal.store.highwater import NO_DATABASE, HighWater, Mark, rename, shortfall, standing
from fairdeal.store.schema import connect, migrate
from fairdeal.store.sqlite import SqliteStore
from fairdeal.store.vault import Entropy, VaultFile


@dataclass(frozen=True, slots=True)
class Loss:
    """What a folder's database lacks.

    Attributes:
        sentence: What is missing, and how many records.
        unfinished: The games that its database holds and that are not over.
    """

    sentence: str
    unfinished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery did.

    Attributes:
        closed: The games that it closed.
        left: The games whose secret is not there or does not open; nobody can go on with them.
    """

    closed: tuple[str, ...]
    left: tuple[str, ...]


def look(folder: Path) -> Loss | None:
    """Return what the database of a stopped service lacks, or None where it is whole.

    Raises:
        StorageFailure: A process works here, there is no service, or the database is not ours.
    """
    with held(folder):
        return _look(folder)


def recover(folder: Path, *, entropy: Entropy, clock: Callable[[], int]) -> Recovered:
    """Close what cannot go on, and set the mark anew; the service starts again then.

    Killed at any moment it is run again: until its last step nothing is served.

    Args:
        folder: That of a stopped service whose database lacks records.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.

    Raises:
        StorageFailure: As `look`; `vault.key` cannot be read; a game could not be kept.
    """
    with held(folder):
        if _look(folder) is None:
            return Recovered((), ())
        vault = VaultFile(folder / VAULT_KEY).vault(entropy)
        high, mark = HighWater(folder / HIGH), _mark(folder)
        high.put(Mark(0 if mark is None else mark.records, NO_DATABASE))
        store = SqliteStore(folder / DATABASE)
        try:
            done = _close_all(store, Shelf(store, vault), clock)
        finally:
            store.close()
        with closing(connect(folder / DATABASE)) as connection:
            rename(connection)
            high.put(standing(connection))
    return done


def _look(folder: Path) -> Loss | None:
    database, mark = folder / DATABASE, _mark(folder)
    if not database.exists():
        said = shortfall(mark, None)
        return None if said is None else Loss(said, ())
    try:
        with closing(connect(database)) as connection:
            migrate(connection)
            said = shortfall(mark, standing(connection))
    except sqlite3.Error as error:
        raise StorageFailure("store_unavailable", f"The database {database} is damaged.") from error
    if said is None:
        return None
    store = SqliteStore(database)
    try:
        return Loss(said, store.unfinished())
    finally:
        store.close()


def _mark(folder: Path) -> Mark | None:
    """Return the mark; one that cannot be read marks some other database."""
    try:
        return HighWater(folder / HIGH).read()
    except StorageFailure:
        return Mark(0, NO_DATABASE)


def _close_all(store: SqliteStore, shelf: Shelf, clock: Callable[[], int]) -> Recovered:
    closed: list[str] = []
    left: list[str] = []
    for game_id in store.unfinished():
        try:
            game = shelf.game(game_id)
            batch = Batch(game, clock())
            batch.add(decide_close(game, RECORDS_LOST))
        except FairdealError:
            left.append(game_id)
            continue
        store.write(batch.write())
        closed.append(game_id)
    return Recovered(tuple(closed), tuple(left))
