"""The sequencer as a process: killed, doubled, ended, refused, without a disk."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.logkills import ORIGIN, PATIENCE_S, run_kills, scene
from fairdeal.service.publiclog.sequencer import Sequencer
from fairdeal.service.signing import new_receipt_key
from fairdeal.store.files import DiskFiles
from fairdeal.store.ports import StoredLine, Write
from fairdeal.tlog.leaves import read_service_leaf
from fairdeal.tlog.merkle import leaf_hash
from tests.publiclog.reading import KEY, audited

pytestmark = pytest.mark.slow

PROC = Path("/proc")

BOTH = [
    pytest.param("", id="sqlite"),
    pytest.param("postgres", id="postgresql", marks=pytest.mark.suite("postgres")),
]


@pytest.fixture
def url(request):
    return request.getfixturevalue("postgres_url") if request.param else ""


def keep(store, game, *texts):
    lines = tuple(
        StoredLine(n=n, type="seed", hand=None, text=text, leaf=leaf_hash(text))
        for n, text in enumerate(texts)
    )
    store.write(Write(game=game, lines=lines))


def eventually(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)


@contextlib.contextmanager
def running(made, *options, log=None, **more):
    process = made.start(*options, log=log, **more)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def is_public(made, *texts):
    return lambda: set(texts) <= set(made.audit()[1])


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_a_killed_sequencer_leaves_a_whole_log_and_loses_no_record(tmp_path, url):
    made = run_kills(3, 7, tmp_path / "service", url)
    assert len(made.acknowledged) > 20
    assert made.seen


def test_the_first_leaves_tell_the_keys_and_a_new_receipt_key_is_told_at_the_next_start(tmp_path):
    with scene(tmp_path / "service") as (made, store):
        with running(made):
            eventually(lambda: made.audit()[0].size == 2)
        new_receipt_key(made.folder, os.urandom)
        for number in (1, 2):
            with running(made):
                keep(store, f"g{number}", b"%d\n" % number)
                eventually(is_public(made, b"%d\n" % number))
                eventually(lambda: made.audit()[0].size >= 4)
        entries = [entry for entry in made.audit()[1] if b"pfd1-log" in entry]
        leaves = [read_service_leaf(entry) for entry in entries]
        told = [(leaf.body["use"], leaf.body["vkey"]) for leaf in leaves]
        receipts = (made.folder / "receipt.vkey").read_text().split()
        log_key = (made.folder / "log" / "log.vkey").read_text().strip()
        assert told == [("log", log_key), ("receipt", receipts[1]), ("receipt", receipts[0])]
        assert (made.folder / "log" / "log.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_of_two_sequencers_one_signs_and_the_other_goes_on_where_it_ends(tmp_path, url):
    with scene(tmp_path / "service", url) as (made, store):
        with running(made), running(made):
            keep(store, "gone", b"1\n")
            eventually(is_public(made, b"1\n"))
        with running(made) as first, running(made) as second:
            eventually(lambda: made.audit()[0].size == 3)
            first.kill()
            keep(store, "gtwo", b"2\n")
            eventually(is_public(made, b"2\n"))
            assert second.poll() is None
        assert made.audit()[0].size == 4


def test_two_sequencers_with_copies_of_the_folder_make_one_tree(tmp_path):
    # No lock is shared, and on SQLite there is no post: the book alone keeps them apart.
    with scene(tmp_path / "service") as (made, store):
        with running(made):
            eventually(lambda: made.audit()[0].size == 2)
        other = tmp_path / "other"
        shutil.copytree(made.folder / "log", other)
        with running(made), running(made, "--log-folder", str(other)):
            for number in range(10):
                keep(store, f"g{number}", b"%d\n" % number)
                eventually(lambda: store.log_standing().waiting is None)
    assert_one_root_a_size(made.folder / "log" / "public", other / "public")


def assert_one_root_a_size(*folders):
    roots: dict[str, str] = {}
    for folder in folders:
        for note in (folder / "checkpoints").iterdir():
            body = note.read_text().split("\n\n")[0]
            assert roots.setdefault(note.name, body) == body
    assert len(roots) > 3


@pytest.mark.parametrize("url", BOTH, indirect=True)
def test_two_sequencers_at_once_in_one_folder_give_a_size_one_root(tmp_path, url):
    with scene(tmp_path / "service", url) as (made, store):
        over = threading.Event()

        def work():
            book = made.database.open_log_book(made.folder)
            with contextlib.closing(book):
                one = Sequencer(book, DiskFiles(made.public), KEY, clock=time.monotonic)
                one.start()
                while not over.is_set():
                    one.turn()

        def caught_up():
            return store.log_standing().waiting is None or any(it.done() for it in both)

        with ThreadPoolExecutor(2) as pool:
            both = [pool.submit(work) for _ in range(2)]
            try:
                for number in range(30):
                    keep(store, f"g{number}", b"%d\n" % number, b"%d again\n" % number)
                    if number % 5 == 4:  # However slow they are, there is more than one checkpoint.
                        eventually(caught_up)
            finally:
                over.set()
            for one in both:
                one.result()
    checkpoint, entries = audited(made.read)
    assert checkpoint.size == len(set(entries)) == 60
    assert_one_root_a_size(made.public)


def test_a_database_from_an_older_copy_ends_it_with_status_4_and_nothing_is_signed(tmp_path):
    with scene(tmp_path / "service") as (made, store):
        with running(made):
            keep(store, "gone", b"1\n")
            eventually(is_public(made, b"1\n"))
        store.close()
        copy = tmp_path / "copy.db"
        shutil.copy(made.folder / "games.db", copy)
        with contextlib.closing(made.database.open(made.folder)) as again, running(made):
            keep(again, "gtwo", b"2\n")
            eventually(is_public(made, b"2\n"))
        shutil.copy(copy, made.folder / "games.db")
        for name in ("games.db-wal", "games.db-shm"):
            (made.folder / name).unlink(missing_ok=True)
        was = made.read("checkpoint")
        said = tmp_path / "said"
        with said.open("wb") as log, running(made, log=log) as process:
            assert process.wait(PATIENCE_S) == 4
        assert "log_behind: The database has 3 leaves" in said.read_text()
        assert made.read("checkpoint") == was


def test_a_log_that_was_stopped_ends_with_status_4(tmp_path):
    with scene(tmp_path / "service") as (made, _):
        (made.folder / "log").mkdir()
        (made.folder / "log" / "stopped").write_text("a witness has seen another tree\n")
        with running(made) as process:
            assert process.wait(PATIENCE_S) == 4


def test_an_address_that_is_not_the_name_of_the_log_is_refused(tmp_path):
    with scene(tmp_path / "service") as (made, _):
        with running(made, "--prefix", "https://elsewhere.example/log/") as process:
            assert process.wait(PATIENCE_S) == 1
        assert not (made.folder / "log").exists()


def test_it_ends_after_its_turn_when_it_is_told_to(tmp_path):
    with scene(tmp_path / "service") as (made, _), running(made) as process:
        eventually(lambda: made.audit()[0].size == 2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0


@contextlib.contextmanager
def supervised(made):
    """Start it as `fairdeal serve` does; give the process, and what ends it when it is closed."""
    reads, holds = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "fairdeal.cli", "log", "--folder", made.folder, "--origin", ORIGIN,
         "--while-open", str(reads)],
        pass_fds=(reads,),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(reads)
    with os.fdopen(holds, "wb") as held:
        try:
            yield process, held
        finally:
            process.kill()
            process.wait()


def children(process):
    stats = {int(one.name): one / "stat" for one in PROC.iterdir() if one.name.isdecimal()}
    return [pid for pid, stat in stats.items() if parent_of(stat) == process.pid]


def parent_of(stat):
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def is_gone(pid):
    return not (PROC / str(pid)).exists()


def test_it_is_started_again_where_it_was_killed_and_ends_with_whoever_started_it(tmp_path):
    with scene(tmp_path / "service") as (made, store), supervised(made) as (process, held):
        eventually(lambda: made.audit()[0].size == 2)
        (child,) = children(process)
        os.kill(child, signal.SIGKILL)
        keep(store, "gone", b"1\n")
        eventually(is_public(made, b"1\n"))
        (child,) = children(process)
        held.close()
        assert process.wait(PATIENCE_S) == 0
        assert is_gone(child)


def test_a_sequencer_does_not_outlive_the_one_that_starts_it_again(tmp_path):
    with scene(tmp_path / "service") as (made, _), supervised(made) as (process, _held):
        eventually(lambda: made.audit()[0].size == 2)
        (child,) = children(process)
        process.kill()
        process.wait()
        eventually(lambda: is_gone(child))
