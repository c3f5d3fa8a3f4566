"""docs/bots.md says what play.json says."""

import re

import pytest

from fairdeal.bots.levels import LEVELS
from fairdeal.service import play
from scripts import play as publishing

PAGE = publishing.PAGE.read_text("utf-8")


def test_the_tables_are_those_of_what_is_published():
    assert publishing.page_with(PAGE, publishing.tables(play.runs())) == PAGE


def test_a_page_with_another_number_is_found():
    made = publishing.tables(play.runs())
    assert publishing.page_with(PAGE, made + "1") != PAGE
    with pytest.raises(ValueError, match="marks"):
        publishing.page_with("no marks", made)


def test_every_offered_level_has_a_line():
    listed = set(re.findall(r"^\| `([a-z]+@\d+)` \|", PAGE, re.MULTILINE))
    assert {level.name for level in LEVELS.values() if level.offered} <= listed


PAIRS = [
    pytest.param(pair, id=f"{run.name}: {pair.first} over {pair.second}")
    for run in play.runs()
    for pair in run.pairs
    if pair.first != pair.second
]


@pytest.mark.parametrize("pair", PAIRS)
def test_each_published_level_is_better_than_the_weaker_one_and_clear_of_its_floor(pair):
    # On fewer deals, as of a budget that takes long, at least the mean is.
    assert pair.points > 0
    assert pair.low > (pair.floor or 0) or pair.deals < 500


def test_the_ladder_is_of_two_thousand_deals_a_pair_and_stands_on_hands_nobody_had_seen():
    runs = {run.name: run for run in play.runs()}
    ladder, fresh = (
        {(one.first, one.second): one for one in runs[name].pairs}
        for name in ("ladder", "held-out")
    )
    assert runs["ladder"].seed != runs["held-out"].seed
    for pair in (("steady@1", "random@1"), ("sharp@1", "steady@1")):
        for played in (ladder, fresh):
            assert played[pair].deals >= 2000
            assert played[pair].points >= 100
            assert played[pair].low > 50
