"""The codes of refusals and the reasons of hints explained: a list of all, and a page for each."""

from html import escape
from http import HTTPStatus
from typing import Final

from flask import Response, current_app, json

from api.blueprint import Blueprint
from api.codes import CODES, RETRIES, Code
from api.openapi import comes_from
from api.pages import page
from fairdeal.errors import NotFound
from fairdeal.service import STRATEGY, lessons

blueprint = Blueprint("help", __name__, description="What refusals and reasons mean.")

_PAGE: Final = {"type": "string"}


@blueprint.route("/help", methods=["GET"])
@blueprint.response(200, _PAGE, content_type="text/html", description="A page")
@blueprint.doc(operationId="listHelp")
def every_code() -> Response:
    """List every code of a refusal, by status."""
    parts = []
    for status in sorted({code.status for code in CODES.values()}):
        rows = "".join(
            f"<dt><a href='/help/{code.code}'>{code.code}</a></dt><dd>{escape(code.sentence)}</dd>"
            for code in CODES.values()
            if code.status == status
        )
        parts.append(f"<h2>{_status(status)}</h2><dl>{rows}</dl>")
    return page("What refusals mean", "".join(parts))


@blueprint.route("/help/strategy", methods=["GET"])
@blueprint.response(200, _PAGE, content_type="text/html", description="A page")
@blueprint.doc(operationId="listStrategy")
def strategy() -> Response:
    """Read what hints can give as reasons, in the order in which they are given."""
    rows = "".join(
        f"<dt><a href='/help/strategy/{code}'>{escape(lesson.title)}</a></dt>"
        f"<dd>{escape(lesson.text)}</dd>"
        for code, lesson in lessons().items()
    )
    return page("Strategy", f"<p>{escape(STRATEGY)}</p><dl>{rows}</dl>")


@blueprint.route("/help/strategy/<code>", methods=["GET"])
@blueprint.response(200, _PAGE, content_type="text/html", description="A page")
@blueprint.refuses("no_such_code")
@blueprint.doc(operationId="getStrategy")
def one_reason(code: str) -> Response:
    """Read what there is to be said about one reason, with a position in which it is given."""
    lesson = lessons().get(code)
    if lesson is None:
        raise NotFound("no_such_code", "No hint gives such a reason.")
    told = "".join(f"<li>{escape(sentence)}</li>" for sentence in lesson.position)
    reasons = "".join(f"<li>{escape(sentence)}</li>" for sentence in lesson.reasons)
    return page(
        lesson.title,
        f"<p>{escape(lesson.text)}</p><p>As a reason: <code>{code}</code>.</p>"
        f"<h2>A position</h2><ul>{told}</ul><pre>{escape(lesson.line)}</pre>"
        f"<p>{escape(lesson.act)}</p><ul>{reasons}</ul>"
        "<p><a href='/help/strategy'>All reasons</a></p>",
    )


@blueprint.route("/help/<code>", methods=["GET"])
@blueprint.response(200, _PAGE, content_type="text/html", description="A page")
@blueprint.refuses("no_such_code")
@blueprint.doc(operationId="getHelp")
def one_code(code: str) -> Response:
    """Explain the code of a refusal: what it means, when it comes, and what to do about it."""
    known = CODES.get(code)
    if known is None:
        raise NotFound("no_such_code", "There is no such code here.")
    return page(code, _explained(known))


def _explained(code: Code) -> str:
    rows = [
        ("What to do", escape(code.do)),
        ("Status", _status(code.status)),
        ("Retry", f"<code>{code.retry}</code>: {RETRIES[code.retry]}."),
    ]
    if code.rule:
        same = [other for other in CODES.values() if other.rule == code.rule and other != code]
        links = ", ".join(f"<a href='/help/{one.code}'>{one.code}</a>" for one in same)
        also = f"; broken otherwise: {links}" if links else ""
        rows.append(("Rule", f"{code.rule} in docs/rules.md{also}"))
    if code.facts:
        rows.append(("Facts, for example", f"<pre>{escape(json.dumps(code.facts))}</pre>"))
    where = comes_from(current_app, code.code)
    rows.append(("When it comes", "<br>".join(map(escape, where)) or "at any address"))
    listed = "".join(f"<dt>{name}</dt><dd>{said}</dd>" for name, said in rows)
    return f"<p>{escape(code.sentence)}</p><dl>{listed}</dl><p><a href='/help'>All codes</a></p>"


def _status(status: int) -> str:
    return f"{status} {HTTPStatus(status).phrase}"
