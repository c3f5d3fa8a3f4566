"""What gets each code from each operation, beside what follows from what an operation is.

Operation (method and path) -> the scenes. A scene is given a service of its own, and asks.
"""

from contextlib import ExitStack
from typing import Any

import pytest

from api import waiting
from api.codes import ACT_RULES
from api.turnstile import EACH
from fairdeal.errors import Conflict
from fairdeal.service import keyring, roombook, watchers
from tests.api import test_codes as codes
from tests.api.deeds import DEALT, DEEDS, send
from tests.api.test_rooms import Table
from tests.order import stalled
from tests.table import OPERATOR, QUICKNET, START_MS

HUMANS = [{"kind": "human"}] * 4
LATE_MS = START_MS + 10**10
"""Long after everything that was to be over."""

NO_GAMES: dict[str, dict[str, Any]] = {
    "no_such_preset": {"rules": {"preset": "rummy@1"}},
    "ruleset_field": {"rules": {"overrides": {"decks": "two"}}},
    "rules_conflict": {"rules": {"overrides": {"target": None}}},
    "rules_incomplete": {"rules": {"preset": "six-player@1"}},
    "wrong_seats": {"rules": {"preset": "two-player@1"}},
    "reveal_by_out_of_range": {"reveal_by": 1},
    "no_such_bot": {"seats": [*HUMANS[:3], {"kind": "bot", "bot": "sharp@9"}]},
    "no_such_chain": {"beacon": {"chain": "0" * 64, "delay_ms": 6000}},
    "beacon_delay": {"beacon": {"chain": QUICKNET, "delay_ms": 5999}},
    "seating_differs": {"rules": {"seating": {"game": "gaaaaaaaa", "master_record": "0" * 64}}},
    "bad_field": {"first_seat": 9},
    "until_out_of_range": {"claims_until": 1},
    "not_in_a_room": {"rules": {"dealt": DEALT}},
}
"""What no game can be, by the code that says so."""

LONG = {
    "rules": {"dealt": {**DEALT, "steps": [{"op": "turn", "until_not": ["JOKER"] * 900}] * 6}},
    "seats": HUMANS,
    "hands": 512,
}
"""A game whose first record would be too large."""


def wish_of_another(service):
    """Ask for more time while another seat is in turn."""
    _, players = service.started("hhhh", clock={"turn_s": 60, "extends": 1})
    view = players[0].get("view")
    player = players[(view["table"]["turn"]["seat"] + 1) % 4]
    body = {"expect": view["version"]}
    service.call("POST", f"{player.path}/more-time", body, player.token)


def of_player(what, body, *, started=True, over=False):
    """Return what asks for something about a game as the holder of its one human seat."""

    def ask(service):
        player = service.started()[1][0] if started else service.seat(service.create())
        if over:
            service.call("POST", f"{player.path}/close", {"reason": "rain"}, OPERATOR)
        said = {"expect": player.get("view")["version"]} if body["expect"] is None else body
        service.call("POST", f"{player.path}/{what}", said, player.token)

    return ask


def post(path, body, token=OPERATOR):
    return lambda service: service.call("POST", path, body, token)


def no_game(method, path, body):
    return lambda service: service.call(method, path, {"seats": HUMANS, **body}, OPERATOR)


def no_room_game(body):
    def ask(service):
        wanted = {name: value for name, value in body.items() if name != "seats"}
        return Table(service).ask(None, "PUT", "game", wanted)

    return ask


# -------------------------------------------------------------------------------------- games


def of_game(what, body, kinds="hbbb", over=False, **more):
    """Ask the operator's question of a game: as it was made, or when it is over."""

    def ask(service):
        path = f"/v1/games/{service.create(kinds, **more)['id']}/{what}"
        if over:
            service.call(
                "POST", f"{path.rpartition('/' + what)[0]}/close", {"reason": "x"}, OPERATOR
            )
        return service.call("POST", path, body, OPERATOR)

    return ask


