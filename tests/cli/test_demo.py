"""The demo refuses what it could not prove before it plays, and keeps no half of anything."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairdeal.cli import demo
from fairdeal.cli.main import cli
from fairdeal.cli.quoting import quoted
from fairdeal.errors import MalformedInput


@pytest.fixture
def never_served(monkeypatch):
    def refuse(*_):
        raise AssertionError("the service was started")

    monkeypatch.setattr(demo, "Server", refuse)


@pytest.mark.parametrize("seed", ["x" * 1025, "é" * 513, "\udcff"])
def test_a_seed_that_none_may_be_is_refused_before_a_game_is_played(seed, never_served):
    with pytest.raises(MalformedInput) as refused:
        CliRunner().invoke(cli, ["demo", "--seed", seed], catch_exceptions=False)
    assert refused.value.code == "bad_seed_text"


def test_a_seed_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv(demo.SEED_VARIABLE, "of the environment")
    assert demo.seed_text(None) == "of the environment"
    assert demo.seed_text("") == ""
    monkeypatch.delenv(demo.SEED_VARIABLE)
    assert demo.seed_text(None) != demo.seed_text(None)


def test_a_place_where_nothing_can_be_kept_is_refused_before_a_game_is_played(
    tmp_path, never_served
):
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        CliRunner().invoke(
            cli, ["demo", "--out", str(tmp_path / "file" / "out")], catch_exceptions=False
        )


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    "seed",
    [
        "my grandmother's birthday",
        "",
        "h\u00f6lle \U0001f0cf",
        "it's\n\t\x1b[2J 7\x077",
        "back\\slash\r'quote'",
        "\u202eright to left\u2028",
        "$(id) `id` \x7f !1",
    ],
)
def test_the_command_to_check_again_holds_every_seed_in_visible_characters(seed):
    shown = quoted(f"--seed=:{seed}")
    assert shown.isprintable()
    command = f"printf %s {shown}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout.decode() == f"--seed=:{seed}"


@pytest.mark.slow
def test_a_whole_game_is_played_and_proved_wherever_one_is(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert demo.run("a seed of this test", Path("kept"), None) == 0
    said = capfd.readouterr().out
    assert "VALID [pinned]" in said
    assert "Check it again:" in said
    (game,) = (tmp_path / "kept").iterdir()
    assert sorted(kept.name for kept in game.iterdir()) == ["game.jsonl", "receipts.txt"]
