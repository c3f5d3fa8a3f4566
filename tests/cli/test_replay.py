"""`fairdeal replay` and `fairdeal rules`: whose act it is, and where a text is wrong."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.cli import retell
from fairdeal.cli.main import cli
from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import encode

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


def forged(path, *, n, kind=None, change=None, body=None, source=GAME):
    """Write a game with one record changed and every link made anew."""
    lines, before = [], "0" * 64
    for line in source.read_bytes().splitlines():
        record = json.loads(line)
        if record["n"] == n:
            record["type"] = kind or record["type"]
            record["body"] = record["body"] if body is None else body
            if change:
                change(record["body"])
        record["prev"] = before
        made = encode(record) + b"\n"
        before = hashlib.sha256(made).hexdigest()
        lines.append(made)
    path.write_bytes(b"".join(lines))
    return path


def first_of(kind, source=GAME):
    """Give the number of a game's first record of a type."""
    records = map(json.loads, source.read_bytes().splitlines())
    return next(record["n"] for record in records if record["type"] == kind)


SPOILT = {
    "no rules": (0, {"body": {"x": 1}}, "field body is not an object with exactly"),
    "rules of another version": (
        0,
        {"change": lambda body: body["rules"].update(play={"v": 2})},
        "Its rules are of a version that is not known here.",
    ),
    "no beginning": (0, {"kind": "abort", "body": {"hand": 1, "reason": ""}}, "begins with open"),
    "a secret that is no text": ("reveal", {"body": {"hand": 1, "secret": 5}}, "field secret"),
    "a seat that is not there": (
        "share",
        {"change": lambda body: body.update(seat=16)},
        "field seat is not an integer from 0 to 15",
    ),
    "no lock": ("lock", {"kind": "abort", "body": {"hand": 1, "reason": ""}}, "is not in play"),
    "a hand left out": (
        "deal",
        {"change": lambda body: body.update(hand=2)},
        "Hand 2 cannot be dealt now.",
    ),
    "an act of another hand": (
        "act",
        {"change": lambda body: body.update(hand=2)},
        "Hand 2 is not in play.",
    ),
    "an act that the rules forbid": (
        "act",
        {"change": lambda body: body.update(act="ask")},
        "the rules forbid this act of seat 1: ",
    ),
    "an act that is no act": (
        "act",
        {"change": lambda body: body.update(act="\x1b[2J")},
        "The act '\\x1b[2J' cannot be read",
    ),
    "a draw among acts": (
        "act",
        {"kind": "draw", "body": {"hand": 1, "seat": 1, "pos": 0}},
        "There is no draw in a game with these rules.",
    ),
    "a result that is no object": (
        "score",
        {"change": lambda body: body.update(result=[1])},
        "The field result is not an object.",
    ),
    "a result that a terminal obeys": (
        "score",
        {"change": lambda body: body["result"].update(end="\x1b[2J")},
        "The field result.end is no word in capitals.",
    ),
    "a result without a side": (
        "score",
        {"change": lambda body: body["result"].update(sides=body["result"]["sides"][:1])},
        "The field result.sides is not a list of 2 to 2 items.",
    ),
    "points that are no number": (
        "score",
        {"change": lambda body: body["result"]["sides"][0].update(lines=[["CARDS", "9"]])},
        "The field result.sides[0].lines[0][1] is not an integer",
    ),
}


@pytest.mark.parametrize("tell", [retell.steps, retell.forum])
@pytest.mark.parametrize(("place", "spoil", "said"), SPOILT.values(), ids=SPOILT)
def test_a_record_that_cannot_follow_is_refused_by_file_and_number(
    tell, place, spoil, said, tmp_path
):
    n = place if isinstance(place, int) else first_of(place)
    path = forged(tmp_path / "game.jsonl", n=n, **spoil)
    with pytest.raises(MalformedInput) as refused:
        list(tell(path))
    assert refused.value.sentence.startswith(f"{path}, record {n} (")
    assert said in refused.value.sentence
    assert "\n" not in refused.value.sentence
    assert "\x1b" not in refused.value.sentence


@pytest.mark.parametrize("tell", [retell.steps, retell.forum])
def test_every_published_file_is_told_or_refused_in_one_sentence(tell):
    files = sorted((ROOT / "tests" / "vectors").glob("*/*/game.jsonl"))
    assert len(files) > 300
    refused = {}
    for path in files:
        try:
            list(tell(path))
        except MalformedInput as why:
            refused[path] = why.sentence
    expected = {path: json.loads(path.with_name("expect.json").read_bytes()) for path in files}
    assert refused
    assert all(said.startswith(f"{path}, ") for path, said in refused.items())
    assert not {expected[path]["verdict"] for path in refused} & {"VALID", "INCOMPLETE"}


def test_a_stated_result_of_a_dealt_only_hand_is_told_as_json(tmp_path):
    source = ROOT / "tests" / "vectors" / "cases" / "H07" / "game.jsonl"
    n = first_of("score", source)
    path = forged(
        tmp_path / "game.jsonl",
        n=n,
        source=source,
        change=lambda body: body.update(result={"best": "\x1b[2J"}),
    )
    told = next(step for step in retell.steps(path) if "hand 1 ends" in step)
    assert told.endswith('hand 1 ends: {"best": "\\u001b[2J"}')
