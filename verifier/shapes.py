"""Reads one field of a record: its type, range and alphabet, or E_SCHEMA (§2.10).

Every function takes the value and ``where``, the field's name for the message.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from verifier.strictjson import MAX_INTEGER, Json

T = TypeVar("T")

_HEX: Final = re.compile(r"[0-9a-f]+")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FACE: Final = re.compile(r"[\x21-\x7e]{1,8}")
_ORIGIN: Final = re.compile(r"[\x21-\x2a\x2c-\x7e]{1,200}")
_GAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{7,63}")
_MAX_TEXT: Final = 200


class SchemaFault(Exception):
    """A record has not the form that §2.10 gives; the message says which field."""


def closed(value: Json, where: str, names: frozenset[str]) -> dict[str, Json]:
    """Return an object that has exactly these fields."""
    if not isinstance(value, dict):
        raise SchemaFault(f"{where} is no object")
    if value.keys() != names:
        missing, unknown = sorted(names - value.keys()), sorted(value.keys() - names)
        raise SchemaFault(f"{where}: missing fields {missing}, unknown fields {unknown[:8]}")
    return value


def integer(value: Json, where: str, low: int = 0, high: int = MAX_INTEGER) -> int:
    """Return an integer of a range; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise SchemaFault(f"{where} is no integer")
    if not low <= value <= high:
        raise SchemaFault(f"{where} is {value}, not from {low} to {high}")
    return value


def string(value: Json, where: str) -> str:
    """Return a string of any kind."""
    if not isinstance(value, str):
        raise SchemaFault(f"{where} is no string")
    return value


def text(value: Json, where: str) -> str:
    """Return a *Text*: at most 200 characters, none of them a control character."""
    found = string(value, where)
    if len(found) > _MAX_TEXT:
        raise SchemaFault(f"{where} has {len(found)} characters, more than {_MAX_TEXT}")
    if _CONTROL.search(found):
        raise SchemaFault(f"{where} has a control character")
    return found


def hex_digits(value: Json, where: str, count: int) -> str:
    """Return so many lower-case hex digits."""
    found = string(value, where)
    if len(found) != count or not _HEX.fullmatch(found):
        raise SchemaFault(f"{where} is not {count} lower-case hex digits")
    return found


def hash_of(value: Json, where: str) -> str:
    """Return a SHA-256 value, 64 hex digits."""
    return hex_digits(value, where, 64)


def face(value: Json, where: str) -> str:
    """Return a *face*: 1 to 8 visible ASCII characters."""
    found = string(value, where)
    if not _FACE.fullmatch(found):
        raise SchemaFault(f"{where} is no face: 1 to 8 visible ASCII characters")
    return found


def origin(value: Json, where: str) -> str:
    """Return an origin: 1 to 200 visible ASCII characters without ``+``."""
    found = string(value, where)
    if not _ORIGIN.fullmatch(found):
        raise SchemaFault(f"{where} is no origin")
    return found


def game(value: Json, where: str) -> str:
    """Return a game's name (§2.1)."""
    found = string(value, where)
    if not _GAME.fullmatch(found):
        raise SchemaFault(f"{where} is no name of a game")
    return found


def word(value: Json, where: str, words: Mapping[str, T]) -> T:
    """Return what a word of a closed list stands for."""
    found = string(value, where)
    if found not in words:
        raise SchemaFault(f"{where} is none of {', '.join(words)}")
    return words[found]


def items(
    value: Json,
    where: str,
    read: Callable[[Json, str], T],
    low: int = 0,
    high: int = MAX_INTEGER,
) -> tuple[T, ...]:
    """Return a list whose items are read one by one; its length lies in a range."""
    if not isinstance(value, list):
        raise SchemaFault(f"{where} is no list")
    if not low <= len(value) <= high:
        raise SchemaFault(f"{where} has {len(value)} items, not {low} to {high}")
    return tuple(read(item, f"{where}[{index}]") for index, item in enumerate(value))


def or_none(read: Callable[[Json, str], T]) -> Callable[[Json, str], T | None]:
    """Return a reader that also takes null."""

    def read_or_none(value: Json, where: str) -> T | None:
        return None if value is None else read(value, where)

    return read_or_none
