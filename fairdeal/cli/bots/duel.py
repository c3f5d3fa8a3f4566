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
        scaled: What the first bot's side made more than the mean of the others, summed over its
            places, times ``scale_of``: a whole number.
        difference: The same a hand.
        hands: The hands played, with the side that the first bot had in each.
    """

    number: int
    scaled: int
    difference: float
    hands: tuple[tuple[int, Played], ...]


def scale_of(rules: Ruleset) -> int:
    """Return what ``Pair.scaled`` is divided by to give points a hand."""
    sides = len(rules.side_seats)
    return sides * (sides - 1)


def duel(
    rules: Ruleset, first: str, second: str, seed: str, numbers: Sequence[int]
) -> Iterator[Pair]:
    """Play deals of a seed text; at every place of the first bot's side once.

    A bot against itself plays each deal once: its places do not differ.
    """
    sides = rules.side_seats
    for number in numbers:
        position = dealt(rules, seed, number)
        hands = []
        for side in range(1 if first == second else len(sides)):
            bots = [first if seat in sides[side] else second for seat in range(rules.players)]
            hands.append((side, play(position, bots, seed, number)))
        scaled = 0 if first == second else sum(_scaled(side, played) for side, played in hands)
        yield Pair(
            number=number,
            scaled=scaled,
            difference=scaled / scale_of(rules),
            hands=tuple(hands),
        )


def _scaled(side: int, played: Played) -> int:
    return len(played.points) * played.points[side] - sum(played.points)


def interval(samples: Sequence[float]) -> tuple[float, float]:
    """Give the mean of samples and half of its 95 % interval."""
    count = len(samples)
    mean = sum(samples) / count
    if count < 2:
        return mean, float("inf")
    spread = sqrt(sum((one - mean) ** 2 for one in samples) / (count - 1))
    return mean, Z95 * spread / sqrt(count)
