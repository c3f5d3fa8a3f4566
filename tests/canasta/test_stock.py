"""Drawing, the empty stock, the compulsory take, and red threes (R-9 to R-16, R-64 to R-66)."""

from typing import Any

import pytest

from fairdeal.canasta import acts, cards, engine
from tests.canasta.positions import CANASTA, at, broken, do, held, legal

NINES = {"9": "9C 9D 9H"}


def red(position, side=0):
    return [cards.FACES[card] for card in position.red3[side]]


def test_a_draw_takes_the_next_card():
    position = at("KC 4C", stock="5C 6C")
    after, effect = engine.apply(position, 0, acts.Draw())
    assert (held(after), after.stock_left, after.phase) == ("4C 5C KC", 1, "play")
    assert effect == engine.Effect((0,), ())


def test_a_red_three_is_shown_and_replaced_until_another_card_comes():
    position = at("KS 9H", stock="3D 3H 8C 4C")
    after, effect = engine.apply(position, 0, acts.Draw())
    assert (held(after), red(after), after.stock_left) == ("8C 9H KS", ["3D", "3H"], 1)
    assert effect == engine.Effect((0, 1, 2), ("3D", "3H"))


def test_two_cards_are_drawn_where_the_ruleset_says_so():
    after = do(at("KS", stock="3D 8C 3H 4C 5C", draw_count=2), "draw")
    assert (held(after), red(after), after.stock_left) == ("4C 8C KS", ["3D", "3H"], 1)
    # What is left counts as the whole draw (E11, E18).
    assert held(do(at("KS", stock="8C", draw_count=2), "draw")) == "8C KS"
    assert do(at("KS", stock="8C 3D", draw_count=2), "draw").end == ""


def test_one_draws_once_a_turn():
    assert broken(do(at("KS 4C"), "draw"), "draw") == ("WRONG_PHASE",)


@pytest.mark.parametrize("text", ["lay 9:9S", "discard KS", "yes", "show"])
def test_a_turn_begins_with_a_draw_or_a_take(text):
    assert broken(at("KS 9S 4C", a=NINES), text)[0] == "WRONG_PHASE"


def test_only_the_seat_in_turn_acts():
    assert broken(at({0: "KS", 1: "4C"}), "draw", 1) == ("NOT_YOUR_TURN",)


def test_a_hand_that_is_over_takes_no_act():
    position = do(at("4C", a={"9": CANASTA}, phase="play"), "discard 4C")
    assert broken(position, "draw", 0) == ("NOT_YOUR_TURN",)
    assert broken(position, "draw", 1) == ("NOT_YOUR_TURN",)
    assert legal(position) == []


@pytest.mark.parametrize("phase", ["draw", "play"])
def test_the_hand_is_not_ended_while_there_is_stock(phase):
    assert broken(at("KS 4C", phase=phase), "end") == ("WRONG_PHASE",)


def test_an_empty_stock_and_no_take_end_the_hand():
    position = at("4H 5H", a=NINES, pile="6C KH", stock=0)
    assert broken(position, "draw") == ("STOCK_EMPTY",)
    assert legal(position) == ["end"]
    after = do(position, "end")
    assert (after.end, after.out) == ("STOCK_EXHAUSTED", -1)


def test_a_top_card_that_fits_a_meld_must_be_taken():
    position = at("4H 5H", a=NINES, pile="6C 9S", stock=0)
    assert broken(position, "end") == ("MUST_TAKE_PILE",)
    assert broken(position, "draw") == ("STOCK_EMPTY", "MUST_TAKE_PILE")
    assert legal(position) == ["take 9"]


def test_a_pair_from_the_holding_need_not_be_taken():
    position = at("KC KD 4H 5H", a=NINES, pile="6C KH", stock=0)
    assert broken(position, "end") == ()
    assert broken(position, "take K:KC,KD") == ()
    assert broken(
        at("KC KD 4H 5H", a=NINES, pile="6C KH", stock=0, stock_empty="must_if_any"), "end"
    ) == ("MUST_TAKE_PILE",)


def test_a_frozen_pile_is_not_forced_onto_a_meld():
    assert broken(at("4H 5H", a=NINES, pile="2C 9S", stock=0), "end") == ()
    assert broken(at("9D 9H 5H 4H", a=NINES, pile="2C 9S", stock=0), "end") == ()
    assert broken(
        at("9D 9H 5H 4H", a=NINES, pile="2C 9S", stock=0, stock_empty="must_if_any"), "end"
    ) == ("MUST_TAKE_PILE",)


