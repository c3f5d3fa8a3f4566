"""Stage 5, the level and the verdict (§3.1 to §3.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from verifier.evidence import Evidence
from verifier.findings import Check, Finding, HandLine, Level, Verdict, Warned
from verifier.held import Held
from verifier.replay.state import Hand, State

LEVELS: Final[tuple[Level, ...]] = ("consistent", "pinned", "witnessed", "beacon")
SENTENCES: Final[dict[Verdict, str]] = {
    "VALID": "The cards were dealt exactly as the locked deck and the players' seeds say.",
    "INCOMPLETE": "Nothing wrong so far; the rest can be checked when the game ends.",
    "INVALID": "This file contradicts itself or what you hold;"
    " nobody's signature proves who changed it.",
    "FRAUD": "The dealer's own signature proves a false deal or record.",
    "MALFORMED": "This is not a readable game record.",
}
EXITS: Final[dict[Verdict, int]] = {
    "VALID": 0,
    "INVALID": 1,
    "FRAUD": 1,
    "INCOMPLETE": 3,
    "MALFORMED": 4,
}
USAGE_EXIT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a check of one file found.

    Attributes:
        level: With VALID and INCOMPLETE.
        errors: In the order of §3.2; the first is the primary one.
        game: The game's name, or None where nothing could be read.
        open_hash: H256 of record 0's line, what every seat line and table code stand on.
        proof: Where the verdict is FRAUD: lines 0 to n, the notes and the keys that a third
            party needs to see it for themselves.
    """

    verdict: Verdict
    level: Level | None
    errors: tuple[Finding, ...]
    warnings: tuple[Warned, ...]
    checks: tuple[Check, ...]
    game: str | None
    open_hash: str | None = None
    hands: tuple[HandLine, ...] = ()
    proof: dict[str, list[str]] | None = None

    def exit_status(self, require: Level | None = None) -> int:
        """Return the exit status; VALID below the level asked for is 3."""
        if self.verdict == "VALID" and require and self.level:
            return 3 if LEVELS.index(self.level) < LEVELS.index(require) else 0
        return EXITS[self.verdict]


def find_withheld(state: State, held: Held) -> Finding | None:
    """Stage 5: the master is overdue by a time the user trusts."""
    if state.is_ended or held.now is None or held.now <= state.terms.reveal_by:
        return None
    detail = f"the master was due by {state.terms.reveal_by} ms, it is {held.now} ms now"
    return Finding(code="E_REVEAL_WITHHELD", detail=detail)


def decide(
    errors: Sequence[Finding], evidence: Evidence, checks: Iterable[Check], state: State | None
) -> tuple[Verdict, Level | None, tuple[Warned, ...]]:
    """Return the verdict, its level, and the warnings that come with the level."""
    if any(map(evidence.is_provable, errors)):
        return "FRAUD", None, ()
    if errors:
        return "INVALID", None, ()
    level: Level = "pinned" if evidence.is_pinned else "consistent"
    is_whole = state is not None and state.is_ended
    if any(check.status == "not-run" for check in checks):
        is_whole = False
    return "VALID" if is_whole else "INCOMPLETE", level, _level_warnings(level, evidence)


def _level_warnings(level: Level, evidence: Evidence) -> tuple[Warned, ...]:
    if level != "consistent":
        return ()
    detail = "nothing you gave shows that record 0 was fixed before the seeds were known"
    warnings = [Warned(code="W_COMMIT_TIME_UNPROVEN", detail=detail)]
    if evidence.is_master_only:
        detail = (
            "you noted the master's commitment; rules, seats and first seat could have been"
            " made anew after the seeds. Note the hash of record 0 or the table code"
        )
        warnings.append(Warned(code="W_COMMIT_ONLY", detail=detail))
    return tuple(warnings)


def hand_lines(state: State) -> tuple[HandLine, ...]:
    """Return what is known of each hand."""
    return tuple(_hand_line(state, hand) for hand in state.hands)


def _hand_line(state: State, hand: Hand) -> HandLine:
    cards = None
    if hand.table:
        deck = state.terms.deck
        cards = tuple(tuple(deck[card] for card in held) for held in hand.table.hands)
    return HandLine(
        hand=hand.number,
        at=hand.at,
        status="wrong" if hand.is_wrong else "verified" if cards else "not-opened",
        ending=hand.ending[1] if hand.ending else None,
        cards=cards,
    )
