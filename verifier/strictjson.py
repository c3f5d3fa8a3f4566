"""One line of text to a JSON value, or the first thing wrong with it (§2.10, §3.2 stage 1).

Canonical lines take a short way: parsed by the standard library, written anew, compared. Only a
line that fails there is read again, character by character, to name the first fault as §3.2 orders
them: E_LIMIT for depth, then E_JSON, E_DUPLICATE_KEY or E_SCHEMA by whichever comes first in the
text, then E_NOT_CANONICAL.
"""

import json
import re
from typing import Final, NoReturn, TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

MAX_DEPTH: Final = 64
MAX_INTEGER: Final = 2**53 - 1
_INTEGER_DIGITS: Final = 16  # of 2**53 - 1; longer tokens are never turned into a number

# Possessive, so that an unending string costs one pass.
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?")
_SPACE: Final = re.compile(r"[ \t\n\r]*+")
_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_WORDS: Final = ("true", "false", "null")


class LineFault(Exception):
    """A line is not the canonical form of a JSON value; ``code`` is one of §3.2 stage 1."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class _NotCanonicalError(Exception):
    """The short way is closed; which fault it was is for the reader to say."""


def parse_canonical(text: str) -> Json:
    """Return the value of a canonical line, without its LF.

    Raises:
        LineFault: E_LIMIT, E_JSON, E_DUPLICATE_KEY, E_SCHEMA or E_NOT_CANONICAL.
    """
    _check_depth(text)
    try:
        value: Json = json.loads(
            text,
            object_pairs_hook=_plain_object,
            parse_int=_plain_integer,
            parse_float=_refuse,
            parse_constant=_refuse,
        )
        if write_canonical(value) == text.encode():
            return value
    except (_NotCanonicalError, ValueError):
        pass
    _Reader(text).read()
    raise LineFault("E_NOT_CANONICAL", "written in another way than the canonical one")


def write_canonical(value: Json) -> bytes:
    """Return the canonical bytes of a value, without LF (§2.10).

    Raises:
        UnicodeEncodeError: A string holds an unpaired surrogate.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def parse_foreign(text: str) -> Json:
    """Return the value of JSON text that a user wrote: any layout, but nothing ambiguous.

    Raises:
        LineFault: As ``parse_canonical``, but the layout is free.
    """
    _check_depth(text)
    _Reader(text).read()
    value: Json = json.loads(text, parse_int=_bounded_integer)
    return value


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _BRACKETS.finditer(text):
        token = match[0]
        if token in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise LineFault("E_LIMIT", f"arrays and objects more than {MAX_DEPTH} deep")
        elif token in "]}":
            depth -= 1


def _plain_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) != len(pairs) or not all(map(str.isascii, made)):
        raise _NotCanonicalError
    return made


def _plain_integer(token: str) -> int:
    if len(token) > _INTEGER_DIGITS + 1 or abs(value := int(token)) > MAX_INTEGER:
        raise _NotCanonicalError
    return value


def _bounded_integer(token: str) -> int:
    if len(token) > _INTEGER_DIGITS + 1 or abs(value := int(token)) > MAX_INTEGER:
        raise LineFault("E_NOT_CANONICAL", "an integer outside +-(2^53 - 1)")
    return value


def _refuse(_token: str) -> NoReturn:
    raise _NotCanonicalError


class _Reader:
    """Reads JSON left to right and stops at the first fault; needs ``_check_depth`` before."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> None:
        self._value()
        self._skip_space()
        if self._at != len(self._text):
            self._fail("something after the value")

    def _fail(self, what: str) -> NoReturn:
        raise LineFault("E_JSON", f"{what} at character {self._at}")

    def _skip_space(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None  # the pattern matches nothing, too
        self._at = match.end()

    def _next(self) -> str:
        self._skip_space()
        return self._text[self._at : self._at + 1]

    def _value(self) -> None:
        first = self._next()
        if first == "{":
            self._object()
        elif first == "[":
            self._array()
        elif first == '"':
            self._string()
        else:
            self._scalar()

    def _object(self) -> None:
        self._at += 1
        keys: set[str] = set()
        if self._next() == "}":
            self._at += 1
            return
        while True:
            if self._next() != '"':
                self._fail("no key")
            start = self._at
            key = self._string()
            if key in keys:
                raise LineFault("E_DUPLICATE_KEY", f"a key a second time at character {start}")
            keys.add(key)
            if self._next() != ":":
                self._fail("no colon")
            self._at += 1
            self._value()
            if self._closes("}"):
                return

    def _array(self) -> None:
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return
        while True:
            self._value()
            if self._closes("]"):
                return

    def _closes(self, bracket: str) -> bool:
        token = self._next()
        if token not in {",", bracket}:
            self._fail(f"neither a comma nor {bracket}")
        self._at += 1
        return token == bracket

    def _string(self) -> str:
        match = _STRING.match(self._text, self._at)
        if match is None:
            self._fail("a string that is not one")
        self._at = match.end()
        value: str = json.loads(match[0])
        return value

    def _scalar(self) -> None:
        for word in _WORDS:
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            self._fail("no value")
        if match[1] or match[2]:
            raise LineFault("E_SCHEMA", f"a number with a point or an exponent at {self._at}")
        self._at = match.end()