def of_dealt(what, body, who=None, over=False, kept=False):
    """Ask something of a dealt-only game whose first hand is dealt, or which is over."""

    def ask(service):
        path, players = codes.dealt(service)
        token = OPERATOR if who is None else players[who].token
        if over:
            service.call("POST", f"{path}/close", {"reason": "x"}, OPERATOR)
        wanted = dict(body)
        if "expect" in body and body["expect"] is None:
            wanted["expect"] = players[0].get("view")["version"]
        if kept:
            service.call("POST", f"{path}/{what}", wanted, token)
        return service.call("POST", f"{path}/{what}", wanted, token)

    return ask


def act_late(service):
    player = codes.seat(service)
    version = codes.close(service, game=player.game).json["version"]
    return player.try_act(version, "draw")


def hint_of(player_in):
    """Return what asks for a hint."""

    def ask(service):
        player = player_in(service)
        return service.call("GET", f"{player.path}/hint", token=player.token)

    return ask


def closed_game(service):
    player = codes.seat(service)
    codes.close(service, game=player.game)
    return player


def waiting_seat(service):
    """Give a player who is not in turn."""
    _, players = service.started("hhhh")
    return players[(players[0].get("view")["table"]["turn"]["seat"] + 1) % 4]


def late_hint(service):
    """Ask for a hint while the seat acts."""
    player = codes.seat(service)
    version, act = player.choose()
    kept = service.store.ask

    def after_the_act(asked, **more):
        player.act(version, act)
        return kept(asked, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.store, "ask", after_the_act)
        return hint_of(lambda _: player)(service)


def every_rule(service):
    for code in ACT_RULES:
        assert codes.break_rule(service, code).json["code"] == code


def seed_late(service):
    player = codes.unseeded(service)
    codes.close(service, game=player.game)
    return player.service.call(
        "PUT", f"{player.path}/seats/{player.seat}/seed", player.seed_body(), player.token
    )


def seed_beyond(service):
    """Contribute again when all hands are dealt."""
    path, players = codes.dealt(service, epoch_hands=1)
    service.call("POST", f"{path}/hands/1/score", {"result": {}}, OPERATOR)
    return codes.put_seed(players[0], epoch=2)


def seed_of_a_bot(service):
    """Contribute to a game that is over, for a seat that a bot had in it."""
    table = Table(service, auto_start=False).take(0, 1, 2)
    table.ready()
    table.do(None, "start")
    game = table.close_game()
    table.take(3)
    opened = service.call("GET", f"/v1/games/{game}").json["commitment"]
    body = {"epoch": 1, **opened, "nonce": "0" * 64, "seed_sha256": "0" * 64}
    del body["master_commit"]
    return service.call("PUT", f"/v1/games/{game}/seats/3/seed", body, table.tokens[3])


def refereed_draw(service):
    player = codes.seat(service)
    body = {"seat": 0, "expect": player.get("view")["version"]}
    return service.call("POST", f"{player.path}/hands/1/draws", body, player.token)


def closed_to(what):
    def ask(service):
        created = service.create(watch={"open": False})
        return service.call("GET", f"/v1/games/{created['id']}/{what}")

    return ask


def crowded(what, places, many):
    """Wait while so many others hold a place, each of another token or all of one."""

    def ask(service):
        player = codes.seat(service)
        with ExitStack() as held:
            for at in range(many):
                held.callback(places.enter(b"%d" % at if many > EACH else _digest(service, player)))
            path = what.format(game=player.game)
            headers = {"Accept": "text/event-stream"} if "events" in what else {}
            with service.call("GET", path, token=player.token, headers=headers) as answer:
                return answer

    return ask


def _digest(service, player):
    return service.dealer.identify(player.token).digest


def unchanged(service):
    player = codes.seat(service)
    codes.close(service, game=player.game)
    path = f"{player.path}/transcript"
    tag = service.call("GET", path).headers["ETag"]
    return service.call("GET", path, headers={"If-None-Match": tag})


def too_many_watchers(service):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watchers, "MOST_WATCHERS", 0)
        return of_game("watchers", {})(service)


# --------------------------------------------------------------------------------------- keys


