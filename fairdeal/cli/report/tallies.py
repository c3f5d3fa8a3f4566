"""Counts over all deals of one shape, in memory that does not grow with their number."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairdeal.canasta import cards
from fairdeal.cli.audit.opened import OpenedGame, OpenedHand
from fairdeal.cli.stats.deals import Shape, dealt_places
from fairdeal.cli.stats.looks import drawn_law
from fairdeal.fairness.bulk import tables

MEASURES: Final = ("wild cards", "red threes", "card points")
_BATCH: Final = 512  # hands that are dealt at once


@dataclass(frozen=True, slots=True)
class SeatSum:
    """One measure of one seat over all deals: the mean, what is due, and how far off it is."""

    measure: str
    seat: int
    mean: float
    due: float
    z: float


@dataclass(slots=True)
class Tally:
    """Deals of one shape, counted.

    Attributes:
        deals: How many.
        cells: By position (row) and card (column), how often the card lay there.
        sums: By measure and seat, over the cards first dealt.
    """

    shape: Shape
    deals: int = 0
    cells: NDArray[np.int64] = field(init=False)
    sums: NDArray[np.int64] = field(init=False)
    _waiting: list[OpenedHand] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = len(self.shape.deck)
        self.cells = np.zeros((size, size), np.int64)
        self.sums = np.zeros((len(MEASURES), self.shape.seats), np.int64)

    def add(self, hands: Iterable[OpenedHand]) -> None:
        """Count some hands, now or with the next ones."""
        self._waiting += hands
        if len(self._waiting) >= _BATCH:
            self.finish()

    def finish(self) -> None:
        """Count the hands that wait."""
        hands, self._waiting = self._waiting, []
        size = len(self.shape.deck)
        made = tables([one.secret for one in hands], [one.mix for one in hands], size)
        first = np.array([one.first_seat for one in hands], np.intp)
        at = 0
        for table in made:
            orders = table.T.astype(np.intp)
            self._count(orders, first[at : at + len(orders)])
            at += len(orders)

    def _count(self, orders: NDArray[np.intp], first: NDArray[np.intp]) -> None:
        self.deals += len(orders)
        self.cells += count_cells(orders)
        if not self.shape.is_canasta:
            return
        worth = worths(self.shape.deck)
        for seat_first in range(self.shape.seats):
            rows = np.flatnonzero(first == seat_first)
            for seat, places in enumerate(dealt_places(self.shape, seat_first)):
                dealt = orders[np.ix_(rows, np.array(places, np.intp))]
                self.sums[:, seat] += worth[:, dealt].sum(axis=(1, 2))

    @property
    def drawn(self) -> int:
        """How many cards a seat is first dealt."""
        return len(dealt_places(self.shape, 0)[0])

    def seat_sums(self) -> Iterator[SeatSum]:
        """Yield each measure of each seat, as `fairdeal stats` looks at them."""
        if not self.shape.is_canasta or not self.deals or not self.drawn:
            return
        for row, worth in enumerate(worths(self.shape.deck)):
            for seat, places in enumerate(dealt_places(self.shape, 0)):
                due, variance = drawn_law(worth, len(places))
                if variance > 0:
                    mean = float(self.sums[row, seat]) / self.deals
                    z = (mean - due) / math.sqrt(variance / self.deals)
                    yield SeatSum(MEASURES[row], seat, mean, due, z)


def worths(deck: tuple[str, ...]) -> NDArray[np.int64]:
    """Return a row a measure: what each card of the deck counts for."""
    classes = [cards.CLASS_OF[cards.NUMBER[face]] for face in deck]
    return np.array(
        [
            [cards.is_wild(klass) for klass in classes],
            [klass == cards.RED3 for klass in classes],
            [cards.VALUES[klass] for klass in classes],
        ],
        np.int64,
    )


def count_cells(orders: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return how often each card (column) lies at each position (row)."""
    size = orders.shape[1]
    flat = (orders + size * np.arange(size)).ravel()
    return np.bincount(flat, minlength=size * size).reshape(size, size).astype(np.int64)


def tally_all(games: Iterable[OpenedGame]) -> list[Tally]:
    """Count the deals of all games, by shape, those of the most deals first."""
    found: dict[Shape, Tally] = {}
    for game in games:
        shape = Shape(
            deck=game.deck, steps=game.steps, seats=game.seats, is_canasta=game.is_canasta
        )
        if shape not in found:
            found[shape] = Tally(shape)
        found[shape].add(game.hands)
    for tally in found.values():
        tally.finish()
    kept = [tally for tally in found.values() if tally.deals]
    return sorted(kept, key=lambda one: (-one.deals, len(one.shape.deck), repr(one.shape)))
