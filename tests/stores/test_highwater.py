"""The mark beside the database: it never lies before it, and a database behind it is refused."""

import os
import shutil
import signal
import stat
import subprocess
import sys

import pytest

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store.highwater import HighWater
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.failing import FailingStore


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def high(tmp_path):
    return HighWater(tmp_path / "games.high")


def filled(path, high, count=3):
    store = SqlStore(path, high)
    store.write(opening())
    store.write(acts(0, count))
    return store


def refusal(path, high):
    with pytest.raises(StorageFailure) as refused:
        SqlStore(path, high).close()
    assert refused.value.code == "database_behind"
    return refused.value.sentence


def test_the_mark_counts_the_records_of_all_games_as_they_are_acknowledged(path, high):
    store = filled(path, high)
    assert high.read().records == 4
    store.write(opening("gbbbbbbbbbbbbbbbb"))
    assert high.read().records == 5
    with pytest.raises(StaleVersion):
        store.write(acts(7))
    assert high.read().records == 5
    store.close()
    SqlStore(path, high).close()
    assert high.read().records == 5


def test_the_mark_is_one_short_line_for_its_owner_alone(path, high, tmp_path):
    filled(path, high).close()
    file = tmp_path / "games.high"
    text = file.read_text("ascii")
    assert text == f"fairdeal-high-1 {4:020d} {high.read().database}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_write_is_acknowledged_before_it_is_marked(path, high, monkeypatch):
    store = filled(path, high)

    def refuse(mark):
        raise OSError("input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(high, "raise_to", refuse)
        with pytest.raises(StorageFailure) as failure:
            store.write(acts(3))
    assert failure.value.code == "store_failed"
    assert (store.newest(GAME), high.read().records) == (4, 4)
    store.write(acts(4))
    assert high.read().records == 6
    store.close()


def test_a_commit_of_which_nobody_knew_is_marked_with_the_next(path, high):
    store = FailingStore(path, high)
    store.write(opening())
    for when in ("before", "after"):
        store.fail = when
        with pytest.raises(StorageFailure):
            store.write(acts(0))
        assert high.read().records == 1
    store.write(acts(1))
    assert high.read().records == 3
    store.close()


def test_a_mark_behind_the_database_is_that_of_a_crash_and_is_raised(path, high):
    store = filled(path, high)
    before = high.read()
    store.write(acts(3, 2))
    store.close()
    high.put(before)
    SqlStore(path, high).close()
    assert high.read().records == 6


def test_a_mark_that_was_taken_away_is_made_anew(path, high, tmp_path):
    store = filled(path, high)
    (tmp_path / "games.high").unlink()
    store.write(acts(3))
    assert high.read().records == 5
    store.close()
    (tmp_path / "games.high").unlink()
    SqlStore(path, high).close()
    assert high.read().records == 5


def test_a_database_set_back_to_an_older_copy_is_refused(path, high, tmp_path):
    filled(path, high).close()
    shutil.copy(path, tmp_path / "copy")
    store = SqlStore(path, high)
    store.write(acts(3, 2))
    store.close()
    shutil.copy(tmp_path / "copy", path)
    assert "holds 4 of 6 records: 2 are missing" in refusal(path, high)
    assert high.read().records == 6


def test_a_missing_database_is_refused_and_none_is_made(path, high):
    filled(path, high).close()
    path.unlink()
    assert "missing, and 4 records with it" in refusal(path, high)
    assert not path.exists()


def test_an_emptied_database_is_refused(path, high):
    filled(path, high).close()
    path.write_bytes(b"")
    assert "not the one in which 4 records were stored" in refusal(path, high)
    assert "not the one in which 4 records were stored" in refusal(path, high)


def test_another_database_is_refused_however_much_it_holds(path, high, tmp_path):
    filled(path, high).close()
    path.unlink()
    filled(path, None, 50).close()
    assert "not the one in which 4 records were stored" in refusal(path, high)


@pytest.mark.parametrize("text", ["", "fairdeal-high-1 4 00\n", "fairdeal-high-1 " + "0" * 20])
def test_a_damaged_mark_is_refused(path, high, tmp_path, text):
    filled(path, high).close()
    (tmp_path / "games.high").write_text(text)
    assert "holds no mark" in refusal(path, high)


WRITER = """
import sys
from pathlib import Path
from fairdeal.store.highwater import HighWater
from fairdeal.store.sql import SqlStore
from tests.stores.contract import acts, opening

path = Path(sys.argv[1])
store = SqlStore(path, HighWater(path.with_name("games.high")))
store.write(opening())
for n in range(100_000):
    store.write(acts(n))
    print(n, flush=True)
"""


@pytest.mark.parametrize("lines_until_kill", [1, 8, 61])
def test_a_process_killed_at_any_moment_leaves_a_mark_that_admits_its_database(
    path, high, lines_until_kill
):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(lines_until_kill):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    assert high.read().records >= lines_until_kill + 1
    store = SqlStore(path, high)
    kept = store.lines(GAME)
    assert high.read().records == len(kept)
    assert kept[0] == line(0, "open").text
    store.close()
