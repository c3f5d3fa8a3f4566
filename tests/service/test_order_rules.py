"""No record is kept before what it rests on is public in the log (log.md §4, decision 0011)."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.errors import Busy
from fairdeal.game import needed_before
from fairdeal.service.publiclog.watching import (
    BEHIND_S,
    MOST_WAITING,
    PATIENCE_S,
    PublicOrder,
)
from fairdeal.store.logbook import SqlLogBook
from fairdeal.store.logport import SignedHead
from fairdeal.store.sql import SqlStore
from fairdeal.tlog.growth import Edge, grow
from tests.table import OPERATOR, QUICKNET, Player, Service, quick_folder, time_of

DEALT = {
    "name": "one each",
    "deck": ["AS", "KS", "QS", "JS"],
    "steps": [{"op": "deal", "count": 1, "packet": 1}],
}


class Log:
    """A log that becomes public when it is told to, on the file of a service."""

    def __init__(self, path):
        self.path = path
        self.store = SqlStore(path)
        self.now = 0.0
        self.in_pause = lambda: None
        self.paused = 0
        self.order = PublicOrder(self.store, lambda: self.now, self.pause)

    def pause(self, seconds):
        self.now += seconds
        self.paused += 1
        self.in_pause()

    def sign(self, head, leaves):
        edge, _ = grow(Edge.read(head.size, head.edge), leaves)
        return SignedHead(edge.size, edge.root, edge.text, "a note")

    def place(self):
        """Give places to what waits, and publish nothing."""
        with contextlib.closing(SqlLogBook(self.path)) as book:
            book.advance(5_000, self.sign)

    def publish(self):
        """Publish all that is kept now."""
        self.place()
        with contextlib.closing(SqlLogBook(self.path)) as book:
            book.publish(book.head().size, "a note")

    def is_public(self, game, n):
        place = self.store.log_place(game, n)
        return place is not None and place < self.store.log_standing().published


@contextlib.contextmanager
def logged(folder):
    SqlStore(folder / "games.db").close()
    log = Log(folder / "games.db")
    service = Service(folder, order=log.order)
    try:
        yield service, log
    finally:
        service.close()
        log.store.close()


@pytest.fixture
def both(folder):
    with logged(folder) as opened:
        yield opened


def types(service, game):
    return [json.loads(line)["type"] for line in service.store.lines(game)]


def put_seed(player, **more):
    path = f"{player.path}/seats/{player.seat}/seed"
    return player.service.call("PUT", path, player.seed_body(**more), player.token)


def refused(answer):
    assert (answer.status_code, answer.json["code"]) == (503, "log_behind"), answer.text
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_seed_waits_for_record_0_and_goes_on_once_it_is_public(both):
    service, log = both
    player = service.seat(service.create())
    log.in_pause = lambda: log.paused == 3 and log.publish()
    player.share()
    assert log.paused == 3
    assert types(service, player.game) == ["open", "share", "lock"]


def test_a_seed_is_refused_where_record_0_does_not_become_public_and_nothing_is_done(both):
    service, log = both
    player = service.seat(service.create())
    refused(put_seed(player))
    assert PATIENCE_S <= log.now < PATIENCE_S + 1
    assert types(service, player.game) == ["open"]
    log.publish()
    assert put_seed(player).status_code == 200


def test_a_place_without_a_published_checkpoint_is_not_public(both):
    service, log = both
    player = service.seat(service.create())
    log.place()
    refused(put_seed(player))


def test_a_seal_waits_for_record_0(both):
    service, log = both
    player = service.seat(service.create(profile="sealed"))
    refused(player.try_seal())
    assert types(service, player.game) == ["open"]
    log.publish()
    player.seal()


def test_what_is_wrong_with_a_seed_is_said_without_a_wait(both):
    service, log = both
    player = service.seat(service.create())
    answer = put_seed(player, epoch=2)
    assert answer.json["code"] == "bad_field"
    assert log.paused == 0


def test_the_hand_follows_by_itself_once_its_lock_is_public_and_not_before(both):
    service, log = both
    player = service.seat(service.create())
    log.publish()
    answer = player.share()
    assert [event["type"] for event in answer["events"]] == ["share", "lock"]
    assert not service.dealer.advance(player.game)
    assert types(service, player.game)[-1] == "lock"
    log.publish()
    service.dealer.advance(player.game)
    assert types(service, player.game)[3] == "deal"


def test_a_game_that_waits_for_its_lock_is_named_and_looked_at_again_soon(both):
    service, log = both
    named: list[str] = []
    service.dealer.go_on_with(named.append)
    player = service.seat(service.create())
    log.publish()
    player.share()
    assert named == [player.game]
    assert 0 < service.dealer.wakes_in(player.game) <= 0.1


def test_a_log_that_stands_still_is_not_asked_all_the_time_by_each_game_that_waits(both):
    service, log = both
    player = service.seat(service.create())
    log.publish()
    player.share()
    service.clock.set(service.clock() + 60_000)
    assert service.dealer.wakes_in(player.game) >= 0.25


def test_a_service_that_is_started_again_deals_the_hand_that_waited(folder):
    with logged(folder) as (service, log):
        player = service.seat(service.create())
        log.publish()
        player.share()
        log.publish()
    with logged(folder) as (service, _):
        assert service.dealer.go_on_with(lambda _: None) == (player.game,)
        service.dealer.advance(player.game)
        assert "deal" in types(service, player.game)


def test_a_game_of_bots_alone_is_dealt_after_its_lock_is_public(both):
    service, log = both
    game = service.create("bbbb")["id"]
    assert types(service, game) == ["open", "lock"]
    service.dealer.advance(game)
    assert types(service, game) == ["open", "lock"]
    log.publish()
    assert service.dealer.advance(game)
    assert types(service, game)[2:4] == ["deal", "act"]


def test_each_epoch_waits_for_its_own_lock(both):
    service, log = both
    game = service.create("bbbb", epoch_hands=1)["id"]
    log.publish()
    while types(service, game).count("lock") < 2:
        service.dealer.advance(game)
    service.dealer.advance(game)
    assert types(service, game).count("deal") == 1
    log.publish()
    service.dealer.advance(game)
    assert types(service, game).count("deal") == 2


def test_a_game_that_is_called_off_at_once_waits_for_record_0(both):
    service, log = both
    game = service.create()["id"]
    path, body = f"/v1/games/{game}/void", {"reason": "test"}
    refused(service.call("POST", path, body, OPERATOR))
    assert types(service, game) == ["open"]
    log.publish()
    assert service.call("POST", path, body, OPERATOR).status_code == 200
    assert types(service, game) == ["open", "close", "master"]


def test_a_game_that_closes_by_itself_waits_for_record_0(both):
    service, log = both
    created = service.create()
    late = json.loads(service.store.lines(created["id"])[0])["body"]["reveal_by"]
    service.clock.set(late)
    with pytest.raises(Busy) as behind:
        service.dealer.advance(created["id"])
    assert behind.value.code == "log_behind"
    log.publish()
    service.dealer.advance(created["id"])
    assert types(service, created["id"]) == ["open", "close", "master"]


def test_the_deal_of_a_dealt_only_game_waits_for_its_lock(both):
    service, log = both
    created = service.create("hh", rules={"dealt": DEALT}, hands=1, first_seat=0)
    log.publish()
    for index in (0, 1):
        version = service.seat(created, index).share()["version"]
    path = f"/v1/games/{created['id']}/hands"
    refused(service.call("POST", path, {"expect": version}, OPERATOR))
    assert types(service, created["id"])[-1] == "lock"
    log.in_pause = log.publish
    assert service.call("POST", path, {"expect": version}, OPERATOR).status_code == 200
    assert types(service, created["id"])[-1] == "deal"


def test_seeds_that_are_overdue_twice_close_a_game(both):
    service, log = both
    created = service.create("hhbb", missing_share="void")
    player = service.seat(created)
    log.publish()
    for epoch in (1, 2):
        player.share(epoch=epoch)
        body = {"expect": player.get("view")["version"]}
        answer = service.call("POST", f"/v1/games/{created['id']}/overdue", body, OPERATOR)
        assert answer.status_code == 200, answer.text
    kept = ["open", "share", "void", "share", "void", "close", "master"]
    assert types(service, created["id"]) == kept


def test_the_round_of_a_beacon_is_fixed_after_the_wait_for_record_0(both):
    service, log = both
    service.clock.set(time_of(1000) - 60_000)
    player = service.seat(service.create(beacon={"chain": QUICKNET, "delay_ms": 6_000}))
    waited_until = time_of(1000)

    def come():
        service.clock.set(waited_until)
        log.publish()

    log.in_pause = come
    player.share()
    lock = json.loads(service.store.lines_of_type(player.game, "lock")[0])
    assert lock["t"] >= waited_until
    assert time_of(lock["body"]["round"]) >= lock["t"] + 6_000


def test_where_nothing_becomes_public_new_games_and_seeds_are_refused_and_play_goes_on(both):
    service, log = both
    playing = service.seat(service.create())
    log.publish()
    playing.share()
    log.publish()
    while (chosen := playing.choose()) is None:
        service.dealer.advance(playing.game)
    other = service.seat(service.create())
    assert service.call("GET", "/readyz").status_code == 200
    log.now += BEHIND_S + 0.1
    refused(service.call("GET", "/readyz"))
    refused(put_seed(other))
    refused(service.call("POST", "/v1/games", {"seats": [{"kind": "bot"}] * 4}, OPERATOR))
    playing.act(*chosen)
    log.publish()
    assert service.call("GET", "/readyz").status_code == 200
    assert put_seed(other).status_code == 200


def test_a_log_that_moves_is_not_behind_however_long_something_waits(both):
    service, log = both
    service.create()
    for _ in range(4):
        assert not log.order.is_behind
        log.publish()
        service.create()
        log.now += BEHIND_S + 0.1


@pytest.mark.parametrize(("late_s", "most"), [(0.0, 40), (BEHIND_S + 0.1, MOST_WAITING)])
def test_few_at_a_time_wait_for_a_log_that_is_behind(both, late_s, most):
    service, log = both
    game = service.create()["id"]
    assert not log.order.is_behind
    log.now += late_s
    depth, deepest = 0, 0

    def one_more():
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        if depth < 40:
            with pytest.raises(Busy, match="does not keep up"):
                log.order.await_it(game, "open")
        else:
            log.now += PATIENCE_S
        depth -= 1

    log.in_pause = one_more
    with pytest.raises(Busy, match="does not keep up"):
        log.order.await_it(game, "open")
    assert deepest == most


def test_a_start_in_a_room_is_refused_while_the_log_is_behind_and_changes_nothing(both):
    service, log = both
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    made = service.call("POST", "/v1/rooms", {"seats": seats, "auto_start": False}, OPERATOR).json
    token = service.call("POST", "/v1/claims", {"claim": made["claims"][0]["claim"]}).json["token"]
    path = f"/v1/rooms/{made['id']}"
    assert service.call("POST", f"{path}/ready", {"ready": True}, token).status_code == 200
    service.create()
    assert not log.order.is_behind
    log.now += BEHIND_S + 0.1
    before = service.call("GET", path, token=token).json
    refused(service.call("POST", f"{path}/start", {}, token))
    assert service.call("GET", path, token=token).json == before
    log.publish()
    assert service.call("POST", f"{path}/start", {}, token).status_code == 200


STEPS = ("publish", "place", "create", "seed", "seed", "act", "act", "advance", "void", "overdue")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 7)), min_size=4, max_size=40))
def test_whatever_is_asked_each_record_was_made_when_what_it_needs_was_public(steps):
    with quick_folder() as folder, logged(folder) as (service, log):
        players: list[Player] = []
        kept: dict[str, int] = {}
        for step, number in [("create", 0), *steps]:
            public = {
                (game, n) for game, count in kept.items() for n in range(count)
                if log.is_public(game, n)
            }  # fmt: skip
            take(service, log, players, step, number)
            for player in players:
                check_new(service, player.game, kept.setdefault(player.game, 0), public)
                kept[player.game] = len(service.store.lines(player.game))


def take(service, log, players, step, number):
    log.in_pause = lambda: setattr(log, "now", log.now + PATIENCE_S)
    if step == "publish":
        return log.publish()
    if step == "place":
        return log.place()
    if step == "create" or not players:
        with contextlib.suppress(AssertionError):  # The log may be behind.
            created = service.create("hbbb", epoch_hands=1, missing_share="void")
            players.append(service.seat(created))
        return None
    return ask(service, players[number % len(players)], step, number)


def ask(service, player, step, number):
    path = player.path
    if step == "seed":
        put_seed(player, epoch=1 + types(service, player.game).count("lock"))
    elif step == "act":
        if (chosen := player.choose()) is not None:
            player.try_act(*chosen)
    elif step == "advance":
        service.dealer.advance(player.game)
    elif step == "void" and number > 5:
        service.call("POST", f"{path}/void", {"reason": "test"}, OPERATOR)
    elif step == "overdue" and number > 4:
        expect = player.get("view")["version"]
        service.call("POST", f"{path}/overdue", {"expect": expect}, OPERATOR)


def check_new(service, game, count, public):
    newest_lock = None
    for n, type_ in enumerate(types(service, game)):
        needed = needed_before(type_)
        if n >= count and needed is not None:
            rests_on = 0 if needed == "open" else newest_lock
            assert (game, rests_on) in public, (n, type_)
        newest_lock = n if type_ == "lock" else newest_lock
