"""Watchers: who may watch a game that is not open to everybody, and what they see."""

import pytest

from fairdeal.service import watchers
from tests.table import OPERATOR, START_MS, play_out

CLOSED = {"watch": {"open": False}}
READ = ("view", "counts", "events", "transcript")


def watcher(service, game, **wanted):
    answer = service.call("POST", f"/v1/games/{game}/watchers", wanted, OPERATOR)
    assert answer.status_code == 201, answer.text
    return answer.json


def listed(service, game):
    return service.call("GET", f"/v1/games/{game}/watchers", token=OPERATOR).json["watchers"]


def read(service, game, what, token=None):
    return service.call("GET", f"/v1/games/{game}/{what}", token=token)


def code(answer):
    return answer.status_code, answer.json.get("code")


@pytest.mark.parametrize("what", READ)
def test_a_running_game_that_is_not_open_is_read_by_whom_its_site_chose(service, what):
    created, (player,) = service.started(**CLOSED)
    game = created["id"]
    assert code(read(service, game, what)) == (403, "watch_closed")
    for token in (watcher(service, game)["token"], OPERATOR, player.token):
        assert read(service, game, what, token).status_code == 200


@pytest.mark.parametrize("what", READ)
def test_a_watcher_sees_what_the_public_of_an_open_game_sees(service, what):
    created, _ = service.started()
    game = created["id"]
    token = watcher(service, game)["token"]
    assert read(service, game, what, token).data == read(service, game, what).data
    assert read(service, game, what, token).data == read(service, game, what, OPERATOR).data


def test_what_everybody_may_know_of_a_closed_game_needs_no_token(service):
    created, _ = service.started(**CLOSED)
    answer = service.call("GET", f"/v1/games/{created['id']}")
    assert (answer.status_code, answer.json["watch"]["open"]) == (200, False)


def test_of_a_closed_game_strangers_are_told_nothing_that_came_of_its_hands(service):
    created, (player,) = service.started(hands=3, clock={"between_hands_s": 3600}, **CLOSED)
    game = created["id"]
    stranger = service.seat(service.create()).token
    read_as = {who: lambda who=who: service.call("GET", f"/v1/games/{game}", token=who).json
               for who in (None, stranger, player.token, OPERATOR)}  # fmt: skip
    before = read_as[None]()
    while (chosen := player.choose()) is not None:
        player.act(*chosen)
    view = player.get("view")
    assert (view["state"], view["hand"]) == ("between_hands", 1)
    told = "state", "version", "hand", "totals", "next_hand_at"
    for who in (None, stranger):
        after = read_as[who]()
        assert [after[name] for name in told] == [before[name] for name in told], who
    for who in (player.token, OPERATOR):
        after = read_as[who]()
        assert after["totals"] == view["totals"]
        assert (after["state"], after["hand"]) == ("between_hands", 1)
    service.call("POST", f"/v1/games/{game}/close", {"reason": "rain"}, OPERATOR)
    assert read_as[None]()["totals"] == view["totals"]


def test_a_game_that_is_over_is_everybody_s_to_read(service):
    created, _ = service.started("hhbb", **CLOSED)
    path = f"/v1/games/{created['id']}/close"
    assert service.call("POST", path, {"reason": "rain"}, OPERATOR).status_code == 200
    for what in READ:
        assert read(service, created["id"], what).status_code == 200


def test_a_watcher_is_listed_without_the_token(service):
    game = service.create()["id"]
    one, two = watcher(service, game, label="Ruth's aunt"), watcher(service, game)
    assert one["token"].startswith("cd_live_watch_")
    told = listed(service, game)
    assert [each["id"] for each in told] == [one["id"], two["id"]]
    assert set(told[0]) == {"id", "label", "made", "until"}
    assert (told[0]["label"], told[0]["until"]) == ("Ruth's aunt", None)


def test_a_watcher_who_is_sent_away_sees_nothing_more(service):
    game = service.create(**CLOSED)["id"]
    one, two = watcher(service, game), watcher(service, game)
    path = f"/v1/games/{game}/watchers/{one['id']}"
    for _ in range(2):
        assert service.call("DELETE", path, token=OPERATOR).status_code == 204
        assert code(read(service, game, "view", one["token"])) == (401, "bad_key")
    assert read(service, game, "view", two["token"]).status_code == 200
    assert [each["id"] for each in listed(service, game)] == [two["id"]]


def test_a_watcher_s_token_ends_when_the_site_said(service):
    game = service.create()["id"]
    until = START_MS + 3600_000
    token = watcher(service, game, until=until)["token"]
    service.clock.set(until - 10)
    assert read(service, game, "view", token).status_code == 200
    service.clock.set(until)
    assert code(read(service, game, "view", token)) == (401, "key_expired")
    assert listed(service, game) == []
    path = f"/v1/games/{game}/watchers"
    late = service.call("POST", path, {"until": START_MS}, OPERATOR)
    assert code(late) == (422, "until_out_of_range")


def test_a_watcher_of_one_game_is_none_of_another(service):
    one, other = (service.create()["id"] for _ in range(2))
    made = watcher(service, one)
    assert code(read(service, other, "view", made["token"])) == (403, "not_your_game")
    path = f"/v1/games/{other}/watchers/{made['id']}"
    assert code(service.call("DELETE", path, token=OPERATOR)) == (404, "no_such_watcher")


def test_a_game_has_so_many_watchers_only(service, monkeypatch):
    monkeypatch.setattr(watchers, "MOST_WATCHERS", 2)
    game = service.create()["id"]
    first = watcher(service, game)
    watcher(service, game)
    path = f"/v1/games/{game}/watchers"
    assert code(service.call("POST", path, {}, OPERATOR)) == (409, "too_many")
    service.call("DELETE", f"{path}/{first['id']}", token=OPERATOR)
    watcher(service, game)


def test_a_watcher_acts_in_no_game(service):
    created, (player,) = service.started()
    token = watcher(service, created["id"])["token"]
    version, act = player.choose()
    path = f"{player.path}/actions"
    refused = service.call("POST", path, {"expect": version, "act": act}, token)
    assert code(refused) == (403, "wrong_role")
    play_out([player])
