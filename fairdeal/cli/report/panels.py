"""Heat maps of card by position: the deals, a fair simulation, and one with a planted bias."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairdeal.cli.report.tallies import count_cells

FAMILY: Final = 0.01  # the chance that fair deals have any cell outlined
_BATCH: Final = 4096
_TIMES_LIMIT: Final = 2.0  # so far beyond the limit is the planted cell, on average
MOST_OUTLINED: Final = 200


@dataclass(frozen=True, slots=True)
class Panel:
    """Counts of card by position, and what stands out in them.

    Attributes:
        z: By position and card: how far from the mean, in standard deviations.
        beyond: Positions and cards of the cells beyond the limit.
    """

    cells: NDArray[np.int64]
    z: NDArray[np.float64]
    beyond: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What counts of a cell are within chance, all cells together taken.

    Attributes:
        least: Fewer are outlined.
        most: More are outlined.
        sigma: The same for many deals, in standard deviations.
        excess: The relative excess of one cell that reaches `sigma`.
    """

    least: int
    most: int
    sigma: float
    excess: float


@dataclass(frozen=True, slots=True)
class Planted:
    """What was done to the deals of the third panel: one card is often put at one place."""

    position: int
    card: int
    share: float


def limits(deals: int, size: int) -> Limits:
    """Return the limits of each of the size x size cells: exact binomial tails, halved."""
    alpha = FAMILY / (2 * size * size)
    sigma = -NormalDist().inv_cdf(alpha)
    chance = [_binomial(deals, 1 / size, count) for count in _window(deals, size)]
    first = _window(deals, size)[0]
    below, least = 0.0, first
    for count, one in enumerate(chance, first):
        below += one
        if below >= alpha:
            least = count
            break
    above, most = 0.0, first + len(chance) - 1
    for count in range(first + len(chance) - 1, first - 1, -1):
        above += chance[count - first]
        if above >= alpha:
            most = count
            break
    return Limits(least, most, sigma, sigma * math.sqrt((size - 1) / max(deals, 1)))


def _window(deals: int, size: int) -> range:
    """Return the counts that have any chance to speak of."""
    mean = deals / size
    far = 12 * math.sqrt(mean) + 40
    return range(max(0, int(mean - far)), min(deals, int(mean + far)) + 1)


def _binomial(trials: int, chance: float, count: int) -> float:
    if trials == 0 or chance >= 1:
        return float(count == trials)
    ways = math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
    return math.exp(ways + count * math.log(chance) + (trials - count) * math.log1p(-chance))


def panel(cells: NDArray[np.int64], deals: int, bounds: Limits) -> Panel:
    """Return the panel of some counts."""
    mean = deals / len(cells)
    spread = math.sqrt(mean * (1 - 1 / len(cells))) or 1.0
    outside = (cells < bounds.least) | (cells > bounds.most)
    beyond = tuple((int(row), int(column)) for row, column in np.argwhere(outside))
    return Panel(cells, ((cells - mean) / spread).astype(np.float64), beyond)


def fair(root: str, deals: int, size: int) -> NDArray[np.int64]:
    """Count fair deals of the same number, from a seed of the root."""
    return _simulated(root, "fair", deals, size, lambda orders, _: orders)


def planted(root: str, deals: int, size: int) -> tuple[NDArray[np.int64], Planted]:
    """Count deals in which one card lies too often at one place, twice as much as the limit."""
    drawn = sha256(f"{root} planted".encode()).digest()
    position, card = drawn[0] % size, drawn[1] % size
    excess = _TIMES_LIMIT * limits(deals, size).excess
    share = min(1.0, excess / max(size - 1, 1))

    def plant(orders: NDArray[np.intp], chance: np.random.Generator) -> NDArray[np.intp]:
        rows = np.flatnonzero(chance.random(len(orders)) < share)
        lies = np.argmax(orders[rows] == card, axis=1)
        orders[rows, lies] = orders[rows, position]
        orders[rows, position] = card
        return orders

    return _simulated(root, "biased", deals, size, plant), Planted(position, card, share)


def _simulated(
    root: str,
    word: str,
    deals: int,
    size: int,
    change: Callable[[NDArray[np.intp], np.random.Generator], NDArray[np.intp]],
) -> NDArray[np.int64]:
    seed = int.from_bytes(sha256(f"{root} {word}".encode()).digest(), "big")
    chance = np.random.Generator(np.random.PCG64(seed))
    cells = np.zeros((size, size), np.int64)
    for number in _batches(deals):
        orders = np.argsort(chance.random((number, size)), axis=1, kind="stable")
        cells += count_cells(change(orders.astype(np.intp), chance))
    return cells


def _batches(deals: int) -> Iterator[int]:
    for at in range(0, deals, _BATCH):
        yield min(_BATCH, deals - at)
