"""The text form of a signed note, unverified (C2SP signed-note, protocol §2.10).

A note is a text, a blank line and one line a signature: ``— NAME BASE64(key id || signature)``.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from dataclasses import dataclass
from typing import Final

from fairdeal.errors import MalformedInput

MAX_NOTE_CHARACTERS: Final = 65_536
MAX_SIGNATURES: Final = 64

_SIGNATURE: Final = re.compile(r"— (?P<name>[^\s+]+) (?P<signature>[A-Za-z0-9+/]+={0,2})")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line of a note, not verified.

    Attributes:
        name: Of the key.
        key_id: 4 bytes.
        signature: The bytes after the key id.
    """

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A note as read, not verified: trust only what `fairdeal.records.notes.open_note` returns.

    Attributes:
        text: Ends with an LF.
        signatures: At least one, in the order of the lines.
    """

    text: str
    signatures: tuple[Signature, ...]


def format_note(note: Note) -> str:
    """Return the text form of a note."""
    lines = [
        f"— {signed.name} {b64encode(signed.key_id + signed.signature).decode()}\n"
        for signed in note.signatures
    ]
    return note.text + "\n" + "".join(lines)


def parse_note(text: str) -> Note:
    """Read a note without verifying it; ``format_note(parse_note(x)) == x``.

    Raises:
        MalformedInput: Code `bad_note`.
    """
    if len(text) > MAX_NOTE_CHARACTERS:
        raise _bad_note(f"has over {MAX_NOTE_CHARACTERS} characters")
    # The last blank line ends the text: a text may hold blank lines, signatures none.
    head, blank, tail = text.rpartition("\n\n")
    lines = tail.split("\n")
    if not blank or lines.pop() != "" or not lines:
        raise _bad_note("has no signature behind a blank line")
    if len(lines) > MAX_SIGNATURES:
        raise _bad_note(f"has over {MAX_SIGNATURES} signatures")
    signed = head + "\n"
    check_text(signed)
    return Note(signed, tuple(_signature(line) for line in lines))


def check_text(text: str) -> None:
    """Refuse a text that no note can hold.

    Raises:
        MalformedInput: Code `bad_note`: no LF at the end, or a control character other than LF.
    """
    if not text.endswith("\n"):
        raise _bad_note("has a text that does not end with a line feed")
    if _CONTROL.search(text):
        raise _bad_note("has a control character or an unpaired surrogate in it")


def _signature(line: str) -> Signature:
    match = _SIGNATURE.fullmatch(line)
    if match is not None:
        raw = _base64(match["signature"])
        if raw is not None and len(raw) > 4:
            return Signature(match["name"], raw[:4], raw[4:])
    raise _bad_note("has a line among its signatures that is none")


def _base64(text: str) -> bytes | None:
    """Return the bytes of a base64 text that they encode to again; None if there are none."""
    try:
        raw = b64decode(text, validate=True)
    except BadBase64:
        return None
    return raw if b64encode(raw).decode() == text else None


def _bad_note(why: str) -> MalformedInput:
    return MalformedInput("bad_note", f"The note {why}.")
