"""The seats of a room: given out, given out anew, taken back, left, and handed to bots."""

from functools import partial

from fairdeal import rooms
from fairdeal.rooms import Room
from fairdeal.service.clerk import Clerk
from fairdeal.service.grants import check_until
from fairdeal.service.roombook import Asked, RoomBook
from fairdeal.service.roomview import RoomView


class RoomSeats:
    """Lets callers take steps that concern seats.

    Every method raises as `RoomBook.step`, as the step of its name in `fairdeal.rooms`, and what
    it names besides. The host of the room and its operator may do all of it, a seat may leave.

    Args:
        clerk: Tells the time.
        book: Keeps the rooms.
    """

    def __init__(self, clerk: Clerk, book: RoomBook) -> None:
        self._clerk = clerk
        self._book = book

    def invite(
        self, asked: Asked, seat: int, *, label: str | None = None, until: int | None = None
    ) -> RoomView:
        """Give out a claim for a seat that nobody holds; an earlier one ends.

        Args:
            asked: Who asks, and where.
            seat: From 0.
            label: The public name of whoever is invited; None leaves the seat's.
            until: When the claim ends, ms since 1970; None for seven days.

        Raises:
            Unprocessable: `until_out_of_range`.
        """
        decide = partial(rooms.invite, by=self._book.by(asked), seat=seat, label=label)
        return self._book.step(asked, decide, until=self._checked(until))

    def reissue(self, asked: Asked, seat: int, *, until: int | None = None) -> RoomView:
        """Give out a new claim for a seat, whoever holds it (arguments as `invite`).

        Raises:
            Unprocessable: `until_out_of_range`.
        """
        decide = partial(rooms.reissue, by=self._book.by(asked), seat=seat)
        return self._book.step(asked, decide, until=self._checked(until))

    def release(self, asked: Asked, seat: int) -> RoomView:
        """Take a seat back: its claim and its token open nothing any more."""
        return self._book.step(asked, partial(rooms.release, by=self._book.by(asked), seat=seat))

    def put_bot(self, asked: Asked, seat: int, bot: str | None) -> RoomView:
        """Let a bot play a seat that nobody holds, or, with None, open it for a human.

        Raises:
            Unprocessable: `no_such_bot`.
        """
        by = self._book.by(asked)

        def decide(room: Room) -> Room:
            if bot is None:
                return rooms.remove_bot(room, by, seat)
            return self._book.rehearsed(rooms.put_bot(room, by, seat, bot))

        return self._book.step(asked, decide, starts=starts_by_itself)

    def pass_host(self, asked: Asked, seat: int) -> RoomView:
        """Make another seat the host."""
        return self._book.step(asked, partial(rooms.pass_host, by=self._book.by(asked), seat=seat))

    def leave(self, asked: Asked) -> RoomView:
        """Get up from the caller's seat."""
        return self._book.step(asked, partial(rooms.leave, by=self._book.seat_of(asked)))

    def _checked(self, until: int | None) -> int | None:
        if until is not None:
            check_until(until, self._clerk.clock())
        return until


def starts_by_itself(room: Room) -> bool:
    """Say whether a room was to start its game as soon as it is as it is now."""
    return room.auto_start and room.running is None and room.complete
