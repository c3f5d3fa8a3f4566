"""What the service asks of the public log: is a record public, and does the log keep up (0011)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Protocol

from fairdeal.errors import Busy
from fairdeal.game import Needed
from fairdeal.store.ports import Store

PATIENCE_S: Final = 5.0
"""So long a request waits for what it needs to be public."""

BEHIND_S: Final = 2.0
"""Where nothing became public for so long although something waits, the log is behind."""

PAUSE_S: Final = 0.05
"""So often one who waits looks again."""

LATER_S: Final = 0.25
"""So often a game looks again that has waited for longer than SOON_MS, as many then do."""

SOON_MS: Final = 1_000

MOST_KNOWN: Final = 20_000

MOST_WAITING: Final = 16
"""So many may wait for a log that is behind, for each of them holds a thread of the service."""

LOG_BEHIND: Final = "log_behind"


class Order(Protocol):
    """Says whether what has to be public first is."""

    @property
    def is_kept(self) -> bool:
        """Whether an order is kept; if not, everything is permitted."""

    def permits(self, game: str, needed: Needed) -> bool:
        """Say whether the game's record 0, or its newest lock, is public."""


class AnyOrder:
    """The order of a service without a public log: every order will do."""

    def permits(self, game: str, needed: Needed) -> bool:
        """Permit it."""
        del game, needed
        return True

    def await_it(self, game: str, needed: Needed) -> None:
        """Wait for nothing."""

    def check_pace(self) -> None:
        """Refuse nothing."""

    @property
    def is_kept(self) -> bool:
        """Whether an order is kept."""
        return False


class PublicOrder(AnyOrder):
    """The order that the published checkpoints show.

    Args:
        store: Tells what is public.
        monotonic: Tells a time in seconds that never falls.
        pause: Waits so many seconds.
    """

    def __init__(
        self,
        store: Store,
        monotonic: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._store = store
        self._monotonic = monotonic
        self._pause = pause
        self._lock = threading.Lock()
        self._public: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._seen: tuple[int | None, float] = (None, 0.0)
        self._waiting = 0

    @property
    def is_kept(self) -> bool:
        """Whether an order is kept."""
        return True

    def permits(self, game: str, needed: Needed) -> bool:
        """Say whether the game's record 0, or its newest lock, is public."""
        n = 0 if needed == "open" else self._store.last_of_type(game, "lock")
        return n is not None and self._is_public(game, n)

    def await_it(self, game: str, needed: Needed) -> None:
        """Wait until what is needed is public.

        Raises:
            Busy: `log_behind`: it is not within PATIENCE_S, or the log is behind and more than
                MOST_WAITING wait for it already.
        """
        if self.permits(game, needed):
            return
        until = self._monotonic() + PATIENCE_S
        with self._lock:
            self._waiting += 1
        try:
            while self._monotonic() < until and not self._is_crowded:
                self._pause(PAUSE_S)
                if self.permits(game, needed):
                    return
        finally:
            with self._lock:
                self._waiting -= 1
        raise behind()

    def check_pace(self) -> None:
        """Refuse new work while the log does not keep up with what is there.

        Raises:
            Busy: `log_behind`.
        """
        if self.is_behind:
            raise behind()

    @property
    def is_behind(self) -> bool:
        """Whether something has waited to become public for more than BEHIND_S.

        What waits is told by the published size, which moves with every checkpoint: found again
        after that time, nothing became public meanwhile.
        """
        waiting, now = self._store.log_standing().waiting, self._monotonic()
        with self._lock:
            before, since = self._seen
            if waiting is None or waiting != before:
                self._seen = waiting, now
                return False
            return now - since > BEHIND_S

    @property
    def _is_crowded(self) -> bool:
        with self._lock:
            crowded = self._waiting > MOST_WAITING
        return crowded and self.is_behind

    def _is_public(self, game: str, n: int) -> bool:
        with self._lock:
            if (game, n) in self._public:
                return True
        place = self._store.log_place(game, n)
        if place is None or place >= self._store.log_standing().published:
            return False
        with self._lock:
            self._public[game, n] = None
            while len(self._public) > MOST_KNOWN:
                self._public.popitem(last=False)
        return True


def behind() -> Busy:
    """Return the refusal of what cannot be public yet."""
    return Busy(LOG_BEHIND, "The public log does not keep up just now; nothing was done.")
