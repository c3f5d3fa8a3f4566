"""The pile: what blocks it, what freezes it, and the doors by which it is taken (R-35 to R-50)."""

from typing import Any

import pytest

from fairdeal.canasta import cards, engine
from tests.canasta.positions import CANASTA, at, broken, do, held, legal, meld, rules

NINES = {"9": "9C 9D 9H"}
HOLD = "QC QD QH 2C JK 8H 4C"


def takes(position):
    return [text for text in legal(position) if text.startswith("take")]


@pytest.mark.parametrize(
    ("top", "code"),
    [("2S", "TOP_WILD"), ("JK", "TOP_WILD"), ("3C", "TOP_BLACK3"), ("3H", "TOP_RED3")],
)
def test_a_blocked_top_card_is_never_taken(top, code):
    position = at("3C 3S 3D 2C 2D QC QD", a=NINES, pile=f"6C {top}")
    text = "take W:2C,2D" if code == "TOP_WILD" else "take 3:3C,3S"
    assert broken(position, text) == (code,)
    assert broken(position, "take Q:QC,QD")[0] == code
    assert takes(position) == []


def test_an_empty_pile_is_not_taken():
    assert broken(at(HOLD, a=NINES), "take Q:QC,QD") == ("PILE_EMPTY",)
    assert takes(at(HOLD, a=NINES)) == []


@pytest.mark.parametrize(
    "text", ["take Q:QC,QD", "take Q:QC,2C", "take Q:QC,JK", "take Q:QC,QD,QH"]
)
def test_an_open_pile_is_taken_with_a_pair_or_a_natural_and_a_wild(text):
    position = at(HOLD, a=NINES, pile="6C QS")
    assert broken(position, text) == ()
    assert text in takes(position)
    after = do(position, text)
    assert meld(after, "Q") == text.count(",") + 2
    assert after.pile == []
    assert "6C" in held(after)


@pytest.mark.parametrize("text", ["take Q", "take Q:QC", "take Q:2C,JK"])
def test_an_open_pile_is_not_taken_with_less(text):
    assert broken(at(HOLD, a=NINES, pile="6C QS"), text)[0] == "TAKE_MODE_NOT_ALLOWED"


def test_an_open_pile_is_taken_onto_a_meld_without_a_card_of_ones_own():
    position = at(HOLD, a=NINES, pile="6C 9S")
    assert "take 9" in takes(position)
    after = do(position, "take 9")
    assert (meld(after, "9"), held(after)) == (4, "2C 4C 6C 8H JK QC QD QH")


def test_own_cards_go_with_the_top_card_onto_a_meld():
    assert broken(at("9S 2C 4C 5C", a=NINES, pile="6C 9S"), "take 9:9S,2C") == ()
    assert broken(at("9S 2C 4C 5C", a=NINES, pile="6C 9S"), "take 9:2C") == ()


def test_a_canasta_takes_the_top_card_unless_it_is_closed_to_the_pile():
    assert broken(at("4C 5C", a={"9": CANASTA}, pile="6C 9S"), "take 9") == ()
    closed = at("4C 5C 9S 9S", a={"9": CANASTA}, pile="6C 9S", lay_on_completed_canasta=False)
    assert broken(closed, "take 9")[0] == "CANASTA_CLOSED"
    assert broken(closed, "take 9:9S,9S") == ()


@pytest.mark.parametrize("freezing", ["2S", "JK", "3D"])
def test_a_wild_or_red_three_anywhere_freezes_the_pile_for_everybody(freezing):
    position = at(HOLD, a={**NINES, "Q": "QC QD QH"}, pile=f"7C {freezing} 5C KD QS")
    assert position.frozen
    for text in ("take Q", "take Q:QC", "take Q:QC,2C"):
        assert broken(position, text)[0] == "FROZEN"
    assert broken(position, "take Q:QC,QD") == ()
    assert broken(position, "take Q:QC,QD,JK") == ()
    assert takes(position)
    assert all("QC,QD" in text or "QC,QH" in text or "QD,QH" in text for text in takes(position))


