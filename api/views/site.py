"""The service itself: is it there, who is it, how is it described."""

from typing import Final

from flask import Response, current_app, jsonify

from api import reference
from api.auth import dealer
from api.blueprint import Blueprint
from api.openapi import description
from api.pages import page
from api.shapes.answers import DealerOut, HealthOut, ReadyOut

_PAGE: Final = "fairdeal.reference"

blueprint = Blueprint("site", __name__, description="The service itself.")


@blueprint.route("/healthz", methods=["GET"])
@blueprint.response(200, HealthOut)
@blueprint.doc(operationId="getHealth")
def health() -> dict[str, object]:
    """Say whether the service answers and its store can be read."""
    dealer().check()
    return {"status": "ok"}


@blueprint.route("/readyz", methods=["GET"])
@blueprint.response(200, ReadyOut)
@blueprint.refuses("store_slow", "log_behind")
@blueprint.doc(operationId="getReadiness")
def readiness() -> dict[str, object]:
    """Say whether requests can be taken: the service goes on, and its database can be written to.

    For whoever sends requests to one of several servers.
    """
    dealer().readiness.check()
    return {"status": "ready"}


@blueprint.route("/.well-known/canasta-dealer.json", methods=["GET"])
@blueprint.response(200, DealerOut)
@blueprint.doc(operationId="getDealer")
def who() -> dict[str, object]:
    """Say who the service is and under which key it signs."""
    return {
        "origin": dealer().origin,
        "receipt_key": dealer().vkey,
        "earlier_receipt_keys": list(dealer().earlier_vkeys),
    }


@blueprint.route("/openapi.json", methods=["GET"])
@blueprint.response(200, {"type": "object"}, description="OpenAPI 3.1")
@blueprint.doc(operationId="getOpenapi")
def openapi() -> Response:
    """Describe every route and every shape."""
    return jsonify(description(current_app))


@blueprint.route("/docs", methods=["GET"])
@blueprint.response(200, {"type": "string"}, content_type="text/html", description="A page")
@blueprint.doc(operationId="getDocs")
def docs() -> Response:
    """Read every operation and every shape on one page."""
    known = current_app.extensions
    if _PAGE not in known:  # Routes do not change.
        known[_PAGE] = reference.body(description(current_app))
    return page("fairdeal: the HTTP interface", known[_PAGE])
