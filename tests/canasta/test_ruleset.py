"""The ruleset: 71 fields with their values, eight clashes, and the published presets."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from fairdeal.canasta import presets
from fairdeal.canasta.ruleset import Ruleset, clashes, from_json, to_json
from fairdeal.errors import Unprocessable
from fairdeal.game.table import rules_object
from tests.canasta.positions import CLASSIC, rules
from tests.published import VECTORS

DOCUMENT = json.loads((VECTORS.parent / "cases" / "canasta-scenarios.json").read_text("utf-8"))
OBJECT = to_json(CLASSIC)

# One value outside the table for each field; None stands where null is no value.
BAD: dict[str, list[Any]] = {
    "players": [5, 1, 7, "4", 4.0, None],
    "sides": ["pairs", None],
    "decks": [0, 7, True],
    "jokers": [-1, 25],
    "hand_size": [0, 26],
    "draw_count": [0, 5],
    "first_turn": ["dealer"],
    "dealer_rotation": ["none"],
    "upcard_cover": [["red3", "wild"], ["wild", "wild"], ["ace"], "wild", None],
    "upcard_freeze": [["black3", "wild"], {}],
    "red3_initial_when": ["never"],
    "red3_replace_order": ["at_once"],
    "red3_from_pile_replaced": [0, 1, "false", None],
    "red3_last_stock": ["end"],
    "meld_min_size": [2, 8],
    "meld_min_naturals": [0, 8],
    "meld_max_wilds": [-1, 25, "null"],
    "wild_ratio": ["le"],
    "canasta_min_naturals": [-1, 8],
    "meld_max_size": [6, 49],
    "one_meld_per_rank": [False],
    "wild_melds": ["always"],
    "wild_canasta_bonus": [-1, 10_001],
    "wild_meld_extend": ["true"],
    "wild_on_natural_canasta": ["allowed"],
    "incomplete_meld_limit": [0, 13],
    "black3_meld": ["never"],
    "opening_bands": [
        [],
        [[0, 15]],
        [[None, 15], [0, 10]],
        [[None, 15], [0, 50], [0, 90]],
        [[None, 15], [None, 50]],
        [[None, 1001]],
        [[None, -1]],
        [[None, 15, 3]],
        [[None, 15], ["0", 50]],
        [[None, 15]] + [[n, 15] for n in range(8)],
        None,
    ],
    "opening_compare": ["eq"],
    "opening_concealed_exempt": ["pile"],
    "opening_canasta_satisfies": [1],
    "frozen_before_opening": [None],
    "frozen_by_contents": [["wild", "black3", "red3"]],
    "black3_effect": ["none"],
    "always_frozen": ["no"],
    "top_blocks": [["black3", "wild", "red3"]],
    "take_unfrozen": [[], ["lay_on_meld", "pair"]],
    "take_frozen": [[], ["any"]],
    "lay_on_completed_canasta": [2],
    "one_card_hand_one_card_pile": ["maybe"],
    "buried_usable_same_turn": [""],
    "canastas_to_go_out": [-1, 6],
    "go_out_needs_natural": ["yes"],
    "go_out_discard": ["never"],
    "keep_card_guard": ["none"],
    "permission": ["on"],
    "permission_when": ["before_draw"],
    "permission_yes": ["must"],
    "permission_precheck": [None],
    "permission_fail_penalty": [-100, 1001],
    "concealed_scope": ["team"],
    "concealed_needs_own_canasta": [0],
    "concealed_after_pile": [0],
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
    "target": [4, 1_000_001, 0],
    "max_hands": [0, 513],
    "win_rule": ["first"],
    "tie_rule": ["coin"],
    "pile_visible": ["none"],
    "hints": [True],
    "red3_table": [[], [1, 2, 3, 4, 5], [0, 1, 2, 3], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 100_001]],
}


def test_the_table_has_seventy_one_fields():
    assert len(OBJECT) == 71
    assert set(BAD) == set(OBJECT)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in BAD for value in BAD[name]])
def test_a_value_outside_the_table_is_refused_and_named(name, value):
    with pytest.raises(Unprocessable, match=rf"\b{name} must be") as refusal:
        from_json({**OBJECT, name: value})
    assert refusal.value.code == "ruleset_field"
    assert refusal.value.facts["wrong"] == [name]


@pytest.mark.parametrize("name", OBJECT)
def test_a_field_left_out_is_named(name):
    with pytest.raises(Unprocessable, match=f"{name} is missing") as refusal:
        from_json({key: value for key, value in OBJECT.items() if key != name})
    assert refusal.value.facts["missing"] == [name]


def test_a_field_that_there_is_not_is_named():
    with pytest.raises(Unprocessable, match="lucky is no field") as refusal:
        from_json({**OBJECT, "lucky": True})
    assert refusal.value.facts["unknown"] == ["lucky"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opening_bands", [[None, 0]]),
        ("opening_bands", [[None, 15], [-(10**7), 15], [10**7, 1000]]),
        ("upcard_cover", []),
        ("upcard_freeze", ["black3"]),
        ("take_frozen", ["lay_on_meld"]),
        ("red3_table", [0, 100, 300, 500, 1000]),
        ("meld_max_size", 7),
        ("incomplete_meld_limit", 12),
    ],
)
def test_a_value_of_the_table_is_taken(name, value):
    assert to_json(from_json({**OBJECT, name: value}))[name] == value


@pytest.mark.parametrize(
    ("clash", "changes"),
    [
        ("CL-1", {"players": 3, "permission": "off"}),
        ("CL-1", {"players": 2, "permission": "off"}),
        ("CL-1", {"sides": "two_teams_of_three", "permission": "off"}),
        ("CL-2", {"sides": "solo"}),
        ("CL-2", {"players": 6}),
        ("CL-2", {"players": 6, "permission": "required"}),
        ("CL-3", {"target": None}),
        ("CL-4", {"decks": 1, "jokers": 0, "hand_size": 13}),
        ("CL-4", {"decks": 1, "jokers": 2, "hand_size": 14}),
        ("CL-5", {"wild_canasta_bonus": 1}),
        ("CL-5", {"wild_meld_extend": True}),
        ("CL-6", {"meld_min_naturals": 4}),
        ("CL-7", {"go_out_needs_natural": True, "canastas_to_go_out": 0}),
        ("CL-8", {"top_blocks": ["wild", "red3"]}),
        ("CL-8", {"top_blocks": ["wild", "black3"]}),
        ("CL-8", {"top_blocks": ["black3", "red3"]}),
    ],
)
def test_a_clash_is_refused_and_named(clash, changes):
    with pytest.raises(Unprocessable) as refusal:
        rules(**changes)
    assert refusal.value.code == "rules_conflict"
    assert refusal.value.sentence.count("(CL-") == 1
    assert refusal.value.sentence.endswith(f"({clash}).")


def test_every_clash_is_told_at_once():
    found = clashes(replace(CLASSIC, players=3, target=None, wild_canasta_bonus=5))
    assert [sentence[-6:-2] for sentence in found] == ["CL-1", "CL-2", "CL-3", "CL-5"]


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 6, "permission": "off"},
        {"players": 6, "sides": "two_teams_of_three", "permission": "off"},
        {"players": 2, "sides": "solo", "permission": "off"},
        {"target": None, "max_hands": 1},
        {"decks": 1, "jokers": 1, "hand_size": 13},
        {"wild_melds": "allowed", "top_blocks": ["black3", "red3"], "wild_canasta_bonus": 1},
        {"meld_min_naturals": 3},
    ],
)
def test_the_edge_of_a_clash_is_taken(changes):
    assert clashes(rules(**changes)) == ()


@pytest.mark.parametrize(
    ("sides", "players", "seats"),
    [
        ("partners", 4, ((0, 2), (1, 3))),
        ("partners", 6, ((0, 3), (1, 4), (2, 5))),
        ("solo", 3, ((0,), (1,), (2,))),
        ("two_teams_of_three", 6, ((0, 2, 4), (1, 3, 5))),
    ],
)
def test_sides_follow_from_the_ruleset(sides, players, seats):
    assert replace(CLASSIC, sides=sides, players=players).side_seats == seats


def test_classic_is_the_published_object():
    assert json.loads(json.dumps(OBJECT)) == DOCUMENT["rule_fields_default_classic"]


def test_fields_stand_in_the_order_of_the_table_in_the_docs():
    text = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text("utf-8")
    table = text.split("| field | values | classic |")[1].split("###")[0]
    names = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert names == [field.name for field in fields(Ruleset)]


@pytest.mark.parametrize("folder", sorted((VECTORS / "refereed").glob("*/")), ids=lambda p: p.name)
def test_the_rules_of_published_games_are_made_from_the_ruleset(folder):
    lines = (folder / "game.jsonl").read_bytes().split(b"\n", 1)
    published = json.loads(lines[0])["body"]["rules"]
    made = rules_object(CLASSIC, "classic@1", published["play"]["custody"])
    # Some tampered games change record 0 itself: those have another ruleset on purpose.
    if folder.name not in CHANGED:
        assert made == published


CHANGED = {
    folder.name
    for folder in (VECTORS / "refereed").glob("*/")
    if json.loads((folder / "expect.json").read_text("utf-8")).get("error") == "E_SCHEMA"
    and json.loads((folder / "expect.json").read_text("utf-8")).get("at") == 0
}


def test_only_games_that_are_refused_at_record_0_have_other_rules():
    assert len(CHANGED) < 6


def test_overrides_change_single_fields_of_a_preset():
    assert presets.build("classic@1", {"target": 3000}) == replace(CLASSIC, target=3000)


def test_a_preset_or_field_that_there_is_not_is_refused():
    with pytest.raises(Unprocessable) as refusal:
        presets.build("nobody@1")
    assert refusal.value.code == "no_such_preset"
    with pytest.raises(Unprocessable) as refusal:
        presets.build("classic@1", {"lucky": 1})
    assert refusal.value.code == "ruleset_field"
