"""Which pages of other sites may ask, in a browser: everybody's routes and seats', not operators'.

No cookies are used, so a page can do no more than what the token that it was given allows. An
operator's key has no business in a browser, so its routes stay shut to pages.
"""

from typing import Any, Final

from flask import Flask, Response, current_app, request

from api.auth import OPERATOR, path_of

_EXTENSION: Final = "fairdeal.cors"
_WANTED: Final = "Access-Control-Request-Method"

ALLOWED: Final = "Accept, Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
EXPOSED: Final = "Idempotent-Replayed, Request-Id, Retry-After"
KEEP_S: Final = "7200"


def install(app: Flask, paths: dict[str, Any]) -> None:
    """Open the routes that are not an operator's alone.

    Args:
        app: The application.
        paths: Of its description: which token each route wants.
    """
    app.extensions[_EXTENSION] = {
        path: sorted(
            method.upper()
            for method, said in methods.items()
            if method != "parameters" and said.get("security") != OPERATOR
        )
        for path, methods in paths.items()
    }
    app.after_request(_open)


def methods_open(app: Flask, rule: str) -> list[str]:
    """Return the methods of a route that a page may use."""
    open_ones: dict[str, list[str]] = app.extensions[_EXTENSION]
    return open_ones.get(path_of(rule), [])


def _open(answer: Response) -> Response:
    asked = request.headers.get(_WANTED) if request.method == "OPTIONS" else None
    method = asked or request.method
    if request.url_rule is not None:
        open_ones = methods_open(current_app, request.url_rule.rule)
        if method.replace("HEAD", "GET") not in open_ones:
            return answer
        if asked is not None:
            answer.headers["Access-Control-Allow-Methods"] = ", ".join(open_ones)
            answer.headers["Access-Control-Allow-Headers"] = ALLOWED
            answer.headers["Access-Control-Max-Age"] = KEEP_S
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Access-Control-Expose-Headers"] = EXPOSED
    return answer
