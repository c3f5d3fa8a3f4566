"""``expert@1``: looks ahead, with a search of a fixed number of playouts.

The moves that are worth a look are searched (``search``), those that ``sharp@1`` weighs first and
best first; where there is only one, it is played. A question to the partner is one of them, and
the answer goes by the rule (``partner``).
"""

from dataclasses import replace
from functools import partial
from typing import Final

from fairdeal.bots import fast, sharp
from fairdeal.bots.appraisal import fits
from fairdeal.bots.level import Level, Weighed
from fairdeal.bots.plans import considered
from fairdeal.bots.search import search
from fairdeal.bots.seen import Seen
from fairdeal.canasta.moves import DISCARD, Move
from fairdeal.canasta.position import ASKED

NAME: Final = "expert@1"
BUDGET: Final = 300
"""Playouts of a move."""
MOST: Final = 10
"""So many moves are searched."""
WHOLE: Final = 3
"""A playout to the end of the hand, where no appraisal cuts it short, counts as so many."""


def choose(seen: Seen, seed: int, *, budget: int = BUDGET) -> Move:
    """Choose a move."""
    return weigh(seen, seed, budget=budget)[0].move


def weigh(seen: Seen, seed: int, *, budget: int = BUDGET) -> tuple[Weighed, ...]:
    """Give the moves searched with the points by which the side is expected to end ahead.

    Best first; but the move of ``sharp@1`` stays first while no other's lead is clear, so its
    value may be the lower one. Moves that fell out early were looked at in fewer worlds.
    """
    moves = candidates(seen)
    if len(moves) == 1:
        return (Weighed(moves[0]),)
    if not fits(seen.core.rules):
        budget //= WHOLE
    ranked = search(seen, seed, moves, budget)
    return tuple(Weighed(first.move, first.mean) for first in ranked)


def candidates(seen: Seen) -> tuple[Move, ...]:
    """Give the moves to search, the likeliest first; one where there is nothing to decide."""
    if seen.core.phase == ASKED:
        return (fast.move(seen.core),)
    others = considered(seen.core)
    if len(others) == 1:
        return others
    best, *rest = (one.move for one in sharp.weigh(seen, 0))
    bold = (move for move in others if move.kind != DISCARD)
    return tuple(dict.fromkeys((best, *bold, *rest, *others)))[:MOST]


def make(budget: int, plain: Level) -> Level:
    """Give the level that plays like a plain ``expert@1`` with another number of playouts."""
    return replace(
        plain,
        name=f"{NAME}:{budget}",
        choose=partial(choose, budget=budget),
        weigh=partial(weigh, budget=budget),
    )
