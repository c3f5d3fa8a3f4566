"""A slice of `benchmarks.rooms`: an hour at a few tables, and the looks that find what is wrong."""

import pytest

from benchmarks import roomdeeds, rooms
from benchmarks.roomcheck import Watch
from benchmarks.roomdeeds import Deeds
from benchmarks.roompeople import People
from benchmarks.roomworld import World
from fairdeal.service.callers import digest
from fairdeal.service.clocks import DESERTED_MS
from fairdeal.service.settings import Settings
from fairdeal.store.ports import Grant, GrantChange, Write
from tests.table import quick_folder

HOUR_MS = 3_600_000


@pytest.fixture
def folder():
    with quick_folder() as path:
        yield path


def test_an_hour_at_a_few_tables_leaves_nobody_stuck_no_ghost_and_no_seat_lost(folder):
    found = rooms.run(folder, rooms=4, hours=0.7, seed=11, restart_h=0.3)
    assert found.wrong == ()
    done = ("room", "claim", "start", "act", "dropped", "came back", "more time", "restart")
    assert all(found.done[what] for what in done), found.done
    assert found.acts["clock"]
    assert found.closed["verified"]
    assert not found.closed["open"]


def test_the_same_seed_gives_the_same_hours():
    made = []
    for _ in range(2):
        with quick_folder() as path:
            found = rooms.run(path, rooms=2, hours=0.2, seed=5)
            made.append((found.done, found.acts, found.closed))
    assert made[0] == made[1]


# ------------------------------------------------------- what the looks find, where it is so


class Hour:
    """Some tables in play, and somebody who looks."""

    def __init__(self, folder, tables=4, target=500):
        self.world = World(folder, seed=4)
        self.people = People(self.world)
        self.watch = Watch(self.people)
        deeds = Deeds(self.people, target)
        for _ in range(tables):
            deeds.open()
        self.world.run_until(self.world.now + HOUR_MS // 4)
        self.watch.look()
        assert self.watch.wrong == []

    def found(self, word):
        self.watch.look()
        return [said for said in self.watch.wrong if said.endswith(word)]

    def seat_grants(self):
        for table in self.people.tables:
            for grant in self.world.store.grants(role="seat", room=table.id):
                if grant.state == "open" and grant.seat in table.seated:
                    yield table, grant


@pytest.fixture
def hour(folder):
    made = Hour(folder)
    yield made
    made.world.close()


def test_a_token_that_opens_an_empty_seat_is_found(hour):
    table = hour.people.tables[0]
    room = hour.watch.room(table)
    empty = next(number for number, seat in enumerate(room.seats) if not seat.readable)
    grant = Grant(
        digest=digest("cd_live_seat_ghost"),
        role="seat",
        site="site_main",
        room=table.id,
        seat=empty,
    )
    hour.world.store.write(Write(grants=(grant,)))
    assert hour.found("a ghost")


def test_a_seat_whose_token_opens_nothing_is_found(hour):
    _, grant = next(hour.seat_grants())
    change = GrantChange(digest=grant.digest, state="revoked", until=None)
    hour.world.store.write(Write(changes=(change,)))
    assert hour.found("lost")
    assert hour.found("with 0 tokens")


def test_a_game_that_nobody_goes_on_with_is_found(hour, monkeypatch):
    """As if the thread that goes on with games had stopped."""
    monkeypatch.setattr(World, "_advance", lambda *_: None)
    for _ in range(10):
        hour.world.run_until(hour.world.now + 60_000)
        hour.watch.look()
    assert hour.found("stuck")


def test_a_game_that_goes_on_without_anybody_is_found(folder, monkeypatch):
    """As if the clock ran for a table that all have left."""
    monkeypatch.setattr(roomdeeds, "CLOCKS", (Settings(turn_s=60, between_hands_s=10),))
    monkeypatch.setattr("fairdeal.service.clocks.DESERTED_MS", 100 * DESERTED_MS)
    hour = Hour(folder, tables=6, target=5000)
    hour.people.go_home()
    for _ in range(16):
        hour.world.run_until(hour.world.now + 60_000)
        hour.watch.look()
    assert [said for said in hour.watch.wrong if "goes on although" in said]
    hour.world.close()
