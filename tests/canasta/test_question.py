"""The question to the partner and what its answer binds (R-60 to R-63, R-X5 to R-X7)."""

import pytest

from tests.canasta.positions import CANASTA, at, broken, do, legal

NINES = {"9": CANASTA}
HOLD = "KC KD KH 4C"


def play(hold=HOLD, a=None, **changes):
    return at({0: hold, 1: "4D 5D", 2: "5C AS", 3: "4S 5S"}, a=a or NINES, phase="play", **changes)


def test_a_question_is_open_until_the_partner_answers():
    position = do(play(), "ask")
    assert (position.turn, position.phase) == (2, "asked")
    assert legal(position) == ["yes", "no"]
    assert broken(position, "discard 5C")[0] == "WRONG_PHASE"
    assert broken(position, "draw") == ("WRONG_PHASE",)
    assert broken(position, "ask") == ("WRONG_PHASE",)
    assert broken(position, "discard 4C", 0) == ("NOT_YOUR_TURN",)
    assert broken(position, "yes", 0) == ("NOT_YOUR_TURN", "NOT_PARTNER")
    assert broken(position, "yes", 1) == ("NOT_YOUR_TURN", "NOT_PARTNER")
    assert do(position, "no").turn == 0


def test_yes_binds_to_going_out():
    position = do(play(), "ask", "yes")
    assert broken(position, "discard 4C") == ("MUST_GO_OUT",)
    assert broken(position, "lay K:KC,KD,KH") == ()
    assert do(position, "lay K:KC,KD,KH x 4C").end == "WENT_OUT"
    assert legal(position) == ["lay K:KC,KD,KH"]


def test_yes_refuses_a_lay_that_spoils_the_going_out():
    # The wild belongs to the queens: on the nines it leaves a pair that goes nowhere.
    position = do(play("QC QD 2C 4C"), "ask", "yes")
    assert broken(position, "lay 9:2C") == ("MUST_GO_OUT",)
    assert broken(position, "lay Q:QC,QD,2C") == ()


def test_yes_may_only_allow():
    position = do(play(permission_yes="may"), "ask", "yes")
    assert broken(position, "discard 4C") == ()


def test_no_binds_to_staying():
    position = do(play("KC KD KH 2C 4C"), "ask", "no")
    assert broken(position, "lay K:KC,KD,KH") == ()
    assert broken(position, "lay K:KC,KD,KH x 2C") == ()
    assert broken(position, "lay K:KC,KD,KH,2C") == ("PARTNER_SAID_NO",)
    position = do(play(), "ask", "no")
    assert broken(position, "lay K:KC,KD,KH") == ("PARTNER_SAID_NO",)
    assert broken(position, "lay K:KC,KD,KH x 4C") == ("PARTNER_SAID_NO",)
    assert broken(position, "discard 4C") == ()


def test_no_holds_for_that_turn_only():
    position = do(play(), "ask", "no", "discard 4C", "draw", "discard 4D", "draw", "discard 5C")
    position = do(position, "draw", "discard 4S", "draw")
    assert position.turn == 0
    assert (position.answer, position.asked) == ("", False)
    assert "ask" in legal(position)


@pytest.mark.parametrize("drew", ["stock", "pile"])
def test_only_a_turn_that_began_with_a_draw_may_ask(drew):
    position = play(situation={"drew": drew})
    assert broken(position, "ask") == (() if drew == "stock" else ("ASK_TOO_LATE",))


def test_asking_is_before_melding_and_once_a_turn_and_after_the_draw():
    position = do(play("KC KD KH QC QD QH 4C"), "lay K:KC,KD,KH")
    assert broken(position, "ask") == ("ASK_TOO_LATE",)
    assert broken(do(play(), "ask", "no"), "ask") == ("ASK_TOO_LATE",)
    assert broken(at(HOLD, a=NINES), "ask") == ("ASK_TOO_LATE",)


def test_who_cannot_go_out_may_not_ask():
    assert broken(play("KC KD 7D 4C"), "ask") == ("CANNOT_GO_OUT",)
    assert broken(play("KC KD KH 4C", {"9": "9C 9D 9H"}), "ask") == ("CANNOT_GO_OUT",)


@pytest.mark.parametrize(
    ("hold", "a", "totals", "legal"),
    [
        ("KC KD 2C 4C", NINES, 0, True),
        ("KC KD 2C 2D 2H JK 4C", NINES, 0, True),
        ("KC KC KD KD KH KH KS 4C", {"T": "TC TD TH"}, 0, True),
        ("4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C", {}, 3200, True),
        ("4C 4C 4D 4D 4H 4H 4S 5C 5D 9C", {}, 3200, False),
        ("KC KC KD KD KH KH 4C", {}, 0, False),
        ("3C 3C 3S 4C", NINES, 0, True),
        ("3C 3S 4C", NINES, 0, False),
        ("2C 2D 2H JK", NINES, 0, True),
        ("2C 2D 2H JK 2S", NINES, 0, False),
        ("4C", NINES, 0, True),
    ],
)
def test_the_precheck_finds_a_going_out_exactly_where_there_is_one(hold, a, totals, legal):
    position = at(
        {0: hold, 2: "5C AS"}, a=a, phase="play", totals=(totals, 0), situation={"melded_seats": []}
    )
    assert broken(position, "ask") == (() if legal else ("CANNOT_GO_OUT",))


def test_without_the_precheck_a_yes_that_cannot_be_kept_costs_points():
    position = do(play("KC KD 7D 4C", permission_precheck=False), "ask", "yes")
    assert position.penalties == [100, 0]
    assert broken(position, "discard 4C") == ()
    kept = do(play(permission_precheck=False), "ask", "yes")
    assert kept.penalties == [0, 0]
    assert broken(kept, "discard 4C") == ("MUST_GO_OUT",)


def test_there_is_no_question_where_the_ruleset_has_none():
    assert broken(play(permission="off"), "ask") == ("PERMISSION_NOT_IN_RULES",)
    assert "ask" not in legal(play(permission="off"))


def test_going_out_without_asking_is_legal():
    assert do(play(), "lay K:KC,KD,KH x 4C").end == "WENT_OUT"


def test_a_question_may_be_required():
    position = play(permission="required")
    assert broken(position, "lay K:KC,KD,KH x 4C") == ("PARTNER_SAID_NO",)
    assert broken(position, "lay K:KC,KD,KH") == ("PARTNER_SAID_NO",)
    position = do(position, "ask", "yes")
    assert do(position, "lay K:KC,KD,KH", "discard 4C").end == "WENT_OUT"
    refused = do(play(permission="required"), "ask", "no")
    assert "KEEP_CARD" not in broken(refused, "discard 4C")


@pytest.mark.parametrize("text", ["yes", "no"])
def test_nobody_answers_where_nobody_asked(text):
    assert broken(play(), text) == ("WRONG_PHASE",)
    assert broken(play(), text, 1) == ("NOT_YOUR_TURN",)
