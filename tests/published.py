"""The published vectors, read once."""

import json
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors"


@cache
def pfd1() -> dict[str, Any]:
    """Return tests/vectors/pfd1-vectors.json; not to be changed."""
    vectors: dict[str, Any] = json.loads((VECTORS / "pfd1-vectors.json").read_text("utf-8"))
    return vectors


def games() -> list[Path]:
    """Return every folder with a published game, its verdict and its evidence; not `ours`."""
    return sorted(
        path.parent
        for kind in ("cases", "refereed")
        for path in (VECTORS / kind).glob("*/game.jsonl")
    )
