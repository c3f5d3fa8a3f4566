"""Every route, asked by every role: whom it answers, and with what it refuses the others."""

from dataclasses import dataclass, field

import pytest

from fairdeal.service import VOID_REASONS
from fairdeal.service.callers import digest
from fairdeal.service.places import Places
from fairdeal.store.ports import Grant, GrantChange, Write
from tests.table import OPERATOR, START_MS, Service

# ------------------------------------------------------------------------------------- roles

WITHOUT_USE = {
    "claim": (401, "bad_key"),
    "unknown": (401, "bad_key"),
    "revoked": (401, "bad_key"),
    "expired": (401, "key_expired"),
    "replaced": (410, "token_replaced"),
    "of test mode": (403, "mode_mismatch"),
}
"""Tokens that open nothing, whatever is asked for: also where none is needed."""

NO_KEY = (401, "no_key")
WRONG_ROLE = (403, "wrong_role")
READ_ONLY = (403, "read_only_key")
NOT_YOUR_GAME = (403, "not_your_game")
NOT_YOUR_SEAT = (403, "not_your_seat")
HOST_ONLY = (403, "host_only")
NO_SUCH_KEY = (404, "no_such_key")

SEATS_OF_GAME = ("seat", "other seat")
SEATS_ELSEWHERE = ("seat of another game",)
SEATS_OF_ROOM = ("host", "guest")
WATCHERS = ("watcher", "watcher of another game")
OPERATORS = ("operator", "operator that may only look", "operator of another site")
ROLES = (*OPERATORS, *SEATS_OF_GAME, *SEATS_ELSEWHERE, *SEATS_OF_ROOM, *WATCHERS, "anyone")

PASSES = "passes"


def all_of(names, verdict):
    return dict.fromkeys(names, verdict)


SEATED = (*SEATS_OF_GAME, *SEATS_ELSEWHERE, *SEATS_OF_ROOM)
EVERYBODY = all_of(ROLES, PASSES)
WRITES_OF_SITE = {
    **all_of(ROLES, WRONG_ROLE),
    "operator": PASSES,
    "operator that may only look": READ_ONLY,
    "operator of another site": PASSES,
    "anyone": NO_KEY,
}
LOOKS_OF_SITE = WRITES_OF_SITE | {"operator that may only look": PASSES}
WRITES_OF_GAME = WRITES_OF_SITE | {"operator of another site": NOT_YOUR_GAME}
LOOKS_OF_GAME = LOOKS_OF_SITE | {"operator of another site": NOT_YOUR_GAME}
WRITES_OF_KEY = WRITES_OF_SITE | {"operator of another site": NO_SUCH_KEY}
SEATS = {
    **all_of(ROLES, WRONG_ROLE),
    **all_of(SEATED, NOT_YOUR_SEAT),
    **all_of(SEATS_OF_GAME, PASSES),
    "anyone": NO_KEY,
}
ONE_SEAT = SEATS | {"other seat": NOT_YOUR_SEAT}
READERS = {
    **EVERYBODY,
    **all_of((*SEATS_ELSEWHERE, *SEATS_OF_ROOM), NOT_YOUR_SEAT),
    "operator of another site": NOT_YOUR_GAME,
    "watcher of another game": NOT_YOUR_GAME,
}
ANY_TOKEN = EVERYBODY | {"anyone": NO_KEY}
HOSTS = {
    **all_of(SEATED, NOT_YOUR_SEAT),
    **all_of(WATCHERS, WRONG_ROLE),
    "operator": PASSES,
    "operator that may only look": READ_ONLY,
    "operator of another site": NOT_YOUR_GAME,
    "host": PASSES,
    "guest": HOST_ONLY,
    "anyone": NO_KEY,
}
OPERATORS_OF_ROOM = WRITES_OF_GAME
SEATS_IN_ROOM = {
    **all_of(ROLES, WRONG_ROLE),
    **all_of(SEATED, NOT_YOUR_SEAT),
    **all_of(SEATS_OF_ROOM, PASSES),
    "anyone": NO_KEY,
}
ANY_SEAT = {**all_of(ROLES, WRONG_ROLE), **all_of(SEATED, PASSES), "anyone": NO_KEY}
LOOKS_IN_ROOM = SEATS_IN_ROOM | {
    "operator": PASSES,
    "operator that may only look": PASSES,
    "operator of another site": NOT_YOUR_GAME,
}

