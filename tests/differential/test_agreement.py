"""The engine and the verifier's own reading of the rules, run against each other.

They share no code and were written from docs/rules.md apart; ``python -m benchmarks.agree`` does
the same for as many hands as one likes.
"""

from functools import cache

import pytest

from benchmarks import agree
from benchmarks.agree import Tally, case_of, compare
from fairdeal.canasta import presets
from fairdeal.canasta.ruleset import to_json
from verifier.canasta import preset_differences
from verifier.canasta.presets import preset_fields, preset_names
from verifier.canasta.table import same_json

SEEDS = range(1, 91)


@cache
def hand(seed: int) -> Tally:
    return compare(seed, tried=6)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_judge_every_act_of_a_hand_alike_and_score_it_alike(seed):
    assert hand(seed).parted == []


def test_the_sample_meets_every_preset_and_many_rules():
    named = [case_of(seed).rules for seed in SEEDS if seed % 2]
    assert len({str(to_json(rules)) for rules in named}) == len(presets.PRESETS)
    seen = Tally()
    for seed in SEEDS:
        seen.add(hand(seed))
    assert seen.pairs > 20_000
    assert 0.2 < seen.legal / seen.pairs < 0.8
    assert seen.ends.keys() >= {"WENT_OUT", "STOCK_EXHAUSTED", "LAST_STOCK_RED3"}
    assert seen.verbs.keys() == {
        *("draw", "take", "lay", "discard", "show", "ask", "yes", "no", "end")
    }
    assert len(seen.codes) >= 25


def test_a_rule_that_only_one_of_them_has_is_found(monkeypatch):
    monkeypatch.setattr(agree, "refusal", lambda *_: None)
    assert "verifier legal" in compare(3).parted[0]


def test_a_score_that_only_one_of_them_books_is_found(monkeypatch):
    monkeypatch.setattr(agree, "score_lines", lambda *_: [])
    assert "lines of side" in compare(3).parted[0]


@pytest.mark.parametrize("name", sorted(presets.PRESETS))
def test_the_two_tables_of_presets_say_the_same(name):
    theirs = {field: as_json(value) for field, value in presets.PRESETS[name].items()}
    ours = preset_fields(name)
    assert ours is not None
    left_open = presets.missing(name)
    assert all(same_json(theirs[f], ours[f]) for f in ours if f not in left_open)
    assert theirs.keys() - ours.keys() <= set(left_open)


def as_json(value):
    """Tuples as the lists that JSON has."""
    return list(map(as_json, value)) if isinstance(value, tuple | list) else value


def test_the_two_tables_have_the_same_names():
    assert set(preset_names()) == set(presets.PRESETS)


def test_no_preset_of_the_engine_differs_from_the_verifiers_table():
    for name in preset_names():
        if not presets.missing(name):
            assert preset_differences(name, to_json(presets.build(name))) == []
