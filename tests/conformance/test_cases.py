"""Every published case gets its answer from the command line (docs/protocol.md 3)."""

import json

import pytest

from tests.conformance.cases import (
    EXITS,
    VECTORS,
    Case,
    all_cases,
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
    report, expect = json.loads(done.stdout), case.expect
    assert report.keys() == KEYS
    assert (report["verdict"], report["error"]) == (expect["verdict"], expect["error"])
    assert done.returncode == EXITS[report["verdict"]]
    assert done.stderr == b""
    codes = [error["code"] for error in report["errors"]]
    assert report["error"] == (codes[0] if codes else None)
    warnings = {warning["code"] for warning in report["warnings"]}
    assert expect["warning"] is None or expect["warning"] in warnings
    assert warnings.isdisjoint(expect.get("not_warnings", []))
    assert "level" not in expect or report["level"] == expect["level"]
    assert "at" not in expect or report["errors"][0]["at"] == expect["at"]
    attack = ATTACKS.get(case.folder.name)
    if case.folder.parent.name == "cases" and attack and codes:
        assert report["errors"][0]["at"] == attack["at"]
        assert codes == attack["all_errors"]
