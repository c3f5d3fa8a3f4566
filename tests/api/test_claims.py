"""Seats: claimed with a link, given out anew, taken back; and what the others see of it."""

import re

import pytest

from fairdeal.service.callers import digest
from fairdeal.store.ports import Exchange, Write
from tests.table import OPERATOR, START_MS, Service

DAY_MS = 24 * 3600 * 1000


def claim(service, secret, key=None):
    body = {"claim": secret} if key is None else {"claim": secret, "key": key}
    return service.call("POST", "/v1/claims", body)


def seats(service, game, what, seat=0, **wanted):
    path = f"/v1/games/{game}/seats/{seat}/{what}"
    return service.call("POST", path, None if what == "release" else wanted, OPERATOR)


def code(answer):
    return answer.status_code, answer.json.get("code")


def told(service, game, seat=0):
    said = service.call("GET", f"/v1/games/{game}").json["seats"][seat]
    return said["claimed"], said["reissued"]


def view(service, game, token):
    return code(service.call("GET", f"/v1/games/{game}/view", token=token))


# --------------------------------------------------------------------------------- the link


def test_a_link_has_its_secret_in_the_fragment_alone(service):
    (made,) = service.create()["claims"]
    path, mark, secret = made["url"].partition("#")
    assert (path, mark, secret) == ("/claim", "#", made["claim"])
    assert made["claim"].startswith("cd_live_claim_")


def test_a_link_begins_with_the_public_address_of_the_service(folder):
    service = Service(folder, public_url="https://cards.example/deal")
    (made,) = service.create()["claims"]
    assert made["url"] == f"https://cards.example/deal/claim#{made['claim']}"
    service.close()


def test_a_preview_that_fetches_the_link_claims_nothing(service):
    created = service.create()
    for method in ("GET", "HEAD", "OPTIONS"):
        service.call(method, "/claim")
        service.call(method, "/v1/claims")
    assert told(service, created["id"]) == (False, 0)
    service.seat(created)
    assert told(service, created["id"]) == (True, 0)


# ---------------------------------------------------------------------------------- the end


def test_a_claim_ends_with_the_game_s_last_date(service):
    created = service.create()
    ends = created["claims"][0]["expires_at"]
    assert ends == service.call("GET", f"/v1/games/{created['id']}").json["reveal_by"]


def test_a_claim_ends_when_its_game_s_creator_said(service):
    until = START_MS + 3600_000
    created = service.create(claims_until=until)
    assert created["claims"][0]["expires_at"] == until
    service.clock.set(until - 10)
    service.seat(created)
    again = service.create(claims_until=until + DAY_MS)
    service.clock.set(until + DAY_MS)
    answer = claim(service, again["claims"][0]["claim"])
    assert code(answer) == (410, "claim_expired")
    assert answer.json["facts"] == {"until": until + DAY_MS}
    assert told(service, again["id"]) == (False, 0)


@pytest.mark.parametrize("until", [1, START_MS - 1, START_MS + 366 * DAY_MS])
def test_an_end_lies_in_the_future_within_a_year(service, until):
    body = {"seats": [{"kind": "human"}] * 4, "claims_until": until}
    assert code(service.call("POST", "/v1/games", body, OPERATOR)) == (422, "until_out_of_range")
    game = service.create()["id"]
    assert code(seats(service, game, "invite", expires_at=until)) == (422, "until_out_of_range")
    assert code(seats(service, game, "reissue", expires_at=until)) == (422, "until_out_of_range")


def test_a_lost_answer_is_given_again_after_the_end_too(service):
    until = START_MS + 3600_000
    (made,) = service.create(claims_until=until)["claims"]
    first = claim(service, made["claim"], key="k" * 20)
    service.clock.set(until + 1)
    again = claim(service, made["claim"], key="k" * 20)
    assert again.json["token"] == first.json["token"]
    assert code(claim(service, made["claim"], key="x" * 20)) == (410, "claim_used")


def test_an_invitation_after_the_last_date_lasts_a_day(service):
    created = service.create("bhbb")
    late = service.call("GET", f"/v1/games/{created['id']}").json["reveal_by"] + 1000
    service.clock.set(late)
    made = seats(service, created["id"], "invite", seat=1).json
    assert DAY_MS <= made["expires_at"] - late < DAY_MS + 1000


# ---------------------------------------------------------------------------- invite, reissue


def test_an_invitation_replaces_the_one_before(service):
    created = service.create()
    made = seats(service, created["id"], "invite")
    assert made.status_code == 201
    assert set(made.json) == {"seat", "claim", "url", "expires_at"}
    assert code(claim(service, created["claims"][0]["claim"])) == (410, "token_replaced")
    assert claim(service, made.json["claim"]).status_code == 200
    assert told(service, created["id"]) == (True, 0)


def test_nobody_is_invited_to_a_seat_that_is_held(service):
    created = service.create()
    player = service.seat(created)
    assert code(seats(service, created["id"], "invite")) == (409, "seat_taken")
    assert view(service, created["id"], player.token) == (200, None)


@pytest.mark.parametrize(("kinds", "seat"), [("hbbb", 1), ("hbbb", 4), ("hbbb", 15)])
@pytest.mark.parametrize("what", ["invite", "reissue", "release"])
def test_there_is_no_claim_for_a_bot_s_seat_or_for_none(service, what, kinds, seat):
    game = service.create(kinds)["id"]
    assert code(seats(service, game, what, seat=seat)) == (404, "no_such_seat")


