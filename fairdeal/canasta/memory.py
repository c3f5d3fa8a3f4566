"""What everybody at the table could have noticed since the deal, and remembered.

All of it is public: it follows from the turned cards and the acts. Nothing here looks at a
holding or at the stock.
"""

from collections.abc import Sequence
from typing import Final

from fairdeal.canasta import acts, cards
from fairdeal.canasta.cards import CARD_KINDS, CLASS_OF, CLASSES, NUMBER
from fairdeal.canasta.position import Position

_NOBODY: Final = -1


class Memory:
    """The memory of a hand; never changed in place, ``after`` gives the next one.

    Attributes:
        held: For each seat and card number, how many copies it holds for sure: they came in with
            the pile, and no such card was seen leaving its hand since.
        thrown: For each seat and class, how many such cards it has discarded.
        left: For each seat and class, how often it drew while such a card lay on a pile of two
            cards or more that it might have taken.
    """

    __slots__ = ("held", "left", "thrown")

    held: tuple[tuple[int, ...], ...]
    thrown: tuple[tuple[int, ...], ...]
    left: tuple[tuple[int, ...], ...]

    def __init__(
        self,
        held: tuple[tuple[int, ...], ...],
        thrown: tuple[tuple[int, ...], ...],
        left: tuple[tuple[int, ...], ...],
    ) -> None:
        self.held = held
        self.thrown = thrown
        self.left = left

    @classmethod
    def fresh(cls, players: int) -> "Memory":
        """Give the memory of a hand that was just dealt."""
        blank = ((0,) * CLASSES,) * players
        return cls(((0,) * CARD_KINDS,) * players, blank, blank)

    def after(self, before: Position, seat: int, act: acts.Act) -> "Memory":
        """Give the memory after an act.

        Args:
            before: The hand before the act, or what anybody knows of it: only the pile and the
                rules are looked at.
            seat: Whose act it is.
            act: A legal act.
        """
        held, thrown, left = self.held, self.thrown, self.left
        match act:
            case acts.Draw():
                top = CLASS_OF[before.pile[-1]] if len(before.pile) > 1 else _NOBODY
                if top == _NOBODY or cards.class_word(top) in before.rules.top_blocks:
                    return self
                return Memory(held, thrown, _more(left, seat, top))
            case acts.Take() | acts.Lay() | acts.Discard():
                row = list(held[seat])
                if isinstance(act, acts.Take):
                    # The top card is melded at once, and red threes are laid.
                    for card in before.pile[:-1]:
                        row[card] += CLASS_OF[card] != cards.RED3
                for face in acts.cards_of(act):
                    card = NUMBER[face]
                    row[card] -= row[card] > 0
                held = (*held[:seat], tuple(row), *held[seat + 1 :])
                if isinstance(act, acts.Take):
                    return Memory(held, thrown, left)
                discard = act.card if isinstance(act, acts.Discard) else act.discard
                if discard is not None:
                    thrown = _more(thrown, seat, CLASS_OF[NUMBER[discard]])
                return Memory(held, thrown, left)
            case _:
                return self

    def sure(self, seat: int) -> list[int]:
        """Give by class how many cards a seat holds for sure."""
        found = [0] * CLASSES
        for card, number in enumerate(self.held[seat]):
            found[CLASS_OF[card]] += number
        return found


def _more(rows: Sequence[tuple[int, ...]], seat: int, klass: int) -> tuple[tuple[int, ...], ...]:
    row = rows[seat]
    row = (*row[:klass], row[klass] + 1, *row[klass + 1 :])
    return (*rows[:seat], row, *rows[seat + 1 :])
