"""A client that follows a game over a real socket, and can be cut at any byte."""

import contextlib
import socket
import time
from typing import Self

from fairdeal.cli.server import LOOPBACK
from tests.api.reading import Got, SseReader

PATIENCE_S = 20


class Refused(Exception):
    """There is no stream."""

    def __init__(self, head: bytes) -> None:
        super().__init__(head.decode())
        self.status = int(head.split()[1])


class Follower:
    """One stream over one connection."""

    def __init__(
        self,
        port: int,
        game: str,
        token: str | None = None,
        after: int | str = -1,
        *,
        small: bool = False,
    ) -> None:
        self._socket = socket.socket()
        if small:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE_S)
        self._socket.connect((LOOPBACK, port))
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._socket.sendall(
            f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
            f"Last-Event-ID: {after}\r\n{bearer}\r\n".encode()
        )
        self._raw = b""
        self._reader = SseReader()
        self.head = b""
        self.over = False

    def read(self, most: int = 65_536) -> list[Got]:
        """Return the events that the next bytes complete; none and `over` at the end."""
        data = self._socket.recv(most)
        if not data:
            self.over = True
            return []
        self._raw += data
        if not self.head:
            head, mark, rest = self._raw.partition(b"\r\n\r\n")
            if not mark:
                return []
            self.head, self._raw = head, rest
            if b" 200 " not in head.partition(b"\r\n")[0]:
                raise Refused(head)
        return self._reader.feed(self._unchunked())

    def until(self, kind: str) -> list[Got]:
        """Read until an event of this kind, and return all that came; or what came to the end."""
        got: list[Got] = []
        deadline = time.monotonic() + PATIENCE_S
        while not self.over and time.monotonic() < deadline:
            got += self.read()
            if any(one.kind == kind for one in got):
                return got
        assert self.over, f"no {kind} within {PATIENCE_S} s"
        return got

    def drained(self) -> list[Got]:
        """Read to the end of the connection."""
        got: list[Got] = []
        while not self.over:
            with contextlib.suppress(ConnectionResetError):
                got += self.read()
                continue
            break
        return got

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _unchunked(self) -> bytes:
        made = b""
        while True:
            size, mark, rest = self._raw.partition(b"\r\n")
            if not mark:
                return made
            length = int(size, 16)
            if len(rest) < length + 2:
                return made
            made, self._raw = made + rest[:length], rest[length + 2 :]
            if length == 0:
                self.over = True
                return made
