"""A folder to audit and a state of its own."""

import pytest
from click.testing import CliRunner

from fairdeal.cli.main import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder; the user's state lies elsewhere."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = tmp_path / "games"
    made.mkdir()
    return made


@pytest.fixture
def fairdeal():
    """Return a function that runs a command and gives its result."""

    def run(*arguments):
        return CliRunner().invoke(cli, [str(one) for one in arguments], catch_exceptions=False)

    return run
