"""What every request and every answer has: a name, headers that keep it private, a log line."""

import logging
import re
import time
from base64 import b32encode
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, g, request

_LOG: Final = logging.getLogger("fairdeal.access")
_TOKEN: Final = re.compile(r"(cd_live_[a-z]+_)[A-Za-z0-9_-]+")


def hide_tokens(record: logging.LogRecord) -> bool:
    """Take tokens out of a log record; a server quotes the requests that it cannot read."""
    record.msg, record.args = _TOKEN.sub(r"\1...", record.getMessage()), None
    return True


def install(app: Flask, entropy: Callable[[int], bytes]) -> None:
    """Name requests before anything else, and dress answers after everything else."""

    @app.before_request
    def name_it() -> None:
        g.request_id = "req_" + b32encode(entropy(10)).decode("ascii").lower()
        g.began = time.monotonic()

    @app.after_request
    def dress(answer: Response) -> Response:
        answer.headers["Request-Id"] = g.request_id
        answer.headers["Cache-Control"] = "private, no-store"
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.vary.add("Authorization")
        # The rule, not the path, and no query, body or token: what a caller sent stays out.
        rule = request.url_rule.rule if request.url_rule else "-"
        spent = int((time.monotonic() - g.began) * 1000)
        _LOG.info("%s %s %s %d %dms", g.request_id, request.method, rule, answer.status_code, spent)
        return answer
