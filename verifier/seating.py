"""The draw for seats: a small dealt-only game that record 0 names by its last record (§6.1)."""

from typing import BinaryIO

from verifier.reading import Transcript, read_transcript
from verifier.verdict import Report


def why_not_seated(transcript: Transcript, draw: Report, file: BinaryIO) -> str | None:
    """Say why a record is not that of the draw that a game names, or None if it is.

    Args:
        transcript: The game's.
        draw: What the verifier says of the draw's record.
        file: The draw's record, seekable.
    """
    named = _named_draw(transcript)
    if named is None:
        return "record 0 names no draw for seats"
    if draw.verdict != "VALID":
        faults = f" ({draw.errors[0].code})" if draw.errors else ""
        return f"the record of the draw is {draw.verdict}{faults}, not VALID"
    other = read_transcript(file)
    assert other.open is not None
    assert transcript.open is not None
    last = other.heads[-1]
    if (draw.game, last.digest) != named:
        return (
            f"record 0 names the draw {named[0]} with the last record {named[1]}, given is"
            f" {draw.game} with {last.digest}"
        )
    if other.open.is_refereed:
        return "the draw is no dealt-only game"
    if other.open.origin != transcript.open.origin:
        return f"the draw is of {other.open.origin}, the game of {transcript.open.origin}"
    if len(other.open.seats) != len(transcript.open.seats):
        return f"{len(other.open.seats)} seats drew, the game has {len(transcript.open.seats)}"
    if last.fields.t > transcript.heads[0].fields.t:
        return "the draw ended after the game was opened"
    return None


def _named_draw(transcript: Transcript) -> tuple[str, str] | None:
    """Return game and hash that ``rules.play.seating`` names, or None where it names none."""
    play = transcript.open.rules.get("play") if transcript.open else None
    seating = play.get("seating") if isinstance(play, dict) else None
    if not isinstance(seating, dict) or seating.get("how") != "draw":
        return None
    return str(seating.get("game")), str(seating.get("master_record"))
