"""The service behind the interface: restarts, failing disks, bots that go on, small shelves."""

import sqlite3
import threading
from functools import partial
from typing import cast

import pytest

from fairdeal.errors import Conflict, NotAllowed, NotIdentified, StorageFailure
from fairdeal.game import decide_close
from fairdeal.records.chain import read
from fairdeal.service import Anyone, Created, NewGame, NewSeat, Once
from fairdeal.service import clerk as clerk_module
from fairdeal.service import onward as onward_module
from fairdeal.service.batch import HAND_WORTH, Batch
from fairdeal.service.onward import Onward
from fairdeal.service.shelf import Shelf
from fairdeal.store.sql import SqlStore
from tests.stores.failing import FailingStore
from tests.table import OPERATOR, Service, play_out


def new_game(kinds, **more):
    seats = tuple(NewSeat(kind="human" if kind == "h" else "bot") for kind in kinds)
    return NewGame(seats=seats, overrides={}, **more)


def dealt_hands(service, game):
    records = read(service.dealer.looks.transcript(Anyone(), game))
    return [record.body["hand"] for record in records if record.type == "deal"]


def act_some(player, count):
    for _ in range(count):
        player.act(*player.choose())


def restarted(service, folder, seed):
    service.close()
    return Service(folder, seed)


def back_at(service, player):
    """Let a player speak to a service that was started anew."""
    player.service = service
    return player


# --------------------------------------------------------------------------------- restart


def test_a_restarted_service_continues_the_same_hand(service, folder):
    _, (player,) = service.started()
    act_some(player, 3)
    before = {what: player.get(what) for what in ("view", "choices", "events")}
    again = restarted(service, folder, "after the restart")
    back_at(again, player)
    assert {what: player.get(what) for what in ("view", "choices", "events")} == before
    play_out([player])
    hands = dealt_hands(again, player.game)
    assert hands == list(range(1, len(hands) + 1))
    again.close()


def test_a_deal_does_not_depend_on_what_happened_since_the_start(folder):
    """The same stored data deal the same cards, whatever entropy the process has now."""
    lines = []
    for other in ("one", "two"):
        service = Service(folder / other if (folder / other).mkdir() is None else folder, "same")
        _, (player,) = service.started()
        player.service = restarted(service, folder / other, other)
        play_out([player])
        lines.append(player.service.dealer.looks.transcript(Anyone(), player.game))
        player.service.close()
    strip = [[(r.type, r.body) for r in read(text)] for text in lines]
    assert strip[0] == strip[1]


def test_a_game_that_fell_off_the_shelf_is_the_same(service):
    _, (player,) = service.started()
    act_some(player, 2)
    before = player.get("view")
    service.dealer._clerk._shelf = Shelf(service.store, service.dealer._founder._vault, size=1)
    service.create()
    service.create()
    assert player.get("view") == before
    assert len(service.dealer._clerk._shelf._games) == 1


def test_a_shelf_keeps_the_newer_of_two_views_of_a_game(service):
    _, (player,) = service.started()
    shelf = service.dealer._clerk._shelf
    old = shelf.game(player.game)
    act_some(player, 1)
    new = shelf.game(player.game)
    shelf.put(old)
    assert shelf.game(player.game).version == new.version


def test_records_written_by_another_process_are_folded_in(service, folder):
    _, (player,) = service.started()
    other = Service(folder, "other")
    back_at(other, player)
    act_some(player, 2)
    version = player.get("view")["version"]
    back_at(service, player)
    assert player.get("view")["version"] == version
    act_some(player, 1)
    other.close()


