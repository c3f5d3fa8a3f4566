"""Quick match: players of a site who wish the same meet in a room, and guests fill it.

What a room does while it is being filled is decided in `fairdeal.rooms` (matching).
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairdeal import rooms
from fairdeal.canasta import presets
from fairdeal.errors import Conflict, FairdealError, NotFound, Unprocessable
from fairdeal.rooms import CODE_BYTES, Match, Room, Seat, room_code
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.feed import Feed
from fairdeal.service.founding import Founder
from fairdeal.service.repeats import Once
from fairdeal.service.roombook import TRIES, Asked, RoomBook
from fairdeal.service.rooms import NewRoom, refereed
from fairdeal.service.roomview import RoomView
from fairdeal.service.tickets import (
    QuickWanted,
    TicketView,
    check_given,
    no_such_ticket,
    place_of,
    told,
    wishes_of,
)
from fairdeal.store.vault import Entropy

_LOG: Final = logging.getLogger("fairdeal.quickmatch")


class QuickMatch:
    """Gives out tickets, and starts the games that are due.

    Args:
        clerk: Keeps the books.
        founder: Draws up names.
        book: Keeps the rooms.
        feed: Knows when waiting is over.
        entropy: Gives so many bytes that nobody can foresee.
    """

    def __init__(
        self, clerk: Clerk, founder: Founder, book: RoomBook, feed: Feed, entropy: Entropy
    ) -> None:
        self._clerk = clerk
        self._founder = founder
        self._book = book
        self._feed = feed
        self._entropy = entropy

    def enter(self, caller: Caller, wanted: QuickWanted, *, once: Once | None = None) -> TicketView:
        """Give a player a seat beside others of the site who wish the same, the oldest first.

        Args:
            caller: An operator.
            wanted: What the player wishes.
            once: The request, where its answer is to be kept, the claim included.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
            MalformedInput, Unprocessable: There could be no such game; `not_in_a_room`;
                `bad_field`: seats that were drawn for, which are certain players'.
            Conflict: `room_moved`: others were faster all the time.
        """
        site = self._clerk.callers.check_operator(caller).site
        fresh = self._fresh(site, wanted)
        wishes = wishes_of(fresh)
        for _ in range(TRIES):
            there = self._clerk.store.matchings(site, wishes)
            for one in there:
                asked = Asked(caller=caller, room=one.room, once=once)
                if one.due is not None and (given := self._join(asked, wanted)) is not None:
                    return given
            number = there[-1].number + 1 if there else 0
            nobody = (None,) * len(fresh.seats)
            room = replace(fresh, match=Match(wishes=wishes, number=number, tickets=nobody))
            try:
                return self._open(room, wanted, once)
            except Conflict as refusal:
                if refusal.code != "key_taken":  # Somebody else opened this very room.
                    raise
        raise Conflict("room_moved", "Others took every seat just before; try again.")

    def look(
        self,
        caller: Caller,
        ticket: str,
        at_least: int = 0,
        wait_s: float = 0.0,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> TicketView:
        """Return what became of a ticket, as soon as its room's version is high enough.

        Args:
            caller: An operator of the ticket's site.
            ticket: Its name.
            at_least: The version that is waited for.
            wait_s: So long at most, seconds; one that waits no more is told at once.
            is_gone: Whether whoever waits is there no more.

        Raises:
            NotIdentified, NotAllowed, Gone: The caller is no such operator, or is one no more.
            NotFound: `no_such_ticket`.
        """

        def look() -> tuple[TicketView, bool]:
            self._clerk.callers.check_still(caller)
            room_id, seat, n = self._named(caller, ticket, write=False)
            room = self._book.room(room_id)
            check_given(room, seat, n)
            now = self._told(room, seat, n)
            return now, now.version >= at_least or now.state != "waiting"

        room_id, _, _ = self._named(caller, ticket, write=False)
        return self._feed.wait_for(room_id, look, wait_s, is_gone)

    def withdraw(self, caller: Caller, ticket: str, *, once: Once | None = None) -> TicketView:
        """Withdraw a ticket: its claim and the token of its seat end, and the seat is free.

        Args:
            caller: An operator of the ticket's site.
            ticket: Its name.
            once: The request, where its answer is to be kept.

        Returns:
            The ticket as it is then; nothing happens to one that waits no more.

        Raises:
            NotIdentified, NotAllowed: The caller is no such operator.
            NotFound: `no_such_ticket`.
            Conflict: `match_started`: the player is in a game; `room_moved`.
        """
        room_id, seat, n = self._named(caller, ticket)

        def decide(room: Room) -> Room:
            check_given(room, seat, n)
            state = rooms.ticket_state(room, seat, n)
            if state == "started":
                raise Conflict(
                    "match_started",
                    "The game has started with this player, who may leave the room.",
                )
            return rooms.release(room, None, seat) if state == "waiting" else room

        def tell(room: Room, _: RoomView) -> TicketView:
            return self._told(room, seat, n)

        return self._book.told_step(Asked(caller=caller, room=room_id, once=once), decide, tell)

    def start_due(self) -> int | None:
        """Start the games that are due, in all rooms that quick match fills.

        Returns:
            When the next one is due, ms since 1970; None where none is known to come.

        Raises:
            StorageFailure: The store does not answer.
        """
        behind = (-1, "")
        while (one := self._clerk.store.next_matching(behind)) is not None:
            assert one.due is not None
            if one.due > self._clerk.clock():
                return one.due
            try:
                self._book.room(one.room)
            except FairdealError as error:
                _LOG.error("room %s was not started: %s", one.room, error.code)
            behind = (one.due, one.room)
        return None

    # ---------------------------------------------------------------------------------- inside

    def _fresh(self, site: str, wanted: QuickWanted) -> Room:
        """Return a room for such a game with every seat free, and without its match."""
        game = wanted.game
        if game.seating is not None:
            raise Unprocessable(
                "bad_field", "Seats that were drawn for are certain players'.", {"field": "seating"}
            )
        kept = refereed(NewRoom(game=game))
        players = presets.build(game.preset, game.overrides).players
        room = Room(
            id=self._founder.name("r"),
            site=site,
            code=room_code(self._entropy(CODE_BYTES)),
            made=self._clerk.clock(),
            seats=(Seat(bot=wanted.bot),) * players,
            wanted=kept,
        )
        return self._book.rehearsed(room)

    def _join(self, asked: Asked, wanted: QuickWanted) -> TicketView | None:
        """Give the player a free seat of a room; None where there is none any more."""
        found: list[int] = []

        def decide(room: Room) -> Room:
            seat = rooms.free_seat(room)
            if seat is None:
                raise _Full
            found[:] = [seat]
            return self._seated(room, seat, wanted)

        def tell(room: Room, view: RoomView) -> TicketView:
            return self._given(room, found[0], view)

        try:
            return self._book.told_step(asked, decide, tell)
        except _Full:
            return None

    def _open(self, room: Room, wanted: QuickWanted, once: Once | None) -> TicketView:
        room = self._seated(room, 0, wanted)
        return self._book.told_open(room, lambda room, view: self._given(room, 0, view), None, once)

    def _seated(self, room: Room, seat: int, wanted: QuickWanted) -> Room:
        now = self._clerk.clock()
        player = Seat(label=wanted.label, custody=wanted.custody)
        return rooms.joined(room, seat, player, now, now + 1000 * wanted.wait_s)

    def _given(self, room: Room, seat: int, view: RoomView) -> TicketView:
        (claim,) = view.claims
        return replace(self._told(room, seat, room.seats[seat].issued), claim=claim)

    def _told(self, room: Room, seat: int, n: int) -> TicketView:
        return told(room, seat, n, self._clerk.clock())

    def _named(self, caller: Caller, ticket: str, *, write: bool = True) -> tuple[str, int, int]:
        """Return the room, the seat and the number of a ticket of the caller's site."""
        self._clerk.callers.check_operator(caller, write=write)
        place = place_of(ticket)
        try:
            self._clerk.callers.check_operator(caller, room=place[0], write=write)
        except NotFound:
            raise no_such_ticket() from None
        return place


class _Full(Exception):
    """No seat of the room is free."""
