"""Examples of each operation, as they were asked and answered in games that were played.

`api/examples.json` is written by `make openapi` (tests/api/examples.py); tokens in it are
replaced and long lists cut off.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

from api.refusals import operations

_FILE: Final = Path(__file__).with_name("examples.json")
_PARAMETER: Final = re.compile(r"{(\w+)}")
_JSON: Final = "application/json"


@cache
def exchanges() -> Mapping[str, Mapping[str, Any]]:
    """Return the exchange that shows each operation, by the operation's name.

    Each has `method`, `path` with its query, `headers`, whether a `token` was shown, the `request`
    if it has a body, `status`, and `answers` by their type.
    """
    known: dict[str, dict[str, Any]] = json.loads(_FILE.read_text("utf-8"))
    return known


def put(said: Mapping[str, Any]) -> None:
    """Put the examples into a description."""
    for path, _, operation in operations(said):
        exchange = exchanges().get(operation["operationId"])
        if exchange is None:
            continue
        if "request" in exchange and "requestBody" in operation:
            operation["requestBody"]["content"][_JSON]["example"] = exchange["request"]
        answered = operation["responses"].get(str(exchange["status"]), {}).get("content", {})
        for form, told in exchange["answers"].items():
            if form in answered:
                answered[form]["example"] = told
        sent = _sent(path, exchange)
        parameters = [*said["paths"][path].get("parameters", ()), *operation.get("parameters", ())]
        for parameter in parameters:
            value = sent.get((parameter.get("in"), parameter.get("name")))
            if value is not None:
                parameter.setdefault("example", _typed(value, parameter["schema"]))


def _sent(path: str, exchange: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the parameters that were sent: where and under which name -> the text."""
    asked, _, query = exchange["path"].partition("?")
    pattern = _PARAMETER.sub(r"(?P<\1>[^/]+)", path.replace(".", r"\."))
    found = re.fullmatch(pattern, asked)
    in_path = found.groupdict() if found else {}
    return {
        **{("path", name): value for name, value in in_path.items()},
        **{("query", name): value for name, value in parse_qsl(query)},
        **{("header", name): value for name, value in exchange["headers"].items()},
    }


def _typed(value: str, schema: Mapping[str, Any]) -> object:
    kind = schema.get("type")
    return json.loads(value) if kind in ("integer", "boolean") else value
