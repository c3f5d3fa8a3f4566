"""Taking the pile, and the shape of melds (R-18 to R-26, R-35 to R-50, R-X2, R-X11)."""

import pytest

from tests.verifier.canasta.positions import do, holding, meld_sizes, position, refused, rule
from verifier.canasta.pile import is_frozen

NINES = {"9": "9C 9D 9H"}
HOLD = "QC QD QH 2C JK 9C 8H 8S 4C"


def taking(pile, text, *, melds=NINES, hold=HOLD, **changes):
    sides = {0: melds} if melds else {}
    return rule(position(hold={0: hold}, melds=sides, pile=pile, **changes), text)


@pytest.mark.parametrize(
    "text", ["take Q:QC,QD", "take Q:QC,2C", "take Q:QC,QD,JK", "take Q:QC,2C,JK"]
)
def test_an_open_pile_is_taken_with_a_pair_or_a_natural_and_a_wild(text):
    assert taking("6C QS", text) is None


@pytest.mark.parametrize("text", ["take Q", "take Q:QC", "take Q:2C", "take Q:2C,JK"])
def test_an_open_pile_needs_a_way_of_taking(text):
    assert taking("6C QS", text) == "TAKE_MODE_NOT_ALLOWED"


@pytest.mark.parametrize("text", ["take 9", "take 9:9C", "take 9:2C", "take 9:9C,2C,JK"])
def test_the_top_card_goes_on_a_meld_with_any_own_cards(text):
    assert taking("6C 9S", text) is None


def test_a_meld_of_the_other_side_is_no_door():
    play = position(hold={0: HOLD}, melds={0: {"8": "8C 8D 8H"}, 1: NINES}, pile="6C 9S")
    assert rule(play, "take 9") == "TAKE_MODE_NOT_ALLOWED"


@pytest.mark.parametrize("pile", ["2C 9S", "JK 6C 9S", "3H 6C 9S", "6C 3D 5C 9S"])
def test_a_frozen_pile_needs_a_pair_even_onto_a_meld(pile):
    hold = HOLD + " 9D"
    for text in ("take 9", "take 9:9C", "take 9:9C,2C"):
        assert taking(pile, text, hold=hold) == "FROZEN"
    assert taking(pile, "take 9:9C,9D", hold=hold) is None
    assert taking(pile, "take 9:9C,9D,2C,JK", hold=hold) is None


def test_a_black_three_deep_in_the_pile_does_not_freeze():
    assert taking("3S 3C 9S", "take 9") is None
    assert taking("3S 3C 9S", "take 9", black3_effect="freeze") == "FROZEN"


def test_a_side_that_has_not_opened_needs_a_pair():
    aces = "QC QD 2C AC AD AH 4C 5C"
    text = "take Q:QC,2C;A:AC,AD,AH"
    assert taking("6C QS", text, melds=None, hold=aces) == "FROZEN_UNOPENED"
    assert taking("6C QS", "take Q:QC,QD;A:AC,AD,AH", melds=None, hold=aces) is None
    assert taking("2D QS", text, melds=None, hold=aces) == "FROZEN"


def test_the_upcard_freezes_until_the_pile_is_taken():
    play = position(hold={0: "9C 9D 8H 4C"}, melds={0: NINES}, pile="6C 9S", stock=20)
    play.position.upcard_freezes = True
    assert is_frozen(play)
    assert rule(play, "take 9") == "FROZEN"
    do(play, "take 9:9C,9D", "discard 8H")
    assert not is_frozen(play)


def test_a_wild_discard_freezes_and_a_take_thaws():
    play = position(
        hold={0: "2C KD", 1: "5C", 2: "9C 9D 5D 6D", 3: "9S"},
        melds={0: NINES},
        phase="play",
        stock="9H 9S 7C",
    )
    do(play, "discard 2C", "draw", "discard 9H")
    assert is_frozen(play)
    assert rule(play, "take 9") == "FROZEN"
    do(play, "take 9:9C,9D")
    assert not is_frozen(play)
    assert holding(play, 2) == ["2C", "5D", "6D"]
    assert meld_sizes(play, 0) == {"9": 6}


@pytest.mark.parametrize(
    ("top", "text", "code"),
    [
        ("2D", "take W:2C,JK", "TOP_WILD"),
        ("JK", "take W:2C,JK", "TOP_WILD"),
        ("3S", "take 3:3C,3S", "TOP_BLACK3"),
        ("3D", "take 3:3C,3S", "TOP_RED3"),
    ],
)
def test_some_top_cards_are_never_taken(top, text, code):
    assert taking(f"6C {top}", text, hold="3C 3S 2C JK 5C 6C") == code


@pytest.mark.parametrize(
    ("pile", "text"),
    [
        ("", "take Q:QC,QD"),
        ("6C JK", "take Q:QC,QD"),
        ("QS 6C", "take Q:QC,QD"),
        ("6C 9S", "take 8"),
    ],
)
def test_a_take_from_another_pile_is_a_fault_of_the_pile(pile, text):
    play = position(hold={0: HOLD}, melds={0: NINES}, pile=pile)
    answer = refused(play, text)
    assert answer is not None
    assert answer.code == "E_ACT_PILE"


