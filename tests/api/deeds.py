"""One request for each route that writes: made ready, so that it succeeds when it is sent."""

from tests.api.test_rooms import Table
from tests.table import OPERATOR

WRITING = {"POST", "PUT", "PATCH", "DELETE"}
LOOKING = {"rules.validate"}
"""What is asked by POST and changes nothing."""
DEALT = {"name": "one each", "deck": ["AS", "KS", "QS", "JS"], "steps": [
    {"op": "deal", "count": 1, "packet": 1}]}  # fmt: skip
SEATS = [{"kind": "human"}] + [{"kind": "bot"}] * 3


def writing_routes(app):
    """List every route that changes anything: its method, its rule and its endpoint."""
    return sorted(
        (method, rule.rule, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in rule.methods & WRITING
        if rule.endpoint not in LOOKING
    )


# -------------------------------------------------------------------------------------- games


def a_game(_):
    return "POST", "/v1/games", {"seats": SEATS}, OPERATOR


def a_claim(service):
    return "POST", "/v1/claims", {"claim": service.create()["claims"][0]["claim"]}, None


def a_seed(service):
    player = service.seat(service.create())
    return "PUT", f"{player.path}/seats/0/seed", player.seed_body(), player.token


def an_act(service):
    _, (player,) = service.started()
    version, act = player.choose()
    return "POST", f"{player.path}/actions", {"expect": version, "act": act}, player.token


def more_time(service, clock=(("turn_s", 60), ("extends", 2))):
    _, (player,) = service.started(clock={"between_hands_s": 0, **dict(clock)})
    version = player.get("view")["version"]
    return "POST", f"{player.path}/more-time", {"expect": version}, player.token


def a_close(service):
    return "POST", f"/v1/games/{service.create()['id']}/close", {"reason": "rain"}, OPERATOR


def a_void(service):
    path = f"/v1/games/{service.create()['id']}/void"
    return "POST", path, {"reason": "players_left"}, OPERATOR


def an_abort(service):
    created, _ = service.started()
    path = f"/v1/games/{created['id']}/hands/1/abort"
    return "POST", path, {"reason": "power cut"}, OPERATOR


def an_overdue(service):
    created = service.create("hhbb")
    version = service.seat(created).share()["version"]
    return "POST", f"/v1/games/{created['id']}/overdue", {"expect": version}, OPERATOR


def _ready_to_deal(service):
    """Open a dealt-only game of two seats and share their seeds."""
    created = service.create("hh", rules={"dealt": DEALT}, hands=1, first_seat=0)
    players = [service.seat(created, at) for at in (0, 1)]
    for player in players:
        version = player.share()["version"]
    return f"/v1/games/{created['id']}", players, version


def _dealt(service):
    path, players, version = _ready_to_deal(service)
    answer = service.call("POST", f"{path}/hands", {"expect": version}, OPERATOR)
    return path, players, answer.json["version"]


def a_deal(service):
    path, _, version = _ready_to_deal(service)
    return "POST", f"{path}/hands", {"expect": version}, OPERATOR


def a_draw(service):
    path, (player, _), version = _dealt(service)
    return "POST", f"{path}/hands/1/draws", {"seat": 0, "expect": version}, player.token


def a_score(service):
    path, _, _ = _dealt(service)
    return "POST", f"{path}/hands/1/score", {"result": {"north": 5}}, OPERATOR


# ----------------------------------------------------------------------------- keys and seats


def a_name(_):
    return "PATCH", "/v1/site", {"name": "The card room"}, OPERATOR


def a_key(_):
    return "POST", "/v1/keys", {"label": "nightly", "scope": "read"}, OPERATOR


def new_key(service, **more):
    return service.call("POST", "/v1/keys", {"label": "nightly", **more}, OPERATOR).json


def a_roll(service):
    return "POST", f"/v1/keys/{new_key(service)['id']}/roll", {"overlap_s": 60}, OPERATOR


def a_key_away(service):
    return "DELETE", f"/v1/keys/{new_key(service)['id']}", None, OPERATOR


def an_invitation(service):
    return "POST", f"/v1/games/{service.create()['id']}/seats/0/invite", {}, OPERATOR


def a_reissue(service):
    created = service.create()
    service.seat(created)
    return "POST", f"/v1/games/{created['id']}/seats/0/reissue", {}, OPERATOR


def a_release(service):
    created = service.create()
    service.seat(created)
    return "POST", f"/v1/games/{created['id']}/seats/0/release", None, OPERATOR


def a_watcher(service):
    return "POST", f"/v1/games/{service.create()['id']}/watchers", {"label": "press"}, OPERATOR


def a_watcher_away(service):
    method, path, body, token = a_watcher(service)
    watcher = service.call(method, path, body, token).json["id"]
    return "DELETE", f"{path}/{watcher}", None, OPERATOR


# -------------------------------------------------------------------------------------- rooms


def a_room(_):
    return "POST", "/v1/rooms", {"seats": SEATS}, OPERATOR


def a_room_away(service):
    return "DELETE", Table(service).path, None, OPERATOR


def of_seat(what, body, kinds="hhhh", taken=(), who=None, method="POST"):
    """Return the request for something about a seat of a room, or about the room."""

    def make(service):
        table = Table(service, kinds).take(*taken) if taken else Table(service, kinds)
        token = OPERATOR if who is None else table.tokens[who]
        return method, f"{table.path}/{what}", body, token

    return make


def a_start(service):
    table = Table(service, "hhbb", auto_start=False).take()
    table.ready()
    return "POST", f"{table.path}/start", {}, OPERATOR


def a_rematch(service):
    table = Table(service, "hhbb")
    table.started()
    return "POST", f"{table.path}/rematch", {"game": table.close_game()}, table.tokens[0]


def a_ticket(service):
    service.call("POST", "/v1/quickmatch", {}, OPERATOR)
    return "POST", "/v1/quickmatch", {"label": "Ruth"}, OPERATOR


def a_ticket_away(service):
    method, path, body, token = a_ticket(service)
    return "DELETE", f"{path}/{service.call(method, path, body, token).json['ticket']}", None, token


DEEDS = {
    "games.create": a_game,
    "games.close": a_close,
    "games.void": a_void,
    "games.overdue": an_overdue,
    "hands.abort": an_abort,
    "hands.deal": a_deal,
    "hands.draw": a_draw,
    "hands.score": a_score,
    "seats.claim": a_claim,
    "seats.seed": a_seed,
    "seats.act": an_act,
    "seats.more_time": more_time,
    "keys.rename": a_name,
    "keys.create": a_key,
    "keys.roll": a_roll,
    "keys.delete": a_key_away,
    "access.invite": an_invitation,
    "access.reissue": a_reissue,
    "access.release": a_release,
    "access.add_watcher": a_watcher,
    "access.remove_watcher": a_watcher_away,
    "rooms.create": a_room,
    "rooms.close": a_room_away,
    "rooms.invite": of_seat("seats/0/invite", {"label": "Ruth"}),
    "rooms.reissue": of_seat("seats/0/reissue", {}, taken=(0,)),
    "rooms.release": of_seat("seats/0/release", {}, taken=(0,)),
    "rooms.put_bot": of_seat("seats/3/bot", {"bot": "steady@1"}, method="PUT"),
    "rooms.pass_host": of_seat("host", {"seat": 1}, taken=(0, 1), who=0),
    "rooms.leave": of_seat("leave", {}, taken=(0, 1), who=1),
    "rooms.change_game": of_seat("game", {"hands": 3}, method="PUT"),
    "rooms.ready": of_seat("ready", {"ready": True}, taken=(0, 1), who=1),
    "rooms.start": a_start,
    "rooms.rematch": a_rematch,
    "quickmatch.enter": a_ticket,
    "quickmatch.withdraw": a_ticket_away,
}
"""Endpoint -> what makes a service ready and returns method, path, body and token."""


def send(service, request, **headers):
    """Send a request; header names are written with underscores."""
    method, path, body, token = request
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return service.call(method, path, body, token, headers=told)
