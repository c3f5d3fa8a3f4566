"""Keeping a card, black threes, and going out with or without a discard (R-51 to R-57, R-X4)."""

import pytest

from tests.canasta.positions import CANASTA, MIXED, at, broken, do, held, legal, meld

TENS = {"T": "TC TD TH"}
NINES = {"9": CANASTA}


def play(hold, a=None, **changes):
    return at(hold, a=a or TENS, phase="play", **changes)


@pytest.mark.parametrize(
    ("hold", "text"),
    [
        ("KC KD KH JK", "lay K:KC,KD,KH"),
        ("KC KD KH JK", "lay K:KC,KD,KH,JK"),
        ("KC KD KH JK", "lay K:KC,KD,KH x JK"),
        ("4C", "discard 4C"),
        ("TS", "lay T:TS"),
    ],
)
def test_without_a_canasta_a_card_must_be_kept(hold, text):
    assert broken(play(hold), text) == ("KEEP_CARD",)
    assert text not in legal(play(hold))


def test_two_cards_left_are_enough_and_one_after_the_discard_too():
    assert broken(play("KC KD KH JK 4C"), "lay K:KC,KD,KH") == ()
    assert broken(play("KC KD KH JK 4C"), "lay K:KC,KD,KH x 4C") == ()
    assert broken(play("4C 5C"), "discard 4C") == ()


@pytest.mark.parametrize(
    ("pile", "code"), [("KH", ("KEEP_CARD",)), ("3H KH", ("KEEP_CARD",)), ("4S KH", ())]
)
def test_a_take_is_judged_with_the_buried_cards_but_not_their_red_threes(pile, code):
    assert broken(at("KC KD 7C", a=TENS, pile=pile), "take K:KC,KD") == code


def test_a_take_that_empties_the_holding_needs_a_canasta():
    assert broken(at("KC KD", a=TENS, pile="KH"), "take K:KC,KD") == ("KEEP_CARD",)
    after = do(at("KC KD", a={"K": "KC KD KS KS"}, pile="KH"), "take K:KC,KD")
    assert (after.end, after.out, meld(after, "K")) == ("WENT_OUT", 0, 7)


def test_the_last_card_may_be_kept_for_a_meld_that_it_completes():
    six = {"K": "KC KC KD KD KH 2C"}
    position = do(play("4C TS KS", six | TENS, situation={"melded_seats": [0]}), "lay T:TS")
    assert held(position) == "4C KS"
    # One card left that is laid on six kings: the canasta that it makes lets the side go out.
    position = play("TS KS", six | TENS)
    assert broken(position, "lay T:TS") == ()
    assert do(position, "lay T:TS", "lay K:KS").end == "WENT_OUT"
    assert broken(play("TS QS", six | TENS), "lay T:TS") == ("KEEP_CARD",)


def test_the_strict_guard_looks_at_each_act_alone():
    six = {"K": "KC KC KD KD KH 2C", **TENS}
    position = play("TS KS", six, keep_card_guard="strict")
    assert broken(position, "lay T:TS") == ("KEEP_CARD",)
    assert broken(position, "lay T:TS;K:KS") == ()
    assert broken(position, "lay K:KS") == ()
    assert broken(play("TS KS", {"9": CANASTA, **TENS}, keep_card_guard="strict"), "lay T:TS") == ()


def test_with_two_canastas_due_each_step_may_look_ahead():
    melds = {"4": "4C 4D 4H 4S 4C 2H", "Q": "QC QD QH QS QC QD"}
    position = play("4D 2C", melds, canastas_to_go_out=2)
    after = do(position, "lay 4:4D", "lay Q:2C")
    assert (after.end, after.out) == ("WENT_OUT", 0)
    strict = play("4D 2C", melds, canastas_to_go_out=2, keep_card_guard="strict")
    assert broken(strict, "lay 4:4D") == ("KEEP_CARD",)
    assert "lay 4:4D;Q:2C" in legal(strict)
    short = {"4": "4C 4D 4H 4S 4C 2H", "Q": "QC QD QH QS QC"}
    assert broken(play("4D 2C", short, canastas_to_go_out=2), "lay 4:4D") == ("KEEP_CARD",)


