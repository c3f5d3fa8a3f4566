"""One hand in progress: what the rules look at, and beside it the faces.

No rule looks at suits, so all that the rules ask is a ``Tally``: holdings and melds as counts by
class. A ``Position`` adds the faces; it is changed in place by ``engine`` alone, everybody else
reads it, and ``engine.apply`` works on a copy. ``counts.Counts`` is the same without faces, for
playouts. What can be computed (frozen, opened, canastas, minimum) is never stored here.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.ruleset import Ruleset

SLOTS: Final = 13
"""Melds of a side: slots 0 to 10 are ranks 4 to A, then the wild meld and the black threes."""
WILD_SLOT: Final = 11
BLACK3_SLOT: Final = 12
CANASTA: Final = 7
"""A meld of seven cards or more is a canasta (R-68); black threes never are."""

SHOW: Final = "show"
DRAW: Final = "draw"
PLAY: Final = "play"
ASKED: Final = "asked"
OVER: Final = "over"

STOCK: Final = "stock"
PILE: Final = "pile"


class Tally(ABC):
    """A hand in progress as the rules see it.

    Attributes:
        rules: The ruleset in force.
        side_of: Side index of each seat.
        stock: All stock cards (card numbers) in order, next first; ``drawn`` of them are gone.
        counts: For each seat the number of cards it holds of each class; ``sizes`` their sums.
        pile: Discard pile (card numbers), bottom to top; ``upcards`` were turned at the deal.
        naturals, wilds: For each side the number of natural and wild cards in each meld slot.
        turn: The seat that must act; ``asker`` is the seat whose question waits, or -1.
        phase: SHOW, DRAW, PLAY, ASKED or OVER.
        drew: STOCK, PILE or empty: how this turn began.
        began: Meld slots of the side in turn that stood when the turn began.
        touched: Whether this turn laid a card on a meld that stood when it began.
        laid_now: Whether this turn laid anything.
        locked: Class counts of cards that may not be laid this turn (R-49), or None.
        last_red3: Whether the turn may only meld and end the hand (R-12, meld_then_end).
        asked, answer: Whether this turn asked; "", "yes" or "no".
        melded: Whether each seat melded in an earlier turn of the hand.
        shown: Whether each seat has had its own first turn (R-9).
        totals: Game total of each side before the hand.
        penalties: Points off for each side (R-62).
        whole: For each side the canastas laid complete in one act from the holding (R-75).
        end: Empty while the hand runs, else its code; ``out`` the seat that went out or -1.
        concealed: Whether the seat that went out did so concealed.
    """

    __slots__ = (
        "answer",
        "asked",
        "asker",
        "began",
        "concealed",
        "counts",
        "drawn",
        "drew",
        "end",
        "laid_now",
        "last_red3",
        "locked",
        "melded",
        "naturals",
        "out",
        "penalties",
        "phase",
        "pile",
        "rules",
        "shown",
        "side_of",
        "sizes",
        "stock",
        "totals",
        "touched",
        "turn",
        "upcards",
        "whole",
        "wilds",
    )

    def __init__(self, rules: Ruleset, totals: Sequence[int]) -> None:
        seats, sides = rules.players, len(rules.side_seats)
        self.rules = rules
        self.side_of = side_of_seats(rules)
        self.stock: tuple[int, ...] = ()
        self.drawn = 0
        self.counts = [[0] * cards.CLASSES for _ in range(seats)]
        self.sizes = [0] * seats
        self.pile: list[int] = []
        self.upcards = 0
        self.naturals = [[0] * SLOTS for _ in range(sides)]
        self.wilds = [[0] * SLOTS for _ in range(sides)]
        self.turn = 0
        self.asker = -1
        self.phase = DRAW
        self.drew = ""
        self.began: frozenset[int] = frozenset()
        self.touched = False
        self.laid_now = False
        self.locked: list[int] | None = None
        self.last_red3 = False
        self.asked = False
        self.answer = ""
        self.melded = [False] * seats
        self.shown = [False] * seats
        self.totals = tuple(totals)
        self.penalties = [0] * sides
        self.whole = [0] * sides
        self.end = ""
        self.out = -1
        self.concealed = False

    @property
    def stock_left(self) -> int:
        """The number of cards left in the stock."""
        return len(self.stock) - self.drawn

    @property
    def frozen(self) -> bool:
        """Whether the pile is frozen for everybody (R-37, R-40, R-50)."""
        rules = self.rules
        if not self.pile:
            return False
        if rules.always_frozen:
            return True
        freezing = set(rules.frozen_by_contents)
        if rules.black3_effect == "freeze":
            freezing.add("black3")
        for place, card in enumerate(self.pile):
            word = cards.class_word(cards.CLASS_OF[card])
            if word and (
                word in freezing or (place < self.upcards and word in rules.upcard_freeze)
            ):
                return True
        return False

    def opened(self, side: int) -> bool:
        """Say whether a side has a meld on the table."""
        return any(self.naturals[side]) or any(self.wilds[side])

    def minimum(self, side: int) -> int:
        """Give the points that a side's first melds must reach (R-27, R-28)."""
        return minimum_at(self.rules, self.totals[side])

    @abstractmethod
    def laid_points(self, side: int) -> int:
        """Give the value of a side's cards on the table, red threes left out."""

    @abstractmethod
    def red_threes(self, side: int) -> int:
        """Give the number of red threes on a side's table."""


