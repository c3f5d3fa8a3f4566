"""A write that is sent again under its idempotency key: the same bytes, and nothing twice."""

import pytest

from api.blueprint import WRITES
from tests.table import OPERATOR

WRITING = {"POST", "PUT", "PATCH", "DELETE"}
KEY = {"Idempotency-Key": "my-own-name/for+this"}


def writing_routes(app):
    """List every route that changes anything: its method, its rule and its endpoint."""
    return sorted(
        (method, rule.rule, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in rule.methods & WRITING
    )


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


# ---------------------------------------------------------------- one request of each route

DEALT = {"name": "one each", "deck": ["AS", "KS", "QS", "JS"], "steps": [
    {"op": "deal", "count": 1, "packet": 1}]}  # fmt: skip


def a_game(_):
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    return "POST", "/v1/games", {"seats": seats}, OPERATOR


def a_claim(service):
    return "POST", "/v1/claims", {"claim": service.create()["claims"][0]["claim"]}, None


def a_seed(service):
    player = service.seat(service.create())
    return "PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token


def an_act(service):
    _, (player,) = service.started()
    version, act = player.choose()
    return "POST", f"{player.path}/actions", {"expect": version, "act": act}, player.token


def a_close(service):
    return "POST", f"/v1/games/{service.create()['id']}/close", {"reason": "rain"}, OPERATOR


def an_abort(service):
    created, _ = service.started()
    path = f"/v1/games/{created['id']}/hands/1/abort"
    return "POST", path, {"reason": "power cut"}, OPERATOR


def an_overdue(service):
    created = service.create("hhbb")
    version = service.seat(created).share()["version"]
    return "POST", f"/v1/games/{created['id']}/overdue", {"expect": version}, OPERATOR


def ready_to_deal(service):
    """Open a dealt-only game of two seats and share their seeds."""
    created = service.create("hh", rules={"dealt": DEALT}, hands=1, first_seat=0)
    players = [service.seat(created, at) for at in (0, 1)]
    for player in players:
        version = player.share()["version"]
    return f"/v1/games/{created['id']}", players, version


def a_deal(service):
    path, _, version = ready_to_deal(service)
    return "POST", f"{path}/hands", {"expect": version}, OPERATOR


def dealt(service):
    path, players, version = ready_to_deal(service)
    answer = service.call("POST", f"{path}/hands", {"expect": version}, OPERATOR)
    return path, players, answer.json["version"]


def a_draw(service):
    path, (player, _), version = dealt(service)
    return "POST", f"{path}/hands/1/draws", {"seat": 0, "expect": version}, player.token


def a_score(service):
    path, _, _ = dealt(service)
    return "POST", f"{path}/hands/1/score", {"result": {"north": 5}}, OPERATOR


def an_invitation(service):
    return "POST", f"/v1/games/{service.create()['id']}/seats/0/invite", {}, OPERATOR


def a_reissue(service):
    player = service.seat(service.create())
    return "POST", f"{player.path}/seats/0/reissue", {}, OPERATOR


def a_release(service):
    player = service.seat(service.create())
    return "POST", f"{player.path}/seats/0/release", None, OPERATOR


def a_watcher(service):
    path = f"/v1/games/{service.create()['id']}/watchers"
    return "POST", path, {"label": "from the club"}, OPERATOR


def a_watcher_less(service):
    method, path, body, token = a_watcher(service)
    watcher = service.call(method, path, body, token).json["id"]
    return "DELETE", f"{path}/{watcher}", None, OPERATOR


def a_key(_):
    return "POST", "/v1/keys", {"label": "reports", "scope": "read"}, OPERATOR


def key_path(service):
    return f"/v1/keys/{service.call(*a_key(service)).json['id']}"


def a_roll(service):
    return "POST", f"{key_path(service)}/roll", {"overlap_s": 60}, OPERATOR


def a_key_less(service):
    return "DELETE", key_path(service), None, OPERATOR


def a_name(_):
    return "PATCH", "/v1/site", {"name": "The Card Room"}, OPERATOR


REQUESTS = {
    "games.create": a_game,
    "games.close": a_close,
    "games.overdue": an_overdue,
    "hands.abort": an_abort,
    "hands.deal": a_deal,
    "hands.draw": a_draw,
    "hands.score": a_score,
    "keys.create": a_key,
    "keys.delete": a_key_less,
    "keys.rename": a_name,
    "keys.roll": a_roll,
    "places.add_watcher": a_watcher,
    "places.invite": an_invitation,
    "places.reissue": a_reissue,
    "places.release": a_release,
    "places.remove_watcher": a_watcher_less,
    "seats.claim": a_claim,
    "seats.seed": a_seed,
    "seats.act": an_act,
}
"""For each writing route a request that succeeds, once it has been made ready."""


def send(service, request, headers=KEY):
    method, path, body, token = request
    return service.call(method, path, body, token, headers=headers)


def state(service):
    """Return all that is kept, the answers aside."""
    games = service.store.unfinished()
    return {game: service.store.lines(game) for game in games}, service.store.commits


def test_each_writing_route_has_a_request_here(service):
    assert {endpoint for _, _, endpoint in writing_routes(service.app)} == set(REQUESTS)


@pytest.mark.parametrize("endpoint", sorted(REQUESTS))
def test_a_repeat_gets_the_same_bytes_and_does_nothing(service, endpoint):
    request = REQUESTS[endpoint](service)
    first = send(service, request)
    assert first.status_code in (200, 201, 204), first.text
    assert "Idempotent-Replayed" not in first.headers
    before = state(service)
    again = send(service, request)
    assert again.status_code == first.status_code
    assert again.data == first.data
    assert again.content_type == first.content_type
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Request-Id"] != first.headers["Request-Id"]
    assert state(service) == before
