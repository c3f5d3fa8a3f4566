"""Each level against the next weaker one on few hands: none may lie below its floor.

At length, with 2,000 deals a pair: `fairdeal bots ladder`, docs/bots.md.
"""

import pytest

from fairdeal.bots import levels
from fairdeal.cli.bots import ladder
from fairdeal.cli.bots.gating import gated
from fairdeal.service.play import figures

DEALS = 60
SLOW_DEALS = 4
ITERATIONS = 10
QUICK = [name for name, level in levels.LEVELS.items() if level.weight == 1 and level.offered]
SLOW = [f"{n}:{ITERATIONS}" for n, one in levels.LEVELS.items() if one.weight > 1 and one.offered]


def measured(first, second, deals):
    match = ladder.Match(first, second, deals)
    sums = ladder.run((match,), preset="classic@1", seed="floors", out=None, jobs=1)
    (pair,) = ladder.result("", (match,), sums, preset="classic@1", seed="floors")["pairs"]
    return figures(pair)


@pytest.mark.slow
@pytest.mark.parametrize(
    "match", ladder.matches(QUICK, DEALS), ids=lambda match: f"{match.first} over {match.second}"
)
def test_a_level_is_not_worse_than_its_floor(match):
    assert match.floor is not None
    found = gated(measured(match.first, match.second, DEALS), match.floor)
    assert found.status != 1, found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_level_that_searches_is_far_from_chance_even_with_a_small_budget(name):
    found = gated(measured(name, "random@1", SLOW_DEALS), 50)
    assert found.status == 0, found.sentence


@pytest.mark.slow
def test_a_level_that_plays_by_chance_would_be_refused():
    found = gated(measured("random@1", "steady@1", 20), 50)
    assert found.status == 1


def test_the_floors_are_those_that_the_task_sets():
    floors = {(one.first, one.second): one.floor for one in ladder.matches(
        ("random@1", "steady@1", "sharp@1", "expert@1"), 1
    )}  # fmt: skip
    assert floors == {
        ("steady@1", "random@1"): 50, ("sharp@1", "steady@1"): 50, ("expert@1", "sharp@1"): 0,
        ("sharp@1", "random@1"): 50, ("expert@1", "random@1"): 50,
    }  # fmt: skip
