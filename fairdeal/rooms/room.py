"""What a room is at one moment: who sits where, what is to be played, what was played."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

SeatState = Literal["open", "invited", "claimed", "leaving", "left", "bot"]
RoomStatus = Literal["lobby", "playing", "closed"]
Custody = Literal["player", "site"]
Seating = Literal["given", "draw", "draw_each"]
Kind = Literal["game", "draw"]

KEPT_GAMES: Final = 100
"""So many games, the newest ones, a room remembers."""

KEPT_LOSSES: Final = 100
"""So many tokens that were taken away a room remembers of a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A seat of a room; seat s of the room is seat s of each of its games that drew no seats.

    Attributes:
        state: `open`: for a human, and nobody was asked; `invited`: a claim is out; `claimed`:
            somebody holds its token; `leaving`: so too, but only until the game is over; `left`:
            nobody does any more, but the last token still reads what it played, until the seat
            is given out anew or the next game starts; `bot`: a bot plays it in each game.
        label: The public name of the human; empty publishes none.
        custody: Who holds the token of a human seat; told to all.
        bot: Which bot plays it where no human does; None for the service's default.
        ready: Whether its holder wants the next game as it stands.
        issued: How many claims were given out for it: all see where a seat was given out anew.
    """

    state: SeatState = "open"
    label: str = ""
    custody: Custody = "player"
    bot: str | None = None
    ready: bool = False
    issued: int = 0

    @property
    def seated(self) -> bool:
        """Whether somebody sits there for this game and the next."""
        return self.state == "claimed"

    @property
    def held(self) -> bool:
        """Whether somebody plays the seat in the game that runs."""
        return self.state in ("claimed", "leaving")

    @property
    def readable(self) -> bool:
        """Whether a token of the seat opens anything."""
        return self.held or self.state == "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game that was started in the room.

    Attributes:
        game: Its name.
        over: Whether it is over, as far as the room knows.
        bots: The seats of the room that bots play in it.
        lost: The seats of the room of which a token was taken away while it ran, once each time.
        kind: `draw` where it only draws the seats of the game behind it.
        seats: For each of its seats which seat of the room has it; empty where each has its own.
    """

    game: str
    over: bool = False
    bots: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    kind: Kind = "game"
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """How the seats were drawn (decisions 18).

    Attributes:
        game: The draw.
        master_record: The hash of its last record, 64 hex digits.
        seats: For each seat of a game which seat of the room drew it.
    """

    game: str
    master_record: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A player whom quick match gave a seat, and who waits there for others.

    Attributes:
        n: Which of the claims that were given out for the seat is the ticket's, from 1.
        made: When it was given out, ms since 1970.
        until: From then on its player waits for others no longer, ms since 1970.
    """

    n: int
    made: int
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What quick match keeps of a room that it fills, or has filled.

    Attributes:
        wishes: What its players asked for, as 64 hex digits; players with the same wishes meet.
        number: Which room of its site and wishes it is, from 0.
        tickets: A seat each; None where quick match put nobody, or whoever it was withdrew.
        game: The game that came of it; None before, and where none did.
        missed: The seats with a ticket whose players were not there when that game started.
    """

    wishes: str
    number: int
    tickets: tuple[Ticket | None, ...]
    game: str | None = None
    missed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A room (decisions 12); it writes no record.

    Attributes:
        id: Its name.
        site: Whose it is.
        version: From 0, one more with each change; what `expect` is compared with.
        state: `lobby` before each game, `playing` while one runs, `closed` for good.
        code: A short text for people to read to each other; it opens nothing.
        made: When, ms since 1970.
        auto_start: Whether the game starts by itself once every human seat is claimed and ready.
        seating: Whether the room's seats are the game's (`given`), or they are drawn: once, so
            that a rematch keeps them (`draw`), or before each game (`draw_each`).
        drawn: How the seats were drawn for what is to be played now, or None.
        host: The seat that may do what the operator may; None while nobody is seated.
        seats: By number.
        wanted: What is to be played, as JSON; the room does not look into it.
        games: Those started here, the newest last, at most KEPT_GAMES.
        match: Of a room of quick match; None for any other.
    """

    id: str
    site: str
    version: int = 0
    state: RoomStatus = "lobby"
    code: str
    made: int
    auto_start: bool = False
    seating: Seating = "given"
    drawn: Drawn | None = None
    host: int | None = None
    seats: tuple[Seat, ...]
    wanted: Mapping[str, Any] = field(repr=False)
    games: tuple[Played, ...] = ()
    match: Match | None = None

    @property
    def filling(self) -> Match | None:
        """What quick match keeps of it while it brings players here, or None."""
        waits = self.state == "lobby" and self.match is not None and self.match.game is None
        return self.match if waits else None

    @property
    def running(self) -> Played | None:
        """The game that is being played, or None."""
        return self.games[-1] if self.state == "playing" else None

    @property
    def draws_first(self) -> bool:
        """Whether the seats of the game that starts now have to be drawn first."""
        return self.seating == "draw_each" or (self.seating == "draw" and self.drawn is None)

    @property
    def all_ready(self) -> bool:
        """Whether somebody is seated, and everybody who is wants the game."""
        seated = [seat for seat in self.seats if seat.seated]
        return bool(seated) and all(seat.ready for seat in seated)

    @property
    def complete(self) -> bool:
        """Whether every human seat is claimed and ready."""
        return self.all_ready and all(seat.state in ("claimed", "bot") for seat in self.seats)
