"""What only the SQLite store has: its file, its settings, its guards."""

import sqlite3
import threading

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from fairdeal.errors import StorageFailure
from fairdeal.store.engines import reading_engine, writing_engine
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, opening


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def store(path):
    opened = SqlStore(path)
    opened.write(opening())
    yield opened
    opened.close()


def test_the_store_goes_on_where_for_a_while_no_connection_can_be_made(store, path, tmp_path):
    """Whoever writes meanwhile is told so at once, and not left waiting for a thread that ended."""
    away = tmp_path.with_name("away")
    store._writer._driven._driver.close()
    tmp_path.rename(away)
    for _ in range(3):
        with pytest.raises(StorageFailure) as failure:
            store.write(acts(0))
        assert failure.value.code == "store_unavailable"
    away.rename(tmp_path)
    store.write(acts(0))
    assert store.newest(GAME) == 1


def test_a_waiting_reader_keeps_no_write_ahead_log_from_being_emptied(store, path):
    """A read leaves no transaction open: the log can be cut while the reader lives."""
    read = threading.Event()
    let_go = threading.Event()

    def reader():
        store.lines(GAME)
        read.set()
        let_go.wait(10)

    thread = threading.Thread(target=reader)
    thread.start()
    assert read.wait(10)
    store.write(acts(0, 50))
    other = sqlite3.connect(path)
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
def test_lines_cannot_be_changed_through_the_database_language(store, path, statement):
    store.write(acts(0, 2))
    before = store.lines(GAME)
    with writing_engine(path).connect() as connection, pytest.raises(IntegrityError):
        connection.exec_driver_sql(statement)
    assert store.lines(GAME) == before


@pytest.mark.parametrize("engine", [writing_engine, reading_engine])
def test_every_connection_is_durable_and_guarded(store, path, engine):
    wanted = {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1,
        "recursive_triggers": 1, "secure_delete": 1, "temp_store": 2,
    }  # fmt: skip
    with engine(path).connect() as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in wanted}
    assert found == wanted


def test_a_reading_connection_cannot_write(store, path):
    with reading_engine(path).connect() as connection, pytest.raises(DBAPIError):
        connection.exec_driver_sql("DELETE FROM secrets")


def test_a_reading_connection_waits_for_no_writer(store, path):
    """A transaction begun at once is the writer's alone."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert store.newest(GAME) == 0
    other.close()


@pytest.mark.parametrize("application", [0, 7])
def test_a_database_of_another_program_is_left_alone(tmp_path, application):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
        other.execute(f"PRAGMA application_id = {application}")
    other.close()
    with pytest.raises(StorageFailure) as refused:
        SqlStore(path)
    assert refused.value.code == "store_foreign"
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]
    other.close()


def test_a_file_that_is_no_database_is_unavailable(path):
    path.write_bytes(b"not a database, but long enough to be looked at" * 40)
    with pytest.raises(StorageFailure) as refused:
        SqlStore(path)
    assert refused.value.code == "store_unavailable"
