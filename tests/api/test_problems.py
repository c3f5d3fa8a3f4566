"""Every refusal: its status, its code, its page, and that every code is reached."""

import ast
import hashlib
import json
import queue
import sqlite3
from pathlib import Path

import pytest

from api.codes import CODES, sentence_of
from api.problems import FRAMEWORK, STATUS
from fairdeal import errors
from fairdeal.errors import FairdealError
from fairdeal.service import RULE_SENTENCES
from fairdeal.service.dealer import Dealer
from fairdeal.store import sqlite
from fairdeal.store.vault import Vault
from tests.table import OPERATOR, QUICKNET

ROOT = Path(__file__).resolve().parents[2]
SEATS = [{"kind": "human"}] + [{"kind": "bot"}] * 3


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


def put_seed(player, **changes):
    body = {**player.seed_body(), **changes}
    return player.service.call("PUT", f"{player.path}/seats/{player.seat}/seed", body, player.token)


def other_seed(service):
    player = service.seat(service.create("hhbb"))
    player.share()
    return put_seed(player, nonce="1" * 64)


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


def failing(service, exchange):
    """Let the next commit fail."""
    game = service.create()["id"]
    exchange(service)
    return close(service, game=game)


def no_disk(service):
    def fail(_):
        raise sqlite3.OperationalError("disk I/O error")

    service.store._commit = fail


def slow_disk(service):
    service.store._queue = queue.SimpleQueue()  # Nobody reads from this one.


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

    service.dealer.public = fail
    return service.call("GET", "/v1/games/gaaaaaaaa")


DEALT = {"name": "one each", "deck": ["AS", "KS", "QS", "JS"], "steps": [
    {"op": "deal", "count": 1, "packet": 1}]}  # fmt: skip


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


def deal_twice(service):
    return deal(service, *dealt(service))


def deal_unseeded(service):
    return deal(service, *dealt_only(service))


def deal_beyond(service):
    path, players = dealt(service)
    assert service.call(
        "POST", f"{path}/hands/1/score", {"result": {}}, OPERATOR
    ).status_code == 200  # fmt: skip
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


def share_too_soon(service):
    return put_seed(sealing(service)[0])


def share_another(service):
    (player,) = sealing(service, "hbbb")
    player.seal()
    return put_seed(player, nonce="1" * 64)


def beacon(chain=QUICKNET, delay_ms=6000):
    return {"seats": SEATS, "beacon": {"chain": chain, "delay_ms": delay_ms}}


def drawn_seating(service):
    seating = {"game": service.create()["id"], "master_record": "0" * 64}
    return create(service, {"seats": SEATS, "rules": {"seating": seating}})


def raw(service, data, content_type="application/json"):
    return service.call("POST", "/v1/claims", data=data, content_type=content_type)


