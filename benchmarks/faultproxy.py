"""A proxy on loopback that drops, doubles and delays writes, as a bad network would.

It reads one whole request, chooses a fate for it by a seeded generator, and may send copies of it
to the service at once or long after: so a request can arrive twice at the same time, again after
its answer, or for the first time when its sender has already repeated it.
"""

import contextlib
import random
import socketserver
import threading
from collections import Counter
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final, Literal

LOOPBACK: Final = "127.0.0.1"
LATE_MOST: Final = 8
"""At most so many requests wait to arrive late."""

Fate = Literal["passed", "request lost", "answer lost", "doubled", "late", "again later"]
FATES: Final[tuple[Fate, ...]] = (
    "passed", "request lost", "answer lost", "doubled", "late", "again later",
)  # fmt: skip
_WEIGHTS: Final = (4, 1, 2, 2, 2, 2)

_Request = tuple[str, str, bytes, dict[str, str]]
_Answer = tuple[int, list[tuple[str, str]], bytes]


class FaultProxy:
    """Listens on a free port and passes on what it lets through.

    Args:
        port: The service's, on loopback.
        seed: Of the fates.

    Attributes:
        fates: How often each fate befell a write.
    """

    def __init__(self, port: int, seed: int) -> None:
        self.fates: Counter[Fate] = Counter()
        self._upstream = port
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._late: list[_Request] = []
        proxy = self

        class Handler(_Handler):
            owner = proxy

        self._server = ThreadingHTTPServer((LOOPBACK, 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Let what is late arrive, and listen no more."""
        self.flush()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def flush(self) -> None:
        """Let everything arrive that is late."""
        with self._lock:
            late, self._late = self._late, []
        for request in late:
            self.send(request)

    def fate(self, request: _Request) -> Fate:
        """Choose what befalls a request; reads always pass."""
        if request[0] == "GET":
            return "passed"
        with self._lock:
            (fate,) = self._random.choices(FATES, _WEIGHTS)
            self.fates[fate] += 1
            if fate in ("late", "again later"):
                self._late.append(request)
        return fate

    def overdue(self) -> list[_Request]:
        """Take out what was late for long enough, in an order by chance."""
        with self._lock:
            self._random.shuffle(self._late)
            count = max(len(self._late) - self._random.randrange(LATE_MOST), 0)
            taken, self._late = self._late[:count], self._late[count:]
        return taken

    def send(self, request: _Request) -> _Answer | None:
        """Send a request to the service; None where there was no answer."""
        method, path, body, headers = request
        with contextlib.closing(HTTPConnection(LOOPBACK, self._upstream, timeout=30)) as connection:
            try:
                connection.request(method, path, body or None, headers)
                answer = connection.getresponse()
                return answer.status, answer.getheaders(), answer.read()
            except (OSError, HTTPException):
                return None


class _Handler(BaseHTTPRequestHandler):
    owner: FaultProxy
    protocol_version = "HTTP/1.1"

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection")}
        request = (self.command, self.path, body, headers)
        self.close_connection = True
        fate = self.owner.fate(request)
        if fate in ("passed", "again later"):
            self._answer(self.owner.send(request))
        elif fate == "answer lost":
            self.owner.send(request)
        elif fate == "doubled":
            twin = threading.Thread(target=self.owner.send, args=(request,))
            twin.start()
            self._answer(self.owner.send(request))
            twin.join()
        for late in self.owner.overdue():
            self.owner.send(late)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _pass  # noqa: N815  the library's names

    def _answer(self, answer: _Answer | None) -> None:
        if answer is None:
            return
        status, headers, body = answer
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("connection", "content-length", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


# A proxy of an earlier run may just have closed.
socketserver.TCPServer.allow_reuse_address = True
