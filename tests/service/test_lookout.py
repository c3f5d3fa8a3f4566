"""Games that the process which had them left alone are found, each once, by one process."""

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.service import NewGame, NewSeat
from fairdeal.service.lookout import STILL_S, Lookout
from fairdeal.service.onward import Onward
from fairdeal.store.ports import StoredLine, Write
from fairdeal.store.sql import SqlStore
from tests.table import OPERATOR, Service


def add(store, game, n, type_="act"):
    line = StoredLine(n=n, type=type_, hand=None, text=b"{}\n")
    store.write(Write(game=game, after=n - 1, lines=(line,)))


@pytest.fixture
def store(folder):
    opened = SqlStore(folder / "games.db")
    for game in ("g1", "g2"):
        add(opened, game, 0, "open")
    yield opened
    opened.close()


def test_whoever_takes_the_post_is_told_every_game_that_is_not_over(store):
    add(store, "g3", 0, "open")
    add(store, "g3", 1, "master")
    lookout = Lookout(store)
    assert not lookout.leads
    named = lookout.look(0)
    assert (named, lookout.leads) == (("g1", "g2"), True)
    assert lookout.look(1) == ()


def test_a_game_that_stands_still_is_named_once_until_it_moves(store):
    lookout = Lookout(store)
    times = iter(range(100))

    def look():
        return lookout.look(next(times) * STILL_S)

    look()
    assert look() == ()
    add(store, "g1", 1)
    assert look() == ("g2",)
    assert look() == ("g1",)
    assert look() == ()
    add(store, "g2", 1)
    assert look() == ()
    assert look() == ("g2",)


def test_a_game_that_is_over_is_not_asked_after(store):
    lookout = Lookout(store)
    lookout.look(0)
    lookout.look(STILL_S)
    add(store, "g1", 1, "master")
    assert lookout.look(2 * STILL_S) == ("g2",)
    assert lookout.look(3 * STILL_S) == ()


def test_who_does_not_hold_the_post_is_told_nothing_and_takes_it_when_it_is_free(store, folder):
    class Held(SqlStore):
        held = True

        def lead(self, post):
            return not self.held

    other = Held(folder / "games.db")
    lookout = Lookout(other)
    for at in range(4):
        assert lookout.look(at * STILL_S) == ()
        assert not lookout.leads
    other.held = False
    assert lookout.look(5 * STILL_S) == ("g1", "g2")
    other.close()


def test_a_store_that_does_not_answer_costs_the_post_and_gives_it_back(store, folder):
    class Away(SqlStore):
        away = False

        def lead(self, post):
            if self.away:
                raise StorageFailure("store_unavailable", "away")
            return True

    other = Away(folder / "games.db")
    lookout = Lookout(other)
    assert lookout.look(0)
    other.away = True
    assert lookout.look(1) == ()
    assert not lookout.leads
    other.away = False
    assert lookout.look(2) == ("g1", "g2")
    other.close()


def test_a_stop_finishes_what_is_in_hand_and_leaves_what_waits_to_the_next_start(folder):
    service = Service(folder)
    operator = service.dealer.identify(OPERATOR)
    bots = NewGame(seats=(NewSeat(kind="bot"),) * 4, overrides={}, hands=2)
    games = [service.dealer.create_game(operator, bots).id for _ in range(8)]
    before = [service.store.newest(game) for game in games]
    onward = Onward(service.dealer)
    onward.start()
    onward.stop()
    after = [service.store.newest(game) for game in games]
    assert sum(one != other for one, other in zip(before, after, strict=True)) <= 1
    service.close()