# ------------------------------------------------------------------------------------- routes

HASH = "f" * 64
LATE = {"expect": 9999}
FOUR = {"seats": [{"kind": "human"}] * 4}
CLASSIC = {"preset": "classic@1"}
SEED = {"epoch": 1, "open_hash": HASH, "nonce": HASH, "seed_sha256": HASH}
GAME, ROOM = "/v1/games/{game}", "/v1/rooms/{room}"


@dataclass(frozen=True)
class Route:
    """A request, who is let through, and what is answered then: the statuses there may be."""

    who: dict[str, int]
    ask: str
    status: tuple[int, ...]
    body: dict[str, object] | None = None
    query: str = ""


def route(who, ask, *status, body=None, query=""):
    return Route(who, ask, status, body, query)


ROUTES = {
    "site.who": route(EVERYBODY, "GET /.well-known/canasta-dealer.json", 200),
    "site.docs": route(EVERYBODY, "GET /docs", 200),
    "site.health": route(EVERYBODY, "GET /healthz", 200),
    "site.readiness": route(EVERYBODY, "GET /readyz", 200),
    "site.openapi": route(EVERYBODY, "GET /openapi.json", 200),
    "help.every_code": route(EVERYBODY, "GET /help", 200),
    "help.one_code": route(EVERYBODY, "GET /help/no_key", 200),
    "help.strategy": route(EVERYBODY, "GET /help/strategy", 200),
    "help.one_reason": route(EVERYBODY, "GET /help/strategy/fat_pile", 200),
    "seats.claim": route(EVERYBODY, "POST /v1/claims", 404, body={"claim": "cd_live_claim_x"}),
    "rules.every": route(EVERYBODY, "GET /v1/rules", 200),
    "rules.one": route(EVERYBODY, "GET /v1/rules/classic@1", 200),
    "rules.diff": route(EVERYBODY, "GET /v1/rules/diff", 200, query="?a=classic@1&b=classic@1"),
    "rules.validate": route(EVERYBODY, "POST /v1/rules/validate", 200, body=CLASSIC),
    "rules.bots": route(EVERYBODY, "GET /v1/bots", 200),
    "rules.measurements": route(EVERYBODY, "GET /v1/bots/random@1/measurements", 200),
    "rules.play_stats": route(EVERYBODY, "GET /v1/stats/play", 200),
    "rules.terms": route(EVERYBODY, "GET /v1/terms", 200),
    "requests.find": route(ANY_TOKEN, "GET /v1/requests", 200, query="?idempotency_key=k"),
    # ---------------------------------------------------------------------------------- sites
    "keys.site": route(LOOKS_OF_SITE, "GET /v1/site", 200),
    "keys.rename": route(WRITES_OF_SITE, "PATCH /v1/site", 200, body={"name": "Cards"}),
    "keys.listed": route(LOOKS_OF_SITE, "GET /v1/keys", 200),
    "keys.create": route(WRITES_OF_SITE, "POST /v1/keys", 201, body={}),
    "keys.roll": route(WRITES_OF_KEY, "POST /v1/keys/{key}/roll", 201, body={}),
    "keys.delete": route(WRITES_OF_KEY, "DELETE /v1/keys/{key}", 204),
    # ---------------------------------------------------------------------------------- games
    "games.create": route(WRITES_OF_SITE, "POST /v1/games", 201, body=FOUR),
    "access.listed": route(LOOKS_OF_SITE, "GET /v1/games", 200),
    "games.public": route(EVERYBODY, f"GET {GAME}", 200),
    "games.transcript": route(READERS, f"GET {GAME}/transcript", 200),
    "games.seed_signatures": route(EVERYBODY, f"GET {GAME}/seed-signatures", 200),
    "publiclog.proof": route(EVERYBODY, f"GET {GAME}/proofs/1", 404),
    "games.close": route(WRITES_OF_GAME, f"POST {GAME}/close", 200, body={"reason": "rain"}),
    "games.void": route(WRITES_OF_GAME, f"POST {GAME}/void", 200, body={"reason": VOID_REASONS[0]}),
    "games.overdue": route(WRITES_OF_GAME, f"POST {GAME}/overdue", 409, body=LATE),
    "hands.deal": route(WRITES_OF_GAME, f"POST {GAME}/hands", 409, body=LATE),
    "hands.score": route(WRITES_OF_GAME, f"POST {GAME}/hands/1/score", 409, body={"result": 1}),
    "hands.abort": route(WRITES_OF_GAME, f"POST {GAME}/hands/1/abort", 409, body={"reason": "x"}),
    "hands.draw": route(ONE_SEAT, f"POST {GAME}/hands/1/draws", 409, body={"seat": 0, **LATE}),
    "access.invite": route(WRITES_OF_GAME, f"POST {GAME}/seats/0/invite", 409, body={}),
    "access.reissue": route(WRITES_OF_GAME, f"POST {GAME}/seats/0/reissue", 201, body={}),
    "access.release": route(WRITES_OF_GAME, f"POST {GAME}/seats/0/release", 200),
    "access.watchers": route(LOOKS_OF_GAME, f"GET {GAME}/watchers", 200),
    "access.add_watcher": route(WRITES_OF_GAME, f"POST {GAME}/watchers", 201, body={}),
    "access.remove_watcher": route(WRITES_OF_GAME, f"DELETE {GAME}/watchers/{{watcher}}", 204),
    "seats.seed": route(ONE_SEAT, f"PUT {GAME}/seats/0/seed", 409, body=SEED),
    "seats.view": route(READERS, f"GET {GAME}/view", 200),
    "seats.counts": route(READERS, f"GET {GAME}/counts", 200),
    "seats.choices": route(SEATS, f"GET {GAME}/choices", 200),
    "seats.hint": route(SEATS, f"GET {GAME}/hint", 409),
    "seats.act": route(SEATS, f"POST {GAME}/actions", 409, body={"act": "draw", **LATE}),
    "seats.more_time": route(SEATS, f"POST {GAME}/more-time", 409, body=LATE),
    "seats.my_record": route(SEATS, f"GET {GAME}/my-record", 200),
    "events.events": route(READERS, f"GET {GAME}/events", 200),
    # ---------------------------------------------------------------------------------- rooms
    "rooms.create": route(WRITES_OF_SITE, "POST /v1/rooms", 201, body=FOUR),
    "rooms.listed": route(LOOKS_OF_SITE, "GET /v1/rooms", 200),
    "rooms.look": route(LOOKS_IN_ROOM, f"GET {ROOM}", 200),
    "rooms.close": route(OPERATORS_OF_ROOM, f"DELETE {ROOM}", 200),
    "rooms.change_game": route(HOSTS, f"PUT {ROOM}/game", 200, body={}),
    "rooms.pass_host": route(HOSTS, f"POST {ROOM}/host", 200, body={"seat": 0}),
    "rooms.ready": route(SEATS_IN_ROOM, f"POST {ROOM}/ready", 200, body={"ready": True}),
    "rooms.leave": route(SEATS_IN_ROOM, f"POST {ROOM}/leave", 409, body=LATE),
    "rooms.rematch": route(SEATS_IN_ROOM, f"POST {ROOM}/rematch", 404, body={"game": "gaaaaaaaa"}),
    "rooms.put_bot": route(HOSTS, f"PUT {ROOM}/seats/2/bot", 200, body={"bot": None}),
    "rooms.invite": route(HOSTS, f"POST {ROOM}/seats/2/invite", 201, body={}),
    "rooms.reissue": route(HOSTS, f"POST {ROOM}/seats/2/reissue", 201, body={}),
    "rooms.release": route(HOSTS, f"POST {ROOM}/seats/2/release", 200, body={}),
    "rooms.start": route(HOSTS, f"POST {ROOM}/start", 409, body={}),
    "quickmatch.enter": route(WRITES_OF_SITE, "POST /v1/quickmatch", 201, body={}),
    "quickmatch.look": route(LOOKS_OF_GAME, "GET /v1/quickmatch/{ticket}", 200),
    "quickmatch.withdraw": route(WRITES_OF_GAME, "DELETE /v1/quickmatch/{ticket}", 200),
    "me.games": route(ANY_SEAT, "GET /v1/me/games", 200),
}
"""Every route, with a request that whoever is let through can make as often as one likes."""


