"""What taking the pile is worth against a card from the stock.

Worths are points, measured by playing the same hands on after the one and after the other.
"""

from typing import Final

from fairdeal.bots.judgement import next_seat
from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.counts import CLASS_OF
from fairdeal.canasta.moves import Move
from fairdeal.canasta.position import CANASTA, WILD_SLOT

DRAW: Final = 140
"""A card from the stock may be wild or a red three; nobody else gets the turned card's worth."""
FURTHER: Final = 60
"""Each further card of a draw."""
ALONE: Final = 50
"""Where there is no partner who may take what is left lying."""
EARLY: Final = 28
"""Tenths for each card of the stock: while it lasts, cards in the hand have time to be melded."""
OPENING: Final = 60
"""A take that opens."""
COMPLETES: Final = 162
ON_CANASTA: Final = -36
"""The top card on a canasta that stands."""
NATURAL_WILD: Final = -32
"""A new meld that costs a wild card."""
PAIRED: Final = 17
"""A new meld of a pair and the top card."""
THEIRS: Final = 30
"""The top card would go on a meld of the next seat's side."""
BLACK3: Final = 13
BURIED_WILD: Final = 57
MELDED: Final = 72
"""A buried card that goes on a meld of the own side."""
TO_PAIR: Final = 43
TO_SINGLE: Final = 24
USELESS: Final = 19
"""Any other buried card: a safe discard some day."""


def worth(seen: Seen, take: Move) -> int:
    """Give how much more a take is worth than a draw, in points."""
    core, side, rules = seen.core, seen.side, seen.core.rules
    found = EARLY * (len(core.stock) - core.drawn) // 10 - DRAW
    found -= FURTHER * (rules.draw_count - 1) + ALONE * (rules.sides == "solo")
    if not core.standing[side]:
        found += OPENING
    return found + top(seen, take) + buried(seen, take)


def top(seen: Seen, take: Move) -> int:
    """Give what the top card brings, and what it costs to meld it."""
    core, side, first = seen.core, seen.side, take.heaps[0]
    slot = first.slot
    before = core.naturals[side][slot] + core.wilds[side][slot]
    found = 0
    if before >= CANASTA:
        found += ON_CANASTA
    elif before + 1 + first.size >= CANASTA:
        found += COMPLETES
    if not before:
        found += NATURAL_WILD if first.wilds else PAIRED
    if core.naturals[core.side_of[next_seat(seen)]][slot]:
        found += THEIRS
    return found


def buried(seen: Seen, take: Move) -> int:
    """Give what the cards under the top are worth to the own hand."""
    core, naturals = seen.core, seen.core.naturals[seen.side]
    held, laid = seen.own[:], set()
    for heap in take.heaps:
        laid.add(heap.slot)
        if heap.slot < WILD_SLOT:
            held[heap.slot] -= heap.naturals
    found = 0
    for card in core.pile[:-1]:
        klass = CLASS_OF[card]
        if klass == cards.RED3:
            continue
        if klass == cards.BLACK3:
            found += BLACK3
        elif cards.is_wild(klass):
            found += BURIED_WILD
        elif naturals[klass] or klass in laid:
            found += MELDED
        else:
            found += TO_PAIR if held[klass] > 1 else TO_SINGLE if held[klass] else USELESS
            held[klass] += 1
    return found
