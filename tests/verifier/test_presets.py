"""Which preset a game says it was made from, and where it differs: printed, never an error."""

import json
from pathlib import Path

import pytest

from tests.verifier.forge import check, codes
from tests.verifier.test_refereed import WHOLE, chained, of, records
from verifier.canasta import can_judge, preset_differences
from verifier.canasta.fields import CLASSIC_1, FIELDS
from verifier.canasta.presets import preset_choices, preset_fields, preset_names
from verifier.canasta.table import same_json
from verifier.report import to_json, to_text

CASES = Path(__file__).parents[1] / "cases" / "canasta-scenarios.json"
PRESETS = json.loads(CASES.read_text())["presets"]


def as_published(name):
    """The fields of a preset in the scenario file, where the table of the rules stands too."""
    if name == "classic":
        return dict(CLASSIC_1)
    return {**as_published(PRESETS[name]["base"]), **PRESETS[name]["changes"]}


def test_the_table_holds_the_presets_of_the_rules():
    assert [name.removesuffix("@1") for name in preset_names()] == ["classic", *PRESETS]
    assert len(preset_names()) == 15


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_fixes_what_is_published_of_it(name):
    fields = preset_fields(name)
    published = as_published(name.removesuffix("@1"))
    assert fields is not None
    assert all(same_json(value, published[field]) for field, value in fields.items())
    left_open = FIELDS.keys() - fields.keys()
    assert left_open == ({"hand_size", "red3_all", "target"} if "six" in name else set())
    assert can_judge({**published, **fields})
    assert preset_differences(name, published) == []


def test_every_field_that_differs_is_named_with_both_values():
    changed = {**CLASSIC_1, "draw_count": 2, "meld_max_wilds": None, "always_frozen": True}
    assert preset_differences("classic@1", changed) == [
        ("draw_count", 2, 1),
        ("meld_max_wilds", None, 3),
        ("always_frozen", True, False),
    ]


@pytest.mark.parametrize("name", ["classic", "classic@2", "house rules", ""])
def test_a_name_that_is_not_in_the_table_has_no_differences(name):
    assert preset_differences(name, CLASSIC_1) is None


def printed(report):
    """The line about the rules in both forms."""
    (text,) = (line for line in to_text(report).splitlines() if line.startswith("rules: "))
    (detail,) = (
        made["detail"] for made in json.loads(to_json(report))["checks"] if made["name"] == "preset"
    )
    assert text == f"rules: {detail}"
    return detail


def test_a_game_by_the_table_says_so():
    assert printed(check(WHOLE)) == "classic@1, as this version's table has it"


def test_a_game_by_other_rules_than_its_preset_names_them_and_is_judged():
    changed = records()
    play = of("open", changed)["body"]["rules"]["play"]
    play["ruleset"] |= {"target": 6000, "keep_card_guard": "strict"}
    report = check(chained(changed[:2]))
    assert (report.verdict, codes(report)) == ("INCOMPLETE", [])
    assert {made.status for made in report.checks} <= {"ok", "not-applicable"}
    assert printed(report) == (
        'classic@1, but for keep_card_guard "strict" instead of "lookahead";'
        " target 6000 instead of 5000"
    )


def test_what_a_preset_leaves_to_the_table_has_the_table_s_values():
    table = {**as_published("six-player"), "hand_size": 13, "red3_all": 1000, "target": None}
    assert preset_differences("six-player@1", table) == []
    assert preset_choices("six-player@1", table) == [
        ("hand_size", 13),
        ("red3_all", 1000),
        ("target", None),
    ]
    assert preset_choices("classic@1", CLASSIC_1) == []


@pytest.mark.parametrize("name", ["house rules", "\N{SNOWMAN}", "x" * 200])
def test_a_preset_without_a_table_is_no_error(name):
    changed = records()
    of("open", changed)["body"]["rules"]["play"]["preset"] = name
    report = check(chained(changed[:2]))
    assert codes(report) == []
    assert printed(report) == f"this version has no table of a preset {name!a}"


def test_rules_of_another_version_name_no_preset_and_are_not_run():
    changed = records()
    of("open", changed)["body"]["rules"]["play"] = {"v": 2}
    report = check(chained(changed[:2]))
    assert (report.verdict, codes(report)) == ("INCOMPLETE", [])
    assert printed(report) == "rules of another version"
    assert {made.name for made in report.checks if made.status == "not-run"} == {
        "rules",
        "game end",
    }
