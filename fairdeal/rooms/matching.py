"""Quick match: players with the same wishes meet in a room, and guests fill it (decisions 12).

A room that is being filled is in its lobby. Each ticket is a seat to which its player is invited.
The game starts as soon as the room is full, or one of its players has waited for long enough; but
whoever was given a seat has a few seconds to take it. Bots play the seats that are free then, and
those that nobody took in time. When it starts follows from the room alone, so every process knows
the same time, and a restart loses none.

The version is counted up by whoever keeps the room, as with the other steps (`steps.py`).
"""

from dataclasses import replace
from typing import Final, Literal

from fairdeal.rooms.room import Match, Room, Seat, Ticket

CLAIM_MS: Final = 10_000
"""So long a game waits for a player who was given a seat, and has not taken it."""

TicketState = Literal["waiting", "started", "missed", "withdrawn"]

_TAKEN: Final = ("invited", "claimed")


def free_seat(room: Room) -> int | None:
    """Return the first seat that quick match may give out; None where there is none."""
    if room.filling is None:
        return None
    free = (number for number, seat in enumerate(room.seats) if seat.state in ("open", "left"))
    return next(free, None)


def joined(room: Room, number: int, seat: Seat, made: int, until: int) -> Room:
    """Give a free seat of a room that is being filled to a player who waits.

    Args:
        room: The room.
        number: As `free_seat` gave it.
        seat: The player's label and custody.
        made: When, ms since 1970.
        until: How long the player waits for others, ms since 1970.
    """
    assert room.match is not None
    there = room.seats[number]
    taken = replace(
        there, state="invited", label=seat.label, custody=seat.custody, ready=False,
        issued=there.issued + 1,
    )  # fmt: skip
    ticket = Ticket(n=taken.issued, made=made, until=until)
    before, after = room.match.tickets[:number], room.match.tickets[number + 1 :]
    return replace(
        room,
        seats=(*room.seats[:number], taken, *room.seats[number + 1 :]),
        match=replace(room.match, tickets=(*before, ticket, *after)),
    )


def starts_at(room: Room) -> int | None:
    """Return when the game of a room that is being filled starts if nothing more happens.

    Returns:
        ms since 1970, perhaps past; None where it does not start by itself.
    """
    if room.filling is None:
        return None
    waiting = [
        (seat, ticket)
        for seat, ticket in zip(room.seats, room.filling.tickets, strict=True)
        if ticket is not None and seat.state in _TAKEN
    ]
    if not waiting:
        return None
    to_take = (ticket.made + CLAIM_MS for seat, ticket in waiting if seat.state == "invited")
    first = min(ticket.until for _, ticket in waiting)
    return max(0 if free_seat(room) is None else first, *to_take, 0)


def is_due(room: Room, now: int) -> bool:
    """Say whether the time has come to start the game of a room that is being filled."""
    at = starts_at(room)
    return at is not None and at <= now


def tidied(room: Room) -> Room:
    """Return a room after a step, without the tickets of those who left or were taken away.

    One that is being filled and in which nobody is left is closed: the next player gets another.
    """
    if room.filling is None:
        return room
    tickets = tuple(
        ticket if seat.state in _TAKEN else None
        for seat, ticket in zip(room.seats, room.filling.tickets, strict=True)
    )
    room = replace(room, match=replace(room.filling, tickets=tickets))
    if any(seat.state in _TAKEN for seat in room.seats):
        return room
    return replace(room, state="closed")


def matched(match: Match, game: str, bots: tuple[int, ...]) -> Match:
    """Return what is kept of a match when a game starts: the first one is what came of it.

    Args:
        match: Before.
        game: The game.
        bots: The seats that bots play in it.
    """
    if match.game is not None:
        return match
    missed = tuple(seat for seat in bots if match.tickets[seat] is not None)
    return replace(match, game=game, missed=missed)


def ticket_state(room: Room, seat: int, n: int) -> TicketState:
    """Return what became of a ticket.

    Args:
        room: The room.
        seat: One of its seats.
        n: Which of the claims that were given out for it, from 1.

    Returns:
        `waiting`; `started`, with its player; `missed`: without, or no game came of it;
        `withdrawn`, as for a claim that was no ticket.
    """
    ticket = None if room.match is None else room.match.tickets[seat]
    if room.match is None or ticket is None or ticket.n != n:
        return "withdrawn"
    if room.filling is not None:
        return "waiting"
    return "missed" if room.match.game is None or seat in room.match.missed else "started"
