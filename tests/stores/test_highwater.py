"""The mark beside the database: it never lies before it, and a database behind it is refused."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store.highwater import HighWater, Mark
from fairdeal.store.opening import rename, standing_of
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.failing import FailingStore
from tests.stores.processes import name_of


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


def test_the_mark_counts_the_records_of_all_games_as_they_are_acknowledged(where, high):
    store = filled(where, high)
    assert high.read().records == 4
    store.write(opening("gbbbbbbbbbbbbbbbb"))
    assert high.read().records == 5
    with pytest.raises(StaleVersion):
        store.write(acts(7))
    assert high.read().records == 5
    store.close()
    SqlStore(where, high).close()
    assert high.read().records == 5


def test_the_mark_is_one_short_line_for_its_owner_alone(path, high, tmp_path):
    filled(path, high).close()
    file = tmp_path / "games.high"
    text = file.read_text("ascii")
    assert text == f"fairdeal-high-1 {4:020d} {high.read().database}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_write_is_acknowledged_before_it_is_marked(where, high, monkeypatch):
    store = filled(where, high)

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


def test_a_commit_of_which_nobody_knew_is_marked_with_the_next(where, high):
    store = FailingStore(where, high)
    store.write(opening())
    for when in ("before", "after"):
        store.fail = when
        with pytest.raises(StorageFailure):
            store.write(acts(0))
        assert high.read().records == 1
    store.write(acts(1))
    assert high.read() == standing_of(where)
    mark = high.read()
    assert mark is not None
    assert mark.records >= 3
    store.close()


def test_a_mark_behind_the_database_is_that_of_a_crash_and_is_raised(where, high):
    store = filled(where, high)
    before = high.read()
    store.write(acts(3, 2))
    store.close()
    high.put(before)
    SqlStore(where, high).close()
    assert high.read().records == 6


def test_a_mark_that_was_taken_away_is_made_anew(where, high, tmp_path):
    store = filled(where, high)
    (tmp_path / "games.high").unlink()
    store.write(acts(3))
    assert high.read().records == 5
    store.close()
    (tmp_path / "games.high").unlink()
    SqlStore(where, high).close()
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

where, high = sys.argv[1:]
store = SqlStore(where if where.startswith("postgresql") else Path(where), HighWater(Path(high)))
store.write(opening())
for n in range(100_000):
    store.write(acts(n))
    print(n, flush=True)
"""


@pytest.mark.parametrize("lines_until_kill", [1, 8, 61])
def test_a_process_killed_at_any_moment_leaves_a_mark_that_admits_its_database(
    where, high, tmp_path, lines_until_kill
):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(where), str(tmp_path / "games.high")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(lines_until_kill):
        process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    assert high.read().records >= lines_until_kill + 1
    store = SqlStore(where, high)
    kept = store.lines(GAME)
    assert high.read().records >= len(kept)
    assert high.read() == standing_of(where)
    assert kept[0] == line(0, "open").text
    store.close()


# --------------------------------------------------------------------- several processes


def test_a_mark_is_never_lowered_whoever_is_late(high, tmp_path):
    others = [high, HighWater(tmp_path / "games.high")]
    high.put(Mark(0, "a" * 32))
    with ThreadPoolExecutor(8) as pool:
        marks = [Mark(index, "a" * 32) for index in range(1, 120)]
        list(pool.map(lambda mark: others[mark.records % 2].raise_to(mark), marks))
    assert high.read() == marks[-1]
    high.raise_to(Mark(7, "a" * 32))
    assert high.read() == marks[-1]


def test_a_mark_of_another_database_is_not_written_over(high):
    """A recovery on another machine gave the database a new name, say."""
    high.put(Mark(5, "a" * 32))
    with pytest.raises(StorageFailure) as refused:
        high.raise_to(Mark(9, "b" * 32))
    assert refused.value.code == "database_behind"
    assert high.read() == Mark(5, "a" * 32)


@pytest.mark.suite("postgres")
def test_processes_that_share_a_mark_leave_it_at_the_last_record_of_all(postgres_url, high):
    stores = [SqlStore(postgres_url, high) for _ in range(3)]
    games = [f"g{index}" for index in range(9)]

    def play(index):
        stores[index % 3].write(opening(games[index]))
        for n in range(12):
            stores[index % 3].write(acts(n, game=games[index]))

    with ThreadPoolExecutor(9) as pool:
        list(pool.map(play, range(9)))
    assert high.read() == standing_of(postgres_url)
    assert high.read().records == 9 * 13
    for store in stores:
        store.close()


@pytest.fixture
def copied(postgres_url, postgres_cluster, high):
    """A database, an earlier copy of it, and the mark of the later one."""
    filled(postgres_url, high).close()
    name = name_of(postgres_url)
    postgres_cluster.sql(f"CREATE DATABASE copy_{name} TEMPLATE {name}")
    store = SqlStore(postgres_url, high)
    store.write(acts(3, 2))
    store.close()
    yield postgres_cluster.url(f"copy_{name}")
    postgres_cluster.drop(f"copy_{name}")


@pytest.mark.suite("postgres")
def test_a_server_s_database_set_back_to_an_older_copy_is_refused(copied, high):
    said = "holds records up to number 4 of 6: up to 2 are missing"
    assert said in refusal(copied, high)
    assert high.read().records == 6


@pytest.mark.suite("postgres")
def test_a_server_s_other_database_is_refused_however_much_it_holds(copied, high):
    rename(copied)
    filled_more = SqlStore(copied)
    filled_more.write(acts(3, 50))
    filled_more.close()
    assert "is not the one in which records up to number 6 were stored" in refusal(copied, high)


@pytest.mark.suite("postgres")
def test_a_serial_used_up_by_a_refused_write_is_missed_by_nobody(postgres_url, high):
    store = FailingStore(postgres_url, high)
    store.write(opening())
    for _ in range(3):
        store.fail = "before"
        with pytest.raises(StorageFailure):
            store.write(acts(0, 5))
    store.write(acts(0))
    assert high.read().records == 17
    store.close()
    SqlStore(postgres_url, high).close()


def test_what_others_mark_while_a_process_starts_does_not_refuse_it(high):
    name = "a" * 32
    high.put(Mark(1, name))

    def look():
        before = Mark(1, name)
        high.raise_to(Mark(2, name))  # as another process does that commits just now
        return before

    assert high.admit(look) == Mark(1, name)
    assert high.read() == Mark(2, name)
