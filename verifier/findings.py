"""What a check can say: an error, a warning, or how a check went (§3.2 to §3.4)."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "wrong", "not-run", "not-applicable"]
Level = Literal["consistent", "pinned", "witnessed", "beacon"]
Verdict = Literal["VALID", "INVALID", "FRAUD", "INCOMPLETE", "MALFORMED"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One error.

    Attributes:
        code: An ``E_`` code of §3.2.
        at: The number of the record at which it stands, counted in the file; None for the whole.
        hand: The hand it concerns, from 1.
        detail: What is there and what was due, in printable ASCII.
        rule: The rule's code where the code is E_ACT_RULE.
    """

    code: str
    detail: str
    at: int | None = None
    hand: int | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """One warning: a ``W_`` code of §3.2, the record it stands at, and why."""

    code: str
    detail: str
    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How one check went; ``not-run`` makes VALID into INCOMPLETE (§3.4)."""

    name: str
    status: Status
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """What is known of one hand at the end of the replay.

    Attributes:
        hand: From 1.
        at: The number of its ``deal`` record.
        status: ``verified`` (opened, and nothing wrong), ``wrong``, or ``not-opened``.
        ending: ``score``, ``abort``, or None while it is in play.
        cards: The faces each seat was dealt after all steps, or None while not opened.
    """

    hand: int
    at: int
    status: Literal["verified", "wrong", "not-opened"]
    ending: Literal["score", "abort"] | None
    cards: tuple[tuple[str, ...], ...] | None = None
