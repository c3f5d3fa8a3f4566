"""Where quick match finds the rooms that it fills (decision 0012).

Written with the room, in the same commit. The room itself says who waits in it; this says which
rooms there are for players of a site who wish the same, and when the next game is due.
"""

from dataclasses import dataclass
from typing import Final, Protocol

KEPT_MS: Final = 24 * 3600 * 1000
"""So long the last room of a kind is remembered after it was opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """A room that quick match fills, or has filled.

    Attributes:
        site: Whose it is.
        wishes: What its players wish, as a digest.
        number: Which room of this site and these wishes it is, from 0; there is one of a number.
        room: Its name.
        made: When it was opened, ms since 1970.
        due: When its game starts, ms since 1970; None once nobody is brought there any more.
    """

    site: str
    wishes: str
    number: int
    room: str
    made: int
    due: int | None


class Matchings(Protocol):
    """The part of a store (`ports.Store`) that knows the rooms of quick match."""

    def matchings(self, site: str, wishes: str) -> tuple[Matching, ...]:
        """Return the rooms of a site and wishes by number: those being filled, and the last one.

        The last one may be missing where it was opened more than a day ago.
        """

    def next_matching(self, after: tuple[int, str]) -> Matching | None:
        """Return the one behind (due, room) of those being filled, in this order."""
