"""Record 0 of a refereed game: what the ruleset allows and what follows from it (6.1)."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.canasta.transcripts import records
from verifier.canasta import can_judge, play_fault
from verifier.canasta.clashes import CLASHES, clash_fault
from verifier.canasta.fields import CLASSIC_1, FIELDS, field_fault
from verifier.canasta.table import deck_of, sides_of, steps_of

# One value a field that lies just outside its line of the table, and one more that is lawful.
OUTSIDE: dict[str, list[object]] = {
    "players": [5, True, "4", None, 4.0],
    "sides": ["pairs", None, 2],
    "decks": [0, 7, True],
    "jokers": [-1, 25],
    "hand_size": [0, 26],
    "draw_count": [0, 5],
    "first_turn": ["dealer"],
    "dealer_rotation": ["anticlockwise"],
    "upcard_cover": [["red3", "wild"], ["wild", "wild"], ["four"], "wild", None, [["wild"]]],
    "upcard_freeze": [["red3", "wild"], [1]],
    "red3_initial_when": ["later"],
    "red3_replace_order": ["any"],
    "red3_from_pile_replaced": [0, None, "false"],
    "red3_last_stock": ["end"],
    "meld_min_size": [2, 8],
    "meld_min_naturals": [0, 8],
    "meld_max_wilds": [-1, 25, False],
    "wild_ratio": ["le"],
    "canasta_min_naturals": [-1, 8],
    "meld_max_size": [6, 49],
    "one_meld_per_rank": [False, 1],
    "wild_melds": ["always"],
    "wild_canasta_bonus": [-1, 10_001],
    "wild_meld_extend": [1],
    "wild_on_natural_canasta": ["allowed"],
    "incomplete_meld_limit": [0, 13],
    "black3_meld": ["always"],
    "opening_bands": [
        [],
        None,
        [[0, 15]],
        [[None, 15, 1]],
        [[None, 15], [None, 50]],
        [[None, 15], [0, 50], [0, 90]],
        [[None, 15], [1500, 50], [0, 90]],
        [[None, 50], [0, 15]],
        [[None, 1001]],
        [[None, -1]],
        [[None, True]],
        [[None, 0], [True, 1]],
        [[None, 0]] + [[bound, 0] for bound in range(8)],
    ],
    "opening_compare": [">="],
    "opening_concealed_exempt": ["pile"],
    "opening_canasta_satisfies": [0],
    "frozen_before_opening": [1],
    "frozen_by_contents": [["black3", "wild"]],
    "black3_effect": ["none"],
    "always_frozen": [0],
    "top_blocks": [["wild", "red3", "black3"]],
    "take_unfrozen": [[], ["natural_wild", "pair"]],
    "take_frozen": [[], ["any"]],
    "lay_on_completed_canasta": [1],
    "one_card_hand_one_card_pile": ["never"],
    "buried_usable_same_turn": [1],
    "canastas_to_go_out": [-1, 6],
    "go_out_needs_natural": [0],
    "go_out_discard": ["never"],
    "keep_card_guard": ["none"],
    "permission": ["on"],
    "permission_when": ["any"],
    "permission_yes": ["must"],
    "permission_precheck": [1],
    "permission_fail_penalty": [-1, 1001],
    "concealed_scope": ["team"],
    "concealed_needs_own_canasta": [1],
    "concealed_after_pile": [1],
    "concealed_lay_on_partner": [0],
    "going_out_bonus": [-1, 10_001],
    "concealed_extra": [-1, 10_001],
    "natural_canasta": [-1, 10_001],
    "mixed_canasta": [-1, 10_001],
    "concealed_canasta_bonus": [-1, 10_001],
    "red3_each": [-1, 10_001],
    "red3_all": [-1, 10_001],
    "red3_negative_if": ["never"],
    "red3_unexposed_penalty": [-1, 10_001],
    "stock_empty": ["must"],
    "target": [4, 1_000_001, True],
    "max_hands": [0, 513],
    "win_rule": ["first"],
    "tie_rule": ["draw"],
    "pile_visible": ["none"],
    "hints": ["yes", True],
    "red3_table": [[], [0, 1], [0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [0, -1, 2, 3, 4], 0],
}


def record_0():
    body = copy.deepcopy(records("R01")[0]["body"])
    return body["rules"], body["seats"]


def with_ruleset(**changes: object) -> str | None:
    rules, seats = record_0()
    rules["play"]["ruleset"].update(changes)
    return play_fault(rules, seats)


def test_the_table_has_seventy_one_fields():
    assert len(FIELDS) == 71
    assert set(OUTSIDE) == set(FIELDS)


def test_record_0_of_a_vector_is_lawful_and_judged():
    rules, seats = record_0()
    assert play_fault(rules, seats) is None
    assert can_judge(rules["play"]["ruleset"])
    assert rules["play"]["ruleset"] == CLASSIC_1


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_a_field_out_of_its_values_is_named(name):
    for value in OUTSIDE[name]:
        fault = with_ruleset(**{name: value})
        assert fault is not None, (name, value)
        assert f"ruleset.{name} " in fault, fault
        assert not can_judge({**CLASSIC_1, name: value})


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_a_field_left_out_is_named(name):
    rules, seats = record_0()
    del rules["play"]["ruleset"][name]
    assert repr(name) in (play_fault(rules, seats) or "")


def test_an_unknown_field_is_named():
    assert "'first_dealer'" in (with_ruleset(first_dealer=0) or "")


@pytest.mark.parametrize(
    ("changes", "clash"),
    [
        ({"players": 3}, "CL-1"),
        ({"sides": "two_teams_of_three"}, "CL-1"),
        ({"sides": "solo"}, "CL-2"),
        ({"players": 6}, "CL-2"),
        ({"target": None}, "CL-3"),
        ({"hand_size": 25, "decks": 1, "jokers": 4}, "CL-4"),
        ({"wild_canasta_bonus": 1000}, "CL-5"),
        ({"wild_meld_extend": True}, "CL-5"),
        ({"meld_min_naturals": 4}, "CL-6"),
        ({"go_out_needs_natural": True, "canastas_to_go_out": 0}, "CL-7"),
        ({"top_blocks": ["wild", "black3"]}, "CL-8"),
        ({"top_blocks": ["wild", "red3"]}, "CL-8"),
        ({"top_blocks": ["black3", "red3"]}, "CL-8"),
    ],
)
def test_a_clash_is_named(changes, clash):
    assert field_fault({**CLASSIC_1, **changes}) is None
    assert f"({clash})" in (clash_fault({**CLASSIC_1, **changes}) or "")
    assert f"({clash})" in (with_ruleset(**changes) or "")
    assert not can_judge({**CLASSIC_1, **changes})


def test_every_clash_has_its_number():
    assert [name for name, _, _ in CLASHES] == [f"CL-{number}" for number in range(1, 9)]


def test_a_deck_that_just_holds_the_deal_is_no_clash():
    changes = {"hand_size": 13, "decks": 1, "jokers": 1}
    assert clash_fault({**CLASSIC_1, **changes}) is None
    assert "CL-4" in (clash_fault({**CLASSIC_1, **changes, "jokers": 0}) or "")


@pytest.mark.parametrize(
    ("changes", "sides"),
    [
        ({"target": 3000}, [[0, 2], [1, 3]]),
        ({"preset": "house rules"}, [[0, 2], [1, 3]]),
        ({"pile_visible": "all"}, [[0, 2], [1, 3]]),
        ({"sides": "solo", "permission": "off"}, [[0], [1], [2], [3]]),
    ],
)
def test_a_lawful_ruleset_of_another_kind_is_no_fault_and_judged(changes, sides):
    rules, seats = record_0()
    rules["play"]["preset"] = changes.pop("preset", "classic@1")
    rules["play"]["ruleset"].update(changes)
    rules["play"]["sides"] = sides
    assert play_fault(rules, seats) is None
    assert can_judge(rules["play"]["ruleset"])


def test_true_is_not_one_in_a_ruleset():
    assert not can_judge({**CLASSIC_1, "draw_count": True})
    assert not can_judge({**CLASSIC_1, "always_frozen": 0})
    assert not can_judge(None)


def break_rules(change):
    rules, seats = record_0()
    change(rules, seats)
    return play_fault(rules, seats)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda r, _: r.update(play=None), "rules.play is not"),
        (lambda r, _: r["play"].pop("seating"), "lacks field 'seating'"),
        (lambda r, _: r["play"].update(more=1), "unknown field 'more'"),
        (lambda r, _: r["play"].update(v=True), "play.v"),
        (lambda r, _: r["play"].update(game="rummy"), "play.game"),
        (lambda r, _: r["play"].update(preset=1), "play.preset"),
        (lambda r, _: r["play"].update(preset="a\nb"), "play.preset"),
        (lambda r, _: r["play"].update(preset="a" * 201), "play.preset"),
        (lambda r, _: r["play"].update(ruleset=[]), "ruleset is not"),
        (lambda r, _: r.update(seats=5), "rules.seats"),
        (lambda r, _: r.update(seats=True), "rules.seats"),
        (lambda r, _: r["play"].update(sides=[[0, 1], [2, 3]]), "play.sides"),
        (lambda r, _: r["play"].update(sides=[[False, 2], [1, 3]]), "play.sides"),
        (lambda r, _: r["play"].update(sides=[[0, 2]]), "play.sides"),
        (lambda r, _: r["deck"].pop(), "rules.deck"),
        (lambda r, _: r["deck"].reverse(), "rules.deck has 'JK' at 0"),
        (lambda r, _: r.update(deck=7), "rules.deck"),
        (lambda r, _: r["steps"].reverse(), "rules.steps"),
        (lambda r, _: r["steps"].pop(), "rules.steps"),
        (lambda r, _: r["steps"][0].update(packet=2), "rules.steps"),
        (lambda r, _: r["steps"][0].update(packet=True), "rules.steps"),
        (lambda r, _: r["steps"][1]["until_not"].reverse(), "rules.steps"),
        (lambda r, _: r.pop("steps"), "rules.steps"),
        (lambda r, _: r["play"]["custody"].pop(), "custody"),
        (lambda r, _: r["play"].update(custody="player"), "custody"),
        (lambda r, _: r["play"]["custody"].__setitem__(1, "nobody"), "custody of seat 1"),
        (lambda r, _: r["play"]["custody"].__setitem__(1, ["site"]), "custody of seat 1"),
        (lambda r, _: r["play"]["custody"].__setitem__(1, "site"), "site of seat 1"),
        (lambda r, _: r["play"]["custody"].__setitem__(0, "site-bot"), "site-bot of seat 0"),
        (lambda r, s: s[2].update(kind="player"), "seat 2"),
        (lambda r, _: r["play"].update(seating=None), "seating"),
        (lambda r, _: r["play"].update(seating={"how": "draw"}), "seating"),
        (lambda r, _: r["play"].update(seating={"how": "given", "game": "g2345678"}), "seating"),
        (lambda r, _: r["play"].update(seating=draw(how="given")), "seating.how"),
        (lambda r, _: r["play"].update(seating=draw(game="short")), "seating.game"),
        (lambda r, _: r["play"].update(seating=draw(game="g2345678\n")), "seating.game"),
        (lambda r, _: r["play"].update(seating=draw(master_record="AB" * 32)), "master_record"),
    ],
)
def test_what_record_0_says_wrong_is_named(change, named):
    assert named in (break_rules(change) or "no fault")


def draw(**changes):
    return {"how": "draw", "game": "g2345678", "master_record": "ab" * 32, **changes}


@pytest.mark.parametrize(
    "change",
    [
        lambda r, _: r["play"].update(preset=""),
        lambda r, _: r["play"].update(preset="é" * 200),
        lambda r, _: r["play"].update(seating=draw()),
        lambda r, _: r["play"]["custody"].__setitem__(1, "site-bot"),
        lambda r, _: r["play"]["custody"].__setitem__(0, "site"),
    ],
)
def test_what_record_0_may_say_is_no_fault(change):
    assert break_rules(change) is None


def test_the_remainder_of_the_jokers_lies_after_the_last_pack():
    deck = deck_of(2, 5)
    assert len(deck) == 109
    assert [index for index, face in enumerate(deck) if face == "JK"] == [52, 53, 106, 107, 108]


def test_steps_follow_the_upcard_and_red_three_fields():
    assert steps_of(13, [], "at_own_first_turn") == [
        {"op": "deal", "count": 13, "packet": 1},
        {"op": "turn", "until_not": []},
    ]
    covered = steps_of(11, ["wild", "red3", "black3"], "before_first_turn")[1]
    assert covered == {
        "op": "turn",
        "until_not": ["2C", "2D", "2H", "2S", "3C", "3D", "3H", "3S", "JK"],
    }


def test_sides_follow_their_word():
    assert sides_of("partners", 6) == [[0, 3], [1, 4], [2, 5]]
    assert sides_of("two_teams_of_three", 6) == [[0, 2, 4], [1, 3, 5]]
    assert sides_of("solo", 3) == [[0], [1], [2]]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(st.sampled_from(sorted(FIELDS)), json_values)
def test_no_value_of_a_field_raises(name, value):
    fault = with_ruleset(**{name: value})
    assert fault is None or isinstance(fault, str)


@given(st.sampled_from(["custody", "game", "preset", "ruleset", "seating", "sides"]), json_values)
def test_no_value_in_play_raises(name, value):
    fault = break_rules(lambda rules, _: rules["play"].update({name: value}))
    assert fault is None or isinstance(fault, str)


@given(st.sampled_from(["deck", "steps", "seats", "play"]), json_values)
def test_no_value_in_rules_raises(name, value):
    assert isinstance(break_rules(lambda rules, _: rules.update({name: value})), str | None)
