"""Every code of a refusal, provoked over HTTP: its status, its problem and its page."""

import contextlib
import dataclasses
import hashlib
import itertools
import queue
import sqlite3
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from api import waiting
from api.codes import ACT_RULES, BESIDE, CODES, RETRIES, RULES
from api.turnstile import EACH
from fairdeal.canasta import acts, explain
from fairdeal.service import keyring
from fairdeal.service.callers import digest, prefix
from fairdeal.service.publiclog.watching import PublicOrder
from fairdeal.store import sql
from fairdeal.store.ports import Grant, Write
from fairdeal.store.vault import Vault
from tests.api.deeds import DEEDS, send
from tests.api.test_rooms import Table
from tests.api.test_unread import UNREAD
from tests.explain.test_causes import CAUSES
from tests.table import OPERATOR, QUICKNET, START_MS, time_of
from tests.tlog.publishing import publish

SEATS = [{"kind": "human"}] + [{"kind": "bot"}] * 3
DEALT = {"name": "one each", "deck": ["AS", "KS", "QS", "JS"], "steps": [
    {"op": "deal", "count": 1, "packet": 1}]}  # fmt: skip


def create(service, body, **headers):
    return service.call("POST", "/v1/games", body, OPERATOR, headers=headers)


def seat(service, kinds="hbbb"):
    return service.started(kinds)[1][0]


def twice(service, first, second, **headers):
    create(service, first, **headers)
    return create(service, second, **headers)


def own_act(service, act, ahead=0):
    player = seat(service)
    return player.try_act(player.get("view")["version"] + ahead, act)


def unseeded(service):
    return service.seat(service.create())


def no_hints(service):
    rules = {"preset": "classic@1", "overrides": {"hints": "off"}}
    player = service.seat(service.create(rules=rules))
    return service.call("GET", f"{player.path}/hint", token=player.token)


def put_seed(player, **changes):
    body = {**player.seed_body(), **changes}
    return player.service.call("PUT", f"{player.path}/seats/{player.seat}/seed", body, player.token)


def other_seed(service):
    player = service.seat(service.create("hhbb"))
    player.share()
    return put_seed(player, nonce="1" * 64)


def late_seed(service):
    """Contribute after the deck was locked without it."""
    service.clock.set(time_of(1000) - 7500)
    beacon = {"chain": QUICKNET, "delay_ms": 6000}
    created = service.create("hhbb", beacon=beacon, missing_share="drop")
    one, other = (service.seat(created, at) for at in (0, 1))
    version = one.share()["version"]
    path = f"{one.path}/overdue"
    assert service.call("POST", path, {"expect": version}, OPERATOR).status_code == 200
    return put_seed(other)


def claim_twice(service):
    body = {"claim": service.create()["claims"][0]["claim"]}
    service.call("POST", "/v1/claims", body)
    return service.call("POST", "/v1/claims", body)


def close(service, reason="rain", token=OPERATOR, game=None):
    path = f"/v1/games/{game or service.create()['id']}/close"
    return service.call("POST", path, {"reason": reason}, token)


def closed_twice(service):
    game = service.create()["id"]
    close(service, "rain", game=game)
    return close(service, "snow", game=game)


def failing(service, disturb):
    """Let the next commit fail."""
    game = service.create()["id"]
    with disturb(service):
        return close(service, game=game)


@contextlib.contextmanager
def no_disk(service):
    def fail(_):
        raise sqlite3.OperationalError("disk I/O error")

    writer = service.store._writer
    kept, writer._commit = writer._commit, fail
    yield
    writer._commit = kept


@contextlib.contextmanager
def no_database(service):
    folder = service.path.parent
    service.store._writer._driven._driver.close()
    folder.rename(folder.with_name("away"))
    yield
    folder.with_name("away").rename(folder)


@contextlib.contextmanager
def slow_disk(service):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sql, "PATIENCE_S", 0.1)
        patch.setattr(service.store._writer, "_queue", queue.SimpleQueue())  # Nobody reads it.
        yield


@contextlib.contextmanager
def closed_store(service):
    service.store.close()
    yield


def damaged(service):
    """Open a game whose lines do not follow from each other."""
    created = service.create("bbbb")
    lines = list(service.store.lines(created["id"]))
    lines[3] = lines[3].replace(b'"t":', b'"t":1')
    service.store.lines = lambda _, after=-1, limit=9999: tuple(lines[after + 1 :][:limit])
    service.dealer._clerk._shelf._games.clear()
    return service.call("GET", f"/v1/games/{created['id']}")


