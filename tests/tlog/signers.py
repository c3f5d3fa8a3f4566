"""Keys of a log and of its witnesses, and notes by them."""

from collections.abc import Iterable

from fairdeal.records.noteform import Note, Signature, format_note, parse_note
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.cosignature import WitnessKey, cosign

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


def noted(*lines, keys=(KEY,), checkpoint=CHECKPOINT):
    """Return the note of a checkpoint."""
    return with_lines(checkpoint.sign(*keys), lines)


def with_lines(note: str, lines: Iterable[Signature]) -> str:
    """Return a note with further signature lines."""
    parsed = parse_note(note)
    return format_note(Note(parsed.text, (*parsed.signatures, *lines)))
