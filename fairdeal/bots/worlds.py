"""Whole hands that fit what a seat sees: hidden cards dealt to the others and to the stock.

A world is one way in which the cards that the seat cannot see may lie. It keeps everything
public: the sizes of holdings and stock, the cards that somebody took with a pile and still holds,
and that red threes lie in no holding but, where they wait for a seat's first turn (R-9), in those
of seats that have not had one.
"""

from dataclasses import dataclass
from typing import Final

from fairdeal.bots.chance import block_of
from fairdeal.bots.habits import Row, likely
from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.counts import CARD_OF, Counts

_PATH: Final = 1
"""Keeps the words of worlds apart from other chances of the same seed."""
_AROUND: Final = 3
"""So often hidden cards are offered to a seat before it takes what comes."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """All worlds of what a seat sees.

    Attributes:
        core: The hand as the seat sees it.
        pool: The classes of the hidden cards, red threes left out; one entry a card.
        reds: How many red threes are hidden.
        gaps: For each seat how many of its cards nobody else has seen; 0 for the own seat.
        sure: For each seat by class what it holds for sure.
        waiting: The seats that may still hold red threes of the deal.
        likely: For each seat and class how willingly it takes in a card (``habits``).
    """

    core: Counts
    pool: tuple[int, ...]
    reds: int
    gaps: tuple[int, ...]
    sure: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...]
    likely: tuple[tuple[Row, ...], ...]

    def draw(self, seed: int, number: int) -> Counts:
        """Give world ``number`` of a seed: a deal of the hidden cards, likelier ones more often.

        Args:
            seed: From 0 to 2^64 - 1.
            number: From 0 to 2^32 - 1.
        """
        core, gaps, reds = self.core.copy(), list(self.gaps), self.reds
        keys = block_of(len(self.pool) + reds, seed, _PATH, number)
        stock_left = core.stock_left
        places = stock_left + sum(gaps[seat] for seat in self.waiting)
        lost: set[int] = set()
        for key in keys[len(self.pool) :]:
            place = key % places
            while place in lost:
                place = (place + 1) % places
            lost.add(place)
        pool = sorted(zip(keys, self.pool, strict=False))
        for seat, sure in enumerate(self.sure):
            if gaps[seat] or any(sure):
                core.counts[seat] = list(sure)
        first = stock_left
        for seat in self.waiting:
            red = sum(first <= place < first + gaps[seat] for place in lost)
            first += gaps[seat]
            gaps[seat] -= red
            core.counts[seat][cards.RED3] += red
        for seat, gap in enumerate(gaps):
            if gap:
                pool = _deal(core.counts[seat], gap, pool, self.likely[seat])
        stock = [CARD_OF[klass] for _, klass in pool]
        for place in sorted(place for place in lost if place < stock_left):
            stock.insert(place, CARD_OF[cards.RED3])
        core.stock = tuple(stock)
        core.drawn = 0
        return core


def _deal(
    counts: list[int], gap: int, pool: list[tuple[int, int]], likely: tuple[Row, ...]
) -> list[tuple[int, int]]:
    """Deal so many cards into a holding, what it is likely to hold rather; give what is left.

    The pool's pairs are a word of chance and a class. What was passed over is offered again, by
    other bits of its word; after the last time around the first ones are taken as they come.
    """
    for around in range(_AROUND):
        if not gap:
            return pool
        left = []
        shift = 6 * around
        for pair in pool:
            key, klass = pair
            held = counts[klass]
            if gap and (key >> shift & 63) < likely[klass][min(2, held)]:
                counts[klass] += 1
                gap -= 1
            else:
                left.append(pair)
        pool = left
    for _, klass in pool[:gap]:
        counts[klass] += 1
    return pool[gap:]


def worlds_of(seen: Seen) -> Worlds:
    """Give the worlds of what a seat sees."""
    core, unseen = seen.core, seen.unseen
    gaps = tuple(
        0 if seat == seen.seat else size - sum(sure)
        for seat, (size, sure) in enumerate(zip(core.sizes, seen.sure, strict=True))
    )
    waits = core.tables.red3_waits
    return Worlds(
        core=core,
        pool=tuple(klass for klass in range(cards.RED3) for _ in range(unseen[klass])),
        reds=unseen[cards.RED3],
        gaps=gaps,
        sure=seen.sure,
        likely=likely(seen),
        waiting=tuple(
            seat
            for seat, shown in enumerate(core.shown)
            if waits and not shown and seat != seen.seat
        ),
    )
