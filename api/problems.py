"""The one table from errors to statuses, and the body of every refusal (RFC 9457)."""

import logging
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, current_app, g, json
from werkzeug.exceptions import HTTPException

from api.codes import CODES
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

PUBLIC_URL: Final = "FAIRDEAL_PUBLIC_URL"
"""The setting that holds the service's own address, without a slash at its end, or nothing."""

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

BEYOND_FORM: Final = frozenset({"bad_act", "bad_field"})
"""Codes of input of the right form that still cannot be: 422, so that 400 is what the description
of a request refuses, and nothing else."""

#: What the framework itself refuses; whatever else it raises is an accident.
FRAMEWORK: Final[Mapping[int, str]] = {
    400: "malformed",
    404: "no_such_page",
    405: "wrong_method",
    413: "too_large",
    415: "not_json",
}
BROKEN: Final = "broken"

RETRY_AFTER_S: Final = "1"
_TITLES: Final = {status.value: status.phrase for status in HTTPStatus}


def install(app: Flask) -> None:
    """Make every refusal of the application a problem."""
    app.register_error_handler(FairdealError, refusal)
    app.register_error_handler(HTTPException, framework_refusal)
    app.register_error_handler(Exception, accident)


def refusal(error: FairdealError) -> Response:
    """Return the problem of an error raised on purpose."""
    status = status_of(type(error), error.code)
    answer = problem(status, error.code, error.sentence, error.facts)
    if isinstance(error, NotIdentified):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, StorageFailure):
        _LOG.error("%s: %s (%s)", g.request_id, error.code, error.cause)
    return answer


def status_of(kind: type[FairdealError], code: str) -> HTTPStatus:
    """Return the status that an error is answered with."""
    return HTTPStatus.UNPROCESSABLE_ENTITY if code in BEYOND_FORM else STATUS[kind]


def framework_refusal(error: HTTPException) -> Response:
    """Return the problem of a refusal that the framework made."""
    code = FRAMEWORK.get(error.code or 0)
    if code is None:
        return accident(error)
    answer = problem(CODES[code].status, code, CODES[code].sentence, {})
    for name, value in error.get_headers():
        if name == "Allow":
            answer.headers[name] = value
    return answer


def accident(error: Exception) -> Response:
    """Return the problem of a fault of ours."""
    note_accident(g.request_id, error)
    return problem(CODES[BROKEN].status, BROKEN, CODES[BROKEN].sentence, {})


def note_accident(request_id: str, error: Exception) -> None:
    """Log where a fault happened; what it said is not logged.

    A message may quote what nobody may see yet.
    """
    where = "; ".join(
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)[-6:]
    )
    _LOG.error("%s: %s at %s", request_id, type(error).__name__, where)


def problem(status: int, code: str, sentence: str, facts: Mapping[str, Any]) -> Response:
    """Return a refusal as application/problem+json; what every one of a code has is added."""
    body = body_of(status, code, sentence, facts, help_address(code), g.request_id)
    answer = Response(body, status=int(status), content_type=PROBLEM)
    if retry_of(code) == "after":
        answer.headers["Retry-After"] = RETRY_AFTER_S
    return answer


def body_of(
    status: int,
    code: str,
    sentence: str,
    facts: Mapping[str, Any],
    address: str,
    request_id: str,
) -> str:
    """Return a refusal as JSON, with where its code is explained and the request's name."""
    body = {
        "type": address,
        "title": _TITLES.get(status, "Refused"),
        "status": int(status),
        "code": code,
        "sentence": sentence,
        "facts": facts,
        "retry": retry_of(code),
        "request_id": request_id,
    }
    return json.dumps(body, sort_keys=True)


def retry_of(code: str) -> str:
    """Return when to send again what is refused with this code."""
    known = CODES.get(code)
    return "never" if known is None else known.retry


def help_address(code: str) -> str:
    """Return where a code is explained; whole where the service knows its own address."""
    return f"{current_app.config.get(PUBLIC_URL, '')}/help/{code}"
