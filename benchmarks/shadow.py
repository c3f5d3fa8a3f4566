"""Playouts with a shadow: every act of the count core is done on a position beside it.

``shadow`` plays one hand and raises ``AssertionError`` where core and position part.
"""

from collections.abc import Iterator
from random import Random

from benchmarks.hands import dealt
from fairdeal.canasta import acts, cards, engine, scoring
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.moves import Move, to_act
from fairdeal.canasta.playout import position_of
from fairdeal.canasta.position import Position, Tally
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.sampling import sample

_BY_VALUE = tuple(name for name in Tally.__slots__ if name != "pile")
_OWN = ("ice", "jokers", "needs", "reds", "standing")
_LONGEST = 5000
"""No hand of these rulesets takes as many acts: a longer one does not end."""


def words_of(chance: Random) -> Iterator[int]:
    """Give words for playouts, 32 bits each."""
    while True:
        yield chance.getrandbits(32)


def shadow(rules: Ruleset, seed: int) -> tuple[str, list[Move]]:
    """Play one hand on counts and on faces; give its end and its moves."""
    chance = Random(seed)
    position = dealt(rules, chance)
    core, words, moves = Counts.from_position(position), words_of(chance), []
    while not core.end:
        move = sample(core, words)
        moves.append(move)
        act = to_act(position, position.turn, move)
        assert acts.parse(acts.format_act(act)) == act
        engine.check(position, position.turn, act)
        engine.play(position, position.turn, act)
        twin = core.copy() if chance.random() < 0.05 else None
        core.step(move)
        assert_alike(core, position)
        assert len(moves) < _LONGEST
        if twin is not None:
            twin.step(move)
            assert_same(twin, core)
            assert_same(Counts.from_position(position_of(core)), core)
    assert scoring.sheet(core) == scoring.sheet(position)
    return core.end, moves


def assert_alike(core: Counts, position: Position) -> None:
    """Hold a core to a position: all that rules and scores look at."""
    for name in _BY_VALUE:
        assert getattr(core, name) == getattr(position, name), name
    assert classes(core.pile) == classes(position.pile)
    assert core.frozen == position.frozen
    for side in range(len(core.naturals)):
        assert core.opened(side) == position.opened(side)
        assert core.red_threes(side) == position.red_threes(side)
        assert core.laid_points(side) == position.laid_points(side)


def assert_same(one: Counts, other: Counts) -> None:
    """Hold one core to another."""
    for name in (*_BY_VALUE, *_OWN):
        assert getattr(one, name) == getattr(other, name), name
    assert classes(one.pile) == classes(other.pile)


def classes(pile: list[int]) -> list[int]:
    """Give the classes of a pile's cards."""
    return [cards.CLASS_OF[card] for card in pile]
