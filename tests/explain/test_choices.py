"""What a seat can and cannot do: the doors to the pile, the opening, the headline, the warnings."""

import pytest

from fairdeal.canasta import acts, explain
from fairdeal.canasta.explain.choices import as_json
from fairdeal.canasta.view import knowledge
from tests.canasta.positions import CANASTA, MIXED, at, do, legal

OPEN = {"K": "KC KD KH"}


def doors(position, seat=0):
    return {door.name: door for door in explain.doors(position, seat)}


def codes(position, seat=0):
    return {
        name: door.refusal.code if door.refusal else "open"
        for name, door in doors(position, seat).items()
    }


def cannot(position, seat=0):
    return {(one.kind, one.door): one for one in explain.choices(position, seat).cannot}


# ---------------------------------------------------------------------------- the doors


def test_an_open_pile_shows_all_three_doors_open():
    position = at("9C 9D 2H 5C", a={"9": "9S 9H 9H"}, pile="6C 9S")
    assert codes(position) == {"pair": "open", "natural_wild": "open", "lay_on_meld": "open"}
    assert doors(position)["lay_on_meld"].act == "take 9"
    assert doors(position)["pair"].sentence == "Two nines from your hand take the pile."


def test_each_shut_door_has_its_own_reason():
    position = at("9C 5C 5D", a=OPEN, pile="6C 9S")
    assert codes(position) == {
        "pair": "NOT_IN_HAND",
        "natural_wild": "NOT_IN_HAND",
        "lay_on_meld": "TAKE_MODE_NOT_ALLOWED",
    }
    found = doors(position)
    assert found["pair"].sentence == (
        "A natural pair needs two nines from your hand; you hold one nine."
    )
    assert found["natural_wild"].sentence == (
        "That needs one nine and a wild card; you hold one nine and no wild cards."
    )
    assert found["lay_on_meld"].sentence == (
        "Your side has no meld of nines to lay the top card on."
    )


def test_a_door_that_the_ruleset_lacks_says_which_there_are():
    position = at("9C 2H 5C", a=OPEN, pile="6C 9S", take_unfrozen=["pair", "lay_on_meld"])
    assert doors(position)["natural_wild"].sentence == (
        "In this game a natural and a wild card does not take the pile, only a natural pair "
        "or a meld of your side."
    )


def test_a_frozen_pile_leaves_only_the_pair():
    position = at("9C 9D 2H 5C", a={"9": "9S 9H 9H"}, pile="JK 9S")
    assert codes(position) == {"pair": "open", "natural_wild": "FROZEN", "lay_on_meld": "FROZEN"}
    assert doors(position)["lay_on_meld"].facts == {
        "frozen": True,
        "opened": True,
        "top": "9S",
        "hand": {"naturals": 2, "wilds": 1},
    }


def test_every_door_has_exactly_the_four_facts():
    for position in (at("9C 5C"), at("9C 5C", pile="9S"), at("9C 5C", pile="9S JK")):
        for door in explain.doors(position, 0):
            assert list(door.facts) == ["frozen", "opened", "top", "hand"]


def test_a_door_that_would_open_too_low_names_the_best_total():
    position = at(
        "9H 9S QC QD 2H 3C 4H 5D 6S 8C KS", pile="2C 10C KD 5S 8H 6C 9D", totals=(1640, 905)
    )
    pair = doors(position)["pair"]
    assert pair.sentence == (
        "The most you can lay this turn is 70; your side must open with 90: 20 are missing."
    )
    assert pair.counts == {
        "total": 70,
        "need": 90,
        "missing": 20,
        "best_with": [["9D", "9H", "9S"], ["QC", "QD", "2H"]],
    }
    assert explain.choices(position, 0).headline == pair.sentence


def test_a_door_opens_through_more_groups_when_they_reach_the_minimum():
    position = at("9H 9S QC QD QH 3C 4H 5D", pile="6C 9D")
    assert doors(position)["pair"].act == "take 9:9H,9S;Q:QC,QD,QH"


def test_the_headline_names_the_best_open_door():
    position = at("9C 9D 2H 5C", a={"9": "9S 9H 9H"}, pile="6C 9S")
    assert explain.choices(position, 0).headline == (
        "The top card fits your meld of nines, and so takes the pile."
    )


def test_out_of_turn_a_door_says_what_it_would_do():
    position = at({0: "9C 9D 5C 6C", 1: "4C 4D"}, a=OPEN, pile="6C 9S", situation={"seat": 1})
    pair = doors(position)["pair"]
    assert (pair.open, pair.refusal.code) == (False, "NOT_YOUR_TURN")
    assert pair.sentence == (
        "It is not your turn; if it were, two nines from your hand would take the pile."
    )
    assert doors(position)["lay_on_meld"].refusal.code == "TAKE_MODE_NOT_ALLOWED"
    assert explain.choices(position, 0).can == ()


