"""Which code played: the hash of what of it plays, and the commit where there is one."""

import ast
import subprocess
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

_PLAYING: Final = ("fairdeal.bots.", "fairdeal.canasta.", "fairdeal.fairness.")
_THEMSELVES: Final = ("fairdeal.cli.bots.table", "fairdeal.cli.bots.duel")
_DIGITS: Final = 16


@cache
def code_hash() -> str:
    """Return the hash of the modules that deal, referee and play, 16 hex digits.

    Comments, docstrings and the form of the text do not count, what the code does counts.
    """
    import fairdeal.cli.bots.duel  # noqa: F401, PLC0415  late: it names what is hashed

    whole = sha256()
    for name in sorted(sys.modules):
        if name.startswith(_PLAYING) or name in _THEMSELVES:
            source = getattr(sys.modules[name], "__file__", None)
            if source is not None:
                whole.update(name.encode() + b"\0")
                whole.update(_bare(Path(source).read_text("utf-8")).encode() + b"\0")
    return whole.hexdigest()[:_DIGITS]


def _bare(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_text(one)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def commit() -> str | None:
    """Return the commit that the code was checked out from; None where git cannot tell."""
    here = Path(__file__).parent
    try:
        said = subprocess.run(  # noqa: S603  nothing in it is anybody's
            ["git", "-C", str(here), "rev-parse", "HEAD"],  # noqa: S607  whichever git there is
            capture_output=True,
            check=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()
