"""Resolves the token of a request to a caller, once."""

from typing import Final, cast

from flask import Flask, current_app, g, request

from fairdeal.errors import NotIdentified
from fairdeal.service import Caller, Dealer

EXTENSION: Final = "fairdeal"

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
    """Find out who calls before any body is read."""

    @app.before_request
    def resolve() -> None:
        g.caller = dealer().identify(shown_token())
        dealer().presences.note_caller(g.caller)


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
