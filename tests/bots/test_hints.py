"""A slice of ``python -m benchmarks.hints``: hints are legal, the level's own, and blind."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from benchmarks import hints
from benchmarks.honesty import positions, twin
from fairdeal.bots import reasons as why
from fairdeal.canasta import acts
from fairdeal.service import hints as given


def test_hints_are_legal_the_level_s_own_and_the_same_in_a_world_that_looks_the_same():
    found = hints.work((7, 0, 60))
    assert found["faults"] == []
    assert len(found["given"]) > 15


def some(count, seed=9):
    for position, seat, memory in islice(positions(seed, 0), count):
        yield position, twin(position, seat, memory, Random(3)), seat, memory


def faults(count=40):
    return [one for at in some(count) for one in hints.faults(*at)]


def peeking(seen, move):
    """Give a reason that tells of others' cards."""
    (first, *rest) = why.reasons(seen, move)
    hidden = sum(seen.core.stock) % 97
    return (replace(first, facts={**first.facts, "hidden": hidden}), *rest)


def test_a_fact_that_the_seat_cannot_see_would_be_found(monkeypatch):
    monkeypatch.setattr(given, "reasons", peeking)
    monkeypatch.setattr(hints, "knowledge", lambda position, _: position)
    assert any("differs in another world" in one for one in faults())


@pytest.mark.parametrize(
    ("part", "put", "says"),
    [
        ("to_act", lambda *_: acts.Ask(), "is not the level's own"),
        ("to_act", lambda *_: acts.Ask(), "is refused with"),
        ("reasons", lambda *_: (), "a sentence is missing"),
        ("reasons", lambda *seen: why.reasons(*seen)[::-1] * 2, "out of order"),
    ],
)
def test_another_act_no_reason_or_reasons_out_of_order_would_be_found(monkeypatch, part, put, says):
    monkeypatch.setattr(given, part, put)
    assert any(says in one for one in faults())