def test_a_black_three_blocks_and_does_not_freeze():
    assert not at(HOLD, pile="3C 5C QS").frozen
    assert at(HOLD, pile="3C 5C QS", black3_effect="freeze").frozen


def test_a_side_that_has_not_opened_finds_the_pile_frozen():
    position = at("QC QD 2C AS AD AH 4C 5C", pile="6C QS")
    assert broken(position, "take Q:QC,2C;A:AD,AH,AS") == ("FROZEN_UNOPENED",)
    assert broken(position, "take Q:QC,QD;A:AD,AH,AS") == ()
    assert (
        broken(
            at("QC 2C AS AD AH 4C", pile="6C QS", frozen_before_opening=False),
            "take Q:QC,2C;A:AD,AH,AS",
        )
        == ()
    )


def test_taking_the_pile_thaws_it():
    position = do(at(HOLD, a=NINES, pile="2S QS"), "take Q:QC,QD", "discard 8H")
    assert not position.frozen
    assert position.turn == 1
    assert [cards.FACES[card] for card in position.pile] == ["8H"]


def test_an_upcard_of_a_freezing_kind_freezes_until_the_pile_is_taken():
    changes = {"upcard_freeze": ["black3"], "frozen_by_contents": []}
    holdings = ["QC QD KD", "4C 3C", "5C", "6C"]
    position = engine.start(
        rules(**changes),
        holdings=[faces.split() for faces in holdings],
        laid=[[]] * 4,
        up=["3S"],
        stock=["QS", "7C", "8C"],
        first_seat=3,
        totals=(-50, 0),
    )
    assert position.frozen
    position = do(position, "draw", "discard QS")
    assert position.frozen
    assert broken(position, "take Q:QC,QD") == ()
    position = do(position, "take Q:QC,QD", "discard KD", "draw", "discard 3C")
    assert position.pile[0] == cards.NUMBER["KD"]
    assert not position.frozen


def test_a_freezing_kind_that_is_discarded_later_is_no_upcard():
    changes = {"upcard_freeze": ["black3"], "frozen_by_contents": []}
    position = engine.start(
        rules(**changes),
        holdings=[["QC", "QD", "3S", "KD"], ["4C"], ["5C"], ["6C"]],
        laid=[[]] * 4,
        up=["QS"],
        stock=["7C"],
        first_seat=0,
        totals=(-50, 0),
    )
    assert not position.frozen
    position = do(position, "take Q:QC,QD", "discard 3S")
    assert [cards.FACES[card] for card in position.pile] == ["3S"]
    assert not position.frozen


def test_a_pile_can_be_frozen_always():
    position = at(HOLD, a=NINES, pile="6C QS", always_frozen=True)
    assert position.frozen
    assert broken(position, "take Q:QC,2C") == ("FROZEN",)
    assert not at(HOLD, a=NINES, always_frozen=True).frozen


def test_a_pile_can_ask_for_a_pair_always():
    position = at(HOLD, a=NINES, pile="6C 9S", take_unfrozen=["pair"])
    assert broken(position, "take 9") == ("TAKE_MODE_NOT_ALLOWED",)


def test_doors_of_a_frozen_pile_are_those_of_the_ruleset():
    position = at(HOLD, a=NINES, pile="2S 9S", take_frozen=["lay_on_meld"])
    assert broken(position, "take 9") == ()
    position = at(HOLD, a=NINES, pile="2S QS", take_frozen=["natural_wild"])
    assert broken(position, "take Q:QC,2C") == ()
    assert broken(position, "take Q:QC,QD") == ("FROZEN",)


def test_the_first_group_must_use_the_top_card():
    position = at("KC KD KH QC QD 4C", a=NINES, pile="6C QS")
    assert broken(position, "take K:KC,KD,KH") == ("TOP_CARD_NOT_USED",)
    assert all(text.startswith("take Q") for text in takes(position))


def test_the_merged_meld_is_judged():
    position = at("9S JK 4C 5C", a={"9": "9C 9D 2C 2D 2H"}, pile="6C 9S")
    assert broken(position, "take 9:9S,JK") == ("MAX_WILDS",)
    assert broken(position, "take 9") == ()