# ------------------------------------------------------------------------------ bad disks


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_act_whose_commit_failed_is_repeated_and_recorded_once(folder, when):
    service = Service(folder, maker=FailingStore)
    _, (player,) = service.started()
    act_some(player, 2)
    version = player.get("view")["version"]
    expect, act = player.choose()
    service.store.fail = when
    assert player.try_act(expect, act).status_code == 503
    answer = player.act(expect, act)
    assert answer["events"][0]["n"] == version + 1
    assert answer["events"][0]["body"]["act"] == act
    play_out([player])
    read(service.dealer.looks.transcript(Anyone(), player.game))
    service.close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_seed_whose_commit_failed_is_repeated_and_recorded_once(folder, when):
    service = Service(folder, maker=FailingStore)
    created = service.create()
    player = service.seat(created)
    service.store.fail = when
    path = f"{player.path}/seats/{player.seat}/seed"
    assert service.call("PUT", path, player.seed_body(), player.token).status_code == 503
    answer = player.share()
    assert [event["type"] for event in answer["events"]][:3] == ["share", "lock", "deal"]
    assert answer["events"][0]["n"] == 1
    service.close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_game_whose_commit_failed_is_made_once_under_its_key(folder, when):
    service = Service(folder, maker=FailingStore)
    operator = service.dealer.identify(OPERATOR)
    once = Once(
        key=bytes(32), request=bytes(32), render=lambda made: cast(Created, made).id.encode()
    )
    service.store.fail = when
    with pytest.raises(StorageFailure):
        service.dealer.create_game(operator, new_game("hbbb"), once=once)
    if when == "before":
        service.dealer.create_game(operator, new_game("hbbb"), once=once)
    with pytest.raises(Conflict, match="answer_kept"):
        service.dealer.create_game(operator, new_game("hbbb"), once=once)
    (game,) = service.store.unfinished()
    kept = service.dealer.repeats.earlier(once)
    assert kept is not None
    assert kept.content == game.encode()
    service.close()


def test_damaged_records_are_never_built_on(service):
    _, (player,) = service.started()
    act_some(player, 2)
    version = player.get("view")["version"]
    service.sql(
        "DROP TRIGGER records_are_not_changed;"
        "UPDATE records SET line = CAST(replace(CAST(line AS TEXT), 'draw', 'end') AS BLOB)"
        " WHERE n = (SELECT min(n) FROM records WHERE CAST(line AS TEXT) LIKE '%\"draw\"%');"
    )
    service.dealer._clerk._shelf._games.clear()
    answer = player.try_act(version, "draw")
    assert (answer.status_code, answer.json["code"]) == (503, "records_damaged")
    assert service.store.newest(player.game) == version


def test_a_game_that_closes_while_it_is_read_is_not_called_damaged(service, monkeypatch):
    """Its records are read, it closes, its secret is wiped: only then is the secret looked for."""
    created, (player,) = service.started()
    act_some(player, 2)
    keep, secret = service.dealer._clerk, service.store.secret

    def closing(game_id):
        monkeypatch.setattr(service.store, "secret", secret)
        batch = Batch(keep.game(game_id), service.clock())
        batch.add(decide_close(batch.game, "aborted"))
        service.store.write(batch.write())
        keep._shelf._games.clear()
        return secret(game_id)

    keep._shelf._games.clear()
    monkeypatch.setattr(service.store, "secret", closing)
    assert keep.game(created["id"]).closed
    assert keep.game(created["id"]).version == service.store.newest(created["id"])


def test_a_lost_secret_stops_its_game_alone(service):
    _, (player,) = service.started()
    _, (other,) = service.started()
    service.sql(f"DELETE FROM secrets WHERE game = '{player.game}'")
    service.dealer._clerk._shelf._games.clear()
    assert service.call("GET", f"{player.path}/view", token=player.token).status_code == 503
    act_some(other, 1)


# ------------------------------------------------------------------------------------ bots


def test_a_game_of_bots_writes_a_hands_worth_at_a_time_and_ends(service):
    operator = service.dealer.identify(OPERATOR)
    created = service.dealer.create_game(operator, new_game("bbbb"))
    batches, version = 0, created.version
    going_on = True
    while going_on:
        going_on = service.dealer.advance(created.id)
        records = read(b"".join(service.store.lines(created.id)))
        acts = [r for r in records[version + 1 :] if r.type == "act"]
        assert len(acts) <= HAND_WORTH
        version = records[-1].n
        batches += 1
    assert batches > 2
    assert records[-1].type == "master"
    assert service.dealer.advance(created.id) is False
    lock = next(record for record in records if record.type == "lock")
    assert lock.body["shares"] == [None] * 4


def test_bots_that_still_have_to_act_are_gone_on_with_after_the_answer(service):
    named: list[str] = []
    service.dealer.go_on_with(named.append)
    operator = service.dealer.identify(OPERATOR)
    created = service.dealer.create_game(operator, new_game("bbbb"))
    assert named == [created.id]
    service.started("hbbb")
    assert named == [created.id]


