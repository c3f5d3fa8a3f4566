"""Information-set tree search: a fixed number of playouts, spread over the moves of a seat.

Each playout takes a world that fits what the seat sees (``worlds``), goes down the tree of the
moves looked at so far, plays on by rules of thumb (``fast``) for some turns and appraises what has
come of it (``appraisal``; where that was not fitted to the game, it plays to the end of the hand).
What the side of each mover gains over the others is credited to the moves on the way.

The j-th playout of each first move is played in the same world, so that first moves are compared
on the same cards; each round drops the worse half of them. All numbers are integers: the same
seed gives the same move on every machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Final

from fairdeal.bots import fast
from fairdeal.bots.appraisal import appraise, fits
from fairdeal.bots.plans import considered
from fairdeal.bots.seen import Seen
from fairdeal.bots.worlds import worlds_of
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.moves import DRAW, Move
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.scoring import sheet

TURNS: Final = 4
"""So many turns are played before the hand is appraised."""
REACH: Final = 150
"""Points that a move visited once may hope for beyond its mean."""
WIDTH: Final = 16
"""So many visits each further move of a node below the first moves takes."""
GROWS: Final = 64
"""So many visits a move takes before what follows it gets a node."""
CLEAR: Final = 2
"""A move replaces the first one if its lead is so many times half its standard error."""

_ALL_HOPE: Final = 1 << 60


class Edge:
    """A move in the tree.

    Attributes:
        visits: How many playouts went through it.
        total: The sum of what they were worth to the side that moves.
        offered: How often it could have been chosen.
        below: The moves that follow, by what the searching seat drew with this one.
    """

    __slots__ = ("below", "offered", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.total = self.offered = 0
        self.below: dict[tuple[int, ...], dict[Move, Edge]] = {}


@dataclass(slots=True)
class First:
    """A move to choose from, with what its playouts were worth: ``values[j]`` is of world j."""

    move: Move
    edge: Edge = field(default_factory=Edge)
    values: list[int] = field(default_factory=list)

    @property
    def mean(self) -> int:
        """The mean of the playouts, rounded down; 0 where there are none."""
        return sum(self.values) // max(1, len(self.values))


class Search:
    """The playouts of what a seat sees."""

    def __init__(self, seen: Seen, seed: int) -> None:
        self._seat, self._side, self._seed = seen.seat, seen.side, seed
        self._source = worlds_of(seen)
        self._worlds: list[Counts] = []
        self._appraises = fits(seen.core.rules)

    def visit(self, first: First) -> None:
        """Play a first move once more, in its next world."""
        core = self._world(len(first.values))
        move, edge, side = first.move, first.edge, self._side
        path = [(edge, side)]
        while True:
            turn, drawn = core.turn, core.drawn
            core.step(move)
            if core.end or edge.visits < GROWS:
                break
            new = core.stock[drawn : core.drawn] if turn == self._seat else ()
            own = move.kind == DRAW and turn == self._seat
            node = edge.below.setdefault(tuple(CLASS_OF[card] for card in new) if own else (), {})
            choices = _next_choices(core)
            if not choices:
                break
            side = core.side_of[core.turn]
            move, edge = _select(node, choices, edge.visits)
            path.append((edge, side))
        worth = self._play_on(core)
        for edge, side in path:
            edge.visits += 1
            edge.total += worth[side]
        first.values.append(worth[self._side])

    def _world(self, number: int) -> Counts:
        if number == len(self._worlds):
            self._worlds.append(self._source.draw(self._seed, number))
        return self._worlds[number].copy()

    def _play_on(self, core: Counts) -> Sequence[int]:
        """Play on by rules of thumb; give what that is worth to each side over the others."""
        play, step = fast.move, core.step
        turn, turns = core.turn, TURNS if self._appraises else -1
        while not core.end:
            if core.turn != turn and core.phase == DRAWING:
                turn, turns = core.turn, turns - 1
                if not turns:
                    ahead = appraise(core)
                    return ahead, -ahead
            step(play(core))
        points = [one.hand for one in sheet(core)]
        every, others = sum(points), len(points) - 1
        return [one - (every - one) // others for one in points]


def _next_choices(core: Counts) -> tuple[Move, ...]:
    """Make the moves that are no choice, and give the moves of the next choice, if one comes."""
    while not core.end:
        choices = considered(core)
        if len(choices) > 1:
            return choices
        core.step(choices[0])
    return ()


def _select(node: dict[Move, Edge], choices: tuple[Move, ...], visits: int) -> tuple[Move, Edge]:
    """Choose by mean and reach among the first few choices; the more visits, the more of them.

    What can be chosen differs from world to world, so the reach grows with how often a move
    could have been chosen, not with how often its node was visited.
    """
    best, most = choices[0], -_ALL_HOPE
    for move in choices[: 1 + visits // WIDTH]:
        edge = node.get(move)
        if edge is None:
            edge = node[move] = Edge()
        edge.offered += 1
        hope = _ALL_HOPE
        if edge.visits:
            spread = REACH * REACH * (edge.offered**4).bit_length()
            hope = edge.total // edge.visits + isqrt(spread // (4 * edge.visits))
        if hope > most:
            best, most = move, hope
    return best, node[best]


def search(seen: Seen, seed: int, moves: Sequence[Move], budget: int) -> list[First]:
    """Spend a budget of playouts on moves, and give them best first.

    All get as many, then the better half as many again, and so on; the first move stays to the
    end, and is best unless another's lead in the same worlds is clear.

    Args:
        seen: What the seat sees.
        seed: From 0 to 2^64 - 1.
        moves: Legal moves, the likeliest first.
        budget: About so many playouts; each move gets at least one.
    """
    tree = Search(seen, seed)
    alive = [First(move) for move in moves]
    own = alive[0]
    out: list[First] = []
    rounds = max(1, (len(alive) - 1).bit_length())
    for _ in range(rounds):
        for _ in range(max(1, budget // (rounds * len(alive)))):
            for first in alive:
                tree.visit(first)
        ranked = sorted(alive, key=lambda first: -first.mean)
        keep = max(2, (len(ranked) + 1) // 2)
        alive = ranked[:keep]
        if own not in alive:
            alive[-1] = own
        out = [first for first in ranked if first not in alive] + out
    best = alive[0]
    if best is not own and not _is_clear(best, own):
        alive.remove(own)
        alive.insert(0, own)
    return alive + out


def _is_clear(one: First, other: First) -> bool:
    """Say whether one move leads by enough in the worlds that both were played in."""
    leads = [a - b for a, b in zip(one.values, other.values, strict=False)]
    count, total = len(leads), sum(leads)
    spread = count * sum(lead * lead for lead in leads) - total * total
    return total > 0 and 4 * count * total * total > CLEAR * CLEAR * spread
