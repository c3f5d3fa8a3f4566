"""Concealed going out, the score sheet, and the end of the match (R-58, R-59, R-67 to R-80)."""

from typing import Any

import pytest

from fairdeal.canasta import match
from fairdeal.canasta.scoring import LINES, sheet
from tests.canasta.positions import CANASTA, CLASSIC, MIXED, at, do, held, rules

KINGS = "KC KC KD KD KH KH KS"
KINGS_TEXT = "K:KC,KC,KD,KD,KH,KH,KS"


def lines(position, side=0):
    return dict(sheet(position)[side].lines)


def out(hold, *texts, a=None, melded=(), drew="stock", **changes):
    """The position after seat 0 went out."""
    position = at(
        hold, a=a, phase="play", situation={"melded_seats": list(melded), "drew": drew}, **changes
    )
    after = do(position, *texts)
    assert after.end == "WENT_OUT"
    return after


ALL = f"{KINGS} AC AD AH 4H"
LAY_ALL = f"lay {KINGS_TEXT};A:AC,AD,AH x 4H"


def test_a_whole_holding_laid_in_one_turn_with_a_canasta_is_concealed():
    after = out(ALL, LAY_ALL)
    assert after.concealed
    assert lines(after) == {"CARDS": 130, "NATURAL_CANASTA": 500, "OUT": 100, "CONCEALED": 100}


def test_several_acts_of_one_turn_are_concealed_too():
    assert out(ALL, f"lay {KINGS_TEXT}", "lay A:AC,AD,AH", "discard 4H").concealed


def test_a_seat_that_melded_in_an_earlier_turn_is_not_concealed():
    after = out(ALL, LAY_ALL, melded=[0])
    assert not after.concealed
    assert "CONCEALED" not in lines(after)


def test_a_meld_of_an_earlier_turn_of_the_same_hand_spoils_it():
    holdings = {0: f"AC AD AH {KINGS} 4H", 1: "5C 5D", 2: "6C 6D", 3: "7C 7D"}
    position = do(at(holdings, phase="play"), "lay A:AC,AD,AH x 4H")
    for drawn in ("5C", "6C", "7C"):
        position = do(position, "draw", f"discard {drawn}")
    assert position.melded == [True, False, False, False]
    position = do(position, "draw")
    (last,) = set(held(position).split()) - set(KINGS.split())
    position = do(position, f"lay {KINGS_TEXT} x {last}")
    assert (position.end, position.concealed) == ("WENT_OUT", False)


def test_a_meld_of_the_partner_spoils_nothing_by_default_but_adding_to_it_does():
    nines = {"9": "9C 9D 9H"}
    assert out(f"{KINGS} 4H", f"lay {KINGS_TEXT} x 4H", a=nines, melded=[2]).concealed
    assert not out(f"{KINGS} 9S", f"lay 9:9S;{KINGS_TEXT}", a=nines, melded=[2]).concealed
    assert out(
        f"{KINGS} 9S", f"lay 9:9S;{KINGS_TEXT}", a=nines, melded=[2], concealed_lay_on_partner=True
    ).concealed


def test_a_canasta_of_ones_own_is_needed_unless_the_ruleset_says_otherwise():
    nines = {"9": CANASTA}
    assert not out("KC KD KH 4H", "lay K:KC,KD,KH x 4H", a=nines, melded=[2]).concealed
    assert out(
        "KC KD KH 4H", "lay K:KC,KD,KH x 4H", a=nines, melded=[2], concealed_needs_own_canasta=False
    ).concealed


def test_the_side_may_be_what_must_not_have_melded():
    nines = {"9": "9C 9D 9H"}
    text = f"lay {KINGS_TEXT} x 4H"
    assert not out(f"{KINGS} 4H", text, a=nines, melded=[2], concealed_scope="side").concealed
    assert out(f"{KINGS} 4H", text, concealed_scope="side").concealed


def test_a_pile_taken_this_turn_spoils_it_only_where_the_ruleset_says_so():
    hold, text = f"{KINGS} 4H", f"lay {KINGS_TEXT} x 4H"
    assert out(hold, text, drew="pile").concealed
    assert not out(hold, text, drew="pile", concealed_after_pile=False).concealed


