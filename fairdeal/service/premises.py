"""The folder a service lives in: database, keys, and the lock that keeps a second one out.

First start makes the keys, each in a file of its own that only its owner may read.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.records.notes import KEY_FILE_PREFIX, SigningKey, parse_key_file
from fairdeal.service import callers
from fairdeal.service.dealer import Dealer
from fairdeal.service.onward import Onward
from fairdeal.store.ports import Grant, Store, Write
from fairdeal.store.sqlite import SqliteStore
from fairdeal.store.vault import (
    Entropy,
    make_vault_file,
    read_key_file,
    vault_from_file,
    write_key_file,
)

DATABASE: Final = "games.db"
VAULT_KEY: Final = "vault.key"
RECEIPT_KEY: Final = "receipt.key"
RECEIPT_VKEY: Final = "receipt.vkey"
OPERATOR_KEY: Final = "operator.key"
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
    folder: Path, origin: str, *, entropy: Entropy, clock: Callable[[], int]
) -> Premises:
    """Open the service of a folder, making what is not there yet.

    Args:
        folder: Made, for its owner alone, where it is not there.
        origin: The name of the service; that of the receipt key in the folder.
        entropy: Gives so many bytes that nobody can foresee.
        clock: Tells the time in milliseconds since 1970.

    Raises:
        StorageFailure: Another process works here, a key file is not as it must be, or the
            folder belongs to a service of another name.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = _lock(folder / LOCK)
    try:
        made: dict[str, Path] = {}
        key = _receipt_key(folder, origin, entropy, made)
        database = folder / DATABASE
        if not database.exists() and not (folder / VAULT_KEY).exists():
            # Only with no database: a new key would open none of the secrets in an old one.
            make_vault_file(folder / VAULT_KEY, entropy)
            made["vault key"] = folder / VAULT_KEY
        vault = vault_from_file(folder / VAULT_KEY, entropy)
        store = SqliteStore(database)
        _operator(store, folder / OPERATOR_KEY, entropy, made)
        dealer = Dealer(store=store, vault=vault, key=key, entropy=entropy, clock=clock)
        onward = Onward(dealer)
        onward.start()
    except BaseException:
        os.close(lock)
        raise
    return Premises(dealer, made, store, onward, lock)


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


def _receipt_key(folder: Path, origin: str, entropy: Entropy, made: dict[str, Path]) -> SigningKey:
    path, public = folder / RECEIPT_KEY, folder / RECEIPT_VKEY
    told = public.read_bytes().strip() if public.exists() else b""
    if not path.exists() and not told:
        # Only where no public key was told: receipts are checked with the one that was.
        write_key_file(path, SigningKey(origin, entropy(32)).key_file().removesuffix("\n"))
        made["receipt key"] = path
    key = parse_key_file(KEY_FILE_PREFIX + read_key_file(path, KEY_FILE_PREFIX) + "\n")
    if key.name != origin:
        raise StorageFailure(
            "other_origin", f"The key in {path} signs for {key.name}, not for {origin}."
        )
    if not told:
        public.write_text(key.vkey + "\n", encoding="ascii")
        made["public key of the receipts"] = public
    elif told != key.vkey.encode("ascii"):
        raise StorageFailure("other_key", f"{public} is not the public key of {path}.")
    return key


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
