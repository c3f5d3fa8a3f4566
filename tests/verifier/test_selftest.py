"""`selftest`: a copy of the verifier tests itself (docs/verifier.md)."""

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import build_pyz, make_selftest
from verifier.beacon import pairing
from verifier.cli import main
from verifier.selftest.run import load_vectors, results_of

VECTORS = load_vectors()


def test_the_carried_vectors_are_those_that_the_script_writes():
    assert make_selftest.build() == make_selftest.TARGET.read_bytes()


def test_everything_comes_out_as_published(capsysbinary):
    assert main(["selftest"]) == 0
    count = len(list(results_of(VECTORS)))
    assert count > 60
    due = f"selftest: {count} of {count} as published, 0 wrong\n"
    assert capsysbinary.readouterr().out.decode() == due


def changed(*path: str | int, value: object) -> list[tuple[str, bool | None]]:
    vectors = copy.deepcopy(VECTORS)
    place: Any = vectors
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return [(name, passed) for name, passed in results_of(vectors) if not passed]


@pytest.mark.parametrize(
    ("path", "value", "name"),
    [
        (("planted", 0, "error"), "E_JSON", "E_JSON planted in solo-0001, record 0"),
        (("planted", 8, "value"), 62, "E_DEAL_STOCK planted in solo-0001, record 3"),
        (("games", "solo-0001", "receipt"), "", "honest game solo-0001"),
        (("merkle", "roots", 3, "root"), "00" * 32, "root of 3 leaves"),
        (("merkle", "inclusion", 0, "index"), 1, "leaf 1 of 7 is included"),
        (("merkle", "consistency", 1, "path"), [], "7 leaves continue 3"),
        (("cosignature", "time_of_quorum", "2"), 7, "time of a checkpoint for a quorum of 2"),
        (("beacon", "round_rule", 0, "round"), 2, "round due at 0 ms"),
        (("beacon", "valid", 0, "round"), 999, "signature of round 999, valid"),
        (("fraud", "error"), "E_JSON", "signed fault, with the key"),
    ],
)
def test_a_vector_that_does_not_come_out_is_named(path, value, name):
    assert (name, False) in changed(*path, value=value)


def test_without_the_library_a_signature_is_not_run_and_nothing_is_wrong(monkeypatch, capsysbinary):
    pairing.is_signed.cache_clear()
    monkeypatch.setattr(pairing, "CAN_CHECK", False)
    monkeypatch.setattr("verifier.selftest.run.CAN_CHECK", False)
    try:
        assert main(["selftest"]) == 0
    finally:
        pairing.is_signed.cache_clear()
    out = capsysbinary.readouterr().out.decode()
    assert out.count("not run: signature of round") == 4
    assert out.endswith("0 wrong\n")


@pytest.mark.slow
def test_the_one_file_verifier_tests_itself_without_site_packages(tmp_path):
    target = tmp_path / "v.pyz"
    build_pyz.main(target)
    command = [sys.executable, "-S", "-E", str(target), "selftest"]
    done = subprocess.run(command, cwd=Path("/"), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("0 wrong\n")
