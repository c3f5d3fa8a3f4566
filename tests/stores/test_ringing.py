"""Rings that come from other processes, and processes that only read."""

import contextlib
import os
import resource
import threading

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.store import ringing
from fairdeal.store.bell import Bell
from fairdeal.store.opening import open_store
from fairdeal.store.ports import RoomState, Seen, Write
from fairdeal.store.sql import SqlStore
from tests.stores.contract import GAME, acts, opening
from tests.stores.processes import comes_true, cut
from tests.stores.test_schema import earlier

OTHER = "gbbbbbbbbbbbbbbbb"
ROOM = Write(room=RoomState(room="r", site="s", version=0, body=b"{}"))
LONG_S = 20.0


@pytest.fixture
def store(where):
    with contextlib.closing(SqlStore(where)) as opened:
        opened.write(opening())
        yield opened


@pytest.fixture
def reader(store, where):
    with contextlib.closing(open_store(where, reads_only=True)) as opened:
        yield opened


@pytest.fixture
def other(postgres_url):
    """Another process that writes to the same PostgreSQL database."""
    with contextlib.closing(SqlStore(postgres_url)) as opened:
        yield opened


def settle(ear):
    """Wait until an ear has heard what it hears first of all."""
    ear.wait(LONG_S)
    while ear.wait(0.1):
        pass


def test_a_reading_process_is_rung_for_what_another_one_wrote(store, reader):
    with reader.bell.listen(GAME) as ear:
        settle(ear)
        store.write(acts(0))
        assert ear.wait(LONG_S)
        assert reader.newest(GAME) == 1


def test_a_reading_process_is_rung_for_a_room(store, reader):
    with reader.bell.listen("r") as ear:
        settle(ear)
        store.write(ROOM)
        assert ear.wait(LONG_S)
        assert reader.room("r") == ROOM.room


def test_a_reading_process_is_not_rung_for_what_nobody_there_listens_to(store, reader):
    with reader.bell.listen(OTHER) as bystander, reader.bell.listen(GAME) as ear:
        settle(bystander)
        settle(ear)
        for n in range(5):
            store.write(acts(n))
            store.write(Write(seen=(Seen(place=OTHER, seat=0, at=n),)))
        assert comes_true(lambda: ear.wait(0.01) and reader.newest(GAME) == 5)
        assert not bystander.wait(0.2)
        store.write(opening(OTHER))
        assert bystander.wait(LONG_S)


def test_a_game_is_rung_for_whoever_began_to_listen_long_after_the_process_did(store, reader):
    with reader.bell.listen(GAME) as ear:
        settle(ear)
    store.write(acts(0))
    store.write(opening(OTHER))
    for game, newest in ((OTHER, 0), (GAME, 1)):
        with reader.bell.listen(game) as ear:
            settle(ear)
            store.write(acts(newest, game=game))
            assert ear.wait(LONG_S)


def test_a_process_that_only_reads_writes_nothing(reader):
    with pytest.raises(StorageFailure) as refused:
        reader.write(acts(0))
    assert refused.value.code == "store_failed"
    assert reader.newest(GAME) == 0
    assert reader.commits == 0
    assert not reader.lead("upkeep")


def test_a_process_that_only_reads_makes_no_database(where, tmp_path):
    for _ in range(2):
        with pytest.raises(StorageFailure) as refused:
            open_store(where, reads_only=True)
        assert refused.value.code == "store_unavailable"
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_only_reads_brings_no_earlier_file_along(tmp_path):
    earlier(tmp_path / "games.db", 3)
    with pytest.raises(StorageFailure) as refused:
        open_store(tmp_path / "games.db", reads_only=True)
    assert refused.value.code == "store_unavailable"


def test_a_shut_reader_refuses(reader):
    reader.close()
    reader.close()
    with pytest.raises(StorageFailure):
        reader.newest(GAME)


# ------------------------------------------------------------------- several that write

postgres = pytest.mark.suite("postgres")


