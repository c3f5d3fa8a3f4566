"""The process of streams: many games followed at once from one event loop (`fairdeal streams`).

It sends what `api.views.events` sends, byte for byte. What reads the database runs in a few
threads, never in the loop; a stream costs a task, and while it waits nothing at all.
"""

import asyncio
import atexit
import contextlib
import logging
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, ParamSpec, Self, TypeVar

from api import logs, wire
from api.asgi import Exchange, Message, Receive, Send
from api.auth import token_of
from api.codes import CODES
from api.config import read_config
from api.cors import ALLOWED, KEEP_S
from api.framing import (
    PAGE,
    STREAM_HEADERS,
    Form,
    chunks,
    form_of,
    framed,
    opening,
    page_bytes,
    resume_point,
)
from api.hygiene import check_address
from api.patience import AT_STOP
from api.shapes.requests import EventsWanted
from api.strict import StrictParser
from api.turnstile import Turnstile
from api.wsgi import CANNOT_START, now_ms
from fairdeal.errors import FairdealError, NotFound
from fairdeal.service import Caller, Feed, Gallery, Item, Step, end, follow, open_gallery

GUNICORN: Final = (
    "--worker-class", "api.loop.StreamWorker", "--workers", "1",
    "--no-control-socket", "--forwarded-allow-ips", "",
    "--limit-request-line", "2048", "--graceful-timeout", "5",
)  # fmt: skip
"""The arguments that gunicorn needs beside `--bind ADDRESS:PORT api.streams:app()`."""

PLACES: Final = 4096
"""So many streams and polls at a time."""

READERS: Final = 8
"""So many threads read the database."""

