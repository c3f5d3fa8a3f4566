"""A proof is written of a record that is in the log, and of nothing else."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.cli.prove import prove
from fairdeal.errors import NotFound
from fairdeal.tlog.prooffile import parse_proof
from tests.audit.log.made import KEY, Made, leaves_of, lines_of
from tests.cli.logserver import served

LINES = lines_of(1)
RECORDS = [json.loads(line) for line in LINES]
GAME = RECORDS[0]["game"]
ACTS = [one["n"] for one in RECORDS if one["type"] == "act"]


@pytest.fixture
def log(tmp_path):
    entries = leaves_of(lines_of(2)) + leaves_of(LINES)
    return Made(entries, {}).write(tmp_path / "log")


def run(*words):
    return CliRunner().invoke(prove, [str(word) for word in words])


@pytest.mark.parametrize("at", [0, 1, -1])
def test_a_proof_of_a_record_holds_for_its_line(log, tmp_path, at):
    n, out = RECORDS[at]["n"], tmp_path / "one.tlog-proof"
    assert run(GAME, n, "--from", log, "-o", out, "--log-key", KEY.vkey).exit_code == 0
    proof = parse_proof(out.read_text())
    proof.holds(LINES[at], [KEY.verifying_key])
    assert proof.note == (log / "checkpoint").read_text()


def test_the_verifier_takes_it(log, tmp_path):
    out, game = tmp_path / "one.tlog-proof", tmp_path / "game.jsonl"
    game.write_bytes(b"".join(LINES))
    assert run(GAME, 0, "--from", log, "-o", out).exit_code == 0
    command = [sys.executable, "-m", "verifier", game, "--proof", out, "--log-key", KEY.vkey]
    ended = subprocess.run(
        list(map(str, command)), cwd=Path(__file__).parents[2], capture_output=True, text=True
    )
    assert ended.returncode in (0, 3), ended.stdout + ended.stderr


def test_of_an_act_the_record_is_named_that_covers_it(log):
    refusal = run(GAME, ACTS[0], "--from", log).exception
    assert isinstance(refusal, NotFound)
    assert refusal.code == "not_a_leaf"
    covering = next(one["n"] for one in RECORDS if one["n"] > ACTS[0] and one["type"] != "act")
    assert f"Record {covering} " in refusal.sentence


@pytest.mark.parametrize(
    ("game", "n", "code"), [(GAME, 19_999, "not_public_yet"), ("no-such-game", 0, "no_such_game")]
)
def test_what_is_missing_is_named(log, game, n, code):
    assert run(game, n, "--from", log).exception.code == code


def test_a_folder_that_is_no_mirror_is_refused(tmp_path):
    assert run(GAME, 0, "--from", tmp_path).exception.code == "no_mirror"


def test_nothing_is_written_that_does_not_hold(log, tmp_path):
    path = log / "tile/0/000.p" / str(len(leaves_of(lines_of(2)) + leaves_of(LINES)))
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(bytes(data))
    out = tmp_path / "one.tlog-proof"
    assert run(GAME, 0, "--from", log, "-o", out).exception.code == "not_included"
    assert not out.exists()


def test_of_an_address_the_log_is_mirrored_first(log, tmp_path):
    with served(log) as server:
        ended = run(GAME, 0, "--from", server.prefix, "--to", tmp_path / "mirror", "-o", "-")
    assert ended.exit_code == 0
    parse_proof(ended.stdout).holds(LINES[0], [KEY.verifying_key])
