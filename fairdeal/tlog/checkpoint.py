"""Checkpoints: what a log signs of its tree, and reading one back (C2SP tlog-checkpoint)."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import Note, format_note, parse_note
from fairdeal.records.notes import SigningKey, VerifyingKey, open_note
from fairdeal.tlog.cosignature import Cosignature, WitnessKey, read_cosignatures

_BODY: Final = re.compile(r"([!-*,-~]{1,200})\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree's size and root, under the name of its log.

    Attributes:
        origin: The name of the log, and of its key.
        size: Leaves.
        root: 32 bytes.
    """

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The body that is signed, its last LF included."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    def sign(self, *keys: SigningKey) -> str:
        """Return the note by the log's keys; the same bytes each time (Ed25519, RFC 8032)."""
        signed = [parse_note(key.sign(self.text)).signatures[0] for key in keys]
        return format_note(Note(self.text, tuple(signed)))


@dataclass(frozen=True, slots=True)
class Opened:
    """A checkpoint that a trusted log key signed.

    Attributes:
        checkpoint: What was signed.
        cosignatures: Those of trusted witnesses, one of each.
        note: The whole note.
    """

    checkpoint: Checkpoint
    cosignatures: tuple[Cosignature, ...]
    note: str


def parse_body(text: str) -> Checkpoint:
    """Read the body of a checkpoint, without extension lines.

    Raises:
        MalformedInput: `bad_checkpoint`.
    """
    match = _BODY.fullmatch(text)
    if match is not None:
        read = Checkpoint(match[1], int(match[2]), b64decode(match[3]))
        if read.text == text and read.size < 2**63:
            return read
    raise MalformedInput("bad_checkpoint", "This is not a checkpoint: name, size, root.")


def open_checkpoint(
    note: str, log_keys: Iterable[VerifyingKey], witnesses: Iterable[WitnessKey] = ()
) -> Opened:
    """Return the checkpoint of a note that one of the log's keys signed.

    Lines of unknown keys are skipped. A line that names a trusted key and does not verify spoils
    the note, and so do two lines of one key (C2SP signed-note; log.md 2.5).

    Raises:
        MalformedInput: `bad_note`, `bad_signature`, `bad_checkpoint`, `other_origin`: the key that
            signed has another name.
    """
    known = tuple(log_keys)
    parsed = parse_note(note)
    named = [(line.name, line.key_id) for line in parsed.signatures]
    if len(set(named)) != len(named):
        raise MalformedInput("bad_note", "The note has two signatures of one key.")
    text = open_note(note, known)
    checkpoint = parse_body(text)
    signers = {key.name for key in known if (key.name, key.key_id) in named}
    if signers != {checkpoint.origin}:
        raise MalformedInput(
            "other_origin", f"The checkpoint of {checkpoint.origin} has a key of another name."
        )
    return Opened(checkpoint, read_cosignatures(parsed, witnesses), note)
