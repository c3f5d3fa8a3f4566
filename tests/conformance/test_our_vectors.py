"""Our own refereed vectors: written again to the byte, and answered from the command line."""

import io
import json
from functools import cache

import pytest

from scripts.make_vectors import LIES, OURS, vectors
from scripts.vectors.honest import HONEST
from tests.conformance.cases import EXITS, Case, all_cases, flags, run
from verifier.held import Held
from verifier.verify import verify

CASES = list(all_cases("ours"))
BY_NAME = {case.folder.name: case for case in CASES}
# What an open profile and a refereed game can show (docs/protocol.md 3.2, 6.4).
SHOWN_ERRORS = """
E_ACT_CARD E_ACT_FORM E_ACT_PILE E_ACT_RED_THREE E_ACT_RULE E_ACT_TURN E_AFTER_CLOSE E_AFTER_END
E_CHAIN_BROKEN E_COMMIT_REUSED E_DEAL_BEFORE_LOCK E_DEAL_HANDS E_DEAL_LAID E_DEAL_STOCK
E_DEAL_UPCARD E_DRAW_ORDER E_EPOCH_ORDER E_EQUIVOCATION E_FIRST_SEAT E_GAME_END E_GAME_MIXED
E_HAND_COUNT E_HAND_END E_HAND_NOT_FROM_MASTER E_HAND_OPENING E_HAND_ORDER E_HAND_OVERLAP
E_HAND_REPEATED E_HAND_SKIPPED E_HAND_UNCOMMITTED E_HAND_UNSCORED E_LOCK_SHARES E_MASTER_EARLY
E_MASTER_OPENING E_NO_OPEN E_ORDER E_ORIGIN E_OWN_HAND E_OWN_SEED E_PINNED_COMMIT E_REVEAL_EARLY
E_REVEAL_LATE E_REVEAL_WRONG_HAND E_SCHEMA E_SCORE_LINES E_SCORE_TOTAL E_SEAT E_SEAT_TWICE
E_SECOND_OPEN E_SEEDS_DURING_HAND E_SEED_AFTER_LOCK E_SEQUENCE E_SHARE_MISSING E_TIME_REVERSED
E_TRUNCATED E_VOID_LIMIT
"""
# Rules that classic@1 can break; a red three never gets on top of the pile or into a holding.
SHOWN_RULES = """
ALL_WILD_MELD ASK_TOO_LATE BLACK3_NO_WILDS BLACK3_ONLY_GOING_OUT CANNOT_GO_OUT FROZEN
FROZEN_UNOPENED KEEP_CARD MAX_WILDS MIN_NATURALS MIN_SIZE MUST_GO_OUT MUST_TAKE_PILE
ONE_CARD_HAND_ONE_CARD_PILE OPENING_MINIMUM PARTNER_SAID_NO RANK_MISMATCH STOCK_EMPTY
TAKE_MODE_NOT_ALLOWED TOP_BLACK3 TOP_WILD WRONG_PHASE
"""


def words(text):
    return text.split()


@cache
def made():
    """All vectors, made once."""
    return {vector.name: vector.files() for vector in vectors()}


@pytest.mark.slow
def test_the_vectors_are_written_again_byte_for_byte():
    stored = {
        case.folder.name: {path.name: path.read_bytes() for path in case.folder.iterdir()}
        for case in CASES
    }
    assert stored.keys() == made().keys()
    assert [name for name in stored if stored[name] != made()[name]] == []


def test_every_honest_game_has_a_tampered_twin():
    assert {lie.of for lie in LIES} == {recipe.name for recipe in HONEST}
    assert len(HONEST) >= 10
    assert {path.name for path in OURS.iterdir()} == {"README.md", *BY_NAME}


def test_every_error_and_rule_that_such_a_game_can_show_is_shown():
    assert sorted({case.expect["error"] for case in CASES} - {None}) == words(SHOWN_ERRORS)
    assert sorted({case.expect["rule"] for case in CASES if "rule" in case.expect}) == words(
        SHOWN_RULES
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.folder.name)
def test_a_vector_gets_its_answer_from_the_command_line(case: Case, tmp_path):
    done = run([str(case.folder / "game.jsonl"), "--json", *flags(case, tmp_path)])
    report, expect = json.loads(done.stdout), case.expect
    assert (report["verdict"], report["error"]) == (expect["verdict"], expect["error"])
    assert done.returncode == EXITS[expect["verdict"]]
    assert done.stderr == b""
    warnings = {warning["code"] for warning in report["warnings"]}
    assert expect["warning"] is None or expect["warning"] in warnings
    assert warnings.isdisjoint(expect.get("not_warnings", ()))
    assert "level" not in expect or report["level"] == expect["level"]
    if expect["error"] is not None:
        first = report["errors"][0]
        assert (first["at"], first["rule"]) == (expect["at"], expect.get("rule"))


@pytest.mark.slow
def test_without_its_receipts_a_fraud_is_nobodys_proof():
    """The same files, held against nothing: INVALID, unless only a receipt could tell."""
    frauds = [case for case in CASES if case.expect["verdict"] == "FRAUD"]
    assert len(frauds) > 100
    for case in frauds:
        report = verify(io.BytesIO((case.folder / "game.jsonl").read_bytes()), Held())
        due = "VALID" if case.expect["error"] == "E_EQUIVOCATION" else "INVALID"
        assert report.verdict == due, case.folder.name
