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
BEACON, REST = REST.split("## The extra `dask`", 1)
DASK, REST = REST.split("## The extra `fast`", 1)
FAST, REST = REST.split("## The extra `postgres`", 1)
POSTGRES, REST = REST.split("## What developers", 1)
DEVELOPS, REST = REST.split("## What generates the clients", 1)
CLIENTS, COMPARES = REST.split("## What `make bench` compares with", 1)


@pytest.mark.parametrize(
    ("wanted", "section"),
    [
        (PROJECT["project"]["dependencies"], RUNS),
        (PROJECT["project"]["optional-dependencies"]["beacon"], BEACON),
        (PROJECT["project"]["optional-dependencies"]["dask"], DASK),
        (PROJECT["project"]["optional-dependencies"]["fast"], FAST),
        (PROJECT["project"]["optional-dependencies"]["postgres"], POSTGRES),
        (PROJECT["dependency-groups"]["dev"], DEVELOPS),
        (PROJECT["dependency-groups"]["clients"], CLIENTS),
        (PROJECT["dependency-groups"]["bench"], COMPARES),
    ],
    ids=["runtime", "beacon", "dask", "fast", "postgres", "development", "clients", "bench"],
)
def test_a_section_lists_its_dependencies_in_order_and_no_others(wanted, section):
    names = sorted(Requirement(line).name for line in wanted)
    assert re.findall(r"^\| `([^`]+)` \| \S", section, re.MULTILINE) == names
