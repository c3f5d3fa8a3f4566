"""The service itself: is it there, who is it, what do its codes mean."""

from html import escape
from typing import Final

from flask import Response, current_app, jsonify

from api.auth import dealer
from api.blueprint import Blueprint
from api.codes import sentence_of
from api.openapi import description
from api.schemas import DealerOut, HealthOut
from fairdeal.errors import NotFound

blueprint = Blueprint("site", __name__, description="The service itself.")

_HTML: Final = "text/html; charset=utf-8"


@blueprint.route("/healthz", methods=["GET"])
@blueprint.response(200, HealthOut)
@blueprint.doc(operationId="getHealth")
def health() -> dict[str, object]:
    """Say whether the service answers and its store can be read."""
    dealer().check()
    return {"status": "ok", "commits": dealer().commits}


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
    """List every route on one page."""
    rows = [
        f"<dt><code>{method.upper()} {escape(path)}</code></dt>"
        f"<dd>{escape(said['summary'])} {escape(said.get('description', ''))}</dd>"
        for path, methods in description(current_app)["paths"].items()
        for method, said in methods.items()
        if isinstance(said, dict)
    ]
    return _page(
        "fairdeal: the HTTP interface",
        "<p>Shapes: <a href='/openapi.json'>openapi.json</a>.</p><dl>" + "".join(rows) + "</dl>",
    )


@blueprint.route("/help/<code>", methods=["GET"])
@blueprint.response(200, {"type": "string"}, content_type="text/html", description="A page")
@blueprint.doc(operationId="getHelp")
def help_page(code: str) -> Response:
    """Explain the code of a refusal in one sentence."""
    sentence = sentence_of(code)
    if sentence is None:
        raise NotFound("no_such_code", "There is no such code here.")
    return _page(code, f"<p>{escape(sentence)}</p>")


def _page(title: str, body: str) -> Response:
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title>"
    answer = Response(f"{head}<h1>{escape(title)}</h1>{body}</html>\n", content_type=_HTML)
    answer.headers["Content-Security-Policy"] = "default-src 'none'"
    return answer
