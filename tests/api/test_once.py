"""A write that is sent again under its idempotency key: the same bytes, and nothing twice."""

import base64
import io
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.blueprint import WRITES
from fairdeal.service.clerk import MOST_REPEATED
from fairdeal.service.onward import Onward
from fairdeal.service.repeats import KEPT_MS
from fairdeal.store import writing
from fairdeal.store.sql import SqlStore
from tests.api.deeds import DEEDS, SEATS, send, writing_routes
from tests.stores.failing import FailingStore
from tests.table import OPERATOR, START_MS, Service

KEY = "my-own-name/for+this"


def kept(service, request, key=KEY):
    """Send a request under an idempotency key."""
    return send(service, request, Idempotency_Key=key)


def found(service, key=KEY, token=OPERATOR):
    """Ask what came of a request."""
    query = {"idempotency_key": key}
    answer = service.call("GET", "/v1/requests", query_string=query, token=token)
    assert answer.status_code == 200, answer.text
    return answer.json["requests"]


def state(service):
    """Return all that is kept of games, and how often anything was."""
    games = service.store.unfinished()
    return {game: service.store.lines(game) for game in games}, service.store.commits


def test_every_writing_route_takes_an_idempotency_key(service):
    """A new route has to say `@blueprint.writes` (api/blueprint.py)."""
    routes = writing_routes(service.app)
    assert len(routes) >= 10
    without = [
        (method, rule)
        for method, rule, endpoint in routes
        if not getattr(service.app.view_functions[endpoint], WRITES, False)
    ]
    assert without == []


def test_each_writing_route_has_a_request_in_the_table(service):
    assert {endpoint for _, _, endpoint in writing_routes(service.app)} == set(DEEDS)


@pytest.mark.parametrize("endpoint", sorted(DEEDS))
def test_a_repeat_gets_the_same_bytes_and_does_nothing(service, endpoint):
    request = DEEDS[endpoint](service)
    first = kept(service, request)
    assert first.status_code in (200, 201, 204), first.text
    assert "Idempotent-Replayed" not in first.headers
    before = state(service)
    again = kept(service, request)
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.content_type == first.content_type
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Request-Id"] != first.headers["Request-Id"]
    assert state(service) == before


@pytest.mark.parametrize("endpoint", sorted(DEEDS))
def test_another_request_under_a_key_is_refused(service, endpoint):
    method, path, body, token = DEEDS[endpoint](service)
    assert kept(service, (method, path, body, token)).status_code < 300
    before = state(service)
    if body:
        # The same in other bytes is another request: nobody compares what they mean.
        headers = {"Idempotency-Key": KEY, "Content-Type": "application/json"}
        text = json.dumps(body, indent=1)
        answer = service.call(method, path, data=text, token=token, headers=headers)
    else:
        answer = kept(service, ("POST", "/v1/games", {"seats": SEATS}, token))
    assert (answer.status_code, answer.json["code"]) == (422, "idempotency_mismatch")
    assert state(service) == before


@pytest.mark.parametrize("endpoint", sorted(DEEDS))
def test_a_lost_answer_is_found_by_its_key_and_token(service, endpoint):
    method, path, body, token = DEEDS[endpoint](service)
    answer = kept(service, (method, path, body, token))
    if token is None:
        return  # A claim is no token to ask with; test below.
    (request,) = found(service, token=token)
    assert request == {
        "idempotency_key": KEY,
        "method": method,
        "path": path,
        "status": answer.status_code,
        "body": answer.json if answer.data else None,
        "answered_at": request["answered_at"],
    }
    assert START_MS <= request["answered_at"] < START_MS + 10_000
    assert found(service, key="another") == []


def test_the_same_request_sent_at_once_happens_once(service):
    """Of every kind, twelve threads at a time."""
    service.call("GET", "/healthz")
    for endpoint in sorted(DEEDS):
        method, path, body, token = DEEDS[endpoint](service)
        headers = {"Idempotency-Key": f"{endpoint}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        start = threading.Barrier(6)

        def post(_, method=method, path=path, body=body, headers=headers, start=start):
            client = service.app.test_client()
            start.wait()
            return client.open(path, method=method, json=body, headers=headers)

        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(post, range(6)))
        assert len({(answer.status_code, answer.data) for answer in answers}) == 1, endpoint
        assert answers[0].status_code < 300, answers[0].text
        replayed = [answer for answer in answers if "Idempotent-Replayed" in answer.headers]
        assert len(replayed) == 5, endpoint


# ------------------------------------------------------------------------ what is kept, and whose


def test_a_key_means_something_for_one_token_only(service):
    seats = {"seats": SEATS}
    first = kept(service, ("POST", "/v1/games", seats, OPERATOR)).json
    other = service.call("POST", "/v1/keys", {"scope": "full"}, OPERATOR).json["token"]
    second = kept(service, ("POST", "/v1/games", seats, other))
    assert "Idempotent-Replayed" not in second.headers
    assert second.json["id"] != first["id"]
    assert found(service, token=other)[0]["body"] == second.json


