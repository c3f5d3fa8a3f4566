"""Whole games over HTTP: what is answered, what a repeat gets, who sees what when."""

import hashlib
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairdeal.records.canonical import encode
from fairdeal.records.chain import read
from fairdeal.records.notes import open_note, receipt_text
from fairdeal.records.tablecode import table_code
from tests.table import OPERATOR, ORIGIN, play_out


def line_of(event):
    """Return the line of the record that an event shows."""
    return encode({key: value for key, value in event.items() if key != "private"}) + b"\n"


def check_receipt(service, note, event):
    """A receipt covers exactly this record."""
    digest = hashlib.sha256(line_of(event)).hexdigest()
    text = open_note(note, [service.key.verifying_key])
    assert text == receipt_text(ORIGIN, event["game"], event["n"], digest)


def transcript(service, game):
    return service.call("GET", f"/v1/games/{game}/transcript").data


def events(service, game, token=None, **query):
    path = f"/v1/games/{game}/events"
    if query:
        path += "?" + "&".join(f"{name}={value}" for name, value in query.items())
    return service.call("GET", path, token=token)


# -------------------------------------------------------------------------------- creating


def test_a_new_game_answers_with_commitment_table_code_receipt_and_claims(service):
    created = service.create("hbhb")
    assert re.fullmatch("g[a-z2-7]{16}", created["id"])
    assert created["version"] == 0
    (opened,) = events(service, created["id"]).json["events"]
    assert created["commitment"]["open_hash"] == hashlib.sha256(line_of(opened)).hexdigest()
    assert created["commitment"]["master_commit"] == opened["body"]["master_commit"]
    assert created["table_code"] == table_code(created["commitment"]["open_hash"])
    check_receipt(service, created["receipts"][0], opened)
    assert [claim["seat"] for claim in created["claims"]] == [0, 2]
    assert opened["body"]["origin"] == ORIGIN


def test_two_games_of_the_same_request_differ(service):
    first, second = service.create(), service.create()
    assert first["id"] != second["id"]
    assert first["commitment"] != second["commitment"]
    assert first["claims"] != second["claims"]


def test_the_same_request_under_one_idempotency_key_makes_one_game(service):
    body = {"seats": [{"kind": "human"}] + [{"kind": "bot"}] * 3}

    def post(key="once", token=OPERATOR):
        return service.call("POST", "/v1/games", body, token, headers={"Idempotency-Key": key}).json

    first = post()
    assert post() == first
    assert len(service.store.unfinished()) == 1
    assert post(key="twice") != first


def test_the_same_request_sent_many_times_at_once_makes_one_game(service):
    body = {"seats": [{"kind": "human"}] + [{"kind": "bot"}] * 3}

    def post(_):
        client = service.app.test_client()
        headers = {"Idempotency-Key": "once", "Authorization": f"Bearer {OPERATOR}"}
        return client.post("/v1/games", json=body, headers=headers).json

    service.call("GET", "/healthz")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(post, range(8)))
    assert all(answer == answers[0] for answer in answers)
    assert len(service.store.unfinished()) == 1


def test_labels_custody_and_bots_are_told_to_everybody(service):
    seats = [
        {"kind": "human", "label": "Ruth", "custody": "site"},
        {"kind": "bot", "bot": "steady@1"},
        {"kind": "human"},
        {"kind": "bot"},
    ]
    created = service.call("POST", "/v1/games", {"seats": seats}, OPERATOR).json
    told = service.call("GET", f"/v1/games/{created['id']}").json
    assert [(seat["kind"], seat["label"], seat["custody"]) for seat in told["seats"]] == [
        ("player", "Ruth", "site"),
        ("bot", "bot:steady@1", "service-bot"),
        ("player", "", "player"),
        ("bot", "bot:steady@1", "service-bot"),
    ]
    assert told["state"] == "seeding"
    assert told["commitment"] == created["commitment"]


# -------------------------------------------------------------------------------- claiming


def test_a_claim_gives_the_seat_with_the_commitment_pushed_along(service):
    created = service.create("hbhb")
    seating = service.call("POST", "/v1/claims", {"claim": created["claims"][1]["claim"]}).json
    assert (seating["game"], seating["seat"]) == (created["id"], 2)
    assert seating["token"].startswith("cd_live_seat_")
    assert seating["commitment"] == created["commitment"]
    assert seating["table_code"] == created["table_code"]
    assert seating["receipts"] == created["receipts"]


