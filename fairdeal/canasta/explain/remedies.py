"""A remedy: a legal act of the own hand after which what was refused is legal.

Only printed where it is certain: whatever the stock holds, the refused act then passes.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fairdeal.canasta import acts, options
from fairdeal.canasta.explain.asif import after, in_turn
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import DRAW, PLAY, SHOW, Position

_MOST: Final = 400
"""How many first steps are tried at most; a search that finds nothing prints nothing."""


def remedy(known: Position, seat: int, act: acts.Act) -> str | None:
    """Give the text of a legal act after which a refused one is legal, or None.

    Args:
        known: What the seat knows.
        seat: The seat.
        act: An act that is refused now.
    """
    if not in_turn(known, seat) or isinstance(act, acts.Ask | acts.Answer | acts.End | acts.Show):
        return None
    for step in islice(_steps(known, seat, act), _MOST):
        then = after(known, seat, step)
        if then is not None and next(faults(then, seat, act), None) is None:
            return acts.format_act(step)
    return None


def _steps(known: Position, seat: int, act: acts.Act) -> Iterator[acts.Act]:
    """List the legal acts that may come before: never a question, whose answer is open."""
    if known.phase == SHOW:
        yield acts.Show()
    elif known.phase == DRAW and isinstance(act, acts.Lay | acts.Discard):
        if next(faults(known, seat, acts.Draw()), None) is None:
            yield acts.Draw()
        for move in options.takes(known):
            yield to_act(known, seat, move)
    elif known.phase == PLAY and isinstance(act, acts.Lay | acts.Discard):
        for move in options.lays(known):
            yield to_act(known, seat, move)
