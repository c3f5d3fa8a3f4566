"""The hand in play: position, turn and question (rules.md R-15 to R-17, R-60; 6.7 points 4, 5)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from verifier.canasta.faces import is_red_three
from verifier.canasta.melds import Count, opening_minimum
from verifier.canasta.position import Position
from verifier.canasta.ruleset import Ruleset

Phase = Literal["draw", "play", "question"]


@dataclass(slots=True)
class Turn:
    """What a turn remembers until it ends.

    Attributes:
        seat: The seat in turn.
        phase: draw until a draw, a take or the end; then play; question while one is open.
        old_melds: The ranks of the side's melds when the turn began.
        drew_stock: Whether the turn began with a draw.
        laid: Whether anything was laid this turn.
        laid_on_old: Whether something was laid on a meld that stood when the turn began.
        asked: Whether the question was put this turn.
        answer: The partner's answer, good for the rest of the turn.
        bound: Whether a *yes* obliges the seat to go out in this turn (R-61, R-62).
        got_no_card: Whether the draw met red threes alone and the stock is gone (R-X1).
        waiting: How many cards of each sort came with the pile and may not be laid before the
            next turn (R-49).
    """

    seat: int
    old_melds: frozenset[str]
    phase: Phase = "draw"
    drew_stock: bool = False
    laid: bool = False
    laid_on_old: bool = False
    asked: bool = False
    answer: Literal["yes", "no"] | None = None
    bound: bool = False
    got_no_card: bool = False
    waiting: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Play:
    """One hand as it is played.

    Attributes:
        rules: The ruleset.
        sides: The seats of each side.
        totals: Each side's total before the hand.
        position: Where the cards lie.
        turn: The turn that runs.
        melded: The seats that laid cards in earlier turns.
        failed: For each side how many answers *yes* it could not follow (R-62).
        whole_canastas: For each side how many canastas it laid whole in one act (R-75).
        end: How the hand ended; None while it runs.
        went_out: The seat that went out.
        concealed: Whether it went out concealed.
    """

    rules: Ruleset
    sides: Sequence[Sequence[int]]
    totals: Sequence[int]
    position: Position
    turn: Turn
    melded: set[int] = field(default_factory=set)
    failed: Counter[int] = field(default_factory=Counter)
    whole_canastas: Counter[int] = field(default_factory=Counter)
    end: str | None = None
    went_out: int | None = None
    concealed: bool = False

    def side(self, seat: int) -> int:
        """The side of a seat."""
        return next(index for index, seats in enumerate(self.sides) if seat in seats)

    def partner(self) -> int:
        """The one partner of the seat in turn, who answers its question."""
        seats = self.sides[self.side(self.turn.seat)]
        return next(seat for seat in seats if seat != self.turn.seat)

    def melds(self) -> dict[str, Count]:
        """The melds of the side in turn."""
        return self.position.counts(self.side(self.turn.seat))

    def held(self) -> Counter[str]:
        """The faces held by the seat in turn."""
        return self.position.held(self.turn.seat)

    def must_show(self) -> bool:
        """Whether the seat in turn holds red threes that its first turn must show (R-9)."""
        waits = self.rules.red3_initial_when == "at_own_first_turn" and self.turn.phase == "draw"
        return waits and any(map(is_red_three, self.held()))

    def may_discard(self) -> bool:
        """Whether the turn may end with a discard: not after the last red three (R-12)."""
        return not (self.turn.got_no_card and self.rules.red3_last_stock == "meld_then_end")

    def minimum(self) -> int | None:
        """What the first melds of the side in turn must count; None once it has opened."""
        side = self.side(self.turn.seat)
        if self.position.melds[side]:
            return None
        return opening_minimum(self.rules, self.totals[side])

    def next_turn(self) -> None:
        """Pass the turn to the next seat clockwise (6.7 point 4)."""
        if self.turn.laid:
            self.melded.add(self.turn.seat)
        seat = (self.turn.seat + 1) % len(self.position.holdings)
        self.turn = Turn(seat, frozenset(self.position.melds[self.side(seat)]))
