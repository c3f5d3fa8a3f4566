"""The records of a transcript as values, after §2.10's table; ``schema`` makes them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from verifier.strictjson import Json

Hash: TypeAlias = str  # 64 lower-case hex digits


@dataclass(frozen=True, slots=True)
class DealStep:
    """``deal``: every seat gets ``count`` further cards, ``packet`` at a time (§2.7)."""

    count: int
    packet: int


@dataclass(frozen=True, slots=True)
class TurnStep:
    """``turn``: cards go to the up pile until one has none of these faces (§2.7)."""

    until_not: Collection[str]


@dataclass(frozen=True, slots=True)
class ReplaceStep:
    """``replace``: cards with these faces are laid and replaced from the stock (§2.7)."""

    faces: Collection[str]


@dataclass(frozen=True, slots=True)
class SetStep:
    """``set``: cards put aside under a name (§2.7)."""

    name: str
    count: int


Step: TypeAlias = DealStep | TurnStep | ReplaceStep | SetStep


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One seat of record 0."""

    kind: Literal["player", "bot"]
    label: str


@dataclass(frozen=True, slots=True)
class BeaconTerms:
    """The beacon settings of record 0 (§2.6)."""

    chain: str
    delay_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Record 0: everything that is fixed before any player's input (§2.4).

    Attributes:
        deck: One face per card; a card is its position here.
        rules: The whole object ``rules``, for the reading of ``rules.play`` (§6.1).
    """

    origin: str
    profile: Literal["open", "sealed"]
    beacon: BeaconTerms | None
    seats: tuple[SeatInfo, ...]
    deck: tuple[str, ...]
    steps: tuple[Step, ...]
    rules: dict[str, Json]
    first_seat: int
    master_commit: Hash
    hand_commits: tuple[Hash, ...]
    epoch_hands: int
    missing_share: Literal["void", "drop"]
    reveal_by: int

    @property
    def is_refereed(self) -> bool:
        """Whether the service judges every act of this game (§6)."""
        return "play" in self.rules

    @property
    def players(self) -> tuple[int, ...]:
        """The seats of kind ``player``, in rising order."""
        return tuple(seat for seat, info in enumerate(self.seats) if info.kind == "player")


@dataclass(frozen=True, slots=True)
class Seal:
    """A seat's hash of a line that is not yet shown."""

    epoch: int
    seat: int
    seal: Hash


@dataclass(frozen=True, slots=True)
class Sealed:
    """The end of sealing: one seal per seat, None where none."""

    epoch: int
    seals: tuple[Hash | None, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What a seat's line is made from (§2.4)."""

    epoch: int
    seat: int
    nonce: str
    seed_sha256: Hash


@dataclass(frozen=True, slots=True)
class Void:
    """An epoch given up for the seats whose part is missing."""

    epoch: int
    reason: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lock:
    """The end of an epoch's sharing: H256 of each seat's line, None where none."""

    epoch: int
    first_hand: int
    shares: tuple[Hash | None, ...]
    round: int | None


@dataclass(frozen=True, slots=True)
class Beacon:
    """A round of the public beacon (§2.6)."""

    epoch: int
    round: int
    signature: str


@dataclass(frozen=True, slots=True)
class Deal:
    """What the server says of a hand at deal time (§2.7).

    Attributes:
        hands: One hash per seat.
        up: The up pile, positions in the deck, in the order they were turned.
        laid: One list per seat.
        stock: The number of cards left.
    """

    hand: int
    first_seat: int
    hands: tuple[Hash, ...]
    up: tuple[int, ...]
    laid: tuple[tuple[int, ...], ...]
    stock: int


@dataclass(frozen=True, slots=True)
class Draw:
    """A stock card drawn in a dealt-only game."""

    hand: int
    seat: int
    pos: int


@dataclass(frozen=True, slots=True)
class Act:
    """One accepted act of a refereed game (§6.2); ``body`` is the whole object."""

    hand: int
    body: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Score:
    """The end of a hand by play; ``body`` is the whole object."""

    hand: int
    body: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Abort:
    """The end of a hand without a score; ``body`` is the whole object."""

    hand: int
    body: dict[str, Json]


@dataclass(frozen=True, slots=True, repr=False)
class Reveal:
    """A hand's secret, 128 hex digits, once the hand is over."""

    hand: int
    secret: str


@dataclass(frozen=True, slots=True)
class Close:
    """The end of the game."""

    reason: str
    hands: int


@dataclass(frozen=True, slots=True, repr=False)
class Master:
    """The master secret, 128 hex digits, once the game is over."""

    secret: str


Seeds: TypeAlias = Seal | Sealed | Share | Void | Lock
Body: TypeAlias = (
    Open | Seeds | Beacon | Deal | Draw | Act | Score | Abort | Reveal | Close | Master
)
