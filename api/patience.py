"""The worker of the server: threads, of which no slow client keeps one for long.

The server's own threaded worker waits without end for the rest of a request, and for a client
that does not read its answer; a handful of such connections would stop the service. It also
waits, in the one thread that accepts, for clients to close what it has closed.
"""

import contextlib
import importlib
import secrets
import socket
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker

from api import unread
from api.wire import HELD
from fairdeal.service import load_drivers

READ_S: Final = 10.0
"""So long a request may take to arrive, from its first byte to its last."""

ANSWER_S: Final = 60.0
"""So long it may take until its answer is read; more than the store's own patience."""

AT_STOP: Final[list[Callable[[], None]]] = []
"""What is done when the worker is told to stop, before it waits for what is in hand."""


class PatientWorker(ThreadWorker):
    """Lets go of connections that hold a thread for too long."""

    @classmethod
    def setup(cls) -> None:
        """Import in the first process what every worker needs; nothing is opened there.

        A worker that is started anew then answers after a tenth of a second instead of two.
        """
        importlib.import_module("api.wsgi")
        load_drivers()

    def init_process(self) -> None:
        """Begin with no connection in a thread."""
        self._since: dict[TConn, float] = {}
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread."""
        self._since[conn] = time.monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> object:
        """Answer a request; a connection that is over is closed here, in the thread that had it."""
        goes_on: object = super().handle(conn)
        if goes_on is False:
            util.close_graceful(conn.sock)
        return goes_on

    def finish_request(self, conn: TConn, fs: object) -> None:
        """Take a connection back from its thread."""
        self._since.pop(conn, None)
        if conn.sock.fileno() < 0:
            # Closed in its thread. To close it once more would fail, and be counted twice: a
            # worker that believes it has no connections stops without waiting for any.
            self.nr_conns -= 1
        else:
            super().finish_request(conn, fs)

    def handle_error(self, _: object, client: socket.socket, __: object, exc: Exception) -> None:
        """Refuse what cannot be read as the application refuses: as a problem."""
        code = unread.code_of(exc)
        # The class alone: the message of an error quotes what was sent.
        self.log.warning("%s: %s", code, type(exc).__name__)
        with contextlib.suppress(OSError):  # nobody is there any more
            util.write_nonblock(client, unread.answer(code, self.wsgi.config, secrets.token_bytes))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop; nobody is to wait any longer."""
        super().handle_exit(sig, frame)
        # In the main loop: a handler of a signal may have cut into anything.
        self.method_queue.defer(lambda: [stop() for stop in AT_STOP])

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Stop as for SIGTERM: whoever types ctrl-C wants streams ended and answers given too.

        The server's own way would wait for the threads of streams that nobody told to end, until
        the first process kills this one.
        """
        self.handle_exit(sig, frame)

    def notify(self) -> None:
        """Once a second at least: end what is read of a connection, later what is written to it.

        Streams and polls hold their threads on purpose, and mind their clients themselves.
        """
        now = time.monotonic()
        for conn, since in self._since.items():
            if conn.sock in HELD:
                continue
            if now - since > ANSWER_S:
                _shut(conn, socket.SHUT_RDWR)
            elif now - since > READ_S:
                # The thread finds the request at its end; an answer can still be written.
                _shut(conn, socket.SHUT_RD)
        super().notify()


def _shut(conn: TConn, ways: int) -> None:
    with contextlib.suppress(OSError):  # it is gone already
        conn.sock.shutdown(ways)
