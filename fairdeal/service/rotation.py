"""New keys for a service: the one that signs receipts, and the one that seals secrets."""

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fairdeal.errors import StorageFailure
from fairdeal.service.database import FILE, Database
from fairdeal.service.folder import VAULT_KEY, held
from fairdeal.service.resealing import SETTLE_S, Resealed, reseal
from fairdeal.service.signing import new_receipt_key
from fairdeal.store.vault import Entropy, VaultFile


def rotate_receipt_key(folder: Path, *, entropy: Entropy) -> str:
    """Let a service that is stopped sign with a new key from its next start on; give its vkey.

    Receipts that were signed before stay good: `receipt.vkey` keeps the earlier public keys.

    Raises:
        StorageFailure: A process works here, or there is no key to be followed by another.
    """
    with held(folder):
        return new_receipt_key(folder, entropy)


def rotate_vault_key(
    folder: Path,
    *,
    database: Database | None = None,
    entropy: Entropy,
    sleep: Callable[[float], None] = time.sleep,
) -> Resealed:
    """Seal everything anew under a new key; a service on a shared database goes on meanwhile.

    Killed at any moment it is run again and goes on; the service runs in between.

    Args:
        folder: That of the service.
        database: Where the records are; None for a file in the folder.
        entropy: Gives the new key.
        sleep: Waits so many seconds, where a service may be running.

    Raises:
        StorageFailure: A process works here, on a database that it does not share; there is no
            vault key; `database_behind`: the right database may still need the key; or as
            `resealing.reseal`.
    """
    if database is None or not database.is_shared:
        with held(folder):
            if not (folder / FILE).exists():
                raise StorageFailure("key_file", f"There is no database in {folder}.")
            return _reseal(folder, Database(), entropy, lambda: None)
    # No lock: workers may start meanwhile. Nobody else writes a vault's file that is there.
    return _reseal(folder, database, entropy, lambda: sleep(SETTLE_S))


def _reseal(
    folder: Path, database: Database, entropy: Entropy, settle: Callable[[], None]
) -> Resealed:
    file = VaultFile(folder / VAULT_KEY)
    file.read()
    with closing(database.open(folder)) as store:
        if not store.lead("rotation"):
            raise StorageFailure("in_use", "Another process changes the vault key already.")
        return reseal(store, file, entropy=entropy, settle=settle)
