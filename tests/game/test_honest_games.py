"""Honest games of every kind verify as they should; `python -m benchmarks.honest` at length."""

from dataclasses import replace

import pytest

from benchmarks.honest import judged, one
from benchmarks.sittings import Table
from tests.table import quick_folder


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, 48, 4))
def test_honest_games_never_raise_an_error(seed):
    for number in range(seed, seed + 4):
        assert one(number)[2] == []


def sitting(wanted):
    """Return the first game that is over and of the kind that is looked for."""
    for seed in range(100):
        with quick_folder() as folder:
            found = Table(folder, seed).run()
        if found.closed and wanted(found):
            return found
    raise AssertionError("no such game")


def test_a_game_that_is_not_as_it_should_be_is_named():
    found = sitting(lambda one: one.record is not None and one.record["hand_cards"])
    assert judged(found) == []
    last = found.transcript.splitlines(keepends=True)[-1]
    other = replace(found, transcript=found.transcript.removesuffix(last))
    assert any("INCOMPLETE, not VALID" in fault for fault in judged(other))
    assert judged(replace(found, aborts=found.aborts, closed=False))
    cards = [{**entry, "salt": "0" * 64} for entry in found.record["hand_cards"]]
    wrong = replace(found, record={**found.record, "hand_cards": cards})
    assert judged(wrong) == ["with my record: ['E_OWN_HAND']"]
