"""What opening a store costs, and whose it is."""

import os
import subprocess
import sys

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, opening


def loaded(program, *words):
    """Say which of the slow libraries a program has imported at its end."""
    asked = "import sys; print(*sorted({'sqlalchemy', 'alembic', 'psycopg'} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", f"{program}\n{asked}", *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.split()


OPEN = """
import sys
from pathlib import Path
from fairdeal.store.opening import open_store
open_store(Path(sys.argv[1])).close()
"""


def test_the_command_imports_nothing_that_speaks_to_a_database():
    assert loaded("import fairdeal.cli.main") == []


def test_a_database_of_the_newest_schema_is_opened_without_alembic(tmp_path):
    path = str(tmp_path / "games.db")
    assert loaded(OPEN, path) == ["alembic", "sqlalchemy"]
    assert loaded(OPEN, path) == ["sqlalchemy"]


def test_a_store_belongs_to_the_process_that_opened_it(where):
    """Its connections and its thread are not there in a process that was forked from it."""
    store = SqlStore(where)
    store.write(opening())
    child = os.fork()
    if not child:
        refused = 0
        for ask in (lambda: store.newest(GAME), lambda: store.write(acts(0))):
            try:
                ask()
            except StorageFailure:
                refused += 1
        os._exit(refused)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    store.write(acts(0))
    assert store.newest(GAME) == 1
    store.close()


def test_a_store_that_is_shut_refuses_reads_and_posts(where):
    store = SqlStore(where)
    store.close()
    for ask in (lambda: store.newest(GAME), lambda: store.lead("upkeep")):
        with pytest.raises(StorageFailure) as refused:
            ask()
        assert refused.value.code == "store_closed"
