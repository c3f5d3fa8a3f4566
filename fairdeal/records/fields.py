"""Checks single values of a body against the types and bounds of protocol §2.10.

Each returns the value, or raises `MalformedInput` with code `bad_field` that names the field.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import MAX_INTEGER

MAX_SEATS: Final = 16
MAX_CARDS: Final = 1024
MAX_HANDS: Final = 512
MAX_TEXT: Final = 200

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SECRET: Final = re.compile(r"[0-9a-f]{128}")
_SIGNATURE: Final = re.compile(r"(?:[0-9a-f]{2}){1,96}")
_FACE: Final = re.compile(r"[!-~]{1,8}")
_ORIGIN: Final = re.compile(r"[!-*,-~]{1,200}")
_GAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")
_NOT_TEXT: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

_T = TypeVar("_T")


def bad(field: str, why: str) -> MalformedInput:
    """Return the error to raise about a field."""
    return MalformedInput("bad_field", f"The field {field} {why}.", {"field": field})


def integer(value: object, field: str, least: int = 0, most: int = MAX_INTEGER) -> int:
    """Check an integer; true and false are none."""
    if type(value) is not int or not least <= value <= most:
        raise bad(field, f"is not an integer from {least} to {most}")
    return value


def one_of(value: object, field: str, words: Collection[str]) -> str:
    """Check a word of a closed set."""
    if type(value) is not str or value not in words:
        raise bad(field, f"is not one of {', '.join(sorted(words))}")
    return value


def text(value: object, field: str, least: int = 0) -> str:
    """Check a text: at most 200 code points, no control characters."""
    if type(value) is not str or not least <= len(value) <= MAX_TEXT or _NOT_TEXT.search(value):
        raise bad(field, f"is not a text of {least} to {MAX_TEXT} characters on one line")
    return value


def ascii_line(value: object, field: str, most: int) -> str:
    """Check a string of 1 to `most` ASCII characters."""
    if type(value) is not str or not 1 <= len(value) <= most or not value.isascii():
        raise bad(field, f"is not 1 to {most} ASCII characters")
    return value


def hash_hex(value: object, field: str) -> str:
    """Check 32 bytes as 64 lower-case hex digits."""
    return _like(_HASH, value, field, "is not 64 lower-case hex digits")


def hash_or_null(value: object, field: str) -> str | None:
    """Check 64 lower-case hex digits, or None."""
    return None if value is None else hash_hex(value, field)


def secret_hex(value: object, field: str) -> str:
    """Check 64 bytes as 128 lower-case hex digits; the message does not quote them."""
    return _like(_SECRET, value, field, "is not 128 lower-case hex digits")


def signature_hex(value: object, field: str) -> str:
    """Check the signature of a beacon's round: 1 to 96 bytes in lower-case hex."""
    return _like(_SIGNATURE, value, field, "is not a signature in lower-case hex digits")


def face(value: object, field: str) -> str:
    """Check a face: 1 to 8 visible ASCII characters."""
    return _like(_FACE, value, field, "is not a face of 1 to 8 visible ASCII characters")


def origin(value: object, field: str) -> str:
    """Check an origin: 1 to 200 visible ASCII characters without `+`."""
    return _like(_ORIGIN, value, field, "is not 1 to 200 visible ASCII characters without +")


def game_id(value: object, field: str) -> str:
    """Check the name of a game."""
    return _like(_GAME, value, field, "is not the name of a game")


def items(
    value: object,
    field: str,
    check: Callable[[object, str], _T],
    least: int = 0,
    most: int = MAX_INTEGER,
) -> list[_T]:
    """Check a list and each of its items."""
    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        bounds = f"{least} to {most}" if most != MAX_INTEGER else f"at least {least}"
        raise bad(field, f"is not a list of {bounds} items")
    return [check(item, f"{field}[{at}]") for at, item in enumerate(value)]


def members(value: object, field: str, names: Sequence[str]) -> Mapping[str, Any]:
    """Check that an object has exactly these fields."""
    if not isinstance(value, Mapping) or set(value) != set(names):
        raise bad(field, f"is not an object with exactly the fields {', '.join(sorted(names))}")
    return value


def _like(pattern: re.Pattern[str], value: object, field: str, why: str) -> str:
    if type(value) is not str or pattern.fullmatch(value) is None:
        raise bad(field, why)
    return value
