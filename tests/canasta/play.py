"""Playing hands for properties: by chance among the listed acts, or greedily, from a seed."""

from collections.abc import Iterator
from random import Random

from benchmarks.hands import dealt
from fairdeal.bots import greedy
from fairdeal.canasta import acts, engine
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.view import knowledge

GREEDY = "greedy"
EVEN = "even"
LAYING = "laying"
STYLES = (GREEDY, EVEN, LAYING)


def choose(position: Position, style: str, chance: Random) -> acts.Act:
    """An act of the seat in turn: the bot's, any listed one, or rather one that lays cards."""
    if style == GREEDY:
        return greedy.choose(knowledge(position, position.turn), position.turn)
    listed = list(engine.legal_acts(position))
    laying = [act for act in listed if isinstance(act, acts.Take | acts.Lay)]
    if style == LAYING and laying and chance.random() < 0.8:
        return chance.choice(laying)
    return chance.choice(listed)


def played(
    rules: Ruleset, seed: int, style: str = LAYING
) -> Iterator[tuple[Position, int, acts.Act]]:
    """Every position of one hand with the seat in turn and the act that it will do."""
    chance = Random(seed)
    position = dealt(rules, chance)
    while not position.end:
        seat, act = position.turn, choose(position, style, chance)
        yield position, seat, act
        position = engine.apply(position, seat, act).position