@postgres
def test_a_writing_process_is_rung_for_what_another_one_wrote(other, postgres_url):
    with contextlib.closing(SqlStore(postgres_url)) as store, store.bell.listen(GAME) as ear:
        settle(ear)
        other.write(opening())
        assert ear.wait(LONG_S)
        other.write(acts(0))
        assert ear.wait(LONG_S)
        assert store.newest(GAME) == 1


@postgres
def test_a_process_is_rung_for_its_own_writes_once(other):
    rings = []
    with other.bell.listen(GAME, lambda: rings.append(1)) as ear, other.bell.listen("z") as last:
        settle(ear)
        rings.clear()
        other.write(opening())
        other.write(acts(0))
        other.write(opening("z"))
        settle(last)  # what is announced comes back in order
        assert len(rings) == 2


@postgres
def test_more_names_than_one_announcement_holds_ring_everybody(other, postgres_url):
    games = [f"g{index:016d}" for index in range(600)]
    assert ringing._payload(games) == ringing.ALL
    assert ringing._payload(games[:3]) == ",".join(games[:3])
    with contextlib.closing(SqlStore(postgres_url)) as store, store.bell.listen("x") as ear:
        settle(ear)
        other._announcer.announce(games)
        assert ear.wait(LONG_S)


@postgres
@pytest.mark.parametrize("whose", ["sender", "listener"])
def test_a_ring_outlives_the_connection_that_was_to_carry_it(
    other, postgres_url, postgres_cluster, whose
):
    """What a lost connection did not carry is sent later; what it did not hear rings everybody."""
    kind = "query LIKE 'SELECT pg_notify%'" if whose == "sender" else "query LIKE 'LISTEN%'"
    with contextlib.closing(SqlStore(postgres_url)) as store, store.bell.listen(GAME) as ear:
        other.write(opening())
        settle(ear)
        cut(postgres_cluster, postgres_url, kind)
        other.write(acts(0))
        assert comes_true(lambda: ear.wait(0.01) and store.newest(GAME) == 1)
        settle(ear)
        other.write(acts(1))
        assert ear.wait(LONG_S)


@postgres
def test_what_a_killed_process_never_announced_is_noticed_all_the_same(other, postgres_url):
    with contextlib.closing(SqlStore(postgres_url)) as store, store.bell.listen(GAME) as ear:
        settle(ear)
        other._announcer.announce = lambda names: None
        other.write(opening())
        assert ear.wait(LONG_S)


@postgres
def test_a_process_that_holds_a_thousand_streams_is_rung(other, postgres_url):
    """Each stream is a file, and so is the connection that listens."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    streams = [os.dup(0) for _ in range(1100)]
    try:
        with contextlib.closing(SqlStore(postgres_url)) as store, store.bell.listen(GAME) as ear:
            settle(ear)
            other.write(opening())
            assert ear.wait(LONG_S)
    finally:
        for stream in streams:
            os.close(stream)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# ------------------------------------------------------------------------------- the bell


def test_somebody_who_cannot_be_woken_keeps_nobody_from_writing_or_listening(store, caplog):
    def fail():
        raise RuntimeError("the loop is closed")

    with store.bell.listen(GAME, fail), store.bell.listen(GAME) as ear:
        for n in range(3):
            store.write(acts(n))
            assert ear.wait(LONG_S)
    assert f"somebody who listens for {GAME} could not be woken" in caplog.text


def test_a_bell_knows_for_what_anybody_listens():
    bell = Bell()
    assert bell.names() == ()
    assert not bell.wait_for_ears(0)
    with bell.listen("a"), bell.listen("a"), bell.listen("b"):
        assert sorted(bell.names()) == ["a", "b"]
        assert bell.wait_for_ears(0)
    assert bell.names() == ()
    assert not bell.wait_for_ears(0)


def test_an_ear_wakes_whoever_waits_for_one():
    bell, woken = Bell(), threading.Event()

    def wait():
        if bell.wait_for_ears(30):
            woken.set()

    thread = threading.Thread(target=wait)
    thread.start()
    with bell.listen("a"):
        assert woken.wait(10)
    thread.join()