def routes_of(app):
    return {rule.endpoint for rule in app.url_map.iter_rules()}


def test_every_route_is_placed_in_the_table(service):
    """A new route has to say here who may ask it."""
    assert set(ROUTES) == routes_of(service.app)
    for name, one in ROUTES.items():
        assert set(one.who) == set(ROLES), name


def test_what_a_route_says_of_its_tokens_is_what_the_table_says(service):
    """The description's `security` names the roles of those who pass, and no other."""
    kinds = {
        "operator": OPERATORS,
        "seat": SEATED,
        "watcher": WATCHERS,
        None: ("anyone",),
    }
    described = service.call("GET", "/openapi.json").json["paths"]
    for name, one in ROUTES.items():
        method, path = one.ask.split()
        generic = path.replace("/1/", "/{hand}/").replace("/help/no_key", "/help/{code}")
        generic = generic.replace("/strategy/fat_pile", "/strategy/{code}")
        generic = generic.replace("classic@1", "{preset}")
        generic = generic.replace("/proofs/1", "/proofs/{n}")
        generic = generic.replace("/bots/random@1/", "/bots/{bot}/")
        for number in "02":
            generic = generic.replace(f"/seats/{number}/", "/seats/{seat}/")
        security = described[generic][method.lower()].get("security", [{}])
        said = {next(iter(scheme), None) for scheme in security}
        passing = {
            kind for kind, roles in kinds.items() if any(one.who[role] == PASSES for role in roles)
        }
        if passing == set(kinds):
            assert None in said, name
        else:
            assert said == passing, name


