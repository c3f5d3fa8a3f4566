"""Requests that hold a thread on purpose: polls, which wait for news, and streams."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from flask import request

from api.auth import caller
from api.turnstile import Turnstile
from api.wire import Wire

PLACES: Final = 64
"""So many streams, and beside them so many polls, hold a thread of a process at a time."""

STREAMS: Final = Turnstile(PLACES)
POLLS: Final = Turnstile(PLACES)


@contextmanager
def polling() -> Iterator[Callable[[], bool]]:
    """Let this request wait; give what tells whether its client has hung up.

    Raises:
        TooMany, Busy: As `Turnstile.enter`.
    """
    with held(POLLS) as wire:
        yield wire.is_gone


@contextmanager
def held(places: Turnstile) -> Iterator[Wire]:
    """Take a place for this request's caller, and its connection, for as long as it takes.

    Raises:
        TooMany, Busy: As `Turnstile.enter`.
    """
    wire = Wire(request.environ.get("gunicorn.socket"))
    leave = places.enter(caller().digest)
    try:
        with wire.held():
            yield wire
    finally:
        leave()
