"""What the reasons look at: what a seat sees, the move, and what the move leaves."""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards, pile
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.judge import cards_left, counts_after, may_go_out
from fairdeal.canasta.listing import legal_moves
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Move
from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, Tally, melds_suffice
from fairdeal.canasta.wording import Facts

RANKS: Final = cards.ACE + 1
"""Classes below this are those of the ranks four to ace."""


class Told(NamedTuple):
    """A variant of a reason's sentence and the values that it names."""

    variant: str
    facts: Facts


class Grown(NamedTuple):
    """A meld of the side that the move begins or adds to: its slot, then and now, its wilds now."""

    slot: int
    before: int
    size: int
    wilds: int


@dataclass(frozen=True)
class Case:
    """A legal move before the hand as its seat sees it.

    Attributes:
        seen: What the seat sees.
        move: Its move.
    """

    seen: Seen
    move: Move

    @property
    def core(self) -> Counts:
        """The hand in numbers of cards."""
        return self.seen.core

    @property
    def side(self) -> int:
        """The side of the seat."""
        return self.seen.side

    @property
    def lays(self) -> bool:
        """Whether the move brings cards to the table."""
        return self.move.kind in (LAY, TAKE)

    @property
    def opens(self) -> bool:
        """Whether the move lays the side's first melds."""
        return self.lays and not self.core.opened(self.side)

    @property
    def wilds_used(self) -> int:
        """How many wild cards the move lays."""
        return sum(heap.wilds for heap in self.move.heaps)

    @property
    def wilds_kept(self) -> int:
        """How many wild cards stay in the holding."""
        held = self.seen.own[cards.DEUCE] + self.seen.own[cards.JOKER]
        return held - self.wilds_used - cards.is_wild(self.move.discard)

    @property
    def next_seat(self) -> int:
        """The seat that plays next."""
        return self.core.tables.next_seat[self.seen.seat]

    @property
    def next_side(self) -> int:
        """The side that plays next."""
        return self.core.side_of[self.next_seat]

    @property
    def top(self) -> int:
        """The class of the pile's top card, or -1."""
        return CLASS_OF[self.core.pile[-1]] if self.core.pile else -1

    @cached_property
    def grown(self) -> tuple[Grown, ...]:
        """The melds that the move begins or adds to."""
        naturals, wilds = self.core.naturals[self.side], self.core.wilds[self.side]
        found = []
        for place, heap in enumerate(self.move.heaps):
            before = naturals[heap.slot] + wilds[heap.slot]
            top = self.move.kind == TAKE and place == 0
            # A wild top joins a meld of wild cards alone.
            more = heap.wilds + (top and cards.is_wild(self.top))
            found.append(
                Grown(heap.slot, before, before + heap.size + top, wilds[heap.slot] + more)
            )
        return tuple(found)

    @cached_property
    def suffices(self) -> tuple[bool, bool]:
        """Whether the side has the canastas to go out, before the move and after it."""
        rules = self.core.rules
        naturals, wilds = self.core.naturals[self.side][:], self.core.wilds[self.side][:]
        before = melds_suffice(rules, naturals, wilds)
        for one in self.grown:
            naturals[one.slot], wilds[one.slot] = one.size - one.wilds, one.wilds
        return before, melds_suffice(rules, naturals, wilds)

    @cached_property
    def ended(self) -> Counts | None:
        """The hand after the seat went out: by the move, or by discarding the card it leaves."""
        core, move = self.core, self.move
        if move.kind not in (LAY, TAKE, DISCARD):
            return None
        if move.kind == TAKE and pile.buried(core)[1]:
            return None  # What comes for a red three nobody knows.
        left = cards_left(core, self.seen.seat, move)
        further = left == 1 and move.discard < 0 and not core.last_red3
        if left and not (further and self.suffices[1] and may_go_out(core)):
            return None
        after = core.copy()
        after.step(move)
        if left:
            last = counts_after(core, self.seen.seat, move).index(1)
            after.step(Move(DISCARD, (), last))
        return after

    @property
    def thrown(self) -> int:
        """The class of the card that is discarded while the hand goes on, or -1."""
        return -1 if self.ended is not None else self.move.discard

    @property
    def thrown_rank(self) -> int:
        """The same where it is a card from four to ace, else -1."""
        return self.thrown if self.thrown < RANKS else -1

    @cached_property
    def is_alone(self) -> bool:
        """Whether no other move is legal."""
        return len(list(islice(legal_moves(self.core), 2))) == 1

    @cached_property
    def next_doors(self) -> tuple[str, ...]:
        """The ways in which the next side may take a pile on which a rank was thrown."""
        rules = self.core.rules
        return rules.take_frozen if self.is_shut_for_next else rules.take_unfrozen

    @property
    def is_shut_for_next(self) -> bool:
        """Whether the pile is frozen for the next side, a rank being thrown on it."""
        unopened = not self.core.opened(self.next_side)
        return self.core.ice or (self.core.rules.frozen_before_opening and unopened)

    @property
    def feeds(self) -> bool:
        """Whether the next side has a meld with which the thrown card takes the pile."""
        rank, side = self.thrown_rank, self.next_side
        if rank < 0 or side == self.side or rank not in self.core.standing[side]:
            return False
        closed = not self.core.rules.lay_on_completed_canasta and is_canasta(self.core, side, rank)
        return pile.LAY_ON_MELD in self.next_doors and not closed

    def elsewhere(self, rank: int) -> tuple[int, int]:
        """Give how many cards of a rank nobody saw, and how many others hold for sure."""
        return self.seen.unseen[rank], sum(row[rank] for row in self.seen.sure)


def is_canasta(core: Tally, side: int, slot: int) -> bool:
    """Say whether a side's meld is a canasta."""
    return slot != BLACK3_SLOT and core.naturals[side][slot] + core.wilds[side][slot] >= CANASTA