def test_as_many_canastas_are_needed_as_the_ruleset_says():
    assert broken(play("4C", NINES), "discard 4C") == ()
    assert broken(play("4C", NINES, canastas_to_go_out=2), "discard 4C") == ("KEEP_CARD",)
    both = {**NINES, "8": MIXED}
    assert broken(play("4C", both, canastas_to_go_out=2), "discard 4C") == ()
    assert broken(play("4C", canastas_to_go_out=0), "discard 4C") == ()


def test_a_natural_canasta_may_be_needed():
    mixed = {"8": MIXED}
    assert broken(play("4C", mixed), "discard 4C") == ()
    assert broken(play("4C", mixed, go_out_needs_natural=True), "discard 4C") == ("KEEP_CARD",)
    assert broken(play("4C", NINES, go_out_needs_natural=True), "discard 4C") == ()
    spoiling = play("2C 4C", NINES, go_out_needs_natural=True)
    assert broken(spoiling, "lay 9:2C") == ("KEEP_CARD",)


def test_a_wild_canasta_counts_for_going_out():
    wild = {"W": "2C 2C 2D 2D JK JK JK"}
    position = play("4C", wild, wild_melds="allowed")
    assert broken(position, "discard 4C") == ()


def test_going_out_is_with_or_without_a_discard():
    hold = "KC KD KH 4C"
    assert do(play(hold, NINES), "lay K:KC,KD,KH x 4C").end == "WENT_OUT"
    assert do(play(hold, NINES), "lay K:KC,KD,KH", "discard 4C").end == "WENT_OUT"
    assert do(play("KC KD KH", NINES), "lay K:KC,KD,KH").end == "WENT_OUT"


def test_a_discard_may_be_required_for_going_out():
    position = play("KC KD KH", NINES, go_out_discard="required")
    assert broken(position, "lay K:KC,KD,KH") == ("DISCARD_REQUIRED",)
    assert broken(play("KC KD KH 4C", NINES, go_out_discard="required"), "lay K:KC,KD,KH") == ()
    # The last card must be discarded then, so it cannot be kept for a meld.
    six = {"K": "KC KC KD KD KH 2C", **TENS}
    assert broken(play("TS KS", six, go_out_discard="required"), "lay T:TS") == ("KEEP_CARD",)
    assert broken(at("KC KD", a=NINES, pile="KH", go_out_discard="required"), "take K:KC,KD") == (
        "DISCARD_REQUIRED",
    )


@pytest.mark.parametrize(
    ("hold", "text", "codes"),
    [
        ("3C 3C 3S", "lay 3:3C,3C,3S", ()),
        ("3C 3C 3S 3S 9C", "lay 3:3C,3C,3S,3S", ()),
        ("3C 3C 3S 9C", "lay 3:3C,3C,3S x 9C", ()),
        ("KC KD KH 3C 3C 3S", "lay K:KC,KD,KH;3:3C,3C,3S", ()),
        ("3C 3C 3S 9C QD", "lay 3:3C,3C,3S", ("BLACK3_ONLY_GOING_OUT",)),
        ("3C 3C 3S 9C QD", "lay 3:3C,3C,3S x QD", ("BLACK3_ONLY_GOING_OUT",)),
        ("3C 3S", "lay 3:3C,3S", ("MIN_SIZE",)),
        ("3C 3S 2D", "lay 3:3C,3S,2D", ("BLACK3_NO_WILDS", "MIN_SIZE")),
    ],
)
def test_black_threes_are_melded_only_in_going_out_and_alone(hold, text, codes):
    assert broken(play(hold, NINES), text) == codes