# status, code, the request that gets it
REFUSALS = [
    (400, "malformed", lambda s: raw(s, b"{")),
    (400, "unknown_field", lambda s: create(s, {"seats": SEATS, "colour": "red"})),
    (400, "bad_act", lambda s: own_act(s, "draw two")),
    (400, "bad_idempotency_key", lambda s: create(
        s, {"seats": SEATS}, **{"Idempotency-Key": "no spaces"})),
    (400, "bad_field", lambda s: put_seed(unseeded(s), epoch=2)),
    (401, "no_key", lambda s: s.call("POST", "/v1/games", {"seats": SEATS})),
    (401, "bad_key", lambda s: s.call("GET", "/healthz", token="cd_live_op_guess")),
    (403, "wrong_role", lambda s: close(s, token=seat(s).token)),
    (403, "not_your_seat", lambda s: s.call(
        "GET", f"/v1/games/{s.create()['id']}/view", token=seat(s).token)),
    (404, "no_such_page", lambda s: s.call("GET", "/v2/games")),
    (404, "no_such_game", lambda s: s.call("GET", "/v1/games/gaaaaaaaa")),
    (404, "no_such_claim", lambda s: s.call("POST", "/v1/claims", {"claim": "cd_live_claim_x"})),
    (404, "no_such_code", lambda s: s.call("GET", "/help/no_such_thing")),
    (405, "wrong_method", lambda s: s.call("DELETE", "/v1/games")),
    (409, "stale_version", lambda s: own_act(s, "draw", ahead=-1)),
    (409, "game_over", closed_twice),
    (409, "no_hand", lambda s: unseeded(s).try_act(0, "draw")),
    (409, "open_hash_differs", lambda s: put_seed(unseeded(s), open_hash="f" * 64)),
    (409, "seed_given", other_seed),
    (409, "hand_in_play", deal_twice),
    (409, "seeds_awaited", deal_unseeded),
    (409, "hands_used_up", deal_beyond),
    (409, "stock_used_up", draw_beyond),
    (409, "refereed", deal_refereed),
    (409, "no_seeds_awaited", overdue),
    (409, "seed_repeated", seal_copied),
    (409, "sealing_open", share_too_soon),
    (409, "seal_differs", share_another),
    (422, "no_such_chain", lambda s: create(s, beacon(chain="0" * 64))),
    (422, "beacon_delay", lambda s: create(s, beacon(delay_ms=5999))),
    (422, "record_too_large", large_score),
    (422, "seating_differs", drawn_seating),
    (422, "signature_wrong", lambda s: put_seed(unseeded(s), pk="0" * 64, signature="0" * 128)),
    (422, "idempotency_mismatch", lambda s: twice(
        s, {"seats": SEATS}, {"seats": SEATS, "hands": 3}, **{"Idempotency-Key": "once"})),
    (410, "claim_used", claim_twice),
    (413, "too_large", lambda s: raw(s, b" " * 70_000)),
    (415, "not_json", lambda s: raw(s, b"{}", "text/plain")),
    (422, "no_such_preset", lambda s: create(s, {"seats": SEATS, "rules": {"preset": "rummy@1"}})),
    (422, "ruleset_field", lambda s: create(
        s, {"seats": SEATS, "rules": {"overrides": {"decks": "two"}}})),
    (422, "rules_conflict", lambda s: create(
        s, {"seats": SEATS, "rules": {"overrides": {"target": None}}})),
    (422, "rules_incomplete", lambda s: create(
        s, {"seats": SEATS, "rules": {"preset": "six-player@1"}})),
    (422, "no_such_bot", lambda s: create(
        s, {"seats": [*SEATS[:3], {"kind": "bot", "bot": "sharp@9"}]})),
    (422, "wrong_seats", lambda s: create(s, {"seats": SEATS[:2]})),
    (422, "reveal_by_out_of_range", lambda s: create(s, {"seats": SEATS, "reveal_by": 1})),
    (422, "wrong_phase", lambda s: own_act(s, "discard 4C")),
    (500, "broken", accident),
    (503, "store_failed", lambda s: failing(s, no_disk)),
    (503, "store_slow", lambda s: failing(s, slow_disk)),
    (503, "store_closed", lambda s: failing(s, lambda s: s.store.close())),
    (503, "records_damaged", damaged),
    (503, "vault_shut", other_vault),
]  # fmt: skip

#: Codes that something in front of them makes unreachable over HTTP today, and what that is.
SHADOWED = {
    "hands_out_of_range": "the schema bounds it",
    "no_such_seat": "a seat's token names a human seat of this game",
    "seeds_locked": "the seeds lock with the last seat's, so each seat has given one by then",
    "sealing_closed": "sealing ends with the last seat's seal, so each seat has given one by then",
    "no_beacon_awaited": "rounds are recorded by the service itself, never by request",
}


@pytest.mark.parametrize(
    ("status", "code", "request_it"), REFUSALS, ids=[code for _, code, _ in REFUSALS]
)
def test_a_refusal_has_its_status_its_code_and_its_page(
    service, status, code, request_it, monkeypatch
):
    if code == "store_slow":
        monkeypatch.setattr(sqlite, "PATIENCE_S", 0.1)
    kept = service.store._queue
    answer = request_it(service)
    service.store._queue = kept
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.text
    assert answer.content_type == "application/problem+json"
    body = answer.json
    assert set(body) == {
        "type", "title", "status", "code", "sentence", "facts", "retry", "request_id",
    }  # fmt: skip
    assert body["status"] == status
    assert body["request_id"] == answer.headers["Request-Id"]
    assert body["sentence"].endswith(".")
    page = service.call("GET", body["type"])
    assert page.status_code == 200
    assert f"<h1>{code}</h1>" in page.text


