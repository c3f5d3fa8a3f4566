"""The looks: each asks one thing of many deals and answers with the chance of such a result.

Sources: protocol §2.9 (aborted hands) and §4 (the rest). A fair deal is a uniform order, so every
mean and variance here is exact; what is asymptotic is the law of the sums, and a look is only
taken where there are deals enough.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fairdeal.canasta import cards
from fairdeal.cli.stats.deals import Deals, dealt_places
from fairdeal.cli.stats.tails import chi_square_above, normal_two_sided

LEAST_DEALS: Final = 100
LEAST_CARDS: Final = 8
ABORTED: Final = "aborted against finished hands"
"""The name of the look for a bias in giving up (W_ABORT_BIAS)."""

LEAST_ABORTED: Final = 5  # and as many finished ones
SHUFFLES: Final = 99_999  # of the permutation test, at most
ENOUGH_AS_FAR: Final = 20  # shuffles as far off as the deals are: then no more are needed
_SEED: Final = 20_261_130
_LEAST_DUE: Final = 8  # deals in the last class of fixed points


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One result.

    Attributes:
        name: What was asked.
        p: The chance that fair deals look at least as odd.
        found: The result in words.
    """

    name: str
    p: float
    found: str


def look(deals: Deals) -> Iterator[Look]:
    """Take every look that the deals are enough for.

    Args:
        deals: Of one shape.
    """
    if len(deals) < LEAST_DEALS or len(deals.shape.deck) < LEAST_CARDS:
        return
    yield _positions(deals)
    yield _neighbours(deals)
    yield _fixed_points(deals)
    if not deals.shape.is_canasta or not dealt_places(deals.shape, 0)[0]:
        return
    strengths = _strengths(deals)
    yield from _seats(deals, strengths)
    aborted = int(deals.aborted.sum())
    if LEAST_ABORTED <= aborted <= len(deals) - LEAST_ABORTED:
        yield _aborted(deals, strengths)


def _positions(deals: Deals) -> Look:
    """Hold each card's count at each position to the mean."""
    size = len(deals.shape.deck)
    cells = deals.orders.astype(np.intp) + size * np.arange(size)
    counts = np.bincount(cells.ravel(), minlength=size * size)
    due = len(deals) / size
    # Rows and columns both add up, hence the factor and (n - 1) squared degrees of freedom.
    x = float(((counts - due) ** 2).sum()) / due * (size - 1) / size
    degrees = (size - 1) ** 2
    return Look(
        name="position by card",
        p=chi_square_above(x, degrees),
        found=f"chi-square {x:,.1f}, due {degrees:,}",
    )


def _neighbours(deals: Deals) -> Look:
    """Hold the count of each ordered pair of cards that lie together to the mean."""
    size = len(deals.shape.deck)
    wide = deals.orders.astype(np.intp)
    counts = np.bincount((wide[:, :-1] * size + wide[:, 1:]).ravel(), minlength=size * size)
    counts = np.delete(counts, np.arange(size) * (size + 1))
    due = len(deals) / size
    x = float(((counts - due) ** 2).sum()) / due
    mean, variance = neighbour_law(size)
    # A scaled chi-square with the same mean and variance.
    return Look(
        name="ordered neighbours",
        p=chi_square_above(2 * x * mean / variance, 2 * mean * mean / variance),
        found=f"chi-square {x:,.1f}, due {mean:,}",
    )


def neighbour_law(size: int) -> tuple[int, float]:
    """Return mean and variance of the neighbours' chi-square over many deals of so many cards.

    In one deal at most one of the pairs (a, b) and (b, a) lies together, so their counts hang
    together: the quadratic form has n(n-3)/2 eigenvalues 1, (n-1)(n-2)/2 eigenvalues
    (n+1)/(n-1), and small ones whose sum is 2 and which are left out of the variance.
    """
    tied = (size + 1) / (size - 1)
    squares = size * (size - 3) / 2 + (size - 1) * (size - 2) / 2 * tied * tied
    return (size - 1) ** 2, 2 * squares


