"""Opening quickly: the groups with which a holding reaches its side's minimum.

Keys of the tables are put together as ``tables`` says, six bits a number.
"""

from collections.abc import Mapping
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.moves import Heap
from fairdeal.canasta.tables import FIELD

_DEUCE: Final = cards.DEUCE
_JOKER: Final = cards.JOKER
_VALUES: Final = cards.VALUES
_BY_VALUE: Final = (10, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3)


def opening(
    joins: Mapping[int, bool],
    counts: list[int],
    need: int,
    taken: int = -1,
    own: tuple[int, int] = (0, 0),
) -> tuple[Heap, ...] | None:
    """Give groups that reach so many points; None where these rules of thumb find none.

    Triples first, the dearest first; then wild cards with pairs; then wild cards on what there
    is. If the pairs eat the wild cards up before the points are reached, wild cards go on what
    there is first.

    Args:
        joins: ``Tables.joins`` of the ruleset.
        counts: What is held, by class.
        need: The points wanted.
        taken: The rank of the top card that is taken, or -1.
        own: The naturals and wild cards that join it at least; its group comes first.
    """
    found = _Try(joins, counts, need, taken, own).run(pairs_first=True)
    return found or _Try(joins, counts, need, taken, own).run(pairs_first=False)


def thrifty(joins: Mapping[int, bool], counts: list[int], need: int) -> tuple[Heap, ...] | None:
    """Give groups that reach so many points and leave pairs in the hand where wild cards do."""
    return _Try(joins, counts, need, -1, (0, 0)).run(pairs_first=False)


class _Try:
    """One way through: the points still wanted, the wild cards left, the groups so far."""

    __slots__ = ("groups", "joins", "need", "pairs", "taken", "used", "wilds")

    def __init__(
        self,
        joins: Mapping[int, bool],
        counts: list[int],
        need: int,
        taken: int,
        own: tuple[int, int],
    ) -> None:
        self.joins, self.taken = joins, taken
        self.groups: dict[int, int] = {}
        self.used: dict[int, list[int]] = {}
        # From the end: jokers, the dearest, go first.
        self.wilds = [_DEUCE] * counts[_DEUCE] + [_JOKER] * counts[_JOKER]
        self.pairs: list[int] = []
        if taken >= 0:
            self.groups[taken] = own[0]
            need -= (own[0] + 1) * _VALUES[taken]
        for rank in _BY_VALUE:
            held = counts[rank]
            if rank == taken:
                continue
            if held >= 3:
                if need > 0:
                    self.groups[rank] = held
                    need -= held * _VALUES[rank]
            elif held == 2:
                self.pairs.append(rank)
        self.need = need
        for _ in range(own[1]):
            self._add_wild(taken)

    def run(self, *, pairs_first: bool) -> tuple[Heap, ...] | None:
        if pairs_first:
            self._open_pairs(len(self.pairs))
        elif not self.groups:
            self._open_pairs(1)
        self._fill()
        self._open_pairs(len(self.pairs))
        self._fill()
        if self.need > 0:
            return None
        heaps = sorted(self._heap(rank) for rank in self.groups if rank != self.taken)
        first = (self._heap(self.taken),) if self.taken >= 0 else ()
        return (*first, *heaps)

    def _open_pairs(self, most: int) -> None:
        """Lay pairs with a wild card each."""
        for rank in self.pairs[:most]:
            if self.need <= 0 or not self.wilds:
                return
            if self.joins[2 << FIELD | 1]:
                self.groups[rank] = 2
                self.need -= 2 * _VALUES[rank]
                self._add_wild(rank)
        self.pairs = self.pairs[most:]

    def _fill(self) -> None:
        """Lay wild cards on the groups that there are, the largest first."""
        for rank in sorted(self.groups, key=lambda at: -self.groups[at]):
            naturals = self.groups[rank] + (rank == self.taken)
            while self.need > 0 and self.wilds:
                if not self.joins[naturals << FIELD | len(self.used.get(rank, ())) + 1]:
                    break
                self._add_wild(rank)

    def _add_wild(self, rank: int) -> None:
        wild = self.wilds.pop()
        self.used.setdefault(rank, []).append(wild)
        self.need -= _VALUES[wild]

    def _heap(self, rank: int) -> Heap:
        wilds = self.used.get(rank, ())
        jokers = wilds.count(_JOKER)
        return Heap(rank, self.groups[rank], len(wilds) - jokers, jokers)
