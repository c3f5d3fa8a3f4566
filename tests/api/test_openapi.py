"""The description of the interface is what the code gives, valid, and complete."""

import json
from pathlib import Path

from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from api.app import WITH_QUERY
from api.blueprint import WRITES
from api.codes import CODES, RULES
from api.openapi import description
from scripts.write_openapi import rendered
from tests.api.recorder import path_of

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = ROOT / "docs" / "openapi.json"


def test_the_committed_description_is_the_generated_one(service):
    """Renew it with `make openapi`."""
    assert COMMITTED.read_text(encoding="utf-8") == rendered()
    assert json.loads(rendered()) == service.call("GET", "/openapi.json").json


def test_the_description_is_valid_openapi_3_1(service):
    described = service.call("GET", "/openapi.json").json
    assert described["openapi"] == "3.1.0"
    validate(described, cls=OpenAPIV31SpecValidator)


def operations(service):
    for path, methods in description(service.app)["paths"].items():
        for method, said in methods.items():
            if method != "parameters":
                yield path, method, said


def test_every_route_is_described_and_has_a_name_of_its_own(service):
    described = {(path, method.upper()) for path, method, _ in operations(service)}
    routes = {
        (path_of(rule), method)
        for rule in service.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert described == routes
    names = [said["operationId"] for _, _, said in operations(service)]
    assert len(set(names)) == len(names)


def test_every_route_that_takes_a_query_describes_it_and_every_write_its_key(service):
    for path, method, said in operations(service):
        (endpoint,) = (
            rule.endpoint
            for rule in service.app.url_map.iter_rules()
            if path_of(rule) == path and method.upper() in rule.methods
        )
        places = {one["in"]: one["name"] for one in said.get("parameters", ()) if "name" in one}
        assert ("query" in places) == (endpoint in WITH_QUERY), (path, method)
        writes = hasattr(service.app.view_functions[endpoint], WRITES)
        assert (places.get("header") == "Idempotency-Key") == writes, (path, method)


def test_every_route_has_a_summary_and_refuses_with_problems(service):
    for path, method, said in operations(service):
        assert said["summary"], (path, method)
        refusals = {
            int(status): response
            for status, response in said["responses"].items()
            if status[0] not in "23"
        }
        assert refusals, (path, method)
        assert "default" not in said["responses"]
        for status, response in refusals.items():
            assert list(response["content"]) == ["application/problem+json"]
            assert response["x-codes"]
            assert {CODES[code].status for code in response["x-codes"]} == {status}
            headers = {"Request-Id"}
            headers |= {"WWW-Authenticate"} if status == 401 else set()
            headers |= {"Retry-After"} if status in (429, 503) else set()
            # Only refusals by the rules of the game are kept.
            is_kept = method != "get" and RULES.keys() & set(response["x-codes"])
            headers |= {"Idempotent-Replayed"} if is_kept else set()
            assert set(response["headers"]) == headers


def test_no_successful_answer_is_one_of_several_shapes(service):
    for path, method, said in operations(service):
        for status, response in said["responses"].items():
            if status[0] == "2":
                assert "oneOf" not in json.dumps(response), (path, method)
    schemas = description(service.app)["components"]["schemas"]
    assert "oneOf" not in json.dumps(schemas)
    assert "discriminator" not in json.dumps(schemas)


def test_requests_are_closed_and_answers_may_grow(service):
    schemas = description(service.app)["components"]["schemas"]
    closed = {name for name, schema in schemas.items() if "additionalProperties" in schema}
    assert {name for name in schemas if name.endswith("Wanted")} <= closed
    assert not {name for name in closed if name.endswith("Out")} | closed & {
        "Commitment",
        "Problem",
    }
    assert all(schemas[name]["additionalProperties"] is False for name in closed)


def test_answers_hold_nothing_that_is_not_described(service):
    _, (player,) = service.started()
    player.act(*player.choose())
    schemas = description(service.app)["components"]["schemas"]
    for what, name in (("view", "ViewOut"), ("choices", "ChoicesOut"), ("events", "PageOut")):
        assert set(player.get(what)) == set(schemas[name]["properties"])
    table = player.get("view")["table"]
    assert set(table) == set(schemas["TableOut"]["properties"])
