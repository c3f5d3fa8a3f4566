"""What to lay: all naturals that go onto the table, and wild cards where they finish something.

What comes first is ``fast``'s; but an opening keeps pairs where wild cards reach the points too,
and a side that has opened puts a wild card on a meld of five, so that one card more makes the
canasta, whoever of the side gets it.
"""

from typing import Final

from fairdeal.bots import fast
from fairdeal.bots.fast_opening import thrifty
from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.counts import CLASS_OF_SLOT
from fairdeal.canasta.moves import LAY, Heap, Move
from fairdeal.canasta.position import CANASTA, WILD_SLOT
from fairdeal.canasta.referee import allows

NEARLY: Final = 5
"""A meld of so many cards that a wild card brings it within one of a canasta."""
KEPT: Final = 2
"""So many cards stay in the hand when a wild card is laid that finishes nothing."""
WAY_OUT: Final = 156
"""What going out was worth over playing on, in hands played on both ways."""
_SHARE: Final = 4
"""A canasta might have come later too: a share of its bonus counts."""


def lay(seen: Seen) -> Move | None:
    """Give what to lay now, or None."""
    core = seen.core
    found = fast.lay(core)
    if core.standing[seen.side]:
        return found or _near_canasta(seen)
    return found and _cheaper(seen, found)


def _cheaper(seen: Seen, opening: Move) -> Move:
    """Give an opening with fewer cards and no more wild ones, if there is one: pairs are keys."""
    core = seen.core
    heaps = thrifty(core.tables.joins, seen.own, core.needs[seen.side])
    if heaps is None:
        return opening
    wish = Move(LAY, heaps)
    fewer = wish.used < opening.used and _wilds(wish) <= _wilds(opening)
    return wish if fewer and allows(core, wish) else opening


def _wilds(move: Move) -> int:
    return sum(heap.wilds for heap in move.heaps)


def _near_canasta(seen: Seen) -> Move | None:
    """Give a wild card to a meld of five, one without wild cards first."""
    core, side, own = seen.core, seen.side, seen.own
    if not own[cards.DEUCE] + own[cards.JOKER] or core.sizes[seen.seat] <= KEPT:
        return None
    naturals, wilds = core.naturals[side], core.wilds[side]
    deuce = int(own[cards.DEUCE] > 0)
    spots = sorted(
        (wilds[slot], slot)
        for slot in core.standing[side]
        if slot < WILD_SLOT and naturals[slot] + wilds[slot] == NEARLY
    )
    for _, slot in spots:
        wish = Move(LAY, (Heap(slot, 0, deuce, 1 - deuce),))
        if allows(core, wish):
            return wish
    return None


def gain(seen: Seen, move: Move) -> int:
    """Give what laying is worth, in points: the cards, a share of canastas, and going out."""
    core, side = seen.core, seen.side
    rules, found = core.rules, 0
    for heap in move.heaps:
        slot = heap.slot
        found += heap.naturals * cards.VALUES[CLASS_OF_SLOT[slot]]
        found += heap.deuces * cards.VALUES[cards.DEUCE] + heap.jokers * cards.VALUES[cards.JOKER]
        before = core.naturals[side][slot] + core.wilds[side][slot]
        if slot < WILD_SLOT and before < CANASTA <= before + heap.size:
            mixed = core.wilds[side][slot] + heap.wilds > 0
            found += (rules.mixed_canasta if mixed else rules.natural_canasta) // _SHARE
    if core.sizes[seen.seat] - move.used <= 1:
        found += WAY_OUT
    return found
