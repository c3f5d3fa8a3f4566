"""``random@1``: any listed move, each as likely."""

from itertools import islice
from typing import Final

from fairdeal.bots.chance import words
from fairdeal.bots.level import Weighed
from fairdeal.bots.seen import Seen
from fairdeal.canasta.listing import legal_moves
from fairdeal.canasta.moves import Move

MOST: Final = 1000
"""So many moves are looked at: a huge holding may have more sets that open."""


def choose(seen: Seen, seed: int) -> Move:
    """Choose a move."""
    found = list(islice(legal_moves(seen.core), MOST))
    return found[next(words(seed)) % len(found)]


def weigh(seen: Seen, seed: int) -> tuple[Weighed, ...]:
    """Give the move, without a value: nothing was weighed."""
    return (Weighed(choose(seen, seed)),)
