"""A slice of ``python -m benchmarks.bots``: mixed levels are never stuck and break no rule."""

import pytest

from benchmarks import bots
from fairdeal.bots import levels
from fairdeal.canasta.acts import Discard
from fairdeal.cli.bots import table


@pytest.mark.slow
def test_mixed_levels_end_every_hand_by_legal_acts(capsys):
    found = [bots.work((1, first, 20)) for first in (0, 20, 40)]
    assert bots.report(found) == 0
    told = capsys.readouterr().out
    assert "60 hands" in told
    assert "0 hands failed" in told
    assert sum(sum(part["ends"].values()) for part in found) == 60


def test_hands_are_of_all_presets_numbers_of_players_and_levels():
    hands = [bots.hand(2, number)[::2] for number in range(120)]
    assert {rules.players for rules, _ in hands} == {2, 3, 4, 6}
    seated = {bot for _, named in hands for bot in named}
    assert seated >= {*bots.quick_levels(), *bots.searching_levels()}
    assert bots.hand(2, 5)[2] == bots.hand(2, 5)[2]


def test_an_act_that_is_not_legal_and_a_hand_that_does_not_end_are_named(monkeypatch, capsys):
    def throws(name, known, *rest):
        return Discard("KC") if name == "steady@1" else levels.choose(name, known, *rest)

    monkeypatch.setattr(table, "choose", throws)
    monkeypatch.setattr(table, "LONGEST", 20)
    found = bots.work((1, 0, 9))
    why = {one["why"].partition(":")[0] for one in found["failures"]}
    assert why == {"RuleBroken", "RuntimeError"}
    assert bots.report([found]) == 1
    assert "hand 0: " in capsys.readouterr().out
