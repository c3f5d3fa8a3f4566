"""``fairdeal bots``: what it prints, its exit statuses, and what a check finds."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from fairdeal.cli.bots import command, ladder
from fairdeal.cli.bots.checking import checked
from fairdeal.service import play
from tests.audit.games import changed
from tests.cli.botgames import game


def ran(*given, status=0):
    found = CliRunner().invoke(command.bots, [str(one) for one in given])
    assert found.exit_code == status, (found.output, found.exception)
    return found.output


def test_the_list_names_every_bot_and_whether_it_may_sit_down():
    told = {one["bot"]: one for one in json.loads(ran("list", "--json"))["bots"]}
    assert told["random@1"]["offered"]
    assert not told["greedy@1"]["offered"]
    assert "random@1" in ran("list")


@pytest.mark.parametrize("name", ["", "ladder", "gate", "check", "reproduce"])
def test_every_command_has_help_with_examples(name):
    text = ran(*([name] if name else []), "--help")
    assert not name or f"fairdeal bots {name} " in text


def test_a_ladder_writes_canonical_whole_numbers_and_tells_them(tmp_path):
    given = (
        "ladder", "--levels", "random@1,steady@1", "--hands", 10, "--itself", 2, "--out", tmp_path,
        "--jobs", 1,
    )  # fmt: skip
    told = ran(*given)
    assert "steady@1 over random@1: +" in told
    assert "One text says that one hand in 40" in told
    written = (tmp_path / "play.json").read_bytes()
    assert json.loads(ran(*given, "--json")) == json.loads(written)
    assert b"." not in written.replace(b"pfd1.", b"")
    run = json.loads(written)
    assert [pair["deals"] for pair in run["pairs"]] == [10, 2, 2]
    assert sum(run["pairs"][0]["totals"]) == run["pairs"][0]["sums"]["total"]


@pytest.mark.parametrize(
    "given",
    [
        ("ladder", "--levels", "nobody@1"),
        ("ladder", "--levels", "random@1,random@1"),
        ("ladder", "--levels", "random@1"),
        ("gate", "steady@1", "steady@1"),
        ("gate", "steady@1", "steady@9"),
        ("reproduce", "nothing"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(given, tmp_path):
    ran(*given, *(["--out", tmp_path] if given[0] != "gate" else []), status=2)


def test_the_gate_refuses_a_worse_version_and_passes_a_better_one():
    few = ("--hands", 20, "--jobs", 1)
    assert "PASSED" in ran("gate", "steady@1", "random@1", "--least", 50, *few)
    assert "REFUSED" in ran("gate", "random@1", "steady@1", *few, status=1)
    told = ran("gate", "steady@1", "random@1", "--least", 800, *few, "--json", status=3)
    assert json.loads(told)["exit"] == 3


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Publish a small run in the place of the real ones."""
    ran("ladder", "--levels", "random@1,steady@1", "--hands", 20, "--out", tmp_path, "--jobs", 1)
    run = json.loads((tmp_path / "play.json").read_bytes())
    monkeypatch.setattr(play, "published", lambda: {"runs": [run]})
    return run


def test_what_is_published_comes_out_again_to_the_point(published, tmp_path):
    again = ("reproduce", "--jobs", 1, "--out")
    assert "as published" in ran(*again, tmp_path / "again")
    assert "10 deals: as published" in ran(*again, tmp_path / "some", "--hands", 3)


@pytest.mark.parametrize("what", ["totals", "won", "natural"])
def test_a_published_number_that_is_wrong_is_found(published, tmp_path, what):
    pair = published["pairs"][0]
    if what == "totals":
        pair["totals"][1] += 5
    elif what == "won":
        pair["sums"]["won"] += 1
    else:
        pair["sums"]["bots"]["steady@1"]["natural"] += 1
    told = ran("reproduce", "--jobs", 1, "--out", tmp_path / "again", status=1)
    assert "NOT as published" in told
    assert ("part 2" in told) == (what == "totals")


FIRST_PARTS = [
    (run["name"], run["seed"], run["preset"], pair)
    for run in play.published()["runs"]
    for pair in run["pairs"]
    if ":" not in pair["first"]  # a larger budget takes its time
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", FIRST_PARTS, ids=lambda one: f"{one[0]}: {one[3]['first']}, {one[3]['second']}"
)
def test_the_code_of_today_plays_the_published_hands(given):
    _, seed, preset, pair = given
    match = ladder.Match(pair["first"], pair["second"], pair["part"])
    sums = ladder.run((match,), preset=preset, seed=seed, out=None, jobs=1)
    assert [part.total for part in sums[match.first, match.second]] == pair["totals"][:1]


