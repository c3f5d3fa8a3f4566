"""What a seat can judge from what it sees and remembers: chances, dangers, worths.

Chances are whole numbers per mille, worths whole points; nothing here depends on the move that
is made of it.
"""

from functools import lru_cache
from typing import Final

from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.counts import CLASS_OF
from fairdeal.canasta.pile import NATURAL_WILD, PAIR
from fairdeal.canasta.position import WILD_SLOT
from fairdeal.canasta.tables import FROZEN_KEY, key_of

SURE: Final = 1000
"""The chance of what is certain."""
LEFT_TRUST: Final = 700
"""So much of the chance of a pair goes where the seat left such a top card lying."""
THROWN_TRUST: Final = 500
"""So much of it goes where the seat has thrown such a card itself."""

_BITS: Final = 40


def next_seat(seen: Seen) -> int:
    """Give the seat that plays after this one: the only one that can take what it throws."""
    return seen.core.tables.next_seat[seen.seat]


def is_shut(seen: Seen, side: int) -> bool:
    """Say whether the pile is frozen, for everybody or for a side that has not opened."""
    core = seen.core
    return core.ice or (core.rules.frozen_before_opening and not core.standing[side])


def pile_points(seen: Seen) -> int:
    """Give the points of the cards in the pile, by their values (R-67)."""
    return sum(cards.VALUES[CLASS_OF[card]] for card in seen.core.pile)


def chances(seen: Seen, seat: int, klass: int) -> tuple[int, int]:
    """Give the chances per mille that another seat holds one such card, and that it holds two.

    What it holds for sure counts in full; the rest of its holding is as likely to be any unseen
    card. Who left such a top card lying, or threw one, is less likely to hold a pair.
    """
    sure, memory = seen.sure[seat], seen.memory
    unseen = seen.unseen
    all_unseen = sum(unseen[: cards.RED3])
    free = seen.core.sizes[seat] - sum(sure)
    one, two = of_unseen(unseen[klass], free, all_unseen)
    if sure[klass]:
        return SURE, SURE if sure[klass] > 1 else one
    if memory.left[seat][klass]:
        two = two * (SURE - LEFT_TRUST) // SURE
    if memory.thrown[seat][klass]:
        two = two * (SURE - THROWN_TRUST) // SURE
        one = one * (SURE - THROWN_TRUST // 2) // SURE
    return one, two


def danger(seen: Seen, klass: int) -> int:
    """Give the chance per mille that the next seat can take the pile if this card is thrown.

    By its side's meld of the rank, by a pair, or by a natural card and a wild one, as far as the
    ruleset has these doors and the pile is not frozen for that side. What an opening takes beside
    is not looked at.
    """
    core, seat = seen.core, next_seat(seen)
    if core.tables.blocks[klass]:
        return 0
    if klass >= WILD_SLOT:
        return _danger_of_wild(seen, klass)
    side, rules, shut = core.side_of[seat], core.rules, is_shut(seen, core.side_of[seat])
    doors = rules.take_frozen if shut else rules.take_unfrozen
    there = key_of(klass, core.naturals[side][klass], core.wilds[side][klass])
    if core.tables.enters[there | FROZEN_KEY if shut else there]:
        return SURE
    one, two = chances(seen, seat, klass)
    found = two if PAIR in doors else 0
    if NATURAL_WILD in doors:
        wild = chance_of_wild(seen, seat)
        found += max(0, one - two) * wild // SURE
    return min(found, SURE)


def _danger_of_wild(seen: Seen, klass: int) -> int:
    """Give the danger of a wild top card where wild melds are laid: of a pair, or a meld."""
    core, seat = seen.core, next_seat(seen)
    side = core.side_of[seat]
    if not is_shut(seen, side) and core.wilds[side][WILD_SLOT]:
        return SURE
    return chances(seen, seat, klass)[1]


def chance_of_wild(seen: Seen, seat: int) -> int:
    """Give the chance per mille that another seat holds a wild card."""
    sure, unseen = seen.sure[seat], seen.unseen
    if sure[cards.DEUCE] or sure[cards.JOKER]:
        return SURE
    free = seen.core.sizes[seat] - sum(sure)
    wild = unseen[cards.DEUCE] + unseen[cards.JOKER]
    return of_unseen(wild, free, sum(unseen[: cards.RED3]))[0]


def is_dead(seen: Seen, klass: int) -> bool:
    """Say whether no such card can come any more: all are in sight or in known holdings."""
    return not seen.unseen[klass] and not any(sure[klass] for sure in seen.sure)


def keeps_pair(seen: Seen, klass: int) -> bool:
    """Say whether two or more of a rank are held, and more may come to the top of the pile."""
    return klass < WILD_SLOT and seen.own[klass] > 1 and not is_dead(seen, klass)


@lru_cache(maxsize=1 << 16)
def of_unseen(copies: int, drawn: int, among: int) -> tuple[int, int]:
    """Give the chances per mille of one, and of two, of some copies among cards drawn blindly.

    Args:
        copies: How many of the cards are such.
        drawn: How many are drawn.
        among: How many cards there are.
    """
    if copies <= 0 or drawn <= 0:
        return 0, 0
    if drawn >= among:
        return SURE, SURE if copies > 1 else 0
    none, single = 1 << _BITS, (copies * drawn << _BITS) // among
    for place in range(copies):
        none = none * max(0, among - drawn - place) // (among - place)
    for place in range(copies - 1):
        single = single * max(0, among - drawn - place) // (among - 1 - place)
    one = SURE - (SURE * none >> _BITS)
    return one, max(0, SURE - (SURE * (none + single) >> _BITS))
