"""Every published case gets its answer from the command line (docs/protocol.md 3)."""

import json

import pytest

from tests.conformance.cases import (
    EARLY,
    EARLY_LEVELS,
    EARLY_WARNINGS,
    EXITS,
    VECTORS,
    Case,
    all_cases,
    due_verdict,
    flags,
    run,
)

CASES = [*all_cases("cases"), *all_cases("refereed")]
ATTACKS = {
    attack["id"]: attack
    for attack in json.loads((VECTORS / "pfd1-vectors.json").read_bytes())["attacks"]
}
KEYS = {"verdict", "level", "error", "errors", "warnings", "checks", "game", "hands"}


def test_no_case_is_left_out():
    assert sum(case.folder.parent.name == "cases" for case in CASES) == 139
    assert sum(case.folder.parent.name == "refereed" for case in CASES) == 34


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_case_gets_its_answer(case: Case, tmp_path):
    done = run([str(case.folder / "game.jsonl"), "--json", *flags(case, tmp_path)])
    report = json.loads(done.stdout)
    assert report.keys() == KEYS
    assert report["verdict"] == due_verdict(case)
    assert done.returncode == EXITS[report["verdict"]]
    assert done.stderr == b""
    if case.is_replayed or case.expect["error"] in EARLY:
        check_judged(case, report)
    else:
        check_not_run(case, report)


def check_judged(case: Case, report):
    expect = case.expect
    assert report["error"] == expect["error"]
    codes = [error["code"] for error in report["errors"]]
    assert report["error"] == (codes[0] if codes else None)
    warnings = {warning["code"] for warning in report["warnings"]}
    assert expect["warning"] is None or expect["warning"] in warnings
    assert warnings.isdisjoint(expect.get("not_warnings", []))
    if "level" in expect:
        assert report["level"] == expect["level"] or not case.is_replayed
    if "at" in expect:
        assert report["errors"][0]["at"] == expect["at"]
    attack = ATTACKS.get(case.folder.name)
    if case.folder.parent.name == "cases" and attack and codes:
        assert report["errors"][0]["at"] == attack["at"]
        if case.is_replayed:
            assert codes == attack["all_errors"]


def check_not_run(case: Case, report):
    assert report["errors"] == []
    assert "not-run" in {check["status"] for check in report["checks"]}
    warnings = {warning["code"] for warning in report["warnings"]}
    assert warnings <= EARLY_WARNINGS
    level = case.expect.get("level")
    if level in EARLY_LEVELS:
        assert report["level"] == level
        assert case.expect["warning"] in {None, *warnings} or (
            case.expect["warning"] not in EARLY_WARNINGS
        )
