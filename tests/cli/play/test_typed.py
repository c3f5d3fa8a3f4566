"""What a player types is read as they mean it, or they are told what is missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.canasta import acts, cards
from fairdeal.cli.play.typed import LETTERS, Ask, Unclear, Wanted, read

LISTED = (
    "lay 9:9H,9S,2H",
    "lay Q:QC,QD,QH",
    "lay 9:9C",
    "discard 4C",
    "discard 5D",
)


@pytest.mark.parametrize(("letter", "what"), LETTERS.items())
def test_a_letter_and_its_word_ask_the_same(letter, what):
    assert read(letter, LISTED, None) == read(what.upper(), LISTED, None) == Ask(what)


def test_a_number_is_its_line():
    assert read(" 2 ", LISTED, None) == Wanted("lay Q:QC,QD,QH", listed=True)


@pytest.mark.parametrize("line", ["1 2 4", "4, 2, 1", "2+1;4"])
def test_several_numbers_are_one_act(line):
    assert read(line, LISTED, None) == Wanted("lay 9:9H,9S,2H;Q:QC,QD,QH x 4C", listed=False)


def test_numbers_of_one_rank_are_one_meld():
    assert read("1 3", LISTED, None) == Wanted("lay 9:9C,9H,9S,2H", listed=False)


@pytest.mark.parametrize(
    ("line", "act"),
    [
        ("lay 9H 9S 2H; discard 4C", "lay 9:9H,9S,2H x 4C"),
        ("9h 9s 2h then x 4c", "lay 9:9H,9S,2H x 4C"),
        ("lay QC QD QH / 9H 9S 9C", "lay 9:9C,9H,9S;Q:QC,QD,QH"),
        ("lay 2H on 9", "lay 9:2H"),
        ("lay 2H on nines", None),
        ("lay 10: joker", "lay T:JK"),
        ("lay 10h 10d td", "lay T:TD,TD,TH"),
        ("lay jk jh js", "lay J:JH,JS,JK"),
        ("lay 2C 2D JK", "lay W:2C,2D,JK"),
        ("lay 3C 3S 3S", "lay 3:3C,3S,3S"),
        ("lay 9♥ 9♠ 9♦", "lay 9:9D,9H,9S"),
        ("x 4c", "discard 4C"),
        ("discard 10d", "discard TD"),
        ("draw", "draw"),
        ("y", "yes"),
        ("No", "no"),
        ("ask", "ask"),
        ("take 8H 8D", "take 8:8D,8H"),
        ("take", "take 8"),
        ("take 8H 8D; lay QC QD QH", "take 8:8D,8H;Q:QC,QD,QH"),
        ("take 8H; lay 8D", "take 8:8D,8H"),
    ],
)
def test_cards_are_read_as_the_act_that_they_make(line, act):
    found = read(line, LISTED, "8C")
    assert found == Wanted(act, listed=False) if act else isinstance(found, Unclear)


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("", "Type a number"),
        ("7", "no line 7: the last one is 5"),
        ("0", "ask for a hint with h first"),
        ("4 5", "one discard"),
        ("lay", "Say which cards"),
        ("discard", "Say which cards"),
        ("lay 9X", "'9X' is no card"),
        ("lay 2H on Z", "'Z' is no rank"),
        ("draw; discard 4C", "`draw` stands alone"),
        ("take 8H 8D; discard 4C", "Take the pile first"),
        ("give up", "'give' is no card"),
    ],
)
def test_what_is_no_act_is_answered_with_what_is_missing(line, missing):
    found = read(line, LISTED, "8C")
    assert isinstance(found, Unclear)
    assert missing in found.sentence


def test_an_empty_pile_cannot_be_taken():
    assert read("take 8H 8D", (), None) == Unclear("There is no pile to take.")


def test_nought_is_the_hint_once_there_was_one():
    assert read("0", LISTED, None, "discard 5D") == Wanted("discard 5D", listed=True)


@given(st.text(max_size=60))
def test_nothing_that_can_be_typed_breaks_the_reader(line):
    found = read(line, LISTED, "8C", "draw")
    if isinstance(found, Wanted):
        assert acts.format_act(acts.parse(found.act)) == found.act
    elif isinstance(found, Unclear):
        assert found.sentence


@given(st.lists(st.sampled_from(cards.FACES), min_size=1, max_size=12), st.sampled_from(" ,"))
def test_whatever_cards_are_laid_together_make_one_meld_of_just_these(faces, between):
    found = read(f"lay {between.join(faces)}", (), None)
    assert isinstance(found, Wanted)
    act = acts.parse(found.act)
    assert isinstance(act, acts.Lay)
    assert sorted(act.groups[0].cards) == sorted(faces)
