"""Tickets of quick match: what a player wishes, and what became of it.

A ticket is a seat of a room and the claim that was given out for it (`fairdeal.rooms`, matching).
Its name says which, so nothing is kept of it beside the room.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from fairdeal import rooms
from fairdeal.errors import NotFound
from fairdeal.records.canonical import encode
from fairdeal.rooms import Room
from fairdeal.service.answers import Claim, NewGame

WAIT_S: Final = (0, 120)
"""The least and the most that a player may wait for others."""
DEFAULT_WAIT_S: Final = 20

_TICKET: Final = re.compile("(r[a-z2-7]{16})-([0-9]|1[0-5])-([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickWanted:
    """What a player wishes to play, and how long to wait for others.

    Attributes:
        game: The game, without seats, without an end of claims and without a date of its own.
        bot: Which bot plays where nobody comes; None for the service's default.
        label: The public name of the player; empty publishes none.
        custody: Who holds the token of the seat; told to all.
        wait_s: So long the player waits for others.
    """

    game: NewGame
    bot: str | None = None
    label: str = ""
    custody: Literal["player", "site"] = "player"
    wait_s: int = DEFAULT_WAIT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketView:
    """A ticket as its site is told of it.

    Attributes:
        ticket: Its name.
        state: As `rooms.ticket_state` says.
        room: The room.
        seat: The seat of the room.
        players: How many players have a seat there.
        seats: How many seats there are.
        starts_at: When the game starts if nothing more happens, ms since 1970; None where the
            ticket waits for none.
        starts_in_ms: So long until then.
        game: The game that came of it, or None.
        version: The version of the room, to wait for the next one.
        claim: The claim of the seat, in the answer that gives out the ticket.
    """

    ticket: str
    state: rooms.TicketState
    room: str
    seat: int
    players: int
    seats: int
    starts_at: int | None
    starts_in_ms: int | None
    game: str | None
    version: int
    claim: Claim | None = None


def wishes_of(room: Room) -> str:
    """Return what tells apart the players who do not meet, as 64 hex digits.

    Args:
        room: With every seat free.
    """
    said = {"wanted": dict(room.wanted), "seats": len(room.seats), "bot": room.seats[0].bot}
    return sha256(encode(said)).hexdigest()


def place_of(ticket: str) -> tuple[str, int, int]:
    """Return the room of a ticket, its seat, and which of the seat's claims it is, from 1.

    Raises:
        NotFound: `no_such_ticket`: it is no name of a ticket.
    """
    found = _TICKET.fullmatch(ticket)
    if found is None:
        raise no_such_ticket()
    return found[1], int(found[2]), int(found[3])


def told(room: Room, seat: int, n: int, now: int) -> TicketView:
    """Return a ticket as its site is told of it, without its claim.

    Args:
        room: Its room.
        seat: Its seat.
        n: Which of the seat's claims it is, from 1.
        now: ms since 1970.
    """
    state = rooms.ticket_state(room, seat, n)
    at = rooms.starts_at(room) if state == "waiting" else None
    return TicketView(
        ticket=f"{room.id}-{seat}-{n}",
        state=state,
        room=room.id,
        seat=seat,
        players=sum(one.state in ("invited", "claimed", "leaving") for one in room.seats),
        seats=len(room.seats),
        starts_at=at,
        starts_in_ms=None if at is None else max(0, at - now),
        game=None if room.match is None or state == "withdrawn" else room.match.game,
        version=room.version,
    )


def check_given(room: Room, seat: int, n: int) -> None:
    """Refuse the name of a ticket that a room never gave out (raises `NotFound`)."""
    if room.match is None or seat >= len(room.seats) or n > room.seats[seat].issued:
        raise no_such_ticket()


def no_such_ticket() -> NotFound:
    """Return the refusal of a ticket that is not there."""
    return NotFound("no_such_ticket", "There is no such ticket here.")
