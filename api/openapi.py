"""The description of the interface, generated from the routes and the schemas."""

from http import HTTPStatus
from typing import Any, Final, cast

from flask import Flask
from flask_smorest import Api
from flask_smorest.utils import prepare_response

from api.problems import PROBLEM
from api.schemas import Problem
from api.strict import PathNumber

VERSION: Final = "1"
_EXTENSION: Final = "fairdeal.openapi"


class DescribedApi(Api):
    """Describes refusals as what they are, application/problem+json."""

    ERROR_SCHEMA = Problem

    def _register_responses(self) -> None:
        for name, phrase in (
            *((status.name, status.phrase) for status in HTTPStatus),
            ("DEFAULT_ERROR", "A refusal"),
        ):
            response = {"description": phrase, "schema": Problem}
            prepare_response(response, self.spec, PROBLEM)
            self.spec.components.response(name, response, lazy=True)

    def _register_error_handlers(self) -> None:
        """Leave them to `api.problems`."""


def install(app: Flask) -> DescribedApi:
    """Give the application its description; blueprints are registered with what it returns."""
    app.config.update(
        API_TITLE="fairdeal",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "info": {"description": "Deals and referees canasta, provably fairly."},
            "security": [],
        },
    )
    api = DescribedApi(app)
    api.register_converter(PathNumber, lambda _: {"type": "integer", "minimum": 0})
    api.spec.components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "An operator's token, or that of a seat.",
        },
    )
    app.extensions[_EXTENSION] = api
    return api


def description(app: Flask) -> dict[str, Any]:
    """Return the OpenAPI description, with keys in a fixed order."""
    said = cast(dict[str, Any], app.extensions[_EXTENSION].spec.to_dict())
    used = _referenced(said["paths"]) | _referenced(said["components"].get("schemas", {}))
    responses = said["components"]["responses"]
    _leave_answers_open(said)
    # The framework lists a response for every status there is; keep those that are used.
    said["components"]["responses"] = {
        name: body for name, body in responses.items() if f"#/components/responses/{name}" in used
    }
    return cast(dict[str, Any], _sorted(said))


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
