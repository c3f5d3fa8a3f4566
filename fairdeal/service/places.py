"""Whose a game or a room is, and who drew which seat, kept at hand: none of it ever changes."""

from dataclasses import dataclass
from typing import Final

from fairdeal.errors import NotFound
from fairdeal.service.recent import Recent
from fairdeal.service.settings import from_bytes
from fairdeal.store.ports import Listing, Store

SIZE: Final = 4096
"""So many games, and so many rooms, are kept at hand."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game belongs.

    Attributes:
        site: Whose it is.
        room: In which it was started, or empty.
        open: Whether anybody may watch while it runs.
        listing: All that is known of it beside its records; None for one of an older version.
        seats: For each of its seats which seat of the room drew it; empty where each has its own.
    """

    site: str
    room: str = ""
    open: bool = True
    listing: Listing | None = None
    seats: tuple[int, ...] = ()

    def seat_of(self, room_seat: int) -> int:
        """Return the seat of the game that a seat of its room has."""
        return self.seats.index(room_seat) if room_seat in self.seats else room_seat

    def in_room(self, seat: int) -> int:
        """Return the seat of the room that has a seat of the game."""
        return self.seats[seat] if seat < len(self.seats) else seat


class Places:
    """Looks up games and rooms, each once.

    Args:
        store: Keeps them.
        older: The site of games that are older than sites.
        size: How many of each kind are kept at hand.
    """

    def __init__(self, store: Store, older: str, size: int = SIZE) -> None:
        self._store = store
        self._older = older
        self._games: Recent[str, Place] = Recent(size)
        self._rooms: Recent[str, str] = Recent(size)

    def game(self, game: str) -> Place:
        """Return where a game belongs.

        Raises:
            NotFound: `no_such_game`.
            StorageFailure: `records_damaged`: what is kept beside its records.
        """
        known = self._games.get(game)
        if known is None:
            known = self._look(game)
            self._games.put(game, known)
        return known

    def room(self, room: str) -> str:
        """Return whose a room is (raises `NotFound`: `no_such_room`)."""
        known = self._rooms.get(room)
        if known is None:
            state = self._store.room(room)
            if state is None:
                raise NotFound("no_such_room", "There is no such room here.")
            known = state.site
            self._rooms.put(room, known)
        return known

    def over(self, game: str) -> bool:
        """Say whether a game is over, so that all of it is public."""
        return self._store.last_of_type(game, "master") is not None

    def _look(self, game: str) -> Place:
        listing = self._store.listing(game)
        if listing is not None:
            settings = from_bytes(listing.settings)
            is_open, seats = settings.watch_open, settings.seats
            return Place(listing.site, listing.room, is_open, listing, seats)
        if self._store.newest(game) is None:
            raise NotFound("no_such_game", "There is no such game here.")
        return Place(self._older)
