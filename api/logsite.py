"""The public log over HTTP, in front of the application: plain files below the origin's path.

It is no part of the interface under /v1: auditors' own programs ask it, by the paths and with the
headers of C2SP tlog-tiles (log.md 1). So nothing here takes a query, a body or a token, nothing is
redirected, and what is absent is 404 and kept by nobody.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Flask, Request, Response

from api import auth
from api.hygiene import DRESS, check_address, new_request_id
from api.problems import PROBLEM, PUBLIC_URL, RETRY_AFTER_S, body_of, status_of
from fairdeal.errors import FairdealError, StorageFailure
from fairdeal.service import PublicFolder, Served, path_of_origin

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

METHODS: Final = ("GET", "HEAD")
EXPOSED: Final = "Content-Range, ETag, Request-Id"

_ACCESS: Final = logging.getLogger("fairdeal.access")
_PIECE: Final = 65_536
_PLAIN: Final = "text/plain; charset=utf-8"
_RAW: Final = ("RAW_URI", "REQUEST_URI")
"""Where a server leaves the address as it was sent."""


class LogSite:
    """Answers what lies below the log's path, and passes on everything else.

    Args:
        app: The application, whose service has the log.
        behind: What is asked for all else.
        entropy: Gives the names of requests.
    """

    def __init__(
        self, app: Flask, behind: "WSGIApplication", entropy: Callable[[int], bytes]
    ) -> None:
        self._app = app
        self._behind = behind
        self._entropy = entropy

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a request."""
        dealer = self._app.extensions[auth.EXTENSION]
        folder = None if dealer is None else dealer.proofs.folder
        if folder is not None:
            prefix, asked = path_of_origin(dealer.origin), environ.get("PATH_INFO", "")
            if asked == prefix or asked.startswith(f"{prefix}/"):
                answer = self._answer(folder, Request(environ), asked[len(prefix) + 1 :])
                return answer(environ, start_response)
        return self._behind(environ, start_response)

    def _answer(self, folder: PublicFolder, request: Request, path: str) -> Response:
        began = time.monotonic()
        name = new_request_id(self._entropy)
        try:
            check_address(request.path, request.query_string.decode("latin-1"))
            answer = _found(folder, request, path)
        except FairdealError as error:
            answer = self._refusal(error, name)
        answer.headers["Request-Id"] = name
        answer.headers["Access-Control-Allow-Origin"] = "*"
        answer.headers["Access-Control-Expose-Headers"] = EXPOSED
        answer.headers.update(DRESS)
        spent = int((time.monotonic() - began) * 1000)
        _ACCESS.info("%s %s LOG %d %dms", name, request.method, answer.status_code, spent)
        return answer

    def _refusal(self, error: FairdealError, name: str) -> Response:
        status = int(status_of(type(error), error.code))
        help_ = f"{self._app.config.get(PUBLIC_URL, '')}/help/{error.code}"
        body = body_of(status, error.code, error.sentence, error.facts, help_, name)
        answer = Response(body, status=status, content_type=PROBLEM)
        answer.headers["Cache-Control"] = "no-store"
        if isinstance(error, StorageFailure):
            answer.headers["Retry-After"] = RETRY_AFTER_S
        return answer


def install(app: Flask, entropy: Callable[[int], bytes]) -> None:
    """Put the log in front of an application.

    Raises:
        StorageFailure: `bad_log_path`: the service's name has no path of its own to serve it at.
    """
    dealer = app.extensions[auth.EXTENSION]
    if dealer is not None and dealer.proofs.folder is not None:
        check_path(app, dealer.origin)
    app.wsgi_app = LogSite(app, app.wsgi_app, entropy)  # type: ignore[method-assign]  # how Flask documents it


def check_path(app: Flask, origin: str) -> None:
    """Refuse an origin whose log would lie where the application has addresses of its own.

    Raises:
        StorageFailure: `bad_log_path`.
    """
    first = path_of_origin(origin).split("/")[1]
    if first in {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()}:
        raise StorageFailure(
            "bad_log_path",
            f"The public log of {origin} would be served below /{first}, where the interface is:"
            " give the service another name, like cards.example/log/1.",
        )


def _found(folder: PublicFolder, request: Request, path: str) -> Response:
    if request.method not in METHODS:
        answer = _plain(405, "Only GET and HEAD are answered here.")
        answer.headers["Allow"] = ", ".join(METHODS)
        return answer
    served = folder.find(path) if _is_plain(request) else None
    if served is None:
        return _plain(404, "There is nothing here.")
    answer = Response(served.body, content_type=served.type)
    if served.file is not None:
        answer = _part(served, request)
    elif served.is_entries:
        answer.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") > 0:
            answer.set_data(served.compressed())
            answer.headers["Content-Encoding"] = "gzip"
    elif served.tag and request.if_none_match.contains(served.tag):
        answer = Response(status=304)
    if answer.status_code != 416:
        answer.headers["Cache-Control"] = served.caching
    if served.tag:
        answer.set_etag(served.tag)
    return answer


def _is_plain(request: Request) -> bool:
    """Say whether an address was sent without a query and without escapes: in one spelling."""
    sent = next((request.environ[name] for name in _RAW if name in request.environ), "")
    return not request.query_string and "?" not in sent and "%" not in sent


def _part(served: Served, request: Request) -> Response:
    """Return a file of which one range may have been asked for (RFC 9110 §14)."""
    assert served.file is not None
    if request.if_none_match.contains(served.tag):
        return Response(status=304)
    _check_there(served.file, served.length)
    begin, end, status = 0, served.length, 200
    wanted = request.range
    is_same = "If-Range" not in request.headers or request.if_range.etag == served.tag
    if wanted is not None and wanted.units == "bytes" and len(wanted.ranges) == 1 and is_same:
        # Of a file that is shorter than its last so many bytes all is sent.
        (first, _), length = wanted.ranges[0], served.length
        span = (0, length) if -first > length else wanted.range_for_length(length)
        if span is None:
            answer = _plain(416, "The file does not reach that far.")
            answer.headers["Content-Range"] = f"bytes */{served.length}"
            return answer
        begin, end, status = *span, 206
    pieces = _pieces(served.file, begin, end)
    answer = Response(pieces, status=status, content_type=served.type)
    answer.content_length = end - begin
    answer.headers["Accept-Ranges"] = "bytes"
    if status == 206:
        answer.headers["Content-Range"] = f"bytes {begin}-{end - 1}/{served.length}"
    return answer


def _check_there(file: Path, length: int) -> None:
    try:
        if file.stat().st_size >= length:
            return
        fault: OSError | None = None
    except OSError as failed:
        fault = failed
    raise StorageFailure("log_unreadable", f"The log's {file.name} cannot be read.") from fault


def _pieces(path: Path, begin: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(begin)
        # Where it ends early, so does the connection, and the client knows by the length.
        while begin < end and (piece := file.read(min(_PIECE, end - begin))):
            begin += len(piece)
            yield piece


def _plain(status: int, sentence: str) -> Response:
    answer = Response(f"{sentence}\n", status=status, content_type=_PLAIN)
    answer.headers["Cache-Control"] = "no-store"
    return answer
