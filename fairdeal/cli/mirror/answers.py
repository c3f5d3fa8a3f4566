"""What an answer to a request for a file of a log means: it, nothing, later, or no answer at all.

No header is believed further than that: what a file holds is held to the checkpoint.
"""

import contextlib
from email.utils import parsedate_to_datetime
from http.client import HTTPResponse
from typing import Final

from fairdeal.errors import FairdealError

OK: Final = 200
PARTIAL: Final = 206
NOT_FOUND: Final = (404, 410)
_PAUSE_WANTED: Final = 429
_SERVER: Final = 500
_REDIRECT: Final = 300


class CannotLook(FairdealError):
    """A log could not be read: nothing is known to be wrong, and nothing to be right.

    Codes: `no_answer`, `refused`, `redirected`, `web_page`, `cut_answer`, `too_long`, `not_there`,
    `other_bytes`.
    """


class Again(CannotLook):
    """It may be there if it is asked for again.

    Args:
        code: As of `CannotLook`.
        sentence: As there.
        pause: Seconds that the service asks for; 0 where it says nothing.
    """

    def __init__(self, code: str, sentence: str, pause: float = 0.0) -> None:
        super().__init__(code, sentence)
        self.pause: Final = pause


def judge(response: HTTPResponse, address: str, now: float) -> None:
    """Pass an answer that brings a file; a web page is none, whatever its status says.

    Args:
        response: Its body unread.
        address: What was asked for, for the sentence.
        now: Seconds since 1970, for a `Retry-After` that is a date.

    Raises:
        Again: 429, 5xx or a web page.
        CannotLook: A redirect, or another status.
    """
    status = response.status
    if status == _PAUSE_WANTED or status >= _SERVER:
        pause = retry_after(response.headers.get("Retry-After", ""), now)
        raise Again("refused", f"{address} answered {status}.", pause)
    if _REDIRECT <= status < 400:
        raise CannotLook(
            "redirected", f"{address} sends elsewhere ({status}); a log's files are never moved."
        )
    if status not in (OK, PARTIAL):
        raise CannotLook("refused", f"{address} answered {status}.")
    if response.headers.get_content_type() == "text/html":
        raise Again("web_page", f"{address} answered {status} with a web page instead of the file.")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise CannotLook("refused", f"{address} came packed, unasked.")


def retry_after(said: str, now: float) -> float:
    """Return for how many seconds a service wants to be left alone; 0 where it does not say."""
    if said.isascii() and said.isdecimal() and len(said) <= 9:
        return float(said)
    with contextlib.suppress(TypeError, ValueError):
        return max(0.0, parsedate_to_datetime(said).timestamp() - now)
    return 0.0