def test_after_the_draw_every_door_is_shut_by_the_phase():
    position = at("9C 9D 5C", a=OPEN, pile="9S", phase="play")
    assert set(codes(position).values()) == {"WRONG_PHASE"}


def test_the_doors_wait_for_the_red_threes_where_those_wait():
    position = at("9C 9D 3H 5C", a=OPEN, pile="9S", red3_initial_when="at_own_first_turn")
    position.phase = "show"
    pair = doors(position)["pair"]
    assert (pair.refusal.code, pair.remedy) == ("WRONG_PHASE", "show")


# --------------------------------------------------------------------- can and cannot


def test_what_can_be_done_is_what_is_listed():
    position = at("9C 9D 9H 5C 4C", a=OPEN, phase="play", pile="6C")
    assert [one.act for one in explain.choices(position, 0).can] == legal(position)


def test_drawing_says_how_many_are_left():
    position = at("9C 5C", stock=44, pile="6C")
    first = explain.choices(position, 0).can[0]
    assert (first.act, first.sentence) == (
        "draw",
        "Draw one card from the stock, which holds 44 cards.",
    )


def test_before_the_draw_laying_has_the_draw_as_its_remedy():
    position = at("9C 9D 9H 5C 4C", a=OPEN, stock=20, pile="6C")
    lay = cannot(position)["lay", None]
    assert (lay.refusal.code, lay.act, lay.remedy) == ("WRONG_PHASE", "lay 9:9C,9D,9H", "draw")


def test_a_draw_that_could_end_the_hand_is_no_remedy():
    position = at("9C 9D 9H 5C 4C", a=OPEN, stock=4, pile="6C")
    assert cannot(position)["lay", None].remedy is None


def test_a_card_that_may_come_for_a_red_three_is_no_remedy():
    position = at(
        "9C 9D 4D 4H 7C 8C", a=OPEN, pile="3D 9H", stock="4C 8C", red3_from_pile_replaced=True
    )
    act = acts.parse("lay 4:4C,4D,4H")
    assert explain.remedy(knowledge(position, 0), 0, act) is None


def test_a_lay_that_completes_the_canasta_is_the_remedy_for_one_card_left():
    melds = {"K": "KC KD KH KC KD KH"}
    position = at("9C 9D 9H KS", a=melds, phase="play", pile="6C", keep_card_guard="strict")
    act = acts.parse("lay 9:9C,9D,9H")
    assert explain.judge_cards(position, 0, act)[0].code == "KEEP_CARD"
    assert explain.remedy(knowledge(position, 0), 0, act) == "lay K:KS"
    assert explain.judge_cards(do(position, "lay K:KS"), 0, act) == ()


def test_an_opening_that_is_out_of_reach_is_told_once_with_the_best_total():
    position = at("9C 9D 9H 7C 7D 7H 5C 4C", phase="play", pile="6C", totals=(1500, 0))
    shut = [one for one in explain.choices(position, 0).cannot if one.kind == "lay"]
    short = [one for one in shut if one.refusal.code == "OPENING_MINIMUM"]
    assert [one.refusal.sentence for one in short] == [
        "The most you can lay this turn is 45; your side must open with 90: 45 are missing."
    ]
    assert short[0].refusal.facts["best_with"] == [["7C", "7D", "7H"], ["9C", "9D", "9H"]]


def test_a_rank_that_cannot_be_laid_says_why():
    position = at("9C 9D 2H 5C 5D 4C", a={"K": "KC KD KH", "9": "9C 9H 9S 2C 2D JK"}, phase="play")
    shut = [one for one in explain.choices(position, 0).cannot if one.kind == "lay"]
    assert ("lay 4:4C", "MIN_SIZE") in [(one.act, one.refusal.code) for one in shut]


@pytest.mark.parametrize(
    ("melds", "hold", "changes", "sentence"),
    [
        (
            OPEN,
            "9C 9D 9H 5C",
            {},
            "You cannot go out: your side needs one canasta and has no canastas.",
        ),
        (
            {"8": MIXED},
            "9C 9D 9H 5C",
            {"go_out_needs_natural": True},
            "You cannot go out: your side needs a natural canasta and has none.",
        ),
        (
            {"8": MIXED},
            "9C 9D 7H 5C",
            {},
            "You cannot go out: not all your cards can be laid this turn.",
        ),
        (
            {"9": CANASTA},
            "2H 2D 5C",
            {"go_out_needs_natural": True},
            "You cannot go out: not all your cards can be laid this turn.",
        ),
        (
            {"8": MIXED},
            "9C 9D 9H 5C",
            {"permission": "required"},
            "You cannot go out before your partner has said yes.",
        ),
    ],
)
def test_why_one_cannot_go_out_is_told(melds, hold, changes, sentence):
    position = at(hold, a=melds, phase="play", pile="6C", **changes)
    assert cannot(position)["go_out", None].refusal.sentence == sentence


