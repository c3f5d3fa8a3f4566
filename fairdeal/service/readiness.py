"""Whether the service can take requests now: it goes on, and its database can be written to."""

import threading
from collections.abc import Callable
from typing import Final

from fairdeal.errors import StorageFailure
from fairdeal.service.feed import Feed
from fairdeal.service.publiclog.watching import AnyOrder
from fairdeal.store.ports import Seen, Store, Write

FOR_MS: Final = 1000
"""So long an answer holds: looking costs a commit, and anybody may ask."""

PLACE: Final = "readiness"
"""Stands where the name of a game or a room stands; neither can be called so."""


class Readiness:
    """Looks whether requests can be taken.

    Args:
        store: Has to take a write.
        feed: Knows whether the service is to end.
        clock: Tells the time in milliseconds since 1970.
        order: Knows whether the public log keeps up.
    """

    def __init__(self, store: Store, feed: Feed, clock: Callable[[], int], order: AnyOrder) -> None:
        self._order = order
        self._store = store
        self._feed = feed
        self._clock = clock
        self._until = 0
        self._lock = threading.Lock()

    def check_going(self) -> None:
        """Refuse to begin anything once the service is to end.

        Raises:
            StorageFailure: `store_closed`.
        """
        if self._feed.stopping:
            raise StorageFailure("store_closed", "The service is being stopped; try again.")

    def check(self) -> None:
        """Refuse where a request that writes could not be taken.

        Raises:
            StorageFailure: `store_closed`, or as `Store.write`.
            Busy: `log_behind`: the public log does not keep up.
        """
        self.check_going()
        self._order.check_pace()
        with self._lock:
            now = self._clock()
            # A clock that was set back must not have an old answer hold for longer.
            if not now < self._until <= now + FOR_MS:
                self._store.write(Write(seen=(Seen(place=PLACE, seat=0, at=now),)))
                self._until = now + FOR_MS
