"""A suite whose program is absent is named in the last line, or fails the run: never silent."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.suites import ALL_SUITES, absent_programs, closing_line, find_program

TESTS = Path(__file__).resolve().parents[1]

SAMPLE = """
import pytest

@pytest.mark.suite("ghost")
def test_that_needs_the_program():
    assert True

def test_that_needs_nothing():
    assert True
"""


def run_sample(tmp_path, *arguments, program="no-such-program", sample=SAMPLE, obliged=""):
    (tmp_path / "tests").mkdir()
    for part in ("conftest.py", "postgres.py"):
        shutil.copy(TESTS / part, tmp_path / "tests")
    shutil.copy(TESTS.parent / "pyproject.toml", tmp_path)
    table = (TESTS / "suites.py").read_text("utf-8")
    ghost = table.replace('    "sqlite": "",\n', f'    "ghost": "{program}",\n')
    assert ghost != table
    (tmp_path / "tests" / "suites.py").write_text(ghost, "utf-8")
    (tmp_path / "tests" / "test_sample.py").write_text(sample, "utf-8")
    # -P and an empty path: the sample must find its own tests package, not this checkout's.
    script = "import sys, pytest; sys.path.insert(0, '.'); sys.exit(pytest.main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {ALL_SUITES: obliged, "PYTEST_ADDOPTS": ""},
    )


@pytest.mark.slow
def test_an_absent_program_is_named_in_the_last_line(tmp_path):
    run = run_sample(tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    *_, summary, last = run.stdout.splitlines()
    assert "1 passed, 1 skipped" in summary
    assert last == "suites not run: ghost (no-such-program absent)"


@pytest.mark.slow
def test_worker_processes_change_nothing_about_the_last_line(tmp_path):
    run = run_sample(tmp_path, "-n", "2")
    assert "1 passed, 1 skipped" in run.stdout
    assert run.stdout.splitlines()[-1] == "suites not run: ghost (no-such-program absent)"
    assert run.stdout.count("suites not run") == 1


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_absent_program_fails_a_run_that_is_obliged_to_run_all(tmp_path, workers):
    run = run_sample(tmp_path, "-n", workers, obliged="1")
    assert run.returncode == 1
    assert run.stdout.splitlines()[-1] == "suites not run: ghost (no-such-program absent)"


@pytest.mark.slow
def test_a_present_program_lets_its_suite_run(tmp_path):
    run = run_sample(tmp_path, program=Path(sys.executable).as_posix(), obliged="1")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2 passed" in run.stdout
    assert run.stdout.splitlines()[-1] == "suites not run: none"


@pytest.mark.slow
def test_a_test_that_skips_itself_fails_a_run_that_is_obliged_to_run_all(tmp_path):
    sample = "import pytest\n\ndef test_shy():\n    pytest.skip('not today')\n"
    run = run_sample(tmp_path, program="", sample=sample, obliged="1")
    assert run.returncode == 1
    assert "1 skipped, so this run fails" in run.stdout


@pytest.mark.slow
def test_a_suite_that_the_table_does_not_hold_is_a_usage_error(tmp_path):
    run = run_sample(tmp_path, sample=SAMPLE.replace("ghost", "gohst"))
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "knows no suite 'gohst'" in run.stdout + run.stderr


def test_a_suite_without_a_program_is_never_absent():
    assert absent_programs({"plain": "", "tool": "x"}, which=lambda _: None) == {"tool": "x"}


def test_a_program_off_the_path_is_found_with_the_newest_server(tmp_path):
    for version in ("9.6", "15", "16"):
        program = tmp_path / version / "bin" / "a-server-program"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    assert find_program("a-server-program", tmp_path) == str(tmp_path / "16/bin/a-server-program")
    assert find_program("no-such-program", tmp_path) is None


def test_the_closing_line_lists_suites_in_order():
    line = closing_line({"b": "two", "a": "one"})
    assert line == "suites not run: a (one absent), b (two absent)"
