"""What a sequencer makes before its service is there, and who may read it."""

import stat
from dataclasses import replace

import pytest

from fairdeal.service import Database
from fairdeal.service.publiclog.running import LogSettings, open_log


@pytest.fixture
def settings(tmp_path):
    return LogSettings(
        folder=tmp_path / "above" / "service",
        log_folder=tmp_path / "above" / "service" / "log",
        database=Database(),
        origin="cards.example/log",
        prefix="https://cards.example/log/",
    )


def ended_at_once(settings):
    opening = open_log(settings, entropy=bytes, clock=lambda: 0, ended=lambda _seconds: True)
    with opening as opened:
        assert opened is None


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_sequencer_that_is_there_first_makes_the_service_s_folder_for_nobody_else(settings):
    ended_at_once(settings)
    assert mode(settings.folder) == 0o700


def test_other_users_get_to_the_public_folder_of_a_log_of_its_own(settings, tmp_path):
    own = replace(settings, log_folder=tmp_path / "of-the-log")
    ended_at_once(own)
    assert mode(own.log_folder) & 0o077 == 0o011
    assert not own.folder.exists()
