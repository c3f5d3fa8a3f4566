"""Resolves the token of a request to a caller, once."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, cast

from flask import Flask, current_app, g, request

from api.strict import body_of
from fairdeal.errors import NotIdentified
from fairdeal.service import Caller, Dealer

EXTENSION: Final = "fairdeal"
_CLOSED: Final = "fairdeal.closed"
_BODILESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_PARAMETER: Final = re.compile(r"<(?:\w+:)?(\w+)>")

OPERATOR: Final[list[dict[str, list[str]]]] = [{"operator": []}]
SEAT: Final[list[dict[str, list[str]]]] = [{"seat": []}]
WATCHER: Final[list[dict[str, list[str]]]] = [{"watcher": []}]
READER: Final[list[dict[str, list[str]]]] = [{}, *SEAT, *OPERATOR, *WATCHER]
"""Which token a route wants, as its description says it; the service checks the role."""

SCHEMES: Final[dict[str, str]] = {
    "operator": "The key of a site.",
    "seat": "The token that a claim was exchanged for.",
    "watcher": "The token of somebody whom the site lets watch.",
}
"""The kinds of tokens, all of them sent in the same way."""


def dealer() -> Dealer:
    """Return the service that this application was made for."""
    return cast(Dealer, current_app.extensions[EXTENSION])


def caller() -> Caller:
    """Return who makes this request."""
    return cast(Caller, g.caller)


def install(app: Flask) -> None:
    """Find out who calls before anything that was sent is read."""

    @app.before_request
    def resolve() -> None:
        if request.routing_exception is not None:
            return  # What is not there is nobody's.
        token = shown_token()
        if token is None and _is_closed() and not dealer().is_sandbox:
            # Before the request is read: whoever has no token need not be told what is wrong in it.
            raise NotIdentified("no_key", "Send your token as: Authorization: Bearer TOKEN.")
        if request.method not in _BODILESS:
            # A body may take seconds to come, and the token meet its end meanwhile.
            body_of(request)
        g.caller = dealer().identify(token)
        dealer().presences.note_caller(g.caller)


def close(app: Flask, paths: Mapping[str, Any]) -> None:
    """Note which routes need a token.

    Args:
        app: The application.
        paths: Of its description: which token each route wants.
    """
    app.extensions[_CLOSED] = {
        (path, method.upper())
        for path, methods in paths.items()
        for method, said in methods.items()
        if method != "parameters" and {} not in said.get("security", ({},))
    }


@lru_cache(maxsize=1024)
def path_of(rule: str) -> str:
    """Return the path of a route as the description writes it."""
    return _PARAMETER.sub(r"{\1}", rule)


def _is_closed() -> bool:
    method = request.method.replace("HEAD", "GET")
    path = path_of(request.url_rule.rule) if request.url_rule else ""
    return (path, method) in current_app.extensions[_CLOSED]


def shown_token() -> str | None:
    """Return the token that this request shows (raises `NotIdentified`)."""
    return token_of(request.headers.get("Authorization"))


def token_of(header: str | None) -> str | None:
    """Return the token of an `Authorization` header (raises `NotIdentified`: `bad_key`)."""
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token or not token.isascii():
        raise NotIdentified("bad_key", "Send your token as: Authorization: Bearer TOKEN.")
    return token
