"""Games followed: a page, a long poll, and streams in threads, all with the same numbers."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from flask import Response, request

from api.auth import READER, caller, dealer, shown_token
from api.blueprint import Blueprint
from api.framing import (
    LINES,
    PAGE,
    SSE,
    STREAM_HEADERS,
    Form,
    chunks,
    form_of,
    framed,
    opening,
    page_bytes,
    resume_point,
)
from api.shapes.answers import PageOut
from api.shapes.requests import EventsWanted
from api.waiting import STREAMS, held, polling
from api.wire import Wire
from fairdeal.errors import FairdealError
from fairdeal.service import Feed, Step, end, follow

blueprint = Blueprint("events", __name__, description="Follow games.")

_LOG: Final = logging.getLogger("fairdeal.api")
_TEXT: Final = {"schema": {"type": "string"}}
_LAST: Final = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string"},
    "description": "Of a stream: resume behind this record; wins over `after`.",
}


@blueprint.route("/v1/games/<game>/events", methods=["GET"])
@blueprint.arguments(EventsWanted, location="query")
@blueprint.response(200, PageOut)
@blueprint.refuses(
    "malformed", "watch_closed", "not_your_seat", "not_your_game", "too_many_streams", "busy"
)
@blueprint.header(_LAST)
@blueprint.doc(
    operationId="listEvents",
    security=READER,
    responses={200: {"content": {SSE: _TEXT, LINES: _TEXT}}},
)
def events(wanted: dict[str, Any], game: str) -> Response:
    """Read the game's records in order, or follow them as they are made.

    With the token of a seat: all of them, with that seat's private facts. Without one: those that
    the transcript holds. As `text/event-stream` or `application/x-ndjson` the answer does not end
    before the game: it gives a `snapshot`, then each `record`, a `beat` every ten seconds, and
    last an `end` with its reason.
    """
    form = form_of(request.headers.get("Accept"))
    answer = _page(wanted, game) if form == PAGE else _stream(form, wanted["after"], game)
    answer.vary.add("Accept")
    return answer


def _page(wanted: dict[str, Any], game: str) -> Response:
    after, limit, wait_s = wanted["after"], wanted["limit"], wanted["wait"]
    feed = dealer().feed
    if wait_s is None:
        page = feed.page(caller(), game, after, limit)
    else:
        with polling() as is_gone:
            page = feed.poll(caller(), game, after, limit, wait_s, is_gone)
    return Response(page_bytes(page), content_type=PAGE)


def _stream(form: Form, after: int, game: str) -> Response:
    feed, point = dealer().feed, resume_point(request.headers.get("Last-Event-ID"), after)
    steps = follow(feed, shown_token(), game, point)
    with ExitStack() as open_until_sent:
        wire = open_until_sent.enter_context(held(STREAMS))
        wire.prepare()
        answer = Response(_sent(feed, game, steps, wire, form), content_type=form)
        answer.headers.extend(STREAM_HEADERS)
        answer.call_on_close(open_until_sent.pop_all().close)
    return answer


def _sent(feed: Feed, game: str, steps: Iterator[Step], wire: Wire, form: Form) -> Iterator[bytes]:
    """Yield what goes out, and wait in between, until the stream or the client ends it."""
    with feed.bell.listen(game) as ear:
        yield opening(form)
        for step in _unbroken(steps):
            if wire.is_gone():
                return
            if isinstance(step, float):
                feed.hear(ear, step, wire.is_gone)
                continue
            for chunk in chunks(form, step):
                if not wire.is_free():
                    yield framed(form, end("too_slow"))
                    return
                yield chunk


def _unbroken(steps: Iterator[Step]) -> Iterator[Step]:
    """Yield the steps; where the store fails, break off, so that the client resumes."""
    try:
        yield from steps
    except FairdealError as error:
        _LOG.error("a stream broke off: %s", error.code)
