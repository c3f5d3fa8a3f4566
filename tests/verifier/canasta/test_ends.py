"""The end of a hand: empty stock, the last red three, compulsory takes (R-12, R-64 to R-66)."""

import pytest

from tests.verifier.canasta.positions import do, holding, position, refused, rule

QUEENS = {"Q": "QC QD QS"}
CANASTA = {"9": "9C 9C 9D 9D 9H 9H 9S"}


def test_a_draw_from_an_empty_stock_breaks_its_rule():
    assert rule(position(hold={0: "4H 5H"}, stock=""), "draw") == "STOCK_EMPTY"


def test_the_end_may_be_said_only_with_an_empty_stock_and_before_drawing():
    assert rule(position(hold={0: "4H 5H"}, stock=1), "end") == "WRONG_PHASE"
    assert rule(position(hold={0: "4H 5H"}, stock="", phase="play"), "end") == "WRONG_PHASE"
    play = position(hold={0: "4H 5H"}, stock="", pile="6C KH")
    do(play, "end")
    assert (play.end, play.went_out, play.concealed) == ("STOCK_EXHAUSTED", None, False)
    answer = refused(play, "draw", 0)
    assert answer is not None
    assert answer.code == "E_ACT_TURN"


def test_the_last_stock_card_is_played_like_any_other():
    play = position(hold={0: "4H 5H", 1: "6H"}, stock="7C")
    assert do(play, "draw") == ([0], [])
    assert play.end is None
    do(play, "discard 7C")
    assert play.turn.seat == 1


@pytest.mark.parametrize(
    ("stock", "took", "shown"), [("3H", [0], ["3H"]), ("3D 3H", [0, 1], ["3D", "3H"])]
)
def test_a_draw_that_meets_only_red_threes_ends_the_hand(stock, took, shown):
    play = position(hold={0: "4H 5H"}, stock=stock)
    assert do(play, "draw") == (took, shown)
    assert (play.end, play.went_out) == ("LAST_STOCK_RED3", None)
    assert holding(play, 0) == ["4H", "5H"]


def test_a_red_three_before_the_last_card_does_not_end_the_hand():
    play = position(hold={0: "4H 5H"}, stock="3H 6C")
    assert do(play, "draw") == ([0, 1], ["3H"])
    assert play.end is None
    assert holding(play, 0) == ["4H", "5H", "6C"]


def test_a_red_three_left_as_last_card_ends_the_next_seats_hand():
    play = position(hold={0: "4H 5H", 1: "6H 7H"}, stock="6C 3D")
    do(play, "draw", "discard 6C", "draw")
    assert play.end == "LAST_STOCK_RED3"


def empty_stock(hold="4H 5H", **changes):
    return position(
        **{"hold": {0: hold}, "melds": {0: QUEENS}, "pile": "6C QH", "stock": "", **changes}
    )


def test_a_pile_that_fits_a_meld_must_be_taken():
    play = empty_stock()
    assert rule(play, "end") == "MUST_TAKE_PILE"
    assert rule(play, "take Q") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"pile": "2C 6C QH"},  # frozen by a deuce
        {"pile": "3H 6C QH"},  # frozen by a red three
        {"pile": "6C KH"},  # fits no meld; a pair from the hand is never compulsory
        {"pile": "6C KH", "hold": "KC KD 4H"},
        {"pile": "QH", "hold": "8H"},  # one card each
        {"pile": "6C 3S"},  # blocked
        {"pile": "6C JK"},
        {"pile": ""},
        {"melds": {1: QUEENS}},  # the other side's meld; and this side has not opened
        {"take_unfrozen": ["pair", "natural_wild"]},
        {"stock_empty": "optional"},
    ],
)
def test_no_take_is_compulsory_here(changes):
    assert rule(empty_stock(**changes), "end") is None


def test_a_take_that_leaves_a_card_which_goes_out_is_compulsory_where_one_card_may_take_one():
    one_card = {"one_card_hand_one_card_pile": "allowed", "pile": "QH"}
    assert rule(empty_stock("8H", **one_card), "end") is None, "it would strand the seat"
    melds = {0: {**QUEENS, **CANASTA}}
    assert rule(empty_stock("8H", **one_card, melds=melds), "end") == "MUST_TAKE_PILE"
    six = {0: {"Q": "QC QC QD QD QS 2C"}}
    assert rule(empty_stock("8H", **one_card, melds=six), "end") == "MUST_TAKE_PILE"


def test_a_pile_can_be_taken_when_the_stock_is_empty():
    play = empty_stock("QC QD 4H 5H", pile="2C QH")
    do(play, "take Q:QC,QD", "discard 4H")
    assert play.turn.seat == 1


def test_show_has_no_place_where_red_threes_are_laid_at_the_deal():
    assert rule(position(hold={0: "4H 5H"}), "show") == "WRONG_PHASE"
    assert rule(position(hold={0: "4H 5H"}, phase="play"), "show") == "WRONG_PHASE"


@pytest.mark.parametrize("text", ["draw", "take K:KC,KD", "end"])
def test_nothing_is_drawn_twice(text):
    play = position(hold={0: "KC KD 5H"}, pile="KH", phase="play", stock=20)
    assert rule(play, text) == "WRONG_PHASE"


@pytest.mark.parametrize("text", ["lay K:KC,KD,KH", "discard KC"])
def test_nothing_is_laid_or_discarded_before_the_draw(text):
    assert rule(position(hold={0: "KC KD KH 5H 6H"}), text) == "WRONG_PHASE"
