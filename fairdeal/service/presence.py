"""Who is there: seats from which a stream is open, or something was asked, a moment ago.

Whoever asks is noted in memory, which costs nothing; a thread writes the notes down, many at once
and each seat every few seconds at most. What a crash takes of them is missed for a moment only.
None of it is ever in a record.
"""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, Self

from fairdeal.errors import FairdealError
from fairdeal.service.callers import Caller, Seated
from fairdeal.store.ports import Seen, Write

HERE_MS: Final = 15_000
"""So long after a sign of it a seat counts as here."""

EVERY_MS: Final = 5_000
"""A seat's signs are written down at most so often."""

PAUSE_S: Final = 1.0
"""The notes of so long share a write."""

SIZE: Final = 16_384
"""So many seats are remembered at most."""

MOST: Final = 500
"""One write holds so many notes at most."""

LONG_MS: Final = 10 * 60 * 1000
"""Whoever was not noted for so long comes back, perhaps to a table that everybody had left."""


class SignStore(Protocol):
    """What is needed of a store (contract: `store.ports.Store`)."""

    def seen(self, place: str) -> tuple[Seen, ...]:
        """Return who was there and when last, by seat."""

    def write(self, write: Write) -> None:
        """Keep the whole of it."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether somebody is there on a seat.

    Attributes:
        here: There was a sign within the last 15 seconds.
        since: Of a seat that is away: when the last sign was, ms since 1970; None for never.
    """

    here: bool
    since: int | None = None

    @property
    def word(self) -> str:
        """The word for it: `here` or `away`."""
        return "here" if self.here else "away"

    def later(self, other: Self) -> Self:
        """Return that of the later sign."""
        if self.here or other.here:
            return self if self.here else other
        return self if (self.since or 0) >= (other.since or 0) else other


class Presences:
    """Notes who is there and tells it; safe to call from any number of threads.

    Args:
        store: Where the notes go, and those of other processes come from.
        clock: Tells the time in milliseconds since 1970.

    Attributes:
        returns: Asked what else is to be kept, in the same write, where somebody comes back to a
            place; what it gives names games.
        onward: Told the names of these games when it is kept.
    """

    def __init__(self, store: SignStore, clock: Callable[[], int]) -> None:
        self.returns: Callable[[str, int], tuple[Seen, ...]] = lambda _place, _at: ()
        self.onward: Callable[[str], None] = lambda _game: None
        self._store = store
        self._clock = clock
        self._back: set[tuple[str, int]] = set()
        self._lock = threading.Lock()
        self._last: OrderedDict[tuple[str, int], int] = OrderedDict()  # the newest sign
        self._written: dict[tuple[str, int], int] = {}
        self._due: dict[tuple[str, int], int] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def note(self, place: str, seat: int) -> None:
        """Note a sign of somebody on a seat.

        Args:
            place: The game, or the room of whose games the caller holds the seat.
            seat: From 0.
        """
        key, now = (place, seat), self._clock()
        with self._lock:
            if now - self._last.get(key, now - LONG_MS) >= LONG_MS:
                self._back.add(key)
            self._last[key] = now
            self._last.move_to_end(key)
            while len(self._last) > SIZE:
                oldest, _ = self._last.popitem(last=False)
                self._written.pop(oldest, None)
            if now - self._written.get(key, now - EVERY_MS) >= EVERY_MS:
                self._written[key] = now
                self._due[key] = now

    def note_caller(self, caller: Caller) -> None:
        """Note a sign of whoever holds a seat; of others nothing."""
        if isinstance(caller, Seated):
            self.note(caller.game or caller.room, caller.seat)

    def of(self, *places: str, seats: int) -> tuple[Presence, ...]:
        """Return who is there on each seat, by the later sign where there are several places.

        Args:
            places: The game, and its room where it has one.
            seats: How many seats there are.

        Raises:
            StorageFailure: The store cannot be read.
        """
        now = self._clock()
        last: dict[int, int] = {}
        for place in places:
            signs = {one.seat: one.at for one in self._store.seen(place)}
            with self._lock:
                own = {seat: self._last.get((place, seat), 0) for seat in range(seats)}
            for seat in range(seats):
                last[seat] = max(last.get(seat, 0), signs.get(seat, 0), own[seat])
        return tuple(_judged(now, last.get(seat, 0)) for seat in range(seats))

    def flush(self) -> None:
        """Write down what is due; where the store does not take it, it is dropped."""
        with self._lock:
            due, self._due = self._due, {}
            back, self._back = self._back, set()
        marks = [mark for key in back if key in due for mark in self._marks(key[0], due[key])]
        notes = [Seen(place=place, seat=seat, at=at) for (place, seat), at in due.items()]
        # The marks go first: a sign without its mark would have the clock run from where it stood.
        every = marks + notes
        for start in range(0, len(every), MOST):
            with contextlib.suppress(FairdealError):
                self._store.write(Write(seen=tuple(every[start : start + MOST])))
        for game_id in dict.fromkeys(mark.place for mark in marks):
            self.onward(game_id)

    def _marks(self, place: str, at: int) -> tuple[Seen, ...]:
        with contextlib.suppress(FairdealError):
            return self.returns(place, at)
        return ()

    def start(self) -> None:
        """Write the notes down from now on, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="fairdeal-presence", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write down what is due, and end the thread."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(PAUSE_S):
            self.flush()
        self.flush()


def _judged(now: int, last: int) -> Presence:
    if last and now - last < HERE_MS:
        return Presence(here=True)
    return Presence(here=False, since=last or None)