def test_one_whose_partner_said_no_is_told_that():
    position = at({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}, phase="play", pile="6C")
    assert cannot(do(position, "ask", "no"))["go_out", None].refusal.sentence == (
        "You cannot go out this turn: you asked and your partner said no."
    )


def test_one_who_can_go_out_is_not_told_otherwise():
    position = at("9C 9D 9H 5C", a={"8": MIXED}, phase="play", pile="6C")
    assert ("go_out", None) not in cannot(position)


def test_when_the_hand_is_over_nothing_can_be_done_and_that_is_the_reason():
    position = do(at("9C 5C", stock=0), "end")
    found = explain.choices(position, 0)
    assert (found.can, found.headline) == ((), "This hand is over, so nobody is to act.")
    assert {one.refusal.code for one in found.cannot} == {"NOT_YOUR_TURN"}


def test_a_question_is_answered_by_the_partner_alone():
    position = do(at({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}, phase="play", pile="6C"), "ask")
    found = explain.choices(position, 2)
    assert [one.act for one in found.can] == ["yes", "no"]
    assert found.headline == "Your partner asks whether to go out: answer yes or no."
    assert explain.choices(position, 0).can == ()


def test_choices_are_plain_json_with_lower_case_codes():
    found = as_json(explain.choices(at("9C 5C 5D", a=OPEN, pile="6C 9S"), 0))
    first = found["cannot"]
    assert isinstance(first, list)
    pair = first[0]
    assert (pair["kind"], pair["door"], pair["code"]) == ("take", "pair", "not_in_hand")
    assert pair["help"] == "/help/not_in_hand"
    assert set(pair) >= {"act", "sentence", "facts", "counts", "rule", "remedy"}


# ------------------------------------------------------------------------- the opening


def test_the_opening_says_what_is_needed_and_what_can_be_laid():
    position = at("KC KD KH 9C 9D 2H 5C 6C", phase="play", pile="6C", totals=(1500, 0))
    found = explain.choices(position, 0).opening
    assert found is not None
    assert (found.need, found.best, found.act) == (90, 70, "lay 9:9C,9D,2H;K:KC,KD,KH")


def test_a_side_that_has_opened_has_no_opening():
    assert explain.choices(at("KC KD KH", a=OPEN), 0).opening is None


# --------------------------------------------------------------------------- warnings


def warned(position, text, on=explain.WARNINGS):
    return [one.name for one in explain.warnings(knowledge(position, 0), 0, acts.parse(text), on)]


def test_a_wild_card_on_a_natural_canasta_is_warned_of():
    position = at("2H 2D 5C 4C", a={"9": CANASTA}, phase="play", pile="6C")
    assert warned(position, "lay 9:2H") == ["natural_becomes_mixed"]
    assert warned(position, "lay 9:2D,2H") == ["natural_becomes_mixed", "last_wild"]


def test_a_wild_card_on_a_mixed_canasta_is_not():
    position = at("2H 2D 5C 4C", a={"8": MIXED}, phase="play", pile="6C")
    assert warned(position, "lay 8:2H") == []


def test_a_wild_card_on_a_mixed_canasta_of_seven_naturals_is_not():
    position = at("2H 2D 5C 4C", a={"9": CANASTA + " JK"}, phase="play", pile="6C")
    assert warned(position, "lay 9:2H") == []


def test_the_last_wild_card_is_warned_of_when_discarded_too():
    position = at("2H 5C 4C", a=OPEN, phase="play", pile="6C")
    assert warned(position, "discard 2H") == ["last_wild"]


def test_a_discard_that_fits_the_next_sides_meld_is_warned_of():
    position = at("9S 5C 4C", a=OPEN, b={"9": "9C 9D 9H"}, phase="play", pile="6C")
    assert warned(position, "discard 9S") == ["next_side_melded"]
    assert warned(position, "discard 5C") == []


def test_losing_the_right_to_go_out_is_warned_of():
    position = at(
        "2H 2D 5C 4C", a={"9": CANASTA}, phase="play", pile="6C", go_out_needs_natural=True
    )
    assert warned(position, "lay 9:2H") == ["natural_becomes_mixed", "cannot_go_out"]


def test_each_warning_can_be_switched_off_by_name():
    position = at("2H 5C 4C", a={"9": CANASTA}, phase="play", pile="6C")
    assert warned(position, "lay 9:2H", {"last_wild"}) == ["last_wild"]
    assert warned(position, "lay 9:2H", ()) == []
    found = explain.choices(position, 0, warn=())
    assert all(one.warnings == () for one in found.can)