def test_a_take_that_would_strand_the_seat_is_not_forced():
    assert broken(at("8H", a=NINES, pile="9S", stock=0), "end") == ()
    one = at("8H", a={"9": CANASTA}, pile="9S", stock=0)
    assert broken(one, "end") == ()
    assert broken(
        at("8H", a={"9": CANASTA}, pile="9S", stock=0, one_card_hand_one_card_pile="allowed"), "end"
    ) == ("MUST_TAKE_PILE",)


def test_a_closed_canasta_is_not_forced():
    position = at(
        "8H 7H 9S 9S", a={"9": CANASTA}, pile="6C 9D", stock=0, lay_on_completed_canasta=False
    )
    assert broken(position, "end") == ()


@pytest.mark.parametrize("top", ["2C", "3C", "3D", "JK"])
def test_a_blocked_top_card_is_not_forced(top):
    position = at("9S 5H", a=NINES, pile=f"6C {top}", stock=0, stock_empty="must_if_any")
    assert legal(position) == ["end"]


def test_an_empty_pile_is_not_forced():
    assert legal(at("9S 5H", a=NINES, stock=0, stock_empty="must_if_any")) == ["end"]


def test_a_take_may_be_left_to_choice_or_be_impossible_with_an_empty_stock():
    free = at("4H 5H", a=NINES, pile="6C 9S", stock=0, stock_empty="optional")
    assert legal(free) == ["end", "take 9"]
    ended = at("4H 5H", a=NINES, pile="6C 9S", stock=0, stock_empty="end")
    assert legal(ended) == ["end"]
    assert broken(ended, "take 9") == ("STOCK_EMPTY",)
    assert broken(at("4H 5H", a=NINES, pile="6C 9S", stock=1, stock_empty="end"), "take 9") == ()


def test_a_red_three_as_the_last_stock_card_ends_the_hand():
    position = at("KC KD KH 4C 5C", a=NINES, stock="3D")
    after = do(position, "draw")
    assert (after.end, red(after), held(after)) == ("LAST_STOCK_RED3", ["3D"], "4C 5C KC KD KH")


def test_a_red_three_after_a_card_of_the_same_draw_ends_nothing():
    assert do(at("KC", stock="3D 4C"), "draw").end == ""


MELD: dict[str, Any] = {"red3_last_stock": "meld_then_end"}


def test_a_last_red_three_may_leave_the_melds_and_no_discard():
    position = do(at("KC KD KH 4C 5C", a=NINES, stock="3D", **MELD), "draw")
    assert position.end == ""
    assert legal(position) == ["end", "lay K:KC,KD,KH"]
    assert broken(position, "discard 4C") == ("NO_DISCARD_AFTER_LAST_RED3",)
    assert broken(position, "lay K:KC,KD,KH x 4C") == ("NO_DISCARD_AFTER_LAST_RED3",)
    assert do(position, "lay K:KC,KD,KH", "end").end == "LAST_STOCK_RED3"
    # One card may be left over, since the hand is over anyway.
    assert (
        broken(do(at("KC KD KH 4C", a=NINES, stock="3D", **MELD), "draw"), "lay K:KC,KD,KH") == ()
    )


def test_after_a_last_red_three_one_goes_out_only_by_laying():
    canasta = {"9": CANASTA}
    position = do(at("KC KD KH", a=canasta, stock="3D", **MELD), "draw")
    assert do(position, "lay K:KC,KD,KH").end == "WENT_OUT"
    black = do(at("3C 3C 3S 4C", a=canasta, stock="3D", **MELD), "draw")
    assert broken(black, "lay 3:3C,3C,3S") == ("BLACK3_ONLY_GOING_OUT",)
    black = do(at("3C 3C 3S 9S", a=canasta, stock="3D", **MELD), "draw")
    assert broken(black, "lay 3:3C,3C,3S") == ("BLACK3_ONLY_GOING_OUT",)
    assert do(black, "lay 9:9S;3:3C,3C,3S").end == "WENT_OUT"


