"""A game followed: what is sent to whom, in which order and bytes, by whatever way it goes out.

Records carry their own number `n` and no other: what a page, a long poll and a stream give is the
same, byte for byte, and what was read up to is one number (decisions 16). Seats follow a game as
it is played, everybody else up to the public line.
"""

import threading
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from time import monotonic
from typing import Any, Final, TypeVar

from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.game import Game, seat_view
from fairdeal.records.chain import reread
from fairdeal.service.answers import Event, Page
from fairdeal.service.callers import Caller
from fairdeal.service.clerk import Clerk
from fairdeal.service.clocks import NO_END, TurnEnd
from fairdeal.service.items import Item, as_json
from fairdeal.service.presence import Presences
from fairdeal.service.publicly import Publicly
from fairdeal.service.recent import Recent
from fairdeal.store.bell import Bell, Ear
from fairdeal.store.ports import NEW_GAME

PAGE: Final = 100
"""At most so many records come at once."""

BEAT_S: Final = 10.0
"""So often a stream says that it is alive."""

LOOK_S: Final = 1.0
"""So often a thread that waits looks whether its client is still there."""

DELAYED_S: Final = 1.0
"""So often those who watch with a delay look whether something is due."""

BATCHES: Final = 128
"""So many batches of records are kept as bytes, for those who follow the same game."""

_LOCKS: Final = 64
_T = TypeVar("_T")


