"""Seals what may not lie readable on a disk, under the newest of the keys in a file.

A sealed text is AES-256-GCM: one version byte, the name of the key (8 bytes), a nonce of 12 bytes,
the ciphertext with its tag. What it is sealed *for* (a game's master secret, a kept answer) is
authenticated with it, so that a row moved to another place opens nowhere. Texts of version 1, from
before a vault had several keys, name no key.

The key file holds one key a line, the newest first. Earlier keys stay until nothing needs them;
a process that meets a text under a key that it does not know reads the file again.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fairdeal.errors import StorageFailure
from fairdeal.store.keyfiles import read_key_lines, replace_key_file, write_key_file

KEY_BYTES: Final = 32
NAME_BYTES: Final = 8
NONCE_BYTES: Final = 12
VAULT_PREFIX: Final = "fairdeal-SECRET-vault-key-1:"

Entropy = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee; the operating system's, outside of tests."""

Fresh = Callable[[], tuple[bytes, ...] | None]
"""Gives the keys, newest first, where they have changed since the last call; None otherwise."""

_NAMELESS: Final = b"\x01"
_VERSION: Final = b"\x02"


class _Key:
    """One key, ready for use, and the public name by which sealed texts call it."""

    __slots__ = ("cipher", "name")

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a vault key has {KEY_BYTES} bytes")
        self.name = sha256(b"fairdeal/vault-key-name\n" + key).digest()[:NAME_BYTES]
        self.cipher = AESGCM(key)


class Vault:
    """Seals under its newest key and opens under any; shows none. Safe to call from any thread.

    Args:
        key: The newest key, 32 bytes.
        entropy: Gives the nonce of each sealing.
        earlier: The keys before it, newest first.
        fresh: Asked before each sealing, and where a text does not open, for keys that came since.

    Raises:
        ValueError: A key has another size.
    """

    __slots__ = ("_entropy", "_fresh", "_keys")

    def __init__(
        self,
        key: bytes,
        entropy: Entropy,
        *,
        earlier: Sequence[bytes] = (),
        fresh: Fresh = lambda: None,
    ) -> None:
        self._keys = tuple(_Key(one) for one in (key, *earlier))
        self._entropy = entropy
        self._fresh = fresh

    def __repr__(self) -> str:
        return "Vault(silent)"

    def seal(self, purpose: str, content: bytes) -> bytes:
        """Return the content sealed for one purpose, 37 bytes longer.

        Raises:
            StorageFailure: `key_file`: the key file was replaced by one that cannot be read.
        """
        self._refresh()
        key = self._keys[0]
        head, nonce = _VERSION + key.name, self._entropy(NONCE_BYTES)
        return head + nonce + key.cipher.encrypt(nonce, content, head + purpose.encode())

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """Return what was sealed for this purpose.

        Raises:
            StorageFailure: `vault_shut`: no key of this vault sealed it, it was sealed for another
                purpose, or it was altered; `key_file` as `seal`.
        """
        while True:
            for key, head in self._fitting(sealed):
                nonce, body = sealed[len(head) :][:NONCE_BYTES], sealed[len(head) + NONCE_BYTES :]
                bound = b"" if head == _NAMELESS else head
                # Too short a nonce or body is a ValueError there.
                with contextlib.suppress(InvalidTag, ValueError):
                    return key.cipher.decrypt(nonce, body, bound + purpose.encode())
            if not self._refresh():
                break
        raise StorageFailure("vault_shut", "A sealed secret does not open with this vault key.")

    def is_new(self, sealed: bytes) -> bool:
        """Say whether a text needs no key but the newest."""
        return sealed.startswith(_VERSION + self._keys[0].name)

    def _fitting(self, sealed: bytes) -> Iterator[tuple[_Key, bytes]]:
        """Yield each key that may have sealed a text, with what the text begins with then."""
        for key in self._keys:
            for head in (_VERSION + key.name, _NAMELESS):
                if sealed.startswith(head):
                    yield key, head

    def _refresh(self) -> bool:
        """Take the keys that came since; say whether there were any."""
        keys = self._fresh()
        if keys is None:
            return False
        self._keys = tuple(_Key(key) for key in keys)
        return True


class VaultFile:
    """The key file of a vault.

    Args:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._seen: tuple[int, int] | None = None

    def make(self, entropy: Entropy) -> None:
        """Make the file, with one key.

        Raises:
            FileExistsError: There is one already.
        """
        write_key_file(self._path, _line(entropy(KEY_BYTES)))

    def read(self) -> tuple[bytes, ...]:
        """Return the keys, newest first.

        Raises:
            StorageFailure: `key_file`, as `keyfiles.read_key_lines`.
        """
        keys = tuple(_key(digits) for digits in read_key_lines(self._path, VAULT_PREFIX))
        if b"" in keys or len(set(keys)) < len(keys):
            raise StorageFailure(
                "key_file", f"The file {self._path} is not a key file of this kind."
            )
        return keys

    def fresh(self) -> tuple[bytes, ...] | None:
        """Return the keys where the file was replaced since the last call, or None.

        A file that was taken away after the start changes nothing.
        """
        with self._lock, contextlib.suppress(FileNotFoundError):
            now = self._path.lstat()
            # Looked at before it is read: a file that comes in between is read once too often.
            seen = (now.st_ino, now.st_mtime_ns)
            if seen != self._seen:
                keys = self.read()
                self._seen = seen
                return keys
        return None

    def add(self, entropy: Entropy) -> None:
        """Put a new key before the others; from then on it seals."""
        keys = (entropy(KEY_BYTES), *self.read())
        replace_key_file(self._path, [_line(key) for key in keys])

    def drop_earlier(self) -> None:
        """Keep the newest key alone. What only another one opens is lost for good."""
        replace_key_file(self._path, [_line(self.read()[0])])

    def vault(self, entropy: Entropy) -> Vault:
        """Return the vault of these keys, which takes those that come later.

        Raises:
            StorageFailure: As `read`.
        """
        key, *earlier = self.fresh() or self.read()
        return Vault(key, entropy, earlier=earlier, fresh=self.fresh)


def _line(key: bytes) -> str:
    return VAULT_PREFIX + key.hex()


def _key(digits: str) -> bytes:
    """Return the key that these digits write, or nothing for digits that write none."""
    with contextlib.suppress(ValueError):
        key = bytes.fromhex(digits)
        if len(key) == KEY_BYTES and key.hex() == digits:
            return key
    return b""
