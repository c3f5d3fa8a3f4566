"""The import contracts of pyproject.toml cover every package, and each of them bites."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
BY_NAME = {contract["name"]: contract for contract in CONTRACTS}
LAYERS = "fairdeal is layered"
PURE = "The core takes no clock, entropy, disk, network, thread or framework"
UNSIGNED = "Only records sign: rules and deals are integers and hashes"
BOTS = "A bot sees a seat's view, never a secret, a record or a game"
DATABASE = "Only the store speaks to a database"
STORE = "The store keeps bytes and knows no rule"
ALONE = "The verifier shares no code with what it verifies, nor with anybody"
NO_HTTP = "fairdeal below the command line knows neither HTTP nor the verifier"
FRONT_DOOR = "api uses only the service and the errors"
AUDITORS = "Nothing that deals or judges a game sees deals in bulk or numpy"
BULK = "In fairness numpy is for deals in bulk alone, where it is installed"
CYCLES = "No cycles between siblings"

# (contract, file to add to, import to plant): the contract must name it as broken.
BREAKS = [
    (LAYERS, "fairdeal/store/planted.py", "import fairdeal.service"),
    (LAYERS, "fairdeal/canasta/planted.py", "import fairdeal.fairness"),
    (LAYERS, "fairdeal/service/planted.py", "import fairdeal.cli"),
    (LAYERS, "fairdeal/rooms/planted.py", "import fairdeal.game"),
    (LAYERS, "fairdeal/unplaced/__init__.py", ""),
    (PURE, "fairdeal/fairness/planted.py", "import secrets"),
    (PURE, "fairdeal/canasta/planted.py", "from random import Random"),
    (PURE, "fairdeal/game/planted.py", "import time"),
    (PURE, "fairdeal/records/planted.py", "import sqlite3"),
    (PURE, "fairdeal/bots/planted.py", "import os.path"),
    (PURE, "fairdeal/rooms/planted.py", "import time"),
    (DATABASE, "fairdeal/service/planted.py", "import sqlalchemy"),
    (DATABASE, "fairdeal/cli/planted.py", "import sqlite3"),
    (DATABASE, "api/planted.py", "import psycopg"),
    (DATABASE, "fairdeal/rooms/planted.py", "import alembic"),
    (UNSIGNED, "fairdeal/canasta/planted.py", "from cryptography.hazmat.primitives import hashes"),
    (BOTS, "fairdeal/bots/planted.py", "import fairdeal.fairness"),
    (BOTS, "fairdeal/bots/planted.py", "import fairdeal.records"),
    (STORE, "fairdeal/store/planted.py", "import fairdeal.canasta"),
    (ALONE, "verifier/planted.py", "import fairdeal.errors"),
    (ALONE, "verifier/planted.py", "import cryptography"),
    (ALONE, "verifier/planted.py", "import py_arkworks_bls12381"),
    (ALONE, "verifier/planted.py", "import numpy"),
    (ALONE, "verifier/planted.py", "import sqlalchemy"),
    (BULK, "fairdeal/fairness/planted.py", "import numpy"),
    (AUDITORS, "fairdeal/service/planted.py", "import fairdeal.fairness.bulk"),
    (AUDITORS, "fairdeal/game/planted.py", "import numpy"),
    (NO_HTTP, "fairdeal/service/planted.py", "import flask"),
    (NO_HTTP, "fairdeal/service/planted.py", "import verifier"),
    (NO_HTTP, "fairdeal/store/planted.py", "import api"),
    (FRONT_DOOR, "api/planted.py", "import fairdeal.store"),
    (FRONT_DOOR, "api/planted.py", "import verifier"),
    (FRONT_DOOR, "api/planted.py", "import fairdeal.canasta"),
    (FRONT_DOOR, "api/planted.py", "import fairdeal.rooms"),
]


def lint(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=120)


def broken(output: str) -> set[str]:
    # A contract with ignored imports has their number behind the word.
    return set(re.findall(r"^(.+) BROKEN(?: \(\d+ ignored imports?\))?$", output, re.MULTILINE))


@pytest.fixture
def tree(tmp_path):
    for package in ("fairdeal", "verifier", "api"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_every_contract_is_kept(tree):
    run = lint(tree)
    assert (run.returncode, broken(run.stdout)) == (0, set()), run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "file", "line"), BREAKS)
def test_a_contract_bites(tree, contract, file, line):
    planted = tree / file
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(f'"""Planted by a test."""\n\n{line}\n', "utf-8")
    run = lint(tree)
    assert run.returncode == 1
    assert contract in broken(run.stdout)


@pytest.mark.slow
def test_a_cycle_between_siblings_is_refused(tree):
    (tree / "api" / "planted_a.py").write_text("import api.planted_b\n", "utf-8")
    (tree / "api" / "planted_b.py").write_text("import api.planted_a\n", "utf-8")
    assert CYCLES in broken(lint(tree).stdout)


def test_each_contract_is_broken_on_purpose_by_some_test():
    assert {contract for contract, _, _ in BREAKS} | {CYCLES} == set(BY_NAME)


def test_the_contract_on_http_covers_all_of_fairdeal_but_the_command_line():
    parts = {
        f"fairdeal.{path.stem}"
        for path in (ROOT / "fairdeal").iterdir()
        if path.name != "__init__.py" and (path.suffix == ".py" or (path / "__init__.py").exists())
    }
    assert set(BY_NAME[NO_HTTP]["source_modules"]) == parts - {"fairdeal.cli"}


def test_the_contract_on_purity_covers_all_layers_below_the_store_and_the_shell():
    lower = set(BY_NAME[NO_HTTP]["source_modules"]) - {"fairdeal.store", "fairdeal.service"}
    assert set(BY_NAME[PURE]["source_modules"]) == lower
