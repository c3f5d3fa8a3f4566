"""Goes on with games in which bots still have to act after an answer was given.

A game of bots alone would fill one transaction for minutes; so an answer holds a hand's worth of
their acts, and this thread writes the rest, hand by hand. After a restart it looks through the
unfinished games once, so that none stands still because the process was killed in between; where
the store failed, as on a full disk, it comes back to the game after a pause.
"""

import logging
import queue
import threading
from typing import Final

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.service.dealer import Dealer

PAUSE_S: Final = 5.0
"""So long a game rests after the store has failed it."""

PASSING: Final = frozenset({"store_failed", "store_slow"})
"""The failures of a store that may be over at the next try."""

_LOG: Final = logging.getLogger("fairdeal.onward")


class Onward:
    """A thread that advances games until nobody but a human has to act.

    Args:
        dealer: Advances them.
    """

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._games: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._failed: list[str] = []
        self._thread = threading.Thread(target=self._run, name="fairdeal-onward", daemon=True)

    def start(self) -> None:
        """Look through the unfinished games, then go on with those that are named."""
        for game_id in self._dealer.go_on_with(self._games.put):
            self._games.put(game_id)
        self._thread.start()

    def stop(self) -> None:
        """Finish the batch in hand, and end."""
        self._games.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (game_id := self._next()) is not None:
            self._advance(game_id)

    def _next(self) -> str | None:
        """Wait for a game or the end; those that the store failed come back after a quiet pause."""
        try:
            return self._games.get(timeout=PAUSE_S if self._failed else None)
        except queue.Empty:
            for game_id in self._failed:
                self._games.put(game_id)
            self._failed.clear()
            return self._games.get()

    def _advance(self, game_id: str) -> None:
        try:
            # What the dealer tells `onward` puts the game back into the queue, behind others.
            self._dealer.advance(game_id)
        except StaleVersion:
            self._games.put(game_id)  # Somebody wrote first; look again.
        except StorageFailure as failure:
            _LOG.error("game %s stands still: %s (%s)", game_id, failure.code, failure.cause)
            if failure.code in PASSING:
                self._failed.append(game_id)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            # The class alone: a message might quote what nobody may see yet.
            _LOG.error("game %s stands still: %s", game_id, type(error).__name__)
