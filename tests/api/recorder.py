"""Notes every answer of the application, and which of them the description does not know."""

from collections import Counter

from flask import request

from api import auth
from api.openapi import description
from tests.table import application

SEEN: Counter[tuple[str, str, int, str | None]] = Counter()
"""(method, path, status, code) of each answer of an operation; the code is None for no refusal."""

UNDOCUMENTED: list[tuple[str, str, int, str | None]] = []
"""The answers since the last look that the description does not know."""


def install():
    """Note answers from now on, once a process."""
    app = application()
    hooks = app.after_request_funcs.setdefault(None, [])
    if _note not in hooks:
        hooks.append(_note)


def documented():
    """Return what the description says of each operation: method and path -> status -> codes."""
    return {
        (method.upper(), path): {
            int(status): tuple(response.get("x-codes", ()))
            for status, response in said["responses"].items()
        }
        for path, methods in description(application())["paths"].items()
        for method, said in methods.items()
        if method != "parameters"
    }


def path_of(rule):
    """Return the path of a route as the description writes it."""
    return auth.path_of(rule.rule)


def _note(answer):
    if request.url_rule is None or request.method == "OPTIONS":
        return answer  # Nothing there, or another method: that belongs to no operation.
    path = path_of(request.url_rule)
    method = request.method.replace("HEAD", "GET")
    status = answer.status_code
    code = None
    if answer.content_type == "application/problem+json":
        code = answer.get_json()["code"]
    SEEN[method, path, status, code] += 1
    known = documented().get((method, path), {}).get(status)
    if known is None or (code or "") not in (known or ("",)):
        UNDOCUMENTED.append((method, path, status, code))
    return answer
