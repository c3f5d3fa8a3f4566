"""Which code played: the hash of what of it plays, and the commit where there is one."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from fairdeal import bots, canasta, fairness

_PACKAGES: Final = (bots, canasta, fairness)
_WORDS: Final = frozenset(
    {"describe", "fieldwords", "gametext", "notation", "sentences", "sources", "texts", "wording"}
)
"""Modules of canasta that only tell what is played."""
_HERE: Final = ("table.py", "duel.py")
_DIGITS: Final = 16


@cache
def code_hash() -> str:
    """Return the hash of the modules that deal, referee and play, 16 hex digits.

    Comments, docstrings and the form of the text do not count, what the code does counts.
    """
    whole = sha256()
    for path in _played_by():
        whole.update(f"{path.parent.name}/{path.name}\0".encode())
        whole.update(_bare(path.read_text("utf-8")).encode() + b"\0")
    return whole.hexdigest()[:_DIGITS]


def _played_by() -> Iterator[Path]:
    for package in _PACKAGES:
        for path in sorted(Path(str(package.__file__)).parent.glob("*.py")):
            if path.stem not in _WORDS:
                yield path
    for name in _HERE:
        yield Path(__file__).with_name(name)


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
