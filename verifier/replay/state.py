"""What the replay knows so far: epochs, hands, and what was found wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn, TypeAlias

from verifier.beacon.chains import CHAINS, Chain
from verifier.bodies import Deal, Open, Share
from verifier.dealing import Table
from verifier.findings import Finding, Warned
from verifier.held import HandCards, Held
from verifier.notes import CardNote
from verifier.strictjson import Json


class OutOfOrder(Exception):
    """A record out of place: what follows it cannot be read in order (§3.2)."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


Phase: TypeAlias = Literal["sealing", "sharing", "locked", "void"]


@dataclass(slots=True)
class Epoch:
    """A run of hands that use one set of seat lines (§2.5).

    Attributes:
        phase: Profile ``sealed`` begins with ``sealing``, profile ``open`` with ``sharing``.
        seals: By seat, the first of each.
        shares: By seat, the first of each.
        lines: One S line per seat once locked, without LF; None where none.
        locked_at: The number of its ``lock`` record.
        round: What the lock says of the beacon.
        mixed_in: B of §2.6 once the round is known; empty without a beacon.
        is_drawn: Whether the round came.
        dealt: How many hands were dealt from it.
    """

    number: int
    phase: Phase
    seals: dict[int, str] = field(default_factory=dict)
    shares: dict[int, Share] = field(default_factory=dict)
    lines: tuple[str | None, ...] = ()
    locked_at: int | None = None
    round: int | None = None
    mixed_in: bytes = b""
    is_drawn: bool = False
    dealt: int = 0


@dataclass(slots=True)
class Hand:
    """One hand, from its deal to its secret.

    Attributes:
        at: The number of its ``deal`` record.
        next_position: Of the stock, for ``draw``.
        drawn: By stock position, in a dealt-only game, the record and the seat that drew it.
        acts: Number and body of each act.
        ending: Number, kind and body of the record that ended it.
        table: What was derived for it, once it is revealed and its secret fits.
        is_revealed: Whether its ``reveal`` record came, fitting or not.
        is_wrong: Whether anything was found against it.
    """

    number: int
    at: int
    deal: Deal
    epoch: Epoch
    next_position: int = 0
    drawn: dict[int, tuple[int, int]] = field(default_factory=dict)
    acts: list[tuple[int, dict[str, Json]]] = field(default_factory=list)
    ending: tuple[int, Literal["score", "abort"], dict[str, Json]] | None = None
    table: Table | None = None
    is_revealed: bool = False
    is_wrong: bool = False


@dataclass(slots=True, kw_only=True)
class State:
    """The replay of one game up to the record ``at``.

    Attributes:
        open_hash: H256 of record 0's line.
        at, time: The record being read, and its ``t``.
        taken: How many records were read in order.
        locked_in_file: Epochs for which the replayed records hold a ``lock``.
        hand_cards: What the user was shown, by hand.
        card_notes: What the server signed of drawn cards, by hand.
        hands: By number, from 1, without gaps.
        voids: How many epochs were given up.
        rounds: Of each beacon record, its epoch and whether its signature was checked and is good.
        totals: The sides' totals, for a refereed game that is judged.
        hands_scored: How many hands counted.
        is_over: The ruleset's end was reached (§6.4).
        is_closed, is_ended: ``close`` came; ``master`` came.
    """

    game: str
    open_hash: str
    terms: Open
    held: Held
    judges_rules: bool
    locked_in_file: frozenset[int]
    hand_cards: Mapping[int, tuple[HandCards, ...]]
    card_notes: Mapping[int, tuple[CardNote, ...]]
    at: int = 0
    time: int = 0
    taken: int = 0
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    epochs: list[Epoch] = field(default_factory=list)
    hands: list[Hand] = field(default_factory=list)
    nonces: set[str] = field(default_factory=set)
    voids: int = 0
    rounds: dict[int, bool] = field(default_factory=dict)
    totals: tuple[int, ...] = ()
    hands_scored: int = 0
    is_over: bool = False
    is_closed: bool = False
    is_ended: bool = False

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.terms.seats)

    @property
    def chain(self) -> Chain | None:
        """The beacon's chain; None without one, or where the table does not have it."""
        beacon = self.terms.beacon
        return CHAINS.get(beacon.chain) if beacon else None

    @property
    def epoch(self) -> Epoch | None:
        """The newest epoch."""
        return self.epochs[-1] if self.epochs else None

    @property
    def in_play(self) -> Hand | None:
        """The hand that is dealt and not over."""
        return self.hands[-1] if self.hands and self.hands[-1].ending is None else None

    @property
    def unrevealed(self) -> Hand | None:
        """The hand that is over and not revealed."""
        last = self.hands[-1] if self.hands else None
        return last if last and last.ending and not last.is_revealed else None

    def fail(
        self,
        code: str,
        detail: str,
        *,
        hand: Hand | None = None,
        at: int | None = None,
        rule: str | None = None,
    ) -> None:
        """Note an error at this record (or another), and go on."""
        if hand:
            hand.is_wrong = True
        self.errors.append(
            Finding(
                code=code,
                detail=detail,
                at=self.at if at is None else at,
                hand=hand.number if hand else None,
                rule=rule,
            )
        )

    def stop(self, code: str, detail: str, *, hand: int | None = None) -> NoReturn:
        """Note an error after which nothing can be read in order."""
        raise OutOfOrder(Finding(code=code, detail=detail, at=self.at, hand=hand))

    def warn(self, code: str, detail: str) -> None:
        """Note a warning at this record."""
        self.warnings.append(Warned(code=code, detail=detail, at=self.at))
