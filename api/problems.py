"""The one table from errors to statuses, and the body of every refusal (RFC 9457)."""

import logging
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, g, json
from werkzeug.exceptions import HTTPException

from fairdeal.errors import (
    Busy,
    Conflict,
    FairdealError,
    Gone,
    MalformedInput,
    NotAllowed,
    NotFound,
    NotIdentified,
    RuleBroken,
    StaleVersion,
    StorageFailure,
    TooMany,
    Unprocessable,
)

PROBLEM: Final = "application/problem+json"

_LOG: Final = logging.getLogger("fairdeal.api")

#: What each class of error is answered with; a subclass stands for itself, nothing is inherited.
STATUS: Final[Mapping[type[FairdealError], HTTPStatus]] = {
    MalformedInput: HTTPStatus.BAD_REQUEST,
    NotIdentified: HTTPStatus.UNAUTHORIZED,
    NotAllowed: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Gone: HTTPStatus.GONE,
    Conflict: HTTPStatus.CONFLICT,
    StaleVersion: HTTPStatus.CONFLICT,
    RuleBroken: HTTPStatus.UNPROCESSABLE_ENTITY,
    Unprocessable: HTTPStatus.UNPROCESSABLE_ENTITY,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
    StorageFailure: HTTPStatus.SERVICE_UNAVAILABLE,
}

#: When to send it again: later as it is, or once what the sentence names was changed, in the
#: request or in the game. Every other refusal is for good.
RETRY: Final[Mapping[type[FairdealError], str]] = {
    Conflict: "after_change",
    StaleVersion: "after_change",
    RuleBroken: "after_change",
    Unprocessable: "after_change",
    TooMany: "after",
    Busy: "after",
    StorageFailure: "after",
}

#: What the framework itself refuses: status -> code, sentence.
FRAMEWORK: Final[Mapping[int, tuple[str, str]]] = {
    400: ("malformed", "This request cannot be read."),
    404: ("no_such_page", "There is nothing at this address."),
    405: ("wrong_method", "This address does not take this method; see the Allow header."),
    413: ("too_large", "The body of this request is too large."),
    414: ("too_large", "The address of this request is too long."),
    415: ("not_json", "Send the body as application/json in UTF-8."),
    500: ("broken", "Something broke here; it is not your fault, and it was noted."),
}

RETRY_AFTER_S: Final = "1"
_TITLES: Final = {status.value: status.phrase for status in HTTPStatus}


def install(app: Flask) -> None:
    """Make every refusal of the application a problem."""
    app.register_error_handler(FairdealError, refusal)
    app.register_error_handler(HTTPException, framework_refusal)
    app.register_error_handler(Exception, accident)


def refusal(error: FairdealError) -> Response:
    """Return the problem of an error raised on purpose."""
    status = STATUS[type(error)]
    answer = problem(
        status, error.code, error.sentence, error.facts, RETRY.get(type(error), "never")
    )
    if isinstance(error, NotIdentified):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if RETRY.get(type(error)) == "after":
        answer.headers["Retry-After"] = RETRY_AFTER_S
    if isinstance(error, StorageFailure):
        _LOG.error("%s: %s (%s)", g.request_id, error.code, error.cause)
    return answer


def framework_refusal(error: HTTPException) -> Response:
    """Return the problem of a refusal that the framework made."""
    status = error.code or 500
    code, sentence = FRAMEWORK.get(status, (f"http_{status}", _TITLES.get(status, "Refused") + "."))
    answer = problem(status, code, sentence, {}, "never")
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After", "WWW-Authenticate"):
            answer.headers[name] = value
    return answer


def accident(error: Exception) -> Response:
    """Return the problem of a fault of ours; where it happened is logged, what it said is not.

    A message may quote what nobody may see yet.
    """
    where = "; ".join(
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-6:]
    )
    _LOG.error("%s: %s at %s", g.request_id, type(error).__name__, where)
    code, sentence = FRAMEWORK[500]
    return problem(500, code, sentence, {}, "never")


def problem(
    status: int, code: str, sentence: str, facts: Mapping[str, Any], retry: str
) -> Response:
    """Return a refusal as application/problem+json."""
    body = {
        "type": f"/help/{code}",
        "title": _TITLES.get(status, "Refused"),
        "status": int(status),
        "code": code,
        "sentence": sentence,
        "facts": facts,
        "retry": retry,
        "request_id": g.request_id,
    }
    return Response(json.dumps(body, sort_keys=True), status=int(status), content_type=PROBLEM)