def test_every_code_is_reached_or_shadowed():
    reached = {code for _, code, _ in REFUSALS}
    assert reached.isdisjoint(SHADOWED)
    assert reached | set(SHADOWED) == set(CODES) | {"wrong_phase"}


def test_the_table_of_statuses_is_total():
    """Each class of error stands for itself: nothing is answered by inheritance."""

    def below(root):
        return {root}.union(*(below(child) for child in root.__subclasses__()))

    ours = {error for error in below(FairdealError) if error.__module__ == errors.__name__}
    assert set(STATUS) == ours - {FairdealError}


def raised_codes(folder):
    """Find the codes in the code: constant first arguments of our errors."""
    names = {error.__name__ for error in STATUS}
    found = set()
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(node.args[0].value)
    return found


#: Raised at the start, before anybody can ask, or by what HTTP does not offer (positions as text);
#: or caught and answered under another code.
NEVER_ANSWERED = {
    "answer_kept", "store_unavailable", "store_foreign", "store_too_new", "key_file", "in_use",
    "other_origin", "other_key", "key_taken", "empty", "unsupported_game", "bad_position",
}  # fmt: skip


@pytest.mark.parametrize("folder", ["api", "fairdeal/service", "fairdeal/game", "fairdeal/store",
                                    "fairdeal/canasta"])  # fmt: skip
def test_every_code_in_the_code_has_a_page(folder):
    codes = raised_codes(folder)
    assert codes
    assert {code for code in codes - NEVER_ANSWERED if sentence_of(code) is None} == set()


def test_every_code_of_the_framework_has_a_page():
    assert {code for code, _ in FRAMEWORK.values()} <= set(CODES)


def test_the_codes_of_rules_have_pages_with_their_rule(service):
    assert len(RULE_SENTENCES) > 30
    for code in RULE_SENTENCES:
        page = service.call("GET", f"/help/{code}")
        assert page.status_code == 200
        assert "R-" in page.text


def test_an_accident_shows_nothing_of_what_it_said(service, caplog):
    answer = accident(service)
    assert answer.status_code == 500
    assert "nobody may see" not in answer.text
    assert "nobody may see" not in caplog.text
    assert "RuntimeError" in caplog.text
    assert answer.json["request_id"] in caplog.text


def test_a_broken_rule_names_every_rule_that_is_broken(service):
    facts = own_act(service, "discard 4C").json["facts"]
    assert facts["broken"][0] == "WRONG_PHASE"
    assert facts["rule"].startswith("R-")


def test_a_stale_act_is_told_the_newest_version(service):
    player = seat(service)
    version = player.get("view")["version"]
    answer = player.try_act(version - 1, "draw")
    assert answer.json["facts"] == {"expected": version - 1, "version": version}
    assert answer.json["retry"] == "after_change"


@pytest.mark.parametrize(
    "body", [{"seats": SEATS[:2]}, {"seats": SEATS, "rules": {"preset": "nope@1"}}]
)
def test_a_request_that_may_be_mended_is_not_refused_for_good(service, body):
    answer = create(service, body)
    assert (answer.status_code, answer.json["retry"]) == (422, "after_change")


def test_who_is_not_known_is_asked_for_a_token(service):
    answer = service.call("POST", "/v1/games", {"seats": SEATS})
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_wrong_method_is_told_the_right_one(service):
    assert "POST" in service.call("DELETE", "/v1/games").headers["Allow"]


def test_a_failing_store_says_when_to_come_back(service):
    assert failing(service, no_disk).headers["Retry-After"] == "1"


def test_problems_are_one_line_of_json(service):
    text = service.call("GET", "/v2").text
    assert json.loads(text)["code"] == "no_such_page"
    assert "\n" not in text


def test_the_dealer_has_no_way_to_be_asked_for_a_secret():
    """No public name of the front door speaks of secrets."""
    public = [name for name in dir(Dealer) if not name.startswith("_")]
    assert not [name for name in public if "secret" in name or "master" in name]


def test_the_log_says_what_lies_behind_a_failure_of_the_store(service, caplog):
    no_disk(service)
    answer = service.call("POST", "/v1/games", {"seats": SEATS}, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (503, "store_failed")
    assert f"{answer.json['request_id']}: store_failed (OperationalError)" in caplog.text
