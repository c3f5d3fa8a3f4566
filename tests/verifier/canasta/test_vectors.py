"""The refereed vectors get the error they are due, at the record where it is due."""

import pytest

from tests.verifier.canasta.transcripts import FOLDERS, expected, judged_hands, records
from verifier.canasta import can_judge, game_over, play_fault

HONEST = [folder for folder in FOLDERS if folder.startswith("G")]
ELSEWHERE = {"E_SCHEMA", "E_ORDER", "E_GAME_END"}  # judged outside of a hand's checks
TAMPERED = [folder for folder in FOLDERS if folder.startswith("R")]
IN_HANDS = [folder for folder in TAMPERED if expected(folder)["error"] not in ELSEWHERE]


@pytest.mark.parametrize("folder", HONEST)
def test_honest_hands_have_no_fault(folder):
    judged = judged_hands(folder)
    assert judged
    assert [hand.outcome.faults for hand in judged] == [[] for _ in judged]


@pytest.mark.parametrize("folder", IN_HANDS)
def test_a_tampered_hand_has_the_fault_it_is_due_at_its_record(folder):
    due = expected(folder)
    faults = [fault for hand in judged_hands(folder) for fault in hand.outcome.faults]
    assert (faults[0].code, faults[0].at) == (due["error"], due["at"])
    assert faults[0].rule == due.get("rule"), faults[0].detail
    assert len(faults) == 1, "the other hands of these games are honest"


@pytest.mark.parametrize("folder", FOLDERS)
def test_record_0_of_every_vector_is_lawful_but_where_its_deck_was_changed(folder):
    body = records(folder)[0]["body"]
    fault = play_fault(body["rules"], body["seats"])
    assert (fault is not None) == (folder == "R55")
    assert can_judge(body["rules"]["play"]["ruleset"])


def test_a_game_is_over_only_after_its_last_hand():
    judged = judged_hands("G01a")
    assert [hand.over_before for hand in judged] == [False] * len(judged)
    last = judged[-1]
    assert game_over(last.given.ruleset, last.outcome.totals, len(judged))


def test_a_hand_dealt_after_the_games_end_is_seen():
    judged = judged_hands("R47")
    assert [hand.deal_at for hand in judged if hand.over_before] == [expected("R47")["at"]]


def test_a_game_below_the_target_is_not_over():
    judged = judged_hands("R48")
    assert not game_over(judged[-1].given.ruleset, judged[-1].outcome.totals, len(judged))
