"""The worker of the process of streams: one event loop, with limits for those who are slow.

The server's own worker waits without end for the rest of a request, and keeps what a client does
not read; nothing of that holds a thread here, but memory and a descriptor.
"""

import contextlib
import secrets
import socket
from asyncio import Transport
from collections.abc import Mapping
from typing import Final

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from api import unread
from api.patience import AT_STOP, READ_S
from api.problems import BROKEN

BUFFER: Final = 131_072
"""Bytes that the system holds for a client; as many again wait in the process."""


UNREAD_S: Final = 30.0
"""After so long in which a client read nothing of what waits, the system drops the connection."""


_CODES: Final[Mapping[int, str]] = {
    400: "malformed",
    414: "address_too_long",
    431: "headers_too_large",
    501: "malformed",  # a coding of the body that nobody here knows
}


class StreamProtocol(ASGIProtocol):
    """A connection that has to ask for something soon."""

    def connection_made(self, transport: Transport) -> None:
        """Begin, and look in a while whether a request has come."""
        super().connection_made(transport)
        self.worker.loop.call_later(READ_S, self._end_if_idle)

    def _send_error_response(self, status: int, _: str, __: object = ()) -> None:
        """Refuse what cannot be read as the service does: as a problem that quotes nothing."""
        code = _CODES.get(status, BROKEN)
        self._safe_write(unread.answer(code, {}, secrets.token_bytes))

    def _end_if_idle(self) -> None:
        if self._current_request is None and not self._closed:
            self.transport.abort()


class StreamWorker(gasgi.ASGIWorker):
    """Ends streams before it stops, and lets go of clients that do not read."""

    def init_process(self) -> None:
        """Bound what a client that does not read can cost."""
        gasgi.ASGIProtocol = StreamProtocol  # What the worker makes of each connection.
        for listener in self.sockets:
            # What is accepted has these too. The second one is Linux's own.
            listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            with contextlib.suppress(AttributeError, OSError):
                listener.sock.setsockopt(
                    socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * UNREAD_S)
                )
        super().init_process()

    def handle_exit_signal(self) -> None:
        """Begin to stop; nobody is to wait any longer."""
        super().handle_exit_signal()
        for stop in AT_STOP:
            stop()
