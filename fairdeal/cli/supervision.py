"""A process that is started again where it fails, and ends with whoever holds a pipe open."""

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Final

_FIRST_PAUSE_S: Final = 0.2
_LONGEST_PAUSE_S: Final = 10.0
_CALM_S: Final = 60.0
"""Whoever ran for so long is started again after the first pause."""


class Ending:
    """Says whether to end: after SIGTERM or SIGINT, or once one of the pipes has no writer.

    Args:
        pipes: Descriptors of which nothing is read but the end.
    """

    def __init__(self, *pipes: int) -> None:
        self._pipes = pipes
        self._is_over = False
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)

    def wait(self, seconds: float) -> bool:
        """Wait for at most so many seconds; return whether to end."""
        until = time.monotonic() + seconds
        while not self._is_over:
            left = max(0.0, until - time.monotonic())
            # In short waits: a signal that comes right before one does not cut it short.
            readable, _, _ = select.select(self._pipes, (), (), min(left, 0.5))
            if any(os.read(pipe, 512) == b"" for pipe in readable):
                self._is_over = True
            elif left == 0:
                break
        return self._is_over

    def _end(self, *_: object) -> None:
        self._is_over = True


def supervise(run: Callable[[Ending], int], again: Callable[[int], bool], *pipes: int) -> int:
    """Run something in a process of its own, again and again while it fails.

    Args:
        run: Gets what tells it to end, and returns an exit status. It also has to end when this
            process is gone, however it ended.
        again: Says of an exit status, negative for a signal, whether to start anew.
        pipes: When one of them has no writer, all ends.

    Returns:
        The exit status of the last process.
    """
    ending = Ending(*pipes)
    pause = _FIRST_PAUSE_S
    while True:
        begun = time.monotonic()
        status = _run_once(run, ending, pipes)
        if status == 0 or not again(status) or ending.wait(0):
            return status
        pause = _FIRST_PAUSE_S if time.monotonic() - begun > _CALM_S else pause
        if ending.wait(pause):
            return 0
        pause = min(2 * pause, _LONGEST_PAUSE_S)


def _run_once(run: Callable[[Ending], int], ending: Ending, pipes: tuple[int, ...]) -> int:
    held, life = os.pipe()[::-1]
    child = os.fork()
    if child == 0:
        os.close(held)
        # Whatever comes of it, a child never goes on in the code of its parent.
        status = 70
        try:
            status = run(Ending(life, *pipes))
        finally:
            os._exit(status)
    os.close(life)
    try:
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            if ending.wait(0.1):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGTERM)
                return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        os.close(held)
