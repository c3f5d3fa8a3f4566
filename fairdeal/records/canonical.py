"""Canonical JSON: RFC 8785 restricted until it needs no number formatting (protocol §2.10).

Objects with ASCII keys, arrays, strings without unpaired surrogates, true, false, null and
integers within ±(2^53-1), at most 64 deep. Everything else is refused, not repaired.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final, NoReturn

from fairdeal.errors import MalformedInput

MAX_INTEGER: Final = 2**53 - 1
MAX_DEPTH: Final = 64
MAX_BYTES: Final = 262_144

# What changes the depth, and the strings, in which the same signs mean nothing.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_INTEGER_DIGITS: Final = len(str(MAX_INTEGER)) + 1  # One more for the sign.
_NUMBER_DIGITS: Final = 400  # As a double is written out at most.


def encode(value: object) -> bytes:
    """Return the one canonical form of a JSON value, without an LF (§2.10).

    Args:
        value: dict, list or tuple, str, int, bool or None, nested; no subclasses of int or str.

    Raises:
        MalformedInput: The value has no canonical form: a float, a key that is no ASCII string,
            an integer beyond ±(2^53-1), an unpaired surrogate, more than 64 levels, or a type
            that JSON does not have.
    """
    _check(value, 1)
    return _WRITE(value).encode()


def decode(data: bytes, *, max_bytes: int = MAX_BYTES) -> object:
    """Read a JSON value that has a canonical form, in whatever spacing and order (§2.10).

    Args:
        data: UTF-8 without a byte order mark.
        max_bytes: How long the data may be.

    Returns:
        dict, list, str, int, bool or None, nested.

    Raises:
        MalformedInput: Too long, no UTF-8, no JSON, more than 64 deep, a key twice, a number
            that is no integer in range, a key that is not ASCII, an unpaired surrogate.
    """
    value = _parse(data, max_bytes, _READ)
    check(value)
    return value


def decode_loose(data: bytes, *, max_bytes: int = MAX_BYTES) -> object:
    """Read JSON of which parts may have no canonical form; whoever needs one of them checks it.

    Integers may be written as 96.0, 9e1 and -0 too, for so JSON Schema counts them; any other
    number is an infinite float, which says no more than that one was there. Keys may be any text.

    Args:
        data: UTF-8 without a byte order mark.
        max_bytes: How long the data may be.

    Returns:
        dict, list, str, int, float, bool or None, nested.

    Raises:
        MalformedInput: As `decode`, but for numbers and keys.
    """
    value = _parse(data, max_bytes, _READ_LOOSE)
    _check_texts(value)
    return value


def decode_canonical(data: bytes, *, max_bytes: int = MAX_BYTES) -> object:
    """Read a JSON value from exactly the bytes that `encode` gives for it (§2.10).

    Args:
        data: Canonical JSON without an LF.
        max_bytes: How long the data may be.

    Raises:
        MalformedInput: As `decode`; code `not_canonical` where only the form differs.
    """
    value = decode(data, max_bytes=max_bytes)
    if encode(value) != data:
        raise MalformedInput("not_canonical", "The JSON is not in canonical form.")
    return value


def check(value: object) -> None:
    """Refuse a value that has no canonical form (raises `MalformedInput`, as `encode`)."""
    _check(value, 1)


def _parse(data: bytes, max_bytes: int, read: Callable[[str], object]) -> object:
    if len(data) > max_bytes:
        raise MalformedInput(
            "too_large",
            f"The JSON has {len(data)} bytes; at most {max_bytes} are allowed.",
            {"bytes": len(data), "max": max_bytes},
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedInput(
            "bad_utf8", f"Byte {error.start} is not UTF-8.", {"at": error.start}
        ) from None
    _check_depth(data)
    try:
        return read(text)
    except json.JSONDecodeError as error:
        raise MalformedInput(
            "bad_json",
            f"This is not JSON: {error.msg} at character {error.pos}.",
            {"at": error.pos},
        ) from None


def _check(value: object, depth: int) -> None:
    """Refuse a value that has no canonical form; `depth` counts this value."""
    # By exact type: what a subclass prints is its own affair.
    if type(value) is str:
        _check_string(value)
    elif type(value) is int:
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise _out_of_range()
    elif value is None or type(value) is bool:
        pass
    elif isinstance(value, dict):
        _check_level(depth)
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                raise MalformedInput("bad_key", "An object has a key that is not ASCII text.")
            _check(item, depth + 1)
    elif isinstance(value, list | tuple):
        _check_level(depth)
        for item in value:
            _check(item, depth + 1)
    else:
        raise MalformedInput("bad_value", f"JSON here has no {type(value).__name__}.")


def _check_texts(value: object) -> None:
    """Refuse half a character in any text, keys included."""
    if type(value) is str:
        _check_string(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_string(key)
            _check_texts(item)
    elif isinstance(value, list):
        for item in value:
            _check_texts(item)


def _check_string(text: str) -> None:
    if _SURROGATE.search(text):
        raise MalformedInput("bad_text", "A text holds half of a character (a surrogate).")


def _check_level(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise MalformedInput("too_deep", f"The JSON is more than {MAX_DEPTH} levels deep.")


def _check_depth(data: bytes) -> None:
    """Refuse deep nesting before the parser recurses into it."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _TOKEN.finditer(data):
        token = match.group()
        if token in (b"[", b"{"):
            depth += 1
            _check_level(depth)
        elif token in (b"]", b"}"):
            depth -= 1


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise MalformedInput("duplicate_key", "An object has the same key twice.")
    return result


def _integer(token: str) -> int:
    # The length first: reading a long number takes quadratic time. `encode` never writes -0.
    if len(token) > _INTEGER_DIGITS or token == "-0":
        raise _out_of_range()
    return int(token)


def _number(token: str) -> int | float:
    """Read a number of any form: an int where it is an integer in range, else a float."""
    if len(token) < _INTEGER_DIGITS - 1 and token.isdecimal():
        return int(token)
    try:
        number = Decimal(token)
    except InvalidOperation:  # An exponent beyond all bounds.
        return math.inf
    if not number:
        return 0
    # The size first: an exponent of nine digits would be written out.
    if len(token) > _NUMBER_DIGITS or not 0 <= number.adjusted() < _INTEGER_DIGITS:
        return math.inf
    whole = int(number)
    return whole if number == whole and abs(whole) <= MAX_INTEGER else math.inf


def _no_number(token: str) -> NoReturn:
    raise MalformedInput("bad_number", f"The number {token[:40]!r} is not a plain integer.")


def _no_constant(token: str) -> NoReturn:
    raise MalformedInput("bad_json", f"This is not JSON: {token}.")


def _out_of_range() -> MalformedInput:
    return MalformedInput("bad_number", "An integer is beyond ±(2^53-1), or is written -0.")


def _reader(
    integer: Callable[[str], object], other: Callable[[str], object]
) -> Callable[[str], object]:
    return json.JSONDecoder(
        object_pairs_hook=_object,
        parse_int=integer,
        parse_float=other,
        parse_constant=_no_constant,
    ).decode


# Made once: `json.loads` and `json.dumps` would make theirs anew with each call.
_READ: Final = _reader(_integer, _no_number)
_READ_LOOSE: Final = _reader(_number, _number)
_WRITE: Final = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode
