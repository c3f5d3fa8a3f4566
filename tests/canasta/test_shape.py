"""The shape of a meld, merged with what lies there (R-18 to R-26, R-47)."""

from typing import Any

import pytest

from tests.canasta.positions import CANASTA, at, broken, do, meld

REST = "4C 5C 6C 7C"


def play(hold, a=None, **changes):
    return at(f"{hold} {REST}", a=a or {"T": "TC TD TH"}, phase="play", **changes)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lay K:KC,KD", "MIN_SIZE"),
        ("lay K:KC,2C,JK", "MIN_NATURALS"),
        ("lay K:KC,KD,2C,2D,2H,JK", "MAX_WILDS"),
        ("lay W:2C,2D,JK", "ALL_WILD_MELD"),
        ("lay K:KC,KD,QH", "RANK_MISMATCH"),
        ("lay W:KC,2D,JK", "RANK_MISMATCH"),
        ("lay 3:2C,JK", "BLACK3_NO_WILDS"),
    ],
)
def test_a_group_of_another_shape_is_no_meld(text, code):
    assert code in broken(play("KC KD QH 2C 2D 2H JK"), text)


@pytest.mark.parametrize(
    "text", ["lay K:KC,KD,KH", "lay K:KC,KD,2C", "lay K:KC,KD,2C,2D,JK", "lay K:KC,KD,KH,JK"]
)
def test_two_naturals_and_up_to_three_wilds_are_a_meld(text):
    assert broken(play("KC KD KH 2C 2D JK"), text) == ()


@pytest.mark.parametrize(("own", "wilds"), [("", 0), ("2C", 1), ("2C,2D", 2), ("2C,2D,JK", 3)])
def test_wilds_join_a_meld_up_to_three_in_all(own, wilds):
    position = play("2C 2D JK KC", {"K": "KC KD KH"})
    if own:
        position = do(position, f"lay K:{own}")
    assert meld(position, "K") == 3 + wilds
    assert (broken(play("2S", {"K": f"KC KD KH {own.replace(',', ' ')}"}), "lay K:2S") == ()) == (
        wilds < 3
    )


def test_naturals_join_a_meld_that_is_full_of_wilds():
    assert broken(play("KC", {"K": "KD KH 2C 2D JK"}), "lay K:KC") == ()


def test_a_group_of_a_rank_already_melded_joins_that_meld():
    assert meld(do(play("KC KD KH", {"K": "KC KD KS"}), "lay K:KC,KD,KH"), "K") == 6


def test_one_card_joins_a_meld_and_makes_none():
    assert broken(play("TC"), "lay T:TC") == ()
    assert broken(play("KC"), "lay K:KC") == ("MIN_SIZE", "MIN_NATURALS")


@pytest.mark.parametrize(
    ("ratio", "text", "legal"),
    [
        ("free", "lay K:KC,KD,2C,2D,2H", True),
        ("le_naturals", "lay K:KC,KD,2C,2D,2H", False),
        ("le_naturals", "lay K:KC,KD,2C,2D", True),
        ("lt_naturals", "lay K:KC,KD,2C,2D", False),
        ("lt_naturals", "lay K:KC,KD,2C", True),
    ],
)
def test_wilds_are_weighed_against_naturals(ratio, text, legal):
    assert broken(play("KC KD 2C 2D 2H", wild_ratio=ratio), text) == (
        () if legal else ("WILD_RATIO",)
    )


def test_a_canasta_needs_its_naturals():
    position = play("KC KD KH 2C 2D 2H JK", meld_max_wilds=None, canasta_min_naturals=4)
    assert broken(position, "lay K:KC,KD,KH,2C,2D,2H,JK") == ("CANASTA_MIN_NATURALS",)
    assert broken(position, "lay K:KC,KD,KH,2C,2D,2H") == ()


def test_a_wild_on_a_natural_canasta_spoils_it_or_is_forbidden():
    assert broken(play("2C", {"9": CANASTA}), "lay 9:2C") == ()
    forbidden = play("2C 9S", {"9": CANASTA}, wild_on_natural_canasta="forbidden")
    assert broken(forbidden, "lay 9:2C") == ("CANASTA_CLOSED",)
    assert broken(forbidden, "lay 9:9S") == ()


def test_a_meld_ends_at_its_largest_size():
    full = play("9S 9S", {"9": CANASTA}, meld_max_size=8)
    assert broken(full, "lay 9:9S") == ()
    assert broken(full, "lay 9:9S,9S") == ("CANASTA_CLOSED",)


WILD: dict[str, Any] = {"wild_melds": "allowed", "wild_canasta_bonus": 1000}


@pytest.mark.parametrize(
    ("a", "text", "changes", "code"),
    [
        ("", "lay W:2C,2D,JK", WILD, ()),
        ("", "lay W:2C,2D", WILD, ("MIN_SIZE",)),
        ("2C 2C 2D 2D 2H JK", "lay W:2D", WILD, ()),
        ("2C 2C 2D 2D 2H JK JK", "lay W:2D", WILD, ("WILD_MELD_FULL",)),
        ("2C 2C 2D 2D 2H JK JK", "lay W:2D", {**WILD, "wild_meld_extend": True}, ()),
        (
            "2C 2C 2D 2D 2H JK JK",
            "lay W:2D",
            {**WILD, "wild_meld_extend": True, "meld_max_size": 7},
            ("CANASTA_CLOSED",),
        ),
    ],
)
def test_a_wild_meld_where_it_is_allowed(a, text, changes, code):
    melds = {"T": "TC TD TH", **({"W": a} if a else {})}
    assert broken(play("2C 2D JK", melds, **changes), text) == code


def test_red_threes_are_never_melded():
    assert broken(play("3D 3H 3H"), "lay 3:3D,3H,3H")[0] == "RED3_NOT_MELDABLE"


def test_an_act_with_a_wrong_rank_names_its_other_faults_too():
    position = play("KC QD")
    assert broken(position, "lay K:KC,QD") == ("RANK_MISMATCH", "MIN_SIZE")


def test_cards_must_be_held_as_often_as_they_are_used():
    assert broken(play("KC KD KH"), "lay K:KC,KC,KD") == ("NOT_IN_HAND",)
    assert broken(play("KC KC KD"), "lay K:KC,KC,KD") == ()
    assert broken(play("KC KD KH"), "lay K:KC,KD,KH x KC") == ("NOT_IN_HAND",)


def test_an_act_names_every_rule_that_it_breaks():
    position = at("KC 2C 2D", a={}, phase="play", totals=(1500, 0))
    assert broken(position, "lay K:KC,2C,2D") == ("MIN_NATURALS", "OPENING_MINIMUM", "KEEP_CARD")
