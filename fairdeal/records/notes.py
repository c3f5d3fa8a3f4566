"""Signed notes in the C2SP format, with Ed25519, and the receipts made of them (protocol §2.10).

A note is a text, a blank line and one line a signature: ``— NAME BASE64(key id || signature)``.
The key id is the first 4 bytes of the SHA-256 of name, LF, 0x01 and public key.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairdeal.errors import MalformedInput
from fairdeal.records.chain import Record
from fairdeal.records.noteform import (
    Note,
    Signature,
    check_text,
    format_note,
    parse_note,
)

ED25519: Final = b"\x01"
KEY_FILE_PREFIX: Final = "PRIVATE+KEY+"

# A name is an origin too, so the bounds are those of `origin` in §2.10.
_NAME: Final = re.compile(r"[!-*,-~]{1,200}")
# 44 signs of base64 without padding are exactly the 33 bytes of kind and key.
_KEY: Final = re.compile(r"([!-*,-~]{1,200})\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})")


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """The public half of a key: who signs under which name.

    Attributes:
        name: 1 to 200 visible ASCII characters without `+`; the origin.
        public: The Ed25519 public key, 32 bytes.

    Raises:
        MalformedInput: Code `bad_key_name`.
        ValueError: The public key has another length.
    """

    name: str
    public: bytes

    def __post_init__(self) -> None:
        if _NAME.fullmatch(self.name) is None:
            raise MalformedInput(
                "bad_key_name",
                "The name of a key, which is the origin of its service, is 1 to 200 visible ASCII"
                " characters without +.",
            )
        if len(self.public) != 32:
            raise ValueError("an Ed25519 public key has 32 bytes")

    @property
    def key_id(self) -> bytes:
        """The 4 bytes that a signature line begins with."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The vkey, ``NAME+KEYID+BASE64``."""
        return _key_text(self.name, self.key_id, self.public)


class SigningKey:
    """A named Ed25519 key that signs notes; its text forms never show the seed.

    Args:
        name: 1 to 200 visible ASCII characters without `+`; the origin.
        seed: The private key, 32 bytes.

    Raises:
        MalformedInput: The name is not one.
        ValueError: The seed has another length.
    """

    __slots__ = ("_key_id", "_private", "_seed", "verifying_key")

    def __init__(self, name: str, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError("the seed of a signing key has 32 bytes")
        self._seed = seed
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._private.public_key().public_bytes_raw()
        self.verifying_key: Final = VerifyingKey(name, public)
        self._key_id = self.verifying_key.key_id

    @property
    def name(self) -> str:
        """The name it signs under."""
        return self.verifying_key.name

    @property
    def vkey(self) -> str:
        """The text of its public half, ``NAME+KEYID+BASE64``."""
        return self.verifying_key.text

    def key_file(self) -> str:
        """Return the one line to keep in a key file, LF included; it holds the seed."""
        return KEY_FILE_PREFIX + _key_text(self.name, self.verifying_key.key_id, self._seed) + "\n"

    def sign(self, text: str) -> str:
        """Return the note over a text: the text, a blank line, one signature line.

        Raises:
            MalformedInput: The text does not end with a line feed, or no note can hold it.
        """
        check_text(text)
        signature = self._private.sign(text.encode())
        return format_note(Note(text, (Signature(self.name, self._key_id, signature),)))

    def __repr__(self) -> str:
        return f"SigningKey({self.vkey})"


def parse_key_file(text: str) -> SigningKey:
    """Read what `SigningKey.key_file` wrote.

    Raises:
        MalformedInput: Code `bad_key_file`; the message does not quote the text.
    """
    match = _KEY.fullmatch(text.removeprefix(KEY_FILE_PREFIX).removesuffix("\n"))
    if match is not None:
        read = SigningKey(match[1], b64decode(match[2])[1:])
        # Its own form again, so the prefix, the key id and the kind of key are checked too.
        if compare_digest(read.key_file().encode(), text.encode()):
            return read
    raise MalformedInput("bad_key_file", "This is not a key file of ours.")


def parse_vkey(text: str) -> VerifyingKey:
    """Read a vkey, ``NAME+KEYID+BASE64``.

    Raises:
        MalformedInput: Code `bad_vkey`: another form, or the key id does not fit.
    """
    match = _KEY.fullmatch(text)
    if match is not None:
        read = VerifyingKey(match[1], b64decode(match[2])[1:])
        if read.text == text:
            return read
    raise MalformedInput("bad_vkey", "This is not a key of the form NAME+KEYID+BASE64.")


def open_note(text: str, vkeys: Iterable[VerifyingKey]) -> str:
    """Return the text of a note that at least one of the keys signed.

    Signatures under other keys are skipped.

    Args:
        text: The note.
        vkeys: The keys to trust, known from elsewhere.

    Raises:
        MalformedInput: Code `bad_note`: it is no note; `bad_signature`: a signature under one of
            these keys is false, or none of them signed.
    """
    note = parse_note(text)
    trusted = {(key.name, key.key_id): key for key in vkeys}
    verified = False
    for signed in note.signatures:
        key = trusted.get((signed.name, signed.key_id))
        if key is None:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(
                signed.signature, note.text.encode()
            )
        except InvalidSignature:
            raise MalformedInput(
                "bad_signature", f"The note's signature by {key.name} is false."
            ) from None
        verified = True
    if not verified:
        raise MalformedInput("bad_signature", "None of the known keys signed the note.")
    return note.text


def receipt_text(origin: str, game: str, n: int, record_hash: str) -> str:
    """Return the text that a receipt signs (§2.10).

    Args:
        origin: `open.origin`, the name of the key too.
        game: The game's name.
        n: The number of the record.
        record_hash: 64 hex digits.
    """
    return f"pfd1 receipt\n{origin}\n{game}\n{n}\n{record_hash}\n"


def receipt(key: SigningKey, record: Record) -> str:
    """Return the signed receipt of a record, and so of all before it (§2.10).

    Args:
        key: Named as the `origin` of the game's record 0.
        record: The newest record that the receipt covers.
    """
    return key.sign(receipt_text(key.name, record.game, record.n, record.hash))


def card_text(origin: str, game: str, hand: int, seat: int, position: int, face: str) -> str:
    """Return the text that the note on a drawn card signs (§6.5).

    Args:
        origin: `open.origin`, the name of the key too.
        game: The game's name.
        hand: From 1.
        seat: Who drew, from 0.
        position: Within the stock, from 0.
        face: What was drawn.
    """
    return f"pfd1 card\n{origin}\n{game}\n{hand}\n{seat}\n{position}\n{face}\n"


def _key_text(name: str, key_id: bytes, key: bytes) -> str:
    return f"{name}+{key_id.hex()}+{b64encode(ED25519 + key).decode()}"
