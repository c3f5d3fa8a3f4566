"""A process from which games are followed and nothing else, beside those that serve.

It reads what they write. What it writes itself are signs of those who follow, in a connection of
its own; a SQLite file takes that beside the one process that records games.
"""

import resource
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from fairdeal.errors import StorageFailure
from fairdeal.service import folder as place
from fairdeal.service.callers import Callers, mode_of
from fairdeal.service.clerk import Clerk
from fairdeal.service.database import FILE, Database
from fairdeal.service.feed import Feed
from fairdeal.service.presence import Presences
from fairdeal.service.upkeep import Upkeep
from fairdeal.store.beacons import NO_BEACON
from fairdeal.store.ports import Seen, Store, Write
from fairdeal.store.vault import Entropy


@dataclass(frozen=True, slots=True)
class Gallery:
    """An open gallery.

    Attributes:
        feed: Lets callers follow games.
    """

    feed: Feed
    _store: Store
    _open: ExitStack

    def check(self) -> None:
        """Read the store once (raises `StorageFailure`)."""
        self._store.newest("")

    def close(self) -> None:
        """End all streams and let go of the database."""
        self.feed.stop()
        self._open.close()


def open_gallery(
    folder: Path,
    origin: str,
    *,
    database: Database | None = None,
    entropy: Entropy,
    clock: Callable[[], int],
) -> Gallery:
    """Open a gallery on a service that was started before.

    Args:
        folder: Holds the service's keys, and its database where that is a file.
        origin: The name of the service.
        database: Where the records are; None for a file in the folder.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.

    Raises:
        StorageFailure: There is no such service yet, or a key file is not as it must be.
    """
    # Whatever ends this process, no dump is written: it would hold every secret.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    database = database or Database()
    if not database.is_shared and not (folder / FILE).exists():
        raise StorageFailure(
            "key_file", f"There is no service in {folder}: it has to be started once before."
        )
    place.check_copied(folder)
    with ExitStack() as stack:
        key, _, vault = place.keys(folder, origin, entropy, {}, is_new=False)
        store = database.open_to_read(folder)
        stack.callback(store.close)
        callers = Callers(store, clock, mode_of(key.name))
        clerk = Clerk(store, vault, key, clock, callers)
        signs = _Signs(store, lambda: database.open(folder, marked=False))
        stack.callback(signs.close)
        presences = Presences(signs, clock)
        presences.returns = Upkeep(clerk, NO_BEACON).returns
        presences.start()
        stack.callback(presences.stop)
        return Gallery(Feed(clerk, presences), store, stack.pop_all())


class _Signs:
    """Reads signs where all is read, and keeps them through a store that is opened for them.

    Args:
        reader: The store that is read.
        opened: Opens one that may write.
    """

    def __init__(self, reader: Store, opened: Callable[[], Store]) -> None:
        self._reader = reader
        self._opened = opened
        self._writer: Store | None = None
        self._lock = Lock()

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""
        return self._reader.seen(place)

    def write(self, write: Write) -> None:
        """Keep signs, and refuse whatever else (raises `StorageFailure`)."""
        if write != Write(seen=write.seen):
            raise StorageFailure("store_failed", "Nothing but signs is kept here.")
        with self._lock:
            if self._writer is None:
                self._writer = self._opened()
        self._writer.write(write)

    def close(self) -> None:
        """Let go of the store that was opened."""
        with self._lock:
            if self._writer is not None:
                self._writer.close()
