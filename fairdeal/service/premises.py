"""The folder a service lives in: database, keys, and the lock that keeps a second one out.

First start makes the keys, each in a file of its own that only its owner may read.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.service import callers
from fairdeal.service.dealer import Dealer
from fairdeal.service.onward import Onward
from fairdeal.service.signing import new_receipt_key, receipt_key
from fairdeal.store.beacons import NO_BEACON, BeaconSource
from fairdeal.store.highwater import HighWater
from fairdeal.store.keyfiles import read_key_file, write_key_file
from fairdeal.store.ports import Grant, Store, Write
from fairdeal.store.sqlite import SqliteStore
from fairdeal.store.vault import Entropy, VaultFile

DATABASE: Final = "games.db"
VAULT_KEY: Final = "vault.key"
OPERATOR_KEY: Final = "operator.key"
HIGH: Final = "games.high"
LOCK: Final = "lock"
LOCK_TRIES: Final = 20
LOCK_PAUSE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Premises:
    """An open service.

    Attributes:
        dealer: Its front door.
        made: The files that this start made, by what they are for; empty on later starts.
    """

    dealer: Dealer
    made: dict[str, Path]
    _store: SqliteStore
    _onward: Onward
    _lock: int

    def close(self) -> None:
        """Finish what was begun and let go of the folder."""
        self._onward.stop()
        self._store.close()
        os.close(self._lock)


def open_premises(
    folder: Path,
    origin: str,
    *,
    entropy: Entropy,
    clock: Callable[[], int],
    beacons: BeaconSource = NO_BEACON,
) -> Premises:
    """Open the service of a folder, making what is not there yet.

    Args:
        folder: Made, for its owner alone, where it is not there.
        origin: The name of the service; that of the receipt key in the folder.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.
        beacons: Where rounds of a beacon come from.

    Raises:
        StorageFailure: Another process works here, a key file is not as it must be, or the
            folder belongs to a service of another name; `database_behind`: the database lacks
            records that were stored before (decisions 25).
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(folder / LOCK)
    try:
        made: dict[str, Path] = {}
        key, earlier = receipt_key(folder, origin, entropy, made)
        database = folder / DATABASE
        if not database.exists() and not (folder / VAULT_KEY).exists():
            # Only with no database: a new key would open none of the secrets in an old one.
            VaultFile(folder / VAULT_KEY).make(entropy)
            made["vault key"] = folder / VAULT_KEY
        vault = VaultFile(folder / VAULT_KEY).vault(entropy)
        store = SqliteStore(database, HighWater(folder / HIGH))
        _operator(store, folder / OPERATOR_KEY, entropy, made)
        dealer = Dealer(
            store=store,
            vault=vault,
            key=key,
            entropy=entropy,
            clock=clock,
            beacons=beacons,
            earlier_vkeys=earlier,
        )
        onward = Onward(dealer)
        onward.start()
    except BaseException:
        os.close(lock)
        raise
    return Premises(dealer, made, store, onward, lock)


def rotate_receipt_key(folder: Path, *, entropy: Entropy) -> str:
    """Let a service that is stopped sign with a new key from its next start on; give its vkey.

    Receipts that were signed before stay good: `receipt.vkey` keeps the earlier public keys.

    Raises:
        StorageFailure: A process works here, or there is no key to be followed by another.
    """
    with held(folder):
        return new_receipt_key(folder, entropy)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep a service that is stopped from being started meanwhile.

    Raises:
        StorageFailure: A process works here, or there is no such folder.
    """
    if not folder.is_dir():
        raise StorageFailure("key_file", f"There is no service in {folder}.")
    lock = _lock(folder / LOCK)
    try:
        yield
    finally:
        os.close(lock)


def _lock(path: Path) -> int:
    """Hold the folder for this process; the system lets go of it when the process ends."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for _ in range(LOCK_TRIES):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        # Whoever was killed a moment ago may not be gone yet.
        time.sleep(LOCK_PAUSE_S)
    os.close(descriptor)
    raise StorageFailure("in_use", f"Another process serves {path.parent}.")


def _operator(store: Store, path: Path, entropy: Entropy, made: dict[str, Path]) -> None:
    """Give out the first operator token: into its file first, then its digest to the store."""
    if store.operators():
        return
    if not path.exists():
        token = callers.token(callers.OPERATOR_PREFIX, entropy(callers.TOKEN_BYTES))
        write_key_file(path, token)
    token = callers.OPERATOR_PREFIX + read_key_file(path, callers.OPERATOR_PREFIX)
    store.write(Write(grants=(Grant(digest=callers.digest(token), role="operator"),)))
    made["operator key"] = path