def other_vault(service):
    created = service.create()
    shelf = service.dealer._clerk._shelf
    shelf._vault = Vault(b"another key, of thirty-two bytes", service.entropy)
    shelf._games.clear()
    return service.call("GET", f"/v1/games/{created['id']}")


def accident(service):
    def fail(*_):
        raise RuntimeError("what nobody may see")

    service.dealer.looks.public = fail
    return service.call("GET", "/v1/games/gaaaaaaaa")


def dealt_only(service, hands=1, **more):
    """Open a game of two seats, of which each holds a card, with two in stock."""
    created = service.create("hh", rules={"dealt": DEALT}, hands=hands, first_seat=0, **more)
    return f"/v1/games/{created['id']}", [service.seat(created, at) for at in (0, 1)]


def deal(service, path, players):
    version = players[0].get("view")["version"]
    return service.call("POST", f"{path}/hands", {"expect": version}, OPERATOR)


def dealt(service, **more):
    path, players = dealt_only(service, **more)
    for player in players:
        player.share()
    assert deal(service, path, players).status_code == 200
    return path, players


def deal_beyond(service):
    path, players = dealt(service)
    scored = service.call("POST", f"{path}/hands/1/score", {"result": {}}, OPERATOR)
    assert scored.status_code == 200
    return deal(service, path, players)


def draw_beyond(service):
    path, players = dealt(service)
    for version in (4, 5, 6):
        answer = service.call(
            "POST", f"{path}/hands/1/draws", {"seat": 0, "expect": version}, players[0].token
        )
    return answer


def deal_refereed(service):
    game = seat(service)
    version = game.get("view")["version"]
    return service.call("POST", f"{game.path}/hands", {"expect": version}, OPERATOR)


def large_score(service):
    path, _ = dealt(service)
    return service.call("POST", f"{path}/hands/1/score", {"result": "x" * 65_400}, OPERATOR)


def overdue(service):
    created = service.create()
    return service.call("POST", f"/v1/games/{created['id']}/overdue", {"expect": 0}, OPERATOR)


def sealing(service, kinds="hhbb"):
    created = service.create(kinds, profile="sealed")
    return [service.seat(created, at) for at in range(kinds.count("h"))]


def seal_copied(service):
    one, other = sealing(service)
    one.seal()
    return other.try_seal(hashlib.sha256(one.line()).hexdigest())


def share_another(service):
    (player,) = sealing(service, "hbbb")
    player.seal()
    return put_seed(player, nonce="1" * 64)


def beacon(chain=QUICKNET, delay_ms=6000):
    return {"seats": SEATS, "beacon": {"chain": chain, "delay_ms": delay_ms}}


def drawn_seating(service):
    seating = {"game": service.create()["id"], "master_record": "0" * 64}
    return create(service, {"seats": SEATS, "rules": {"seating": seating}})


def rules(service, **rules):
    return create(service, {"seats": SEATS, "rules": rules})


def raw(service, data, content_type="application/json", **more):
    return service.call("POST", "/v1/claims", data=data, content_type=content_type, **more)


def other_game(service):
    return service.call(
        "GET", f"/v1/games/{service.create()['id']}/view", token=seat(service).token
    )


# ------------------------------------------------------------------ keys, seats, watchers, rooms


def other_site(service):
    """Give another site a key."""
    token = prefix("operator") + "o" * 43
    service.store.write(
        Write(grants=(Grant(digest=digest(token), role="operator", site="site_other"),))
    )
    return token


def ended_key(service):
    made = service.call("POST", "/v1/keys", {}, OPERATOR).json
    service.call("POST", f"/v1/keys/{made['id']}/roll", {"overlap_s": 60}, OPERATOR)
    service.clock.set(START_MS + 120_000)
    return service.call("GET", "/healthz", token=made["token"])


def last_key(service):
    (key,) = service.call("GET", "/v1/keys", token=OPERATOR).json["keys"]
    return service.call("DELETE", f"/v1/keys/{key['id']}", token=OPERATOR)


def one_key_too_many(service):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyring, "MOST_KEYS", 1)
        return service.call("POST", "/v1/keys", {}, OPERATOR)


def looking_key(service):
    made = service.call("POST", "/v1/keys", {"scope": "read"}, OPERATOR).json
    return service.call("POST", "/v1/games", {"seats": SEATS}, made["token"])


def invite(service, seat=0, **more):
    path = f"/v1/games/{service.create()['id']}/seats/{seat}/invite"
    return service.call("POST", path, more, OPERATOR)


