"""Signed notes, the keys that verify them, and the receipts they carry (§2.10, §2.11)."""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Final

from verifier.ed25519 import KEY_BYTES, PublicKey, load_key

ED25519_TYPE: Final = b"\x01"
COSIGNATURE_TYPE: Final = b"\x04"  # cosignature/v1: a witness' Ed25519 key (§2.11)
KEY_ID_BYTES: Final = 4
MAX_SIGNATURES: Final = 100  # of one note

_SIGNATURE: Final = re.compile("\u2014 ([^ +\n]+) ([A-Za-z0-9+/]+={0,2})")
_RECEIPT: Final = re.compile(
    "pfd1 receipt\n([^\n]+)\n([^\n]+)\n(0|[1-9][0-9]{0,15})\n([0-9a-f]{64})\n"
)
_CARD: Final = re.compile(
    "pfd1 card\n([^\n]+)\n([^\n]+)\n"
    "([1-9][0-9]{0,15})\n(0|[1-9][0-9]{0,15})\n(0|[1-9][0-9]{0,15})\n([\x21-\x7e]{1,8})\n"
)
_LINE: Final = re.compile("[^\n]*\n|[^\n]+")


class KeyFault(Exception):
    """A verifier key is not of the form NAME+KEYID+BASE64, or no usable Ed25519 key."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A named Ed25519 key that a user trusts: a log's, a receipt key, a witness'.

    Attributes:
        key_id: First 4 bytes of H256(name, LF, key type, key).
        text: As it was given.
    """

    name: str
    key_id: bytes
    key: PublicKey
    text: str

    @property
    def label(self) -> str:
        """``NAME+KEYID``: what people compare."""
        return f"{self.name}+{self.key_id.hex()}"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the server signed: in this game, record ``n`` has this hash.

    Attributes:
        key_name: The name of the key that verified the note.
        note: The whole note, for the evidence file.
        signer: ``NAME+KEYID`` of that key.
    """

    origin: str
    game: str
    n: int
    digest: str
    key_name: str
    note: str
    signer: str


@dataclass(frozen=True, slots=True)
class CardNote:
    """What the server signed: the stock card at this position was shown so to this seat (§6.5).

    Attributes:
        key_name: The name of the key that verified the note.
        note: The whole note, for the evidence file.
        signer: ``NAME+KEYID`` of that key.
    """

    origin: str
    game: str
    hand: int
    seat: int
    position: int
    face: str
    key_name: str
    note: str
    signer: str


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: the signer's name, and key id and signature as bytes."""

    name: str
    data: bytes

    def is_by(self, key: VerifierKey) -> bool:
        """Return whether the line names this key; nothing is verified by that."""
        return self.name == key.name and self.data[:KEY_ID_BYTES] == key.key_id


def parse_key(text: str, key_type: bytes = ED25519_TYPE) -> VerifierKey:
    """Return the key of ``NAME+KEYID+BASE64``.

    Args:
        text: As the user gave it.
        key_type: What signs with it: ED25519_TYPE or COSIGNATURE_TYPE.

    Raises:
        KeyFault: Any part is wrong, or the id is not that of the key.
    """
    parts = text.split("+", 2)
    if len(parts) != 3 or not parts[0] or any(map(str.isspace, parts[0])):
        raise KeyFault("not of the form NAME+KEYID+BASE64")
    name, key_id, encoded = parts
    data = decode_base64(encoded)
    if data is None or data[:1] != key_type or len(data) != 1 + KEY_BYTES:
        raise KeyFault(f"no Ed25519 key of the type {key_type[0]} in Base64")
    due = hashlib.sha256(_encode(name) + b"\n" + data).digest()[:KEY_ID_BYTES]
    if key_id != due.hex():
        raise KeyFault(f"the key id is {key_id[:20]!a}, due is {due.hex()}")
    key = load_key(data[1:])
    if key is None:
        raise KeyFault("not a point that may be a key")
    return VerifierKey(name, due, key, text)


def decode_base64(text: str) -> bytes | None:
    """Return the bytes of canonical Base64, or None."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def _encode(text: str) -> bytes:
    # An unpaired surrogate is no UTF-8; its bytes here are ones that nobody signs.
    return text.encode(errors="surrogatepass")


def split_notes(text: str) -> list[str]:
    """Return notes that stand one after another; what is no note comes as it stands.

    A note ends with its last signature line; empty lines between notes are passed over.
    """
    notes: list[str] = []
    lines: list[str] = []
    is_signed = False
    for line in _LINE.findall(text):
        is_signature = line.startswith("\u2014 ")
        if is_signed and not is_signature:
            notes.append("".join(lines))
            lines, is_signed = [], False
        if lines or line.strip():
            lines.append(line)
        is_signed = is_signed or is_signature
    if lines:
        notes.append("".join(lines))
    return notes


def split_note(note: str) -> tuple[str, list[Signature]] | None:
    """Return the note's text, its LF included, and its signatures; None where it is no note."""
    text, gap, block = note.rpartition("\n\n")
    if not gap or not block.endswith("\n"):
        return None
    matches = [_SIGNATURE.fullmatch(line) for line in block[:-1].split("\n")]
    if len(matches) > MAX_SIGNATURES or None in matches:
        return None
    signatures = []
    for match in filter(None, matches):
        data = decode_base64(match[2])
        if data is not None:
            signatures.append(Signature(match[1], data))
    return text + "\n", signatures


def verify_note(note: str, keys: tuple[VerifierKey, ...]) -> tuple[str, VerifierKey] | None:
    """Return the note's text and the first key that signed it, or None."""
    parts = split_note(note)
    if parts is None:
        return None
    text, signatures = parts
    for signature in signatures:
        for key in keys:
            if signature.is_by(key) and verifies(key, text, signature.data[KEY_ID_BYTES:]):
                return text, key
    return None


def verifies(key: VerifierKey, text: str, signature: bytes) -> bool:
    """Return whether 64 bytes are a key's signature over a text."""
    return key.key.verify(_encode(text), signature)


def read_receipt(note: str, keys: tuple[VerifierKey, ...]) -> Receipt | None:
    """Return the receipt that a note carries, if one of the keys signed it."""
    form = _RECEIPT.match(note)
    if form is None:
        return None
    verified = verify_note(note, keys)
    if verified is None or verified[0] != form[0]:
        return None
    key = verified[1]
    return Receipt(form[1], form[2], int(form[3]), form[4], key.name, note, key.label)


def read_card(note: str, keys: tuple[VerifierKey, ...]) -> CardNote | None:
    """Return the card note that a note is, if one of the keys signed it."""
    form = _CARD.match(note)
    if form is None:
        return None
    verified = verify_note(note, keys)
    if verified is None or verified[0] != form[0]:
        return None
    return CardNote(
        form[1],
        form[2],
        int(form[3]),
        int(form[4]),
        int(form[5]),
        form[6],
        verified[1].name,
        note,
        verified[1].label,
    )
