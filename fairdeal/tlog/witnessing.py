"""What a log asks a witness, and what the answers mean (C2SP tlog-witness; docs/log.md)."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from fairdeal.errors import MalformedInput
from fairdeal.records.noteform import Note, Signature, format_note, parse_note
from fairdeal.tlog.cosignature import Cosignature, WitnessKey, verify_cosignature

SIZE_TYPE: Final = "text/x.tlog.size"
FUTURE_S: Final = 300
"""So far may a witness' clock be ahead of ours."""

_SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,18})\n")

Outcome = Literal["cosigned", "stale", "stop", "refused", "later"]
"""`stop` alone ends all signing: a fork, or a tree that is larger than ours."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is to be done after a witness answered.

    Attributes:
        outcome: `cosigned`: take `cosignature`. `stale`: ask again from `size`. `stop`: sign
            nothing any more. `refused`: our fault, do not ask the same again. `later`: back off.
        sentence: Why.
        cosignature: Verified.
        size: What the witness last cosigned.
    """

    outcome: Outcome
    sentence: str
    cosignature: Cosignature | None = None
    size: int | None = None


def request(old: int, path: Sequence[bytes], note: str) -> bytes:
    """Return the body of ``POST add-checkpoint``.

    Args:
        old: The size that the witness last cosigned.
        path: The consistency proof from there; empty from 0 or for the same size.
        note: The signed checkpoint.
    """
    hashes = "".join(f"{b64encode(one).decode()}\n" for one in path)
    return f"old {old}\n{hashes}\n{note}".encode()


def understand(
    status: int,
    content_type: str,
    body: bytes,
    *,
    witness: WitnessKey,
    text: str,
    old: int,
    size: int,
    now: int,
    signed: int = 0,
) -> Answer:
    """Return what an answer means.

    Args:
        status: Of HTTP.
        content_type: Its media type.
        body: At most as much as the caller cares to read.
        witness: Who was asked.
        text: The body of the checkpoint.
        old: What was sent as the old size.
        size: Of the checkpoint.
        now: Seconds since 1970; a cosignature from more than five minutes later is not taken.
        signed: The size of the newest checkpoint that the database has, where another process may
            have shown that one.
    """
    if status == 200:
        return _cosigned(body, witness, text, now)
    if status == 409:
        return _conflict(content_type, body, old, size, signed)
    if status == 422:
        return Answer("stop", "the witness knows another tree: our proof does not hold for it")
    if status == 429 or status >= 500:
        return Answer("later", f"the witness answered {status}")
    return Answer("refused", f"the witness answered {status}: it does not take what we send")


def told_size(content_type: str, body: bytes) -> int | None:
    """Return the size that a witness says in a 409 that it last cosigned; None if it says none."""
    match = _SIZE.fullmatch(body)
    kind = content_type.partition(";")[0].strip().lower()
    return int(match[1]) if match is not None and kind == SIZE_TYPE else None


def with_latest(note: str, found: Iterable[Cosignature]) -> str:
    """Return a note with cosignatures of its text, each in the place of an older one of its key.

    Args:
        note: Its own lines by those keys are cosignatures.
        found: Verified; of each key one.
    """
    parsed = parse_note(note)
    fresh = {(one.line.name, one.line.key_id): one for one in found}
    lines = []
    for line in parsed.signatures:
        one = fresh.pop((line.name, line.key_id), None)
        is_later = one is not None and one.line.signature[:8] > line.signature[:8]
        lines.append(one.line if one is not None and is_later else line)
    lines += [one.line for one in fresh.values()]
    return format_note(Note(parsed.text, tuple(lines)))


def _cosigned(body: bytes, witness: WitnessKey, text: str, now: int) -> Answer:
    lines = _lines(body, text)
    for line in lines:
        if (line.name, line.key_id) != (witness.name, witness.key_id):
            continue
        try:
            found = verify_cosignature(text, line, witness)
        except MalformedInput:
            # A false line under a trusted key would spoil the whole note for every reader.
            return Answer("refused", "the witness' signature is false")
        if found.time > now + FUTURE_S:
            return Answer("later", "the witness' clock is ahead of ours")
        return Answer("cosigned", "cosigned", cosignature=found)
    return Answer("refused", "the witness' answer has no line under the key it told")


def _lines(body: bytes, text: str) -> tuple[Signature, ...]:
    try:
        return parse_note(f"{text}\n{body.decode()}").signatures
    except (MalformedInput, UnicodeDecodeError):
        return ()


def _conflict(content_type: str, body: bytes, old: int, size: int, signed: int) -> Answer:
    known = told_size(content_type, body)
    if known is not None and known > max(size, signed):
        return Answer("stop", f"the witness has seen {known} leaves, we have {max(size, signed)}")
    if known is not None and known > size:
        return Answer(
            "later", f"the witness has seen a later checkpoint of ours, of {known} leaves"
        )
    if known is not None and known != old:
        return Answer("stale", f"the witness last cosigned {known}", size=known)
    if old == size:
        return Answer("stop", f"the witness has seen another tree of {size} leaves")
    return Answer("later", "the witness has last cosigned another size, and does not say which")
