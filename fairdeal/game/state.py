"""What a game is at one moment: everything follows from its records and the master secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.fairness.deal import Deal
from fairdeal.fairness.keys import Secret
from fairdeal.records.chain import Record

SEEDING: Final = "seeding"
PLAYING: Final = "playing"
CLOSED: Final = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as its records leave it.

    Attributes:
        head: The newest record; its number is the game's version (decisions, 4).
        opening: Body of record 0; ``open_hash`` its record's hash.
        ruleset: The rules in force.
        master: The master secret; None when this process does not hold it, then no hand can be
            followed.
        opened: Hand secrets that are known without it, by hand.
        lines: The S line of each seat, empty where there is none (protocol §2.4).
        locked: Whether the epoch's seeds are locked.
        deals: Each hand dealt so far, hand 1 first; None where its cards are not known here.
        position: The hand in play, or None between hands.
        scored: Hands scored so far; ``totals`` the sides' points after them.
        stood_in: Acts of the hand in play made by somebody else, a count a seat.
        closed: Whether ``close`` stands; ``finished`` whether ``master`` does.
    """

    head: Record
    opening: Mapping[str, Any]
    open_hash: str
    ruleset: Ruleset
    master: Secret | None = field(repr=False)
    opened: Mapping[int, Secret] = field(default_factory=dict, repr=False)
    lines: tuple[bytes, ...]
    locked: bool = False
    deals: tuple[Deal | None, ...] = field(default=(), repr=False)
    position: Position | None = field(default=None, repr=False)
    scored: int = 0
    totals: tuple[int, ...]
    stood_in: tuple[int, ...]
    closed: bool = False
    finished: bool = False

    @property
    def id(self) -> str:
        """The game's name."""
        return self.head.game

    @property
    def version(self) -> int:
        """The number of the newest record."""
        return self.head.n

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.lines)

    @property
    def deck(self) -> list[str]:
        """The face of each card of the deck."""
        deck: list[str] = self.opening["rules"]["deck"]
        return deck

    @property
    def hand(self) -> int:
        """The number of the newest hand dealt; 0 before the first."""
        return len(self.deals)

    @property
    def state(self) -> str:
        """SEEDING, PLAYING or CLOSED."""
        if self.closed:
            return CLOSED
        return PLAYING if self.locked else SEEDING

    def deal_of(self, hand: int) -> Deal:
        """Give the deal of a hand.

        Raises:
            LookupError: Its cards are not known here.
        """
        found = self.deals[hand - 1]
        if found is None:
            raise LookupError(f"the cards of hand {hand} are not known here")
        return found

    def is_player(self, seat: int) -> bool:
        """Say whether a seat belongs to a human."""
        return bool(self.opening["seats"][seat]["kind"] == "player")

    def faces(self, indices: tuple[int, ...]) -> list[str]:
        """Give the faces of deck positions."""
        return [self.deck[index] for index in indices]
