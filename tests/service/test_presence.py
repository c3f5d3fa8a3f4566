"""Who is there is noted cheaply, written down now and then, and told by the later sign."""

import pytest

from fairdeal.service.presence import EVERY_MS, HERE_MS, Presence, Presences
from tests.table import START_MS


class Set:
    """A clock that stands until it is set."""

    def __init__(self):
        self.now = START_MS

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Set()


@pytest.fixture
def presences(service, clock):
    return Presences(service.store, clock)


def test_a_seat_of_which_nothing_was_heard_is_away_since_never(presences):
    assert presences.of("g", seats=2) == (Presence(here=False),) * 2


def test_a_sign_holds_fifteen_seconds(presences, clock):
    presences.note("g", 1)
    clock.now += HERE_MS - 1
    assert presences.of("g", seats=2) == (Presence(here=False), Presence(here=True))
    clock.now += 1
    assert presences.of("g", seats=2)[1] == Presence(here=False, since=START_MS)


def test_signs_are_written_every_five_seconds_at_most_and_together(service, presences, clock):
    before = service.store.commits
    for seat in (0, 1):
        for _ in range(3):
            presences.note("g", seat)
    presences.flush()
    assert service.store.commits == before + 1
    clock.now += EVERY_MS - 1
    presences.note("g", 0)
    presences.flush()
    assert service.store.commits == before + 1
    clock.now += 1
    presences.note("g", 0)
    presences.flush()
    assert service.store.commits == before + 2
    assert [(one.seat, one.at) for one in service.store.seen("g")] == [
        (0, START_MS + EVERY_MS), (1, START_MS),
    ]  # fmt: skip


def test_what_another_process_wrote_counts_too(service, presences, clock):
    other = Presences(service.store, clock)
    other.note("g", 0)
    assert not presences.of("g", seats=1)[0].here
    other.flush()
    assert presences.of("g", seats=1)[0].here


def test_a_seat_of_a_room_is_there_in_the_rooms_games(presences, clock):
    presences.note("r", 0)
    clock.now += 1
    presences.note("g", 1)
    assert [one.here for one in presences.of("g", "r", seats=3)] == [True, True, False]


def test_a_store_that_fails_costs_the_note_and_nothing_else(service, presences):
    presences.note("g", 0)
    service.store.close()
    presences.flush()


def test_the_thread_writes_by_itself_and_the_rest_when_it_is_stopped(service, presences):
    presences.start()
    presences.note("g", 0)
    presences.stop()
    assert [one.seat for one in service.store.seen("g")] == [0]


def test_a_request_of_a_seat_is_a_sign_and_one_of_an_operator_is_none(service):
    created, players = service.started("hhbb")
    there = service.dealer.presences.of(created["id"], seats=4)
    assert [one.here for one in there] == [True, True, False, False]
    service.clock.set(START_MS + 60_000)
    players[1].get("view")
    there = service.dealer.presences.of(created["id"], seats=4)
    assert [one.here for one in there] == [False, True, False, False]
