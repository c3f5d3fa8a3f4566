"""Tells how far a measurement is: a bar at a terminal, else nothing."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def told(label: str, length: int, *, is_silent: bool) -> Iterator[Callable[[int], object]]:
    """Yield what is to be told of each step: how much more is done; on stderr."""
    hidden = is_silent or not sys.stderr.isatty()
    with click.progressbar(
        length=length, label=label, file=sys.stderr, hidden=hidden, show_pos=True
    ) as bar:
        yield bar.update
