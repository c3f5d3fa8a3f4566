"""What starts in a room: its game, or first the draw for its seats, and the game behind it.

Nothing is kept here. Whoever keeps the room keeps the game that is drawn up in the same write, so
a step that was outrun, or cut off, leaves nothing behind, and is decided anew.
"""

from fairdeal import rooms
from fairdeal.errors import (
    Busy,
    MalformedInput,
    StorageFailure,
    Unprocessable,
)
from fairdeal.records.chain import reread
from fairdeal.rooms import Drawn, Played, Room
from fairdeal.service.answers import NewGame
from fairdeal.service.clerk import Clerk
from fairdeal.service.founding import Founded, Founder
from fairdeal.service.wantedgame import draw_before, next_game


class Starts:
    """Draws up what starts in a room.

    Args:
        clerk: Tells the time, and what was drawn.
        founder: Draws up games.
    """

    def __init__(self, clerk: Clerk, founder: Founder) -> None:
        self._clerk = clerk
        self._founder = founder

    def start(self, room: Room) -> tuple[Room, Founded]:
        """Return a room after its start, with what starts: the draw for its seats, or its game.

        Args:
            room: In the lobby.

        Raises:
            MalformedInput, Unprocessable, Busy, StorageFailure: As `Founder.found`;
                `records_damaged` too: what the room keeps is no game.
        """
        humans = rooms.humans(room)
        if room.draws_first:
            wanted = draw_before(_game(room, humans), self._clerk.clock())
            founded = self._founder.found(wanted, room.site, room.id)
            return rooms.drawing(room, founded.id), founded
        drawn = room.drawn if room.seating == "draw" else None
        founded = self._founder.found(_game(room, humans, drawn), room.site, room.id)
        return rooms.started(room, founded.id, drawn), founded

    def behind(self, room: Room) -> tuple[Room, Founded | None]:
        """Return a room whose game is over after that, with what starts behind it.

        Behind a draw that has its score the game starts that it drew for, as long as anybody is
        there to play it. Where there can be no such game (any more), or the draw was given up,
        the room is in its lobby. Where the public log does not keep up the room stays as it is;
        the next look tries again.

        Raises:
            StorageFailure: The store cannot be read, or is damaged.
        """
        over = room.running
        assert over is not None
        settled = rooms.settled(room)
        humans, drawn = rooms.humans(settled, over), self._drawn(over)
        if drawn is None or not humans:
            return settled, None
        try:
            founded = self._founder.found(_game(settled, humans, drawn), room.site, room.id)
        except Busy:
            return room, None
        except (MalformedInput, Unprocessable):
            return settled, None
        return rooms.started(settled, founded.id, drawn, over), founded

    def rehearsed(self, room: Room) -> Room:
        """Return a room whose game could start, with everybody there and with nobody.

        Raises:
            MalformedInput, Unprocessable: It could not, as `Founder.found` says.
        """
        everybody = tuple(n for n, seat in enumerate(room.seats) if seat.state != "bot")
        for humans in (everybody, ()):
            self._founder.rehearse(_game(room, humans))
        return room

    def _drawn(self, over: Played) -> Drawn | None:
        """Return how a game that is over drew the seats; None where it did not."""
        if over.kind != "draw":
            return None
        scores = self._clerk.store.lines_of_type(over.game, "score")
        if not scores:
            return None
        return Drawn(
            game=over.game,
            master_record=self._clerk.game(over.game).head.hash,
            seats=tuple(reread(scores[0]).body["result"]["order"]),
        )


def _game(room: Room, humans: tuple[int, ...], drawn: Drawn | None = None) -> NewGame:
    """Return the game that a room would start (raises `StorageFailure`: `records_damaged`)."""
    try:
        return next_game(room, humans, drawn)
    except (LookupError, TypeError, ValueError) as error:
        raise StorageFailure(
            "records_damaged", "What is kept of this room contradicts itself."
        ) from error
