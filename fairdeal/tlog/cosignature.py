"""What a witness adds to a checkpoint: a time and a signature (C2SP tlog-cosignature, v1)."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import Note, Signature

COSIGNATURE: Final = b"\x04"
MAX_TIME: Final = 2**63 - 1

_KEY: Final = re.compile(r"([!-*,-~]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
_SIGNATURE_BYTES: Final = 8 + 64


@dataclass(frozen=True, slots=True)
class WitnessKey:
    """The public key of a witness.

    Attributes:
        name: Visible ASCII without `+`.
        public: 32 bytes.
    """

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The 4 bytes that its signature lines begin with."""
        return sha256(self.name.encode() + b"\n" + COSIGNATURE + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The vkey, ``NAME+KEYID+BASE64``."""
        return f"{self.name}+{self.key_id.hex()}+{b64encode(COSIGNATURE + self.public).decode()}"


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A witness' word: at this time this was the largest tree of its log that it had seen.

    Attributes:
        witness: Who.
        time: Seconds since 1970.
        line: As it stands in the note.
    """

    witness: WitnessKey
    time: int
    line: Signature


def parse_witness_key(text: str) -> WitnessKey:
    """Read the vkey of a witness, key type 0x04.

    Raises:
        MalformedInput: `bad_vkey`.
    """
    match = _KEY.fullmatch(text)
    if match is not None:
        data = b64decode(match[3])
        read = WitnessKey(match[1], data[1:])
        if read.text == text:
            return read
    raise MalformedInput("bad_vkey", "This is not the key of a witness, NAME+KEYID+BASE64.")


def verify_cosignature(text: str, line: Signature, witness: WitnessKey) -> Cosignature:
    """Return what a line of a witness says.

    Raises:
        MalformedInput: `bad_signature`: it is false, or none of this kind.
    """
    time = int.from_bytes(line.signature[:8])
    if len(line.signature) == _SIGNATURE_BYTES and time <= MAX_TIME:
        try:
            Ed25519PublicKey.from_public_bytes(witness.public).verify(
                line.signature[8:], _message(text, time)
            )
        except (InvalidSignature, ValueError):
            pass
        else:
            return Cosignature(witness, time, line)
    raise MalformedInput("bad_signature", f"The note's signature by {witness.name} is false.")


def read_cosignatures(note: Note, witnesses: Iterable[WitnessKey]) -> tuple[Cosignature, ...]:
    """Return what trusted witnesses say of a note, in the order of its lines.

    Raises:
        MalformedInput: `bad_signature`: a line of one of them is false.
    """
    known = {(one.name, one.key_id): one for one in witnesses}
    return tuple(
        verify_cosignature(note.text, line, witness)
        for line in note.signatures
        if (witness := known.get((line.name, line.key_id))) is not None
    )


def _message(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()
