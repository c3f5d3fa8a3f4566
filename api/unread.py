"""What is no HTTP never reaches the application; it is refused as everything else all the same."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException

from api.codes import CODES
from api.hygiene import DRESS, OWN, new_request_id
from api.problems import BROKEN, PROBLEM, PUBLIC_URL, body_of

#: What the server could not read, the most specific first; whatever else happened is an accident.
_CODES: Final[Mapping[type[Exception], str]] = {
    LimitRequestLine: "address_too_long",
    LimitRequestHeaders: "headers_too_large",
    ParseException: "malformed",
}


def code_of(error: Exception) -> str:
    """Return the code of what the server could not read."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), BROKEN)


def answer(code: str, config: Mapping[str, Any], entropy: Callable[[int], bytes]) -> bytes:
    """Return a whole answer that ends its connection.

    It says nothing of the request: what was sent may be a token.

    Args:
        code: As `code_of` gives it.
        config: Of the application: its own address.
        entropy: Gives the name of the request.
    """
    known, request_id = CODES[code], new_request_id(entropy)
    address = f"{config.get(PUBLIC_URL, '')}/help/{code}"
    body = body_of(known.status, code, known.sentence, {}, address, request_id).encode()
    head = [
        f"HTTP/1.1 {known.status} {HTTPStatus(known.status).phrase}",
        "Connection: close",
        f"Content-Type: {PROBLEM}",
        f"Content-Length: {len(body)}",
        f"Request-Id: {request_id}",
        f"Cache-Control: {OWN}",
        *(f"{name}: {said}" for name, said in DRESS.items()),
    ]
    return "".join(f"{line}\r\n" for line in head).encode("ascii") + b"\r\n" + body
