"""Keys of a log and of its witnesses, and notes by them."""

from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairdeal.records.noteform import Note, Signature, format_note, parse_note
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.cosignature import WitnessKey

ORIGIN = "cards.example/log/1"
KEY = SigningKey(ORIGIN, bytes(32))
NEXT_KEY = SigningKey(ORIGIN, bytes([1]) * 32)
STRANGER = SigningKey("elsewhere.example/log", bytes([2]) * 32)
SEEDS = {f"witness.example/w{at}": bytes([at]) * 32 for at in range(3, 6)}
WITNESSES = tuple(
    WitnessKey(name, SigningKey(name, seed).verifying_key.public) for name, seed in SEEDS.items()
)
ROOT = bytes(range(32))
CHECKPOINT = Checkpoint(ORIGIN, 300, ROOT)
TIME = 1_764_000_000


def line(at=0, text=CHECKPOINT.text, time=TIME):
    """Return the line of a witness."""
    name = WITNESSES[at].name
    return cosign(name, SEEDS[name], text, time)


def cosign(name: str, seed: bytes, text: str, time: int) -> Signature:
    """Return a witness' line over the body of a checkpoint.

    Args:
        name: Of the witness.
        seed: Its private key, 32 bytes.
        text: The body.
        time: Seconds since 1970.
    """
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key = WitnessKey(name, private.public_key().public_bytes_raw())
    signature = private.sign(f"cosignature/v1\ntime {time}\n{text}".encode())
    return Signature(name, key.key_id, time.to_bytes(8) + signature)


def noted(*lines, keys=(KEY,), checkpoint=CHECKPOINT):
    """Return the note of a checkpoint."""
    return with_lines(checkpoint.sign(*keys), lines)


def with_lines(note: str, lines: Iterable[Signature]) -> str:
    """Return a note with further signature lines."""
    parsed = parse_note(note)
    return format_note(Note(parsed.text, (*parsed.signatures, *lines)))
