"""What a bot is handed: its seat's view of the hand, and nothing else."""

from dataclasses import dataclass
from functools import cached_property

from fairdeal.canasta import cards
from fairdeal.canasta.counts import CLASS_OF, CLASS_OF_SLOT, Counts
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.position import Position


@dataclass(frozen=True)
class Seen:
    """A hand as one seat sees it and remembers it.

    Attributes:
        core: The hand in numbers of cards. Of other seats only the sizes of their holdings are
            there, of the stock only how much is left. A bot must not change it.
        seat: The seat; in turn, or asked by its partner.
        memory: What everybody could have noticed since the deal.
    """

    core: Counts
    seat: int
    memory: Memory

    @property
    def side(self) -> int:
        """The seat's side."""
        return self.core.side_of[self.seat]

    @property
    def own(self) -> list[int]:
        """The seat's holding by class."""
        return self.core.counts[self.seat]

    @cached_property
    def sure(self) -> tuple[tuple[int, ...], ...]:
        """For each seat by class what it holds for sure; nothing for the own seat."""
        seats = range(self.core.rules.players)
        none = (0,) * cards.CLASSES
        return tuple(none if seat == self.seat else tuple(self.memory.sure(seat)) for seat in seats)

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """By class, the cards that are in the stock or in others' holdings, where nobody saw them.

        What others hold for sure is not among them.
        """
        core = self.core
        found = whole_deck(core.rules.decks, core.rules.jokers)
        for klass, number in enumerate(self.own):
            found[klass] -= number
        for card in core.pile:
            found[CLASS_OF[card]] -= 1
        for side, naturals in enumerate(core.naturals):
            jokers = sum(core.jokers[side])
            for klass, number in zip(CLASS_OF_SLOT, naturals, strict=True):
                if not cards.is_wild(klass):
                    found[klass] -= number
            found[cards.DEUCE] -= sum(core.wilds[side]) - jokers
            found[cards.JOKER] -= jokers
            found[cards.RED3] -= core.reds[side]
        for sure in self.sure:
            for klass, number in enumerate(sure):
                found[klass] -= number
        return tuple(found)


def see(known: Position, seat: int, memory: Memory) -> Seen:
    """Give what a seat sees.

    Args:
        known: ``canasta.view.knowledge`` of the seat.
        seat: The seat.
        memory: The hand's.
    """
    return Seen(Counts.from_position(known), seat, memory)


def whole_deck(decks: int, jokers: int) -> list[int]:
    """Give by class the cards of a deck."""
    found = [4 * decks] * cards.CLASSES
    found[cards.JOKER] = jokers
    found[cards.BLACK3] = found[cards.RED3] = 2 * decks
    return found
