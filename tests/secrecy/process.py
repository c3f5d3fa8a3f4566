"""The process of streams (`fairdeal streams`) in a world, asked without a server."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

from api.streams import Streams
from fairdeal.service import Dealer, Gallery
from fairdeal.store.ports import Store


class Process:
    """The application, over what the service itself follows games from.

    Args:
        dealer: Whose games are followed.
        store: Where they are.
        entropy: Gives the names of requests.
    """

    def __init__(self, dealer: Dealer, store: Store, entropy: Any) -> None:
        self._streams = Streams(Gallery(dealer.feed, store, ExitStack()), entropy=entropy)

    def ask(
        self, method: str, path: str, headers: Sequence[tuple[str, str]], chunks: int | None
    ) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
        """Return status, headers and body of an answer, of a stream so many chunks."""
        address = urlsplit(path)
        scope = {
            "type": "http",
            "method": method,
            "path": address.path,
            "query_string": address.query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers],
        }
        return asyncio.run(self._asked(scope, chunks))

    async def _asked(
        self, scope: Mapping[str, Any], chunks: int | None
    ) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
        sent: list[Mapping[str, Any]] = []
        gone = asyncio.Event()

        async def receive() -> Mapping[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Mapping[str, Any]) -> None:
            sent.append(message)
            if chunks is not None and len(sent) > chunks:
                # At once, so that nothing more is read: what is counted stays the same.
                raise _EnoughError

        with suppress(_EnoughError):
            await self._streams(scope, receive, send)
        begun, *parts = sent
        told = tuple((name.decode(), value.decode()) for name, value in begun["headers"])
        return begun["status"], told, b"".join(part["body"] for part in parts)

    def close(self) -> None:
        """End its threads."""
        self._streams._pool.shutdown()


class _EnoughError(BaseException):
    """The client has what it wanted."""
