"""Playing a hand: start it from a deal, check an act, apply it, list what is legal.

``apply`` gives a new position and leaves its input alone; ``play`` changes one in place, for
replays and playouts. Both say what the act took from the stock and which red threes it showed,
as the records need them (protocol §6.2).
"""

from collections.abc import Sequence
from typing import NamedTuple

from fairdeal.canasta import acts, cards
from fairdeal.canasta.explain import refusals
from fairdeal.canasta.legality import faults
from fairdeal.canasta.listing import legal_acts
from fairdeal.canasta.play import Effect, begin_turn, gain, play
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.view import knowledge
from fairdeal.errors import RuleBroken

__all__ = ["Applied", "Effect", "apply", "check", "legal_acts", "play", "start"]


class Applied(NamedTuple):
    """A new position and what the act used and showed."""

    position: Position
    effect: Effect


def start(
    rules: Ruleset,
    *,
    holdings: Sequence[Sequence[str]],
    laid: Sequence[Sequence[str]],
    up: Sequence[str],
    stock: Sequence[str],
    first_seat: int,
    totals: Sequence[int],
) -> Position:
    """Give the position after a deal, before the first turn.

    Args:
        rules: The ruleset in force.
        holdings: Faces of each seat's holding.
        laid: Red threes that each seat has laid.
        up: The turned cards, bottom first.
        stock: The stock, next card first.
        first_seat: The seat that plays first (R-15).
        totals: Game total of each side before the hand.
    """
    position = Position(rules, totals)
    position.stock = tuple(cards.NUMBER[face] for face in stock)
    position.pile = [cards.NUMBER[face] for face in up]
    position.upcards = len(up)
    for seat, faces in enumerate(holdings):
        for face in faces:
            gain(position, seat, cards.NUMBER[face])
    for seat, faces in enumerate(laid):
        position.red3[position.side_of[seat]] += tuple(cards.NUMBER[face] for face in faces)
    begin_turn(position, first_seat)
    return position


def check(position: Position, seat: int, act: acts.Act) -> None:
    """Refuse an act that the rules forbid.

    Raises:
        RuleBroken: With the complete list of broken rules, most specific first.
    """
    broken = tuple(dict.fromkeys(faults(position, seat, act)))
    if broken:
        first = next(refusals(knowledge(position, seat), seat, act, iter(broken[:1])))
        raise RuleBroken(broken, first.sentence, first.rule, {**first.facts, **first.counts})


def apply(position: Position, seat: int, act: acts.Act) -> Applied:
    """Check an act and give the position after it; the one given stays as it was.

    Raises:
        RuleBroken: As ``check``.
    """
    check(position, seat, act)
    after = position.copy()
    return Applied(after, play(after, seat, act))