def test_seven_black_threes_are_no_canasta_that_lets_go_out():
    position = play("3C 3C 3C 3C 3S 3S 3S 4C", decks=4)
    assert broken(position, "lay 3:3C,3C,3C,3C,3S,3S,3S x 4C") == ("KEEP_CARD",)


def test_black_threes_need_a_side_that_may_go_out():
    assert broken(play("3C 3C 3S"), "lay 3:3C,3C,3S") == ("KEEP_CARD",)
    assert broken(play("3C 3C 3S 9C"), "lay 3:3C,3C,3S") == ("KEEP_CARD",)


def test_black_threes_may_come_with_a_take_that_goes_out():
    hold = "KC KD 3C 3C 3S"
    text = "take K:KC,KD;3:3C,3C,3S"
    assert broken(at(hold, a=NINES, pile="KH"), text) == ()
    assert broken(at(hold, a=NINES, pile="4C KH"), text) == ()
    assert broken(at(hold, a=NINES, pile="4C 5C KH"), text) == ("BLACK3_ONLY_GOING_OUT",)
    # Buried threes come in too late for the same act.
    assert broken(at("KC KD 3C 3C", a=NINES, pile="3S KH"), text)[0] == "NOT_IN_HAND"


@pytest.mark.parametrize("face", ["3C", "2S", "JK", "4C"])
def test_any_card_but_a_red_three_may_be_the_last_discard(face):
    assert do(play(face, NINES), f"discard {face}").end == "WENT_OUT"


def test_a_red_three_is_never_discarded():
    assert broken(play("3H KS 9D"), "discard 3H") == ("RED3_NOT_DISCARDABLE",)
    assert broken(play("3H KC KD KH 9D"), "lay K:KC,KD,KH x 3H") == ("RED3_NOT_DISCARDABLE",)
    assert broken(play("KS 9D"), "discard 3H")[0] == "NOT_IN_HAND"


def test_the_limit_of_incomplete_melds_refuses_one_more():
    three = {"9": "9C 9D 9H", "8": "8C 8D 8H", "K": "KC KD KH"}
    position = play("5C 5D 5H QC QD", three, incomplete_meld_limit=3)
    assert broken(position, "lay 5:5C,5D,5H") == ("INCOMPLETE_MELD_LIMIT",)
    canasta = {**three, "9": CANASTA}
    assert broken(play("5C 5D 5H QC QD", canasta, incomplete_meld_limit=3), "lay 5:5C,5D,5H") == ()
    assert broken(play("KS QC QD", three, incomplete_meld_limit=3), "lay K:KS") == ()
    taking = at("5C 5D 7C QC QD", a=three, pile="6C 5H", incomplete_meld_limit=3)
    assert broken(taking, "take 5:5C,5D") == ("INCOMPLETE_MELD_LIMIT",)


def test_black_threes_are_exempt_from_the_limit_of_incomplete_melds():
    melds = {"9": CANASTA, "8": "8C 8D 8H"}
    position = play("3C 3C 3S", melds, incomplete_meld_limit=1)
    assert broken(position, "lay 3:3C,3C,3S") == ()


def test_a_set_that_completes_a_canasta_may_pass_the_limit_together():
    # The canasta makes room for the new meld of the same act.
    melds = {"9": "9C 9C 9D 9D 9H 9H", "8": "8C 8D 8H"}
    position = play("9S 5C 5D 5H QC QD", melds, incomplete_meld_limit=2)
    assert broken(position, "lay 5:5C,5D,5H") == ("INCOMPLETE_MELD_LIMIT",)
    assert broken(position, "lay 5:5C,5D,5H;9:9S") == ()


def test_a_locked_card_cannot_be_the_one_that_is_laid_last():
    # The buried king would complete the canasta, but it must wait a turn.
    melds = {"K": "KC KC KD KD KH 2C", **TENS}
    assert broken(at("TS", a=melds, pile="KS TD"), "take T:TS") == ()
    waits = at("TS", a=melds, pile="KS TD", buried_usable_same_turn=False)
    assert broken(waits, "take T:TS") == ("KEEP_CARD",)
