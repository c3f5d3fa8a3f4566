"""Two bots on the same cards: each deal twice, with sides swapped (docs/decisions/0012)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from fairdeal.canasta.ruleset import Ruleset
from fairdeal.cli.bots.table import Played, dealt, play

Z95: Final = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One deal played with the sides swapped.

    Attributes:
        number: The hand's number.
        difference: Points of the first bot's side less those of the others, the mean of all its
            places.
        hands: The hands played, with the sides that the first bot had in each.
    """

    number: int
    difference: float
    hands: tuple[tuple[int, Played], ...]


def duel(
    rules: Ruleset, first: str, second: str, seed: str, numbers: Sequence[int]
) -> Iterator[Pair]:
    """Play deals of a seed text; at every place of the first bot's side once."""
    sides = rules.side_seats
    for number in numbers:
        position = dealt(rules, seed, number)
        hands = []
        for side in range(len(sides)):
            bots = [first if seat in sides[side] else second for seat in range(rules.players)]
            hands.append((side, play(position, bots, seed, number)))
        yield Pair(number=number, difference=_difference(hands), hands=tuple(hands))


def _difference(hands: Sequence[tuple[int, Played]]) -> float:
    total = 0.0
    for side, played in hands:
        others = [points for at, points in enumerate(played.points) if at != side]
        total += played.points[side] - sum(others) / len(others)
    return total / len(hands)


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Give the mean of samples and half of its 95 % interval."""
    count = len(samples)
    mean = sum(samples) / count
    if count < 2:
        return mean, float("inf")
    spread = sqrt(sum((one - mean) ** 2 for one in samples) / (count - 1))
    return mean, Z95 * spread / sqrt(count)
