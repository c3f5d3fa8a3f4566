"""The key that receipts are signed with, and the public keys of those before it.

`receipt.key` holds the private key in force. `receipt.vkey` holds public keys, one a line, the
newest first: what the service has told. A key that was replaced is kept as `receipt-KEYID.key`;
nothing reads it again.
"""

import os
from pathlib import Path
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.records.notes import KEY_FILE_PREFIX, SigningKey, parse_key_file
from fairdeal.store.keyfiles import read_key_file, write_key_file
from fairdeal.store.vault import Entropy

RECEIPT_KEY: Final = "receipt.key"
RECEIPT_VKEY: Final = "receipt.vkey"


def receipt_key(
    folder: Path, origin: str, entropy: Entropy, made: dict[str, Path]
) -> tuple[SigningKey, tuple[str, ...]]:
    """Return the key in force and the other public keys that were told, newest first.

    Args:
        folder: Where the files lie; made where neither of them is there.
        origin: The name that the key has to have.
        entropy: Gives the seed of a new key.
        made: Gets the files that are made, by what they are for.

    Raises:
        StorageFailure: A file is not as it must be, or the key was never told.
    """
    path, public = folder / RECEIPT_KEY, folder / RECEIPT_VKEY
    told = told_keys(public)
    if not path.exists() and not told:
        # Only where no public key was told: receipts are checked with the one that was.
        write_signing_key(path, SigningKey(origin, entropy(32)))
        made["receipt key"] = path
    key = read_signing_key(path)
    if key.name != origin:
        raise StorageFailure(
            "other_origin", f"The key in {path} signs for {key.name}, not for {origin}."
        )
    if not told:
        public.write_text(key.vkey + "\n", encoding="ascii")
        made["public key of the receipts"] = public
    elif key.vkey not in told:
        raise StorageFailure("other_key", f"{public} is not the public key of {path}.")
    return key, tuple(vkey for vkey in told if vkey != key.vkey)


def told_name(folder: Path) -> str:
    """Return the name of the service whose folder this is.

    Raises:
        StorageFailure: `key_file`: no service was started there.
    """
    told = told_keys(folder / RECEIPT_VKEY)
    if not told:
        raise StorageFailure("key_file", f"There is no service in {folder}.")
    return told[0].partition("+")[0]


def new_receipt_key(folder: Path, entropy: Entropy) -> str:
    """Put a new key in force, under the same name; return its vkey.

    Killed at any point, it leaves a folder that starts: a public key is told before its private
    one signs, and there is a private key at each moment.

    Raises:
        StorageFailure: There is no key to be followed, or it cannot be read.
    """
    path, public, fresh = folder / RECEIPT_KEY, folder / RECEIPT_VKEY, folder / "receipt.next.key"
    old = read_signing_key(path)
    new = SigningKey(old.name, entropy(32))
    fresh.unlink(missing_ok=True)
    write_signing_key(fresh, new)
    draft = folder / (RECEIPT_VKEY + ".new")
    lines = [new.vkey, *[vkey for vkey in told_keys(public) if vkey != old.vkey]]
    lines.insert(1, old.vkey)
    draft.write_text("".join(f"{vkey}\n" for vkey in lines), encoding="ascii")
    draft.replace(public)
    kept = folder / f"receipt-{old.verifying_key.key_id.hex()}.key"
    kept.unlink(missing_ok=True)
    os.link(path, kept)
    fresh.replace(path)
    return new.vkey


def told_keys(public: Path) -> tuple[str, ...]:
    """Return the vkeys in a file of public keys, newest first; none where it is not there."""
    return tuple(public.read_text("ascii", "replace").split()) if public.exists() else ()


def read_signing_key(path: Path) -> SigningKey:
    """Return the private key in a key file.

    Raises:
        StorageFailure: `key_file`.
        MalformedInput: `bad_key_file`.
    """
    return parse_key_file(KEY_FILE_PREFIX + read_key_file(path, KEY_FILE_PREFIX) + "\n")


def write_signing_key(path: Path, key: SigningKey) -> None:
    """Make the key file of a private key (raises as `write_key_file`)."""
    write_key_file(path, key.key_file().removesuffix("\n"))
