"""Keeps rooms: each step is decided on the room as it stands and kept with all that it brings.

A room's version is the only lock there is. Every write that changes a seat of a room, its claims
and its tokens among them, writes the room's next version too; so of two steps at once one is
decided anew, and whatever was read of the room before a write still holds when it succeeds.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from fairdeal import rooms
from fairdeal.errors import (
    Conflict,
    FairdealError,
    MalformedInput,
    NotFound,
    StorageFailure,
    Unprocessable,
)
from fairdeal.rooms import Room, Seat
from fairdeal.service.answers import Claim, Seating
from fairdeal.service.callers import Caller, Seated
from fairdeal.service.clerk import Clerk
from fairdeal.service.founding import Founded, Founder
from fairdeal.service.presence import Presences
from fairdeal.service.repeats import Once
from fairdeal.service.roomgrants import RoomGrants
from fairdeal.service.roomview import RoomGame, RoomView, room_game, room_view
from fairdeal.service.starts import Starts
from fairdeal.store.matchport import Matching
from fairdeal.store.ports import Exchange, RoomState, Write

HOST_AWAY_MS: Final = 2 * 60 * 1000
"""A lobby whose host gave no sign for so long gets another one who is there."""

TRIES: Final = 64
"""A step that somebody else outruns so often is given up; a room has at most 16 seats."""

NEVER: Final = 2**53 - 1
"""When the game of a room starts that quick match fills and in which only the invited wait."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A step that somebody asks for.

    Attributes:
        caller: Who asks.
        room: In which room.
        expect: The version on which it was decided; None for any.
        once: The request, where its answer is to be kept.
    """

    caller: Caller
    room: str
    expect: int | None = None
    once: Once | None = None


class RoomBook:
    """Reads rooms and takes steps in them.

    Args:
        clerk: Keeps the books.
        founder: Draws up games, claims and names.
        presences: Knows who is there.
    """

    def __init__(self, clerk: Clerk, founder: Founder, presences: Presences) -> None:
        self._clerk = clerk
        self._presences = presences
        self._grants = RoomGrants(clerk, founder)
        self._starts = Starts(clerk, founder)

    def room(self, room_id: str) -> Room:
        """Return a room as it stands, once what is due in it by itself is done.

        One whose game is over is brought back to the lobby, or, behind the draw for its seats,
        starts the game; in one that quick match fills the game is started when its time has come.

        Raises:
            NotFound: `no_such_room`.
            StorageFailure: `records_damaged`: what is kept is no room.
        """
        for _ in range(TRIES):
            room = self._read(room_id)
            after, founded = self._by_itself(room)
            if after is room:
                return room
            write = Write() if founded is None else founded.write
            if self._tried(room, _counted(room, after), write) and founded is not None:
                self._clerk.settled(founded.batch)
        raise _outrun()

    def settle(self, game_id: str) -> None:
        """Bring the room of a game that is over back to the lobby.

        Nothing depends on it: where it fails, the next look at the room does it.
        """
        with suppress(FairdealError):
            room = self._clerk.callers.places.game(game_id).room
            if room:
                self.room(room)

    def by(self, asked: Asked) -> int | None:
        """Return the seat that asks, or None for the operator of the room.

        Raises:
            NotIdentified, NotAllowed: The caller is neither.
            NotFound: `no_such_room`.
        """
        if isinstance(asked.caller, Seated):
            return self.seat_of(asked)
        self._clerk.callers.check_operator(asked.caller, room=asked.room)
        return None

    def seat_of(self, asked: Asked) -> int:
        """Return the seat of the room that asks (raises as `Callers.check_in_room`)."""
        return self._clerk.callers.check_in_room(asked.caller, asked.room)

    def step(
        self,
        asked: Asked,
        decide: Callable[[Room], Room],
        *,
        starts: Callable[[Room], bool] = lambda _: False,
        until: int | None = None,
    ) -> RoomView:
        """Take a step in a room and answer with the room after it (contract: `told_step`)."""
        return self.told_step(asked, decide, lambda _, view: view, starts=starts, until=until)

    def told_step(
        self,
        asked: Asked,
        decide: Callable[[Room], Room],
        tell: Callable[[Room, RoomView], _T],
        *,
        starts: Callable[[Room], bool] = lambda _: False,
        until: int | None = None,
    ) -> _T:
        """Take a step in a room and answer with what is told of the room after it.

        Args:
            asked: Who asks for it, and where.
            tell: Gives the answer for the room after the step, and for what all are told of it.
            decide: Gives the room after the step, or refuses it; called again where somebody
                else was faster.
            starts: Whether a game starts in the room that `decide` gave.
            until: When a claim that the step gives out ends, ms since 1970.

        Raises:
            NotIdentified, Gone: The caller's token opens nothing any more.
            NotFound: `no_such_room`.
            Conflict: `room_moved`; its facts name both versions.
            FairdealError: What `decide` raises, or `Starts.start` where a game starts.
        """
        for _ in range(TRIES):
            before = self.room(asked.room)
            # After the room was read: the write below fails if the seat changes hands meanwhile.
            self._clerk.callers.check_still(asked.caller)
            if asked.expect not in (None, before.version):
                raise _moved(asked.expect, before.version)
            after, founded = decide(before), None
            if starts(after):
                after, founded = self._starts.start(after)
            if after == before:
                unchanged = tell(before, self.view(before))
                self._clerk.repeats.keep(asked.once, unchanged)
                return unchanged
            after = _counted(before, after)
            given = self._grants.claims(before.seats, after.seats, until)
            answer = tell(after, self._view(after, founded, given))
            drawn_up = Write() if founded is None else founded.write
            write = replace(
                drawn_up,
                grants=self._grants.kept(after, given),
                answer=self._clerk.repeats.kept(asked.once, answer, drawn_up.game),
            )
            if self._tried(before, after, write):
                if founded is not None:
                    self._clerk.settled(founded.batch)
                return answer
        raise _outrun()

    def open(self, room: Room, until: int | None, once: Once | None) -> RoomView:
        """Keep a new room with a claim for each seat to which somebody is invited."""
        return self.told_open(room, lambda _, view: view, until, once)

    def told_open(
        self,
        room: Room,
        tell: Callable[[Room, RoomView], _T],
        until: int | None,
        once: Once | None,
    ) -> _T:
        """Keep a new room as `open`, and answer with what is told of it (as `told_step`)."""
        given = self._grants.claims((Seat(),) * len(room.seats), room.seats, until)
        answer = tell(room, self._view(room, None, given))
        kept = self._clerk.repeats.kept(once, answer)
        self._keep(None, room, Write(grants=self._grants.kept(room, given), answer=kept))
        return answer

    def seat(
        self,
        room_id: str,
        seat: int,
        exchange: Callable[[], Exchange | None],
        answer: Callable[[Room], Seating],
        once: Once | None,
    ) -> Seating:
        """Seat whoever shows a claim.

        Args:
            room_id: The room.
            seat: The seat of the claim.
            exchange: Looks at the claim now, and gives what to exchange it for, or None where
                that was done already; it raises what the claim is refused with.
            answer: Gives the answer for the room after it.
            once: The request, where its answer is to be kept.

        Raises:
            Conflict, Gone: As `rooms.claim`, or as `exchange`.
        """
        for _ in range(TRIES):
            before = self.room(room_id)
            due = exchange()
            if due is None:
                told = answer(before)
                self._clerk.repeats.keep(once, told)
                return told
            after = _counted(before, rooms.claim(before, seat))
            told = answer(after)
            kept = self._clerk.repeats.kept(once, told)
            if self._tried(before, after, Write(exchange=due, answer=kept)):
                if after.filling is not None:
                    with suppress(FairdealError):
                        self.room(room_id)  # This may be the last one who was waited for.
                return told
        raise _outrun()

    def rehearsed(self, room: Room) -> Room:
        """Return a room whose game could start (contract: `Starts.rehearsed`)."""
        return self._starts.rehearsed(room)

    def view(self, room: Room) -> RoomView:
        """Return a room as it is told."""
        return self._view(room, None, ())

    def game(self, room: Room) -> RoomGame | None:
        """Return the game that runs in a room as it is told, or None."""
        if room.running is None:
            return None
        game = self._clerk.game(room.running.game)
        return room_game(self._clerk, self._clerk.first(game.id), game)

    def lost(self, room_id: str, game: str) -> tuple[int, ...]:
        """Return the seats of a room whose tokens were taken away while a game ran, each time.

        Of a game that the room has forgotten, none.
        """
        games = {played.game: played.lost for played in self._read(room_id).games}
        return games.get(game, ())

    # ---------------------------------------------------------------------------- inside

    def _by_itself(self, room: Room) -> tuple[Room, Founded | None]:
        """Return the room after what is due in it, with a game that starts; itself for nothing."""
        if room.running is not None and self._clerk.callers.places.over(room.running.game):
            return self._starts.behind(room)
        if not rooms.is_due(room, self._clerk.clock()):
            return self._hosted(room), None
        if not any(seat.seated for seat in room.seats):
            return rooms.closed(room), None
        try:
            return self._starts.start(room)
        except (MalformedInput, Unprocessable):  # Time made the game impossible.
            return rooms.closed(room), None
        except FairdealError:  # The log is behind, say; the next look tries again.
            return room, None

    def _hosted(self, room: Room) -> Room:
        """Return a lobby with a host who is there, where it has been without one for long."""
        if room.state != "lobby" or room.host is None or room.filling is not None:
            return room
        there = self._presences.of(room.id, seats=len(room.seats))
        host = there[room.host]
        if host.here or host.since is None or self._clerk.clock() - host.since < HOST_AWAY_MS:
            return room
        return rooms.relieve_host(room, [one.here for one in there])

    def _read(self, room_id: str) -> Room:
        state = self._clerk.store.room(room_id)
        if state is None:
            raise NotFound("no_such_room", "There is no such room here.")
        try:
            return rooms.from_bytes(state.room, state.site, state.version, state.body)
        except FairdealError as error:
            raise _damaged() from error

    def _view(self, room: Room, founded: Founded | None, given: tuple[Claim, ...]) -> RoomView:
        if founded is None:
            game = self.game(room)
        else:
            game = room_game(self._clerk, founded.first, founded.batch.game)
        there = self._presences.of(room.id, seats=len(room.seats))
        if room.running is not None:
            others = self._presences.of(room.running.game, seats=len(room.seats))
            at = room.running.seats
            there = tuple(
                one.later(others[at.index(number) if at else number])
                for number, one in enumerate(there)
            )
        return room_view(room, there, game, given)

    def _tried(self, before: Room, after: Room, write: Write) -> bool:
        """Keep a step; say whether nobody was faster."""
        try:
            self._keep(before, after, write)
        except Conflict as refusal:
            if refusal.code not in ("room_moved", "claim_used"):
                raise
            return False
        return True

    def _keep(self, before: Room | None, after: Room, write: Write) -> None:
        """Keep a room as it is after a step, with the ends of what the step took away."""
        state = RoomState(
            room=after.id, site=after.site, version=after.version, body=rooms.to_bytes(after)
        )
        changes = () if before is None else self._grants.ends(before, after)
        matching = _matching(before, after)
        self._clerk.store.write(replace(write, room=state, changes=changes, matching=matching))


def _matching(before: Room | None, after: Room) -> Matching | None:
    """Return what quick match is to know of a room after a step; None where it knows it."""
    match = after.match
    if match is None or (before is not None and before.filling is None):
        return None
    due = None
    if after.filling is not None:
        at = rooms.starts_at(after)
        due = NEVER if at is None else at
    return Matching(
        site=after.site, wishes=match.wishes, number=match.number, room=after.id,
        made=after.made, due=due,
    )  # fmt: skip


def _counted(before: Room, after: Room) -> Room:
    return replace(rooms.tidied(after), version=before.version + 1)


def _moved(expect: int | None, version: int) -> Conflict:
    return Conflict(
        "room_moved",
        f"The room has changed: you decided on version {expect}, it is at {version}.",
        {"expected": expect, "version": version},
    )


def _outrun() -> Conflict:
    return Conflict("room_moved", "Others changed the room all the time; try again.")


def _damaged() -> StorageFailure:
    return StorageFailure("records_damaged", "What is kept of this room contradicts itself.")
