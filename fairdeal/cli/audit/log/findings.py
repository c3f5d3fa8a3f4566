"""What an audit of a log found, and what it comes to."""

from dataclasses import asdict, dataclass, field
from typing import Final, Literal

MOST_FINDINGS: Final = 1000
"""Kept of a log that is wrong all over; how many there were is counted all the same."""

ExitStatus = Literal[0, 1, 3, 4]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, or is told.

    Attributes:
        code: Stable. ``E_``: wrong. ``W_``: told. ``I_``: not complete yet. ``M_``: no log that
            could be read.
        sentence: For people.
        index: Of the leaf, from 0.
        game: Its name.
        path: Of the file below the log's prefix.
    """

    code: str
    sentence: str
    index: int | None = None
    game: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was counted since the log's first leaf; transcripts and their verdicts in this run.

    Attributes:
        reveals_late: Secrets of hands that came later than 5 s after the score.
        longest_reveal_ms: The longest of these waits; 0 without one.
        transcripts: Read in this run.
        verified: Of them fully verified, or re-derived only with `--fast`.
        verdicts: Of the verifier, by word; `re-derived` beside them.
    """

    leaves: int = 0
    opened: int = 0
    closed: int = 0
    open: int = 0
    voids: int = 0
    hands: int = 0
    aborted: int = 0
    reveals_late: int = 0
    longest_reveal_ms: int = 0
    transcripts: int = 0
    verified: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAudit:
    """The result of an audit of a log.

    Attributes:
        origin: The log's name; empty where no checkpoint could be read.
        size: Of the tree.
        root: Of the tree, hexadecimal.
        is_pinned: Whether the caller said whom to trust; else it was the log's own policy.
        quorum: So many cosignatures are needed.
        cosigned: By witness that is trusted, when, seconds since 1970.
        complete_to_index: Each `master` before this place has its transcript in a bundle.
        since: The size at the last audit with the same state; None at the first.
        findings: In the order of the passes, at most MOST_FINDINGS.
        found: How many there were.
        statistics: Lines of `fairdeal stats`; none where there is too little to look at.
        is_saved: Whether the state was kept for the next audit.
    """

    origin: str
    size: int
    root: str
    is_pinned: bool
    quorum: int
    cosigned: dict[str, int]
    complete_to_index: int
    since: int | None
    findings: tuple[Finding, ...]
    found: int
    counts: Counts
    statistics: tuple[str, ...] = ()
    is_fast: bool = False
    sample_seed: str = ""
    is_saved: bool = False

    @property
    def exit_status(self) -> ExitStatus:
        """1 where something is wrong, 4 where no log could be read, 3 incomplete, else 0."""
        kinds = {one.code[:2] for one in self.findings}
        if "E_" in kinds:
            return 1
        if "M_" in kinds:
            return 4
        return 3 if "I_" in kinds else 0

    @property
    def word(self) -> str:
        """The verdict in a word."""
        words = {0: "FAIR AS LOGGED", 1: "WRONG", 3: "UNFINISHED", 4: "CANNOT READ"}
        return words[self.exit_status]

    def to_json(self) -> dict[str, object]:
        """Return it as JSON has it."""
        said = {"kind": "fairdeal-log-audit-1", "verdict": self.word, "exit": self.exit_status}
        return said | asdict(self)