def roll_too_many(service):
    key = service.call("POST", "/v1/keys", {}, OPERATOR).json["id"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyring, "MOST_KEYS", 1)
        return service.call("POST", f"/v1/keys/{key}/roll", {}, OPERATOR)


def renamed_at_once(service):
    room = service.store.room
    service.call("PATCH", "/v1/site", {"name": "One"}, OPERATOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.store, "room", lambda name: None if "site/" in name else room(name))
        return service.call("PATCH", "/v1/site", {"name": "Two"}, OPERATOR)


# -------------------------------------------------------------------------------------- rooms


def in_room(who, what, body=None, method="POST", kinds="hhhh", taken=(0, 1), **more):
    def ask(service):
        table = Table(service, kinds, **more)
        if taken:
            table.take(*taken)
        return table.ask(who, method, what, {} if body is None else body)

    return ask


def no_match(body):
    """Wish for what no game can be; the ruleset counts the seats."""
    wanted = {name: value for name, value in body.items() if name not in ("seats", "reveal_by")}
    return post("/v1/quickmatch", wanted)


def crowded_ticket(many):
    def ask(service):
        ticket = service.call("POST", "/v1/quickmatch", {}, OPERATOR).json["ticket"]
        digest = service.dealer.identify(OPERATOR).digest
        with ExitStack() as held:
            for at in range(many):
                held.callback(waiting.POLLS.enter(b"%d" % at if many > EACH else digest))
            path = f"/v1/quickmatch/{ticket}?at_least=99&wait=1"
            return service.call("GET", path, token=OPERATOR)

    return ask


def withdrawn_while_others_come(service):
    ticket = service.call("POST", "/v1/quickmatch", {}, OPERATOR).json["ticket"]
    ask = outrun(lambda _: service.call("DELETE", f"/v1/quickmatch/{ticket}", token=OPERATOR))
    return ask(service)


def outrun(ask, before=lambda _: None):
    """Ask while others change the room all the time."""

    def refuse(_):
        raise Conflict("room_moved", "Somebody else changed the room first.")

    def asked(service):
        table = Table(service)
        before(service)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(service.store, "write", refuse)
            patch.setattr(roombook, "TRIES", 2)
            return ask(table)

    return asked


def playing(who, what, body=None, method="POST", kinds="hhhh"):
    """Ask while a game runs."""

    def ask(service):
        table = Table(service, kinds)
        game = table.started()["game"]["id"]
        wanted = {"game": game} if what == "rematch" else {} if body is None else body
        return table.ask(who, method, what, wanted)

    return ask


def closed(who, what, body=None, method="POST"):
    """Ask in a room that is closed."""

    def ask(service):
        table = Table(service, "hhhb").take(0, 1)
        game = "gaaaaaaaa"
        if what == "rematch":
            table.take(2).ready()
            game = table.do(None, "start")["game"]["id"]
            table.close_game()
        assert table.ask(None, "DELETE", "").status_code == 200
        wanted = {"game": game} if what == "rematch" else {} if body is None else body
        return table.ask(who, method, what, wanted)

    return ask


def too_late(who, what, body=None, method="POST", kinds="hhbb", *, stall=False, **more):
    """Ask when the day on which a game's secrets are due is past, or while the log is behind."""

    def ask(service):
        table = Table(service, kinds, reveal_by=START_MS + 10**8, **more).take()
        wanted = {} if body is None else body
        if what == "rematch":
            table.ready()
            table.do(None, "start")
            wanted = {"game": table.close_game()}
            table.do(1, what, wanted)
        if what == "start":
            table.ready()
        if what == "ready":
            table.do(1, what, wanted)
        if stall:
            service.dealer._clerk.order = stalled()
        else:
            service.clock.set(LATE_MS)
        return table.ask(who, method, what, wanted)

    return ask


def crowded_room(many):
    def ask(service):
        table = Table(service).take(0)
        digest = service.dealer.identify(table.tokens[0]).digest
        with ExitStack() as held:
            for at in range(many):
                held.callback(waiting.POLLS.enter(b"%d" % at if many > EACH else digest))
            return table.ask(0, "GET", "?at_least=99&wait=1")

    return ask


