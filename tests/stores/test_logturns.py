"""Turns of the log against what may come between: other writers, other sequencers, kills."""

import contextlib
import multiprocessing
import os
import signal
import threading
from itertools import count
from multiprocessing.connection import Connection

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.errors import Conflict, StorageFailure
from fairdeal.store.driving import drive
from fairdeal.store.engines import writing_engine
from fairdeal.store.logbook import SqlLogBook
from fairdeal.store.opening import open_store
from fairdeal.tlog.merkle import leaf_hash, root_of
from tests.stores.contract import GAME
from tests.stores.failing import FailingStore
from tests.stores.logs import line, sign, write
from tests.stores.processes import comes_true


@pytest.fixture
def store(where):
    with contextlib.closing(open_store(where)) as opened:
        yield opened


@pytest.fixture
def book(where, store):
    with contextlib.closing(SqlLogBook(where)) as opened:
        yield opened


def all_of(book):
    """Give all entries, after a look whether they are one log under the head's root."""
    entries = book.entries(0, 10_000)
    assert [one.index for one in entries] == list(range(book.head().size))
    assert [one.leaf for one in entries] == [leaf_hash(one.entry) for one in entries]
    assert book.head().root == root_of([one.leaf for one in entries])
    return [one.entry for one in entries]


def drain(book, most=1000):
    while book.advance(most, sign) is not None:
        pass


# ------------------------------------------------------------------------- with the record


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_record_and_its_leaf_are_kept_together_or_not_at_all(where, when):
    store = FailingStore(where)
    book = SqlLogBook(where)
    store.fail = when
    with pytest.raises(StorageFailure):
        store.write(write(line(0), line(1)))
    drain(book)
    kept = list(store.lines(GAME))
    assert kept == ([] if when == "before" else [line(0).text, line(1).text])
    assert all_of(book) == kept
    if when == "after":
        with pytest.raises(Conflict):
            store.write(write(line(0), line(1)))
    else:
        store.write(write(line(0), line(1)))
    drain(book)
    assert all_of(book) == [line(0).text, line(1).text]
    book.close()
    store.close()


@pytest.mark.suite("postgres")
def test_a_leaf_that_was_numbered_earlier_and_committed_later_is_not_lost(postgres_url):
    with (
        contextlib.closing(open_store(postgres_url)),
        contextlib.closing(SqlLogBook(postgres_url)) as book,
    ):
        early, late = (drive(writing_engine(postgres_url)) for _ in range(2))
        queued = "INSERT INTO log_queue (game, n, entry, leaf) VALUES (%s, 0, %s, %s) RETURNING id"
        numbers = []
        for driven, game in ((early, "ga"), (late, "gb")):
            driven.begin()
            text = line(0, game=game).text
            numbers.append(driven.text(queued, (game, text, leaf_hash(text))).fetchone()[0])
        assert numbers == sorted(numbers)
        late.commit()
        drain(book)
        assert all_of(book) == [line(0, game="gb").text]
        early.commit()
        drain(book)
        assert all_of(book) == [line(0, game=game).text for game in ("gb", "ga")]
        early.drop()
        late.drop()


def test_a_turn_that_waits_for_another_goes_on_from_where_that_one_got(where, store, book):
    store.write(write(line(0), line(1)))
    signing, asking, go_on = threading.Event(), threading.Event(), threading.Event()

    def slow(head, leaves):
        signing.set()
        assert go_on.wait(30)
        return sign(head, leaves)

    other = SqlLogBook(where)
    first = threading.Thread(target=book.advance, args=(1, slow))
    first.start()
    assert signing.wait(30)
    sizes = []

    def second():
        asking.set()
        other.advance(1, sign)
        sizes.append(other.head().size)

    waiting = threading.Thread(target=second)
    waiting.start()
    assert asking.wait(30)
    if isinstance(where, str):
        with writing_engine(where).connect() as watcher:
            assert comes_true(lambda: is_waiting(watcher))
    go_on.set()
    first.join(30)
    waiting.join(30)
    other.close()
    assert sizes == [2]
    assert all_of(book) == [line(0).text, line(1).text]


def is_waiting(watcher):
    """Say whether anybody waits for a lock on the server."""
    count = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    found = watcher.exec_driver_sql(count).scalar_one()
    watcher.rollback()
    return found > 0


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_turn_whose_commit_fails_is_there_whole_or_not_at_all(store, book, monkeypatch, when):
    store.write(write(line(0), line(1)))
    fault = book._connected().fault

    def fail(driven):
        if when == "after":
            driven.commit()
        raise fault("the answer was lost")

    with monkeypatch.context() as patch:
        patch.setattr(book, "_commit", fail)
        with pytest.raises(StorageFailure):
            book.advance(1000, sign)
    assert book.head().size == (0 if when == "before" else 2)
    assert (book.latest(9) is None) == (when == "before")
    drain(book)
    assert all_of(book) == [line(0).text, line(1).text]


def test_a_root_that_was_signed_for_a_size_stays_the_one(store, book):
    store.write(write(line(0)))
    drain(book)
    driven = book._connected()
    mark = "%s" if driven.is_postgresql else "?"
    again = f"INSERT INTO log_checkpoints (size, root, note) VALUES (1, {mark}, 'n')"
    with pytest.raises(driven.broken_constraint):
        driven.text(again, (b"\1" * 32,))
    assert book.note(1) == "note of 1\n"


# ------------------------------------------------------------------------------- processes


def run_turns(where, pipe):
    """Take turns until told to stop; a child process."""
    book = SqlLogBook(where)
    pipe.send("ready")
    while not pipe.poll():
        with contextlib.suppress(Conflict):
            book.advance(3, sign)