def test_the_top_card_of_the_pile_counts_for_a_concealed_canasta():
    after = do(
        at("KC KC KD KD KH KH 4H", pile="KS", situation={"melded_seats": []}),
        "take K:KC,KC,KD,KD,KH,KH",
        "discard 4H",
    )
    assert (after.end, after.concealed) == ("WENT_OUT", True)


def test_going_out_by_a_discard_alone_is_not_concealed():
    assert not out(
        "4H", "discard 4H", a={"9": CANASTA}, melded=[2], concealed_needs_own_canasta=False
    ).concealed


def test_bonuses_are_those_of_the_ruleset():
    after = out(
        ALL,
        LAY_ALL,
        going_out_bonus=10,
        concealed_extra=20,
        natural_canasta=30,
        concealed_canasta_bonus=40,
    )
    assert lines(after) == {
        "CARDS": 130, "NATURAL_CANASTA": 30, "CONCEALED_CANASTA": 40, "OUT": 10, "CONCEALED": 20,
    }  # fmt: skip


def test_a_canasta_counts_as_laid_complete_only_when_all_of_it_came_from_the_holding():
    changes: dict[str, Any] = {"concealed_canasta_bonus": 100}
    assert "CONCEALED_CANASTA" in lines(out(ALL, LAY_ALL, **changes))
    three = {"K": "KS KS KD"}
    grown = at("KC KC KD KH KH 4C 5C", a=three, phase="play", **changes)
    assert "CONCEALED_CANASTA" not in lines(do(grown, "lay K:KC,KC,KD,KH,KH"))
    taken = at("KC KC KD KD KH KH 4C 5C", pile="KS", **changes)
    assert "CONCEALED_CANASTA" not in lines(do(taken, "take K:KC,KC,KD,KD,KH,KH"))
    black = at("3C 3C 3C 3C 3S 3S 3S 4C", a={"9": CANASTA}, phase="play", decks=4, **changes)
    assert "CONCEALED_CANASTA" not in lines(do(black, "lay 3:3C,3C,3C,3C,3S,3S,3S x 4C"))


def test_canastas_are_natural_mixed_or_wild():
    wild = "2C 2C 2D 2D JK JK JK"
    position = at(
        "",
        a={"9": CANASTA, "8": MIXED, "W": wild, "K": "KC KD KH"},
        wild_melds="allowed",
        wild_canasta_bonus=1000,
    )
    assert lines(position) == {
        "CARDS": 70 + 80 + 230 + 30,
        "NATURAL_CANASTA": 500,
        "MIXED_CANASTA": 300,
        "WILD_CANASTA": 1000,
    }


def test_a_canasta_of_more_than_seven_counts_once_and_six_cards_are_none():
    assert lines(at("", a={"9": CANASTA + " 9S"})) == {"CARDS": 80, "NATURAL_CANASTA": 500}
    assert lines(at("", a={"9": "9C 9C 9D 9D 9H 9H"})) == {"CARDS": 60}


def test_black_threes_count_five_each_and_never_make_a_canasta():
    black = {"3": "3C 3C 3C 3C 3S 3S 3S", "9": "9C 9D 9H"}
    assert lines(at("", a=black, decks=4)) == {"CARDS": 35 + 30}


@pytest.mark.parametrize(
    ("faces", "points"), [("3D", 100), ("3D 3H", 200), ("3D 3D 3H", 300), ("3D 3D 3H 3H", 800)]
)
def test_red_threes_count_for_a_side_with_a_meld_and_against_one_without(faces, points):
    assert lines(at("", red={"A": faces})) == {"RED_THREES": -points}
    assert lines(at("", a={"9": "9C 9D 9H"}, red={"A": faces}))["RED_THREES"] == points
    # Nothing of the other side matters.
    assert lines(at("", b={"9": "9C 9D 9H"}, red={"A": faces})) == {"RED_THREES": -points}


def test_black_threes_alone_are_a_meld_for_the_red_ones():
    assert lines(at("", a={"3": "3C 3C 3S"}, red={"A": "3D"}))["RED_THREES"] == 100