def test_pile_and_cards_are_judged_before_the_phase():
    play = position(hold={0: HOLD}, melds={0: NINES}, pile="", phase="play")
    answer = refused(play, "take Q:QC,QD")
    assert answer is not None
    assert answer.code == "E_ACT_PILE"
    play = position(hold={0: HOLD}, melds={0: NINES}, pile="6C QS", phase="play")
    for text, code in (("take Q:QC,QS", "E_ACT_CARD"), ("take Q:QC,QD", "E_ACT_RULE")):
        answer = refused(play, text)
        assert answer is not None
        assert answer.code == code


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("take Q:QC,QC", "QC"),
        ("take Q:QC,QD;9:9C,9D", "9D"),
        ("take Q:QC,QD;6:6C,6D,6H", "6C, 6D, 6H"),
        ("discard 3H", "3H"),
        ("lay 8:8H,8S,2C x 8H", "8H"),
    ],
)
def test_a_card_not_held_is_named_and_buried_cards_are_not_held(text, missing):
    play = position(hold={0: HOLD}, melds={0: NINES}, pile="6C 6D 6H QS")
    answer = refused(play, text)
    assert answer is not None
    assert answer.code == "E_ACT_CARD"
    assert answer.sentence == f"it does not hold {missing}"


def test_one_card_may_not_take_one_card():
    canasta = {"9": "9C 9C 9D 9D 9H 9H 9S"}
    code = "ONE_CARD_HAND_ONE_CARD_PILE"
    assert taking("9S", "take 9", melds=canasta, hold="8H") == code
    assert taking("6C 9S", "take 9", melds=canasta, hold="8H") is None
    assert taking("9S", "take 9", melds=canasta, hold="8H 7H") is None
    assert taking("3S 9S", "take 9", melds=canasta, hold="8H") is None


def test_the_lowest_copy_moves_and_the_pile_goes_to_the_taker():
    play = position(hold={0: "QC QD 5C 5C 6C"}, melds={0: NINES}, pile="3S 2C QS", stock=20)
    first, second = (card for card in play.position.holdings[0] if play.position.deck[card] == "5C")
    do(play, "take Q:QC,QD", "discard 5C")
    assert play.position.pile == [first]
    assert second in play.position.holdings[0]
    assert holding(play, 0) == ["2C", "3S", "5C", "6C"]


# -------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize(
    ("hold", "text", "code"),
    [
        ("KC KD 4C 5C", "lay K:KC,KD", "MIN_SIZE"),
        ("KC 2C JK 4C 5C", "lay K:KC,2C,JK", "MIN_NATURALS"),
        ("2C 2D JK 4C 5C", "lay K:2C,2D,JK", "MIN_NATURALS"),
        ("2C 2D JK 4C 5C", "lay W:2C,2D,JK", "ALL_WILD_MELD"),
        ("KC KD 2C 2D 2H JK 4C 5C", "lay K:KC,KD,2C,2D,2H,JK", "MAX_WILDS"),
        ("KC KD QH 4C 5C", "lay K:KC,KD,QH", "RANK_MISMATCH"),
        ("KC KD 3C 4C 5C", "lay K:3C,KC,KD", "RANK_MISMATCH"),
        ("2C 2D 9S 4C 5C", "lay W:9S,2C,2D", "RANK_MISMATCH"),
        ("3C 3S 4D 4C 5C", "lay 3:3C,4D,3S", "RANK_MISMATCH"),
        ("3C 3S 2D 4C 5C", "lay 3:3C,3S,2D", "BLACK3_NO_WILDS"),
        ("3C 3S 3H 4C 5C", "lay 3:3C,3H,3S", "RED3_NOT_MELDABLE"),
        ("2C 2D 4C 5C 6C", "lay 9:2C,2D", None),
        ("2C 2D 2H JK 5C 6C", "lay 9:2C,2D,2H,JK", "MAX_WILDS"),
        ("9S 4C 5C", "lay 9:9S", None),
        ("KC KD 2C 2D 2H 4C 5C", "lay K:KC,KD,2C,2D,2H", None),
    ],
)
def test_the_merged_meld_has_a_shape(hold, text, code):
    play = position(hold={0: hold}, melds={0: NINES}, phase="play")
    assert rule(play, text) == code


def test_the_merged_meld_counts_the_wilds_that_lie_there():
    melds = {0: {"9": "9C 9D 2C 2D"}}
    play = position(hold={0: "9H 9S 2H JK 4C 5C"}, melds=melds, phase="play")
    assert rule(play, "lay 9:9H,2H") is None
    assert rule(play, "lay 9:9H,2H,JK") == "MAX_WILDS"
    play = position(hold={0: "9H 2H JK 4C 5C"}, melds=melds, pile="9S")
    assert rule(play, "take 9:9H,2H,JK") == "MAX_WILDS"


def test_a_wild_may_go_on_a_natural_canasta():
    canasta = {0: {"9": "9C 9C 9D 9D 9H 9H 9S"}}
    play = position(hold={0: "2C 4C 5C"}, melds=canasta, phase="play")
    assert rule(play, "lay 9:2C") is None
