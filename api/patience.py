"""The worker of the server: threads, of which no slow client keeps one for long.

The server's own threaded worker waits without end for the rest of a request, and for a client
that does not read its answer; a handful of such connections would stop the service.
"""

import contextlib
import socket
import time
from typing import Final

from gunicorn.workers.gthread import TConn, ThreadWorker

READ_S: Final = 10.0
"""So long a request may take to arrive, from its first byte to its last."""

ANSWER_S: Final = 60.0
"""So long it may take until its answer is read; more than the store's own patience."""


class PatientWorker(ThreadWorker):
    """Lets go of connections that hold a thread for too long."""

    def init_process(self) -> None:
        """Begin with no connection in a thread."""
        self._since: dict[TConn, float] = {}
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread."""
        self._since[conn] = time.monotonic()
        super().enqueue_req(conn)

    def finish_request(self, conn: TConn, fs: object) -> None:
        """Take a connection back from its thread."""
        self._since.pop(conn, None)
        super().finish_request(conn, fs)

    def notify(self) -> None:
        """Once a second at least: end what is read of a connection, later what is written to it."""
        now = time.monotonic()
        for conn, since in self._since.items():
            if now - since > ANSWER_S:
                _shut(conn, socket.SHUT_RDWR)
            elif now - since > READ_S:
                # The thread finds the request at its end; an answer can still be written.
                _shut(conn, socket.SHUT_RD)
        super().notify()


def _shut(conn: TConn, ways: int) -> None:
    with contextlib.suppress(OSError):  # it is gone already
        conn.sock.shutdown(ways)
