"""What the reasons look at: a seat's knowledge, the act it proposes, and its composition."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fairdeal.canasta import acts, cards
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.judge import cards_left, worth
from fairdeal.canasta.moves import TAKE, Heap, Move, class_of_slot, compose
from fairdeal.canasta.position import Position
from fairdeal.canasta.wording import Either, Facts, Phrase


class Told(NamedTuple):
    """A variant of the catalogue and the values that it names."""

    variant: str
    facts: Facts


class Merged(NamedTuple):
    """A heap with the meld that it joins.

    Attributes:
        rank: The group's letter.
        naturals, wilds: How many the whole meld then has of each.
        added: Naturals added, the pile's top card included.
        before: Naturals and wilds that lay there already.
        heap: The heap itself.
    """

    rank: str
    naturals: int
    wilds: int
    added: int
    before: tuple[int, int]
    heap: Heap


@dataclass(frozen=True, slots=True)
class Case:
    """A proposed act of a seat, before the position it is meant for.

    Attributes:
        known: What the seat knows.
        seat: The seat; ``side`` its side.
        act: What it proposes.
        move: Its composition; None for acts without cards.
    """

    known: Position
    seat: int
    act: acts.Act
    move: Move | None

    @property
    def side(self) -> int:
        """The side of the seat."""
        return self.known.side_of[self.seat]

    @property
    def top(self) -> str | None:
        """The face of the pile's top card."""
        return cards.FACES[self.known.pile[-1]] if self.known.pile else None

    def merged(self) -> Iterator[Merged]:
        """Give each heap of the act with its meld, in the order of the act."""
        if self.move is None:
            return
        known, side = self.known, self.side
        for place, heap in enumerate(self.move.heaps):
            before = known.naturals[side][heap.slot], known.wilds[side][heap.slot]
            added = heap.naturals + (self.move.kind == TAKE and place == 0)
            yield Merged(
                GROUP_RANKS[heap.slot],
                before[0] + added,
                before[1] + heap.wilds,
                added,
                before,
                heap,
            )

    def left(self) -> int:
        """Count the cards that the act leaves in the holding."""
        held = self.known.sizes[self.seat]
        return held if self.move is None else cards_left(self.known, self.seat, self.move)

    @property
    def ends_turn(self) -> bool:
        """Whether the act discards."""
        return self.move is not None and self.move.discard >= 0

    def points(self) -> int:
        """Give the points of the cards laid, the top card of a take included (R-30, R-32)."""
        return 0 if self.move is None else worth(self.known, self.move)

    def naturals_held(self, rank: str) -> int:
        """Count the seat's natural cards of a group's rank."""
        slot = GROUP_RANKS.index(rank)
        return self.known.counts[self.seat][class_of_slot(slot)] if rank != "W" else 0


def case_of(known: Position, seat: int, act: acts.Act) -> Case:
    """Make the case of a proposed act."""
    carries = isinstance(act, acts.Take | acts.Lay | acts.Discard)
    return Case(known, seat, act, compose(act)[0] if carries else None)


def wilds_held(known: Position, seat: int) -> int:
    """Count the seat's wild cards."""
    return known.counts[seat][cards.DEUCE] + known.counts[seat][cards.JOKER]


def ways(doors: Sequence[str]) -> Either:
    """Give doors to the pile as alternatives."""
    return Either(tuple(Phrase(door) for door in doors))


def rank_of_top(face: str) -> str:
    """Give the group letter of a pile's top card."""
    return "W" if face == cards.JOKER_FACE or face[0] == "2" else face[0]
