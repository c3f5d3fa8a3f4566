"""Rooms: who plays with whom, before a game and after it (decisions 12).

Each step of a room answers with the room after it; while a game runs, with all that a seat needs
to note the commitment and to send its seed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from fairdeal import rooms
from fairdeal.bots.levels import DEFAULT
from fairdeal.errors import Unprocessable
from fairdeal.rooms import CODE_BYTES, Room, Seat, Seating, room_code
from fairdeal.service.answers import NewGame
from fairdeal.service.callers import Anyone, Caller, Operator
from fairdeal.service.clerk import Clerk
from fairdeal.service.feed import Feed
from fairdeal.service.founding import Founder
from fairdeal.service.grants import check_until
from fairdeal.service.repeats import Once
from fairdeal.service.roombook import Asked, RoomBook
from fairdeal.service.roomseats import RoomSeats, starts_by_itself
from fairdeal.service.roomview import RoomView
from fairdeal.service.wantedgame import to_json
from fairdeal.store.vault import Entropy


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRoom:
    """A room to be opened.

    Attributes:
        game: What is to be played, and the seats: to a human one somebody is invited, and its
            `bot` plays where nobody comes; when the claims end.
        auto_start: Whether the game starts once every human seat is claimed and ready.
        seating: Whether the seats are given as they are, or drawn before the first game (`draw`)
            or each (`draw_each`).
    """

    game: NewGame
    auto_start: bool = False
    seating: Seating = "given"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomsListed:
    """Part of a site's rooms, by name; `behind` is what to ask for the next part with, or None."""

    rooms: tuple[Room, ...]
    behind: str | None


