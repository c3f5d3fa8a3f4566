"""Answers that were lost on their way: what was kept under an idempotency key."""

from typing import Any

from flask import json
from marshmallow import Schema, fields

from api.auth import OPERATOR, SEAT, WATCHER, caller, dealer
from api.blueprint import Blueprint
from api.once import KEY_PATTERN, digest, read, shown_token
from api.strict import Text
from api.words import number, said, string

blueprint = Blueprint("requests", __name__, description="Find answers that were lost.")


class RequestsWanted(Schema):
    """Which request is asked for."""

    idempotency_key = Text(
        KEY_PATTERN, "an idempotency key of 1 to 200 visible ASCII characters", required=True
    )


class RequestOut(Schema):
    """A request that was answered."""

    idempotency_key = string("As it was sent.")
    method = string("Of the request.")
    path = string("Of the request.")
    status = number("Of the answer.")
    body = fields.Raw(
        required=True, allow_none=True,
        metadata=said("Of the answer, as JSON; null where it had none."),
    )  # fmt: skip
    answered_at = number("When, ms since 1970.")


class RequestsOut(Schema):
    """The requests under a key: one, or none."""

    requests = fields.List(fields.Nested(RequestOut), required=True)


@blueprint.route("/v1/requests", methods=["GET"])
@blueprint.arguments(RequestsWanted, location="query")
@blueprint.response(200, RequestsOut)
@blueprint.refuses("vault_shut")
@blueprint.doc(operationId="findRequests", security=[*OPERATOR, *SEAT, *WATCHER])
def find(wanted: dict[str, str]) -> dict[str, Any]:
    """Find out what came of a write whose answer was lost: what you did, under which key.

    The list is empty where nothing was done under this key with this token. A refusal is found
    if the rules of the game made it; others are not kept. A claim that was exchanged has no token
    to ask with: send it again.
    """
    key = wanted["idempotency_key"]
    kept = dealer().repeats.find(caller(), digest(shown_token(), key))
    if kept is None:
        return {"requests": []}
    head, body = read(kept)
    told = {**head, "idempotency_key": key, "answered_at": kept.made}
    return {"requests": [{**told, "body": json.loads(body) if body else None}]}
