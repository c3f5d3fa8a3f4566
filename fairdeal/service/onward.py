"""Goes on with games that have to go on by themselves after an answer was given.

A game of bots alone would fill one transaction for minutes; so an answer holds a hand's worth of
their acts, and this thread writes the rest, hand by hand. After a restart it looks through the
unfinished games once, so that none stands still because the process was killed in between; where
the store failed, as on a full disk, or where a round of a beacon is not out yet, it comes back to
the game after a pause. A hand that follows by itself and a limit that passes have their times: it
comes back to the game then. Games of quick match it starts when their time has come. Once a minute
it looks for games that have to close in time, and drops answers that were kept for long enough.

Of several processes each goes on with the games to which it gave an answer; one of them looks for
all others (`lookout.py`).
"""

import heapq
import logging
import queue
import threading
import time
from typing import Final

from fairdeal.errors import Busy, FairdealError, StaleVersion, StorageFailure
from fairdeal.service.dealer import Dealer
from fairdeal.service.lookout import LOOK_S, Lookout

PAUSE_S: Final = 5.0
"""So long a game rests after the store has failed it."""

ROUND_PAUSE_S: Final = 1.0
"""So long it is before a round that was not out is asked for again."""

MATCH_S: Final = 1.0
"""So often at least it is looked for rooms of quick match whose game is due."""

SWEEP_S: Final = 60.0
"""So often games are looked for that have to close in time."""

PASSING: Final = frozenset({"store_failed", "store_slow"})
"""The failures of a store that may be over at the next try."""

_LOG: Final = logging.getLogger("fairdeal.onward")


class Onward:
    """A thread that advances games until nobody but a human has to act.

    Args:
        dealer: Advances them.
        lookout: Where several processes share a database, what names games for the one that
            looks after all; None for a process that is alone.
    """

    def __init__(self, dealer: Dealer, lookout: Lookout | None = None) -> None:
        self._dealer = dealer
        self._lookout = lookout
        self._look_at = time.monotonic() if lookout else float("inf")
        self._stopping = False
        self._games: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._later: dict[str, float] = {}
        self._times: list[tuple[float, str]] = []  # a heap; what `_later` no longer says is stale
        self._sweep_at = time.monotonic() + SWEEP_S
        self._match_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="fairdeal-onward", daemon=True)

    def start(self) -> None:
        """Look through the unfinished games, then go on with those that are named."""
        unfinished = self._dealer.go_on_with(self._games.put)
        for game_id in () if self._lookout else unfinished:
            self._games.put(game_id)
        self._thread.start()

    def stop(self) -> None:
        """Finish the batch in hand, and end; what waits is found again at the next start."""
        self._stopping = True
        self._games.put(None)
        self._thread.join()

    @property
    def leads(self) -> bool:
        """Whether this process looks after all games."""
        return self._lookout is None or self._lookout.leads

    def _run(self) -> None:
        while (game_id := self._next()) is not None and not self._stopping:
            self._advance(game_id)

    def _next(self) -> str | None:
        """Wait for a game or the end; what rests comes back in its time."""
        while True:
            now = time.monotonic()
            self._wake(now)
            next_one = (at for at, _ in self._times[:1])
            soonest = min([self._sweep_at, self._look_at, self._match_at, *next_one])
            try:
                return self._games.get(timeout=max(0.0, soonest - now))
            except queue.Empty:
                continue

    def _wake(self, now: float) -> None:
        """Name the games whose pause is over, and once a minute those that may have to close."""
        while self._times and self._times[0][0] <= now:
            at, game_id = heapq.heappop(self._times)
            if self._later.get(game_id) == at:
                del self._later[game_id]
                self._games.put(game_id)
        if self._lookout is not None and now >= self._look_at:
            self._look_at = now + LOOK_S
            for game_id in self._lookout.look(now):
                self._games.put(game_id)
        if now >= self._match_at:
            wait_s = self._start_matches() if self.leads else None
            self._match_at = now + min(MATCH_S, MATCH_S if wait_s is None else wait_s)
        if now >= self._sweep_at:
            self._sweep_at = now + SWEEP_S
            if self.leads:
                self._sweep()

    def _start_matches(self) -> float | None:
        try:
            return self._dealer.start_matches()
        except FairdealError as error:
            _LOG.error("no match was started: %s", error.code)
            return None

    def _sweep(self) -> None:
        try:
            for game_id in self._dealer.due():
                self._games.put(game_id)
        except FairdealError as error:
            _LOG.error("no game was looked for: %s", error.code)
        try:
            self._dealer.repeats.forget()
        except FairdealError as error:
            _LOG.error("no kept answer was dropped: %s", error.code)

    def _advance(self, game_id: str) -> None:
        try:
            # What the dealer tells `onward` puts the game back into the queue, behind others.
            self._dealer.advance(game_id)
            if self._dealer.awaits_round(game_id):
                self._come_back(game_id, ROUND_PAUSE_S)
            elif (wait_s := self._dealer.wakes_in(game_id)) is not None:
                self._come_back(game_id, wait_s)
        except StaleVersion:
            self._games.put(game_id)  # Somebody wrote first; look again.
        except Busy:
            self._come_back(game_id, ROUND_PAUSE_S)  # The public log does not keep up.
        except StorageFailure as failure:
            _LOG.error("game %s stands still: %s (%s)", game_id, failure.code, failure.cause)
            if failure.code in PASSING:
                self._come_back(game_id, PAUSE_S)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            # The class alone: a message might quote what nobody may see yet.
            _LOG.error("game %s stands still: %s", game_id, type(error).__name__)

    def _come_back(self, game_id: str, wait_s: float) -> None:
        """Look at a game again after so long, or earlier if that was agreed before.

        It may turn out that there is nothing to do yet: looking then costs less than having a
        time for each act that put one off.
        """
        at = time.monotonic() + wait_s
        if at < self._later.get(game_id, float("inf")):
            self._later[game_id] = at
            heapq.heappush(self._times, (at, game_id))
