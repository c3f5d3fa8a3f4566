"""What the token of a seat opens: its room and its games, so that a player finds back into them."""

from dataclasses import dataclass

from fairdeal.game import seat_in_turn
from fairdeal.service.callers import Caller, Seated
from fairdeal.service.clerk import Clerk
from fairdeal.service.roombook import RoomBook
from fairdeal.store.ports import Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class MyRoom:
    """The room whose games a token opens.

    Attributes:
        id: Its name.
        seat: The seat of the room that the token holds.
        state: `lobby`, `playing` or `closed`.
        version: One more with each change.
        code: For people to read to each other.
        ready: Whether the seat is ready for the next game.
    """

    id: str
    seat: int
    state: str
    version: int
    code: str
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MyGame:
    """A game that a token opens.

    Attributes:
        id: The game.
        made: When it was made, ms since 1970.
        seat: The seat of the game that the token holds.
        state: `seeding`, `playing`, `between_hands` or `closed`.
        version: The number of its newest record.
        turn: The seat in turn; None where nobody is.
        your_turn: Whether that is the token's seat.
        deadline: Until when the seat in turn has time, ms since 1970; None for no end.
        next_hand_at: Between hands, when the next one is dealt, ms since 1970.
    """

    id: str
    made: int
    seat: int
    state: str
    version: int
    turn: int | None = None
    your_turn: bool = False
    deadline: int | None = None
    next_hand_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MyGamesListed:
    """Part of what a token opens.

    Attributes:
        room: The room; None for the token of a single game.
        games: The newest first.
        behind: What to ask for the next part with: `(made, id)` of the last one; None at the end.
    """

    room: MyRoom | None
    games: tuple[MyGame, ...]
    behind: tuple[int, str] | None


class MyGames:
    """Lists what tokens of seats open.

    Args:
        clerk: Keeps the books.
        book: Keeps the rooms.
    """

    def __init__(self, clerk: Clerk, book: RoomBook) -> None:
        self._clerk = clerk
        self._book = book

    def listed(
        self, caller: Caller, limit: int, behind: tuple[int, str] | None = None
    ) -> MyGamesListed:
        """Return what the caller's token opens, the newest game first.

        Args:
            caller: Holds the token of a seat.
            limit: At most so many games.
            behind: As the part before gave it; None for the first one.

        Raises:
            NotIdentified, NotAllowed: The caller holds no seat.
            StorageFailure: What is kept cannot be read.
        """
        held = self._clerk.callers.check_holds_seat(caller)
        room = self._room(held) if held.room else None
        found = self._found(held, limit + 1, behind)
        games = tuple(self._game(held, one) for one in found[:limit])
        last = (games[-1].made, games[-1].id) if len(found) > limit else None
        return MyGamesListed(room=room, games=games, behind=last)

    def _found(
        self, held: Seated, limit: int, behind: tuple[int, str] | None
    ) -> tuple[tuple[str, int], ...]:
        """Return the names of games and when they were made, at most ``limit``."""
        if held.room:
            listings = self._clerk.store.listings(room=held.room, before=behind, limit=limit)
            return tuple((one.game, one.made) for one in listings)
        listing: Listing | None = self._clerk.callers.places.game(held.game).listing
        made = self._clerk.first(held.game).t if listing is None else listing.made
        only = (held.game, made)
        return (only,) if behind is None or (made, held.game) < behind else ()

    def _room(self, held: Seated) -> MyRoom:
        room = self._book.room(held.room)
        return MyRoom(
            id=room.id,
            seat=held.seat,
            state=room.state,
            version=room.version,
            code=room.code,
            ready=room.seats[held.seat].ready,
        )

    def _game(self, held: Seated, found: tuple[str, int]) -> MyGame:
        id_, made = found
        seat = self._clerk.callers.check_seated(held, id_)
        if self._clerk.callers.places.over(id_):
            newest = self._clerk.store.newest(id_)
            assert newest is not None
            return MyGame(id=id_, made=made, seat=seat, state="closed", version=newest)
        game = self._clerk.game(id_)
        turn = seat_in_turn(game)
        return MyGame(
            id=id_,
            made=made,
            seat=seat,
            state=game.state,
            version=game.version,
            turn=turn,
            your_turn=turn == seat,
            deadline=self._clerk.turn_end(game).deadline,
            next_hand_at=self._clerk.next_hand_at(game),
        )
