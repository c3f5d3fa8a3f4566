"""Seals, epochs, overdue seeds, the beacon and players' signatures over HTTP (protocol 2.4-2.6)."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.table import OPERATOR, QUICKNET, play_out, time_of
from tests.verdicts import report

ROUND = 1000
NONCES = {0: "a" * 64, 1: "b" * 64}


def types(answer):
    return [event["type"] for event in answer["events"]]


def nonce(player, epoch=1):
    return f"{player.seat}{epoch}" * 32


def seal(player, epoch=1):
    return player.seal(nonce=nonce(player, epoch), epoch=epoch)


def share(player, epoch=1):
    return player.share(nonce=nonce(player, epoch), epoch=epoch)


def table(service, kinds="hhbb", **more):
    created = service.create(kinds, **more)
    return created["id"], [service.seat(created, at) for at in range(kinds.count("h"))]


def overdue(service, game, expect):
    return service.call("POST", f"/v1/games/{game}/overdue", {"expect": expect}, OPERATOR)


def version(service, player):
    return player.get("view")["version"]


def close(service, game):
    answer = service.call("POST", f"/v1/games/{game}/close", {"reason": "rain"}, OPERATOR)
    assert answer.status_code == 200
    return answer.json


# ---------------------------------------------------------------------------------- sealed


def test_in_a_sealed_game_all_seal_before_any_opens_and_the_game_verifies(service):
    game, (one, other) = table(service, profile="sealed", hands=1)
    assert types(seal(one)) == ["seal"]
    assert one.get("view")["seals"] == [True, False, False, False]
    assert types(seal(other)) == ["seal", "sealed"]
    assert other.get("view")["phase"] == "sharing"
    assert types(share(other)) == ["share"]
    assert types(share(one))[:3] == ["share", "lock", "deal"]
    play_out([one, other])
    found = report(service, game)
    assert (found.verdict, found.errors) == ("VALID", ())
    assert {warning.code for warning in found.warnings} == {"W_COMMIT_TIME_UNPROVEN"}


def test_a_repeated_seal_or_share_gets_the_same_records_and_receipts_at_any_later_time(service):
    _, (one, other) = table(service, profile="sealed")
    steps = [(seal, one), (seal, other), (share, one), (share, other)]
    given = []
    for step, player in steps:
        given.append(answer := step(player))
        assert step(player) == answer
    for (step, player), before in zip(steps, given, strict=True):
        again = step(player)
        count = len(before["events"])
        assert [public(event) for event in again["events"][:count]] == [
            public(event) for event in before["events"]
        ]
        assert again["receipts"][:count] == before["receipts"]
        assert set(again["receipts"]) >= set(before["receipts"])


def public(event):
    return {name: value for name, value in event.items() if name != "private"}


def test_a_seal_in_an_open_game_and_half_a_seed_are_refused(service):
    _, (one, _) = table(service)
    assert one.try_seal("1" * 64).json["code"] == "bad_field"
    path, base = f"{one.path}/seats/{one.seat}/seed", one.seed_body()
    for body in (
        {**base, "seal": "1" * 64},
        {name: value for name, value in base.items() if name != "nonce"},
        {**base, "pk": "1" * 64},
        {"epoch": 1, "open_hash": base["open_hash"]},
    ):
        answer = service.call("PUT", path, body, one.token)
        assert (answer.status_code, answer.json["code"]) == (422, "bad_field"), body


@pytest.mark.parametrize("profile", ["open", "sealed"])
def test_many_equal_requests_at_once_make_one_record_each(service, profile):
    _, players = table(service, "hhhh", profile=profile)
    service.call("GET", "/healthz")

    def send(task):
        player, seal = task
        client = service.app.test_client()
        body = player.seed_body(nonce=nonce(player))
        if seal:
            line = player.line(nonce=nonce(player))
            body = {**body, "seal": hashed(line)}
            del body["nonce"], body["seed_sha256"]
        answer = client.put(
            f"{player.path}/seats/{player.seat}/seed",
            json=body,
            headers={"Authorization": f"Bearer {player.token}"},
        )
        return player.seat, answer.status_code, answer.json["events"][0]["n"]

    for seal in [True, False] if profile == "sealed" else [False]:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(send, [(player, seal) for player in players * 4]))
        assert {status for _, status, _ in answers} == {200}
        assert len({(seat, n) for seat, _, n in answers}) == 4
    made = [event["type"] for event in players[0].get("events")["events"]]
    assert made.count("share") == 4
    assert (made.count("sealed"), made.count("lock"), made.count("deal")) == (
        int(profile == "sealed"), 1, 1,
    )  # fmt: skip


def hashed(line):
    return hashlib.sha256(line).hexdigest()


# ---------------------------------------------------------------------------------- epochs


@pytest.mark.parametrize("profile", ["open", "sealed"])
def test_after_each_epoch_every_seat_contributes_anew(service, profile):
    game, players = table(service, "hbbb", profile=profile, epoch_hands=1, hands=3)
    (player,) = players
    for epoch in (1, 2, 3):
        if profile == "sealed":
            seal(player, epoch)
        made = types(share(player, epoch))
        assert made[:3] == ["share", "lock", "deal"]
        refused = service.call(
            "PUT", f"{player.path}/seats/{player.seat}/seed",
            player.seed_body(nonce=nonce(player, epoch + 1), epoch=epoch + 1), player.token,
        )  # fmt: skip
        assert refused.json["code"] == "seeds_locked"
        play_out(players)
    assert service.call("GET", player.path).json["state"] == "closed"
    assert report(service, game).verdict == "VALID"


def test_bots_among_themselves_go_from_epoch_to_epoch(service):
    created = service.create("bbbb", profile="sealed", epoch_hands=1, hands=4)
    while service.dealer.advance(created["id"]):
        pass
    found = report(service, created["id"])
    assert found.verdict == "VALID"
    told = service.call("GET", f"/v1/games/{created['id']}/transcript").data.splitlines()
    made = [json.loads(line)["type"] for line in told]
    assert (made.count("sealed"), made.count("lock"), made.count("deal")) == (4, 4, 4)


def test_short_epochs_of_bots_follow_each_other_within_one_answer(service):
    rules = {"preset": "classic@1", "overrides": {"hand_size": 25}}
    created = service.create("bbbb", rules=rules, epoch_hands=1, hands=8)
    made = [json.loads(line)["type"] for line in service.store.lines(created["id"])]
    assert made.count("lock") >= 2
    assert service.store.commits <= 2


# --------------------------------------------------------------------------------- overdue


def test_a_missing_seed_makes_the_epoch_void_and_a_second_one_ends_the_game(service):
    game, (one, other) = table(service)
    given = share(one)
    first = overdue(service, game, given["version"]).json
    assert types(first) == ["void"]
    assert first["events"][0]["body"]["seats"] == [other.seat]
    assert overdue(service, game, given["version"]).json == first
    assert share(one)["events"][0] == given["events"][0]
    assert overdue(service, game, first["version"]).json["code"] == "no_seeds_awaited"
    share(other, epoch=2)
    last = overdue(service, game, version(service, one)).json
    assert types(last) == ["void", "close", "master"]
    found = report(service, game)
    assert found.verdict == "VALID"
    assert [w.code for w in found.warnings].count("W_EPOCH_VOIDED") == 2
    refused = service.call(
        "PUT", f"{one.path}/seats/0/seed", one.seed_body(epoch=3), one.token
    )  # fmt: skip
    assert refused.json["code"] == "game_over"


def test_after_one_void_epoch_the_game_is_played(service):
    game, (one, other) = table(service, profile="sealed", hands=1)
    given = seal(one)
    overdue(service, game, given["version"])
    for step in (seal, share):
        for player in (one, other):
            step(player, epoch=2)
    play_out([one, other])
    assert report(service, game).verdict == "VALID"


def test_a_seed_that_comes_between_stops_the_operator_who_did_not_see_it(service):
    game, (one, _, _) = table(service, "hhhb")
    given = share(one)
    answer = overdue(service, game, given["version"] - 1)
    assert (answer.status_code, answer.json["code"]) == (409, "stale_version")
    assert overdue(service, game, given["version"] + 5).json["code"] == "stale_version"


def test_only_an_operator_gives_seeds_up(service):
    game, (one, _) = table(service)
    share(one)
    answer = service.call("POST", f"/v1/games/{game}/overdue", {"expect": 1}, one.token)
    assert answer.json["code"] == "wrong_role"


# ---------------------------------------------------------------------------------- beacon


BEACON = {"chain": QUICKNET, "delay_ms": 6000}


def at_round(service, number, delay_ms=6000):
    """Set the clock so that a lock made now waits for this round."""
    service.clock.set(time_of(number) - delay_ms - 1500)


def after_round(service, number):
    service.clock.set(time_of(number))


def test_a_hand_waits_for_its_round_and_is_dealt_from_it(service):
    at_round(service, ROUND)
    game, (one, other) = table(service, profile="sealed", beacon=BEACON, hands=1)
    for step in (seal, share):
        for player in (one, other):
            answer = step(player)
    assert types(answer) == ["share", "lock"]
    assert answer["events"][-1]["body"]["round"] == ROUND
    assert one.get("view")["state"] == "seeding"
    assert service.dealer.advance(game) is False
    assert one.get("view")["phase"] == "locked"
    assert one.get("view")["hand"] == 0
    assert service.dealer.awaits_round(game)
    after_round(service, ROUND)
    service.dealer.advance(game)
    assert not service.dealer.awaits_round(game)
    play_out([one, other])
    found = report(service, game)
    assert (found.verdict, found.errors) == ("VALID", ())


def test_a_round_that_the_source_does_not_have_yet_is_waited_for(service):
    at_round(service, ROUND + 1)
    game, (one,) = table(service, "hbbb", beacon=BEACON, hands=1)
    share(one)
    after_round(service, ROUND + 1)
    assert service.dealer.advance(game) is False
    assert service.dealer.awaits_round(game)
    close(service, game)
    assert not service.dealer.awaits_round(game)
    assert report(service, game).verdict == "VALID"


def test_under_drop_the_seeds_lock_without_the_missing_one(service):
    at_round(service, ROUND)
    game, (one, other) = table(service, beacon=BEACON, missing_share="drop", hands=1)
    given = share(one)
    dropped = overdue(service, game, given["version"]).json
    assert types(dropped) == ["lock"]
    assert dropped["events"][0]["body"]["shares"][other.seat] is None
    assert overdue(service, game, given["version"]).json == dropped
    after_round(service, ROUND)
    service.dealer.advance(game)
    play_out([one, other])
    found = report(service, game)
    assert found.verdict == "VALID"
    assert "W_SHARE_DROPPED" in {warning.code for warning in found.warnings}


def test_without_a_beacon_nothing_can_be_dropped(service):
    seats = [{"kind": "human"}] * 4
    answer = service.call(
        "POST", "/v1/games", {"seats": seats, "missing_share": "drop"}, OPERATOR
    )  # fmt: skip
    assert (answer.status_code, answer.json["code"]) == (422, "bad_field")


# ------------------------------------------------------------------------------ signatures


def test_a_player_may_sign_their_own_line_and_everybody_can_read_it(service):
    game, (one, other) = table(service)
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    pk = key.public_key().public_bytes_raw().hex()
    signature = key.sign(one.line(nonce=nonce(one))).hex()
    body = {**one.seed_body(nonce=nonce(one)), "pk": pk, "signature": signature}
    path = f"{one.path}/seats/{one.seat}/seed"
    first = service.call("PUT", path, body, one.token)
    assert first.status_code == 200, first.text
    told = service.call("GET", f"/v1/games/{game}/seed-signatures").json
    assert service.call("PUT", path, body, one.token).json == first.json
    share(other)
    assert service.call("GET", f"/v1/games/{game}/seed-signatures").json == told
    assert told == {
        "game": game,
        "signatures": [{"epoch": 1, "seat": one.seat, "pk": pk, "signature": signature}],
    }
    another = Ed25519PrivateKey.from_private_bytes(bytes(32))
    body["pk"] = another.public_key().public_bytes_raw().hex()
    body["signature"] = another.sign(one.line(nonce=nonce(one))).hex()
    assert service.call("PUT", path, body, one.token).json["code"] == "seed_given"


def test_a_signature_is_not_told_before_the_seed_that_it_signs_is(service):
    """A second seed tells that the first hand is over, which is told with a delay here."""
    _, (one,) = service.started(epoch_hands=1, hands=2, watch={"delay_s": 600})
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    while (chosen := one.choose()) is not None:
        one.act(*chosen)
    body = {
        **one.seed_body(epoch=2),
        "pk": key.public_key().public_bytes_raw().hex(),
        "signature": key.sign(one.line(epoch=2)).hex(),
    }
    assert service.call("PUT", f"{one.path}/seats/0/seed", body, one.token).status_code == 200
    told = service.call("GET", f"{one.path}/seed-signatures").json
    assert told["signatures"] == []
    service.call("POST", f"{one.path}/close", {"reason": "rain"}, OPERATOR)
    told = service.call("GET", f"{one.path}/seed-signatures").json
    assert [signature["epoch"] for signature in told["signatures"]] == [2]


def test_a_signature_may_come_with_a_repeat_and_a_false_one_is_refused(service):
    game, (one, _) = table(service)
    share(one)
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    body = {
        **one.seed_body(nonce=nonce(one)),
        "pk": key.public_key().public_bytes_raw().hex(),
        "signature": key.sign(one.line(nonce=nonce(one))[:-1]).hex(),
    }
    path = f"{one.path}/seats/{one.seat}/seed"
    assert service.call("PUT", path, body, one.token).json["code"] == "signature_wrong"
    body["signature"] = key.sign(one.line(nonce=nonce(one))).hex()
    assert service.call("PUT", path, body, one.token).status_code == 200
    told = service.call("GET", f"/v1/games/{game}/seed-signatures").json
    assert len(told["signatures"]) == 1
    missing = service.call("GET", "/v1/games/gaaaaaaaa/seed-signatures")
    assert missing.json["code"] == "no_such_game"
