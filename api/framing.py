"""How a game that is followed goes over the wire: as a page, as server-sent events, or as lines.

One event has the same JSON in all three, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from fairdeal.service import Item, Page, as_json

Form = Literal["application/json", "text/event-stream", "application/x-ndjson"]

PAGE: Final[Form] = "application/json"
SSE: Final[Form] = "text/event-stream"
LINES: Final[Form] = "application/x-ndjson"

RETRY_MS: Final = 1000
"""So long a browser waits before it resumes a stream that broke off."""

MOST: Final = 16_384
"""At most about so many bytes go out at once, so that a full buffer shows before the next."""

STREAM_HEADERS: Final = (("X-Accel-Buffering", "no"),)
"""Of a stream: no proxy is to gather it."""

_NUMBER: Final = re.compile(r"-1|0|[1-9][0-9]{0,15}")


def form_of(accept: str | None) -> Form:
    """Return in which form an `Accept` header asks for events; a page where it names none."""
    found = parse_accept_header(accept, MIMEAccept).best_match([PAGE, SSE, LINES], PAGE)
    return SSE if found == SSE else LINES if found == LINES else PAGE


def resume_point(last_event_id: str | None, after: int) -> int | None:
    """Return behind which record a stream goes on; None where what was sent is no number.

    Args:
        last_event_id: The header, which a browser sends by itself; it wins where it is not empty.
        after: What the query says.
    """
    if not last_event_id:
        return after
    return int(last_event_id) if _NUMBER.fullmatch(last_event_id) else None


def page_bytes(page: Page) -> bytes:
    """Return the body of a page."""
    shaped = {"version": page.version, "events": page.events, "has_more": page.has_more}
    return as_json(shaped) + b"\n"


def opening(form: Form) -> bytes:
    """Return what a stream begins with."""
    return b"retry: %d\n\n" % RETRY_MS if form == SSE else b""


def framed(form: Form, item: Item) -> bytes:
    """Return one item as it stands in a stream."""
    kind = item.kind.encode()
    if form == SSE:
        number = b"" if item.n is None else b"id: %d\n" % item.n
        return b"event: %b\n%bdata: %b\n\n" % (kind, number, item.data)
    number = b"" if item.n is None else b',"id":%d' % item.n
    return b'{"data":%b,"event":"%b"%b}\n' % (item.data, kind, number)


def chunks(form: Form, items: Iterable[Item]) -> Iterator[bytes]:
    """Yield items framed, several together where they are small."""
    gathered = b""
    for item in items:
        one = framed(form, item)
        if gathered and len(gathered) + len(one) > MOST:
            yield gathered
            gathered = b""
        gathered += one
    if gathered:
        yield gathered
