"""The description of the interface, generated from the routes and the schemas."""

import json
from http import HTTPStatus
from typing import Any, Final, cast

from flask import Flask
from flask_smorest import Api

from api import examples, refusals
from api.auth import SCHEMES
from api.shapes.answers import Problem
from api.strict import PathNumber, PresetName

VERSION: Final = "1"
_EXTENSION: Final = "fairdeal.openapi"
_SAID: Final = "fairdeal.openapi.said"


_ABOUT: Final = """\
Deals and referees canasta, provably fairly.

Every refusal is a problem (RFC 9457) with a code; `/help/CODE` explains it, and `x-codes` of each
response lists those that it can have. Beside what each operation lists there are 404 `no_such_page`
where nothing is, 405 `wrong_method` with an `Allow` header, 414 `address_too_long`, 431
`headers_too_large`, and 400 `malformed` for what is no HTTP."""


class DescribedApi(Api):
    """Leaves refusals alone: `api.refusals` describes them, and `api.problems` makes them."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            self.spec.components.response(status.name, {"description": status.phrase}, lazy=True)

    def _register_error_handlers(self) -> None:
        pass


def install(app: Flask) -> DescribedApi:
    """Give the application its description; blueprints are registered with what it returns."""
    app.config.update(
        API_TITLE="fairdeal",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "info": {"description": _ABOUT},
            "security": [],
        },
    )
    api = DescribedApi(app)
    api.register_converter(PathNumber, lambda _: {"type": "integer", "minimum": 0})
    api.register_converter(
        PresetName, lambda _: {"type": "string", "pattern": f"^{PresetName.regex}$"}
    )
    api.spec.components.schema("Problem", schema=Problem)
    for name, meaning in SCHEMES.items():
        api.spec.components.security_scheme(
            name, {"type": "http", "scheme": "bearer", "description": meaning}
        )
    app.extensions[_EXTENSION] = api
    return api


def description(app: Flask) -> dict[str, Any]:
    """Return the OpenAPI description, with keys in a fixed order."""
    if _SAID not in app.extensions:  # Routes do not change.
        app.extensions[_SAID] = _described(app)
    return cast(dict[str, Any], app.extensions[_SAID])


def _described(app: Flask) -> dict[str, Any]:
    said = cast(dict[str, Any], app.extensions[_EXTENSION].spec.to_dict())
    refusals.describe(said)
    said["components"].pop("responses", None)
    _leave_answers_open(said)
    examples.put(said)
    return cast(dict[str, Any], _sorted(said))


def comes_from(app: Flask, code: str) -> list[str]:
    """Return the operations that can be refused with a code, each as its method and its path."""
    return [
        f"{method.upper()} {path}"
        for path, method, operation in refusals.operations(description(app))
        if any(code in one.get(refusals.CODES_OF, ()) for one in operation["responses"].values())
    ]


def _leave_answers_open(said: dict[str, Any]) -> None:
    """Let answers have fields that are not described: new ones may come; requests stay closed."""
    schemas = said["components"]["schemas"]
    asked = [
        operation["requestBody"]
        for methods in said["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    ]
    closed: set[str] = set()
    reached = _referenced(asked)
    while reached - closed:
        closed |= reached
        reached = _referenced([schemas[_name(ref)] for ref in reached])
    for name in schemas.keys() - set(map(_name, closed)):
        schemas[name].pop("additionalProperties", None)
    for ref in closed:
        _tell_defaults(schemas[_name(ref)])


def _tell_defaults(schema: dict[str, Any]) -> None:
    """Say in words what a field left out means.

    Of a `default` some generators make a field that has to be there, others one that is always
    sent.
    """
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None:
            known = field.get("description", "")
            field["description"] = f"{known} Left out: {json.dumps(default)}.".strip()


def _name(ref: str) -> str:
    return ref.rpartition("/")[2]


def _referenced(part: object) -> set[str]:
    if isinstance(part, dict):
        found = {str(part["$ref"])} if "$ref" in part else set()
        return found.union(*(_referenced(inner) for inner in part.values()))
    if isinstance(part, list):
        return set().union(*(_referenced(inner) for inner in part))
    return set()


def _sorted(part: object) -> object:
    if isinstance(part, dict):
        # A default of null only says that the field may be left out; clients would send it.
        return {
            str(key): _sorted(part[key])
            for key in sorted(part, key=str)
            if not (key == "default" and part[key] is None)
        }
    if isinstance(part, list):
        return [_sorted(inner) for inner in part]
    return part
