"""Pages for people: plain HTML that runs no code and loads nothing."""

from html import escape
from typing import Final

from flask import Response

HTML: Final = "text/html; charset=utf-8"


def page(title: str, body: str) -> Response:
    """Return a page; the body is HTML already, the title is not."""
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title>"
    answer = Response(f"{head}<h1>{escape(title)}</h1>{body}</html>\n", content_type=HTML)
    answer.headers["Content-Security-Policy"] = "default-src 'none'"
    return answer