def test_red_threes_may_need_a_canasta():
    changes: dict[str, Any] = {"red3_negative_if": "no_canasta"}
    assert lines(at("", a={"9": "9C 9D 9H"}, red={"A": "3D"}, **changes))["RED_THREES"] == -100
    assert lines(at("", a={"9": CANASTA}, red={"A": "3D"}, **changes))["RED_THREES"] == 100


def test_a_table_of_red_threes_stands_for_the_two_figures():
    changes: dict[str, Any] = {"red3_table": [0, 10, 30, 60, 100]}
    for faces, points in (("3D", 10), ("3D 3H", 30), ("3D 3D 3H 3H", 100)):
        assert lines(at("", red={"A": faces}, **changes)) == {"RED_THREES": -points}


def test_all_red_threes_of_three_decks_are_six():
    changes: dict[str, Any] = {"decks": 3, "jokers": 6, "red3_all": 1000}
    four = at("", red={"A": "3D 3D 3H 3H"}, **changes)
    assert lines(four) == {"RED_THREES": -400}
    six = at("", red={"A": "3D 3D 3D 3H 3H 3H"}, **changes)
    assert lines(six) == {"RED_THREES": -1000}


def test_cards_in_hand_count_against_both_partners_also_of_the_side_that_went_out():
    position = at({1: "3S 2C", 2: "JK 3C", 3: "AS 7D"}, a={"9": CANASTA})
    position.out = 0
    assert lines(position) == {"CARDS": 70, "NATURAL_CANASTA": 500, "OUT": 100, "IN_HAND": -55}
    assert lines(position, 1) == {"IN_HAND": -50}


def test_a_red_three_left_in_a_holding_costs_what_the_ruleset_says():
    assert lines(at("3H 4C", red3_unexposed_penalty=500)) == {"IN_HAND": -5, "PENALTY": -500}
    assert lines(at("3H 4C")) == {"IN_HAND": -5}


def test_penalties_are_a_line_of_their_own():
    position = at("")
    position.penalties[0] = 100
    assert lines(position) == {"PENALTY": -100}


def test_lines_come_in_the_published_order_and_add_up():
    position = out(ALL, LAY_ALL, red={"A": "3D"}, concealed_canasta_bonus=5)
    position.penalties[0] = 100
    (mine, other) = sheet(position)
    codes = [code for code, _ in mine.lines]
    assert codes == [code for code in LINES if code in codes]
    assert mine.hand == sum(points for _, points in mine.lines)
    assert other.lines == ()


def test_nobody_who_did_not_go_out_gets_the_bonus():
    position = do(at("4C 5C", stock=0), "end")
    assert lines(position) == {"IN_HAND": -10}
    assert not position.concealed


@pytest.mark.parametrize(
    ("totals", "over", "winner"),
    [
        ((4995, 0), False, 0),
        ((5000, 4800), True, 0),
        ((5100, 5200), True, 1),
        ((5200, 5200), False, None),
        ((5200, 5200, 4000), False, None),
    ],
)
def test_the_match_ends_at_the_target_with_one_highest_total(totals, over, winner):
    assert match.is_over(CLASSIC, totals, 9) == over
    assert match.winner(totals) == winner


def test_an_extra_hand_goes_on_until_the_tie_is_broken():
    assert not match.is_over(CLASSIC, (4900, 4900), 9)
    drawn = rules(tie_rule="draw_unless_agreed")
    assert match.is_over(drawn, (5200, 5200), 9)
    assert not match.is_over(drawn, (4900, 4900), 9)


def test_a_number_of_hands_may_end_the_match():
    short = rules(target=None, max_hands=4)
    assert not match.is_over(short, (9000, 0), 3)
    assert match.is_over(short, (-100, 0), 4)
    assert match.is_over(rules(max_hands=4), (5000, 0), 1)
    assert not match.is_over(short, (700, 700), 4)
    assert match.is_over(rules(target=None, max_hands=4, tie_rule="draw_unless_agreed"), (0, 0), 4)


def test_no_match_is_over_before_its_first_hand():
    assert not match.is_over(rules(target=5), (5, 0), 0)
