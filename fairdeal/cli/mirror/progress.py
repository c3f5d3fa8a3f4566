"""Tells how far a fetch is: a bar at a terminal, else a line each ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click

_EVERY_S: Final = 10.0


@contextmanager
def told(label: str) -> Iterator[Callable[[int, int], object]]:
    """Yield what is to be told of each step: how much is done, and of how much; on stderr."""
    if not sys.stderr.isatty():
        yield _Lines(label).tell
        return
    with click.progressbar(length=0, label=label, file=sys.stderr, show_pos=True) as bar:

        def tell(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield tell


class _Lines:
    def __init__(self, label: str) -> None:
        self._label = label
        self._last = time.monotonic()

    def tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY_S:
            self._last = now
            click.echo(f"{self._label}: {done} of {total}", err=True)
