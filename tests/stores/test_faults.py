"""Faults of the disk and of the process: what was acknowledged stays, what was refused may."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store import sqlite as sqlite_module
from fairdeal.store.ports import Write
from fairdeal.store.schema import APPLICATION_ID, connect
from fairdeal.store.sqlite import SqliteStore
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.failing import FailingStore


@pytest.fixture
def failing(tmp_path):
    store = FailingStore(tmp_path / "games.db")
    store.write(opening())
    yield store
    store.close()


def test_after_a_failure_that_wrote_nothing_the_same_write_succeeds(failing):
    failing.fail = "before"
    with pytest.raises(StorageFailure):
        failing.write(acts(0))
    assert failing.newest(GAME) == 0
    failing.write(acts(0))
    assert failing.newest(GAME) == 1


def test_after_a_failure_that_wrote_all_the_same_write_is_stale_and_happens_once(failing):
    failing.fail = "after"
    with pytest.raises(StorageFailure):
        failing.write(acts(0))
    assert failing.newest(GAME) == 1
    with pytest.raises(StaleVersion):
        failing.write(acts(0))
    assert failing.newest(GAME) == 1


def test_a_failed_commit_is_not_counted(failing):
    before = failing.commits
    failing.fail = "before"
    with pytest.raises(StorageFailure):
        failing.write(acts(0))
    assert failing.commits == before


def test_a_broken_statement_fails_its_group_and_the_store_goes_on(failing):
    with pytest.raises(StorageFailure):
        failing.write(Write(game=GAME, secret=object()))  # type: ignore[arg-type]
    failing.write(acts(0))
    assert failing.newest(GAME) == 1


def test_the_store_goes_on_where_for_a_while_no_connection_can_be_made(failing, monkeypatch):
    """Whoever writes meanwhile is told so at once, and not left waiting for a thread that ended."""

    def refuse(path):
        raise StorageFailure("store_unavailable", f"The database {path} cannot be opened.")

    monkeypatch.setattr(sqlite_module, "connect", refuse)
    monkeypatch.setattr(sqlite_module, "PATIENCE_S", 5.0)
    failing._writer.close()
    for _ in range(3):
        with pytest.raises(StorageFailure) as failure:
            failing.write(acts(0))
        assert failure.value.code == "store_failed"
    monkeypatch.setattr(sqlite_module, "connect", connect)
    with pytest.raises(StorageFailure):
        failing.write(acts(0))
    failing.write(acts(0))
    assert failing.newest(GAME) == 1


def test_a_waiting_reader_keeps_no_write_ahead_log_from_being_emptied(failing, tmp_path):
    """A read leaves no transaction open: the log can be cut while the reader lives."""
    read = threading.Event()
    let_go = threading.Event()

    def reader():
        failing.lines(GAME)
        read.set()
        let_go.wait(10)

    thread = threading.Thread(target=reader)
    thread.start()
    assert read.wait(10)
    failing.write(acts(0, 50))
    other = sqlite3.connect(tmp_path / "games.db")
    try:
        busy, *_ = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        other.close()
        let_go.set()
        thread.join()
    assert busy == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET line = x'00' WHERE n = 1",
        "DELETE FROM records WHERE n = 1",
        "DELETE FROM records",
        "INSERT OR REPLACE INTO records SELECT game, n, type, hand, x'00' FROM records WHERE n = 1",
        "INSERT INTO records SELECT game, 7, type, hand, line FROM records WHERE n = 1",
        "UPDATE OR REPLACE records SET n = 1 WHERE n = 2",
    ],
)
def test_lines_cannot_be_changed_through_the_database_language(failing, statement):
    failing.write(acts(0, 2))
    before = failing.lines(GAME)
    with pytest.raises(sqlite3.IntegrityError):
        failing._writer.execute(statement)
    assert failing.lines(GAME) == before


def test_every_connection_is_durable_and_guarded(failing):
    for connection in (failing._writer, failing._reader()):
        wanted = {
            "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1,
            "recursive_triggers": 1, "secure_delete": 1, "temp_store": 2,
        }  # fmt: skip
        found = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}
        assert found == wanted


def test_a_reading_connection_cannot_write(failing):
    with pytest.raises(sqlite3.OperationalError):
        failing._reader().execute("DELETE FROM secrets")


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    with pytest.raises(StorageFailure) as refused:
        SqliteStore(path)
    assert refused.value.code == "store_foreign"


def test_a_database_of_a_newer_version_is_left_alone(tmp_path):
    path = tmp_path / "games.db"
    SqliteStore(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(StorageFailure) as refused:
        SqliteStore(path)
    assert refused.value.code == "store_too_new"


def test_a_new_file_is_marked_as_ours(tmp_path):
    path = tmp_path / "games.db"
    SqliteStore(path).close()
    with sqlite3.connect(path) as other:
        assert other.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        assert other.execute("PRAGMA user_version").fetchone()[0] == 3
    other.close()


WRITER = """
import sys, threading
from pathlib import Path
from fairdeal.store.sqlite import SqliteStore
from tests.stores.contract import acts, opening

store = SqliteStore(Path(sys.argv[1]))
gate = threading.Lock()

def play(game):
    store.write(opening(game))
    for n in range(100_000):
        with gate:
            print(game, n, flush=True)
        store.write(acts(n, game=game))

for index in range(4):
    threading.Thread(target=play, args=(f"g{index}",)).start()
"""


@pytest.mark.parametrize("lines_until_kill", [1, 7, 60, 211])
def test_a_process_killed_at_any_moment_loses_nothing_it_acknowledged(tmp_path, lines_until_kill):
    path = tmp_path / "games.db"
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    acknowledged: dict[str, int] = {}
    assert process.stdout is not None
    for count, said in enumerate(process.stdout, start=1):
        game, n = said.split()
        acknowledged[game] = int(n)
        if count == lines_until_kill:
            os.kill(process.pid, signal.SIGKILL)
            break
    for said in process.stdout:  # what it said before it died counts, a cut last line does not
        if said.endswith("\n"):
            game, n = said.split()
            acknowledged[game] = int(n)
    process.wait()
    process.stdout.close()
    store = SqliteStore(path)
    try:
        for game, newest in acknowledged.items():
            kept = store.lines(game)
            assert len(kept) > newest
            later = (line(k, game=game).text for k in range(1, len(kept)))
            assert kept == (line(0, "open", game=game).text, *later)
    finally:
        store.close()