class Position(Tally):
    """A hand in progress with its faces.

    Attributes:
        held: For each seat the number of cards it holds of each card number.
        laid: For each side the cards of each meld in the order in which they were laid.
        red3: Red threes on the table of each side, in the order in which they came.
    """

    __slots__ = ("held", "laid", "red3")

    def __init__(self, rules: Ruleset, totals: Sequence[int]) -> None:
        super().__init__(rules, totals)
        sides = len(self.naturals)
        self.held = [[0] * cards.CARD_KINDS for _ in range(rules.players)]
        self.laid: list[list[tuple[int, ...]]] = [[()] * SLOTS for _ in range(sides)]
        self.red3: list[tuple[int, ...]] = [()] * sides

    def copy(self) -> "Position":
        """Give an independent copy; what is never changed in place is shared."""
        twin = Position.__new__(Position)
        copy_tally(self, twin)
        twin.held = [row[:] for row in self.held]
        twin.laid = [row[:] for row in self.laid]
        twin.red3 = self.red3[:]
        return twin

    def holding(self, seat: int) -> list[int]:
        """Give the card numbers of a holding in rising order, as far as they are known."""
        return [card for card, number in enumerate(self.held[seat]) for _ in range(number)]

    def laid_points(self, side: int) -> int:
        """Give the value of a side's cards on the table, red threes left out."""
        return sum(cards.VALUES[cards.CLASS_OF[card]] for meld in self.laid[side] for card in meld)

    def red_threes(self, side: int) -> int:
        """Give the number of red threes on a side's table."""
        return len(self.red3[side])


def copy_tally(one: Tally, twin: Tally) -> None:
    """Make one tally equal to another, sharing only what is never changed in place."""
    twin.rules = one.rules
    twin.side_of = one.side_of
    twin.stock = one.stock
    twin.drawn = one.drawn
    twin.counts = [row[:] for row in one.counts]
    twin.sizes = one.sizes[:]
    twin.pile = one.pile[:]
    twin.upcards = one.upcards
    twin.naturals = [row[:] for row in one.naturals]
    twin.wilds = [row[:] for row in one.wilds]
    twin.turn = one.turn
    twin.asker = one.asker
    twin.phase = one.phase
    twin.drew = one.drew
    twin.began = one.began
    twin.touched = one.touched
    twin.laid_now = one.laid_now
    twin.locked = one.locked
    twin.last_red3 = one.last_red3
    twin.asked = one.asked
    twin.answer = one.answer
    twin.melded = one.melded[:]
    twin.shown = one.shown[:]
    twin.totals = one.totals
    twin.penalties = one.penalties[:]
    twin.whole = one.whole[:]
    twin.end = one.end
    twin.out = one.out
    twin.concealed = one.concealed


def slot_of(klass: int) -> int:
    """Give the slot to which a card of a class goes as the top of a taken pile."""
    if klass in (cards.DEUCE, cards.JOKER):
        return WILD_SLOT
    return BLACK3_SLOT if klass in (cards.BLACK3, cards.RED3) else klass


def minimum_at(rules: Ruleset, total: int) -> int:
    """Give the opening minimum at a game total: that of the highest band reached (R-28)."""
    reached = [least for bound, least in rules.opening_bands if bound is None or total >= bound]
    return reached[-1]


def side_of_seats(rules: Ruleset) -> tuple[int, ...]:
    """Give the side index of each seat."""
    found = {seat: side for side, seats in enumerate(rules.side_seats) for seat in seats}
    return tuple(found[seat] for seat in range(rules.players))


def canastas(naturals: Sequence[int], wilds: Sequence[int]) -> tuple[int, int]:
    """Count a side's canastas and the natural ones among them; black threes never count."""
    every = pure = 0
    for slot in range(BLACK3_SLOT):
        if naturals[slot] + wilds[slot] >= CANASTA:
            every += 1
            pure += not wilds[slot]
    return every, pure


def melds_suffice(rules: Ruleset, naturals: Sequence[int], wilds: Sequence[int]) -> bool:
    """Say whether a side's melds would let it go out (R-55)."""
    every, pure = canastas(naturals, wilds)
    return every >= rules.canastas_to_go_out and (pure > 0 or not rules.go_out_needs_natural)