class Hanging(SqlLogBook):
    """Stops for ever in the middle of a turn, before or after its commit."""

    pipe: Connection
    stage = ""

    def wait(self, stage):
        """Stop here, if it is the stage."""
        if stage == self.stage:
            self.pipe.send("there")
            threading.Event().wait()

    def _commit(self, driven):
        self.wait("committing")
        super()._commit(driven)
        self.wait("committed")


def hang(where, pipe, stage):
    """Take a turn that never ends; a child process."""
    book = Hanging(where)
    book.pipe, book.stage = pipe, stage

    def slow(head, leaves):
        book.wait("signing")
        return sign(head, leaves)

    book.advance(1000, slow)


@contextlib.contextmanager
def child(work, *given):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(given[0], theirs, *given[1:]))
    process.start()
    theirs.close()
    assert ours.poll(60)
    ours.recv()
    try:
        yield process, ours
    finally:
        process.kill()
        process.join(30)


def test_another_process_never_gives_a_leaf_a_second_place(where, store, book):
    with child(run_turns, where) as (process, pipe):
        for at in range(30):
            game = f"g{at:016d}"
            store.write(write(line(0, game=game), line(1, game=game), game=game))
            book.advance(4, sign)
        pipe.send("stop")
        process.join(30)
        assert process.exitcode == 0
    drain(book)
    found = all_of(book)
    assert len(found) == len(set(found)) == 60
    size = 60
    while (signed := book.latest(size)) is not None:
        leaves = [leaf_hash(text) for text in found[: signed.size]]
        assert signed.root == root_of(leaves)
        size = signed.size - 1


@pytest.mark.parametrize("stage", ["signing", "committing", "committed"])
def test_a_sequencer_killed_in_a_turn_leaves_all_of_it_or_nothing(where, store, book, stage):
    store.write(write(line(0), line(1)))
    with child(hang, where, stage) as (process, _):
        os.kill(process.pid, signal.SIGKILL)
        process.join(30)
    # A server needs a moment to see that its client is gone.
    assert comes_true(lambda: book.advance(1000, sign) is None)
    assert all_of(book) == [line(0).text, line(1).text]
    assert book.latest(9).size == 2


# ---------------------------------------------------------------------------------- in all


RUNS = count()
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.integers(0, 2), st.lists(st.booleans(), min_size=1)),
        st.tuples(st.just("turn"), st.integers(1, 4)),
        st.tuples(st.just("refused"), st.integers(0, 2)),
        st.tuples(st.just("publish")),
    ),
    max_size=12,
)


@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_whatever_comes_between_the_log_has_every_leaf_once_and_games_in_order(
    where, store, book, steps
):
    run = next(RUNS)
    begin, wanted = book.head().size, list[tuple[str, int, bytes]]()
    newest: dict[str, int] = {}
    for step in steps:
        if step[0] == "write":
            game = f"g{run}x{step[1]}"
            first = newest.get(game, -1) + 1
            lines = [
                line(first + at, "act" if is_act else "share", game=game)
                for at, is_act in enumerate(step[2])
            ]
            store.write(write(*lines, game=game))
            newest[game] = first + len(lines) - 1
            wanted += [(game, one.n, one.text) for one in lines if one.type != "act"]
        elif step[0] == "turn":
            book.advance(step[1], sign)
        elif step[0] == "refused":
            game = f"g{run}x{step[1]}"
            with pytest.raises(Conflict):
                store.write(write(line(newest.get(game, -1) + 2, game=game), game=game))
        elif book.head().size:
            book.publish(book.head().size, "published\n")
    drain(book, 5)
    found = all_of(book)[begin:]
    assert sorted(found) == sorted(text for _, _, text in wanted)
    for game in newest:
        of_game = [text for name, _, text in wanted if name == game]
        assert [text for text in found if text in of_game] == of_game
    for game, n, text in wanted:
        place = store.log_place(game, n)
        assert found[place - begin] == text


# --------------------------------------------------------------------- earlier, and settings


def earlier(where):
    """Take a database back to before there was a log, with its records."""
    engine = writing_engine(where)
    with engine.connect() as connection, connection.begin():
        for name in (
            "matches",
            "asked",
            "log_queue",
            "log_entries",
            "log_checkpoints",
            "log_state",
        ):
            connection.exec_driver_sql(f"DROP TABLE {name}")
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("DROP FUNCTION log_is_only_appended")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0001'")


def test_games_in_play_when_the_log_comes_have_their_leaves_in_it_and_go_on(where, monkeypatch):
    monkeypatch.setattr("fairdeal.store.migrations.versions.r0002_log._BATCH", 3)
    games = [f"g{at}" for at in range(4)]
    with contextlib.closing(open_store(where)) as store:
        for game in games:
            lines = [line(n, "act" if n % 3 == 1 else "share", game=game) for n in range(7)]
            store.write(write(*lines, game=game))
    earlier(where)
    with (
        contextlib.closing(open_store(where)) as store,
        contextlib.closing(SqlLogBook(where)) as book,
    ):
        store.write(write(line(7, game="g0"), game="g0"))
        drain(book)
        wanted = [line(n, game=game).text for game in games for n in range(7) if n % 3 != 1]
        assert all_of(book) == [*wanted, line(7, game="g0").text]


def test_the_log_is_written_with_settings_that_survive_a_power_cut(where, book):
    driven = book._connected()
    if not driven.is_postgresql:
        assert driven.text("PRAGMA synchronous").fetchone() == (2,)
        assert driven.text("PRAGMA journal_mode").fetchone() == ("wal",)
        return
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        assert driven.text(f"SHOW {name}").fetchone() == ("on",)
