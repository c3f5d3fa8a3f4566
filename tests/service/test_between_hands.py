"""The next hand follows by itself when its pause is over, once, whoever looks."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.records.chain import reread
from fairdeal.service import Dealer
from fairdeal.service.onward import Onward
from fairdeal.store.vault import Vault
from tests.table import OPERATOR, ROUNDS, Service
from tests.verdicts import report

PAUSE = {"between_hands_s": 30}


def comes_true(asked):
    pause = threading.Event()
    return any(asked() or pause.wait(0.005) for _ in range(2000))


def types(service, game):
    return [reread(line).type for line in service.store.lines(game)]


def after_a_hand(service, **more):
    """Play a game until its first hand is over; return its name and when the next one is due."""
    created, (player,) = service.started(**{"hands": 3, "clock": PAUSE, **more})
    while (chosen := player.choose()) is not None:
        player.act(*chosen)
    game = service.dealer.looks.public(created["id"])
    return created["id"], game.next_hand_at


def test_a_hand_that_is_over_is_followed_by_nothing_until_its_pause_is_over(service):
    game, due = after_a_hand(service)
    assert types(service, game)[-2:] == ["score", "reveal"]
    service.clock.set(due - 1000)
    assert not service.dealer.advance(game)
    assert types(service, game)[-1] == "reveal"
    service.clock.set(due)
    service.dealer.advance(game)
    made = types(service, game)
    assert made[made.index("reveal") + 1] == "deal"
    assert reread(service.store.lines_of_type(game, "deal")[-1]).body["hand"] == 2


def test_without_a_pause_the_next_hand_is_dealt_in_the_same_transaction(service):
    _, (player,) = service.started(hands=3)
    while player.get("view")["hand"] == 1:
        version, act = player.choose()
        answer = player.act(version, act)
    made = [event["type"] for event in answer["events"]]
    assert made[made.index("reveal") + 1] == "deal"


def test_a_game_of_bots_pauses_too(service):
    created = service.create("bbbb", hands=2, clock=PAUSE)
    while service.dealer.advance(created["id"]):
        pass
    assert types(service, created["id"])[-1] == "reveal"
    service.clock.set(service.dealer.looks.public(created["id"]).next_hand_at)
    while service.dealer.advance(created["id"]):
        pass
    assert types(service, created["id"])[-1] == "master"


def test_a_hand_that_was_aborted_is_followed_after_the_pause(service):
    created, (player,) = service.started(hands=3, clock=PAUSE)
    body = {"reason": "power cut"}
    answer = service.call("POST", f"{player.path}/hands/1/abort", body, OPERATOR).json
    assert [event["type"] for event in answer["events"]] == ["abort", "reveal"]
    assert types(service, created["id"])[-1] == "reveal"
    service.clock.set(service.dealer.looks.public(created["id"]).next_hand_at)
    service.dealer.advance(created["id"])
    assert player.get("view")["hand"] == 2


def test_workers_that_find_it_due_at_the_same_time_deal_once(service):
    game, due = after_a_hand(service)
    service.clock.set(due)
    workers = [
        Dealer(
            store=service.store, vault=Vault(bytes(range(32)), service.entropy), key=service.key,
            entropy=service.entropy, clock=service.clock, beacons=ROUNDS,
        )
        for _ in range(4)
    ]  # fmt: skip
    gate = threading.Barrier(8)

    def look(worker):
        gate.wait()
        return worker.looks.public(game).state

    with ThreadPoolExecutor(8) as pool:
        states = list(pool.map(look, workers * 2))
    assert set(states) == {"playing"}
    assert [reread(line).body["hand"] for line in service.store.lines_of_type(game, "deal")] == [
        1, 2,
    ]  # fmt: skip


def test_a_pause_survives_a_restart(folder):
    service = Service(folder)
    game, due = after_a_hand(service)
    service.close()
    service = Service(folder, "again")
    service.clock.set(due - 1000)
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(lambda: game in onward._later)
    assert types(service, game)[-1] == "reveal"
    onward.stop()
    service.clock.set(due)
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(lambda: "deal" in types(service, game)[-100:] and
                      service.dealer.looks.public(game).state == "playing")  # fmt: skip
    onward.stop()
    service.close()


def test_the_thread_deals_when_the_time_has_come(service):
    onward = Onward(service.dealer)
    onward.start()
    game, due = after_a_hand(service)
    assert comes_true(lambda: game in onward._later)
    service.clock.set(due - 50)  # The thread waits for that long, or finds it over.
    service.dealer._clerk.go_on(game)
    assert comes_true(lambda: len(service.store.lines_of_type(game, "deal")) == 2)
    onward.stop()


def test_a_game_with_pauses_verifies(service):
    game, _ = after_a_hand(service, hands=1)
    assert report(service, game).verdict == "VALID"


@pytest.mark.parametrize("hands", [1, 2])
def test_the_last_hand_is_followed_by_the_end_at_once(service, hands):
    created = service.create("bbbb", hands=hands, clock=PAUSE)
    for _ in range(hands):
        while service.dealer.advance(created["id"]):
            pass
        if (at := service.dealer.looks.public(created["id"]).next_hand_at) is not None:
            service.clock.set(at)
    assert types(service, created["id"])[-2:] == ["close", "master"]


def test_seeds_of_the_next_epoch_come_before_the_pause(service):
    _, (player,) = service.started(hands=2, epoch_hands=1, clock=PAUSE)
    while (chosen := player.choose()) is not None:
        player.act(*chosen)
    assert player.get("view")["state"] == "seeding"
    player.share(epoch=2, text="another")
    assert player.get("view")["hand"] == 2


def test_a_sign_in_place_of_a_seat_is_no_seat(service):
    created, (player,) = service.started(clock={"turn_s": 60})
    service.dealer.presences.flush()
    assert {one.seat for one in service.store.seen(created["id"])} == {0, 16}
    assert len(player.get("view")["seats"]) == 4
