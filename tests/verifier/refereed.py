"""Refereed games that ``fairdeal`` writes for the verifier's tests, and what their player holds."""

import io
from functools import cache

from scripts.vectors import styles
from scripts.vectors.folder import receipt
from scripts.vectors.script import Script, Written, as_written
from scripts.vectors.sitting import KEY, Sitting
from verifier.held import Held
from verifier.notes import parse_key
from verifier.verdict import Report
from verifier.verify import verify


@cache
def shortest() -> Sitting:
    """The shortest game with an act: drawn, discarded, given up."""
    sitting = Sitting("shortest", 0, seats="pbbb", hands=1, texts={0: ""})
    sitting.seed()
    sitting.play(styles.closed, most=2)
    sitting.close("x")
    return sitting


@cache
def whole(number: int, hands: int = 16, seats: str = "pbbb") -> Sitting:
    """A game that the bot plays on every seat until it closes."""
    texts = {seat: f"text {seat}" for seat, kind in enumerate(seats) if kind == "p"}
    sitting = Sitting("whole", number, seats=seats, hands=hands, texts=texts)
    sitting.seed()
    sitting.play_all(styles.greedy)
    return sitting


def bytes_of(sitting: Sitting) -> bytes:
    return b"".join(record.line for record in sitting.records)


def written(script: Script) -> bytes:
    return b"".join(script.write().lines)


def signed(one: Sitting | Written) -> Held:
    """Hold the service's receipt of the last record."""
    lines = one if isinstance(one, Written) else as_written(one.records)
    note = receipt(lines, len(lines.lines) - 1)
    return Held(notes=(note,), receipt_keys=(parse_key(KEY.vkey),))


def check(data: bytes, held: Held | None = None) -> Report:
    return verify(io.BytesIO(data), held or Held())


def codes(report: Report) -> list[str]:
    return [error.code for error in report.errors]
