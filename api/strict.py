"""Reads requests strictly: what is not exactly meant is refused, with the place named.

The framework's own reader takes the last of two equal keys, NaN, and any depth; it is replaced.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn, cast

from flask import Request
from marshmallow import ValidationError, fields
from marshmallow.constants import RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import ClientDisconnected, HTTPException, UnsupportedMediaType
from werkzeug.routing import BaseConverter, IntegerConverter

from api.words import VERSIONED
from fairdeal.errors import MalformedInput, Unprocessable
from fairdeal.service import check_json, read_json

UNKNOWN: Final = "Unknown field."
TOLD: Final = 3
"""So many faults are told in the sentence; the facts have all."""
MAX_BODY_BYTES: Final = 65_536

_DIGITS: Final = re.compile(r"0|[1-9][0-9]{0,15}")


class StrictParser(FlaskParser):
    """Refuses unknown fields, repeated ones, other types of content, and loose JSON."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": RAISE, "query": RAISE}  # noqa: RUF012  the library's own

    def load_json(self, req: Request, schema: Any) -> Any:  # noqa: ANN401, ARG002  the library's own
        """Return the body of a request as JSON.

        Raises:
            UnsupportedMediaType: It is not declared as JSON in UTF-8.
            MalformedInput: It is not strict JSON.
        """
        charset = req.mimetype_params.get("charset", "utf-8").lower()
        if req.mimetype != "application/json" or charset != "utf-8":
            raise UnsupportedMediaType
        body = body_of(req)
        try:
            return read_json(body)
        except MalformedInput as error:
            raise MalformedInput("malformed", error.sentence, {"cause": error.code}) from error

    def load_querystring(self, req: Request, schema: Any) -> Any:  # noqa: ANN401  the library's own
        """Return the query, in which every name stands once.

        Raises:
            MalformedInput: A name stands twice.
        """
        for name, values in req.args.lists():
            if len(values) > 1:
                raise MalformedInput("malformed", f"The query has {name!r} twice.")
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401  the library's own
        """Raise the refusal that names every place at fault.

        Raises:
            MalformedInput: `unknown_field` where every fault is one, else `malformed`.
        """
        # webargs puts the location first: {"json": {...}}; it means nothing to the caller.
        said = cast(Mapping[str, Any], error.messages)
        places = sorted(place for part in said.values() for place in _places(part, ""))
        unknown = all(message == UNKNOWN for _, message in places)
        code = "unknown_field" if unknown else "malformed"
        raise MalformedInput(
            code,
            " ".join(f"At {where or '/'}: {what}" for where, what in places[:TOLD]),
            {"errors": [{"pointer": where, "sentence": what} for where, what in places]},
        ) from error


def body_of(req: Request) -> bytes:
    """Return the bytes of a body that came whole (raises `MalformedInput`)."""
    try:
        body = req.get_data(cache=True)
    except ClientDisconnected as error:
        raise _cut_body() from error
    except HTTPException:
        raise
    except Exception as error:  # the server's own classes, for a body cut or framed wrongly
        raise _cut_body() from error
    if req.content_length not in (None, len(body)):
        raise _cut_body()
    return body


def _cut_body() -> MalformedInput:
    return MalformedInput("cut_body", "The body breaks off, or is framed wrongly.")


def _places(messages: object, pointer: str) -> list[tuple[str, str]]:
    """Return each complaint with the JSON pointer of what it is about."""
    if isinstance(messages, Mapping):
        return [
            place
            for key, inner in messages.items()
            for place in _places(inner, pointer if key == "_schema" else f"{pointer}/{key}")
        ]
    if isinstance(messages, list):
        return [place for inner in messages for place in _places(inner, pointer)]
    return [(pointer, str(messages))]


class Whole(fields.Integer):
    """An integer, written as one in JSON; in a query as plain decimal digits.

    Args:
        least, most: The bounds, both allowed.
    """

    default_error_messages = {"invalid": "Not an integer from {least} to {most}."}  # noqa: RUF012  the library's own

    def __init__(self, *, least: int, most: int, **more: Any) -> None:  # noqa: ANN401  the library's own
        super().__init__(**more)
        self.least = least
        self.most = most
        self.metadata = {**self.metadata, "minimum": least, "maximum": most}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:  # noqa: ANN401  the library's own
        if type(value) is not int or not self.least <= value <= self.most:
            raise self.make_error("invalid", least=self.least, most=self.most)
        return value


class YesNo(fields.Boolean):
    """True or false as JSON writes them; neither 1 nor "true"."""

    default_error_messages = {"invalid": "Neither true nor false."}  # noqa: RUF012  the library's own

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:  # noqa: ANN401  the library's own
        if type(value) is not bool:
            raise self.make_error("invalid")
        return value


class Json(fields.Raw):
    """Any JSON value that a record can hold: whole numbers alone, and keys of ASCII."""

    def _deserialize(self, value: Any, attr: str | None, *_: Any, **__: Any) -> Any:  # noqa: ANN401  the library's own
        """Return the value (raises `Unprocessable`: `bad_field`; its description cannot say it)."""
        try:
            check_json(value)
        except MalformedInput as error:
            raise Unprocessable("bad_field", error.sentence, {"field": attr or ""}) from error
        return value


class QueryWhole(Whole):
    """A `Whole` of a query, in which there is no null."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401  the library's own
        super().__init__(allow_none=False, **more)

    def _deserialize(self, value: Any, *more: Any, **rest: Any) -> int:  # noqa: ANN401  the library's own
        negative = value == "-1" and self.least == -1
        if not negative and (not isinstance(value, str) or not _DIGITS.fullmatch(value)):
            raise self.make_error("invalid", least=self.least, most=self.most)
        return super()._deserialize(int(value), *more, **rest)


class QueryFlag(fields.Boolean):
    """True or false in a query, written out."""

    default_error_messages = {"invalid": "Neither true nor false."}  # noqa: RUF012  the library's own

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:  # noqa: ANN401  the library's own
        if value not in ("true", "false"):
            raise self.make_error("invalid")
        return bool(value == "true")


class PathNumber(IntegerConverter):
    """A number of a path, written in the one way: seat 0 has no second address."""

    regex = r"(?:0|[1-9][0-9]{0,15})"


class PresetName(BaseConverter):
    """A preset in a path, as name@version, so that it is never another word that stands there."""

    regex = VERSIONED


class Text(fields.String):
    """A string that matches a pattern as a whole.

    Args:
        pattern: A regular expression; a final line feed does not slip past it.
        says: What the pattern means, for the refusal.
    """

    default_error_messages = {"invalid": "Not {says}."}  # noqa: RUF012  the library's own

    def __init__(self, pattern: str, says: str, **more: Any) -> None:  # noqa: ANN401  the library's own
        super().__init__(**more)
        self._pattern = re.compile(pattern)
        self._says = says
        self.metadata = {
            "description": says[0].upper() + says[1:] + ".",
            **self.metadata,
            "pattern": f"^{pattern}$",
        }

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:  # noqa: ANN401  the library's own
        if type(value) is not str or self._pattern.fullmatch(value) is None:
            raise self.make_error("invalid", says=self._says)
        return value
