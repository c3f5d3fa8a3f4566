"""The question and its answers (R-60 to R-62, R-X5 to R-X7; protocol.md 6.4, 6.7 point 10)."""

import pytest

from tests.verifier.canasta.positions import do, position, refused, rule

CANASTA = {"9": "9C 9C 9D 9D 9H 9H 9S"}


def asking(**changes):
    """Seat 0 has drawn, its side has a canasta, and it can go out with kings and a discard."""
    given = {
        "hold": {0: "KC KD KH 4H", 1: "5C 6C", 2: "4C AS", 3: "4S 7C"},
        "melds": {0: CANASTA},
        "phase": "play",
        "melded": [2],
    }
    return position(**{**given, **changes})


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_only_the_partner_may_act_while_a_question_is_open(seat):
    play = asking()
    do(play, "ask")
    for text in ("yes", "no", "draw", "discard 4H"):
        answer = refused(play, text, seat)
        assert answer is not None
        assert answer.code == "E_ACT_TURN"


@pytest.mark.parametrize("text", ["draw", "take K:KC,KD", "discard 4C", "discard QQ", "ask", "end"])
def test_the_partner_may_do_nothing_but_answer(text):
    play = asking()
    do(play, "ask")
    if text == "discard QQ":
        text = "discard QC"  # a card it does not hold: still the question comes first
    answer = refused(play, text, 2)
    assert answer is not None
    assert (answer.code, answer.rule) == ("E_ACT_RULE", "WRONG_PHASE")


@pytest.mark.parametrize("text", ["yes", "no"])
def test_an_answer_without_a_question_is_the_wrong_phase_or_the_wrong_turn(text):
    play = asking()
    assert rule(play, text) == "WRONG_PHASE"
    for seat in (1, 2, 3):
        answer = refused(play, text, seat)
        assert answer is not None
        assert answer.code == "E_ACT_TURN"


def test_the_asker_goes_on_after_the_answer():
    play = asking()
    do(play, "ask", "yes")
    assert (play.turn.seat, play.turn.phase) == (0, "play")


def test_a_question_is_too_late_before_the_draw():
    assert rule(asking(phase="draw"), "ask") == "ASK_TOO_LATE"


def test_a_question_is_too_late_after_a_take():
    play = asking(
        phase="draw",
        hold={0: "KC KD QC 4H", 1: "5C 6C", 2: "4C AS", 3: "4S 7C"},
        pile="5D KS",
    )
    do(play, "take K:KC,KD")
    assert rule(play, "ask") == "ASK_TOO_LATE"


def test_a_question_is_too_late_after_a_meld():
    play = asking(hold={0: "KC KD KH 9D 4H 5H", 2: "4C"})
    do(play, "lay 9:9D")
    assert rule(play, "ask") == "ASK_TOO_LATE"


def test_a_question_is_put_once_a_turn():
    play = asking()
    do(play, "ask", "no")
    assert rule(play, "ask") == "ASK_TOO_LATE"


def test_a_question_may_be_put_again_in_a_later_turn():
    play = asking(stock=20)
    do(play, "ask", "no", "discard 4H", "draw", "discard 5C", "draw", "discard 4C")
    do(play, "draw", "discard 4S", "draw")
    assert rule(play, "ask") is None


def test_a_seat_that_cannot_go_out_may_not_ask():
    assert rule(asking(hold={0: "KC KD 7H 4H", 2: "4C"}), "ask") == "CANNOT_GO_OUT"
    assert rule(asking(melds={0: {"9": "9C 9C 9D"}}), "ask") == "CANNOT_GO_OUT"


def test_the_precheck_knows_the_exempt_opening():
    hold = {0: "4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C", 2: "6C"}
    play = asking(hold=hold, melds={}, totals=(3200, 0), melded=[])
    assert rule(play, "ask") is None


def test_the_precheck_knows_black_threes_and_wilds():
    melds = {0: {"9": "9C 9C 9D 9D", "K": "KC KD KH"}}
    play = asking(hold={0: "3C 3C 3S 2C 2D JK", 2: "6C"}, melds=melds)
    assert rule(play, "ask") is None, "three wilds make the nines a canasta"
    play = asking(hold={0: "3C 3S 2C 2D JK", 2: "6C"}, melds=melds)
    assert rule(play, "ask") == "CANNOT_GO_OUT", "two black threes can't both go"
    play = asking(hold={0: "3C 2C 2D JK", 2: "6C"}, melds=melds)
    assert rule(play, "ask") is None, "one black three is the discard"


def test_rules_without_a_question_know_none():
    assert rule(asking(permission="off"), "ask") == "PERMISSION_NOT_IN_RULES"


def test_after_yes_a_discard_that_stays_in_is_refused():
    play = asking()
    do(play, "ask", "yes")
    assert rule(play, "discard 4H") == "MUST_GO_OUT"


def test_after_yes_a_meld_that_leaves_no_way_out_is_refused():
    play = asking(
        hold={0: "KC KD KH 2C 4H 4D 5C", 2: "AS"}, melds={0: {**CANASTA, "7": "7C 7D 7H"}}
    )
    do(play, "ask", "yes")
    # The deuce is needed with the fours: K K K, 4 4 2, discard 5.
    assert rule(play, "lay 7:2C") == "MUST_GO_OUT"
    assert rule(play, "lay K:KC,KD,KH x 5C") == "MUST_GO_OUT"
    assert rule(play, "lay K:KC,KD,KH") is None
    do(play, "lay K:KC,KD,KH", "lay 4:4D,4H,2C x 5C")
    assert (play.end, play.went_out) == ("WENT_OUT", 0)


def test_after_no_two_cards_must_stay_after_a_meld_and_one_after_a_discard():
    play = asking(hold={0: "KC KD KH 9D 4H", 2: "AS"})
    do(play, "ask", "no")
    assert rule(play, "lay 9:9D;K:KC,KD,KH") == "PARTNER_SAID_NO"
    assert rule(play, "lay 9:9D;K:KC,KD,KH x 4H") == "PARTNER_SAID_NO"
    assert rule(play, "lay K:KC,KD,KH x 4H") is None
    assert rule(play, "lay K:KC,KD,KH") is None
    do(play, "lay K:KC,KD,KH")
    assert rule(play, "discard 4H") is None
    assert rule(play, "lay 9:9D") == "PARTNER_SAID_NO"
    do(play, "discard 4H")
    assert play.end is None


def test_after_no_the_last_meld_is_refused():
    play = asking(hold={0: "KC KD KH", 2: "AS"})
    do(play, "ask", "no")
    assert rule(play, "lay K:KC,KD,KH") == "PARTNER_SAID_NO"


def test_an_answer_holds_for_its_turn_only():
    play = asking(stock=20)
    do(play, "ask", "no", "discard 4H", "draw", "discard 5C", "draw", "discard 4C")
    do(play, "draw", "discard 4S", "draw", "lay K:KC,KD,KH", "discard 7C")
    assert (play.end, play.went_out) == ("WENT_OUT", 0)


def test_nobody_needs_to_ask():
    play = asking()
    do(play, "lay K:KC,KD,KH x 4H")
    assert (play.end, play.went_out) == ("WENT_OUT", 0)