def late_claim(service):
    made = invite(service, expires_at=START_MS + 60_000).json
    service.clock.set(START_MS + 120_000)
    return service.call("POST", "/v1/claims", {"claim": made["claim"]})


def replaced_token(service):
    created = service.create()
    player = service.seat(created)
    service.call("POST", f"/v1/games/{created['id']}/seats/0/reissue", {}, OPERATOR)
    return service.call("GET", f"{player.path}/view", token=player.token)


def closed_to_watchers(service):
    created = service.create(watch={"open": False})
    return service.call("GET", f"/v1/games/{created['id']}/events")


def streams_of(service, count, token=None):
    """Open so many streams, and one more."""
    path, headers = f"/v1/games/{service.create()['id']}/events", {"Accept": "text/event-stream"}
    with contextlib.ExitStack() as held:
        for _ in range(count):
            held.callback(service.call("GET", path, token=token, headers=headers).close)
        return service.call("GET", path, token=token, headers=headers)


def forwarded_to_a_sandbox(service):
    operator = service.dealer.identify(OPERATOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.dealer._callers, "_nobody", operator)
        return service.call("GET", "/healthz", headers={"X-Forwarded-For": "192.0.2.1"})


def in_room(who, what, body=None, kinds="hhhh", taken=(0, 1), method="POST"):
    """Return what asks for something in a room as the holder of a seat, or the operator."""

    def ask(service):
        table = Table(service, kinds)
        if taken:
            table.take(*taken)
        return table.ask(who, method, what, {} if body is None else body)

    return ask


def with_a_game(who, what, body=None):
    """Return the same, while a game runs in which a bot has seat 3."""

    def ask(service):
        table = Table(service, auto_start=False).take(0, 1, 2)
        table.ready()
        table.do(None, "start")
        if what == "claim":
            return service.call("POST", "/v1/claims", {"claim": table.claims[3]})
        return table.ask(who, "PUT", what, body)

    return ask


def closed_room(service):
    table = Table(service)
    assert table.ask(None, "DELETE", "").status_code == 200
    return table.ask(None, "POST", "seats/0/invite", {})


def proof(service, damage=False):
    """Ask for a proof of a record that is public."""
    game = service.create()["id"]
    folder = publish(service)
    if damage:
        (folder / "checkpoint").write_bytes(b"x")
    return service.call("GET", f"/v1/games/{game}/proofs/0")


def without_a_sequencer(service):
    """Close a game at once of which nothing is public yet, nor becomes so."""
    times = itertools.count()
    order = PublicOrder(service.store, lambda: next(times), lambda _: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.dealer._clerk, "order", order)
        game = service.create()["id"]
        return service.call("POST", f"/v1/games/{game}/void", {"reason": "test"}, OPERATOR)


Provoke = Callable[[Any], Any]


def late_withdrawal(service):
    """Withdraw from a game in which the player is."""
    told = service.call("POST", "/v1/quickmatch", {"wait_s": 0}, OPERATOR).json
    service.call("POST", "/v1/claims", {"claim": told["claim"]["claim"]})
    return service.call("DELETE", f"/v1/quickmatch/{told['ticket']}", token=OPERATOR)


def change_of_a_match(service):
    """Change a game for which players are still awaited."""
    room = service.call("POST", "/v1/quickmatch", {}, OPERATOR).json["room"]
    return service.call("PUT", f"/v1/rooms/{room}/game", {"hands": 3}, OPERATOR)


