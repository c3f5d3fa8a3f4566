"""The one interface of all bots: a seat's view in, a move out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from fairdeal.bots.seen import Seen
from fairdeal.canasta.moves import Move


class Weighed(NamedTuple):
    """A move and what a level thinks that it is worth.

    Attributes:
        move: A legal move.
        value: Points that the side is expected to gain over the others with it, or a level's own
            scale of points; None where a level weighs nothing. Values compare within one answer.
    """

    move: Move
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """A bot of one version; a version plays alike for good.

    Attributes:
        name: Name and version, as seats are labelled with it.
        summary: How it plays, in a sentence.
        choose: Gives the move for what a seat sees and a seed from 0 to 2^64 - 1.
        weigh: Gives the moves that were considered, best first; the first is what ``choose``
            gives.
        weight: How many acts of a quick bot one of its acts takes.
        offered: Whether a new game may seat it.
    """

    name: str
    summary: str
    choose: Callable[[Seen, int], Move]
    weigh: Callable[[Seen, int], tuple[Weighed, ...]]
    weight: int = 1
    offered: bool = True
