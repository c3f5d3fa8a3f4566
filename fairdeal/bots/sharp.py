"""``sharp@1``: counts what is unseen, remembers, and weighs each choice in points.

A turn begins with the pile or the stock (``piling``), lays what is worth it (``laying``) and ends
with the card whose loss costs least (``discarding``). Values are points that the side is expected
to gain over ending the turn for nothing, or over a card from the stock.
"""

from typing import Final

from fairdeal.bots import discarding, fast, laying, piling
from fairdeal.bots.level import Weighed
from fairdeal.bots.partner import LOOSE, loose_points, may_ask
from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards
from fairdeal.canasta.moves import ASK, NO, YES, Move
from fairdeal.canasta.position import ASKED, DRAW, PLAY
from fairdeal.canasta.referee import allows

_ASK: Final = Move(ASK)


def choose(seen: Seen, seed: int) -> Move:
    """Choose a move."""
    return weigh(seen, seed)[0].move


def weigh(seen: Seen, seed: int) -> tuple[Weighed, ...]:  # noqa: ARG001  plays without chance
    """Give the moves that were considered with what each is worth, best first."""
    phase = seen.core.phase
    if phase == PLAY:
        found = _play(seen)
    elif phase == DRAW:
        found = _begin(seen)
    elif phase == ASKED:
        loose = loose_points(seen.core, seen.seat)
        found = [Weighed(Move(YES), LOOSE - loose + 1), Weighed(Move(NO), loose - LOOSE)]
    else:
        found = [Weighed(fast.move(seen.core), 0)]
    return tuple(sorted(found, key=_order))


def _order(one: Weighed) -> tuple[int, Move]:
    return -(one.value or 0), one.move


def _begin(seen: Seen) -> list[Weighed]:
    """Weigh the pile against the stock; where there is no stock left there is no choice."""
    core = seen.core
    take = fast.take(core)
    if take is None or core.drawn >= len(core.stock):
        return [Weighed(fast.begin(core), 0)]
    return [Weighed(take, piling.worth(seen, take)), Weighed(fast.DRAWS, 0)]


def _play(seen: Seen) -> list[Weighed]:
    """Weigh what to lay, and what to throw without laying more."""
    core = seen.core
    found = [
        Weighed(fast.DISCARDS[klass], -discarding.price(seen, klass))
        for klass in range(cards.RED3)
        if seen.own[klass] and allows(core, fast.DISCARDS[klass])
    ]
    least = max((one.value or 0 for one in found), default=0)
    lay = laying.lay(seen)
    if lay is not None:
        found.append(Weighed(lay, max(least, 0) + laying.gain(seen, lay)))
    if may_ask(core):
        found.append(Weighed(_ASK, max(least, 0) + laying.WAY_OUT * 2))
    return found or [Weighed(fast.any_legal(core), 0)]