def test_a_claim_owns_its_keys(service):
    one, other = (claim["claim"] for claim in service.create("hhbb")["claims"])
    seats = [kept(service, ("POST", "/v1/claims", {"claim": who}, None)) for who in (one, other)]
    assert [answer.json["seat"] for answer in seats] == [0, 1]
    again = kept(service, ("POST", "/v1/claims", {"claim": one}, None))
    assert again.data == seats[0].data


def test_a_query_belongs_to_the_request(service):
    """An act that is only tried out is no repeat of the act."""
    method, path, body, token = DEEDS["seats.act"](service)
    assert kept(service, (method, path, body, token)).status_code == 200
    tried = kept(service, (method, path + "?dry_run=true", body, token))
    assert (tried.status_code, tried.json["code"]) == (422, "idempotency_mismatch")


def test_an_act_that_is_tried_out_keeps_nothing(service):
    method, path, body, token = DEEDS["seats.act"](service)
    tried = kept(service, (method, path + "?dry_run=true", body, token))
    assert (tried.status_code, tried.json["dry_run"]) == (200, True)
    assert found(service, token=token) == []
    done = kept(service, (method, path, body, token))
    assert (done.status_code, done.json["dry_run"]) == (200, False)


def test_a_refusal_by_the_rules_is_kept(service):
    _, (player,) = service.started()
    version = player.get("view")["version"]
    request = "POST", f"{player.path}/actions", {"expect": version, "act": "discard 4C"}
    first = kept(service, (*request, player.token))
    assert (first.status_code, first.json["code"]) == (422, "wrong_phase")
    player.act(*player.choose())
    again = kept(service, (*request, player.token))
    assert (again.status_code, again.data) == (422, first.data)
    assert again.content_type == "application/problem+json"
    assert again.headers["Idempotent-Replayed"] == "true"
    (request,) = found(service, token=player.token)
    assert (request["status"], request["body"]) == (422, first.json)


@pytest.mark.parametrize(
    ("body", "status"),
    [({"expect": 0, "act": "draw"}, 409), ({"expect": 0}, 400), ({"expect": 9, "act": "!"}, 422)],
)
def test_every_other_refusal_is_not_kept(service, body, status):
    _, (player,) = service.started()
    path = f"{player.path}/actions"
    if body.get("expect") == 9:
        body["expect"] = player.get("view")["version"]
    assert kept(service, ("POST", path, body, player.token)).status_code == status
    assert found(service, token=player.token) == []
    version, act = player.choose()
    done = kept(service, ("POST", path, {"expect": version, "act": act}, player.token))
    assert done.status_code == 200


def test_a_natural_repeat_under_a_new_key_is_kept_under_it(service):
    """What was done before, without a key, is answered anew and kept from then on."""
    _, (player,) = service.started()
    version, act = player.choose()
    player.act(version, act)
    request = "POST", f"{player.path}/actions", {"expect": version, "act": act}, player.token
    first = kept(service, request)
    assert "Idempotent-Replayed" not in first.headers
    while (chosen := player.choose()) and chosen[0] < first.json["version"] + 8:
        player.act(*chosen)
    again = kept(service, request)
    assert again.data == first.data
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_late_repeat_gets_no_more_than_a_request_makes(service):
    """Else each new key would keep most of a game anew."""
    _, (player,) = service.started()
    early = player.choose()
    made = player.act(*early)["events"]
    while player.get("view")["version"] < early[0] + MOST_REPEATED + 10:
        player.act(*player.choose())
    again = player.act(*early)
    assert again["events"][: len(made)] == made
    assert len(again["events"]) == len(again["receipts"]) == MOST_REPEATED
    assert again["version"] == again["events"][-1]["n"] == early[0] + MOST_REPEATED


def test_a_replaced_token_finds_nothing_any_more(service):
    created = service.create()
    player = service.seat(created)
    share = "PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token
    assert kept(service, share).status_code == 200
    service.call("POST", f"{player.path}/seats/0/reissue", {}, OPERATOR)
    assert kept(service, share).json["code"] == "token_replaced"
    gone = service.call("GET", "/v1/requests?idempotency_key=any", token=player.token)
    assert gone.json["code"] == "token_replaced"


def test_a_token_that_ends_while_a_body_arrives_does_nothing(service):
    created, (player,) = service.started()
    version, act = player.choose()
    operator = service.dealer.identify(OPERATOR)

    class Body(io.BytesIO):
        """A body before whose end the seat is given out anew."""

        def readinto(self, buffer):
            service.dealer.claims.reissue(operator, created["id"], 0)
            return super().readinto(buffer)

    body = json.dumps({"expect": version, "act": act}).encode()
    answer = service.call(
        "POST",
        f"{player.path}/actions",
        token=player.token,
        input_stream=Body(body),
        content_length=len(body),
        content_type="application/json",
    )
    assert (answer.status_code, answer.json["code"]) == (410, "token_replaced")
    newest = service.store.newest(created["id"])
    assert newest == version


def test_who_shows_no_token_finds_nothing(service):
    answer = service.call("GET", "/v1/requests?idempotency_key=any")
    assert (answer.status_code, answer.json["code"]) == (401, "no_key")


