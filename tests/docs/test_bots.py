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