# -------------------------------------------------------------------------------- the tokens


@dataclass
class World:
    """Two sites, two games, a room, and a token of each role."""

    service: Service
    names: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def grant(self, name, role, **more):
        """Give out a token as it would stand in the database."""
        text = f"cd_live_{name.replace(' ', '')}_" + "w" * 30
        self.service.store.write(
            Write(grants=(Grant(digest=digest(text), role=role, made=START_MS, **more),))
        )
        self.tokens[name] = text

    def end(self, name, state, until=None):
        change = GrantChange(digest=digest(self.tokens[name]), state=state, until=until)
        self.service.store.write(Write(changes=(change,)))

    def ask(self, name, role):
        one = ROUTES[name]
        method, path = one.ask.split()
        path = path.format(**self.names) + one.query
        token = None if role == "anyone" else self.tokens[role]
        return self.service.call(method, path, one.body, token)


@pytest.fixture
def world(service):
    made = World(service)
    game, other = service.create("hhbb"), service.create("hbbb")
    made.tokens |= {"operator": OPERATOR, "unknown": "cd_live_op_nobody"}
    made.tokens |= {"of test mode": "cd_test_op_" + "t" * 43, "claim": other["claims"][0]["claim"]}
    for role, at in zip(SEATS_OF_GAME, (0, 1), strict=True):
        made.tokens[role] = service.seat(game, at).token
    elsewhere = service.create("hbbb")
    made.tokens["seat of another game"] = service.seat(elsewhere).token
    room = service.call("POST", "/v1/rooms", FOUR, OPERATOR).json
    for role, claim in zip(SEATS_OF_ROOM, room["claims"], strict=False):
        made.tokens[role] = service.call("POST", "/v1/claims", {"claim": claim["claim"]}).json[
            "token"
        ]
    made.grant("operator that may only look", "operator", site="site_main", scope="read")
    made.grant("operator of another site", "operator", site="site_other", scope="full")
    for name in ("expired", "revoked", "replaced"):
        made.grant(name, "operator", site="site_main", scope="full")
    made.end("expired", "open", START_MS)
    made.end("revoked", "revoked")
    made.end("replaced", "replaced")
    for role, where in zip(WATCHERS, (game, elsewhere), strict=True):
        path = f"/v1/games/{where['id']}/watchers"
        made.tokens[role] = service.call("POST", path, {}, OPERATOR).json["token"]
    spare = service.call("POST", f"/v1/games/{game['id']}/watchers", {}, OPERATOR).json
    key = service.call("POST", "/v1/keys", {}, OPERATOR).json
    ticket = service.call("POST", "/v1/quickmatch", {}, OPERATOR).json["ticket"]
    made.names = {"game": game["id"], "room": room["id"], "key": key["id"], "watcher": spare["id"]}
    made.names["ticket"] = ticket
    assert {"anyone", *made.tokens} == {*ROLES, *WITHOUT_USE}
    return made


