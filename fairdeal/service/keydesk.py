"""A service's keys as whoever has its folder looks after them, whether it runs or not.

A running service asks its database at each request, so what is changed here counts at once.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from fairdeal.errors import StorageFailure
from fairdeal.service import callers
from fairdeal.service.database import FILE, Database
from fairdeal.service.keyring import Key, Keyring, NewKey
from fairdeal.service.signing import told_name
from fairdeal.store.ports import Store
from fairdeal.store.vault import Entropy


class KeyDesk:
    """Lists, makes, follows and takes away the keys of any site.

    Args:
        store: Where they are.
        ring: Draws up what is to change.
    """

    def __init__(self, store: Store, ring: Keyring) -> None:
        self._store = store
        self._ring = ring

    def listed(self, site: str) -> tuple[Key, ...]:
        """Return the keys of a site that open anything, oldest first."""
        return self._ring.listed(site)

    def add(self, site: str, label: str, scope: callers.Scope) -> NewKey:
        """Make a further key of a site, or its first (raises as `Keyring.added`)."""
        new, write = self._ring.added(site, label, scope)
        self._store.write(write)
        return new

    def roll(self, site: str, key: str, overlap_s: int) -> NewKey:
        """Make a key that follows another one (raises as `Keyring.rolled`)."""
        new, write = self._ring.rolled(site, key, overlap_s)
        self._store.write(write)
        return new

    def revoke(self, site: str, key: str) -> None:
        """Take a key away at once (raises as `Keyring.removed`)."""
        self._store.write(self._ring.removed(site, key))


@contextlib.contextmanager
def key_desk(
    folder: Path, *, database: Database, entropy: Entropy, clock: Callable[[], int]
) -> Iterator[KeyDesk]:
    """Open the database of a service that was started before, beside it if it runs.

    Args:
        folder: That of the service.
        database: Where its records are.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.

    Raises:
        StorageFailure: There is no service in the folder, or its database cannot be opened.
    """
    prefix = callers.prefix("operator", callers.mode_of(told_name(folder)))
    if not database.is_shared and not (folder / FILE).exists():
        raise StorageFailure("store_unavailable", f"There is no database in {folder}.")
    # Unmarked: a key is no record, and the service that runs marks how far those reach.
    store = database.open(folder, marked=False)
    try:
        yield KeyDesk(
            store,
            Keyring(store, clock, lambda: callers.token(prefix, entropy(callers.TOKEN_BYTES))),
        )
    finally:
        store.close()
