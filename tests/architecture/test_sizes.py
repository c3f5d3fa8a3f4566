"""One idea a module: no module grows past 400 lines."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CEILING = 400
MODULES = sorted(
    path
    for package in ("fairdeal", "verifier", "api", "scripts", "benchmarks")
    for path in (ROOT / package).rglob("*.py")
)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_has_at_most_four_hundred_lines(module):
    assert len(module.read_text("utf-8").splitlines()) <= CEILING


@pytest.mark.parametrize("name", ["utils", "util", "helpers", "common", "misc", "manager"])
def test_no_module_is_named_after_nothing(name):
    assert [path for path in MODULES if path.stem == name] == []
