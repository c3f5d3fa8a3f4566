"""Runs pieces of work on an executor, in order, never more of them at once than fit in memory."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Final, TypeVar

_Piece = TypeVar("_Piece")
_Made = TypeVar("_Made")

AHEAD: Final = 8
"""Pieces that are under way or wait to be taken."""


def spread(
    work: Callable[[_Piece], _Made],
    pieces: Iterable[_Piece],
    executor: Executor | None,
    ahead: int = AHEAD,
) -> Iterator[_Made]:
    """Yield what is made of each piece, in their order.

    Args:
        work: Can be pickled, as can be the pieces and what is made.
        pieces: Taken as they are needed.
        executor: None to do it here.
        ahead: How many may be under way or wait.
    """
    if executor is None:
        yield from map(work, pieces)
        return
    waiting: deque[Future[_Made]] = deque()
    try:
        for piece in pieces:
            waiting.append(executor.submit(work, piece))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
