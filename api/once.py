"""Retry safety: a write that is sent again under its `Idempotency-Key` gets the same bytes again.

Every writing route says `@blueprint.writes(STATUS, SCHEMA)` (`api.blueprint`) in the place of
`@blueprint.response(STATUS, SCHEMA)`; its view then gets `once`, to be handed to the service, and
returns what the service answered as it is: a shape is the schema's matter, for what is kept is
rendered from the service's own answer, before the deed.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, cast

from flask import Response, json, jsonify, request

from api.auth import dealer
from api.dumping import Dump
from api.problems import PROBLEM, refusal
from api.strict import body_of
from fairdeal.errors import FairdealError, MalformedInput, StorageFailure
from fairdeal.service import Kept, Once

KEY: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotent-Replayed"

KEY_PATTERN: Final = "[!-~]{1,200}"
_KEY: Final = re.compile(KEY_PATTERN)
_JSON: Final = "application/json"

KEY_PARAMETER: Final = {
    "in": "header",
    "name": KEY,
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "description": "Your own name for this request, 1 to 200 visible ASCII characters. Sent again"
    " under it, the same request gets the same answer, and nothing happens twice.",
}

REPLAYED_HEADER: Final = {
    "schema": {"type": "string", "enum": ["true"]},
    "description": "This answer was given before and is sent again, byte for byte.",
}

Owner = Callable[..., str]
"""Whose key it is, told from the arguments of a view."""


def shown_token(*_: object, **__: object) -> str:
    """Return what a caller shows; in a sandbox, where nobody has to show anything, nothing."""
    return request.headers.get("Authorization", "").partition(" ")[2]


class Writing:
    """One request that writes, on its way through the service.

    Args:
        status: What success is answered with.
        shape: Gives the body of what the service answers; None where the answer has none.
    """

    def __init__(self, status: int, shape: Dump | None) -> None:
        self._status = status
        self._shape = shape
        self._made: tuple[object, Response] | None = None

    def answer(self, do: Callable[[Once | None], object], owner: str) -> Response:
        """Do it once: do it now, or answer as before.

        Args:
            do: The use case.
            owner: Whose idempotency key it is.

        Raises:
            MalformedInput: `bad_idempotency_key`.
            Unprocessable: `idempotency_mismatch`.
            FairdealError: What the use case raises.
        """
        key = sent_key()
        if key is None:
            return self._respond(do(None))
        once = Once(key=digest(owner, key), request=_request(), render=self._render)
        repeats = dealer().repeats
        kept = repeats.earlier(once)
        if kept is not None:
            return _replay(kept)
        try:
            return self._respond(do(once))
        except FairdealError:
            # Sent twice at once, the other one may have done it; or the store said no and wrote.
            kept = _unless_unreadable(lambda: repeats.earlier(once))
            if kept is None:
                raise
            return _replay(kept)

    def _render(self, answer: object) -> bytes:
        response = refusal(answer) if isinstance(answer, FairdealError) else self._respond(answer)
        said = {"method": request.method, "path": request.path, "status": response.status_code}
        return json.dumps(said).encode() + b"\n" + response.get_data()

    def _respond(self, answer: object) -> Response:
        if self._made is not None and self._made[0] is answer:
            return self._made[1]
        if self._shape is None:
            response = _empty(self._status)
        else:
            response = jsonify(self._shape(answer))
            response.status_code = self._status
        self._made = (answer, response)
        return response


def sent_key() -> str | None:
    """Return the idempotency key of this request (raises `MalformedInput`)."""
    key = request.headers.get(KEY)
    if key is not None:
        check_key(key)
    return key


def check_key(key: str) -> None:
    """Refuse what is no idempotency key (raises `MalformedInput`: `bad_idempotency_key`)."""
    if not _KEY.fullmatch(key):
        raise MalformedInput(
            "bad_idempotency_key", "An idempotency key has 1 to 200 visible ASCII characters."
        )


def digest(owner: str, key: str) -> bytes:
    """Return the name under which an answer is kept: the key means something for its owner only."""
    return sha256(sha256(owner.encode()).digest() + key.encode()).digest()


def read(kept: Kept) -> tuple[dict[str, Any], bytes]:
    """Return `method`, `path` and `status` of a kept answer, and its body."""
    said, _, body = kept.content.partition(b"\n")
    return cast(dict[str, Any], json.loads(said)), body


def _request() -> bytes:
    """Return the digest of method, path, query and body."""
    where = (request.path.encode(), request.query_string)
    parts = (request.method.encode(), *where, body_of(request))
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def _replay(kept: Kept) -> Response:
    said, body = read(kept)
    status = int(said["status"])
    kind = PROBLEM if status >= 400 else _JSON
    answer = Response(body, status=status, content_type=kind) if body else _empty(status)
    answer.headers[REPLAYED] = "true"
    return answer


def _empty(status: int) -> Response:
    answer = Response(status=status)
    del answer.headers["Content-Type"]
    return answer


def _unless_unreadable(look: Callable[[], Kept | None]) -> Kept | None:
    """Look for an answer after a failure, of which the failure itself says more."""
    try:
        return look()
    except StorageFailure:
        return None
