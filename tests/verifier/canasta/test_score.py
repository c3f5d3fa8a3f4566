"""What a hand books (R-67 to R-75, R-X14) and the form of a result (6.3)."""

import pytest

from tests.verifier.canasta.positions import position
from verifier.canasta.score import due_result, has_shape, score_lines

NATURAL = {"9": "9C 9C 9D 9D 9H 9H 9S"}
MIXED = {"A": "AC AD AH AS AS 2C 2D JK"}


def lines(**given):
    out, concealed = given.pop("out", None), given.pop("concealed", False)
    play = position(**{"hold": {}, **given})
    play.went_out, play.concealed, play.end = out, concealed, "WENT_OUT"
    return score_lines(play, 0)


def test_every_line_stands_in_its_place_and_zero_lines_are_left_out():
    assert lines(
        hold={2: "KC 4D"},
        melds={0: {**NATURAL, **MIXED, "3": "3C 3C 3S"}},
        red_threes={0: "3D", 2: "3H"},
        out=0,
        concealed=True,
    ) == [
        ("CARDS", 70 + 190 + 15),
        ("NATURAL_CANASTA", 500),
        ("MIXED_CANASTA", 300),
        ("RED_THREES", 200),
        ("OUT", 100),
        ("CONCEALED", 100),
        ("IN_HAND", -15),
    ]
    assert lines() == []


@pytest.mark.parametrize(
    ("reds", "points"),
    [("3D", 100), ("3D 3H", 200), ("3D 3D 3H", 300), ("3D 3D 3H 3H", 800)],
)
def test_red_threes_count_against_a_side_without_a_meld(reds, points):
    assert lines(red_threes={2: reds}, melds={0: {"K": "KC KD KH"}})[1] == ("RED_THREES", points)
    assert lines(red_threes={0: reds}, melds={1: NATURAL}) == [("RED_THREES", -points)]


def test_canastas_of_a_kind_are_summed():
    melds = {0: {**NATURAL, "K": "KC KC KD KD KH KH KS"}}
    assert lines(melds=melds) == [("CARDS", 140), ("NATURAL_CANASTA", 1000)]


def test_four_black_threes_are_five_each_and_no_canasta():
    assert lines(melds={0: {"3": "3C 3C 3S 3S"}}) == [("CARDS", 20)]


def test_held_cards_of_both_partners_count_against_the_side():
    assert lines(hold={0: "JK 2C 3S", 2: "AC TC 7D", 1: "JK"}) == [("IN_HAND", -110)]


def test_the_bonus_belongs_to_the_side_that_went_out():
    assert lines(melds={0: NATURAL}, out=1) == [("CARDS", 70), ("NATURAL_CANASTA", 500)]
    assert ("OUT", 100) in lines(melds={0: NATURAL}, out=2)


def test_the_whole_deck_is_worth_1580_with_red_threes_at_100():
    from verifier.canasta.faces import value
    from verifier.canasta.table import deck_of

    assert sum(map(value, deck_of(2, 4))) + 4 * 100 == 1580


def stated():
    play = position(hold={0: "4C"}, melds={0: NATURAL}, totals=(50, -20))
    play.end, play.went_out = "WENT_OUT", 2
    return {**due_result(play, [0, 0, 3, 0]), "hints": [1, 0, 0, 0]}


def test_the_due_result_adds_up():
    assert stated() == {
        "concealed": False,
        "end": "WENT_OUT",
        "hints": [1, 0, 0, 0],
        "seat": 2,
        "sides": [
            {
                "hand": 665,
                "lines": [["CARDS", 70], ["NATURAL_CANASTA", 500], ["OUT", 100], ["IN_HAND", -5]],
                "total": 715,
            },
            {"hand": 0, "lines": [], "total": -20},
        ],
        "stood_in": [0, 0, 3, 0],
    }
    assert has_shape(stated(), 4, 2)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.pop("hints"),
        lambda r: r.update(more=1),
        lambda r: r.update(concealed=0),
        lambda r: r.update(end=None),
        lambda r: r.update(seat=True),
        lambda r: r.update(seat="2"),
        lambda r: r.update(hints=[0, 0, 0]),
        lambda r: r.update(hints=[0, 0, 0, -1]),
        lambda r: r.update(hints=[0, 0, 0, True]),
        lambda r: r.update(stood_in={}),
        lambda r: r.update(sides=[]),
        lambda r: r.update(sides={}),
        lambda r: r["sides"].pop(),
        lambda r: r["sides"][0].pop("total"),
        lambda r: r["sides"][0].update(total=None),
        lambda r: r["sides"][0].update(hand=False),
        lambda r: r["sides"][0].update(more=0),
        lambda r: r["sides"][0].update(lines=None),
        lambda r: r["sides"][0]["lines"].append(["OUT"]),
        lambda r: r["sides"][0]["lines"].append([1, 1]),
        lambda r: r["sides"][0]["lines"].append(["OUT", "1"]),
        lambda r: r["sides"].__setitem__(0, []),
    ],
)
def test_another_shape_is_seen(change):
    result = stated()
    change(result)
    assert not has_shape(result, 4, 2)


@pytest.mark.parametrize("result", [None, 1, "x", [], True])
def test_what_is_no_object_has_no_shape(result):
    assert not has_shape(result, 4, 2)