@pytest.mark.parametrize("name", sorted(ROUTES))
def test_a_route_lets_through_whom_it_should_and_refuses_the_others(world, name):
    expected = {**ROUTES[name].who, **WITHOUT_USE}
    # Refusals first: whoever is let through may end the game.
    for role in sorted(expected, key=lambda role: expected[role] == PASSES):
        answer = world.ask(name, role)
        if expected[role] == PASSES:
            assert answer.status_code in ROUTES[name].status, (role, answer.text)
        else:
            got = (answer.status_code, answer.json["code"])
            assert got == expected[role], role


def everything(service, game):
    """Return all that is kept of a game and of the site's keys."""
    store = service.store
    grants = [store.grants(role=role, game=game) for role in ("claim", "seat", "watch")]
    return store.lines(game), grants, store.grants(role="operator", site="site_main")


@pytest.mark.parametrize(
    "name", sorted(name for name, one in ROUTES.items() if one.ask.split()[0] != "GET")
)
def test_whoever_is_refused_changes_nothing(world, name):
    before = everything(world.service, world.names["game"])
    room = world.service.store.room(world.names["room"])
    expected = {**ROUTES[name].who, **WITHOUT_USE}
    for role, verdict in expected.items():
        if verdict != PASSES:
            world.ask(name, role)
    assert everything(world.service, world.names["game"]) == before
    assert world.service.store.room(world.names["room"]) == room


def test_a_seat_of_a_room_plays_the_games_that_are_started_there(service):
    room = service.call("POST", "/v1/rooms", {"seats": [{"kind": "human"}] + [{"kind": "bot"}] * 3},
                        OPERATOR).json  # fmt: skip
    path = f"/v1/rooms/{room['id']}"
    token = service.call("POST", "/v1/claims", {"claim": room["claims"][0]["claim"]}).json["token"]
    assert service.call("POST", f"{path}/ready", {"ready": True}, token).status_code == 200
    game = service.call("POST", f"{path}/start", {}, token).json["game"]["id"]
    assert service.call("GET", f"/v1/games/{game}/view", token=token).json["seat"] == 0
    other = service.create()["id"]
    refused = service.call("GET", f"/v1/games/{other}/view", token=token)
    assert (refused.status_code, refused.json["code"]) == NOT_YOUR_SEAT


def test_a_game_of_an_older_version_belongs_to_the_first_site(service):
    created = service.create()
    clerk = service.dealer._clerk
    clerk.callers.places._games.clear()
    service.store.listing = lambda _: None
    path = f"/v1/games/{created['id']}/close"
    other = "cd_live_op_" + "o" * 43
    grant = Grant(digest=digest(other), role="operator", site="site_other", scope="full")
    service.store.write(Write(grants=(grant,)))
    refused = service.call("POST", path, {"reason": "rain"}, other)
    assert (refused.status_code, refused.json["code"]) == NOT_YOUR_GAME
    assert service.call("POST", path, {"reason": "rain"}, OPERATOR).status_code == 200


def test_where_games_belong_is_kept_at_hand_for_so_many_only(service, monkeypatch):
    games = [service.create("bbbb")["id"] for _ in range(4)]
    places = Places(service.store, "site_main", size=2)
    assert [places.game(game).site for game in games] == ["site_main"] * 4
    assert len(places._games) == 2
    monkeypatch.setattr(service.store, "listing", None)
    assert places.game(games[-1]).site == "site_main"
