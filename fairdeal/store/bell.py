"""Wakes readers that wait for something to be written: a bell rung by whoever wrote.

A ring says only that there may be something new; whoever hears it reads the store. Rings are
never counted: one that comes while somebody reads is heard at the next wait.
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Final, Self

_LOG: Final = logging.getLogger("fairdeal.store")


class Bell:
    """Rings for games and rooms by name; safe to call from any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ears: defaultdict[str, set[Ear]] = defaultdict(set)
        self._heard = threading.Event()  # while anybody listens

    def ring(self, names: Iterable[str]) -> None:
        """Wake everybody who listens for one of the names."""
        with self._lock:
            heard = [ear for name in names for ear in self._ears.get(name, ())]
        _wake(heard)

    def ring_all(self) -> None:
        """Wake everybody, as where rings may have been missed or the process is to end."""
        with self._lock:
            heard = [ear for ears in self._ears.values() for ear in ears]
        _wake(heard)

    def names(self) -> tuple[str, ...]:
        """Return the names for which anybody listens."""
        with self._lock:
            return tuple(self._ears)

    def wait_for_ears(self, seconds: float) -> bool:
        """Wait until anybody listens, at most so long; say whether anybody does."""
        return self._heard.wait(seconds)

    def listen(self, name: str, on_ring: Callable[[], None] | None = None) -> "Ear":
        """Return an ear for a name; it hears from when it is entered as a context.

        Args:
            name: A game or a room.
            on_ring: Called at each ring, in the thread that rang: it must be quick.
        """
        return Ear(self, name, on_ring)

    def add(self, ear: "Ear") -> None:
        """Let an ear hear."""
        with self._lock:
            self._ears[ear.name].add(ear)
            self._heard.set()

    def remove(self, ear: "Ear") -> None:
        """Let an ear hear no more."""
        with self._lock:
            self._ears[ear.name].discard(ear)
            if not self._ears[ear.name]:
                del self._ears[ear.name]
            if not self._ears:
                self._heard.clear()


class Ear:
    """Hears one name; enter it *before* reading, so that nothing is missed in between.

    Args:
        bell: The bell.
        name: What it hears.
        on_ring: Called at each ring; whoever rings goes on where it fails.
    """

    def __init__(self, bell: Bell, name: str, on_ring: Callable[[], None] | None) -> None:
        self.name = name
        self._bell = bell
        self._on_ring = on_ring
        self._rung = threading.Event()

    def __enter__(self) -> Self:
        """Begin to hear."""
        self._bell.add(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hear no more."""
        self._bell.remove(self)

    def wake(self) -> None:
        """Be rung."""
        self._rung.set()
        if self._on_ring is not None:
            self._on_ring()

    def wait(self, seconds: float) -> bool:
        """Wait for a ring since the last wait, at most so long; say whether there was one."""
        rung = self._rung.wait(seconds)
        self._rung.clear()
        return rung


def _wake(ears: Iterable[Ear]) -> None:
    for ear in ears:
        try:
            ear.wake()
        except Exception:  # noqa: BLE001  whoever rings has to go on: it is the thread that writes
            _LOG.exception("somebody who listens for %s could not be woken", ear.name)