_EVENTS: Final = re.compile(r"/v1/games/([^/]+)/events")
_PARSER: Final = StrictParser()
_LOG: Final = logging.getLogger("fairdeal.api")
_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", "GET"),
    ("Access-Control-Allow-Headers", ALLOWED),
    ("Access-Control-Max-Age", KEEP_S),
)

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Streams:
    """The application.

    Args:
        gallery: From where games are followed.
        entropy: Gives the names of requests.
        public_url: What stands before the path of the service's own addresses.
        places: So many streams and polls at a time.
    """

    def __init__(
        self,
        gallery: Gallery,
        *,
        entropy: Callable[[int], bytes],
        public_url: str = "",
        places: int = PLACES,
    ) -> None:
        self._gallery = gallery
        self._feed: Feed = gallery.feed
        self._entropy = entropy
        self._public_url = public_url
        self._places = Turnstile(places)
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="fairdeal-reader")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        exchange = Exchange(scope, receive, send, self._entropy, self._public_url)
        try:
            await self._answer(exchange)
        except FairdealError as error:
            await exchange.refuse(error)
        except Exception as error:  # noqa: BLE001  whatever it was, its message is not told
            await exchange.break_off(error)

    async def _answer(self, exchange: Exchange) -> None:
        request = exchange.request
        check_address(request.path, request.query_string.decode("latin-1"))
        found = _EVENTS.fullmatch(request.path)
        if found is None and request.path not in ("/healthz", "/readyz"):
            raise NotFound("no_such_page", CODES["no_such_page"].sentence)
        if request.method == "OPTIONS":
            await exchange.answer(b"", "text/plain", 200, [("Allow", "GET, HEAD"), *_PREFLIGHT])
        elif request.method not in ("GET", "HEAD"):
            known = CODES["wrong_method"]
            allow = [("Allow", "GET, HEAD, OPTIONS")]
            await exchange.refuse_with(known.status, known.code, known.sentence, {}, allow)
        elif found is not None:
            await self._events(exchange, found[1])
        else:
            await self._run(self._gallery.check)
            said = "ok" if request.path == "/healthz" else "ready"
            await exchange.answer(b'{"status":"%b"}\n' % said.encode(), "application/json")

    async def _events(self, exchange: Exchange, game: str) -> None:
        headers = exchange.request.headers
        token = token_of(headers.get("Authorization"))
        caller = await self._run(self._feed.identify, token)
        wanted: dict[str, Any] = _PARSER.parse(EventsWanted(), exchange.request, location="query")
        form = form_of(headers.get("Accept"))
        with contextlib.ExitStack() as held:
            if form != PAGE or wanted["wait"] is not None:
                held.callback(self._places.enter(caller.digest))
            if form == PAGE:
                await self._page(exchange, game, caller, wanted)
            else:
                point = resume_point(headers.get("Last-Event-ID"), wanted["after"])
                steps = await self._run(follow, self._feed, token, game, point)
                await self._stream(exchange, game, steps, form)

    async def _page(
        self, exchange: Exchange, game: str, caller: Caller, wanted: dict[str, Any]
    ) -> None:
        look = self._feed.polled(caller, game, wanted["after"], wanted["limit"])
        until = self._feed.ticks() + (wanted["wait"] or 0)
        async with _Ear(self._feed, game, exchange) as ear:
            page, is_due = await self._run(look)
            while not is_due and not ear.is_over and (left := until - self._feed.ticks()) > 0:
                await ear.wait(min(left, self._feed.beat_s))
                page, is_due = await self._run(look)
        await exchange.answer(page_bytes(page), PAGE)

    async def _stream(
        self, exchange: Exchange, game: str, steps: Iterator[Step], form: Form
    ) -> None:
        await exchange.begin(200, form, STREAM_HEADERS)
        async with _Ear(self._feed, game, exchange) as ear:
            await exchange.give(opening(form))
            while exchange.request.method == "GET":
                step = await self._run(_next, steps)
                if step is None or ear.is_over:
                    break
                if isinstance(step, float):
                    await ear.wait(step)
                elif not await _sent(exchange, form, step):
                    await _try_to_give(exchange, framed(form, end("too_slow")))
                    break
            await exchange.give(b"", goes_on=False)

    async def _run(self, do: Callable[_P, _T], *args: _P.args, **named: _P.kwargs) -> _T:
        """Do what may read the database, outside the loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, lambda: do(*args, **named))


class _Ear:
    """Hears the bell for a game, and the client hang up, in the loop.

    Args:
        feed: Has the bell.
        game: The game.
        exchange: With the client.

    Attributes:
        is_over: Whether the client has hung up.
    """

    def __init__(self, feed: Feed, game: str, exchange: Exchange) -> None:
        self.is_over = False
        self._exchange = exchange
        self._rung = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ear = feed.bell.listen(game, self._ring)

    async def __aenter__(self) -> Self:
        self._ear.__enter__()
        self._watch = asyncio.create_task(self._hear_hang_up())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ear.__exit__(None, None, None)
        self._watch.cancel()

    async def wait(self, seconds: float) -> None:
        """Wait for a ring since the last wait, at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()

    def _ring(self) -> None:
        with contextlib.suppress(RuntimeError):  # The loop has ended.
            self._loop.call_soon_threadsafe(self._rung.set)

    async def _hear_hang_up(self) -> None:
        await self._exchange.is_over()
        self.is_over = True
        self._rung.set()


def _next(steps: Iterator[Step]) -> Step | None:
    """Take the next step; where the store fails, break off, so that the client resumes."""
    try:
        return next(steps, None)
    except FairdealError as error:
        _LOG.error("a stream broke off: %s", error.code)
        return None


async def _sent(exchange: Exchange, form: Form, items: tuple[Item, ...]) -> bool:
    """Send items; say whether the client has read enough of them in time."""
    for chunk in chunks(form, items):
        try:
            async with asyncio.timeout(wire.SEND_S):
                await exchange.give(chunk)
        except TimeoutError:
            return False
    return True


async def _try_to_give(exchange: Exchange, body: bytes) -> None:
    """Leave something to be sent, without waiting until it is."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0):
            await exchange.give(body)


def app() -> Streams:
    """Open the service that the environment names, and return the application."""
    logs.install()
    try:
        config = read_config(os.environ)
        gallery = open_gallery(
            config.folder,
            config.origin,
            database=config.database,
            entropy=secrets.token_bytes,
            clock=now_ms,
        )
    except (FairdealError, OSError) as error:
        print(f"fairdeal streams cannot start: {error}", file=sys.stderr, flush=True)  # noqa: T201  for whoever started it
        raise SystemExit(CANNOT_START) from None
    AT_STOP.append(gallery.feed.stop)
    atexit.register(gallery.close)
    return Streams(gallery, entropy=secrets.token_bytes, public_url=config.public_url)