def _fixed_points(deals: Deals) -> Look:
    """Hold the number of cards that stayed where they were to Poisson(1)."""
    stayed = (deals.orders == np.arange(len(deals.shape.deck))).sum(axis=1)
    shares, left = [math.exp(-1)], 1 - math.exp(-1)
    while len(deals) * (after := left - shares[-1] / len(shares)) >= _LEAST_DUE:
        shares.append(shares[-1] / len(shares))
        left = after
    shares.append(left)  # so many fixed points or more
    counts = np.bincount(np.minimum(stayed, len(shares) - 1), minlength=len(shares))
    x = sum(
        (int(count) - len(deals) * share) ** 2 / (len(deals) * share)
        for count, share in zip(counts, shares, strict=True)
    )
    return Look(
        name="fixed points",
        p=chi_square_above(x, len(shares) - 1),
        found=f"{stayed.mean():.3f} a deal, due 1",
    )


def _measures(deck: tuple[str, ...]) -> dict[str, NDArray[np.int64]]:
    """Return what each card counts for in each measure of strength."""
    classes = [cards.CLASS_OF[cards.NUMBER[face]] for face in deck]
    return {
        "wild cards": np.array([cards.is_wild(klass) for klass in classes], np.int64),
        "red threes": np.array([klass == cards.RED3 for klass in classes], np.int64),
        "card points": np.array([cards.VALUES[klass] for klass in classes], np.int64),
    }


def _strengths(deals: Deals) -> dict[str, NDArray[np.int64]]:
    """Return for each measure a row a deal and a column a seat, of the cards first dealt."""
    found = {name: np.zeros((len(deals), deals.shape.seats), np.int64) for name in _measures(())}
    measures = _measures(deals.shape.deck)
    for first in range(deals.shape.seats):
        rows = np.flatnonzero(deals.first_seats == first)
        for seat, places in enumerate(dealt_places(deals.shape, first)):
            dealt = deals.orders[np.ix_(rows, np.array(places))]
            for name, worth in measures.items():
                found[name][rows, seat] = worth[dealt].sum(axis=1)
    return found


def _seats(deals: Deals, strengths: Mapping[str, NDArray[np.int64]]) -> Iterator[Look]:
    """Hold each seat's sum to that of cards drawn without replacement."""
    for name, worth in _measures(deals.shape.deck).items():
        for seat, places in enumerate(dealt_places(deals.shape, 0)):
            due, variance = drawn_law(worth, len(places))
            if variance == 0:
                continue
            mean = float(strengths[name][:, seat].mean())
            z = (mean - due) / math.sqrt(variance / len(deals))
            yield Look(
                name=f"{name} of seat {seat}",
                p=normal_two_sided(z),
                found=f"{mean:.3f} a deal, due {due:.3f} ({(mean - due) / due:+.1%})",
            )


def drawn_law(worth: NDArray[np.int64], drawn: int) -> tuple[float, float]:
    """Return mean and variance of the sum of some cards drawn without replacement.

    Args:
        worth: Of each card of the deck.
        drawn: How many are drawn.
    """
    size = len(worth)
    left = (size - drawn) / (size - 1)
    return drawn * float(worth.mean()), drawn * float(worth.var()) * left


def _aborted(deals: Deals, strengths: Mapping[str, NDArray[np.int64]]) -> Look:
    """Compare aborted with finished hands by shuffling which are which (§2.9).

    One look at the largest difference over all seats and measures, each in its own spread. The
    shuffles stop early once enough of them are as far off (Besag and Clifford 1991); the p-value
    is exact for any number of hands.
    """
    table = np.concatenate([*strengths.values()], axis=1).astype(np.float64)
    spread = table.std(axis=0)
    table = (table - table.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    number = int(deals.aborted.sum())
    found = float(np.abs(table[deals.aborted].sum(axis=0)).max(initial=0.0))
    chance = np.random.default_rng(_SEED)
    as_far = made = 0
    while made < SHUFFLES and as_far < ENOUGH_AS_FAR:
        drawn = chance.choice(len(table), number, replace=False, shuffle=False)
        made += 1
        as_far += bool(np.abs(table[drawn].sum(axis=0)).max(initial=0.0) >= found - 1e-9)
    p = as_far / made if as_far == ENOUGH_AS_FAR else (as_far + 1) / (made + 1)
    return Look(
        name=ABORTED,
        p=p,
        found=f"{number} of {len(deals)} hands aborted; {as_far} of {made} shuffles are as far off",
    )
