"""The moves that a search looks at, the likeliest first.

A turn is a decision about the pile, then lays, then a discard; all legal discards are looked at,
of lays and takes those that a player would weigh: what the rules of thumb would lay, the same
with a group or the wild cards kept back, other ways into the pile.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fairdeal.bots import fast
from fairdeal.bots.partner import may_ask
from fairdeal.canasta import cards, options
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.judge import is_bound
from fairdeal.canasta.moves import ASK, DISCARD, LAY, TAKE, Heap, Move
from fairdeal.canasta.position import CANASTA, PLAY
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.referee import allows

_TAKES: Final = 4
_LAYS: Final = 6
_FREEZE_PRICE: Final = 120


def considered(core: Counts) -> tuple[Move, ...]:
    """Give the moves worth a look of the seat in turn, the rules of thumb's own first.

    One move alone where nothing is to be decided: also while the partner is asked, who answers
    by a rule, and once its yes binds the seat to go out.
    """
    own = fast.move(core)
    phase = core.phase
    if phase == DRAWING:
        return tuple(dict.fromkeys((own, *_begins(core, own))))
    if phase == PLAY and not core.last_red3 and not is_bound(core):
        asks = (Move(ASK),) if may_ask(core) else ()
        return tuple(dict.fromkeys((*asks, own, *_lays(core, own), *_discards(core))))
    return (own,)


def _begins(core: Counts, own: Move) -> Iterator[Move]:
    """Give the ways to begin a turn beside the own one."""
    if own.kind == TAKE and core.drawn < len(core.stock):
        yield fast.DRAWS
    if core.pile and (own.kind == TAKE or core.standing[core.side_of[core.turn]]):
        # Where nothing opens, looking for sets that do could take long.
        yield from islice(options.takes(core), _TAKES)


def _lays(core: Counts, own: Move) -> Iterator[Move]:
    """Give lays: what the rules of thumb lay with less, or a first lay where they lay nothing."""
    if own.kind != LAY:
        return
    heaps = own.heaps
    less = [_without_wilds(heaps)]
    if len(heaps) > 1:
        less += [heaps[:place] + heaps[place + 1 :] for place in range(len(heaps))]
        less += [(heap,) for heap in heaps if _completes(core, heap)]
    for part in islice(less, _LAYS):
        move = Move(LAY, part)
        if part and part != heaps and allows(core, move):
            yield move


def _without_wilds(heaps: tuple[Heap, ...]) -> tuple[Heap, ...]:
    return tuple(Heap(slot, naturals, 0, 0) for slot, naturals, _, _ in heaps if naturals)


def _completes(core: Counts, heap: Heap) -> bool:
    side = core.side_of[core.turn]
    there = core.naturals[side][heap.slot] + core.wilds[side][heap.slot]
    return there < CANASTA <= there + heap.size


def _discards(core: Counts) -> list[Move]:
    """Give the legal discards, that first which costs least and helps the next seat least."""
    seat = core.turn
    counts = core.counts[seat]
    melds = core.standing[core.side_of[core.tables.next_seat[seat]]]
    priced = []
    for klass in range(cards.RED3):
        held = counts[klass]
        if not held:
            continue
        if klass == cards.BLACK3:
            price = 0
        elif cards.is_wild(klass):
            price = _FREEZE_PRICE + klass
        else:
            price = 10 * held * held + cards.VALUES[klass] + (100 if klass in melds else 0)
        move = Move(DISCARD, (), klass)
        if allows(core, move):
            priced.append((price, move))
    return [move for _, move in sorted(priced)]
