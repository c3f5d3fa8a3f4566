"""Whether a new version of a bot may take an old one's place."""

from dataclasses import dataclass
from typing import Any

from fairdeal.cli.bots.telling import headline
from fairdeal.service.play import Figures

WORSE = 1
INCONCLUSIVE = 3


@dataclass(frozen=True, slots=True)
class Gated:
    """What a gate says.

    Attributes:
        status: 0 to pass, `WORSE` or `INCONCLUSIVE`.
        sentence: In words, with the figures.
        pair: The figures.
        least: What was demanded, points a hand.
    """

    status: int
    sentence: str
    pair: Figures
    least: int

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "exit": self.status,
            "new": self.pair.first,
            "old": self.pair.second,
            "least": self.least,
            "deals": self.pair.deals,
            "points": self.pair.points,
            "low": self.pair.low,
            "high": self.pair.high,
        }


def gated(pair: Figures, least: int) -> Gated:
    """Hold a pair to what is demanded: by its interval, not by its mean."""
    figures = headline(pair)
    if pair.high < least:
        return Gated(WORSE, f"REFUSED: {figures}, below the {least} demanded", pair, least)
    if pair.low < least:
        told = f"INCONCLUSIVE: {figures}, around the {least} demanded; play more hands"
        return Gated(INCONCLUSIVE, told, pair, least)
    return Gated(0, f"PASSED: {figures}, at least the {least} demanded", pair, least)
