"""What the service is asked and what it answers, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fairdeal.bots.reasons import Reason
from fairdeal.canasta.whereabouts import Whereabouts
from fairdeal.game.opening import PRESET
from fairdeal.service.settings import Settings

Event = Mapping[str, Any]
"""A record as JSON, with the private facts of the seat that asked under `private`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeat:
    """A seat of a game to be created.

    Attributes:
        kind: `human` or `bot`.
        label: The public name of a human; empty publishes none. A bot is named after its kind.
        custody: `player`, or `site` where the site holds the seat's token itself; told to all.
        bot: Which bot sits there; None for a human.
    """

    kind: Literal["human", "bot"]
    label: str = ""
    custody: Literal["player", "site"] = "player"
    bot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDealt:
    """Rules of a dealt-only game: the site referees by itself.

    Attributes:
        name: What the game is called.
        deck: The face of each card.
        steps: The steps of the deal (protocol 2.7).
    """

    name: str
    deck: tuple[str, ...]
    steps: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game to be created, every seat decided.

    Attributes:
        seats: By number.
        preset: The ruleset's base, as `classic@1`.
        overrides: Fields of the ruleset that differ from it.
        dealt: Rules of a dealt-only game; then preset and overrides mean nothing.
        seating: The game in which the seats were drawn for, `{game, master_record}`, or None.
        profile: `open` or `sealed` (protocol 2.5).
        beacon: `{chain, delay_ms}`, or None.
        epoch_hands: After so many hands every seat contributes anew; 0 for never.
        missing_share: `void`, or with a beacon `drop`.
        hands: How many hands are committed to; None for what the ruleset needs.
        first_seat: Who is dealt first in hand 1.
        reveal_by: When the master secret is due, milliseconds since 1970; None for seven days.
        settings: The clocks, and who may watch; kept beside the records.
        claims_until: When its claims end, ms since 1970; None for its last date.
    """

    seats: tuple[NewSeat, ...]
    preset: str = PRESET
    overrides: Mapping[str, object]
    dealt: NewDealt | None = None
    seating: Mapping[str, str] | None = None
    profile: str = "open"
    beacon: Mapping[str, object] | None = None
    epoch_hands: int = 0
    missing_share: str = "void"
    hands: int | None = None
    first_seat: int = 1
    reveal_by: int | None = None
    settings: Settings = field(default_factory=Settings)
    claims_until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedSeed:
    """A player's own Ed25519 signature over the seat's line, both in hex (protocol 2.4)."""

    pk: str
    signature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """What a player notes before contributing (protocol 2.4)."""

    open_hash: str
    master_commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A secret to be exchanged, once, for the token of a seat.

    Attributes:
        seat: From 0.
        claim: The secret.
        url: A link that holds it in its fragment.
        expires_at: When it ends, ms since 1970.
    """

    seat: int
    claim: str = field(repr=False)
    url: str = field(repr=False)
    expires_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """A game that was created; `receipts` holds the note over record 0 first."""

    id: str
    version: int
    commitment: Commitment
    table_code: str
    receipts: tuple[str, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """A claimed seat, its token, and the commitment that is pushed with it (protocol 2.12).

    Attributes:
        game: The game; in a room the one that runs there, or None.
        room: The room in all games of which the token holds the seat, or None.
        seat: From 0; of the room where there is one.
        token: Whoever holds it plays the seat.
        game_seat: The seat of the game, which differs where seats were drawn; where there is no
            game, it and what follows are None.
        version: The game's version.
        commitment: What the game is bound to.
        table_code: The start of its open hash.
        receipts: The signed note over its record 0.
    """

    game: str | None
    room: str | None = None
    seat: int
    token: str = field(repr=False)
    game_seat: int | None = None
    version: int | None = None
    commitment: Commitment | None = None
    table_code: str | None = None
    receipts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What followed from a write: the records it made, and a signed note over each of them.

    Attributes:
        version: The number of the newest record.
        events: The records, in order.
        receipts: A note over each of them.
        dry_run: Whether it was only tried out; then there are neither.
        would: Of what was tried out: the act, what it means, and what to mind.
    """

    version: int
    events: tuple[Event, ...]
    receipts: tuple[str, ...]
    dry_run: bool = False
    would: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Part of a game's records; `version` is the newest that this caller may see."""

    version: int
    events: tuple[Event, ...]
    has_more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreTime:
    """When a turn ends after its seat asked for more time.

    Attributes:
        version: The number of the newest record, which is the one that was expected.
        left: So often the seat may still ask in this hand.
        deadline, warn_at, warned: As in a view's `turn`.
    """

    version: int
    left: int
    deadline: int | None
    warn_at: int | None
    warned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What somebody may see now; `seat` is None for whoever watches."""

    version: int
    seat: int | None
    view: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What one seat can do now and what it cannot, each in a sentence with its reasons."""

    version: int
    headline: str
    can: Sequence[Mapping[str, Any]]
    cannot: Sequence[Mapping[str, Any]]
    opening: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Another act that was weighed for a hint; ``value`` as in `Hint`."""

    act: str
    sentence: str
    value: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """What a seat might do, and why.

    Attributes:
        version: The number of the newest record.
        hand: The hand in play, from 1.
        level: The bot that would do it.
        act: As it has to be sent.
        sentence: What it does.
        value: Points, on the level's own scale, that it expects of the act; None where it weighs
            nothing. Values compare within one hint.
        reasons: At least one, in their fixed order.
        alternatives: What else was weighed, best first, a few at most.
    """

    version: int
    hand: int
    level: str
    act: str
    sentence: str
    value: int | None
    reasons: tuple[Reason, ...]
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Where the cards of the refereed hand in play are, as far as somebody can know.

    Attributes:
        version: The number of the newest record that was looked at.
        hand: From 1; None while none is in play, as far as this caller may see.
        unseen: How many cards are unseen, the stock and others' cards.
        cards: A face each; empty while no hand is in play.
    """

    version: int
    hand: int | None
    unseen: int
    cards: Sequence[Whereabouts]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSeat:
    """What everybody is told of a seat.

    Attributes:
        seat: From 0.
        kind: `player` or `bot`.
        label: A published name; often empty.
        custody: Who holds its token, or plays it.
        claimed: Whether somebody holds its token.
        reissued: How often its token was taken away since the game began.
        presence: `here` or `away`; a bot always is here.
        since: Of a seat that is away: when it was last there, ms since 1970, if ever.
    """

    seat: int
    kind: str
    label: str
    custody: str
    claimed: bool
    reissued: int
    presence: str
    since: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicGame:
    """What everybody may know of a game at any time.

    Attributes:
        id: The game.
        state: `seeding`, `playing`, `between_hands` or `closed`.
        version: The number of the newest public record.
        origin: The service.
        commitment: Of record 0.
        table_code: The start of its hash.
        seats: By number.
        reveal_by: When the master secret is due, ms since 1970.
        hand: The number of the newest public hand; 0 before the first.
        totals: Of each side, after the last public score.
        next_hand_at: Between hands, when the next one is dealt, ms since 1970.
        reason: Why it was closed, or None.
        clock: As it was asked for.
        watch: As it was asked for.
    """

    id: str
    state: str
    version: int
    origin: str
    commitment: Commitment
    table_code: str
    seats: tuple[PublicSeat, ...]
    reveal_by: int
    hand: int
    totals: tuple[int, ...]
    next_hand_at: int | None
    reason: str | None
    clock: Mapping[str, Any]
    watch: Mapping[str, Any]