def test_a_claim_whose_answer_was_lost_is_asked_for_again_with_the_same_key(service):
    body = {"claim": service.create()["claims"][0]["claim"], "key": "my-own-random-key-1"}
    first = service.call("POST", "/v1/claims", body)
    assert service.call("POST", "/v1/claims", body).json == first.json
    other = service.call("POST", "/v1/claims", {**body, "key": "another-random-key-2"})
    assert (other.status_code, other.json["code"]) == (410, "claim_used")


def test_of_many_that_claim_one_seat_at_once_one_gets_it(service):
    claim = service.create()["claims"][0]["claim"]
    service.call("GET", "/healthz")

    def post(index):
        client = service.app.test_client()
        body = {"claim": claim, "key": f"one-of-many-keys-{index}"}
        return client.post("/v1/claims", json=body).status_code

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(post, range(8))) == [200] + [410] * 7


def test_a_claim_opens_nothing_by_itself(service):
    created = service.create()
    answer = service.call(
        "GET", f"/v1/games/{created['id']}/view", token=created["claims"][0]["claim"]
    )
    assert (answer.status_code, answer.json["code"]) == (401, "bad_key")


# --------------------------------------------------------------------------------- seeding


def test_the_last_seed_locks_and_deals(service):
    created = service.create("hhbb")
    first, second = service.seat(created, 0), service.seat(created, 1)
    answer = first.share()
    assert [event["type"] for event in answer["events"]] == ["share"]
    answer = second.share()
    assert [event["type"] for event in answer["events"]][:3] == ["share", "lock", "deal"]
    dealt = answer["events"][2]
    assert len(dealt["private"]["faces"]) == 11
    assert service.call("GET", f"/v1/games/{created['id']}").json["state"] == "playing"


def test_a_repeated_seed_gets_the_receipt_of_its_share_again(service):
    created = service.create("hhbb")
    first, second = service.seat(created, 0), service.seat(created, 1)
    before = first.share()
    check_receipt(service, before["receipts"][0], before["events"][0])
    second.share()
    again = first.share()
    assert again["receipts"][0] == before["receipts"][0]
    assert again["events"][0] == before["events"][0]
    check_receipt(service, again["receipts"][-1], again["events"][-1])
    shares = [event for event in again["events"] if event["type"] == "share"]
    assert [event["body"]["seat"] for event in shares] == [0, 1]


def test_seeds_that_come_at_once_are_all_recorded(service):
    created = service.create("hhhh")
    players = [service.seat(created, index) for index in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda player: player.share(), players))
    kinds = [event["type"] for event in players[0].get("events")["events"]]
    assert kinds == ["open", "share", "share", "share", "share", "lock", "deal"]


def test_the_typed_text_is_nowhere(service):
    text = "a text that nobody else may read"
    player = service.seat(service.create())
    answer = player.share(text=text)
    assert text not in str(answer)
    assert text.encode() not in service.path.read_bytes()


# ---------------------------------------------------------------------------------- acting


def test_a_whole_game_is_played_and_its_transcript_holds_together(service):
    created, (player,) = service.started()
    assert play_out([player]) > 20
    records = read(transcript(service, created["id"]))
    assert [records[0].type, records[-2].type, records[-1].type] == ["open", "close", "master"]
    assert records[0].hash == created["commitment"]["open_hash"]
    told = service.call("GET", f"/v1/games/{created['id']}").json
    assert (told["state"], told["version"]) == ("closed", records[-1].n)
    totals = [r.body["result"]["sides"] for r in records if r.type == "score"][-1]
    assert max(side["total"] for side in totals) >= 5000


def test_every_answer_has_a_receipt_of_each_record_that_it_made(service):
    _, (player,) = service.started()
    for _ in range(5):
        answer = player.act(*player.choose())
        assert answer["version"] == answer["events"][-1]["n"]
        for note, event in zip(answer["receipts"], answer["events"], strict=True):
            check_receipt(service, note, event)


def test_bots_act_in_the_transaction_of_the_answer_they_follow_from(service):
    _, (player,) = service.started()
    before = service.store.commits
    made = 0
    while not made:
        answer = player.act(*player.choose())
        made = sum(event["body"].get("seat") != 0 for event in answer["events"])
        before += 1
    assert made >= 3
    assert service.store.commits == before
    assert player.choose() is not None


