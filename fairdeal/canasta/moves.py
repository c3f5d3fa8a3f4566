"""Acts by composition: how many cards of which kind, suits left out.

A ``Move`` is an act as the rules see it. ``compose`` turns an act into its move and names
what no composition can say (a card of a wrong rank in a group); ``to_act`` gives a move its
canonical suits, chosen in the fixed order C D H S.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fairdeal.canasta import acts, cards
from fairdeal.canasta.position import BLACK3_SLOT, WILD_SLOT, Position

DRAW: Final = "draw"
TAKE: Final = "take"
LAY: Final = "lay"
DISCARD: Final = "discard"
SHOW: Final = "show"
ASK: Final = "ask"
YES: Final = "yes"
NO: Final = "no"
END: Final = "end"


class Heap(NamedTuple):
    """A group by composition: the slot it goes to, its naturals, deuces and jokers."""

    slot: int
    naturals: int
    deuces: int
    jokers: int

    @property
    def wilds(self) -> int:
        """The number of wild cards."""
        return self.deuces + self.jokers

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.naturals + self.deuces + self.jokers


class Move(NamedTuple):
    """An act by composition.

    Of a take the first heap is the own cards beside the top card, perhaps none; ``discard`` is a
    class or -1. What moves no card of the holding is its kind alone.
    """

    kind: str
    heaps: tuple[Heap, ...] = ()
    discard: int = -1

    @property
    def used(self) -> int:
        """The number of cards that leave the holding."""
        used = int(self.discard >= 0)
        for _, naturals, deuces, jokers in self.heaps:
            used += naturals + deuces + jokers
        return used


_WORDS: Final = {kind: Move(kind) for kind in (DRAW, SHOW, ASK, YES, NO, END)}
_DISCARDS: Final = tuple(Move(DISCARD, (), klass) for klass in range(cards.CLASSES))


def slot_of_rank(rank: str) -> int:
    """Give the meld slot of a group's rank."""
    return acts.GROUP_RANKS.index(rank)


def class_of_slot(slot: int) -> int:
    """Give the class of a slot's natural cards."""
    return cards.BLACK3 if slot == BLACK3_SLOT else slot


def compose(act: acts.Act) -> tuple[Move, tuple[str, ...]]:
    """Give the move of an act, and the rank faults of its groups (R-18, R-26)."""
    faults: list[str] = []
    match act:
        case acts.Take(rank, own, groups):
            heaps = [_heap(acts.Group(rank, own), faults)]
            heaps += [_heap(one, faults) for one in groups]
            return Move(TAKE, tuple(heaps)), tuple(dict.fromkeys(faults))
        case acts.Lay(groups, discard):
            heaps = [_heap(one, faults) for one in groups]
            return Move(LAY, tuple(heaps), _class(discard)), tuple(dict.fromkeys(faults))
        case acts.Discard(card):
            return _DISCARDS[cards.CLASS_OF[cards.NUMBER[card]]], ()
        case acts.Answer(yes):
            return _WORDS[YES if yes else NO], ()
        case acts.Draw():
            return _WORDS[DRAW], ()
        case acts.Show():
            return _WORDS[SHOW], ()
        case acts.Ask():
            return _WORDS[ASK], ()
        case acts.End():
            return _WORDS[END], ()


def to_act(position: Position, seat: int, move: Move) -> acts.Act:
    """Give a move its canonical suits from what the seat holds."""
    if move.kind not in (TAKE, LAY, DISCARD):
        return acts.parse(move.kind)
    if move.kind == DISCARD:
        return acts.Discard(cards.FACES[_pick(position.held[seat][:], move.discard)])
    left = position.held[seat][:]
    groups = [_group(left, heap) for heap in move.heaps]
    if move.kind == TAKE:
        first, *rest = groups
        return acts.Take(first.rank, first.cards, _sorted(rest))
    card = cards.FACES[_pick(left, move.discard)] if move.discard >= 0 else None
    return acts.Lay(_sorted(groups), card)


def _sorted(groups: Sequence[acts.Group]) -> tuple[acts.Group, ...]:
    return tuple(sorted(groups, key=acts.group_order))


def _group(left: list[int], heap: Heap) -> acts.Group:
    faces = [_pick(left, class_of_slot(heap.slot)) for _ in range(heap.naturals)]
    faces += [_pick(left, cards.DEUCE) for _ in range(heap.deuces)]
    faces += [_pick(left, cards.JOKER) for _ in range(heap.jokers)]
    # Picked in suit order, wild cards last: this is the canonical order already.
    return acts.Group(acts.GROUP_RANKS[heap.slot], tuple(cards.FACES[card] for card in faces))


def _pick(left: list[int], klass: int) -> int:
    """Take the first card of a class out of what is left, in suit order."""
    for card in cards.CARDS_OF[klass]:
        if left[card]:
            left[card] -= 1
            return card
    raise ValueError(f"no card of class {klass} is left")


def _class(face: str | None) -> int:
    return -1 if face is None else cards.CLASS_OF[cards.NUMBER[face]]


def _heap(one: acts.Group, faults: list[str]) -> Heap:
    slot = slot_of_rank(one.rank)
    naturals = deuces = jokers = 0
    for face in one.cards:
        klass = _class(face)
        if klass == cards.DEUCE:
            deuces += 1
        elif klass == cards.JOKER:
            jokers += 1
        else:
            naturals += 1
            if klass == cards.RED3:
                faults.append("RED3_NOT_MELDABLE")
            elif slot == WILD_SLOT or klass != class_of_slot(slot):
                faults.append("RANK_MISMATCH")
    return Heap(slot, naturals, deuces, jokers)
