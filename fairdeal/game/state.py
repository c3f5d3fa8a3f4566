"""What a game is at one moment: everything follows from its records and the master secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fairdeal.canasta.memory import Memory
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.fairness.deal import Deal
from fairdeal.fairness.keys import Secret
from fairdeal.game.epoch import VOID, Epoch
from fairdeal.records.chain import Record

SEEDING: Final = "seeding"
PLAYING: Final = "playing"
BETWEEN_HANDS: Final = "between_hands"
CLOSED: Final = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as its records leave it.

    Attributes:
        head: The newest record; its number is the game's version (decisions, 4).
        opening: Body of record 0; ``open_hash`` its record's hash.
        ruleset: The rules in force; None in a dealt-only game.
        master: The master secret; None when this process does not hold it, then no hand can be
            followed.
        opened: Hand secrets that are known without it, by hand.
        epochs: Every epoch begun so far, the newest last (protocol §2.5).
        deals: Each hand dealt so far, hand 1 first; None where its cards are not known here.
        in_play: Whether a hand is dealt and neither scored nor aborted.
        position: The refereed hand in play, as far as its cards are known here.
        memory: What everybody could have noticed in that hand so far; None without its position.
        draws: In a dealt-only hand the seat that drew each stock position so far.
        scored: Hands scored so far; ``totals`` the sides' points after them.
        stood_in: Acts of the hand in play made by somebody else, a count a seat.
        turn_since: When the seat in turn came in turn, ms since 1970: the time of the record that
            put it there. What it does in its turn does not change it; an answer to its question
            puts it in turn anew.
        turn_from: The number of that record.
        heard: When each seat last did something itself, ms since 1970; the time of record 0 if
            it never did.
    """

    head: Record
    opening: Mapping[str, Any]
    open_hash: str
    ruleset: Ruleset | None
    master: Secret | None = field(repr=False)
    opened: Mapping[int, Secret] = field(default_factory=dict, repr=False)
    epochs: tuple[Epoch, ...] = ()
    deals: tuple[Deal | None, ...] = field(default=(), repr=False)
    in_play: bool = False
    position: Position | None = field(default=None, repr=False)
    memory: Memory | None = field(default=None, repr=False)
    draws: tuple[int, ...] = ()
    scored: int = 0
    totals: tuple[int, ...]
    stood_in: tuple[int, ...]
    turn_since: int = 0
    turn_from: int = 0
    heard: tuple[int, ...]

    @property
    def id(self) -> str:
        """The game's name."""
        return self.head.game

    @property
    def version(self) -> int:
        """The number of the newest record."""
        return self.head.n

    @property
    def closed(self) -> bool:
        """Whether ``close`` stands; only ``master`` follows it (§2.8)."""
        return self.head.type in ("close", "master")

    @property
    def finished(self) -> bool:
        """Whether the master secret is out: no record follows that."""
        return self.head.type == "master"

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.opening["seats"])

    @property
    def epoch(self) -> Epoch | None:
        """The newest epoch, or None before the first."""
        return self.epochs[-1] if self.epochs else None

    @property
    def voids(self) -> int:
        """How many epochs were given up."""
        return sum(epoch.phase == VOID for epoch in self.epochs)

    @property
    def epoch_spent(self) -> bool:
        """Whether the newest epoch has dealt all its hands and they are over (§2.5)."""
        hands, epoch = self.opening["epoch_hands"], self.epoch
        if epoch is None or not epoch.first_hand or not hands or self.in_play:
            return False
        return bool(self.hand == epoch.first_hand + hands - 1)

    @property
    def referee(self) -> Ruleset:
        """The rules in force.

        Raises:
            LookupError: The game is dealt only.
        """
        if self.ruleset is None:
            raise LookupError(f"{self.id!r} is dealt only")
        return self.ruleset

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
        """SEEDING, PLAYING, BETWEEN_HANDS (the next follows by itself) or CLOSED."""
        if self.closed:
            return CLOSED
        if self.epoch is None or not self.epoch.ready or self.epoch_spent:
            return SEEDING
        return PLAYING if self.in_play or self.ruleset is None else BETWEEN_HANDS

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
