"""The folder of a service: its lock, and the keys that the first start makes in it."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.records.notes import SigningKey
from fairdeal.service import callers
from fairdeal.service.keyring import key_id
from fairdeal.service.shelf import purpose
from fairdeal.service.signing import RECEIPT_KEY, receipt_key
from fairdeal.store.keyfiles import read_key_file, write_key_file
from fairdeal.store.ports import Grant, Sealed, Store, Write
from fairdeal.store.vault import Entropy, Vault, VaultFile

VAULT_KEY: Final = "vault.key"
OPERATOR_KEY: Final = "operator.key"
FIRST: Final = "first key"
"""The label of the key that the first start makes."""
LOCK: Final = "lock"
LOCK_TRIES: Final = 20
"""Whoever was killed a moment ago may not be gone yet."""
START_TRIES: Final = 300
"""Workers that start at once wait for each other; the first of them makes the keys."""
LOCK_PAUSE_S: Final = 0.1
LOOKED_AT: Final = 5
"""So many secrets are tried; one may be damaged."""


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep every other process from the keys of a folder, and from the database in it.

    Raises:
        StorageFailure: A process works here, or there is no such folder.
    """
    if not folder.is_dir():
        raise StorageFailure("key_file", f"There is no service in {folder}.")
    lock = hold(folder)
    try:
        yield
    finally:
        os.close(lock)


def hold(folder: Path, *, is_patient: bool = False) -> int:
    """Hold a folder for this process until the descriptor is closed or the process ends.

    Args:
        folder: The folder.
        is_patient: Whether to wait for others that hold it for a short time only.

    Raises:
        StorageFailure: `in_use`: another process holds it.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    for _ in range(START_TRIES if is_patient else LOCK_TRIES):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        time.sleep(LOCK_PAUSE_S)
    os.close(descriptor)
    raise StorageFailure("in_use", f"Another process serves {folder}.")


def keys(
    folder: Path, origin: str, entropy: Entropy, made: dict[str, Path], *, is_new: bool
) -> tuple[SigningKey, tuple[str, ...], Vault]:
    """Return the receipt key, the public keys told before it, and the vault.

    Args:
        folder: Where they lie.
        origin: The name that the receipt key has to have.
        entropy: Gives new keys.
        made: Gets the files that are made, by what they are for.
        is_new: Whether the database has nothing yet. Only then a vault key is made: another one
            would open none of the secrets that are there.

    Raises:
        StorageFailure: A file is not as it must be, or is missing.
    """
    key, earlier = receipt_key(folder, origin, entropy, made)
    file = VaultFile(folder / VAULT_KEY)
    if is_new and not (folder / VAULT_KEY).exists():
        file.make(entropy)
        made["vault key"] = folder / VAULT_KEY
    return key, earlier, file.vault(entropy)


def check_copied(folder: Path) -> None:
    """Refuse a folder without the keys of the service that a database has already.

    Raises:
        StorageFailure: `key_file`.
    """
    for name in (RECEIPT_KEY, VAULT_KEY):
        if not (folder / name).exists():
            raise StorageFailure(
                "key_file",
                f"The database has a service already, and {folder / name} is not there; copy the"
                " key files of the machine that made it.",
            )


def check_vault(store: Store, vault: Vault, folder: Path) -> None:
    """Refuse a vault that opens nothing of what a database has.

    Raises:
        StorageFailure: `other_vault`.
    """
    found = store.sealed("secret", limit=LOOKED_AT)
    if found and not any(_opens(vault, sealed) for sealed in found):
        raise StorageFailure(
            "other_vault", f"{folder / VAULT_KEY} opens no secret in the database; it is another's."
        )


def _opens(vault: Vault, sealed: Sealed) -> bool:
    try:
        vault.open(purpose(sealed.name.decode("ascii")), sealed.text)
    except StorageFailure:
        return False
    return True


def operator(
    store: Store,
    folder: Path,
    entropy: Entropy,
    made: dict[str, Path],
    *,
    mode: callers.Mode,
    site: str,
    now: int,
) -> None:
    """Give out the first operator token: into its file first, then its digest to the store.

    Args:
        store: Gets the digest.
        folder: Where the file lies.
        entropy: Gives the token.
        made: Gets the file, if it is made.
        mode: That of the service.
        site: Whose key it is.
        now: ms since 1970.
    """
    if store.operators():
        return
    path, prefix = folder / OPERATOR_KEY, callers.prefix("operator", mode)
    if not path.exists():
        write_key_file(path, callers.token(prefix, entropy(callers.TOKEN_BYTES)))
    digest = callers.digest(prefix + read_key_file(path, prefix))
    grant = Grant(
        digest=digest,
        role="operator",
        site=site,
        id=key_id(digest),
        scope="full",
        label=FIRST,
        made=now,
    )
    store.write(Write(grants=(grant,)))
    made["operator key"] = path
