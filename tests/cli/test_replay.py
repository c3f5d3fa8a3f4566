"""`fairdeal replay` and `fairdeal rules`: whose act it is, and where a text is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.cli import retell
from fairdeal.cli.main import cli
from fairdeal.errors import MalformedInput

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests" / "vectors" / "refereed" / "G01a" / "game.jsonl"


def test_a_replay_calls_nobody_you():
    told = "\n".join(retell.steps(GAME)).lower()
    assert "seat 1: takes the pile of " in told
    assert not {"you", "your", "yours"} & set(told.replace(".", " ").replace(",", " ").split())


@pytest.mark.parametrize("tell", [retell.steps, retell.forum])
def test_a_file_that_is_no_transcript_is_named_with_its_line(tell, tmp_path):
    path = tmp_path / "notes.md"
    path.write_bytes(GAME.read_bytes().split(b"\n", 1)[0] + b"\n# not a record\n")
    with pytest.raises(MalformedInput) as refused:
        list(tell(path))
    assert refused.value.code == "bad_json"
    assert refused.value.sentence.startswith(f"{path}, line 2: This is not JSON")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("uruguay;a=1", "in 'a=1': No field of a ruleset is called a"),
        ("uruguay;target=6000;draw_count=9", "in 'draw_count=9': "),
        ("uruguay;draw_count=9;hand_size=0", "in 'draw_count=9;hand_size=0': "),
        ("uruguay;draw_count=two", "in 'draw_count=two', 'two' is no JSON value"),
        ("uruguay;draw_count", "'draw_count' is no field=value"),
    ],
)
def test_the_part_of_a_ruleset_that_is_wrong_is_named(text, said):
    with pytest.raises(MalformedInput) as refused:
        CliRunner().invoke(cli, ["rules", "show", text], catch_exceptions=False)
    assert said in refused.value.sentence


def test_rules_that_clash_are_not_put_down_to_one_part():
    with pytest.raises(MalformedInput) as refused:
        CliRunner().invoke(
            cli, ["rules", "show", 'two-player;sides="partners"'], catch_exceptions=False
        )
    assert "CL-1" in refused.value.sentence
    assert "in '" not in refused.value.sentence


@pytest.mark.slow
@pytest.mark.parametrize("words", [["rules", "list"], ["replay", str(GAME), "--all"], ["--help"]])
def test_a_pipe_that_nobody_reads_is_left_in_silence(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", "from fairdeal.cli.main import main; raise SystemExit(main())"]
    done = subprocess.run([*command, *words], stdout=writer, stderr=subprocess.PIPE, cwd=ROOT)
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode != 0
