"""Tail probabilities of the normal and the chi-square law, by the standard library alone."""

import math
from typing import Final

_ENOUGH: Final = 1e-15
_TINY: Final = 1e-300
_STEPS: Final = 100_000


def normal_two_sided(z: float) -> float:
    """Return the chance that a standard normal value is at least as far from 0 as z."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi_square_above(x: float, degrees: float) -> float:
    """Return the chance that a chi-square value is above x.

    Args:
        x: The statistic.
        degrees: Above 0; need not be whole.

    Raises:
        ValueError: There are no degrees of freedom.
    """
    if degrees <= 0:
        raise ValueError(f"degrees of freedom are above 0, got {degrees}")
    if x <= 0:
        return 1.0
    shape, at = degrees / 2, x / 2
    # Both forms are those of the incomplete gamma function (DLMF 8.11.4 and 8.9.2); each
    # converges fast on its own side of the mean.
    scale = math.exp(shape * math.log(at) - at - math.lgamma(shape))
    if at < shape + 1:
        return 1.0 - scale * _series(shape, at)
    return scale * _fraction(shape, at)


def _series(shape: float, at: float) -> float:
    term = total = 1 / shape
    for step in range(1, _STEPS):
        term *= at / (shape + step)
        total += term
        if term < total * _ENOUGH:
            break
    return total


def _fraction(shape: float, at: float) -> float:
    """Evaluate the continued fraction from its head (Lentz's method)."""
    base = at + 1 - shape
    above, below = 1 / _TINY, 1 / base
    value = below
    for step in range(1, _STEPS):
        factor = step * (shape - step)
        base += 2
        below = 1 / (_not_zero(base + factor * below))
        above = _not_zero(base + factor / above)
        value *= above * below
        if abs(above * below - 1) < _ENOUGH:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
