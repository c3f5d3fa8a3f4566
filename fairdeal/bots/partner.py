"""The partner's question: when a bot asks, and how it answers (docs/decisions/0012).

A bot asks before it goes out wherever it may, and a partner answers *yes* unless its own holding
counts more than ``LOOSE`` points that it could not lay were it in turn. Both look at the own
holding and the table alone.
"""

from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.judge import can_finish_now
from fairdeal.canasta.position import PLAY, STOCK

LOOSE: Final = 100
"""So many points may be lost with a *yes*."""

_RANKS: Final = 11


def may_ask(core: Counts) -> bool:
    """Say whether the seat in turn may ask its partner, and would be held to go out by a yes."""
    return (
        core.rules.permission != "off"
        and core.phase == PLAY
        and core.drew == STOCK
        and not core.laid_now
        and not core.asked
        and can_finish_now(core, core.turn)
    )


def says_yes(core: Counts, seat: int) -> bool:
    """Answer the partner's question from a seat's own cards and the table."""
    return loose_points(core, seat) <= LOOSE


def loose_points(core: Counts, seat: int) -> int:
    """Count the points of a holding that could not be laid at once, were the seat in turn.

    Naturals count as laid that join a meld of the side or are enough for one; wild cards that
    find room there too.
    """
    rules, side, counts = core.rules, core.side_of[seat], core.counts[seat]
    loose, room = 0, 0
    cap = core.rules.cards if rules.meld_max_wilds is None else rules.meld_max_wilds
    for klass in range(_RANKS):
        naturals, wilds = core.naturals[side][klass], core.wilds[side][klass]
        total = naturals + counts[klass]
        if naturals or counts[klass] >= rules.meld_min_size:
            most = cap if rules.wild_ratio == "free" else min(cap, total)
            room += max(0, most - wilds)
        else:
            loose += counts[klass] * cards.VALUES[klass]
    wild = [cards.JOKER] * counts[cards.JOKER] + [cards.DEUCE] * counts[cards.DEUCE]
    loose += sum(cards.VALUES[klass] for klass in wild[room:])
    return loose + counts[cards.BLACK3] * cards.VALUES[cards.BLACK3]