def behind(endpoint):
    """Ask while nothing becomes public in the log."""

    def ask(service):
        request = DEEDS[endpoint](service)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(service.dealer._clerk, "order", stalled())
            return send(service, request)

    return ask


def not_ready(service):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.dealer.readiness, "_order", stalled())
        return service.call("GET", "/readyz")


SEAT = "/v1/rooms/{room}/seats/{seat}"
GAME, ROOM = "/v1/games/{game}", "/v1/rooms/{room}"
FAR = {"expires_at": 1}

SCENES = {
    "GET /readyz": [not_ready],
    "GET /help/{code}": [codes.OWN["no_such_code"]],
    "GET /help/strategy/{code}": [lambda s: s.call("GET", "/help/strategy/frozen")],
    "GET /v1/games/{game}/proofs/{n}": [codes.proof, codes.OWN["log_unreadable"]],
    "GET /v1/bots/{bot}/measurements": [lambda s: s.call("GET", "/v1/bots/nobody@1/measurements")],
    "GET /v1/rules/{preset}": [lambda s: s.call("GET", "/v1/rules/rummy@1")],
    "GET /v1/rules/diff": [lambda s: s.call("GET", "/v1/rules/diff?a=classic@1&b=rummy@1")],
    "POST /v1/rules/validate": [
        post("/v1/rules/validate", {"preset": "classic@1", **body["rules"]})
        for code, body in NO_GAMES.items()
        if code in ("no_such_preset", "ruleset_field", "rules_conflict", "rules_incomplete")
    ]
    + [post("/v1/rules/validate", {"preset": "classic@1", "overrides": {"target": 0.5}})],
    "POST /v1/claims": [
        *(
            codes.OWN[code]
            for code in ("no_such_claim", "claim_used", "claim_expired", "bot_plays")
        ),
        outrun(lambda table: table.service.call("POST", "/v1/claims", {"claim": table.claims[0]})),
    ],
    "POST /v1/games": [no_game("POST", "/v1/games", body) for body in NO_GAMES.values()]
    + [post("/v1/games", LONG), behind("games.create")],
    f"POST {GAME}/actions": [
        act_late,
        every_rule,
        *(codes.OWN[code] for code in ("bad_act", "no_hand", "stale_version")),
    ],
    f"POST {GAME}/more-time": [
        codes.OWN["no_clock"],
        codes.OWN["no_more_time"],
        wish_of_another,
        of_player("more-time", {"expect": 0}),
        of_player("more-time", {"expect": None}, over=True),
        of_player("more-time", {"expect": 0}, started=False),
    ],
    f"POST {GAME}/close": [
        behind("games.close"),
        of_game("close", {"reason": "complete"}),
        of_game("close", {"reason": "snow"}, over=True),
    ],
    f"POST {GAME}/void": [behind("games.void"), of_game("void", {"reason": "test"}, over=True)],
    f"GET {GAME}/counts": [closed_to("counts")],
    f"GET {GAME}/hint": [
        codes.OWN["hints_off"],
        hint_of(codes.unseeded),
        hint_of(closed_game),
        hint_of(waiting_seat),
        late_hint,
    ],
    f"GET {GAME}/view": [
        closed_to("view"),
        crowded("/v1/games/{game}/view?at_least=9999&wait=1", waiting.POLLS, EACH),
        crowded("/v1/games/{game}/view?at_least=9999&wait=1", waiting.POLLS, waiting.PLACES),
    ],
    f"GET {GAME}/events": [
        closed_to("events"),
        crowded("/v1/games/{game}/events", waiting.STREAMS, EACH),
        crowded("/v1/games/{game}/events", waiting.STREAMS, waiting.PLACES),
    ],
    f"GET {GAME}/transcript": [closed_to("transcript"), unchanged],
    f"POST {GAME}/hands": [
        behind("hands.deal"),
        of_dealt("hands", {"expect": None}, over=True),
        codes.OWN["hand_in_play"],
        codes.OWN["hands_used_up"],
        codes.OWN["refereed"],
        codes.OWN["seeds_awaited"],
        of_dealt("hands", {"expect": 0}),
    ],
    f"POST {GAME}/hands/{{hand}}/abort": [
        of_game("hands/1/abort", {"reason": "x"}),
        of_game("hands/1/abort", {"reason": "x"}, over=True),
    ],
    f"POST {GAME}/hands/{{hand}}/draws": [
        of_dealt("hands/1/draws", {"seat": 0, "expect": None}, 0, over=True),
        of_dealt("hands/2/draws", {"seat": 0, "expect": None}, 0),
        of_dealt("hands/1/draws", {"seat": 0, "expect": 0}, 0),
        codes.OWN["stock_used_up"],
        refereed_draw,
    ],
    f"POST {GAME}/hands/{{hand}}/score": [
        of_dealt("hands/1/score", {"result": 1}, over=True),
        of_dealt("hands/2/score", {"result": 1}),
        of_game("hands/1/score", {"result": 1}),
        codes.large_score,
        of_dealt("hands/1/score", {"result": 0.5}),
    ],
    f"POST {GAME}/overdue": [
        of_game("overdue", {"expect": 2}, over=True),
        of_game("overdue", {"expect": 0}),
        of_game("overdue", {"expect": 9999}),
    ],
    f"PUT {GAME}/seats/{{seat}}/seed": [
        behind("seats.seed"),
        seed_late,
        seed_beyond,
        seed_of_a_bot,
        *(
            codes.OWN[code]
            for code in (
                "open_hash_differs",
                "seal_differs",
                "sealing_open",
                "seed_given",
                "seed_repeated",
                "seeds_locked",
                "bad_field",
                "signature_wrong",
            )
        ),
    ],
    f"POST {GAME}/seats/{{seat}}/invite": [
        of_game("seats/9/invite", {}),
        of_game("seats/0/invite", FAR),
        lambda s: s.call("POST", f"{codes.seat(s).path}/seats/0/invite", {}, OPERATOR),
    ],
    f"POST {GAME}/seats/{{seat}}/reissue": [
        of_game("seats/9/reissue", {}),
        of_game("seats/0/reissue", FAR),
    ],
    f"POST {GAME}/seats/{{seat}}/release": [of_game("seats/9/release", None)],
    f"POST {GAME}/watchers": [of_game("watchers", {"until": 1}), too_many_watchers],
    f"DELETE {GAME}/watchers/{{watcher}}": [codes.OWN["no_such_watcher"]],
    "POST /v1/keys": [codes.OWN["too_many"]],
    "DELETE /v1/keys/{key}": [codes.OWN["no_such_key"], codes.OWN["last_key"]],
    "POST /v1/keys/{key}/roll": [post("/v1/keys/key_x/roll", {}), roll_too_many],
    "PATCH /v1/site": [renamed_at_once],
    "POST /v1/rooms": [no_game("POST", "/v1/rooms", body) for body in NO_GAMES.values()],
    f"GET {ROOM}": [crowded_room(EACH), crowded_room(waiting.PLACES)],
    "POST /v1/quickmatch": [no_match(body) for body in NO_GAMES.values()]
    + [
        no_match({"rules": {"seating": {"game": "gaaaaaaaa", "master_record": "0" * 64}}}),
        no_match({"bot": "sharp@9"}),
        outrun(
            lambda table: table.service.call("POST", "/v1/quickmatch", {}, OPERATOR),
            lambda service: service.call("POST", "/v1/quickmatch", {}, OPERATOR),
        ),
    ],
    "GET /v1/quickmatch/{ticket}": [
        codes.OWN["no_such_ticket"],
        crowded_ticket(EACH),
        crowded_ticket(waiting.PLACES),
    ],
    "DELETE /v1/quickmatch/{ticket}": [
        lambda s: s.call("DELETE", "/v1/quickmatch/x", token=OPERATOR),
        codes.OWN["match_started"],
        withdrawn_while_others_come,
    ],
    f"DELETE {ROOM}": [
        playing(None, "", method="DELETE"),
        outrun(lambda table: table.ask(None, "DELETE", "")),
    ],
    f"PUT {ROOM}/game": [
        *(no_room_game(body) for body in NO_GAMES.values()),
        codes.OWN["room_filling"],
        in_room(1, "game", method="PUT"),
        playing(0, "game", method="PUT"),
        in_room(0, "game", {"expect": 0}, "PUT"),
        closed(0, "game", method="PUT"),
    ],
    f"POST {ROOM}/host": [
        in_room(1, "host", {"seat": 1}),
        in_room(0, "host", {"seat": 9}),
        in_room(0, "host", {"seat": 3}),
        in_room(0, "host", {"seat": 1, "expect": 0}),
        closed(0, "host", {"seat": 0}),
    ],
    f"POST {ROOM}/leave": [in_room(0, "leave", {"expect": 0}), closed(0, "leave")],
    f"POST {ROOM}/ready": [
        playing(0, "ready", {"ready": True}),
        in_room(0, "ready", {"ready": True, "expect": 0}),
        closed(0, "ready", {"ready": True}),
        too_late(0, "ready", {"ready": True}, auto_start=True),
        too_late(0, "ready", {"ready": True}, stall=True, auto_start=True),
    ],
    f"POST {ROOM}/rematch": [
        playing(0, "rematch"),
        in_room(0, "rematch", {"game": "gaaaaaaaa", "expect": 0}),
        closed(0, "rematch"),
        too_late(0, "rematch"),
        too_late(0, "rematch", stall=True),
        in_room(0, "rematch", {"game": "gaaaaaaaa"}),
    ],
    f"POST {ROOM}/start": [
        in_room(1, "start"),
        in_room(None, "start", taken=()),
        in_room(None, "start"),
        in_room(0, "start", {"expect": 0}),
        closed(0, "start"),
        too_late(None, "start", kinds="hhbb"),
        too_late(None, "start", stall=True),
    ],
    f"PUT {SEAT}/bot": [
        in_room(1, "seats/3/bot", {"bot": None}, "PUT"),
        in_room(0, "seats/9/bot", {"bot": None}, "PUT"),
        playing(0, "seats/3/bot", {"bot": None}, "PUT"),
        in_room(0, "seats/3/bot", {"bot": None, "expect": 0}, "PUT"),
        in_room(0, "seats/1/bot", {"bot": "steady@1"}, "PUT"),
        closed(0, "seats/2/bot", {"bot": None}, "PUT"),
        in_room(0, "seats/3/bot", {"bot": "sharp@9"}, "PUT"),
        too_late(0, "seats/3/bot", {"bot": "steady@1"}, "PUT"),
    ],
    f"POST {SEAT}/invite": [
        in_room(1, "seats/3/invite"),
        in_room(0, "seats/9/invite"),
        playing(0, "seats/3/invite"),
        in_room(0, "seats/3/invite", kinds="hhhb"),
        in_room(0, "seats/1/invite"),
        closed(0, "seats/2/invite"),
        in_room(0, "seats/3/invite", FAR),
        in_room(0, "seats/3/invite", {"expect": 0}),
    ],
    f"POST {SEAT}/reissue": [
        in_room(1, "seats/3/reissue"),
        in_room(0, "seats/9/reissue"),
        playing(0, "seats/3/reissue"),
        in_room(0, "seats/3/reissue", kinds="hhhb"),
        closed(0, "seats/2/reissue"),
        in_room(0, "seats/3/reissue", FAR),
        in_room(0, "seats/3/reissue", {"expect": 0}),
    ],
    f"POST {SEAT}/release": [
        in_room(1, "seats/3/release"),
        in_room(0, "seats/9/release"),
        playing(0, "seats/3/release"),
        in_room(0, "seats/3/release", kinds="hhhb"),
        closed(0, "seats/2/release"),
        in_room(0, "seats/3/release", {"expect": 0}),
    ],
}
