"""A remedy: a legal act of the own hand after which what was refused is legal.

Only printed where it is certain: whatever the stock holds, the refused act then passes.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from fairdeal.canasta import acts
from fairdeal.canasta.explain.asif import after, in_turn
from fairdeal.canasta.legality import faults
from fairdeal.canasta.listing import legal_acts
from fairdeal.canasta.position import SHOW, Position

_MOST: Final = 400
"""How many first steps are tried at most; a search that finds nothing prints nothing."""


def remedy(
    known: Position, seat: int, act: acts.Act, listed: Iterable[acts.Act] | None = None
) -> str | None:
    """Give the text of a legal act after which a refused one is legal, or None.

    Args:
        known: What the seat knows.
        seat: The seat.
        act: An act that is refused now.
        listed: The legal acts of the seat, if they have been listed already.
    """
    if not in_turn(known, seat) or isinstance(act, acts.Ask | acts.Answer | acts.End | acts.Show):
        return None
    if known.phase != SHOW and not isinstance(act, acts.Lay | acts.Discard):
        return None
    for step in islice(_steps(legal_acts(known) if listed is None else listed), _MOST):
        then = after(known, seat, step)
        if then is not None and next(faults(then, seat, act), None) is None:
            return acts.format_act(step)
    return None


def _steps(listed: Iterable[acts.Act]) -> Iterator[acts.Act]:
    """Give the acts that may come before: no question, whose answer is open, and no end."""
    for act in listed:
        if isinstance(act, acts.Draw | acts.Show | acts.Take | acts.Lay):
            yield act
