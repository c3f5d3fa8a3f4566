"""Limits for many looks at once: Holm's, so that all fair looks together seldom alarm."""

from collections.abc import Sequence
from typing import Final

FAMILY: Final = 0.01  # the chance of any alarm at all where every deal is fair


def adjusted(chances: Sequence[float]) -> list[float]:
    """Return each p-value as Holm (1979) adjusts it: below `FAMILY` it is an alarm.

    Args:
        chances: The p-values of all looks, in any order; the result has the same.
    """
    ranked = sorted(range(len(chances)), key=chances.__getitem__)
    found, least = [0.0] * len(chances), 0.0
    for rank, at in enumerate(ranked):
        least = max(least, min(1.0, chances[at] * (len(chances) - rank)))
        found[at] = least
    return found
