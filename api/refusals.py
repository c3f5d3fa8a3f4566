"""Says of each operation which refusals it can give, in the finished description.

Most follow from what an operation is: who may ask it, what it names in its path, what it reads,
whether it writes. The others it declares itself (`Blueprint.refuses`). A recorder in tests/api
compares every answer with what stands here.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from api.auth import SCHEMES
from api.codes import CODES, RULES
from api.once import KEY, REPLAYED, REPLAYED_HEADER
from api.problems import PROBLEM

REFUSES: Final = "x-refuses"
NEVER: Final = "x-never-refuses"
"""What an operation declares itself, until it is described: what comes, and what cannot come."""

CODES_OF: Final = "x-codes"
"""The codes of a documented refusal."""

STORE: Final = ("store_failed", "store_slow", "store_closed", "store_unavailable")
"""What may come of reading who a token belongs to, and of everything behind it."""

ALWAYS: Final = (
    "unknown_field", "bad_key", "key_expired", "mode_mismatch", "sandbox_local_only",
    "token_in_address", "token_replaced", "broken", *STORE,
)  # fmt: skip
"""A query where none belongs, a token that opens nothing, and what may befall any request."""

BODY: Final = ("malformed", "cut_body", "too_large", "not_json")
WRITES: Final = (
    "bad_idempotency_key", "idempotency_mismatch", "cut_body", "too_large", "vault_shut",
)  # fmt: skip
NEW_GAME: Final = (
    "no_such_preset", "ruleset_field", "rules_conflict", "rules_incomplete", "wrong_seats",
    "reveal_by_out_of_range", "no_such_bot", "no_such_chain", "beacon_delay", "seating_differs",
    "record_too_large", "bad_field",
)  # fmt: skip
"""What may be wrong with a game that is asked for, by itself or for a room."""

GAME: Final = ("no_such_game", "records_damaged", "vault_shut")
ROOM: Final = ("no_such_room",)

_CHALLENGE: Final = HTTPStatus.UNAUTHORIZED
_WAITING: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})

HEADERS: Final[Mapping[str, Any]] = {
    "Request-Id": {
        "description": "The name of this request; quote it when you ask about it.",
        "schema": {"type": "string"},
        "required": True,
    },
    "Retry-After": {
        "description": "After so many seconds the same request may be sent again.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
        "required": True,
    },
    "WWW-Authenticate": {
        "description": "How a token is sent.",
        "schema": {"type": "string", "enum": ["Bearer"]},
        "required": True,
    },
}
"""Of answers; a refusal of a method (405, no operation) has `Allow` beside the first of them."""


def describe(said: dict[str, Any]) -> None:
    """Put into a description what each operation refuses, and the headers of its answers."""
    said["components"]["headers"] = dict(HEADERS)
    for path, method, operation in operations(said):
        responses = operation["responses"]
        for name in [name for name in responses if name[0] not in "23"]:
            del responses[name]
        for status, codes in _by_status(_codes(path, method, operation)).items():
            responses[str(status)] = _response(status, codes)
            # A look is answered anew each time; only what writes is kept for repeats.
            if method != "get" and not RULES.keys().isdisjoint(codes):
                responses[str(status)]["headers"] = {REPLAYED: REPLAYED_HEADER}
        operation.pop(REFUSES, None)
        operation.pop(NEVER, None)
        for name, response in responses.items():
            headers = response.setdefault("headers", {})
            for header in _headers(int(name)):
                headers[header] = {"$ref": f"#/components/headers/{header}"}


def operations(said: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the path, the method in lower case, and the operation."""
    for path, methods in said["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield path, method, operation


def _codes(path: str, method: str, operation: Mapping[str, Any]) -> set[str]:
    """Return the codes that an operation can be refused with."""
    roles = {role for wanted in operation.get("security", ()) for role in wanted}
    is_open = {} in operation.get("security", ()) or not roles
    parameters = operation.get("parameters", ())
    writes = any(one.get("name") == KEY for one in parameters)
    found = {*ALWAYS, *operation.get(REFUSES, ())}
    if "requestBody" in operation:
        found |= {*BODY}
    if any(one.get("in") == "query" for one in parameters):
        found |= {"malformed"}
    if writes:
        found |= {*WRITES}
    if not is_open:
        found |= {"no_key"}
    if not is_open and roles != set(SCHEMES):
        found |= {"wrong_role"}
    if "operator" in roles and method != "get":
        found |= {"read_only_key"}
    if "{game}" in path:
        found |= {*GAME}
    if "{room}" in path:
        found |= {*ROOM}
    if "{game}" in path or "{room}" in path:
        found |= {"not_your_game"} if "operator" in roles else set()
        found |= {"not_your_seat"} if "seat" in roles else set()
    return found - {*operation.get(NEVER, ())}


def _by_status(codes: set[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for code in CODES:
        if code in codes:
            found.setdefault(CODES[code].status, []).append(code)
    unknown = codes - set(CODES)
    if unknown:
        raise ValueError(f"api/reasons has no {sorted(unknown)}")
    return found


def _response(status: int, codes: list[str]) -> dict[str, Any]:
    return {
        "description": f"{HTTPStatus(status).phrase}: {', '.join(codes)}.",
        "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        CODES_OF: codes,
    }


def _headers(status: int) -> Iterator[str]:
    yield "Request-Id"
    if status == _CHALLENGE:
        yield "WWW-Authenticate"
    if status in _WAITING:
        yield "Retry-After"
