"""One question to a witness over HTTP, within limits (C2SP tlog-witness; log.md 3).

Whoever answers may be slow, wrong or hostile: an answer is waited for so long and read so far and
no further, and no redirect is followed. Nothing here knows what an answer means.
"""

import socket
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Timer
from typing import Final
from urllib.parse import urlsplit

from fairdeal.errors import MalformedInput

MOST_BYTES: Final = 16_384
"""So much of an answer is read: many signature lines."""

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_LONGEST_PAUSE: Final = 3600


class NoAnswer(Exception):
    """Nothing came that is an answer: no connection, not in time, not whole, not HTTP."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered.

    Attributes:
        status: Of HTTP.
        content_type: As sent; empty for none.
        body: Its first MOST_BYTES.
        pause: The seconds of ``Retry-After``, at most an hour; 0 for none.
    """

    status: int
    content_type: str
    body: bytes
    pause: int = 0


def check_prefix(url: str) -> None:
    """Refuse a submission prefix that is neither https nor http on this machine.

    Raises:
        MalformedInput: `bad_policy`.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    plain = parts.scheme == "http" and host in _LOOPBACK
    if not host or not (parts.scheme == "https" or plain) or parts.query or parts.fragment:
        raise MalformedInput(
            "bad_policy", f"A witness is asked by https, or by http on this machine, not at {url}."
        )


class Asking:
    """A question that is on its way; runs on one thread, and another may cut it off.

    Args:
        prefix: The witness' submission prefix.
        body: What is posted.
        limit_s: Seconds that the whole of it may take.
    """

    def __init__(self, prefix: str, body: bytes, limit_s: float) -> None:
        parts = urlsplit(prefix)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=limit_s)
        self._path = f"{parts.path.rstrip('/')}/add-checkpoint"
        self._body, self._limit_s = body, limit_s
        self._cut = Event()

    def run(self) -> Reply:
        """Ask, and return the answer.

        Raises:
            NoAnswer: With what went wrong.
        """
        # The connection's own limit is one of each read: a witness that sends a byte now and then
        # would hold it for ever.
        watch = Timer(self._limit_s, self.cut)
        watch.daemon = True
        watch.start()
        try:
            reply = self._ask()
        except (OSError, HTTPException, ValueError) as error:
            why = "it took too long" if self._cut.is_set() else f"{type(error).__name__}: {error}"
            raise NoAnswer(why[:200]) from error
        finally:
            watch.cancel()
            self._connection.close()
        return reply

    def cut(self) -> None:
        """Have `run` end now, with NoAnswer."""
        self._cut.set()
        if (open_one := self._connection.sock) is not None:
            with suppress(OSError):
                open_one.shutdown(socket.SHUT_RDWR)

    def _ask(self) -> Reply:
        self._connection.connect()
        if self._cut.is_set():
            raise TimeoutError
        headers = {"Content-Type": "application/octet-stream", "User-Agent": "fairdeal-log"}
        self._connection.request("POST", self._path, self._body, headers)
        response = self._connection.getresponse()
        body = response.read(MOST_BYTES)
        # What is cut off looks like an end: an answer is whole, or longer than is read.
        if self._cut.is_set() or (len(body) < MOST_BYTES and response.length):
            raise TimeoutError("the answer is not whole")
        pause = response.getheader("Retry-After", "")
        seconds = int(pause) if pause.isascii() and pause.isdigit() and len(pause) < 10 else 0
        kind = response.getheader("Content-Type", "")
        return Reply(response.status, kind, body, min(seconds, _LONGEST_PAUSE))
