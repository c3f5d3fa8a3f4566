"""Every dependency is explained on its page, and nothing else is."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PAGE = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
RUNS, REST = PAGE.split("## The extra `beacon`", 1)
BEACON, DEVELOPS = REST.split("## What developers", 1)


@pytest.mark.parametrize(
    ("wanted", "section"),
    [
        (PROJECT["project"]["dependencies"], RUNS),
        (PROJECT["project"]["optional-dependencies"]["beacon"], BEACON),
        (PROJECT["dependency-groups"]["dev"], DEVELOPS),
    ],
    ids=["runtime", "beacon", "development"],
)
def test_a_section_lists_its_dependencies_in_order_and_no_others(wanted, section):
    names = sorted(Requirement(line).name for line in wanted)
    assert re.findall(r"^\| `([^`]+)` \| \S", section, re.MULTILINE) == names
