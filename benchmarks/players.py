"""Hands that play themselves: by chance among the listed acts, or greedily, from a seed."""

from collections.abc import Iterator
from random import Random
from typing import Final

from benchmarks.hands import dealt
from fairdeal.bots import greedy
from fairdeal.canasta import acts, engine
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.view import knowledge

GREEDY: Final = "greedy"
EVEN: Final = "even"
LAYING: Final = "laying"
ASKING: Final = "asking"
STYLES: Final = (GREEDY, EVEN, LAYING, ASKING)

_EAGER: Final = 0.8


def choose(position: Position, style: str, chance: Random) -> acts.Act:
    """Choose for the seat in turn.

    GREEDY is the bot's act, EVEN any listed one; LAYING rather takes and lays, ASKING asks where
    it may and lays besides.
    """
    if style == GREEDY:
        return greedy.choose(knowledge(position, position.turn), position.turn)
    listed = list(engine.legal_acts(position))
    if style == ASKING and acts.Ask() in listed:
        return acts.Ask()
    laying = [act for act in listed if isinstance(act, acts.Take | acts.Lay)]
    if style != EVEN and laying and chance.random() < _EAGER:
        return chance.choice(laying)
    return chance.choice(listed)


def played(
    rules: Ruleset, seed: int, style: str = LAYING
) -> Iterator[tuple[Position, int, acts.Act]]:
    """Give every position of one hand, with the seat in turn and the act that it will do."""
    chance = Random(seed)
    position = dealt(rules, chance)
    while not position.end:
        seat, act = position.turn, choose(position, style, chance)
        yield position, seat, act
        position = engine.apply(position, seat, act).position