def test_buried_cards_come_in_and_may_be_used_at_once():
    position = do(at("KH KD QH 4C 5C", a=NINES, pile="QD QS KS"), "take K:KD,KH")
    assert held(position) == "4C 5C QD QH QS"
    assert broken(position, "lay Q:QD,QH,QS") == ()


def test_buried_cards_wait_a_turn_where_the_ruleset_says_so():
    position = at("KH KD QH 4C 5C 6C", a=NINES, pile="QD QS KS", buried_usable_same_turn=False)
    position = do(position, "take K:KD,KH")
    assert broken(position, "lay Q:QD,QH,QS") == ("NOT_IN_HAND",)
    assert broken(position, "lay Q:QD,QS") == ("NOT_IN_HAND", "MIN_SIZE")
    assert broken(position, "discard QD") == ()
    after = do(position, "discard 4C")
    assert after.locked is None


def test_buried_red_threes_go_to_the_table_and_are_not_replaced():
    position = do(at("KH KD 4C 5C", a=NINES, pile="3H 6C 3D KS"), "take K:KD,KH")
    assert [cards.FACES[card] for card in position.red3[0]] == ["3H", "3D"]
    assert held(position) == "4C 5C 6C"
    assert position.stock_left == 20


def test_buried_red_threes_are_replaced_where_the_ruleset_says_so():
    position = at("KH KD 4C", a=NINES, pile="3H KS", stock="3D 7C 8C", red3_from_pile_replaced=True)
    position = do(position, "take K:KD,KH")
    assert held(position) == "4C 7C"
    assert [cards.FACES[card] for card in position.red3[0]] == ["3H", "3D"]
    assert position.stock_left == 1


def test_the_faces_of_the_stock_make_no_take_legal_or_illegal():
    # The last stock card may be a red three: a seat can't know, so it must not matter.
    stocks = ["3D", "7C"]
    positions = [
        at("KH KD 4C", a=NINES, pile="3H KS", stock=stock, red3_from_pile_replaced=True)
        for stock in stocks
    ]
    assert legal(positions[0]) == legal(positions[1])
    assert "take K:KD,KH" in legal(positions[0])
    assert do(positions[0], "take K:KD,KH").end == "NO_LEGAL_COMPLETION"
    assert do(positions[1], "take K:KD,KH").end == ""


def test_a_take_whose_replacements_are_red_threes_and_that_leaves_nothing_is_no_going_out():
    position = at("KH KD", a=NINES, pile="3H 3H KS", stock="3D 3D", red3_from_pile_replaced=True)
    position = do(position, "take K:KD,KH")
    assert (position.end, position.out) == ("NO_LEGAL_COMPLETION", -1)


def test_one_card_may_not_take_a_pile_of_one_card():
    position = at("8H", a={"9": CANASTA}, pile="9S")
    assert broken(position, "take 9") == ("ONE_CARD_HAND_ONE_CARD_PILE",)
    assert broken(at("8H", a={"9": CANASTA}, pile="6C 9S"), "take 9") == ()
    assert broken(at("8H 8D", a={"9": CANASTA}, pile="9S"), "take 9") == ()
    allowed = at("8H", a={"9": CANASTA}, pile="9S", one_card_hand_one_card_pile="allowed")
    assert broken(allowed, "take 9") == ()


def test_no_pile_is_taken_after_a_draw():
    position = at(HOLD, a=NINES, pile="6C QS", phase="play")
    assert broken(position, "take Q:QC,QD") == ("WRONG_PHASE",)


def test_a_wild_top_card_joins_the_wild_meld_with_cards_that_can_be_written():
    open_to_wilds: dict[str, Any] = {
        "wild_melds": "allowed",
        "top_blocks": ["black3", "red3"],
        "frozen_by_contents": ["red3"],
    }
    position = at("2C 4C 5C", a={"W": "2D 2H JK"}, pile="6C 2S", **open_to_wilds)
    assert takes(position) == ["take W:2C"]
    after = do(position, "take W:2C")
    assert (after.naturals[0][11], after.wilds[0][11]) == (0, 5)
