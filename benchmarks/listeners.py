"""A process with many streams open, for `benchmarks.streams`: notes when each record arrives.

It reads `{"port", "streams": [[game, token or null], ...]}` from its input, says `open` when every
stream has sent its first bytes, and at the next line that it is sent writes what came: a list a
stream of [number, seconds of the system's steady clock].
"""

import asyncio
import json
import re
import resource
import sys
import time
from typing import Any, Final

_ID: Final = re.compile(rb"\nid: ([0-9]+)\n")
_AT_ONCE: Final = 50
"""So many connections are being opened at a time."""


class Listener(asyncio.Protocol):
    """One stream, over HTTP/1.0 so that nothing is framed twice.

    Args:
        game: The game.
        token: That of a seat; None for the public.
    """

    def __init__(self, game: str, token: str | None) -> None:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._request = (
            f"GET /v1/games/{game}/events HTTP/1.0\r\nHost: x\r\n"
            f"Accept: text/event-stream\r\n{bearer}\r\n"
        ).encode()
        self._rest = b""
        self.first = asyncio.Event()
        self.came: list[tuple[int, float]] = []

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401  the loop's own
        """Ask."""
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Note the numbers of all events that are complete."""
        now = time.monotonic()
        events, mark, rest = (self._rest + data).rpartition(b"\n\n")
        self._rest = rest
        if mark:
            self.came += [(int(number), now) for number in _ID.findall(events + mark)]
            self.first.set()


async def _listen(port: int, streams: list[tuple[str, str | None]]) -> None:
    loop = asyncio.get_running_loop()
    listeners = [Listener(game, token) for game, token in streams]
    gate = asyncio.Semaphore(_AT_ONCE)

    async def connect(listener: Listener) -> None:
        async with gate:
            await loop.create_connection(lambda: listener, "127.0.0.1", port)
            await listener.first.wait()

    await asyncio.gather(*map(connect, listeners))
    print("open", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    print(json.dumps([listener.came for listener in listeners]), flush=True)


def main() -> None:
    """Listen until told to tell."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    wanted = json.loads(sys.stdin.readline())
    asyncio.run(_listen(wanted["port"], wanted["streams"]))


if __name__ == "__main__":
    main()
