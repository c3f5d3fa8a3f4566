"""What games do by themselves: forgotten ones close in time, rounds are recorded when out."""

import threading

import pytest

from fairdeal.errors import StorageFailure
from fairdeal.records.chain import read
from fairdeal.service import Anyone
from fairdeal.service import onward as onward_module
from fairdeal.service.onward import Onward
from fairdeal.service.upkeep import IDLE_MS, REVEAL_DUE
from tests.table import QUICKNET, START_MS, Service, time_of
from tests.verdicts import report

WEEK_MS = 7 * 24 * 3600 * 1000
HALF = START_MS + WEEK_MS // 2
LATE = START_MS + WEEK_MS * 3 // 4


def state(service, game):
    return service.dealer.looks.public(game).state


def comes_true(asked):
    pause = threading.Event()
    return any(asked() or pause.wait(0.005) for _ in range(6000))


def test_a_forgotten_game_closes_at_half_of_the_time_and_opens_its_master(service):
    created, (player,) = service.started()
    player.act(*player.choose())
    game = created["id"]
    service.clock.set(HALF - 10_000)
    assert service.dealer.due() == ()
    service.dealer.advance(game)
    assert state(service, game) == "playing"
    service.clock.set(HALF + 10)
    assert service.dealer.due() == (game,)
    service.dealer.advance(game)
    records = read(service.dealer.looks.transcript(Anyone(), game))
    assert [record.type for record in records[-4:]] == ["abort", "reveal", "close", "master"]
    assert records[-2].body["reason"] == REVEAL_DUE
    assert service.store.secret(game) is None
    assert service.dealer.due() == ()
    found = report(service, game, now=START_MS + 2 * WEEK_MS)
    assert found.verdict == "VALID"
    assert "W_REVEAL_LATE" not in {warning.code for warning in found.warnings}


@pytest.mark.parametrize("kinds", ["hbbb", "hhhh"])
def test_a_game_whose_seeds_never_came_closes_too(service, kinds):
    game = service.create(kinds)["id"]
    service.clock.set(HALF + 1000)
    service.dealer.advance(game)
    assert state(service, game) == "closed"
    assert report(service, game).verdict == "VALID"


def test_a_game_that_is_still_played_goes_on_until_three_quarters(service):
    created, (player,) = service.started()
    game = created["id"]
    service.clock.set(HALF + 1000)
    player.act(*player.choose())
    service.dealer.advance(game)
    assert state(service, game) == "playing"
    service.clock.set(HALF + 1000 + IDLE_MS - 1000)
    player.act(*player.choose())
    service.clock.set(LATE + 1)
    player.act(*player.choose())
    service.dealer.advance(game)
    assert state(service, game) == "closed"


def test_a_start_looks_for_forgotten_games(folder):
    service = Service(folder)
    created, _ = service.started()
    service.close()
    service = Service(folder, "again")
    service.clock.set(HALF + 1000)
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(lambda: state(service, created["id"]) == "closed")
    onward.stop()
    service.close()


def test_a_running_service_looks_for_forgotten_games_again_and_again(service, monkeypatch):
    monkeypatch.setattr(onward_module, "SWEEP_S", 0.01)
    onward = Onward(service.dealer)
    onward.start()
    created, _ = service.started()
    service.clock.set(HALF + 1000)
    closed = comes_true(lambda: state(service, created["id"]) == "closed")
    onward.stop()
    assert closed


def test_a_sweep_that_the_store_fails_stops_nothing(service, monkeypatch, caplog):
    monkeypatch.setattr(onward_module, "SWEEP_S", 0.01)
    created, _ = service.started()
    onward = Onward(service.dealer)
    unfinished = service.store.unfinished
    failed = threading.Event()

    def fail():
        if not failed.is_set():
            failed.set()
            raise StorageFailure("store_failed", "The store could not be read.")
        return unfinished()

    onward.start()
    service.store.unfinished = fail
    assert comes_true(lambda: "no game was looked for: store_failed" in caplog.text)
    service.clock.set(HALF + 1000)
    assert comes_true(lambda: state(service, created["id"]) == "closed")
    onward.stop()


def test_a_round_is_recorded_by_itself_once_it_is_out(service, monkeypatch):
    monkeypatch.setattr(onward_module, "ROUND_PAUSE_S", 0.01)
    onward = Onward(service.dealer)
    onward.start()
    service.clock.set(time_of(1000) - 7500)
    beacon = {"chain": QUICKNET, "delay_ms": 6000}
    created = service.create("hbbb", beacon=beacon, hands=1)
    player = service.seat(created)
    player.share()
    assert comes_true(lambda: created["id"] in onward._later)
    assert player.get("view")["hand"] == 0
    service.clock.set(time_of(1000))
    dealt = comes_true(lambda: player.get("view")["hand"] == 1)
    onward.stop()
    assert dealt
    assert player.choose() is not None or player.get("view")["table"] is not None


def test_without_a_source_of_rounds_no_game_may_have_a_beacon(folder):
    from fairdeal.service.founding import Founder

    service = Service(folder)
    service.dealer._founder = Founder(
        service.dealer._clerk, service.dealer._founder._vault, service.entropy, frozenset()
    )
    answer = service.call(
        "POST",
        "/v1/games",
        {
            "seats": [{"kind": "human"}] * 4,
            "beacon": {"chain": QUICKNET, "delay_ms": 6000},
        },
        "cd_live_op_" + "t" * 43,
    )
    assert (answer.status_code, answer.json["code"]) == (422, "no_such_chain")
    assert answer.json["facts"] == {"offered": []}
    service.close()
