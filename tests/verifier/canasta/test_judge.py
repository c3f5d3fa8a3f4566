"""A hand judged whole: which fault comes first, where it stands, which totals go on (6.4)."""

import copy
import dataclasses
from typing import Any

import pytest

from tests.verifier.canasta.transcripts import judged_hands
from verifier.canasta import judge_hand

STOOD_IN = [13, 0, 0, 0]


@pytest.fixture
def hand():
    """An honest hand: a draw that meets a red three, takes, a going out, acts of a stand-in."""
    given = judged_hands("G03a")[0].given
    acts: list[tuple[int, Any]] = [(at, copy.deepcopy(body)) for at, body in given.acts]
    given = dataclasses.replace(
        given, acts=acts, ending=copy.deepcopy(given.ending), totals=[70, -35]
    )
    mine = [body for _, body in acts if body["seat"] == 0]
    for body in mine[: STOOD_IN[0]]:
        body["by"] = "stand-in"
    given.ending[2]["result"]["stood_in"] = list(STOOD_IN)
    assert any(body["shown"] for _, body in given.acts)
    assert any(body["act"].startswith("take") for _, body in given.acts)
    return given


def with_result(hand, change):
    """The hand with its totals set to what is due, and then a change made to the result."""
    at, kind, body = copy.deepcopy(hand.ending)
    for side, total in zip(body["result"]["sides"], hand.totals, strict=True):
        side["total"] = total + side["hand"]
    change(body["result"])
    return dataclasses.replace(hand, ending=(at, kind, body))


def first(outcome):
    """Code, place and rule of the one fault."""
    (fault,) = outcome.faults
    assert fault.detail
    return fault.code, fault.at, fault.rule


def test_totals_go_on_from_those_before(hand):
    outcome = judge_hand(with_result(hand, lambda result: None))
    assert outcome.faults == []
    due = [side["hand"] for side in hand.ending[2]["result"]["sides"]]
    assert outcome.totals == [70 + due[0], -35 + due[1]]
    assert outcome.scored


def test_a_wrong_total_alone_is_named_as_such_and_goes_on(hand):
    outcome = judge_hand(hand)  # it still has the totals of a first hand
    assert first(outcome) == ("E_SCORE_TOTAL", hand.ending[0], None)
    assert outcome.totals == [side["total"] for side in hand.ending[2]["result"]["sides"]]


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["sides"][0]["lines"].reverse(),
        lambda r: r["sides"][0]["lines"].append(["PENALTY", 0]),
        lambda r: r["sides"][0]["lines"].pop(),
        lambda r: r["sides"][0].update(hand=0),
        lambda r: r["sides"].reverse(),
        lambda r: r.update(concealed=not r["concealed"]),
        lambda r: r.update(seat=(r["seat"] + 2) % 4),
        lambda r: r.update(seat=None),
        lambda r: r.update(stood_in=[0, 0, 0, 0]),
        lambda r: r.update(hints=[0, 0, 0]),
        lambda r: r.update(hints=None),
        lambda r: r.update(hints=[True, 0, 0, 0]),
        lambda r: r.update(more=None),
        lambda r: (r["sides"][1].update(total=7), r["sides"][0]["lines"].pop()),
        lambda r: r["sides"][1].update(total="7"),
    ],
)
def test_any_other_difference_is_a_fault_of_the_lines(hand, change):
    changed = with_result(hand, change)
    assert first(judge_hand(changed)) == ("E_SCORE_LINES", hand.ending[0], None)


def test_hints_are_the_servers_word(hand):
    assert judge_hand(with_result(hand, lambda r: r.update(hints=[9, 8, 7, 6]))).faults == []


def test_a_result_of_another_shape_leaves_the_totals_before(hand):
    outcome = judge_hand(with_result(hand, lambda result: result.pop("hints")))
    assert outcome.totals == [70, -35]
    assert outcome.scored


@pytest.mark.parametrize("end", ["STOCK_EXHAUSTED", "LAST_STOCK_RED3", "", None, [], True])
def test_another_end_is_named(hand, end):
    changed = with_result(hand, lambda result: result.update(end=end))
    assert first(judge_hand(changed)) == ("E_HAND_END", hand.ending[0], None)


@pytest.mark.parametrize("result", [None, 7, "WENT_OUT", [], {}])
def test_an_absent_end_is_named(hand, result):
    at, kind, body = hand.ending
    changed = dataclasses.replace(hand, ending=(at, kind, {**body, "result": result}))
    outcome = judge_hand(changed)
    assert first(outcome) == ("E_HAND_END", at, None)
    assert outcome.totals == [70, -35]


def test_a_score_before_the_end_is_named(hand):
    changed = dataclasses.replace(hand, acts=hand.acts[:-1])
    assert first(judge_hand(changed)) == ("E_HAND_END", hand.ending[0], None)


