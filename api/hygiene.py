"""What every request and every answer has: a name, headers that keep it private, a log line."""

import logging
import re
import time
from base64 import b32encode
from collections import deque
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_plus

from flask import Flask, Response, g, request

from fairdeal.errors import MalformedInput

_LOG: Final = logging.getLogger("fairdeal.access")
_NAME_BYTES: Final = 10
_AHEAD: Final = 128
_TOKEN: Final = re.compile(r"(cd_(?:live|test)_[a-z]+_)[A-Za-z0-9_-]+")

FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""The `Cache-Control` of what never changes and is nobody's own."""

FOR_A_WHILE: Final = "public, max-age=300"
"""The `Cache-Control` of what is nobody's own, and changes with the service alone."""

OWN: Final = "private, no-store"
"""The `Cache-Control` of everything else."""

DRESS: Final = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
"""What every answer has, whoever makes it."""


def hide_tokens(record: logging.LogRecord) -> bool:
    """Take tokens out of a log record; a server quotes the requests that it cannot read."""
    record.msg, record.args = _TOKEN.sub(r"\1...", record.getMessage()), None
    return True


def in_advance(entropy: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Return an entropy for names that asks for that of many at once.

    Each asking is a call of the system, across which a thread lets go of the interpreter's lock
    and then has to queue for it.
    """
    kept: deque[bytes] = deque()

    def give(size: int) -> bytes:
        if size != _NAME_BYTES:
            return entropy(size)
        try:
            return kept.pop()
        except IndexError:
            block = entropy(_AHEAD * size)
            kept.extend(block[at : at + size] for at in range(size, len(block), size))
            return block[:size]

    return give


def new_request_id(entropy: Callable[[int], bytes]) -> str:
    """Return a name for a request."""
    return "req_" + b32encode(entropy(_NAME_BYTES)).decode("ascii").lower()


def check_address(path: str, query: str) -> None:
    """Refuse an address that holds a token (raises `MalformedInput`: `token_in_address`).

    Addresses are written into the logs of proxies and kept in the histories of browsers.
    """
    if any(_TOKEN.search(unquote_plus(part)) for part in (path, query)):
        raise MalformedInput(
            "token_in_address", "A token belongs in the Authorization header, not here."
        )


def install(app: Flask, entropy: Callable[[int], bytes]) -> None:
    """Name requests before anything else, and dress answers after everything else."""

    @app.before_request
    def name_it() -> None:
        g.request_id = new_request_id(entropy)
        g.began = time.monotonic()

    @app.before_request
    def refuse_shown_token() -> None:
        check_address(request.path, request.query_string.decode("latin-1"))

    @app.after_request
    def dress(answer: Response) -> Response:
        answer.headers["Request-Id"] = g.request_id
        answer.headers.update(DRESS)
        if answer.headers.get("Cache-Control") not in (FOR_GOOD, FOR_A_WHILE):
            answer.headers["Cache-Control"] = OWN
            answer.vary.add("Authorization")
        # The rule, not the path, and no query, body or token: what a caller sent stays out.
        rule = request.url_rule.rule if request.url_rule else "-"
        spent = int((time.monotonic() - g.began) * 1000)
        _LOG.info("%s %s %s %d %dms", g.request_id, request.method, rule, answer.status_code, spent)
        return answer
