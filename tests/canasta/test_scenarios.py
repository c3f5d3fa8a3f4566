"""The scenarios of tests/cases on the engine, strict on ``legal`` and ``state``."""

import json
from pathlib import Path

import pytest

from fairdeal.cli.scenarios import Mismatch, run, run_one
from fairdeal.errors import MalformedInput

FILE = Path(__file__).resolve().parents[1] / "cases" / "canasta-scenarios.json"
DOCUMENT = json.loads(FILE.read_text("utf-8"))
SCENARIOS = {scenario["id"]: scenario for scenario in DOCUMENT["scenarios"]}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_holds(name):
    assert run_one(DOCUMENT, SCENARIOS[name]) == []


def test_a_whole_file_without_a_difference_gives_none():
    assert run(FILE) == []


def changed(name, at, **expected):
    """A scenario of the file with something else expected of one step."""
    scenario = json.loads(json.dumps(SCENARIOS[name]))
    steps = scenario.get("steps", [scenario])
    steps[at]["expected"].update(expected)
    return scenario


@pytest.mark.parametrize(
    ("name", "at", "expected", "what"),
    [
        ("A01", 2, {"legal": True}, "legal"),
        ("A10", 0, {"legal": False, "reason": "KEEP_CARD"}, "legal"),
        ("A05", 0, {"reason": "KEEP_CARD"}, "reason"),
        ("A01", 0, {"state": {"phase": "play"}}, "phase"),
        ("A06", 1, {"state": {"penalty": {"A": 0}}}, "penalty"),
        ("G05", 0, {"state": {"hand_scores": {"A": 715, "B": 5}}}, "hand_scores"),
        ("G05", 0, {"state": {"end": None}}, "end"),
        ("G05", 0, {"state": {"concealed": True}}, "concealed"),
        ("G05", 0, {"state": {"went_out": 1}}, "went_out"),
        ("G05", 0, {"state": {"melds": {"A": {"9": 7, "K": 3}}}}, "melds"),
        ("G05", 0, {"state": {"opened": {"A": False}}}, "opened"),
        ("M20", 0, {"state": {"meld_kind": {"A": {"9": "natural"}}}}, "meld_kind"),
        ("T12", 0, {"state": {"hand": ["JK"]}}, "hand"),
        ("T12", 0, {"state": {"pile": ["QH"]}}, "pile"),
        ("T12", 0, {"state": {"frozen": True}}, "frozen"),
        ("T46", 0, {"state": {"next_seat": 2}}, "next_seat"),
        ("R02", 0, {"state": {"red_threes": {"A": ["3D"]}}}, "red_threes"),
        ("R02", 0, {"state": {"stock_left": 2}}, "stock_left"),
        ("N02", 0, {"state": {"winner": "A"}}, "winner"),
        ("D10", 0, {"state": {"hands": {"0": ["AS"]}}}, "hands"),
        ("Q01", 0, {"state": {"count": 762}}, "count"),
    ],
)
def test_a_wrong_expectation_is_told(name, at, expected, what):
    told, *_ = run_one(DOCUMENT, changed(name, at, **expected))
    assert (told.scenario, told.step, told.what) == (name, at + 1, what)


def test_a_difference_reads_as_one_line():
    assert str(Mismatch("X1", 2, "end", "WENT_OUT", None)) == (
        "X1 step 2: end is None, due WENT_OUT"
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"action": {"type": "shuffle"}},
        {"situation": {"hands": {"0": ["1X"]}}},
        {"expected": {"legal": True, "state": {"mood": "good"}}},
        {"preset": "nobody-knows"},
        {"action": {}},
    ],
)
def test_a_scenario_outside_the_format_is_refused_by_name(broken):
    with pytest.raises(MalformedInput, match="K03") as refusal:
        run_one(DOCUMENT, {**SCENARIOS["K04"], "id": "K03", **broken})
    assert refusal.value.code == "bad_scenarios"


@pytest.mark.parametrize("text", ["", "[]", "{}", "{"])
def test_a_file_that_holds_no_scenarios_is_refused(tmp_path, text):
    path = tmp_path / "no.json"
    path.write_text(text, "utf-8")
    with pytest.raises(MalformedInput, match=r"no\.json"):
        run(path)