def aborted(hand, acts):
    at, _, _ = hand.ending
    ending = (at, "abort", {"hand": 1, "reason": "rain"})
    return judge_hand(dataclasses.replace(hand, acts=acts, ending=ending))


def test_an_abort_of_a_hand_that_has_ended_is_named_and_totals_stand(hand):
    outcome = aborted(hand, hand.acts)
    assert first(outcome) == ("E_HAND_END", hand.ending[0], None)
    assert (outcome.totals, outcome.scored) == ([70, -35], False)


@pytest.mark.parametrize("acts", [0, 1, 40])
def test_an_abort_before_the_end_is_no_fault(hand, acts):
    outcome = aborted(hand, hand.acts[:acts])
    assert (outcome.faults, outcome.totals, outcome.scored) == ([], [70, -35], False)


def test_the_acts_of_an_aborted_hand_are_judged(hand):
    acts = hand.acts[:40]
    acts[7][1]["took"] = [99]
    assert first(aborted(hand, acts))[:2] == ("E_DRAW_ORDER", acts[7][0])


def changed_act(hand, index, **changes):
    hand.acts[index][1].update(changes)
    return first(judge_hand(hand))


def index_of(hand, fits):
    return next(i for i, (_, body) in enumerate(hand.acts) if fits(body))


@pytest.mark.parametrize("took", [[], [1], [0, 1], [False], [-1]])
def test_a_draw_takes_the_next_positions(hand, took):
    index = index_of(hand, lambda body: body["act"] == "draw")
    assert hand.acts[index][1]["took"] == [0]
    assert changed_act(hand, index, took=took) == ("E_DRAW_ORDER", hand.acts[index][0], None)


def test_a_discard_takes_nothing(hand):
    index = index_of(hand, lambda body: body["act"].startswith("discard"))
    assert changed_act(hand, index, took=[1])[0] == "E_DRAW_ORDER"


@pytest.mark.parametrize("shown", [[], ["3D"], ["3H"], ["3D", "3H"], ["3C"]])
def test_red_threes_are_shown_as_drawn(hand, shown):
    index = index_of(hand, lambda body: body["act"] == "draw" and body["shown"])
    assert len(hand.acts[index][1]["took"]) == 2
    if hand.acts[index][1]["shown"] == shown:
        hand.acts[index][1]["took"] = hand.acts[index][1]["took"][:1]
        assert changed_act(hand, index, shown=shown)[0] == "E_DRAW_ORDER"
    else:
        assert changed_act(hand, index, shown=shown)[0] == "E_ACT_RED_THREE"


def test_an_act_that_shows_what_it_did_not_lay_is_named(hand):
    index = index_of(hand, lambda body: body["act"].startswith("discard"))
    assert changed_act(hand, index, shown=["3H"])[0] == "E_ACT_RED_THREE"


@pytest.mark.parametrize("seat", [0, 2, 3, 4, 99])
def test_another_seat_is_out_of_turn(hand, seat):
    assert hand.acts[0][1]["seat"] == 1
    assert changed_act(hand, 0, seat=seat) == ("E_ACT_TURN", hand.acts[0][0], None)


def test_the_form_is_judged_before_the_turn(hand):
    assert changed_act(hand, 0, seat=99, act="pass")[0] == "E_ACT_FORM"


def test_the_turn_is_judged_before_pile_and_cards(hand):
    assert changed_act(hand, 0, seat=3, act="take 4")[0] == "E_ACT_TURN"


def test_an_act_after_the_end_is_out_of_turn(hand):
    at, body = hand.acts[-1]
    acts = [*hand.acts, (at + 1, {**body, "act": "draw", "seat": (body["seat"] + 1) % 4})]
    assert first(judge_hand(dataclasses.replace(hand, acts=acts))) == ("E_ACT_TURN", at + 1, None)


def test_acts_of_a_stand_in_and_of_the_clock_are_counted(hand):
    index = index_of(hand, lambda body: body["by"] == "seat" and body["seat"] == 2)
    hand.acts[index][1]["by"] = "clock"
    assert judge_hand(with_result(hand, lambda r: r.update(stood_in=[13, 0, 1, 0]))).faults == []
    assert first(judge_hand(with_result(hand, lambda r: None)))[0] == "E_SCORE_LINES"


def test_only_the_first_fault_is_told_and_the_stated_totals_go_on(hand):
    hand.acts[5][1]["took"] = [50]
    hand.acts[9][1]["act"] = "pass"
    outcome = judge_hand(with_result(hand, lambda r: r["sides"][0].update(total=12)))
    assert first(outcome)[:2] == ("E_DRAW_ORDER", hand.acts[5][0])
    assert outcome.totals[0] == 12


def test_a_dropped_act_is_never_overlooked(hand):
    for index in range(len(hand.acts)):
        acts = [*hand.acts[:index], *hand.acts[index + 1 :]]
        assert judge_hand(dataclasses.replace(hand, acts=acts)).faults, index