class Feed:
    """Lets callers follow games.

    Args:
        clerk: Gives the games.
        presences: Knows who is there, and is told of those who follow.
        beat_s: So often a stream says that it is alive, and looks at its token again.
        ticks: Tells seconds that pass.

    Attributes:
        bell: Rings when there may be something new.
        presences, beat_s: As given.
    """

    def __init__(
        self,
        clerk: Clerk,
        presences: Presences,
        *,
        beat_s: float = BEAT_S,
        ticks: Callable[[], float] = monotonic,
    ) -> None:
        self.presences = presences
        self.beat_s = beat_s
        self.ticks = ticks
        self._clerk = clerk
        self._publicly = Publicly(clerk.store)
        self._stopping = threading.Event()
        self._locks = tuple(threading.Lock() for _ in range(_LOCKS))
        self._batches: Recent[tuple[str, int | None, int, int], tuple[Item, ...]] = Recent(BATCHES)

    @property
    def bell(self) -> Bell:
        """Rings when there may be something new."""
        return self._clerk.store.bell

    @property
    def stopping(self) -> bool:
        """Whether nobody is to wait any longer."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Let every stream send what is there and end, and every poll answer."""
        self._stopping.set()
        self.bell.ring_all()

    # ------------------------------------------------------------------------------- pages

    def page(self, caller: Caller, game_id: str, after: int, limit: int = PAGE) -> Page:
        """Return the records behind `after`, in order, as far as the caller may see them.

        Raises:
            NotAllowed: As `Callers.check_reader`.
            NotFound: `no_such_game`.
        """
        return self.look(caller, game_id, after, limit)[0]

    def look(self, caller: Caller, game_id: str, after: int, limit: int) -> tuple[Page, bool]:
        """Return a page, and whether a poll is to give it now: there is nothing to wait for.

        There is where it holds anything, the game is over, or the service stops.

        Raises:
            NotIdentified, Gone: The caller's token opens nothing any more; it may have been shown
                long ago.
            NotAllowed, NotFound: As `page`.
        """
        seat = self._clerk.callers.check_reader(caller, game_id)
        self.note(game_id, seat)
        game, newest = self.line(game_id, seat)
        page = self._page(game, newest, seat, after, limit)
        # Behind the reading: nothing is given that was made after the token's end.
        self._clerk.callers.check_still(caller)
        over = game.finished and newest >= game.version
        return page, bool(page.events) or over or self.stopping

    def poll(
        self,
        caller: Caller,
        game_id: str,
        after: int,
        limit: int,
        wait_s: float,
        is_gone: Callable[[], bool] = lambda: False,
    ) -> Page:
        """Return a page as soon as there is something in it, or an empty one after ``wait_s``.

        Of a game that is over no page is waited for, nor for one who is gone (raises as `page`).
        """
        look = self.polled(caller, game_id, after, limit)
        return self.wait_for(game_id, look, wait_s, is_gone)

    def polled(
        self, caller: Caller, game_id: str, after: int, limit: int
    ) -> Callable[[], tuple[Page, bool]]:
        """Return what looks at a page time and again, as `look` does.

        A page is to be given now also where the turn's end is another than it was at first: what
        is new then stands in the view.
        """
        has_moved = self.moving(caller, game_id)

        def look() -> tuple[Page, bool]:
            page, is_due = self.look(caller, game_id, after, limit)
            return page, has_moved() or is_due

        return look

    def moving(self, caller: Caller, game_id: str) -> Callable[[], bool]:
        """Return what says, time and again, whether a turn's end was moved since the last time.

        That a record moves it is no news: whoever waits for records is told of them.
        """
        before: tuple[int, int | None] = (NEW_GAME, None)

        def has_moved() -> bool:
            nonlocal before
            seat = self._clerk.callers.check_reader(caller, game_id)
            game, _ = self.line(game_id, seat)
            end = self.turn_end(game, seat)
            earlier, before = before, (game.version, None if end is None else end.deadline)
            return earlier[0] == before[0] and earlier[1] != before[1]

        return has_moved

    def wait_for(
        self,
        name: str,
        look: Callable[[], tuple[_T, bool]],
        wait_s: float,
        is_gone: Callable[[], bool],
    ) -> _T:
        """Look until what is there is worth to be told, or the time is over.

        Args:
            name: The game or the room in which something may happen.
            look: Gives what is there, and whether it is to be told now.
            wait_s: So many seconds at most; also over once the service stops.
            is_gone: Whether whoever waits has hung up.
        """
        until = self.ticks() + wait_s
        with self.bell.listen(name) as ear:
            while True:
                found, is_due = look()
                left = until - self.ticks()
                if is_due or left <= 0 or self.stopping or is_gone():
                    return found
                self.hear(ear, min(left, self.beat_s), is_gone)

    def hear(self, ear: Ear, seconds: float, is_gone: Callable[[], bool]) -> None:
        """Wait for a ring, at most so long, and not for one who is gone."""
        until = self.ticks() + seconds
        while (left := until - self.ticks()) > 0 and not is_gone():
            if ear.wait(min(left, LOOK_S)):
                return

    # ----------------------------------------------------------------------------- streams

    def identify(self, token: str | None) -> Caller:
        """Return who shows this token (raises as `Callers.identify`)."""
        return self._clerk.callers.identify(token)

    def viewer(self, token: str | None, game_id: str) -> int | None:
        """Return the seat of whoever may follow a game with this token; None for the public.

        Raises:
            NotIdentified, Gone: As `Callers.identify`.
            NotAllowed: As `Callers.check_reader`.
            NotFound: `no_such_game`.
        """
        callers = self._clerk.callers
        return callers.check_reader(callers.identify(token), game_id)

    def line(self, game_id: str, seat: int | None) -> tuple[Game, int]:
        """Return a game as it stands, and the number of the newest record that a viewer may see.

        A game is folded once, however many follow it.
        """
        with self._locks[hash(game_id) % _LOCKS]:
            game = self._clerk.game(game_id)
        return game, self._clerk.public_end(game) if seat is None else game.version

    def records(self, game: Game, seat: int | None, after: int, newest: int) -> tuple[Item, ...]:
        """Return the next records as items, at most a page; shared by all who are as far."""
        if after >= newest:
            return ()
        key = (game.id, seat, after, newest)
        known = self._batches.get(key)
        if known is not None:
            return known
        events = self._events(game, seat, after, min(PAGE, newest - after))
        made = tuple(Item("record", as_json(event), event["n"]) for event in events)
        self._batches.put(key, made)
        return made

    def snapshot(self, game: Game, seat: int | None, newest: int) -> Item:
        """Return what a viewer may see now, with who is there."""
        told = {**self._now(game, seat, newest), "view": self.view(game, seat, newest)}
        return Item("snapshot", as_json(told))

    def view(self, game: Game, seat: int | None, newest: int) -> dict[str, Any]:
        """Return what a viewer may see now, as JSON.

        Args:
            game: The game as it stands.
            seat: Whose view; None for the public one.
            newest: The number of the newest record that the viewer may see.
        """
        known = game if seat is not None else self.known(game, newest)
        view = {**seat_view(known, seat), "version": newest, "seat": seat}
        signs = zip(view["seats"], self.presence(game), strict=True)
        view["seats"] = [{**seat_said, **sign} for seat_said, sign in signs]
        if view["table"] and view["table"]["turn"]:
            view["table"]["turn"].update(asdict(self._clerk.turn_end(known)))
        if seat is None:
            view["state"] = self._clerk.public_state(game, newest)
        is_newest = known.version == game.version
        view["next_hand_at"] = self._clerk.next_hand_at(game) if is_newest else None
        return view

    def known(self, game: Game, newest: int) -> Game:
        """Return a game as everybody may know it, at the public line."""
        return self._publicly.game(game.id, newest)

    def turn_end(self, game: Game, seat: int | None) -> TurnEnd | None:
        """Return the end of the turn where a follower is told of it as soon as it moves or is near.

        None for whoever watches, and in a game without warnings and without more time.
        """
        settings = self._clerk.settings(game.id)
        if seat is None or not (settings.warn_s or settings.extends):
            return None
        return self._clerk.turn_end(game)

    def warn_in_s(self, end: TurnEnd | None) -> float:
        """Return in how many seconds the end of a turn is near; infinite where it is not told."""
        if end is None or end.warn_at is None or end.warned:
            return inf
        return (end.warn_at - self._clerk.clock()) / 1000

    def unrung_s(self, game: Game, seat: int | None, newest: int) -> float:
        """Return in how many seconds to look for news of which no bell tells.

        Where a game is watched with a delay, what is held back is due without being written.
        """
        if seat is None and newest < game.version and self._clerk.settings(game.id).watch_delay_s:
            return DELAYED_S
        return self.beat_s

    def stagger_s(self, game_id: str, seat: int | None) -> float:
        """Return by how much the first beat comes sooner: not all are to come at once for ever."""
        return self.beat_s / 2 * (hash((game_id, seat)) % 1024) / 1024

    def beat(self, game: Game, seat: int | None, newest: int) -> Item:
        """Return a sign of life that says what a silent stream leaves open."""
        return Item("beat", as_json(self._now(game, seat, newest)))

    def is_still(self, token: str | None, game_id: str, seat: int | None) -> bool:
        """Say whether a token still opens what it opened."""
        try:
            return self.viewer(token, game_id) == seat
        except StorageFailure:
            raise
        except FairdealError:
            return False

    def note(self, game_id: str, seat: int | None) -> None:
        """Note that somebody follows a game on a seat."""
        if seat is not None:
            self.presences.note(game_id, seat)

    def presence(self, game: Game) -> list[dict[str, Any]]:
        """Return who is there, a seat each; a bot always is."""
        there = self.presences.of(game.id, seats=game.seats)
        place = self._clerk.callers.places.game(game.id)
        if place.room:
            others = self.presences.of(place.room, seats=game.seats)
            there = tuple(one.later(others[place.in_room(seat)]) for seat, one in enumerate(there))
        return [
            {"seat": seat, "presence": "here", "since": None}
            if not game.is_player(seat)
            else {"seat": seat, "presence": one.word, "since": one.since}
            for seat, one in enumerate(there)
        ]

    def _now(self, game: Game, seat: int | None, newest: int) -> dict[str, Any]:
        # Whoever watches sees no turn of the hand in play, so no end of it either.
        return {
            "version": newest,
            **asdict(NO_END if seat is None else self._clerk.turn_end(game)),
            "presence": self.presence(game),
            "now": self._clerk.clock(),
        }

    def _page(self, game: Game, newest: int, seat: int | None, after: int, limit: int) -> Page:
        events = self._events(game, seat, after, max(0, min(limit, PAGE, newest - after)))
        return Page(version=newest, events=events, has_more=after + len(events) < newest)

    def _events(self, game: Game, seat: int | None, after: int, count: int) -> tuple[Event, ...]:
        lines = self._clerk.store.lines(game.id, after=after, limit=count) if count else ()
        return tuple(self._clerk.shown(game, reread(line), seat) for line in lines)
