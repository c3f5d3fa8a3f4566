"""Stage 5 and the verdict (§3.2, §3.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from verifier.bundle import Proof
from verifier.evidence import Evidence
from verifier.findings import Check, Finding, HandLine, Level, Verdict, Warned
from verifier.held import Held
from verifier.level import LEVELS, level_of
from verifier.reading import Head
from verifier.replay.state import Hand, State

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
LEVEL_ONLY: Final = frozenset({"beacon signatures"})  # not run, these lower only the level (§2.6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a file goes, how much of it was judged, and who signed it.

    Attributes:
        last: The number of the file's last record.
        judged_to: The number of the last record that was judged; -1 for none.
        deals: How many hands the file deals, judged or not.
        is_ended: The master is out, so the game has ended.
        signed_to: The number of the last record that the server's receipts cover; -1 for none.
        signers: ``NAME+KEYID`` of the keys, given by the user, that signed what was used.
    """

    last: int
    judged_to: int
    deals: int
    is_ended: bool
    signed_to: int
    signers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a check of one file found.

    Attributes:
        level: With VALID and INCOMPLETE.
        errors: In the order of §3.2; the first is the primary one.
        game: The game's name, or None where nothing could be read.
        open_hash: H256 of record 0's line, what every seat line and table code stand on.
        proof: Where the verdict is FRAUD: the notes and keys that a third party needs, beside
            the file's lines, to see it for themselves.
        reach: How far the file was judged and signed; None where it is MALFORMED.
    """

    verdict: Verdict
    level: Level | None
    errors: tuple[Finding, ...]
    warnings: tuple[Warned, ...]
    checks: tuple[Check, ...]
    game: str | None
    open_hash: str | None = None
    hands: tuple[HandLine, ...] = ()
    proof: Proof | None = None
    reach: Reach | None = None

    def exit_status(self, require: Level | None = None) -> int:
        """Return the exit status; VALID below the level asked for is 3."""
        return 3 if self.is_below(require) else EXITS[self.verdict]

    def is_below(self, require: Level | None) -> bool:
        """Return whether a VALID or INCOMPLETE comes with less than the level asked for."""
        if require is None or self.level is None:
            return False
        return LEVELS.index(self.level) < LEVELS.index(require)

    @property
    def not_run(self) -> tuple[str, ...]:
        """The names of the checks that could not run and keep the verdict from VALID (§3.4)."""
        return tuple(
            check.name
            for check in self.checks
            if check.status == "not-run" and check.name not in LEVEL_ONLY
        )


def find_withheld(state: State, held: Held, evidence: Evidence) -> Finding | None:
    """Stage 5: the master is overdue by a time the user trusts."""
    times = [time for time in (held.now, evidence.logged.time) if time is not None]
    if state.is_ended or max(times, default=0) <= state.terms.reveal_by:
        return None
    detail = f"the master was due by {state.terms.reveal_by} ms, it is {max(times)} ms now"
    return Finding(code="E_REVEAL_WITHHELD", detail=detail)


def decide(
    errors: Sequence[Finding], evidence: Evidence, checks: Iterable[Check], state: State | None
) -> tuple[Verdict, Level | None]:
    """Return the verdict and its level."""
    if any(map(evidence.is_provable, errors)):
        return "FRAUD", None
    if errors or state is None:
        return "INVALID", None
    is_whole = state.is_ended and not any(
        check.status == "not-run" and check.name not in LEVEL_ONLY for check in checks
    )
    return "VALID" if is_whole else "INCOMPLETE", level_of(evidence, state)


def reach_of(heads: Sequence[Head], evidence: Evidence, state: State | None) -> Reach:
    """Return how far a file was judged and signed."""
    judged = 0 if state is None else state.taken
    # A record that stopped the replay was judged, and found wrong.
    stopped = state is not None and 0 < state.taken == state.at
    return Reach(
        last=len(heads) - 1,
        judged_to=judged if stopped else judged - 1,
        deals=sum(head.fields.kind == "deal" for head in heads),
        is_ended=state is not None and state.is_ended,
        signed_to=evidence.signed_up_to,
        signers=evidence.signers,
    )


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
