"""Requests and answers of the process of streams: no framework, for three addresses."""

import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

from flask import Request

from api.codes import CODES
from api.cors import EXPOSED
from api.hygiene import DRESS, OWN, new_request_id
from api.problems import BROKEN, PROBLEM, RETRY_AFTER_S, STATUS, body_of, note_accident, retry_of
from fairdeal.errors import FairdealError, NotIdentified, StorageFailure

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = Iterable[tuple[str, str]]

_LOG: Final = logging.getLogger("fairdeal.api")
_ACCESS: Final = logging.getLogger("fairdeal.access")


class Exchange:
    """One request, and how it is answered.

    Args:
        scope: ASGI's description of the request.
        receive: ASGI's way to hear that the client is gone.
        send: ASGI's way to answer.
        entropy: Gives the name of the request.
        public_url: What stands before the path of the service's own addresses.

    Attributes:
        request: The request, without its body.
        receive: As given.
    """

    def __init__(
        self,
        scope: Message,
        receive: Receive,
        send: Send,
        entropy: Callable[[int], bytes],
        public_url: str,
    ) -> None:
        self.request = Request(_environ(scope), populate_request=False)
        self.receive = receive
        self._send = send
        self._public_url = public_url
        self._id = new_request_id(entropy)
        self._came = time.monotonic()
        self._has_begun = False

    async def begin(self, status: int, content_type: str, headers: Headers = ()) -> None:
        """Begin to answer; a log line says so."""
        dressed = {
            "Content-Type": content_type,
            "Request-Id": self._id,
            "Cache-Control": OWN,
            **DRESS,
            "Vary": "Accept, Authorization",
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": EXPOSED,
            **dict(headers),
        }
        encoded = [(name.encode(), value.encode("latin-1")) for name, value in dressed.items()]
        spent = int((time.monotonic() - self._came) * 1000)
        _ACCESS.info("%s %s %d %dms", self._id, self.request.method, status, spent)
        self._has_begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": encoded})

    async def give(self, body: bytes, *, goes_on: bool = True) -> None:
        """Send more of the answer, or the last of it."""
        await self._send({"type": "http.response.body", "body": body, "more_body": goes_on})

    async def answer(
        self, body: bytes, content_type: str, status: int = 200, headers: Headers = ()
    ) -> None:
        """Answer at once."""
        length = ("Content-Length", str(len(body)))
        await self.begin(status, content_type, [*headers, length])
        await self.give(b"" if self.request.method == "HEAD" else body, goes_on=False)

    async def refuse(self, error: FairdealError, headers: Headers = ()) -> None:
        """Answer with the problem of an error raised on purpose."""
        status = STATUS[type(error)]
        if isinstance(error, StorageFailure):
            _LOG.error("%s: %s (%s)", self._id, error.code, error.cause)
        await self.refuse_with(status, error.code, error.sentence, error.facts, [
            *headers,
            *([("WWW-Authenticate", "Bearer")] if isinstance(error, NotIdentified) else ()),
        ])  # fmt: skip

    async def refuse_with(
        self, status: int, code: str, sentence: str, facts: Mapping[str, Any], headers: Headers = ()
    ) -> None:
        """Answer with a problem."""
        body = body_of(status, code, sentence, facts, f"{self._public_url}/help/{code}", self._id)
        later = [("Retry-After", RETRY_AFTER_S)] if retry_of(code) == "after" else []
        await self.answer(body.encode(), PROBLEM, int(status), [*headers, *later])

    async def break_off(self, error: Exception) -> None:
        """End with a fault of ours; where it happened is logged, what it said is not."""
        note_accident(self._id, error)
        if not self._has_begun:
            await self.refuse_with(CODES[BROKEN].status, BROKEN, CODES[BROKEN].sentence, {})

    async def is_over(self) -> None:
        """Return when the client has hung up."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


def _environ(scope: Message) -> dict[str, Any]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": scope.get("scheme", "http"),
    }
    for name, value in scope["headers"]:
        key = "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        said = value.decode("latin-1")
        environ[key] = f"{environ[key]},{said}" if key in environ else said
    return environ
