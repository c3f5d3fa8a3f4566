"""Clients that others' programs generate from the description play a whole game, unedited."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeal.cli.server import Server
from scripts import clients
from tests.table import quick_folder

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PATIENCE_S = 240


def run(*command, cwd, **environment):
    """Run a program that has to succeed; return what it said."""
    ended = subprocess.run(
        list(map(str, command)), cwd=cwd, env=os.environ | environment, timeout=PATIENCE_S,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout
    return ended.stdout


@pytest.fixture(scope="module", autouse=True)
def _prepared():
    clients.prepare()


@pytest.fixture
def server():
    with quick_folder() as folder, Server(folder, "fairdeal.localhost/clients") as running:
        yield running


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "kept"
    made.mkdir()
    return made


def who(server, folder):
    """Return the arguments of a player's program."""
    key = (server.folder / "operator.key").read_text("ascii").strip()
    return server.url, key, folder


def check(folder):
    """Have the game that was played verified, with all that its players kept."""
    kept = json.loads((folder / "kept.json").read_text("utf-8"))
    assert kept["hands"] >= 1
    assert kept["acts"] > 20
    assert kept["late"] == "stale_version"
    said = run(
        sys.executable, "-m", "verifier", folder / "game.jsonl",
        "--commit", kept["open_hash"], "--log-key", kept["receipt_key"],
        "--receipts", folder / "receipts.json",
        cwd=ROOT,
    )  # fmt: skip
    verdict, signed, *_ = said.splitlines()
    assert verdict.startswith("VALID [pinned]")
    newest = len((folder / "game.jsonl").read_bytes().splitlines()) - 1
    assert signed == f"Signed by the server up to record {newest} of {newest}."


@pytest.mark.slow
@pytest.mark.suite("python-client")
def test_four_people_play_a_game_with_the_client_of_openapi_python_client(server, folder, tmp_path):
    tools = {"PATH": f"{clients.PYTHON}{os.pathsep}{os.environ['PATH']}"}
    made = tmp_path / "python"
    said = run(
        clients.PYTHON / "openapi-python-client", "generate", "--url", f"{server.url}/openapi.json",
        "--output-path", made, "--fail-on-warning", cwd=tmp_path, **tools,
    )  # fmt: skip
    assert said.strip() == f"Generating {made}"
    play = HERE / "python" / "play.py"
    run(clients.PYTHON / "python", play, *who(server, folder), cwd=made, PYTHONPATH=str(made))
    check(folder)


@pytest.mark.slow
@pytest.mark.suite("typescript-client")
def test_four_people_play_a_game_with_the_types_of_openapi_typescript(server, folder, tmp_path):
    made = tmp_path / "typescript"
    made.mkdir()
    for name in ("package.json", "tsconfig.json", "play.ts"):
        shutil.copy(HERE / "typescript" / name, made)
    (made / "node_modules").symlink_to(clients.MODULES)
    tools = made / "node_modules" / ".bin"
    schema = made / "schema.d.ts"
    run(tools / "openapi-typescript", f"{server.url}/openapi.json", "-o", schema, cwd=made)
    run(tools / "tsc", "--project", made, cwd=made)
    run("node", made / "play.js", *who(server, folder), cwd=made)
    check(folder)
