"""The steps of the schema: what they make, and the earlier files that they bring along."""

import sqlite3
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from fairdeal.errors import StorageFailure
from fairdeal.store.engines import writing_engine
from fairdeal.store.highwater import HighWater, Mark
from fairdeal.store.migrations.earlier import STEPS
from fairdeal.store.opening import standing_of
from fairdeal.store.ports import Grant, KeptAnswer
from fairdeal.store.schema import HEAD, REVISIONS, bring_up
from fairdeal.store.sql import SqlStore
from fairdeal.store.tables import METADATA
from tests.stores.contract import GAME, acts, line

DIGEST, TOKEN = b"d" * 32, b"t" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


def earlier(path, version):
    """Make the file that a program of an earlier version would have left behind."""
    with sqlite3.connect(path, isolation_level=None) as old:
        for step in STEPS[:version]:
            for statement in step:
                old.execute(statement)
        old.execute("PRAGMA application_id = 0x66646C31")
        old.execute(f"PRAGMA user_version = {version}")
        for n, type_ in enumerate(("open", "act", "act")):
            text = line(n, type_).text
            old.execute("INSERT INTO records VALUES (?, ?, ?, NULL, ?)", (GAME, n, type_, text))
        old.execute("INSERT INTO secrets VALUES (?, ?)", (GAME, b"sealed"))
        grant = {"digest": DIGEST, "role": "seat", "game": GAME, "seat": 2, "state": "open"}
        if version > 3:
            grant |= {"site": "s", "id": "", "room": "", "scope": "", "label": "", "made": 1}
        names, marks = ", ".join(grant), ", ".join("?" * len(grant))
        old.execute(f"INSERT INTO grants ({names}) VALUES ({marks})", tuple(grant.values()))
        kept = (b"k" * 32, b"r" * 32, b"an answer")
        old.execute("INSERT INTO answers (key, request, sealed) VALUES (?, ?, ?)", kept)
    old.close()


def shape(path):
    """Give all that a file says of its tables, but for the spelling of its statements."""
    with sqlite3.connect(path) as file:
        rows = file.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        version = file.execute("SELECT version_num FROM alembic_version").fetchall()
        marks = [
            file.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
        ]
    file.close()
    return sorted((*row[:3], " ".join((row[3] or "").split())) for row in rows), version, marks


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_file_of_an_earlier_version_is_brought_along_with_its_games(path, version, tmp_path):
    earlier(path, version)
    high = HighWater(tmp_path / "games.high")
    store = SqlStore(path, high)
    assert store.lines(GAME) == tuple(line(n, t).text for n, t in enumerate(("open", "act", "act")))
    assert store.secret(GAME) == b"sealed"
    grant = Grant(digest=DIGEST, role="seat", game=GAME, seat=2)
    found = store.grant(DIGEST)
    assert found == (grant if version < 4 else replace(grant, site="s", made=1))
    assert store.answer(b"k" * 32) == KeptAnswer(
        key=b"k" * 32, request=b"r" * 32, sealed=b"an answer"
    )
    store.write(acts(2))
    mark = high.read()
    assert mark is not None
    assert mark == Mark(4, mark.database)
    store.close()
    SqlStore(tmp_path / "new.db").close()
    assert standing_of(path) == mark
    assert shape(path) == shape(tmp_path / "new.db")


def test_a_step_that_fails_leaves_the_file_as_it_was(path, monkeypatch):
    earlier(path, 3)
    before = sqlite3.connect(path)
    was = before.execute("SELECT * FROM sqlite_schema").fetchall()
    before.close()
    broken = (*STEPS[:3], (*STEPS[3], "SELECT no_such_column FROM records"))
    monkeypatch.setattr("fairdeal.store.migrations.earlier.STEPS", broken)
    with pytest.raises(StorageFailure):
        SqlStore(path)
    monkeypatch.undo()
    after = sqlite3.connect(path)
    assert after.execute("SELECT * FROM sqlite_schema").fetchall() == was
    assert after.execute("PRAGMA user_version").fetchone() == (3,)
    after.close()
    store = SqlStore(path)
    assert store.newest(GAME) == 2
    store.close()


def test_a_file_of_a_later_version_from_before_the_steps_is_left_alone(path):
    earlier(path, 4)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(StorageFailure) as refused:
        SqlStore(path)
    assert refused.value.code == "store_too_new"


def test_a_database_of_a_newer_version_is_left_alone(where):
    SqlStore(where).close()
    with writing_engine(where).connect() as other, other.begin():
        other.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StorageFailure) as refused:
        SqlStore(where)
    assert refused.value.code == "store_too_new"


def test_the_steps_make_the_tables_that_the_program_knows(where):
    engine = writing_engine(where)
    bring_up(engine)
    with engine.connect() as connection, connection.begin():
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, METADATA)
    # The serial is PostgreSQL's alone and known to no statement but the high water's.
    assert [one for one in found if "serial" not in str(one)] == []


def test_the_steps_that_the_program_knows_are_all_there_are():
    config = Config()
    config.set_main_option("script_location", "fairdeal.store:migrations")
    steps = ScriptDirectory.from_config(config)
    assert tuple(step.revision for step in steps.walk_revisions())[::-1] == REVISIONS
    assert steps.get_heads() == [HEAD]


def test_a_database_of_another_program_is_left_alone(where):
    engine = writing_engine(where)
    with engine.connect() as other, other.begin():
        other.exec_driver_sql("CREATE TABLE theirs (x integer)")
    with pytest.raises(StorageFailure) as refused:
        SqlStore(where)
    assert refused.value.code == "store_foreign"