def test_a_game_of_bots_goes_on_by_itself_and_after_a_restart(folder):
    service = Service(folder)
    operator = service.dealer.identify(OPERATOR)
    # Nobody goes on with it: as if the process had been killed after the first answer.
    left = service.dealer.create_game(operator, new_game("bbbb"))
    service = restarted(service, folder, "again")
    onward = Onward(service.dealer)
    onward.start()
    fresh = service.dealer.create_game(service.dealer.identify(OPERATOR), new_game("bbbb"))
    watched = [left.id, fresh.id]
    closed = comes_true(
        lambda: all(service.dealer.looks.public(g).state == "closed" for g in watched)
    )
    onward.stop()
    assert closed
    service.close()


def comes_true(asked):
    """Wait, half a minute at most, until something holds that another thread brings about."""
    pause = threading.Event()
    return any(asked() or pause.wait(0.005) for _ in range(6000))


def test_a_broken_game_does_not_stop_the_others(service, caplog):
    operator = service.dealer.identify(OPERATOR)
    broken = service.dealer.create_game(operator, new_game("bbbb"))
    service.sql(f"DELETE FROM secrets WHERE game = '{broken.id}'")
    service.dealer._clerk._shelf._games.clear()
    whole = service.dealer.create_game(operator, new_game("bbbb"))
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(lambda: service.dealer.looks.public(whole.id).state == "closed")
    onward.stop()
    assert f"game {broken.id} stands still: records_damaged" in caplog.text


class FullDisk(SqlStore):
    """Keeps nothing while `full`."""

    full = False

    def _commit(self, connection):
        if self.full:
            full = sqlite3.OperationalError("database or disk is full")
            full.sqlite_errorname = "SQLITE_FULL"
            raise full
        super()._commit(connection)


def test_a_game_of_bots_goes_on_once_the_disk_has_room_again(folder, monkeypatch, caplog):
    monkeypatch.setattr(onward_module, "PAUSE_S", 0.01)
    service = Service(folder, maker=FullDisk)
    created = service.dealer.create_game(service.dealer.identify(OPERATOR), new_game("bbbb"))
    service.store.full = True
    onward = Onward(service.dealer)
    onward.start()
    assert comes_true(
        lambda: f"{created.id} stands still: store_failed (SQLITE_FULL)" in caplog.text
    )
    assert service.dealer.looks.public(created.id).state == "playing"
    service.store.full = False
    assert comes_true(lambda: service.dealer.looks.public(created.id).state == "closed")
    onward.stop()
    service.close()


# ------------------------------------------------------------------------------- the rest


def test_times_never_fall_when_the_clock_does(service):
    _, (player,) = service.started()
    service.dealer._clerk.clock = lambda: 1
    act_some(player, 2)
    times = [event["t"] for event in player.get("events")["events"]]
    assert times == sorted(times)


def test_each_use_case_asks_who_calls(service):
    created, (player,) = service.started()
    dealer, game = service.dealer, created["id"]
    anyone, seated = dealer.identify(None), dealer.identify(player.token)
    operator = dealer.identify(OPERATOR)
    for ask in (
        dealer.looks.choices,
        lambda who, g: dealer.looks.try_out(who, g, 0, "draw"),
        lambda who, g: dealer.act(who, g, 0, "draw"),
    ):
        with pytest.raises(NotIdentified):
            ask(anyone, game)
        with pytest.raises(NotAllowed):
            ask(operator, game)
        with pytest.raises(NotAllowed):
            ask(seated, "gaaaaaaaa")
    for who in (anyone, seated):
        with pytest.raises(NotAllowed):
            dealer.create_game(who, new_game("hbbb"))
        with pytest.raises(NotAllowed):
            dealer.hands.close(who, game, "rain")
    for ask in (
        partial(dealer.feed.page, after=-1),
        dealer.looks.view,
        dealer.looks.counts,
        dealer.looks.transcript,
    ):
        with pytest.raises(NotAllowed):
            ask(seated, "gaaaaaaaa")


def test_an_answer_is_given_only_after_its_records_are_kept(service, monkeypatch):
    """Whatever is signed was acknowledged by the store before."""
    signed = []

    def watch(key, record):
        signed.append(service.store.newest(record.game) >= record.n)
        return "note"

    _, (player,) = service.started()
    monkeypatch.setattr(clerk_module, "receipt", watch)
    act_some(player, 4)
    player.share()
    assert signed
    assert all(signed)


def test_a_batch_that_made_nothing_writes_nothing(service):
    _, (player,) = service.started()
    commits = service.store.commits
    assert service.dealer.advance(player.game) is False
    assert service.store.commits == commits
    game = service.dealer._clerk.game(player.game)
    assert Batch(game, 0).write().lines == ()
