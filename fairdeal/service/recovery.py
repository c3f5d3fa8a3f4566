"""What is left to do with a folder whose database lost records: say so, and end what it cut off.

A game of which records may be lost cannot go on honestly: its next record would take a number
that another record had. It is closed, and its master secret published, so that every hand that
was dealt can be checked against what the players kept.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.game import RECORDS_LOST, decide_close
from fairdeal.service.batch import Batch
from fairdeal.service.database import HIGH, Database
from fairdeal.service.folder import VAULT_KEY, held
from fairdeal.service.shelf import Shelf
from fairdeal.store.highwater import NO_DATABASE, HighWater, Mark, shortfall
from fairdeal.store.opening import rename, standing_of
from fairdeal.store.ports import Store
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


def look(folder: Path, database: Database | None = None) -> Loss | None:
    """Return what the database of a stopped service lacks, or None where it is whole.

    Raises:
        StorageFailure: A process works here, there is no service, or the database is not ours.
    """
    database = database or Database()
    with _stopped(folder, database):
        return _look(folder, database)


def recover(
    folder: Path,
    *,
    database: Database | None = None,
    entropy: Entropy,
    clock: Callable[[], int],
) -> Recovered:
    """Close what cannot go on, and set the mark anew; the service starts again then.

    Killed at any moment it is run again: until its last step nothing is served.

    Args:
        folder: That of a stopped service whose database lacks records.
        database: Where the records are; None for a file in the folder.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.

    Raises:
        StorageFailure: As `look`; `vault.key` cannot be read; a game could not be kept.
    """
    database = database or Database()
    with _stopped(folder, database):
        if _look(folder, database) is None:
            return Recovered((), ())
        vault = VaultFile(folder / VAULT_KEY).vault(entropy)
        high, mark = HighWater(folder / HIGH), _mark(folder)
        high.put(Mark(0 if mark is None else mark.records, NO_DATABASE))
        with closing(database.open(folder, marked=False)) as store:
            done = _close_all(store, Shelf(store, vault), clock)
        rename(database.where(folder))
        standing = standing_of(database.where(folder))
        assert standing is not None
        high.put(standing)
    return done


@contextmanager
def _stopped(folder: Path, database: Database) -> Iterator[None]:
    """Keep the service from running meanwhile, here and on other machines.

    Raises:
        StorageFailure: `in_use`: it runs; `key_file`: there is none.
    """
    with held(folder):
        if not database.is_shared:
            yield
            return
        with closing(database.open(folder, marked=False)) as store:
            if not store.lead("upkeep"):
                raise StorageFailure("in_use", "A process serves this database.")
            yield


def _look(folder: Path, database: Database) -> Loss | None:
    standing = standing_of(database.where(folder))
    said = shortfall(_mark(folder), standing)
    if said is None:
        return None
    if standing is None:
        return Loss(said, ())
    with closing(database.open(folder, marked=False)) as store:
        return Loss(said, store.unfinished())


def _mark(folder: Path) -> Mark | None:
    """Return the mark; one that cannot be read marks some other database."""
    try:
        return HighWater(folder / HIGH).read()
    except StorageFailure:
        return Mark(0, NO_DATABASE)


def _close_all(store: Store, shelf: Shelf, clock: Callable[[], int]) -> Recovered:
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
