"""Nothing is recorded before what it rests on is public in the log (docs/decisions/0011)."""

import pytest

from fairdeal.errors import Busy
from fairdeal.records.chain import reread
from fairdeal.service.publiclog.watching import BEHIND_S, PATIENCE_S, PublicOrder
from fairdeal.store.logbook import SqlLogBook
from fairdeal.store.logport import SignedHead
from fairdeal.store.sql import SqlStore
from fairdeal.tlog.growth import Edge, grow
from tests.order import Told, stalled
from tests.table import OPERATOR, Service, play_out

DEALT = {"name": "one each", "deck": ["AS", "KS", "QS", "JS"], "steps": [
    {"op": "deal", "count": 1, "packet": 1}]}  # fmt: skip


@pytest.fixture
def order():
    return Told()


@pytest.fixture
def service(tmp_path, order):
    opened = Service(tmp_path, order=order)
    yield opened
    opened.close()


def types(service, game):
    return [reread(line).type for line in service.store.lines(game)]


def advance(service, game):
    service.dealer.advance(game)


def test_a_seed_is_refused_until_the_commitment_is_public(service, order):
    created = service.create()
    game, player = created["id"], service.seat(created)
    answer = service.call("PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token)
    assert (answer.status_code, answer.json["code"]) == (503, "log_behind")
    assert answer.headers["Retry-After"]
    assert types(service, game) == ["open"]
    order.public[game] = {"open"}
    answer = service.call("PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token)
    assert answer.status_code == 200
    assert types(service, game) == ["open", "share", "lock"]


def test_a_hand_is_dealt_only_once_its_lock_is_public(service, order):
    created = service.create()
    game, player = created["id"], service.seat(created)
    order.public[game] = {"open"}
    player.share()
    for _ in range(3):
        advance(service, game)
    assert types(service, game)[-1] == "lock"
    order.public[game] = {"open", "lock"}
    advance(service, game)
    assert types(service, game)[3] == "deal"


def test_the_first_hand_does_not_wait_for_the_pause_between_hands(service, order):
    created = service.create(clock={"between_hands_s": 600})
    game, player = created["id"], service.seat(created)
    order.public[game] = {"open", "lock"}
    player.share()
    advance(service, game)
    assert "deal" in types(service, game)


def test_a_game_of_bots_alone_waits_too(service, order):
    game = service.create("bbbb")["id"]
    assert types(service, game) == ["open", "lock"]
    advance(service, game)
    assert types(service, game) == ["open", "lock"]
    order.public[game] = {"open", "lock"}
    advance(service, game)
    assert types(service, game)[:3] == ["open", "lock", "deal"]


@pytest.mark.parametrize("what", ["close", "void"])
def test_a_game_is_not_given_up_before_its_commitment_is_public(service, order, what):
    game = service.create()["id"]
    body = {"reason": "players_left"}
    answer = service.call("POST", f"/v1/games/{game}/{what}", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (503, "log_behind")
    assert types(service, game) == ["open"]
    order.public[game] = {"open"}
    answer = service.call("POST", f"/v1/games/{game}/{what}", body, OPERATOR)
    assert answer.status_code == 200
    assert types(service, game) == ["open", "close", "master"]


def test_a_site_that_deals_by_asking_waits_for_the_lock(service, order):
    created = service.create("hh", rules={"dealt": DEALT}, hands=1, first_seat=0)
    game = created["id"]
    order.public[game] = {"open"}
    for seat in range(2):
        service.seat(created, seat).share()
    version = service.store.newest(game)
    answer = service.call("POST", f"/v1/games/{game}/hands", {"expect": version}, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (503, "log_behind")
    order.public[game] = {"open", "lock"}
    answer = service.call("POST", f"/v1/games/{game}/hands", {"expect": version}, OPERATOR)
    assert answer.status_code == 200


def test_new_games_and_seeds_are_refused_while_the_log_is_behind_and_games_go_on(service, order):
    created = service.create()
    game, player = created["id"], service.seat(created)
    order.public[game] = {"open", "lock"}
    player.share()
    advance(service, game)
    order.is_behind = True
    refused = service.call(
        "POST", "/v1/games", {"seats": [{"kind": "human"}] + [{"kind": "bot"}] * 3}, OPERATOR
    )
    assert (refused.status_code, refused.json["code"]) == (503, "log_behind")
    assert service.call("GET", "/readyz").json["code"] == "log_behind"
    version, act = player.choose()
    assert player.try_act(version, act).status_code == 200


def test_a_whole_game_keeps_the_order(service, order):

    created = service.create(rules={"overrides": {"target": 500}})
    game, player = created["id"], service.seat(created)
    order.public[game] = {"open"}
    player.share()
    order.public[game] = {"open", "lock"}
    advance(service, game)
    play_out([player])
    told = types(service, game)
    assert told[-1] == "master"
    assert told.index("open") < told.index("share") < told.index("lock") < told.index("deal")


# ------------------------------------------------------------------- over a store's own standing


def sign(head, leaves):
    edge, _ = grow(Edge.read(head.size, head.edge), leaves)
    return SignedHead(edge.size, edge.root, edge.text, "note\n")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def pause(self, seconds):
        self.now += seconds


@pytest.fixture
def logged(tmp_path):
    """A service whose order is that of its log, with the log's book in the test's hands."""
    clock = Clock()
    opened = Service(tmp_path)
    order = PublicOrder(opened.store, clock, clock.pause)
    opened.dealer._clerk.order = order
    book = SqlLogBook(tmp_path / "games.db")
    yield opened, order, book, clock
    book.close()
    opened.close()


def test_a_request_waits_for_a_publication_that_comes(logged):
    service, order, book, clock = logged
    created = service.create()
    player = service.seat(created)

    def publish(seconds):
        clock.now += seconds
        if clock.now > 1:
            new = book.advance(100, sign)
            if new is not None:
                book.publish(new.size, "note\n")

    order._pause = publish
    player.share()
    assert 1 < clock.now < PATIENCE_S


def test_a_request_gives_up_waiting_and_nothing_is_done(logged):
    service, _, book, clock = logged
    created = service.create()
    player = service.seat(created)
    book.advance(100, sign)  # signed, and not public
    answer = service.call("PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token)
    assert (answer.status_code, answer.json["code"]) == (503, "log_behind")
    assert PATIENCE_S <= clock.now < PATIENCE_S + 1
    assert types(service, created["id"]) == ["open"]


def test_the_log_is_behind_once_nothing_became_public_for_long(logged):
    service, order, book, clock = logged
    assert not order.is_behind
    service.create()
    assert not order.is_behind
    clock.now += BEHIND_S + 0.1
    assert order.is_behind
    new = book.advance(100, sign)
    assert order.is_behind
    book.publish(new.size, "note\n")
    assert not order.is_behind
    clock.now += 100
    service.create()
    assert not order.is_behind
    clock.now += BEHIND_S + 0.1
    with pytest.raises(Busy):
        order.check_pace()


def test_a_stalled_order_refuses_everything_that_begins(tmp_path):
    service = Service(tmp_path, order=stalled(), maker=SqlStore)
    answer = service.call(
        "POST", "/v1/games", {"seats": [{"kind": "human"}] + [{"kind": "bot"}] * 3}, OPERATOR
    )
    assert answer.json["code"] == "log_behind"
    service.close()