@pytest.fixture
def checks(tmp_path):
    """Check a game's bots; give what was found."""

    def check(lines):
        place = tmp_path / "game.jsonl"
        place.write_bytes(lines)
        return checked(place, None)

    return check


def test_bots_that_played_for_themselves_are_found_to_have_done_so(checks, tmp_path):
    found = checks(game())
    assert (found.status, found.others, found.verdict) == (0, (), "VALID")
    assert {(one.seat, one.bot) for one in found.acts} == {
        (1, "steady@1"), (2, "greedy@1"), (3, "random@1"),
    }  # fmt: skip
    assert all(one.due == one.act for one in found.acts)
    place = tmp_path / "game.jsonl"
    assert ran("check", place).startswith("THEIR OWN: all ")
    assert json.loads(ran("check", place, "--json"))["own"] == len(found.acts)


def test_an_act_that_somebody_whispered_to_a_bot_is_found_though_the_verifier_is_content(checks):
    whole = checks(game())
    found = checks(game(whisper=4))
    assert found.verdict == "VALID"
    assert found.status == 1
    # Which it is, is told; what follows is again what each bot chooses from there.
    (other,) = found.others
    assert other.n == whole.acts[4].n
    assert other.act != other.due == whole.acts[4].act


def test_a_tampered_act_is_found(checks, tmp_path):
    def change(record):
        record["body"]["act"] = "discard 4C"

    # The player's first act is changed and all is chained anew.
    found = checks(changed(game(), "act", change))
    assert found.status == 1
    lines = game().replace(b'"act":"draw"', b'"act":"show"', 3)
    assert checks(lines).status == 1
    assert "NOT" in "".join(checks(game(whisper=4)).lines())
    (tmp_path / "game.jsonl").write_bytes(game(whisper=4))
    assert "recorded `" in ran("check", tmp_path / "game.jsonl", status=1)


def test_who_stands_in_is_the_default_bot_and_is_checked_too(checks):
    found = checks(game(away=True, seats=("", "", "steady@1", "steady@1")))
    assert found.status == 0
    assert {(one.seat, one.by, one.bot) for one in found.acts} >= {(0, "stand-in", "steady@1")}


def test_acts_of_players_are_nobodys_to_check(checks):
    found = checks(game(seats=("",) * 4))
    assert (found.acts, found.status) == ((), 0)
    assert next(found.lines()) == "No bot of the service acts in this file."


def test_a_game_that_is_not_over_is_not_known_yet(checks):
    lines = game().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b'"type":"score"' in line)
    found = checks(b"".join(lines[:at]))
    assert (found.verdict, found.status) == ("INCOMPLETE", 3)
    assert all(one.due is None for one in found.acts)
    assert next(found.lines()).startswith("NOT ALL KNOWN YET")


def test_a_bot_of_a_version_that_is_not_known_here_cannot_be_checked(checks):
    found = checks(game(seats=("", "steady@999", "steady@1", "steady@1")))
    assert (found.verdict, found.status) == ("VALID", 3)
    assert {one.due is None for one in found.acts if one.seat == 1} == {True}
    assert {one.due is None for one in found.acts if one.seat != 1} == {False}
    assert any("not known here" in line for line in found.lines())


def test_no_record_of_a_game_is_malformed(checks):
    found = checks(b"nothing\n")
    assert (found.verdict, found.status) == ("MALFORMED", 4)


def test_my_record_of_another_game_is_a_usage_error(tmp_path):
    place, mine = tmp_path / "game.jsonl", tmp_path / "mine.json"
    place.write_bytes(game())
    mine.write_text("{}")
    ran("check", place, "--my-record", mine, status=2)


@pytest.mark.slow
def test_ctrl_c_ends_a_ladder_and_its_processes_and_leaves_what_is_done(tmp_path):
    command_line = [
        sys.executable, "-m", "fairdeal.cli", "bots", "ladder", "--levels", "random@1,steady@1",
        "--hands", "100000", "--jobs", "2", "--out", str(tmp_path),
    ]  # fmt: skip
    place = tmp_path / "chunks.jsonl"
    # A group of its own, as a terminal gives it: all of it gets the Ctrl-C.
    running = subprocess.Popen(
        command_line, start_new_session=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        wait_until(lambda: place.is_file() and len(place.read_bytes().splitlines()) > 3)
        os.killpg(running.pid, signal.SIGINT)
        said, told = running.communicate(timeout=30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
    assert (running.returncode, said) == (130, b"")
    assert told.split() == [b"Stopped."]
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)
    lines = place.read_bytes().splitlines(keepends=True)
    assert all(json.loads(line) for line in lines)
    assert not (tmp_path / "play.json").exists()


def wait_until(holds):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