def test_a_turn_may_go_on_after_a_last_red_three():
    position = do(at("KC KD 4C", a=NINES, stock="3D", red3_last_stock="continue_turn"), "draw")
    assert broken(position, "discard 4C") == ()


def test_a_turn_that_cannot_be_completed_ends_the_hand():
    stuck = do(at("4C", a=NINES, stock="3D", red3_last_stock="continue_turn"), "draw")
    assert stuck.end == "NO_LEGAL_COMPLETION"
    free = do(at("4C", a={"9": CANASTA}, stock="3D", red3_last_stock="continue_turn"), "draw")
    assert free.end == ""
    completing = {"9": "9C 9C 9D 9D 9H 9H"}
    lays = do(at("9S", a=completing, stock="3D", red3_last_stock="continue_turn"), "draw")
    assert legal(lays) == ["ask", "lay 9:9S"]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_answer_that_leaves_no_legal_act_ends_the_hand(answer):
    # One card, the stock at its end: a no forbids to discard it, and nothing else is left.
    changes: dict[str, Any] = {"red3_last_stock": "continue_turn"}
    position = do(at("4C", a={"9": CANASTA}, stock="3D", **changes), "draw")
    assert legal(position) == ["ask", "discard 4C"]
    after = do(position, "ask", answer)
    assert after.end == ("" if answer == "yes" else "NO_LEGAL_COMPLETION")
    assert legal(after) == (["discard 4C"] if answer == "yes" else [])


def test_a_turn_that_may_still_ask_is_not_stuck():
    changes: dict[str, Any] = {"red3_last_stock": "continue_turn", "permission": "required"}
    position = do(at("4C", a={"9": CANASTA}, stock="3D", **changes), "draw")
    assert legal(position) == ["ask"]
    assert do(position, "ask", "yes", "discard 4C").end == "WENT_OUT"
    assert do(position, "ask", "no").end == "NO_LEGAL_COMPLETION"


def test_a_question_that_no_yes_helps_keeps_no_stuck_hand_going():
    changes: dict[str, Any] = {"red3_last_stock": "continue_turn", "permission": "required"}
    position = at("4C", a=NINES, stock="3D", permission_precheck=False, **changes)
    after = do(position, "draw")
    assert (after.end, after.penalties) == ("NO_LEGAL_COMPLETION", [0, 0])


WAIT: dict[str, Any] = {"red3_initial_when": "at_own_first_turn"}


def test_dealt_red_threes_may_wait_for_the_own_first_turn():
    position = at(
        {0: "3H 3D AS", 1: "3H AD"}, stock="3D KC QD 4S 9C", situation={"phase": "deal"}, **WAIT
    )
    assert (position.phase, legal(position)) == ("show", ["show"])
    assert broken(position, "draw") == ("WRONG_PHASE",)
    after, effect = engine.apply(position, 0, acts.Show())
    assert effect == engine.Effect((0, 1, 2), ("3D", "3H", "3D"))
    assert (held(after), after.phase, after.stock_left) == ("AS KC QD", "draw", 2)
    after = do(after, "draw", "discard AS")
    assert (after.turn, legal(after)) == (1, ["show"])
    assert held(do(after, "show"), 1) == "9C AD"


def test_a_seat_without_dealt_red_threes_just_begins():
    position = at({0: "AS", 1: "3H"}, situation={"phase": "deal"}, **WAIT)
    assert position.phase == "draw"
    assert broken(position, "show") == ("WRONG_PHASE",)


def test_red_threes_are_not_shown_where_the_deal_lays_them():
    assert broken(at("AS 4C"), "show") == ("WRONG_PHASE",)


def test_turns_go_clockwise():
    position = at(dict.fromkeys(range(4), "4C 5C"), stock=8)
    for seat in (0, 1, 2, 3, 0):
        assert position.turn == seat
        position = do(position, "draw", "discard 4C")


def test_after_the_last_red_three_nobody_may_ask_where_going_out_needs_a_discard():
    """A going out without a discard is none there (R-56), so no yes could be kept (R-62)."""
    position = at(
        {0: "KC KD KH", 2: "5C AS"}, a={"9": CANASTA}, stock="3D", **MELD, go_out_discard="required"
    )
    position = do(position, "draw")
    assert broken(position, "ask") == ("CANNOT_GO_OUT",)
    assert "ask" not in legal(position)
    assert "end" in legal(position)