@pytest.mark.parametrize("query", ["", "?idempotency_key=", "?idempotency_key=a%20b", "?key=a"])
def test_a_search_without_a_key_is_refused(service, query):
    answer = service.call("GET", "/v1/requests" + query, token=OPERATOR)
    assert answer.status_code == 400


# ----------------------------------------------------------------------- failures, time, secrecy


class KilledError(BaseException):
    """What no part of the service catches."""


class MortalStore(SqlStore):
    """Ends its process between the commit and the answer, if told to."""

    die = False

    def write(self, write):
        super().write(write)
        if self.die:
            raise KilledError


def restarted(service, folder):
    """Open the folder of a service that was killed."""
    service.store.close()
    again = Service(folder, "again")
    again.clock.set(START_MS + 60_000)
    return again


@pytest.mark.parametrize("endpoint", sorted(DEEDS))
def test_a_kill_between_the_commit_and_the_answer_loses_no_answer(folder, endpoint):
    service = Service(folder, maker=MortalStore)
    request = DEEDS[endpoint](service)
    service.store.die = True
    with pytest.raises(KilledError):
        kept(service, request)
    again = restarted(service, folder)
    before = state(again)
    answer = kept(again, request)
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert answer.status_code < 300
    if request[3] is not None:
        (told,) = found(again, token=request[3])
        assert told["body"] == (answer.json if answer.data else None)
    assert state(again) == before
    again.close()


def test_a_store_that_wrote_and_said_no_costs_no_answer(folder):
    """The deed was kept with its answer, so the answer is given."""
    service = Service(folder, maker=FailingStore)
    service.store.fail = "after"
    answer = kept(service, a_game := DEEDS["games.create"](service))
    assert answer.status_code == 201
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert kept(service, a_game).data == answer.data
    assert len(service.store.unfinished()) == 1
    service.close()


def test_a_store_that_wrote_nothing_refuses_and_the_key_stays_free(folder):
    service = Service(folder, maker=FailingStore)
    service.store.fail = "before"
    request = DEEDS["games.create"](service)
    assert kept(service, request).status_code == 503
    assert found(service) == []
    assert kept(service, request).status_code == 201
    service.close()


def test_no_token_of_a_kept_answer_lies_readable_on_the_disk(service, folder):
    tokens = []
    for endpoint in ("games.create", "seats.claim", "keys.create", "keys.roll", "rooms.create",
                     "rooms.invite", "access.invite", "access.add_watcher"):  # fmt: skip
        answer = send(service, DEEDS[endpoint](service), Idempotency_Key=endpoint)
        assert answer.status_code < 300
        tokens += re.findall(r"cd_live_[a-z]+_([A-Za-z0-9_-]{43})", answer.text)
    assert len(tokens) >= 8
    files = [path.read_bytes() for path in folder.iterdir()]
    assert sum(map(len, files)) > 50_000
    for token in tokens:
        for form in (token.encode(), base64.urlsafe_b64decode(token + "="), hex_form(token)):
            assert not any(form in content for content in files)


def hex_form(token):
    """Return a token as hex, as somebody might write bytes into a text."""
    return base64.urlsafe_b64decode(token + "=").hex().encode()


def test_answers_are_kept_two_days_and_those_of_running_games_longer(service):
    requests = {name: DEEDS[name](service) for name in ("games.close", "seats.act", "keys.create")}
    for name, request in requests.items():
        assert send(service, request, Idempotency_Key=name).status_code < 300
    made = service.clock()

    def still_kept():
        return {name for name, request in requests.items() if found(service, name, request[3])}

    service.clock.set(made + KEPT_MS - 10_000)
    service.dealer.repeats.forget()
    assert still_kept() == set(requests)
    service.clock.set(made + KEPT_MS + 10_000)
    service.dealer.repeats.forget()
    assert still_kept() == {"seats.act"}
    game = requests["seats.act"][1].removesuffix("/actions")
    service.call("POST", f"{game}/close", {"reason": "rain"}, OPERATOR)
    service.dealer.repeats.forget()
    assert still_kept() == set()


def test_old_answers_are_dropped_a_part_at_a_time(service, monkeypatch):
    """The oldest first, so that nobody waits long for the one who cleans up."""
    for number in range(3):
        send(service, DEEDS["keys.create"](service), Idempotency_Key=f"k{number}")
    service.clock.set(START_MS + 2 * KEPT_MS)
    monkeypatch.setattr(writing, "MOST_FORGOTTEN", 2)
    service.dealer.repeats.forget()
    assert [len(found(service, f"k{number}")) for number in range(3)] == [0, 0, 1]
    service.dealer.repeats.forget()
    assert found(service, "k2") == []


def test_the_thread_that_sweeps_drops_old_answers(service):
    send(service, DEEDS["keys.create"](service), Idempotency_Key=KEY)
    service.clock.set(START_MS + 2 * KEPT_MS)
    onward = Onward(service.dealer)
    onward._sweep()
    assert found(service) == []
