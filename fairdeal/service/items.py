"""What a stream sends, piece by piece, whatever way it goes out."""

import json
from dataclasses import dataclass
from typing import Literal

End = Literal["game_over", "stopping", "token_replaced", "too_slow"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a stream sends.

    Attributes:
        kind: What it is.
        data: JSON in ASCII, on one line.
        n: Of a record its number, to be resumed from; of all else None.
    """

    kind: Literal["snapshot", "record", "beat", "reset", "end"]
    data: bytes
    n: int | None = None


def as_json(value: object) -> bytes:
    """Return JSON in the one form in which events go out: keys in order, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def end(reason: End) -> Item:
    """Return the last item of a stream."""
    return Item("end", as_json({"reason": reason}))