def test_a_repeated_act_gets_the_same_records_and_happens_once(service):
    _, (player,) = service.started()
    expect, act = player.choose()
    first = player.act(expect, act)
    again = player.act(expect, act)
    assert again == first
    assert player.get("view")["version"] == first["version"]


def test_a_repeat_that_comes_late_gets_the_records_up_to_now(service):
    _, (player,) = service.started()
    expect, act = player.choose()
    first = player.act(expect, act)
    for _ in range(3):
        later = player.act(*player.choose())
    again = player.act(expect, act)
    assert again["events"][: len(first["events"])] == first["events"]
    assert again["version"] == later["version"]
    assert again["receipts"][: len(first["receipts"])] == first["receipts"]
    check_receipt(service, again["receipts"][-1], later["events"][-1])


def test_another_act_on_the_same_version_is_stale(service):
    _, (player,) = service.started()
    expect, act = player.choose()
    player.act(expect, act)
    answer = player.try_act(expect, "end" if act != "end" else "draw")
    assert (answer.status_code, answer.json["code"]) == (409, "stale_version")


def test_the_same_act_of_another_seat_is_no_repeat(service):
    _, players = service.started("hhhh")
    expect, act = next(chosen for player in players if (chosen := player.choose()))
    actor = next(player for player in players if player.choose())
    actor.act(expect, act)
    for other in players:
        if other is not actor:
            assert other.try_act(expect, act).json["code"] == "stale_version"


def test_an_act_on_a_version_to_come_is_stale(service):
    _, (player,) = service.started()
    expect, act = player.choose()
    assert player.try_act(expect + 1, act).json["code"] == "stale_version"


def test_one_act_sent_many_times_at_once_is_recorded_once(service):
    _, (player,) = service.started()
    expect, act = player.choose()

    def post(_):
        return service.app.test_client().post(
            f"{player.path}/actions",
            json={"expect": expect, "act": act},
            headers={"Authorization": f"Bearer {player.token}"},
        )

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(post, range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.data for answer in answers}) == 1


def test_choices_are_empty_out_of_turn_and_each_of_them_is_accepted(service):
    _, players = service.started("hhhh")
    in_turn = [player for player in players if player.get("choices")["can"]]
    assert len(in_turn) == 1
    listed = in_turn[0].get("choices")
    assert {choice["act"] for choice in listed["can"]} == {"draw"}
    assert all(choice["sentence"].endswith(".") for choice in listed["can"])
    in_turn[0].act(listed["version"], "draw")


def test_every_seat_is_told_what_it_cannot_do_and_why(service):
    _, players = service.started("hhhh")
    for player in players:
        told = player.get("choices")
        doors = [one["door"] for one in told["cannot"] if one["kind"] == "take"]
        opened = [one["act"] for one in told["can"] if one["act"].startswith("take")]
        assert doors == ["pair", "natural_wild", "lay_on_meld"] or opened
        assert told["headline"].endswith(".")
        assert told["opening"]["need"] == 50
        for one in told["cannot"]:
            assert one["help"] == f"/help/{one['code']}"
            assert 0 < len(one["sentence"]) <= 140
            assert service.call("GET", one["help"]).status_code == 200


def test_a_refused_act_says_what_is_missing(service):
    _, players = service.started("hhhh")
    player = next(one for one in players if one.get("choices")["can"])
    refused = player.try_act(player.get("choices")["version"], "end")
    assert (refused.status_code, refused.json["code"]) == (422, "wrong_phase")
    assert refused.json["sentence"].endswith("cards, so you cannot end the hand.")


# --------------------------------------------------------------------------------- reading


def test_a_seat_sees_every_record_as_it_is_made(service):
    _, (player,) = service.started()
    player.act(*player.choose())
    page = player.get("events")
    version = player.get("view")["version"]
    assert [event["n"] for event in page["events"]] == list(range(version + 1))
    assert (page["version"], page["has_more"]) == (version, False)


