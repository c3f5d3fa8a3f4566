"""Quick match over HTTP: from the wish to the game, with simulated time."""

import threading

import pytest

from api import waiting
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, Write
from tests.table import OPERATOR, START_MS, Player, play_out

SHORT = {"rules": {"preset": "classic@1", "overrides": {"target": 300}}}
PATH = "/v1/quickmatch"


def enter(service, token=OPERATOR, **more):
    answer = service.call("POST", PATH, {**SHORT, **more}, token)
    assert answer.status_code == 201, answer.text
    return answer.json


def look(service, told, query=""):
    answer = service.call("GET", f"{PATH}/{told['ticket']}{query}", token=OPERATOR)
    assert answer.status_code == 200, answer.text
    return answer.json


def take(service, told):
    answer = service.call("POST", "/v1/claims", {"claim": told["claim"]["claim"]})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_two_players_who_do_not_know_each_other_meet_and_play_with_guests(service):
    told = [enter(service, label=label) for label in ("Ruth", "Omar")]
    tokens = [take(service, one)["token"] for one in told]
    assert told[0]["room"] == told[1]["room"]
    service.clock.set(told[0]["starts_at"])
    looked = [look(service, one) for one in told]
    assert [one["state"] for one in looked] == ["started", "started"]
    assert "claim" not in looked[0]
    room = service.call("GET", f"/v1/rooms/{told[0]['room']}", token=tokens[0]).json
    assert room["game"]["id"] == looked[0]["game"]
    assert [seat["label"] for seat in room["seats"]] == ["Ruth", "Omar", "", ""]
    known = {"game": room["game"]["id"], "commitment": room["game"]["commitment"]}
    players = [
        Player(service, {**known, "token": token, "seat": one["seat"]})
        for token, one in zip(tokens, told, strict=True)
    ]
    for player in players:
        player.share(text=f"seed of {player.seat}")
    assert play_out(players) > 0
    assert service.call("GET", f"/v1/games/{known['game']}").json["state"] == "closed"
    again = service.call(
        "POST", f"/v1/rooms/{room['id']}/rematch", {"game": known["game"]}, tokens[0]
    )
    assert again.status_code == 200, again.text


def test_a_ticket_says_how_long_it_is_until_the_game(service):
    told = enter(service, wait_s=30)
    assert told["state"] == "waiting"
    assert 29_990 < told["starts_in_ms"] <= 30_000
    service.clock.set(START_MS + 10_000)
    later = look(service, told)
    assert 19_900 < later["starts_in_ms"] <= 20_100
    assert later["starts_at"] == told["starts_at"]


def test_a_player_who_never_took_the_seat_is_told_that_a_bot_plays(service):
    here, late = enter(service), enter(service)
    take(service, here)
    service.clock.set(here["starts_at"])
    told = look(service, late)
    assert (told["state"], told["game"]) == ("missed", look(service, here)["game"])
    refused = service.call("POST", "/v1/claims", {"claim": late["claim"]["claim"]})
    assert (refused.status_code, refused.json["code"]) == (409, "bot_plays")


def test_a_ticket_that_was_withdrawn_is_waited_for_no_longer(service):
    told = enter(service)
    gone = service.call("DELETE", f"{PATH}/{told['ticket']}", token=OPERATOR)
    assert (gone.status_code, gone.json["state"]) == (200, "withdrawn")
    assert gone.json["starts_in_ms"] is None
    assert look(service, told, "?at_least=99&wait=25")["state"] == "withdrawn"
    refused = service.call("POST", "/v1/claims", {"claim": told["claim"]["claim"]})
    assert (refused.status_code, refused.json["code"]) == (404, "no_such_claim")


def test_whoever_waits_for_a_ticket_hears_of_the_next_player(service):
    told = enter(service)
    heard = []

    def wait():
        client = service.app.test_client()
        path = f"{PATH}/{told['ticket']}?at_least={told['version'] + 1}&wait=20"
        headers = {"Authorization": f"Bearer {OPERATOR}"}
        heard.append(client.get(path, headers=headers).json)

    thread = threading.Thread(target=wait)
    thread.start()
    while not waiting.POLLS.inside and thread.is_alive():
        threading.Event().wait(0.005)
    enter(service)
    thread.join(15)
    assert [one["players"] for one in heard] == [2]


def test_a_wish_sent_twice_under_a_key_is_one_ticket(service):
    headers = {"Idempotency-Key": "ruth-tonight"}
    first, second = (service.call("POST", PATH, SHORT, OPERATOR, headers=headers) for _ in range(2))
    assert first.data == second.data
    assert second.headers["Idempotent-Replayed"] == "true"
    assert enter(service)["seat"] == 1


def test_players_of_two_sites_do_not_meet(service):
    other = "cd_live_op_" + "o" * 43
    grant = Grant(digest=digest(other), role="operator", site="site_other", scope="full")
    service.store.write(Write(grants=(grant,)))
    mine, theirs = enter(service), enter(service, token=other)
    assert mine["room"] != theirs["room"]
    for method in ("GET", "DELETE"):
        refused = service.call(method, f"{PATH}/{mine['ticket']}", token=other)
        assert (refused.status_code, refused.json["code"]) == (403, "not_your_game")


@pytest.mark.parametrize(
    ("preset", "seats"), [("two-player@1", 2), ("classic@1", 4), ("hoyle@1", 4)]
)
def test_the_ruleset_says_how_many_seats_there_are(service, preset, seats):
    told = enter(service, rules={"preset": preset})
    assert (told["seats"], told["players"]) == (seats, 1)


@pytest.mark.parametrize("wait_s", [-1, 121, "20", 1.5, None])
def test_nobody_waits_longer_than_two_minutes(service, wait_s):
    answer = service.call("POST", PATH, {"wait_s": wait_s}, OPERATOR)
    assert answer.status_code == 400
    assert answer.json["facts"]["errors"][0]["pointer"] == "/wait_s"


@pytest.mark.parametrize("field", ["seats", "claims_until", "reveal_by", "auto_start"])
def test_what_is_no_wish_is_refused(service, field):
    answer = service.call("POST", PATH, {field: 1}, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (400, "unknown_field")


def test_the_first_to_come_cannot_send_the_others_away(service):
    first, second = enter(service), enter(service)
    token = take(service, first)["token"]
    room = f"/v1/rooms/{first['room']}"
    refused = service.call("POST", f"{room}/seats/{second['seat']}/release", {}, token)
    assert (refused.status_code, refused.json["code"]) == (403, "host_only")
    assert look(service, second)["state"] == "waiting"


def test_an_operator_may_start_a_table_early(service):
    first, second = enter(service), enter(service)
    for one in (first, second):
        take(service, one)
    started = service.call("POST", f"/v1/rooms/{first['room']}/start", {}, OPERATOR)
    assert started.status_code == 200, started.text
    assert look(service, second)["game"] == started.json["game"]["id"]
    assert enter(service)["room"] != first["room"]