OWN: dict[str, Provoke] = {
    # ------------------------------------------------------------------ the request itself
    "bad_idempotency_key": lambda s: create(s, {"seats": SEATS}, **{"Idempotency-Key": "a b"}),
    "cut_body": lambda s: raw(s, b'{"claim": "x', environ_overrides={"CONTENT_LENGTH": "40"}),
    "malformed": lambda s: raw(s, b'{"claim": 5}'),
    "unknown_field": lambda s: create(s, {"seats": SEATS, "colour": "red"}),
    "bad_key": lambda s: s.call("GET", "/healthz", token="cd_live_op_guess"),
    "no_key": lambda s: s.call("POST", "/v1/games", {"seats": SEATS}),
    "busy": lambda s: streams_of(s, waiting.PLACES // 2),
    "key_expired": ended_key,
    "read_only_key": looking_key,
    "sandbox_local_only": forwarded_to_a_sandbox,
    "token_in_address": lambda s: s.call("GET", "/v1/games/" + OPERATOR),
    "token_replaced": replaced_token,
    "too_many_streams": lambda s: streams_of(s, EACH, OPERATOR),
    "mode_mismatch": lambda s: s.call("GET", "/healthz", token="cd_test_op_guess"),
    "wrong_role": lambda s: close(s, token=seat(s).token),
    "no_such_code": lambda s: s.call("GET", "/help/no_such_thing"),
    "no_such_page": lambda s: s.call("GET", "/v2/games"),
    "wrong_method": lambda s: s.call("DELETE", "/v1/games"),
    "too_large": lambda s: raw(s, b" " * 70_000),
    "not_json": lambda s: raw(s, b"{}", "text/plain"),
    "idempotency_mismatch": lambda s: twice(
        s, {"seats": SEATS}, {"seats": SEATS, "hands": 3}, **{"Idempotency-Key": "once"}
    ),
    "broken": accident,
    "store_failed": lambda s: failing(s, no_disk),
    "store_unavailable": lambda s: failing(s, no_database),
    "store_slow": lambda s: failing(s, slow_disk),
    "store_closed": lambda s: failing(s, closed_store),
    "vault_shut": other_vault,
    "log_behind": without_a_sequencer,
    "log_unreadable": lambda s: proof(s, damage=True),
    # ------------------------------------------------------------------------------- games
    "bad_act": lambda s: own_act(s, "draw two"),
    "bad_field": lambda s: put_seed(unseeded(s), epoch=2),
    "no_such_game": lambda s: s.call("GET", "/v1/games/gaaaaaaaa"),
    "not_public_yet": lambda s: s.call("GET", f"/v1/games/{s.create()['id']}/proofs/0"),
    "game_over": closed_twice,
    "hand_in_play": lambda s: deal(s, *dealt(s)),
    "hands_used_up": deal_beyond,
    "hints_off": no_hints,
    "no_clock": lambda s: send(s, DEEDS["seats.more_time"](s, ())),
    "no_hand": lambda s: unseeded(s).try_act(0, "draw"),
    "no_more_time": lambda s: send(s, DEEDS["seats.more_time"](s, {"turn_s": 60})),
    "no_seeds_awaited": overdue,
    "open_hash_differs": lambda s: put_seed(unseeded(s), open_hash="f" * 64),
    "refereed": deal_refereed,
    "seal_differs": share_another,
    "sealing_open": lambda s: put_seed(sealing(s)[0]),
    "seed_given": other_seed,
    "seed_repeated": seal_copied,
    "seeds_awaited": lambda s: deal(s, *dealt_only(s)),
    "seeds_locked": late_seed,
    "stale_version": lambda s: own_act(s, "draw", ahead=-1),
    "stock_used_up": draw_beyond,
    "beacon_delay": lambda s: create(s, beacon(delay_ms=5999)),
    "no_such_bot": lambda s: create(s, {"seats": [*SEATS[:3], {"kind": "bot", "bot": "sharp@9"}]}),
    "no_such_chain": lambda s: create(s, beacon(chain="0" * 64)),
    "no_such_preset": lambda s: rules(s, preset="rummy@1"),
    "record_too_large": large_score,
    "reveal_by_out_of_range": lambda s: create(s, {"seats": SEATS, "reveal_by": 1}),
    "rules_conflict": lambda s: rules(s, overrides={"target": None}),
    "rules_incomplete": lambda s: rules(s, preset="six-player@1"),
    "ruleset_field": lambda s: rules(s, overrides={"decks": "two"}),
    "seating_differs": drawn_seating,
    "signature_wrong": lambda s: put_seed(unseeded(s), pk="0" * 64, signature="0" * 128),
    "wrong_seats": lambda s: create(s, {"seats": SEATS[:2]}),
    "records_damaged": damaged,
    # ------------------------------------------------------------------------------ places
    "bot_plays": with_a_game(None, "claim"),
    "claim_expired": late_claim,
    "game_running": with_a_game(0, "game", {"hands": 3}),
    "host_only": in_room(1, "seats/3/invite"),
    "last_key": last_key,
    "no_such_key": lambda s: s.call("DELETE", "/v1/keys/key_x", token=OPERATOR),
    "no_such_room": lambda s: s.call("GET", "/v1/rooms/raaaaaaaa", token=OPERATOR),
    "no_such_seat": lambda s: invite(s, 9),
    "no_such_ticket": lambda s: s.call("GET", "/v1/quickmatch/x", token=OPERATOR),
    "match_started": late_withdrawal,
    "room_filling": change_of_a_match,
    "no_such_watcher": lambda s: s.call(
        "DELETE", f"/v1/games/{s.create()['id']}/watchers/watch_x", token=OPERATOR
    ),
    "nobody_seated": in_room(None, "start", taken=()),
    "not_in_a_room": lambda s: s.call(
        "POST", "/v1/rooms", {"seats": SEATS, "rules": {"dealt": DEALT}}, OPERATOR
    ),
    "not_ready": in_room(None, "start"),
    "not_your_game": lambda s: close(s, token=other_site(s)),
    "room_closed": closed_room,
    "room_moved": in_room(0, "ready", {"ready": True, "expect": 0}),
    "seat_is_bot": in_room(0, "seats/3/invite", kinds="hhhb"),
    "seat_not_claimed": in_room(0, "host", {"seat": 3}),
    "seat_taken": in_room(0, "seats/1/invite"),
    "too_many": one_key_too_many,
    "until_out_of_range": lambda s: invite(s, expires_at=1),
    "watch_closed": closed_to_watchers,
    "not_your_seat": other_game,
    "no_such_claim": lambda s: s.call("POST", "/v1/claims", {"claim": "cd_live_claim_x"}),
    "claim_used": claim_twice,
}
"""For each code, that of no rule, the request that gets it."""


def break_rule(service, code):
    """Try an act in a position in which it breaks just this rule, in a game begun over HTTP.

    The position is put in the place of the one that was dealt: a refused act leaves no record.
    """
    position, act, _, _ = CAUSES[code.upper()]()
    _, players = service.started("hhhh")
    player = players[0]
    clerk = service.dealer._clerk
    clerk._shelf.put(dataclasses.replace(clerk.game(player.game), position=position))
    return player.try_act(clerk.game(player.game).version, act)


PROVOKE: dict[str, Provoke] = OWN | {
    code: lambda service, code=code: break_rule(service, code) for code in ACT_RULES
}


def test_each_code_is_provoked_here_or_where_the_server_alone_refuses():
    assert set(PROVOKE) | BESIDE | set(UNREAD) == set(CODES)
    assert BESIDE.isdisjoint(PROVOKE)


def test_a_rule_that_is_never_the_first_broken_is_named_beside_another(service):
    answer = break_rule(service, "not_partner").json
    assert answer["code"] == "not_your_turn"
    assert "NOT_PARTNER" in answer["facts"]["broken"]
    position, act, _, _ = CAUSES["OPPONENT_MELD"]()
    told = [one.code for one in explain.judge_cards(position, 0, acts.parse(act))]
    assert told.index("OPPONENT_MELD") > 0


@pytest.mark.parametrize("code", PROVOKE)
def test_a_refusal_has_its_status_its_problem_and_its_page(service, code):
    known = CODES[code]
    answer = PROVOKE[code](service)
    assert (answer.status_code, answer.json["code"]) == (known.status, code), answer.text
    assert answer.content_type == "application/problem+json"
    body = answer.json
    assert set(body) == {
        "type", "title", "status", "code", "sentence", "facts", "retry", "request_id",
    }  # fmt: skip
    assert (body["status"], body["retry"]) == (known.status, known.retry)
    assert body["request_id"] == answer.headers["Request-Id"]
    assert body["sentence"].endswith(".")
    assert ("Retry-After" in answer.headers) == (known.status in (429, 503))
    assert ("WWW-Authenticate" in answer.headers) == (known.status == 401)
    assert ("Allow" in answer.headers) == (known.status == 405)
    page = service.call("GET", body["type"])
    assert page.status_code == 200
    assert f"<h1>{code}</h1>" in page.text
    text = unescape(page.text)
    assert known.sentence in text
    assert known.do in text
    assert f"<code>{known.retry}</code>: {RETRIES[known.retry]}" in text
    if code not in RULES:
        assert set(known.facts) == set(body["facts"]), body["facts"]


def test_the_list_of_codes_links_each_page(service):
    listed = service.call("GET", "/help").text
    assert all(f"<a href='/help/{code}'>{code}</a>" in listed for code in CODES)


def test_the_page_of_a_broken_rule_names_the_rule_and_its_other_codes(service):
    page = service.call("GET", "/help/frozen").text
    assert "R-46 in docs/rules.md" in page
    page = service.call("GET", "/help/top_wild").text
    assert "<a href='/help/top_black3'>top_black3</a>" in page


def test_a_page_says_where_its_code_comes_from(service):
    page = service.call("GET", "/help/claim_used").text
    assert "POST /v1/claims" in page
    assert "POST /v1/games" not in page