def test_private_facts_are_those_of_the_own_seat_alone(service):
    _, players = service.started("hhhh")
    for _ in range(30):
        actor = next(player for player in players if player.choose())
        actor.act(*actor.choose())
    for player in players:
        for event in player.get("events")["events"]:
            private = event.get("private")
            if event["type"] == "deal":
                assert set(private) == {"cards", "faces", "salt"}
            elif private is not None:
                assert (event["type"], event["body"]["seat"]) == ("act", player.seat)
                assert set(private) == {"drawn"}


@pytest.mark.parametrize("limit", [1, 7, 100])
def test_pages_of_events_join_to_the_transcript(service, limit):
    created, (player,) = service.started(hands=1)
    play_out([player])
    after, lines = -1, []
    while True:
        page = events(service, created["id"], after=after, limit=limit).json
        assert len(page["events"]) <= limit
        lines += [line_of(event) for event in page["events"]]
        if not page["has_more"]:
            break
        after = page["events"][-1]["n"]
    assert b"".join(lines) == transcript(service, created["id"])


def test_a_page_behind_the_end_is_empty(service):
    game = service.create()["id"]
    page = events(service, game, after=7).json
    assert page == {"version": 0, "events": [], "has_more": False}


def test_everybody_else_sees_records_up_to_the_last_reveal(service):
    created = service.create()
    game = created["id"]

    def shown(token=None):
        kinds = [event["type"] for event in events(service, game, token).json["events"]]
        assert kinds == [record.type for record in read(transcript(service, game))]
        return kinds

    assert shown() == ["open"]
    player = service.seat(created)
    player.share()
    # Seeds are published as they come (profile `open`); the deal is not, before its reveal.
    assert shown() == ["open", "share", "lock"]
    assert shown(OPERATOR) == ["open", "share", "lock"]
    hand = 1
    while hand < 3:
        version = player.get("view")["version"]
        answer = player.act(*player.choose())
        kinds = [event["type"] for event in answer["events"]]
        if "reveal" in kinds:
            end = next(e["n"] for e in answer["events"] if e["type"] == "reveal")
            assert len(read(transcript(service, game))) == end + 1
            hand += 1
        else:
            assert len(read(transcript(service, game))) <= version
    assert service.call("GET", f"/v1/games/{game}").json["version"] == end


def test_a_view_belongs_to_one_seat(service):
    created, players = service.started("hhhh")
    path = f"/v1/games/{created['id']}/view"
    for token in (None, OPERATOR):
        public = service.call("GET", path, token=token).json
        assert (public["seat"], public["hand"], public["table"]) == (None, 0, None)
    holdings = [player.get("view")["table"]["you"]["holding"] for player in players]
    assert all(len(holding) == 11 for holding in holdings)
    for player in players:
        view = player.get("view")
        assert view["seat"] == view["table"]["you"]["seat"] == player.seat


# --------------------------------------------------------------------------------- closing


def test_a_game_given_up_opens_its_hand_and_its_master_secret(service):
    created, (player,) = service.started()
    player.act(*player.choose())
    path = f"/v1/games/{created['id']}/close"
    answer = service.call("POST", path, {"reason": "players left"}, OPERATOR).json
    assert [event["type"] for event in answer["events"]] == ["abort", "reveal", "close", "master"]
    assert service.store.secret(created["id"]) is None
    again = service.call("POST", path, {"reason": "players left"}, OPERATOR).json
    assert again == answer
    refused = player.try_act(answer["version"], "draw")
    assert (refused.status_code, refused.json["code"]) == (409, "game_over")
    assert read(transcript(service, created["id"]))[-1].type == "master"


def test_a_game_may_be_given_up_before_anybody_contributed(service):
    game = service.create()["id"]
    answer = service.call("POST", f"/v1/games/{game}/close", {"reason": "rain"}, OPERATOR).json
    assert [event["type"] for event in answer["events"]] == ["close", "master"]


def test_a_closed_game_still_shows_a_seat_its_own_facts(service):
    _, (player,) = service.started(hands=1)
    play_out([player])
    service.dealer._clerk._shelf._games.clear()
    dealt = [event for event in player.get("events")["events"] if event["type"] == "deal"]
    assert len(dealt[0]["private"]["faces"]) == 11


def test_a_game_whose_hands_are_used_up_closes_so(service):
    created, (player,) = service.started(hands=2)
    play_out([player])
    records = read(transcript(service, created["id"]))
    assert records[-2].body == {"reason": "hands_used_up", "hands": 2}
