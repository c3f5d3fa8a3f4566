"""What it costs to throw a card: its own worth, what it gives away, and whom it feeds.

Prices are points, measured by playing the same hands on with each card thrown.
"""

from typing import Final

from fairdeal.bots.judgement import SURE, danger, next_seat
from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.position import CANASTA

POINTS_WEIGHT: Final = 18
"""Tenths: a card's own points weigh more than once, for they may be laid or left in the hand."""
PAIR: Final = 35
"""A pair is a key to the pile and half a meld."""
TRIPLE: Final = 28
"""A third card of a rank, above the pair."""
RARE: Final = 37
"""A single card of a rank of which few are unseen: somebody collects the others.

Not under a frozen pile, where nobody can pair what is not there.
"""
FEW: Final = 2
"""So many unseen are few."""
WILD: Final = 200
"""A wild card that freezes the pile for the own side too."""
WILD_ON_ICE: Final = 110
"""A wild card on a pile that is frozen anyway: it only bars the next seat."""
JOKER: Final = 43
"""A joker, above a deuce."""
SLIM: Final = 5
"""A pile of so many cards is worth no care."""
FAT: Final = 25
"""What each further card of a pile is worth to who takes it."""
KEPT: Final = 3
"""A pair is kept for a frozen pile: it is so many times likelier than among cards drawn blindly."""
GROWN: Final = 4
"""A meld of so many cards may soon be a canasta."""
DENY: Final = 50
"""A card that such a meld of theirs lacks comes to it sooner or later, frozen pile or not."""
LAST: Final = 30
"""The seventh card, above that."""
PASSED: Final = 25
"""Off where the next seat has thrown such a card: it collects others."""


def price(seen: Seen, klass: int) -> int:
    """Give what throwing a card costs, in points."""
    if klass == cards.BLACK3:
        return 0
    if cards.is_wild(klass):
        wild = WILD_ON_ICE if seen.core.ice else WILD
        return wild + JOKER * (klass == cards.JOKER)
    found = worth(seen, klass) + risk(seen, klass) + denied(seen, klass)
    return found - PASSED * (seen.memory.thrown[next_seat(seen)][klass] > 0)


def worth(seen: Seen, klass: int) -> int:
    """Give what a natural card of ranks 4 to A is worth in the own holding."""
    held = seen.own[klass]
    found = cards.VALUES[klass] * POINTS_WEIGHT // 10
    if held > 1:
        found += PAIR + TRIPLE * (held > 2)
    elif seen.unseen[klass] <= FEW and not seen.core.ice:
        found += RARE
    return found


def risk(seen: Seen, klass: int) -> int:
    """Give what the next seat is expected to win by taking the pile with this card on top."""
    size = len(seen.core.pile) + 1
    if size <= SLIM:
        return 0
    chance = danger(seen, klass)
    if seen.core.ice:
        chance = min(SURE, chance * KEPT)
    return chance * (size - SLIM) * FAT // SURE


def denied(seen: Seen, klass: int) -> int:
    """Give what it is worth to keep a card that a meld of the next seat's side lacks."""
    core = seen.core
    side = core.side_of[next_seat(seen)]
    naturals = core.naturals[side][klass]
    size = naturals + core.wilds[side][klass]
    if not naturals or not GROWN <= size < CANASTA:
        return 0
    return DENY + LAST * (size == CANASTA - 1)
