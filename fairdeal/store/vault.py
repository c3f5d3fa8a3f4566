"""Seals what may not lie readable on a disk, and keeps the keys that it takes in files.

A sealed text is AES-256-GCM: one version byte, a nonce of 12 bytes, the ciphertext with its tag.
What it is sealed *for* (a game's master secret, a kept answer) is the associated data, so that a
row moved to another place opens nowhere. Key files hold one line that begins with an unmistakable
word, belong to their owner alone (mode 0600) and are refused otherwise.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fairdeal.errors import StorageFailure

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
VAULT_PREFIX: Final = "fairdeal-SECRET-vault-key-1:"

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee; the operating system's, outside of tests."""

_VERSION: Final = b"\x01"


class Vault:
    """Seals and opens bytes under one key; shows neither.

    Args:
        key: 32 bytes.
        entropy: Gives the nonce of each sealing.

    Raises:
        ValueError: The key has another size.
    """

    __slots__ = ("_cipher", "_entropy")

    def __init__(self, key: bytes, entropy: Entropy) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a vault key has {KEY_BYTES} bytes")
        self._cipher = AESGCM(key)
        self._entropy = entropy

    def __repr__(self) -> str:
        return "Vault(silent)"

    def seal(self, purpose: str, content: bytes) -> bytes:
        """Return the content sealed for one purpose, 29 bytes longer."""
        nonce = self._entropy(NONCE_BYTES)
        return _VERSION + nonce + self._cipher.encrypt(nonce, content, purpose.encode())

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """Return what was sealed for this purpose.

        Raises:
            StorageFailure: Another key sealed it, for another purpose, or it was altered.
        """
        nonce, body = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
        if sealed[:1] == _VERSION and len(nonce) == NONCE_BYTES:
            with contextlib.suppress(InvalidTag):
                return self._cipher.decrypt(nonce, body, purpose.encode())
        raise StorageFailure("vault_shut", "A sealed secret does not open with this vault key.")


def read_key_file(path: Path, prefix: str) -> str:
    """Return what follows the prefix in a key file.

    Args:
        path: The file: one line, the prefix first.
        prefix: What the line has to begin with.

    Raises:
        StorageFailure: It is not there, others may read it, or it is not such a file. The message
            names the file and quotes nothing of it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise StorageFailure("key_file", f"The key file {path} cannot be opened.") from error
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor)
        if not stat.S_ISREG(mode.st_mode) or stat.S_IMODE(mode.st_mode) & 0o077:
            raise StorageFailure(
                "key_file", f"The key file {path} must be readable by its owner alone (chmod 600)."
            )
        text = file.read(4096)
    if not (text.startswith(prefix.encode()) and text.endswith(b"\n") and text.isascii()):
        raise StorageFailure("key_file", f"The file {path} is not a key file of this kind.")
    return text[len(prefix) : -1].decode("ascii")


def write_key_file(path: Path, line: str) -> None:
    """Make a key file that only its owner may read: whole or not at all, durable on return.

    Raises:
        FileExistsError: There is one already; it is left as it is.
    """
    if path.is_symlink() or path.exists():
        raise FileExistsError(errno.EEXIST, "there is a key file already", str(path))
    # Under another name first: a killed process must not leave half a key behind.
    draft = path.with_name(path.name + ".new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(draft, flags, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(descriptor, 0o600)
        file.write(line.encode("ascii") + b"\n")
        file.flush()
        os.fsync(descriptor)
    draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def vault_from_file(path: Path, entropy: Entropy) -> Vault:
    """Return the vault of a key file.

    Raises:
        StorageFailure: As `read_key_file`.
    """
    digits = read_key_file(path, VAULT_PREFIX)
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES or key.hex() != digits:
        raise StorageFailure("key_file", f"The file {path} is not a key file of this kind.")
    return Vault(key, entropy)


def make_vault_file(path: Path, entropy: Entropy) -> None:
    """Make the key file of a new vault.

    Raises:
        FileExistsError: There is one already.
    """
    write_key_file(path, VAULT_PREFIX + entropy(KEY_BYTES).hex())