def test_a_bot_s_seat_of_a_dealt_only_game_is_the_site_s_to_give(service):
    rules = {"dealt": {"name": "one each", "deck": ["AS", "KS"],
                       "steps": [{"op": "deal", "count": 1, "packet": 1}]}}  # fmt: skip
    game = service.create("hb", rules=rules, hands=1, first_seat=0)["id"]
    assert seats(service, game, "reissue", seat=1).status_code == 201


def test_a_seat_that_is_given_out_anew_is_the_new_player_s_alone(service):
    created, (player, _) = service.started("hhbb")
    game = created["id"]
    seen = player.get("view")["table"]
    made = seats(service, game, "reissue").json
    assert view(service, game, player.token) == (410, "token_replaced")
    assert code(claim(service, created["claims"][0]["claim"])) == (410, "token_replaced")
    assert told(service, game) == (False, 1)
    token = claim(service, made["claim"]).json["token"]
    assert service.call("GET", f"{player.path}/view", token=token).json["table"] == seen
    assert told(service, game) == (True, 1)
    assert told(service, game, seat=1) == (True, 0)


def test_the_same_key_of_the_claimer_does_not_bring_a_replaced_seat_back(service):
    created = service.create()
    secret = created["claims"][0]["claim"]
    token = claim(service, secret, key="k" * 20).json["token"]
    seats(service, created["id"], "reissue")
    assert code(claim(service, secret, key="k" * 20)) == (410, "token_replaced")
    assert view(service, created["id"], token) == (410, "token_replaced")


@pytest.mark.parametrize(
    ("what", "refusal"), [("reissue", (410, "token_replaced")), ("release", (401, "bad_key"))]
)
def test_a_token_that_is_claimed_while_the_seat_is_taken_away_dies(service, what, refusal):
    """Whoever exchanges the old claim between the look and the write holds nothing."""
    created = service.create()
    secret, stray = created["claims"][0]["claim"], "cd_live_seat_" + "s" * 43
    write, claims = service.store.write, service.dealer.claims
    exchange = Exchange(claim=digest(secret), token=digest(stray), made=START_MS)

    def slip_in(wanted):
        service.store.write = write
        write(Write(exchange=exchange))
        write(wanted)

    service.store.write = slip_in
    getattr(claims, what)(service.dealer.identify(OPERATOR), created["id"], 0)
    assert view(service, created["id"], stray) == refusal
    assert told(service, created["id"]) == (False, 1)


def test_a_seat_that_is_given_out_anew_and_claimed_at_once_stays_claimed(service):
    """The clean-up behind a reissue leaves the token alone that its own claim was changed for."""
    created = service.create()
    write, claims = service.store.write, service.dealer.claims
    token = "cd_live_seat_" + "n" * 43

    def claimed_at_once(wanted):
        service.store.write = write
        write(wanted)
        exchange = Exchange(claim=wanted.grants[0].digest, token=digest(token), made=START_MS)
        write(Write(exchange=exchange))

    service.store.write = claimed_at_once
    claims.reissue(service.dealer.identify(OPERATOR), created["id"], 0)
    assert view(service, created["id"], token) == (200, None)


# ------------------------------------------------------------------------------------ release


def test_a_seat_that_is_taken_back_waits_for_an_invitation(service):
    created = service.create()
    game, player = created["id"], service.seat(created)
    answer = seats(service, game, "release")
    assert answer.json == {"game": game, "seat": 0, "claimed": False}
    assert view(service, game, player.token) == (401, "bad_key")
    assert code(claim(service, created["claims"][0]["claim"])) == (404, "no_such_claim")
    assert told(service, game) == (False, 1)
    made = seats(service, game, "invite").json
    again = claim(service, made["claim"]).json
    assert again["commitment"] == created["commitment"]
    assert view(service, game, again["token"]) == (200, None)
    assert told(service, game) == (True, 1)


def test_a_seat_is_taken_back_as_often_as_one_likes(service):
    game = service.create()["id"]
    first, second = (seats(service, game, "release") for _ in range(2))
    assert first.json == second.json
    assert told(service, game) == (False, 0)


# ---------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "place", ["path", "query", "query that is escaped", "path that is escaped"]
)
def test_a_token_in_an_address_is_refused_and_written_nowhere(service, caplog, place):
    token = service.seat(service.create()).token
    spelt = {
        "path": f"/v1/games/{token}/view",
        "query": f"/v1/games?token={token}",
        "query that is escaped": "/v1/games?t=" + token.replace("_", "%5F"),
        "path that is escaped": "/x/" + token.replace("_", "%5f"),
    }[place]
    caplog.clear()
    answer = service.call("GET", spelt, token=OPERATOR)
    assert code(answer) == (400, "token_in_address")
    assert token.split("_")[-1] not in caplog.text + answer.text


def test_what_merely_resembles_a_token_is_no_token(service):
    for path in ("/v1/games/cd_live", "/v1/games/cd_liver_pate_x", "/help/cd_test"):
        assert service.call("GET", path).status_code == 404, path


def test_no_answer_but_the_first_holds_a_token(service):
    """Whoever reads later answers finds no way to a seat in them."""
    created, (player,) = service.started()
    game = created["id"]
    texts = [service.call("GET", f"/v1/games/{game}").text]
    texts += [
        service.call("GET", f"/v1/games/{game}/{what}", token=player.token).text
        for what in ("view", "events", "my-record", "transcript")
    ]
    texts += [service.call("GET", path, token=OPERATOR).text for path in ("/v1/games", "/v1/keys")]
    texts.append(seats(service, game, "release").text)
    assert not re.findall(r"cd_(?:live|test)_[a-z]+_", "".join(texts))
