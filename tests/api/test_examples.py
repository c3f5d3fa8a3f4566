"""The examples in the description were asked and answered, and are what it says."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from api.openapi import description
from api.refusals import operations
from tests.api.examples import rendered
from tests.table import application

FILE = Path(__file__).resolve().parents[2] / "api" / "examples.json"
PAGES = {"getDocs", "listHelp", "getHelp", "listStrategy", "getStrategy", "getOpenapi"}
"""Operations whose answers are pages for people, or this description."""


@pytest.mark.slow
def test_the_examples_are_what_is_answered_today():
    """Renew them with `make openapi`."""
    assert FILE.read_text("utf-8") == rendered()


def bodies():
    """Yield what each example is an example of: the operation, where, and the example's holder."""
    for _, _, operation in operations(description(application())):
        name = operation["operationId"]
        asked = operation.get("requestBody", {}).get("content", {})
        yield from ((name, f"asked {form}", one) for form, one in asked.items())
        for status, response in operation["responses"].items():
            if status[0] == "2":
                answered = response.get("content", {})
                yield from ((name, f"{status} {form}", one) for form, one in answered.items())


BODIES = [pytest.param(one, id=f"{name} {where}") for name, where, one in bodies() if
          name not in PAGES]  # fmt: skip


def faults(schema, value):
    components = description(application())["components"]
    found = Draft202012Validator({**schema, "components": components}).iter_errors(value)
    return [one.message for one in found]


@pytest.mark.parametrize("body", BODIES)
def test_an_operation_has_an_example_of_what_it_is_asked_and_answers(body):
    assert "example" in body
    assert faults(body["schema"], body["example"]) == []


def test_an_example_that_does_not_fit_is_seen():
    schema = {"$ref": "#/components/schemas/ActWanted"}
    assert faults(schema, {"expect": 6, "act": "draw"}) == []
    assert faults(schema, {"expect": "6", "act": "draw"})
    assert faults(schema, {"expect": 6, "act": "draw", "x": 1})


def test_every_part_of_a_path_has_an_example_and_every_example_fits():
    described = description(application())
    for path, _, operation in operations(described):
        every = [*described["paths"][path].get("parameters", ()), *operation.get("parameters", ())]
        for one in every:
            if one["in"] == "path":
                assert "example" in one, path
            if "example" in one:
                assert faults(one["schema"], one["example"]) == [], (path, one["name"])


def test_no_example_shows_a_token():
    shown = re.findall(r"cd_(?:live|test)_[a-z]+_(\w*)", FILE.read_text("utf-8"))
    assert set(shown) == {"EXAMPLE"}


def test_an_event_of_a_stream_is_shown_in_both_of_its_forms():
    events = description(application())["paths"]["/v1/games/{game}/events"]["get"]
    shown = events["responses"]["200"]["content"]
    lines = [json.loads(line) for line in shown["application/x-ndjson"]["example"].splitlines()]
    assert lines[0]["event"] == "snapshot"
    assert lines[-1]["event"] == "end"
    assert "event: record\n" in shown["text/event-stream"]["example"]
