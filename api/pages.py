"""Pages for people: plain HTML that runs no code and loads nothing."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Final

from flask import Response

HTML: Final = "text/html; charset=utf-8"

STYLE: Final = """
body { max-width: 50rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
body, a { color: #1c1c1a; background: #fdfdfb; }
a { text-decoration-color: #7a7a70; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .7rem; background: #efefe9; }
h2, section { border-top: 1px solid #c9c9c0; padding-top: .8rem; }
h1, h2, h3, h4 { line-height: 1.25; }
dt { margin-top: .5rem; }
dd { margin: 0 0 0 1.2rem; }
ul { padding-left: 1.2rem; }
@media (prefers-color-scheme: dark) {
  body, a { color: #e6e6e0; background: #191917; }
  pre { background: #262623; }
  h2, section { border-color: #45453f; }
}
"""
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode("ascii")

POLICY: Final = f"default-src 'none'; style-src 'sha256-{_DIGEST}'"
"""Nothing is loaded and nothing runs; the one style is that of this module."""

_HEAD: Final = (
    "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
    "<meta name='viewport' content='width=device-width, initial-scale=1'>"
    "<title>{title}</title><style>{style}</style></head><body><h1>{title}</h1>{body}</body></html>\n"
)


def page(title: str, body: str) -> Response:
    """Return a page; the body is HTML already, the title is not."""
    text = _HEAD.format(title=escape(title), style=STYLE, body=body)
    answer = Response(text, content_type=HTML)
    answer.headers["Content-Security-Policy"] = POLICY
    return answer
