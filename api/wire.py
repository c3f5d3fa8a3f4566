"""The socket under a stream: whether anybody is there still, and reads."""

import contextlib
import select
import socket
import struct
from collections.abc import Iterator
from typing import Final

SEND_S: Final = 15.0
"""So long a client may leave what it was sent unread."""

BUFFER: Final = 262_144
"""Bytes that may be under way to a client; a third of them is free whenever it may be sent to."""

HELD: Final[set[socket.socket]] = set()
"""Connections that hold a thread on purpose, so that the worker does not end them."""

_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL | getattr(select, "POLLRDHUP", 0)


class Wire:
    """A connection on which a thread stays.

    Args:
        sock: The server's socket; None where there is none, as in a test without a server.
    """

    def __init__(self, sock: socket.socket | None) -> None:
        self._sock = sock

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Stay on the connection for as long as it takes."""
        if self._sock is None:
            yield
            return
        HELD.add(self._sock)
        try:
            yield
        finally:
            HELD.discard(self._sock)

    def prepare(self) -> None:
        """Bound what a client that does not read can cost: bytes here, and time of this thread."""
        if self._sock is not None:
            # The system's own limit: with one of Python's, nothing is sent into a buffer that is
            # nearly full, and a slow client would never be told why its stream ended.
            limit = struct.pack("@ll", int(SEND_S), int(SEND_S % 1 * 1_000_000))
            with contextlib.suppress(OSError):
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)

    def is_gone(self) -> bool:
        """Say whether the client has hung up."""
        return bool(self._poll(getattr(select, "POLLRDHUP", 0), 0.0) & _GONE)

    def is_free(self) -> bool:
        """Wait until the client has read enough to be sent more; say whether it did in time."""
        if self._sock is None:
            return True
        found = self._poll(select.POLLOUT, SEND_S)
        return bool(found & select.POLLOUT) and not found & _GONE

    def _poll(self, events: int, seconds: float) -> int:
        if self._sock is None:
            return 0
        if self._sock.fileno() < 0:
            return select.POLLNVAL
        poll = select.poll()
        poll.register(self._sock, events)
        return next((found for _, found in poll.poll(seconds * 1000)), 0)
