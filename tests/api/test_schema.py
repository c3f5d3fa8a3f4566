"""Requests that nobody thought of get what the description promises (`benchmarks.schema`)."""

import pytest

from benchmarks import schema

EXAMPLES = 3

ROLES = {"operator", "seat", "host in the lobby", "watcher", schema.NOBODY}
SELDOM = {"POST /v1/games/<game>/hands/<int:hand>/draws",
          "PUT /v1/games/<game>/seats/<int:seat>/seed"}  # fmt: skip
"""What the seat of the first run is not in the place to do."""


@pytest.mark.slow
def test_every_operation_keeps_its_promises_to_whom_it_is_for():
    (said,) = schema.ask(EXAMPLES, {schema.DESCRIBED})
    assert said.passed, said.text
    statuses = {status for _, status in said.answers}
    assert {200, 201, 204, 400, 401, 403, 404, 405, 409, 415, 422} <= statuses <= set(range(500))
    never = {what for what in schema.never(said.answers) if "/rooms/" not in what}
    assert never <= SELDOM


@pytest.mark.slow
def test_every_operation_keeps_its_promises_to_every_other_role_and_to_nobody():
    asked = {said.name: said for said in schema.ask(EXAMPLES, ROLES)}
    assert set(asked) == ROLES
    for said in asked.values():
        assert said.passed, said.text
        statuses = {status for _, status in said.answers}
        assert {200, 201, 400, 404} <= statuses <= set(range(500))