class Rooms:
    """Opens rooms, and lets callers take steps in them.

    Args:
        clerk: Keeps the books.
        founder: Draws up games and names.
        book: Keeps the rooms.
        feed: Knows when waiting is over, and notes who is there.
        entropy: Gives so many bytes that nobody can foresee.

    Attributes:
        seats: Gives seats out and takes them back.
    """

    def __init__(
        self, clerk: Clerk, founder: Founder, book: RoomBook, feed: Feed, entropy: Entropy
    ) -> None:
        self._clerk = clerk
        self._founder = founder
        self._book = book
        self._feed = feed
        self._entropy = entropy
        self.seats = RoomSeats(clerk, book)

    # --------------------------------------------------------------------------- the operator

    def create(self, caller: Caller, wanted: NewRoom, *, once: Once | None = None) -> RoomView:
        """Open a room; the answer holds a claim for each human seat.

        Args:
            caller: An operator.
            wanted: The room.
            once: The request, where its answer is to be kept, claims included.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
            MalformedInput, Unprocessable: There could be no such game; `not_in_a_room`.
        """
        site = self._clerk.callers.check_operator(caller).site
        now, until = self._clerk.clock(), wanted.game.claims_until
        if until is not None:
            check_until(until, now)
        room = Room(
            id=self._founder.name("r"),
            site=site,
            code=room_code(self._entropy(CODE_BYTES)),
            made=now,
            auto_start=wanted.auto_start,
            seating=wanted.seating,
            seats=tuple(
                Seat(state="bot", bot=asked.bot or DEFAULT)
                if asked.kind == "bot"
                else Seat(
                    state="invited",
                    label=asked.label,
                    custody=asked.custody,
                    bot=asked.bot,
                    issued=1,
                )
                for asked in wanted.game.seats
            ),
            wanted=refereed(wanted),
        )
        return self._book.open(self._book.rehearsed(room), until, once)

    def listed(self, caller: Caller, limit: int, behind: str | None = None) -> RoomsListed:
        """Return rooms of the caller's site, by name.

        Args:
            caller: An operator.
            limit: At most so many.
            behind: As the part before gave it; None for the first one.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator.
        """
        site = self._clerk.callers.check_operator(caller, write=False).site
        found = self._clerk.store.rooms(site, after=behind or "", limit=limit + 1)
        listed = tuple(self._book.room(one.room) for one in found[:limit])
        return RoomsListed(rooms=listed, behind=listed[-1].id if len(found) > limit else None)

    def close(self, asked: Asked) -> RoomView:
        """Close a room in which no game runs; its tokens still read the games that were played.

        Raises:
            NotIdentified, NotAllowed: The caller is no operator of the room's site.
            NotFound: `no_such_room`.
            Conflict: `game_running`.
        """
        self._clerk.callers.check_operator(asked.caller, room=asked.room)
        return self._book.step(asked, rooms.closed)

    # --------------------------------------------------------------------------------- looking

    def look(
        self,
        caller: Caller,
        room_id: str,
        at_least: int = 0,
        wait_s: float = 0.0,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> RoomView:
        """Return a room as it stands, as soon as its version is high enough, or after a while.

        Args:
            caller: Holds a token of the room, or is its operator.
            room_id: The room.
            at_least: The version that is waited for.
            wait_s: So long at most, seconds.
            is_gone: Whether whoever waits is there no more.

        Raises:
            NotIdentified, NotAllowed, Gone: The caller has no token of this room, or none any
                more.
            NotFound: `no_such_room`.
        """

        def look() -> tuple[Room, bool]:
            self._check_reader(caller, room_id)
            room = self._book.room(room_id)
            return room, room.version >= at_least or room.state == "closed"

        return self._book.view(self._feed.wait_for(room_id, look, wait_s, is_gone))

    # ------------------------------------------------------------------------------- the game

    def change_game(self, asked: Asked, wanted: NewRoom) -> RoomView:
        """Change what is to be played; the seats stay as they are.

        Raises:
            MalformedInput, Unprocessable: There could be no such game; `not_in_a_room`.
            NotIdentified, NotAllowed, NotFound, Gone, Conflict: As `RoomBook.step` and
                `fairdeal.rooms.change_game`.
        """
        by, game = self._book.by(asked), refereed(wanted)

        def decide(room: Room) -> Room:
            after = rooms.change_game(
                room, by, game, auto_start=wanted.auto_start, seating=wanted.seating
            )
            return room if after is room else self._book.rehearsed(after)

        return self._book.step(asked, decide)

    def ready(self, asked: Asked, *, yes: bool) -> RoomView:
        """Say whether the caller's seat wants the game as it stands.

        Raises:
            NotIdentified, NotAllowed, NotFound, Gone, Conflict: As `RoomBook.step` and
                `fairdeal.rooms.ready`.
        """
        decide = partial(rooms.ready, by=self._book.seat_of(asked), yes=yes)
        return self._book.step(asked, decide, starts=starts_by_itself)

    def start(self, asked: Asked) -> RoomView:
        """Start the game, or the draw for its seats; whoever starts while one runs gets that one.

        The game starts by itself when its seats are drawn.

        Record 0, the sealed secret, the listing and the room that names the game are one write.

        Raises:
            NotIdentified, NotAllowed, NotFound, Gone, Conflict: As `RoomBook.step` and
                `fairdeal.rooms.check_start`.
            Unprocessable: As `Founder.found`.
        """
        decide = partial(rooms.check_start, by=self._book.by(asked))
        return self._book.step(asked, decide, starts=lambda after: after.running is None)

    def rematch(self, asked: Asked, game: str) -> RoomView:
        """Ask for the game after a finished one; it starts when all who are seated have asked.

        Whoever asks when it was started already gets the same new game: it is the one behind
        ``game`` in the room's games.

        Raises:
            NotIdentified, NotAllowed, NotFound, Gone, Conflict: As `RoomBook.step` and
                `fairdeal.rooms.rematch`.
        """

        def starts(after: Room) -> bool:
            return after.running is None and after.games[-1].game == game and after.all_ready

        decide = partial(rooms.rematch, by=self._book.seat_of(asked), game=game)
        return self._book.step(asked, decide, starts=starts)

    # ---------------------------------------------------------------------------------- inside

    def _check_reader(self, caller: Caller, room_id: str) -> None:
        callers = self._clerk.callers
        callers.check_still(caller)
        match caller:
            case Operator() | Anyone():
                callers.check_operator(caller, room=room_id, write=False)
            case _:
                self._feed.note(room_id, callers.check_in_room(caller, room_id))


def refereed(wanted: NewRoom) -> dict[str, object]:
    """Return the game as a room keeps it.

    Raises:
        Unprocessable: `not_in_a_room`; `bad_field`: a draw is named, and one asked for.
    """
    if wanted.game.dealt is not None:
        raise Unprocessable(
            "not_in_a_room",
            "A room plays games that this service referees; open a dealt-only game by itself.",
        )
    if wanted.game.seating is not None and wanted.seating != "given":
        said = "Name a draw that is over, or let the room draw its seats: not both."
        raise Unprocessable("bad_field", said, {"field": "seating"})
    return to_json(wanted.game)
