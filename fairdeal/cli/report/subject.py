"""What a report is about: the result of an audit, and the transcripts that it counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding, as the audit has it."""

    code: str
    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day of finished games in a log: of how many, and up to which place."""

    day: str
    games: int
    last_index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The first page, and what the pictures need to know.

    Attributes:
        verdict: One or a few words, in capitals.
        sentence: What they mean here.
        exit_status: The audit's.
        root: 64 hex digits that name exactly this input; every sample is drawn with it.
        scope: Names and values, for people.
        method: Sentences.
        command: How to make this report again; DIR is the input.
        faults: Some of the findings, in the audit's order.
        found: How many findings there were.
        figures: Numbers of the audit, by name, for the appendix.
        statistics: Lines that the audit itself printed of its looks at the deals.
        days: Of a log.
        promises: Secrets of hands that came in time, those that came late, the longest wait in
            ms; None where there is no log.
    """

    kind: Literal["log", "folder"]
    verdict: str
    sentence: str
    exit_status: int
    root: str
    scope: tuple[tuple[str, str], ...]
    method: tuple[str, ...]
    command: str
    faults: tuple[Fault, ...] = ()
    found: int = 0
    figures: dict[str, object]
    statistics: tuple[str, ...] = ()
    days: tuple[Day, ...] = ()
    promises: tuple[int, int, int] | None = None


class Source(Protocol):
    """Something that can be reported on."""

    @property
    def subject(self) -> Subject:
        """What was found."""

    def transcripts(self) -> Iterator[bytes]:
        """Yield the finished games that count, in an order that is always the same."""

    def places(self, game: str) -> dict[int, int]:
        """Return the place in the log of each record of a game that is there, by its number."""
