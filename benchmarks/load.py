"""Sends requests that are ready beforehand over kept connections, and times the answers.

Each connection sends its next request when it has the answer to the one before, so there are as
many requests under way as connections. Nothing is made or looked into while the clock runs, so
that the sender takes as little as it can of the processors that it shares with the server.
"""

import asyncio
import re
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

_LENGTH: Final = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)
_PATIENCE_S: Final = 60.0
_SHOWN: Final = 600


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of a run.

    Attributes:
        wall: Seconds from the first request to the last answer.
        times: Of each request until its answer was there, seconds, in the order of the answers.
    """

    wall: float
    times: list[float]


@dataclass(slots=True)
class _Run:
    """What the connections of one run share."""

    until: float
    running: int
    done: "asyncio.Future[None]"
    times: list[float] = field(default_factory=list)

    def leave(self) -> None:
        """One connection has no more to do."""
        self.running -= 1
        if not self.running and not self.done.done():
            self.done.set_result(None)

    def fail(self, why: str) -> None:
        """Give up."""
        if not self.done.done():
            self.done.set_exception(RuntimeError(why))


class _Connection(asyncio.Protocol):
    """One connection: sends what is in its queue, one after the other."""

    def __init__(self, waiting: deque[bytes]) -> None:
        self._waiting = waiting
        self._answer = b""
        self._sent = 0.0
        self._run: _Run | None = None
        self._transport: Any = None  # the loop's own

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  the loop's own
        """Be ready."""
        self._transport = transport

    def begin(self, run: _Run) -> None:
        """Send the first one."""
        self._run = run
        self._next(run)

    def close(self) -> None:
        """Hang up."""
        self._run = None
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Take in an answer; when it is whole, note its time and send the next request."""
        self._answer += data
        head, mark, body = self._answer.partition(b"\r\n\r\n")
        length = _LENGTH.search(head + b"\r\n")
        if not mark or (length is not None and len(body) < int(length[1])):
            return
        run = self._run
        if run is None:
            return
        run.times.append(time.perf_counter() - self._sent)
        if not head.startswith(b"HTTP/1.1 200 ") or length is None:
            run.fail(f"refused: {self._answer[:_SHOWN]!r}")
            return
        self._answer = b""
        self._next(run)

    def connection_lost(self, _: Exception | None) -> None:
        """Give up, unless all is over."""
        if self._run is not None:
            self._run.fail("the server hung up")

    def _next(self, run: _Run) -> None:
        now = time.perf_counter()
        if not self._waiting or now >= run.until:
            run.leave()
            return
        self._sent = now
        self._transport.write(self._waiting.popleft())


def send(port: int, queues: Sequence[deque[bytes]], seconds: float) -> Sent:
    """Send what is in the queues, a connection each, for some seconds or until they are empty.

    Args:
        port: Of a server on the loopback address.
        queues: Whole requests of HTTP/1.1; those that were sent are taken out.
        seconds: After so long no further one is sent; those under way are waited for.

    Raises:
        RuntimeError: An answer was another one than 200, or the server hung up.
        TimeoutError: The last answers did not come.
    """
    return asyncio.run(_send(port, queues, seconds))


async def _send(port: int, queues: Sequence[deque[bytes]], seconds: float) -> Sent:
    loop = asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(partial(_Connection, queue), "127.0.0.1", port))[1]
        for queue in queues
    ]
    began = time.perf_counter()
    run = _Run(began + seconds, len(connections), loop.create_future())
    try:
        for connection in connections:
            connection.begin(run)
        await asyncio.wait_for(run.done, seconds + _PATIENCE_S)
        return Sent(time.perf_counter() - began, run.times)
    finally:
        for connection in connections:
            connection.close()


def request(
    method: str,
    path: str,
    token: str | None = None,
    body: bytes | None = None,
    key: str | None = None,
) -> bytes:
    """Return a request of HTTP/1.1, whole; the key is for its `Idempotency-Key`."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join((*lines, "", "")).encode() + (body or b"")
