"""Lists that are given part by part: what is asked for, what is answered, and where it goes on.

That place is a word of which nobody needs to know the meaning. Every word of its form stands for a
place, whether a list gave it or not, so that there is no other refusal than that of the form.
"""

from collections.abc import Sequence
from typing import Any, Final

from marshmallow import Schema, fields

from api.strict import QueryWhole, Text
from api.words import GAME, said

MOST: Final = 100
"""At most so much of a list is given at once."""

_CURSOR: Final = f"(?:0|[1-9][0-9]{{0,14}})-{GAME}"


class PartWanted(Schema):
    """Which part of a list is asked for."""

    limit = QueryWhole(least=1, most=MOST, load_default=MOST, metadata=said("At most so many."))
    cursor = Text(
        _CURSOR, "a cursor", load_default=None, allow_none=False,
        metadata=said("As the part before gave it; left out, from the beginning on."),
    )  # fmt: skip


class PartOut(Schema):
    """Part of a list."""

    has_more = fields.Boolean(required=True, metadata=said("Whether there are further ones."))
    cursor = fields.String(
        required=True, metadata=said("What to ask for the further ones with; empty at the end.")
    )


def begin(wanted: dict[str, Any]) -> tuple[int, str] | None:
    """Return the place behind which a wanted part begins, a time with a name; None for the first.

    Args:
        wanted: What `PartWanted` has read.
    """
    word: str | None = wanted["cursor"]
    if word is None:
        return None
    made, _, name = word.partition("-")
    return int(made), name


def part(name: str, listed: Sequence[object], behind: tuple[int, str] | None) -> dict[str, object]:
    """Return part of a list as it is answered.

    Args:
        name: What it lists.
        listed: In order.
        behind: The place behind which it goes on; None at its end.
    """
    cursor = "" if behind is None else f"{behind[0]}-{behind[1]}"
    return {name: listed, "has_more": behind is not None, "cursor": cursor}
