"""What api/refusals.py says of an operation from what it is, each operation can be refused with.

The other half of what the recorder watches (conftest.py): nothing is documented that cannot be.
"""

import contextlib
import dataclasses
import json

import pytest

from api.refusals import ALWAYS, BODY, GAME, ROOM, STORE, WRITES
from fairdeal.errors import StorageFailure
from fairdeal.store.sql import SqlStore
from fairdeal.store.vault import Vault
from tests.api import recorder
from tests.api.deeds import DEEDS, send
from tests.api.test_codes import ended_key, other_site, replaced_token
from tests.api.test_rooms import Table
from tests.table import OPERATOR, Service, application

# ------------------------------------------------------------------------- what any route gives


def of_game(what, who="seat"):
    """Return the request that reads something of a game that runs."""

    def make(service):
        created, (player,) = service.started()
        token = {"seat": player.token, "operator": OPERATOR, "anyone": None}[who]
        return "GET", f"/v1/games/{created['id']}{what}", None, token

    return make


def page(path, token=None):
    return lambda _: ("GET", path, None, token)


def a_ticket(service):
    ticket = send(service, DEEDS["quickmatch.enter"](service)).json["ticket"]
    return "GET", f"/v1/quickmatch/{ticket}", None, OPERATOR


def my_games(service):
    return "GET", "/v1/me/games", None, service.started()[1][0].token


def a_search(service):
    send(service, DEEDS["keys.create"](service), Idempotency_Key="k")
    return "GET", "/v1/requests?idempotency_key=k", None, OPERATOR


LOOKS = {
    "events.events": of_game("/events"),
    "games.public": of_game("", "anyone"),
    "games.transcript": of_game("/transcript", "anyone"),
    "games.seed_signatures": of_game("/seed-signatures", "anyone"),
    "publiclog.proof": of_game("/proofs/0", "anyone"),
    "seats.view": of_game("/view"),
    "seats.choices": of_game("/choices"),
    "seats.counts": of_game("/counts"),
    "seats.hint": of_game("/hint"),
    "seats.my_record": of_game("/my-record"),
    "access.watchers": of_game("/watchers", "operator"),
    "access.listed": page("/v1/games", OPERATOR),
    "rooms.listed": page("/v1/rooms", OPERATOR),
    "rooms.look": lambda service: ("GET", Table(service).path, None, OPERATOR),
    "quickmatch.look": a_ticket,
    "me.games": my_games,
    "keys.site": page("/v1/site", OPERATOR),
    "keys.listed": page("/v1/keys", OPERATOR),
    "requests.find": a_search,
    "rules.every": page("/v1/rules"),
    "rules.one": page("/v1/rules/classic@1"),
    "rules.diff": page("/v1/rules/diff?a=classic@1&b=basics@1"),
    "rules.validate": lambda _: ("POST", "/v1/rules/validate", {"preset": "classic@1"}, None),
    "rules.bots": page("/v1/bots"),
    "rules.measurements": page("/v1/bots/random@1/measurements"),
    "rules.play_stats": page("/v1/stats/play"),
    "rules.terms": page("/v1/terms"),
    "help.every_code": page("/help"),
    "help.one_code": page("/help/frozen"),
    "help.strategy": page("/help/strategy"),
    "help.one_reason": page("/help/strategy/keeps_pair"),
    "site.health": page("/healthz"),
    "site.readiness": page("/readyz"),
    "site.who": page("/.well-known/canasta-dealer.json"),
    "site.openapi": page("/openapi.json"),
    "site.docs": page("/docs"),
}
"""Endpoint -> a request that reads something, as DEEDS has those that write."""


class Stubborn(SqlStore):
    """Refuses to say whose a token is, with the code that it is told."""

    says = ""

    def grant(self, digest):
        if self.says:
            raise StorageFailure(self.says, "Not now.")
        return super().grant(digest)


@pytest.fixture
def service(folder):
    opened = Service(folder, maker=Stubborn)
    yield opened
    opened.close()


def crowd(service):
    """Give out a token of each kind that opens nothing, or something else."""
    other = service.create()
    path = f"/v1/games/{other['id']}"
    table = Table(service).take(0, 1)
    yield None
    yield "cd_live_op_guess"
    yield "cd_test_op_guess"
    yield ended_key(service).request.headers["Authorization"].removeprefix("Bearer ")
    yield replaced_token(service).request.headers["Authorization"].removeprefix("Bearer ")
    yield service.call("POST", "/v1/keys", {"scope": "read"}, OPERATOR).json["token"]
    yield service.call("POST", f"{path}/watchers", {}, OPERATOR).json["token"]
    yield other_site(service)
    yield service.seat(other).token
    yield from (table.tokens[seat] for seat in (0, 1))


