"""A hand as readable text, one line a turn."""

import random
from pathlib import Path

from fairdeal.canasta import acts
from fairdeal.canasta.gametext import game_text
from fairdeal.canasta.presets import build
from fairdeal.cli import retell
from tests.canasta.positions import CANASTA, at
from tests.explain.games import walk


def told(position, *texts, names=()):
    played, seat = [], position.turn
    for text in texts:
        act = acts.parse(text)
        played.append((2 if isinstance(act, acts.Answer) else seat, act))
        if isinstance(act, acts.Discard) or (isinstance(act, acts.Lay) and act.discard):
            seat = (seat + 1) % 4
    return list(game_text(position, played, names=names))


def test_a_turn_is_one_line_of_words():
    position = at({0: "9C 9D 2H 5C", 1: "4C"}, a={"9": "9S 9H 9H"}, pile="6C 9S", stock="KD QD")
    lines = told(position, "take 9:9C,9D", "lay 9:2H", "discard 5C", "draw")
    assert lines == [
        "Rules: classic@1. Totals: 0 to 0.",
        "Turned up: six of clubs, nine of spades. Seat 0 begins.",
        (
            "  1. Seat 0: takes the pile of two cards under the nine of spades with two nines, "
            "lays one deuce on the nines, discards the five of clubs."
        ),
        "  2. Seat 1: draws.",
    ]


def test_the_question_belongs_to_the_turn_and_the_end_is_scored():
    position = at(
        {0: "KH KS KD 4H", 1: "5C", 2: "4C", 3: "6D"}, a={"9": CANASTA}, phase="play", pile="6C"
    )
    lines = told(
        position, "ask", "yes", "lay K:KD,KH,KS x 4H", names=("North", "East", "South", "West")
    )
    assert lines[2:] == [
        (
            "  1. North: asks to go out, South says yes, lays three kings, "
            "discards the four of hearts."
        ),
        "North goes out.",
        "North and South: +695 (cards +100, natural canasta +500, out +100, in hand -5), now 695.",
        "East and West: -10 (in hand -10), now -10.",
    ]


def test_no_drawn_card_is_told():
    rng = random.Random(61)
    for name in ("classic@1", "bicycle@1", "two-player@1"):
        steps = list(walk(build(name), rng))
        lines = list(game_text(steps[0][0], [(seat, act) for _, seat, act in steps if act]))
        assert len(lines) > 5
        assert not [part for line in lines for part in line.split(", ") if "draws the" in part]


def test_a_transcript_is_told_hand_by_hand():
    game = Path(__file__).resolve().parents[1] / "vectors" / "refereed" / "G01a" / "game.jsonl"
    lines = list(retell.forum(game))
    assert lines[:2] == ["Hand 1.", "Rules: classic@1. Totals: 0 to 0."]
    turns = [line for line in lines if line[:3].strip().isdigit()]
    assert len(turns) > 10
