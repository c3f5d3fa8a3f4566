"""A room as it is told: to everybody who is in it the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairdeal.game import Game
from fairdeal.records.chain import Record
from fairdeal.records.tablecode import table_code
from fairdeal.rooms import Played, Room
from fairdeal.service.answers import Claim, Commitment
from fairdeal.service.clerk import Clerk, commitment
from fairdeal.service.presence import Presence


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSeat:
    """A seat as all are told of it.

    Attributes:
        seat: From 0.
        state: `open`, `invited`, `claimed`, `leaving` or `bot`.
        label: A published name; often empty.
        custody: Who holds its token.
        bot: Which bot plays it where no human does; None for the service's default.
        ready: Whether its holder wants the next game as it stands.
        issued: How many claims were given out for it.
        presence: Whether its holder is there, `here` or `away`; None where nobody holds it.
        since: Of a holder that is away: when the last sign was, ms since 1970; None for never.
        game_seat: The seat that it has in the game that runs; None where none does.
    """

    seat: int
    state: str
    label: str
    custody: str
    bot: str | None
    ready: bool
    issued: int
    presence: str | None
    since: int | None
    game_seat: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomGame:
    """The game that runs in a room, with all that a seat needs to send its seed at once.

    Attributes:
        id: The game.
        kind: `game`, or `draw` for one that draws the seats of the game behind it.
        state: `seeding`, `playing` or `closed`.
        profile: `open` or `sealed`.
        epoch: The newest epoch, from 1.
        commitment: What a player notes before contributing.
        table_code: The start of the open hash, to be read aloud.
        receipts: The signed note over record 0.
        reveal_by: When the master secret is due, ms since 1970.
    """

    id: str
    kind: str
    state: str
    profile: str
    epoch: int
    commitment: Commitment
    table_code: str
    receipts: tuple[str, ...]
    reveal_by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """A room as it stands.

    Attributes:
        id: Its name.
        version: What `expect` has to be.
        state: `lobby`, `playing` or `closed`.
        code: For people to read to each other; it opens nothing.
        made: When, ms since 1970.
        auto_start: Whether the game starts once every human seat is claimed and ready.
        seating: `given`; `draw`: the seats of the first game are drawn, and kept; `draw_each`.
        host: The seat that may do what the operator may, or None.
        seats: By number.
        wanted: What is to be played, in the form of a request.
        games: Those started here, the newest last.
        game: The one that runs, or None.
        claims: Those that this very answer gives out; else none.
    """

    id: str
    version: int
    state: str
    code: str
    made: int
    auto_start: bool
    seating: str
    host: int | None
    seats: tuple[RoomSeat, ...]
    wanted: Mapping[str, Any]
    games: tuple[Played, ...]
    game: RoomGame | None = None
    claims: tuple[Claim, ...] = ()


def room_view(
    room: Room,
    there: tuple[Presence, ...],
    game: RoomGame | None,
    claims: tuple[Claim, ...] = (),
) -> RoomView:
    """Return a room as it is told.

    Args:
        room: The room.
        there: Who is there, a seat each.
        game: The game that runs in it.
        claims: Those that are given out with this answer.
    """
    seats = tuple(
        RoomSeat(
            seat=number,
            state=seat.state,
            label=seat.label,
            custody=seat.custody,
            bot=seat.bot,
            ready=seat.ready,
            issued=seat.issued,
            presence=one.word if seat.held else None,
            since=one.since if seat.held else None,
            game_seat=_game_seat(room, number),
        )
        for number, (seat, one) in enumerate(zip(room.seats, there, strict=True))
    )
    return RoomView(
        id=room.id,
        version=room.version,
        state=room.state,
        code=room.code,
        made=room.made,
        auto_start=room.auto_start,
        seating=room.seating,
        host=room.host,
        seats=seats,
        wanted=room.wanted,
        games=room.games,
        game=game,
        claims=claims,
    )


def room_game(clerk: Clerk, first: Record, game: Game) -> RoomGame:
    """Return a game as its room tells it.

    Args:
        clerk: Signs the receipt.
        first: Record 0.
        game: As it stands.
    """
    return RoomGame(
        id=game.id,
        kind="draw" if game.ruleset is None else "game",
        state=game.state,
        profile=first.body["profile"],
        epoch=game.epoch.number if game.epoch is not None else 1,
        commitment=commitment(first),
        table_code=table_code(first.hash),
        receipts=clerk.receipts(first),
        reveal_by=first.body["reveal_by"],
    )


def _game_seat(room: Room, number: int) -> int | None:
    if room.running is None:
        return None
    return room.running.seats.index(number) if room.running.seats else number