def longer(path, query):
    return path + ("&" if "?" in path else "?") + query


def malformed(service, request):
    """Send a request in the ways in which none can be read, or may come."""
    method, path, body, token = request
    send(service, (method, longer(path, "colour=red"), body, token))
    send(service, (method, longer(path, "of=cd_live_op_x"), body, token))
    send(service, (method, longer(path.partition("?")[0], "limit=x&wait=x"), body, token))
    raw = {"method": method, "path": path, "token": token}
    kind = {"content_type": "application/json"}
    for key in ("a b", "good"):
        headers = {"headers": {"Idempotency-Key": key}}
        service.call(**raw, data=b"{", **kind, **headers)
        service.call(**raw, data=b" " * 70_000, **kind, **headers)
        short = {"CONTENT_LENGTH": "400"}
        service.call(**raw, data=b"{}", **kind, **headers, environ_overrides=short)
        service.call(**raw, data=b"{}", content_type="text/plain", **headers)
        service.call(**raw, json=body, **headers)


def elsewhere(path):
    """Return the same of a game or room that there is not."""
    parts = path.split("/")
    if len(parts) > 3 and parts[2] in ("games", "rooms"):
        parts[3] = "gaaaaaaaa"
    return "/".join(parts)


@contextlib.contextmanager
def damaged(service):
    """Let what is kept of games and rooms contradict itself."""
    store, clerk = service.store, service.dealer._clerk
    lines, room = store.lines, store.room

    def torn(game, **more):
        return tuple(line.replace(b'"v":"pfd1"', b'"v":"pfd9"') for line in lines(game, **more))

    def empty(name):
        kept = room(name)
        return kept and dataclasses.replace(kept, body=b"{}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "lines", torn)
        patch.setattr(store, "room", empty)
        clerk._shelf._games.clear()
        yield
    clerk._shelf._games.clear()


def disturbed(service, request):
    """Send a request to a service in which something is broken."""
    method, path, body, token = request
    operator = service.dealer.identify(OPERATOR)
    known = (method, path, body, token or OPERATOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.dealer._callers, "_nobody", operator)
        service.call(method, path, body, token, headers={"X-Forwarded-For": "192.0.2.1"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.dealer, "identify", None)
        send(service, request)
    with damaged(service):
        send(service, request)
    send(service, request, Idempotency_Key="mine")
    headers = {"Idempotency-Key": "mine", "Content-Type": "application/json"}
    other = json.dumps(body) + " "
    service.call(method, path, data=other, token=token, headers=headers)
    clerk = service.dealer._clerk
    vault = Vault(b"another key, of thirty-two bytes", service.entropy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clerk._shelf, "_vault", vault)
        patch.setattr(service.dealer.repeats, "_vault", vault)
        clerk._shelf._games.clear()
        send(service, request, Idempotency_Key="mine")
        send(service, request)
    for code in STORE:
        service.store.says = code
        send(service, known)
    service.store.says = ""


# ------------------------------------------------------------------------------------- all of it

DERIVED = {
    *ALWAYS, *BODY, *WRITES, *GAME, *ROOM,
    "no_key", "wrong_role", "read_only_key", "not_your_game", "not_your_seat",
}  # fmt: skip
REQUESTS = LOOKS | DEEDS


def test_every_route_has_a_request_here():
    assert set(REQUESTS) == {rule.endpoint for rule in application().url_map.iter_rules()}


@pytest.mark.parametrize("endpoint", sorted(REQUESTS))
def test_what_follows_from_what_an_operation_is_can_befall_it(service, endpoint):
    (rule,) = application().url_map.iter_rules(endpoint)
    request = REQUESTS[endpoint](service)
    recorder.SEEN.clear()
    malformed(service, request)
    method, path, body, _ = request
    for token in crowd(service):
        send(service, (method, path, body, token))
        send(service, (method, elsewhere(path), body, token))
    disturbed(service, REQUESTS[endpoint](service))
    operation = method, recorder.path_of(rule)
    documented = {
        (status, code)
        for status, codes in recorder.documented()[operation].items()
        for code in codes
        if code in DERIVED and not (code == "no_such_game" and "{game}" not in operation[1])
    }
    reached = {(status, code) for *where, status, code in recorder.SEEN if (*where,) == operation}
    assert documented - reached == set()
