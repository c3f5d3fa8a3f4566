"""Refereed games at the joint between the replay and the reading of the rules (6.4)."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.forge import canonical, check, codes, warned

VECTORS = Path(__file__).parents[1] / "vectors" / "refereed"
WHOLE = (VECTORS / "G01a" / "game.jsonl").read_bytes()  # six hands, to 5,000


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in WHOLE.splitlines()]


def chained(changed: list[dict[str, Any]]) -> bytes:
    """Return the records with numbers and links made anew."""
    prev, lines = "0" * 64, []
    for n, record in enumerate(changed):
        lines.append(canonical(record | {"n": n, "prev": prev}))
        prev = hashlib.sha256(lines[-1]).hexdigest()
    return b"".join(lines)


def of(kind: str, changed: list[dict[str, Any]], which: int = 0) -> dict[str, Any]:
    return [record for record in changed if record["type"] == kind][which]


def until(kind: str, which: int) -> list[dict[str, Any]]:
    """Return the records up to the which-th of a kind, then close and master."""
    changed = records()
    wanted = of(kind, changed, which)
    end = changed[-2:]
    kept = [*changed[: changed.index(wanted) + 1], *end]
    end[0]["body"]["hands"] = sum(record["type"] == "deal" for record in kept)
    return kept


def closed_as(reason: str, changed: list[dict[str, Any]]) -> bytes:
    of("close", changed)["body"]["reason"] = reason
    return chained(changed)


def test_the_whole_game_is_valid_and_complete():
    assert chained(records()) == WHOLE
    report = check(WHOLE)
    assert (report.verdict, codes(report)) == ("VALID", [])
    statuses = {check.name: check.status for check in report.checks}
    assert statuses["rules"] == statuses["game end"] == "ok"


@pytest.mark.parametrize("reason", ["complete", "hands_used_up"])
def test_a_game_below_the_target_is_neither_complete_nor_used_up(reason):
    report = check(closed_as(reason, until("reveal", 2)))
    assert codes(report) == ["E_GAME_END"]
    assert report.errors[0].at == len(until("reveal", 2)) - 2


def test_a_complete_game_is_not_used_up():
    assert codes(check(closed_as("hands_used_up", records()))) == ["E_GAME_END"]


def test_a_hand_dealt_after_the_end_is_named_and_the_replay_goes_on():
    data = (VECTORS / "R47" / "game.jsonl").read_bytes()
    report = check(data)
    assert codes(report)[0] == "E_GAME_END"
    assert json.loads(data.splitlines()[report.errors[0].at or 0])["type"] == "deal"
    assert "ok" in {check.status for check in report.checks if check.name == "master"}


@pytest.mark.parametrize("hands", [0, 3, 5])
def test_any_other_reason_is_a_game_given_up(hands):
    report = check(closed_as("power cut", until("reveal", hands)))
    assert report.verdict == "VALID"
    assert "W_GAME_GIVEN_UP" in warned(report)


def test_a_game_without_any_hand_may_be_given_up_and_is_not_complete():
    assert check(closed_as("nobody came", until("lock", 0))).verdict == "VALID"
    assert codes(check(closed_as("complete", until("lock", 0)))) == ["E_GAME_END"]


def test_a_hand_that_cannot_be_opened_leaves_its_stated_totals():
    changed = records()
    of("reveal", changed)["body"]["secret"] = "00" * 64
    assert codes(check(chained(changed))) == ["E_HAND_OPENING"]


def test_a_hand_dealt_otherwise_leaves_its_acts_unjudged():
    changed = records()
    of("deal", changed)["body"]["stock"] += 1
    report = check(chained(changed))
    assert [(error.code, error.hand) for error in report.errors] == [("E_DEAL_STOCK", 1)]


def test_a_hand_that_cannot_be_opened_and_states_no_totals_leaves_those_before():
    changed = records()
    of("reveal", changed)["body"]["secret"] = "00" * 64
    of("score", changed)["body"]["result"] = None
    assert codes(check(chained(changed)))[:2] == ["E_HAND_OPENING", "E_SCORE_TOTAL"]


def test_the_first_fault_ends_the_checks_of_its_hand_only():
    changed = records()
    for hand in (0, 1):
        of("score", changed, hand)["body"]["result"]["end"] = "NO_LEGAL_COMPLETION"
    report = check(chained(changed))
    assert [(error.code, error.hand) for error in report.errors] == [
        ("E_HAND_END", 1),
        ("E_HAND_END", 2),
    ]


def test_a_fault_in_a_hand_in_play_is_not_judged_before_its_secret_is_open():
    changed = records()
    of("act", changed)["body"]["act"] = "fly"
    start = changed.index(of("score", changed))
    assert codes(check(chained(changed[:start]))) == []
    assert codes(check(chained(changed[: start + 2]))) == ["E_ACT_FORM"]


def test_a_draw_or_an_act_for_another_hand_is_out_of_place():
    changed = records()
    of("act", changed)["body"]["hand"] = 2
    assert codes(check(chained(changed))) == ["E_ORDER"]
    changed = records()
    at = changed.index(of("act", changed))
    changed[at] |= {"type": "draw", "body": {"hand": 1, "seat": 0, "pos": 0}}
    assert codes(check(chained(changed))) == ["E_ORDER"]


def test_record_0_with_a_play_that_is_not_of_its_form_is_malformed():
    changed = records()
    of("open", changed)["body"]["rules"]["play"]["sides"] = [[0, 1], [2, 3]]
    report = check(chained(changed))
    assert (report.verdict, codes(report)) == ("MALFORMED", ["E_SCHEMA"])


def test_a_ruleset_that_this_version_cannot_judge_leaves_the_rules_not_run(monkeypatch):
    monkeypatch.setattr("verifier.replay.can_judge", lambda _ruleset: False)
    report = check(WHOLE)
    assert (report.verdict, codes(report)) == ("INCOMPLETE", [])
    not_run = {check.name for check in report.checks if check.status == "not-run"}
    assert not_run == {"rules", "game end"}
