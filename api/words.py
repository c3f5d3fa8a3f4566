"""What many shapes on the wire share: patterns, and fields with their descriptions."""

from typing import Any, Final

from marshmallow import fields

BIGGEST: Final = 2**53 - 1
HASH: Final = "[0-9a-f]{64}"
GAME: Final = "[a-z0-9][a-z0-9._-]{7,63}"
VERSIONED: Final = "[a-z0-9][a-z0-9-]{0,39}@[1-9][0-9]{0,3}"
"""A preset or a bot as name@version."""

#: Code points of a text without control characters (protocol 2.10).
TEXT: Final = "[^\\u0000-\\u001f\\u007f-\\u009f]"


def said(description: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  passed on
    """Return the description of a field."""
    return {"description": description, **more}


VERSION: Final = said("The number of the newest record; what `expect` has to be.")
RECEIPTS: Final = said("Signed notes (C2SP) over records; keep them.")


def receipts() -> fields.List[str]:
    """Return the field of signed notes."""
    return fields.List(fields.String(), required=True, metadata=RECEIPTS)


def version() -> fields.Integer:
    """Return the field of a game's version."""
    return fields.Integer(required=True, metadata=VERSION)


def number(description: str) -> fields.Integer:
    """Return a required integer."""
    return fields.Integer(required=True, metadata=said(description))


def string(description: str) -> fields.String:
    """Return a required string."""
    return fields.String(required=True, metadata=said(description))
