"""How many may wait at a time: whoever waits holds a thread or a connection."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

from fairdeal.errors import Busy, TooMany

EACH: Final = 8
"""So many streams, and so many polls, one token has at a time."""


class Turnstile:
    """Lets in as many as there are places; safe to call from any number of threads.

    Args:
        places: For all together; whoever shows no token gets half of them at most, so that seats
            are not kept out by strangers.
        each: For one token.
    """

    def __init__(self, places: int, each: int = EACH) -> None:
        self._places = places
        self._each = each
        self._lock = threading.Lock()
        self._inside: Counter[bytes] = Counter()

    @property
    def inside(self) -> int:
        """How many are inside."""
        with self._lock:
            return self._inside.total()

    def enter(self, who: bytes) -> Callable[[], None]:
        """Take a place; return how to give it back, which may be called more than once.

        Args:
            who: SHA-256 of the token; empty for whoever shows none.

        Raises:
            TooMany: `too_many_streams`: this token has as many as it may.
            Busy: `busy`: all places are taken.
        """
        with self._lock:
            if who and self._inside[who] >= self._each:
                raise TooMany(
                    "too_many_streams",
                    f"You have {self._each} of these open already; end one first.",
                    {"most": self._each},
                )
            if self._inside.total() >= self._places or (
                not who and self._inside[who] >= self._places // 2
            ):
                raise Busy("busy", "All places to wait are taken; try again in a moment.")
            self._inside[who] += 1
        once = threading.Lock()

        def leave() -> None:
            if once.acquire(blocking=False):
                with self._lock:
                    self._inside[who] -= 1
                    if not self._inside[who]:
                        del self._inside[who]

        return leave
