"""Faults of the disk and of the process: what was acknowledged stays, what was refused may."""

import os
import signal
import subprocess
import sys

import pytest

from fairdeal.errors import StaleVersion, StorageFailure
from fairdeal.store.ports import Write
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, line, opening
from tests.stores.failing import FailingStore


@pytest.fixture
def failing(where):
    store = FailingStore(where)
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
        failing.write(Write(game=GAME, secret=object()))  # type: ignore[arg-type]  # on purpose
    failing.write(acts(0))
    assert failing.newest(GAME) == 1


WRITER = """
import sys, threading
from pathlib import Path
from fairdeal.store.sql import SqlStore
from tests.stores.contract import acts, opening

where = sys.argv[1]
store = SqlStore(where if where.startswith("postgresql") else Path(where))
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
def test_a_process_killed_at_any_moment_loses_nothing_it_acknowledged(where, lines_until_kill):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(where)], stdout=subprocess.PIPE, text=True
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
    store = SqlStore(where)
    try:
        for game, newest in acknowledged.items():
            kept = store.lines(game)
            assert len(kept) > newest
            later = (line(k, game=game).text for k in range(1, len(kept)))
            assert kept == (line(0, "open", game=game).text, *later)
    finally:
        store.close()
