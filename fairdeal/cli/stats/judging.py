"""All looks at all deals, each against the limit that their number asks for."""

from collections.abc import Iterable
from dataclasses import dataclass

from fairdeal.cli.stats.deals import Deals
from fairdeal.cli.stats.limits import FAMILY, adjusted
from fairdeal.cli.stats.looks import Look, look


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One look and what it comes to among the others.

    Attributes:
        table: Which deals were looked at, in words.
        deals: How many.
        adjusted: The p-value adjusted for the number of looks.
    """

    table: str
    deals: int
    look: Look
    adjusted: float

    @property
    def is_alarm(self) -> bool:
        """Whether fair deals would look so odd in less than one family of looks in a hundred."""
        return self.adjusted < FAMILY


def look_at_all(many: Iterable[Deals]) -> tuple[Seen, ...]:
    """Take every look at every kind of deal, and adjust for their number."""
    taken = [(deals, one) for deals in many for one in look(deals)]
    limits = adjusted([one.p for _, one in taken])
    return tuple(
        Seen(table=describe(deals), deals=len(deals), look=one, adjusted=limit)
        for (deals, one), limit in zip(taken, limits, strict=True)
    )


def describe(deals: Deals) -> str:
    """Say which deals these are."""
    shape = deals.shape
    kind = "canasta" if shape.is_canasta else "dealt only"
    return f"{kind}, {len(shape.deck)} cards, {shape.seats} seats"
