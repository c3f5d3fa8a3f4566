"""What was looked up lately, kept at hand; safe to use from any number of threads."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Recent(Generic[_K, _V]):
    """Keeps so many values, and lets go of the one that was not needed for longest.

    Args:
        size: How many.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[_K, _V] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: _K) -> _V | None:
        """Return what is kept under a key, or None."""
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
            return known

    def put(self, key: _K, value: _V, *, unless: Callable[[_V], bool] = lambda _: False) -> None:
        """Keep a value.

        Args:
            key: Where.
            value: What; never None.
            unless: Whether what is kept there already is to stay.
        """
        with self._lock:
            known = self._kept.get(key)
            if known is None or not unless(known):
                self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Let go of all."""
        with self._lock:
            self._kept.clear()
