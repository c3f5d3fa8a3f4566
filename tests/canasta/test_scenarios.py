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


def scenario(preset, situation, *steps, **overrides):
    """A scenario of our own: each step an action with its expectation."""
    return {
        "id": "own",
        "preset": preset,
        "overrides": overrides,
        "situation": situation,
        "steps": [{"action": action, "expected": expected} for action, expected in steps],
    }


LEGAL = {"legal": True}
NINES = {"A": {"9": ["9H", "9S", "9D"]}}
OWN = {
    "a black three stays as the upcard": scenario(
        "classic",
        {"phase": "deal", "stock": ["3S", "KD"]},
        ({"type": "turn_upcard"}, {"legal": True, "state": {"pile": ["3S"], "frozen": False}}),
    ),
    "basics covers a black three and leaves the pile open": scenario(
        "basics",
        {"phase": "deal", "stock": ["3S", "KD"]},
        ({"type": "turn_upcard"},
         {"legal": True, "state": {"pile": ["3S", "KD"], "frozen": False}}),
    ),
    "bicycle covers a black three and freezes": scenario(
        "bicycle",
        {"phase": "deal", "stock": ["3S", "KD"]},
        ({"type": "turn_upcard"}, {"legal": True, "state": {"pile": ["3S", "KD"], "frozen": True}}),
    ),
    "bicycle shows red threes at each own first turn": scenario(
        "bicycle",
        {"phase": "deal", "dealer": 3, "hands": {"0": ["3H", "AS"], "1": ["3D", "AD"]},
         "stock": ["3D", "KC", "QD", "4S"]},
        ({"type": "expose_red_threes"}, {"legal": True, "state": {
            "hands": {"0": ["AS", "KC"], "1": ["AD", "QD"]},
            "red_threes": {"A": ["3H", "3D"], "B": ["3D"]}, "stock_left": 1}}),
    ),
    "britannica melds after a last red three and ends without a discard": scenario(
        "britannica",
        {"hands": {"0": ["KH", "KS", "KD", "4H", "5H"]}, "melds": NINES, "stock": ["3H"]},
        ({"type": "draw"}, {"legal": True, "state": {"phase": "play"}}),
        ({"type": "meld", "groups": [{"rank": "K", "cards": ["KH", "KS", "KD"]}]}, LEGAL),
        ({"type": "discard", "card": "4H"},
         {"legal": False, "reason": "NO_DISCARD_AFTER_LAST_RED3"}),
        ({"type": "end_turn_without_discard"},
         {"legal": True, "state": {"end": "LAST_STOCK_RED3"}}),
    ),
    "a turn ends with a discard": scenario(
        "classic",
        {"phase": "play", "hands": {"0": ["KH", "4H"]}, "melds": NINES},
        ({"type": "end_turn_without_discard"}, {"legal": False, "reason": "DISCARD_REQUIRED"}),
    ),
    "the top card must be used": scenario(
        "classic",
        {"hands": {"0": ["KH", "KS", "KD", "4H", "5H"]}, "melds": NINES, "pile": ["6C", "QH"]},
        ({"type": "take_pile", "with": ["KH", "KS", "KD"]},
         {"legal": False, "reason": "TOP_CARD_NOT_USED"}),
    ),
    "partnership plays on after a last red three, if it can": scenario(
        "partnership",
        {"hands": {"0": ["4H"]}, "melds": NINES, "stock": ["3H"]},
        ({"type": "draw"}, {"legal": True, "state": {"end": "NO_LEGAL_COMPLETION"}}),
    ),
    "hoyle forces a pair": scenario(
        "hoyle",
        {"hands": {"0": ["KH", "KS", "4H", "5H"]}, "melds": NINES, "pile": ["6C", "KD"],
         "stock": []},
        ({"type": "draw"}, {"legal": False, "reason": "MUST_TAKE_PILE"}),
    ),
    "tens and wild melds have names of their own": scenario(
        "uruguay",
        {"phase": "play", "hands": {"0": ["10H", "2C", "2D", "JK", "4H", "5H"]},
         "melds": {"A": {"10": ["10S", "10D", "10C"]}}},
        ({"type": "meld", "groups": [{"rank": "10", "cards": ["10H"]},
                                     {"rank": "WILD", "cards": ["2C", "2D", "JK"]}]},
         {"legal": True, "state": {"melds": {"A": {"10": 4, "WILD": 3}},
                                   "meld_kind": {"A": {"WILD": "wild", "10": "natural"}},
                                   "opened": {"A": True, "B": False}}}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_a_scenario_of_our_own_holds(name):
    assert run_one(DOCUMENT, OWN[name]) == []


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
