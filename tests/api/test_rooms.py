"""Rooms over HTTP: from the invitation to the rematch, and whatever is tried at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from fairdeal.records.notes import open_note, receipt_text
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, Write
from tests.table import OPERATOR, ORIGIN, Player, play_out
from tests.verdicts import report, seed_of

OTHER_SITE = "cd_live_op_" + "o" * 43
SHORT = {"rules": {"preset": "classic@1", "overrides": {"target": 300}}}


class Table:
    """A room and the tokens of its seats."""

    def __init__(self, service, kinds="hhhh", **more):
        self.service = service
        seats = [{"kind": "human" if kind == "h" else "bot"} for kind in kinds]
        made = self.operator("POST", "/v1/rooms", {"seats": seats, **SHORT, **more})
        assert made.status_code == 201, made.text
        self.made = made.json
        self.id = self.made["id"]
        self.path = f"/v1/rooms/{self.id}"
        self.claims = {claim["seat"]: claim["claim"] for claim in self.made["claims"]}
        self.tokens = {}
        service.call("GET", "/healthz")

    def operator(self, method, path, body=None, **headers):
        return self.service.call(method, path, body, OPERATOR, headers=headers)

    def take(self, *seats):
        """Claim these seats, or all that somebody is invited to."""
        for seat in seats or self.claims:
            taken = self.service.call("POST", "/v1/claims", {"claim": self.claims[seat]})
            assert taken.status_code == 200, taken.text
            self.tokens[seat] = taken.json["token"]
        return self

    def ask(self, who, method, what, body=None, **headers):
        """Ask as the holder of a seat, or as the operator (None)."""
        token = OPERATOR if who is None else self.tokens[who]
        # A client of its own, so that threads can ask at once.
        client = self.service.app.test_client()
        headers["Authorization"] = f"Bearer {token}"
        path = f"{self.path}/{what}" if what[:1] not in ("", "?") else self.path + what
        return client.open(path, method=method, json=body, headers=headers)

    def do(self, who, what, body=None, method="POST", **headers):
        answer = self.ask(who, method, what, {} if body is None else body, **headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json

    def refusal(self, who, what, body=None, method="POST"):
        answer = self.ask(who, method, what, {} if body is None else body)
        return answer.status_code, answer.json["code"]

    def room(self, who=None, query=""):
        answer = self.ask(who, "GET", query)
        assert answer.status_code == 200, answer.text
        return answer.json

    def ready(self, *seats):
        for seat in seats or self.tokens:
            room = self.do(seat, "ready", {"ready": True})
        return room

    def started(self):
        self.take().ready()
        return self.do(None, "start")

    def players(self, game):
        """Return the players of the game that runs, from what the room says alone."""
        known = {"game": game["id"], "commitment": game["commitment"]}
        return [
            Player(self.service, {**known, "token": token, "seat": seat})
            for seat, token in sorted(self.tokens.items())
        ]

    def close_game(self):
        """Give up the game that runs."""
        game = self.room()["game"]["id"]
        closed = self.operator("POST", f"/v1/games/{game}/close", {"reason": "enough"})
        assert closed.status_code == 200, closed.text
        return game


def standing(room):
    """Return a room but for who is there, which asking alone changes."""
    told = {name: value for name, value in room.items() if name != "seats"}
    moving = ("presence", "since")
    seats = [{k: v for k, v in seat.items() if k not in moving} for seat in room["seats"]]
    return {**told, "seats": seats}


def states(room):
    return [seat["state"] for seat in room["seats"]]


def at_once(*asks):
    with ThreadPoolExecutor(len(asks)) as pool:
        return [each.result() for each in [pool.submit(ask) for ask in asks]]


# ------------------------------------------------------------------------------ the whole of it


def test_people_meet_in_a_room_and_play_two_games_that_verify(service):
    table = Table(service, "hhbh", auto_start=False).take(0, 1)
    table.ready(0, 1)
    room = table.do(0, "start")
    verdicts = []
    for number in (1, 2):
        game = room["game"]
        assert room["state"] == "playing"
        assert game["state"] == "seeding"
        assert table.room(1)["game"] == game
        text = receipt_text(ORIGIN, game["id"], 0, game["commitment"]["open_hash"])
        assert open_note(game["receipts"][0], [service.key.verifying_key]) == text
        players = table.players(game)
        for player in players:
            player.share(text=f"seed of {player.seat}", epoch=game["epoch"])
        play_out(players)
        found = report(
            service,
            game["id"],
            commit=game["commitment"]["open_hash"],
            own_seed=seed_of(1, "seed of 1"),
        )
        verdicts.append((found.verdict, found.errors))
        mine = service.call("GET", f"/v1/games/{game['id']}/my-record", token=table.tokens[1])
        assert mine.json["seat"] == 1
        over = table.room()
        assert (over["state"], over["game"]) == ("lobby", None)
        assert [played["over"] for played in over["games"]] == [True] * number
        if number == 1:
            assert table.do(0, "rematch", {"game": game["id"]})["state"] == "lobby"
            room = table.do(1, "rematch", {"game": game["id"]})
    assert verdicts == [("VALID", ()), ("VALID", ())]
    told = service.call("GET", f"/v1/games/{room['game']['id']}").json
    assert [seat["kind"] for seat in told["seats"]] == ["player", "player", "bot", "bot"]


def test_a_new_room_holds_claims_for_its_human_seats_and_no_game(service):
    table = Table(service, "hbhh")
    assert [claim["seat"] for claim in table.made["claims"]] == [0, 2, 3]
    assert states(table.made) == ["invited", "bot", "invited", "invited"]
    assert (table.made["version"], table.made["state"], table.made["host"]) == (0, "lobby", None)
    assert (table.made["game"], table.made["games"]) == (None, [])
    assert service.store.unfinished() == ()
    assert "claims" not in table.room()


def test_the_claims_of_a_room_end_when_it_says_so_or_in_seven_days(service):
    week = 7 * 24 * 3600 * 1000
    table = Table(service)
    ends = {claim["expires_at"] - table.made["made"] for claim in table.made["claims"]}
    assert all(week <= end < week + 100 for end in ends)
    end = table.made["made"] + 60_000
    assert {claim["expires_at"] for claim in Table(service, claims_until=end).made["claims"]} == {
        end
    }


def test_a_claim_of_a_lobby_is_answered_without_a_commitment_and_of_a_game_with_it(service):
    table = Table(service, "hhbb")
    taken = service.call("POST", "/v1/claims", {"claim": table.claims[0]}).json
    assert (taken["room"], taken["seat"]) == (table.id, 0)
    assert [taken[name] for name in ("game", "version", "commitment", "table_code")] == [None] * 4
    assert taken["receipts"] == []
    table.tokens[0] = taken["token"]
    table.take(1)
    table.ready()
    game = table.do(None, "start")["game"]
    claim = table.do(None, "seats/1/reissue")["claims"][0]["claim"]
    taken = service.call("POST", "/v1/claims", {"claim": claim}).json
    assert (taken["room"], taken["game"], taken["version"]) == (table.id, game["id"], 0)
    assert taken["commitment"] == game["commitment"]
    assert taken["table_code"] == game["table_code"]
    assert taken["receipts"] == game["receipts"]


def test_a_claim_whose_answer_was_lost_is_asked_for_again_with_the_same_key(service):
    table = Table(service)
    body = {"claim": table.claims[0], "key": "a-random-key-of-mine"}
    first = service.call("POST", "/v1/claims", body)
    assert service.call("POST", "/v1/claims", body).json == first.json
    assert table.room()["version"] == 1
    other = service.call("POST", "/v1/claims", {**body, "key": "another-random-key-1"})
    assert (other.status_code, other.json["code"]) == (410, "claim_used")


def test_all_who_are_in_a_room_are_told_the_same(service):
    table = Table(service)
    table.started()
    (told,) = {table.ask(who, "GET", "").data for who in (None, 0, 1, 2, 3)}
    for secret in (*table.tokens.values(), *table.claims.values()):
        assert secret.encode() not in told


# -------------------------------------------------------------------------------------- at once


def test_of_two_who_start_at_once_both_get_the_same_game(service):
    table = Table(service).take()
    table.ready()
    host = table.room()["host"]
    starters = [lambda who=who: table.do(who, "start") for who in (None, host) * 4]
    rooms = at_once(*starters)
    assert len({room["game"]["id"] for room in rooms}) == 1
    assert len(service.store.unfinished()) == 1
    assert len(table.room()["games"]) == 1


def test_of_all_four_who_want_a_rematch_at_once_all_get_the_same_game(service):
    table = Table(service)
    table.started()
    first = table.close_game()
    at_once(*[lambda s=seat: table.do(s, "rematch", {"game": first}) for seat in range(4)])
    room = table.room()
    assert room["state"] == "playing"
    assert [played["game"] for played in room["games"]] == [first, room["game"]["id"]]
    # Whoever asks once more, late, gets the same one.
    again = [table.do(seat, "rematch", {"game": first}) for seat in range(4)]
    assert {one["game"]["id"] for one in again} == {room["game"]["id"]}
    assert service.store.unfinished() == (room["game"]["id"],)


def test_a_rematch_of_an_earlier_game_starts_nothing_though_all_are_ready(service):
    table = Table(service)
    table.started()
    first = table.close_game()
    for seat in range(4):
        table.do(seat, "rematch", {"game": first})
    table.close_game()
    ready = table.ready()
    late = table.do(2, "rematch", {"game": first})
    assert standing(late) == standing(ready)
    assert (late["state"], len(late["games"])) == ("lobby", 2)


def test_those_who_come_at_once_all_sit_and_one_of_them_is_host(service):
    table = Table(service)
    bodies = [{"claim": claim, "key": f"a-random-key-no-{seat}"}
              for seat, claim in table.claims.items()] * 2  # fmt: skip
    client = service.app.test_client
    answers = at_once(*[lambda b=b: client().post("/v1/claims", json=b) for b in bodies])
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.json["token"] for answer in answers}) == 4
    room = table.room()
    assert states(room) == ["claimed"] * 4
    assert room["version"] == 4
    assert room["host"] in range(4)


def test_a_seat_given_out_anew_at_once_many_times_has_one_open_claim(service):
    table = Table(service).take()
    answers = at_once(*[lambda: table.do(None, "seats/2/reissue") for _ in range(8)])
    claims = [answer["claims"][0]["claim"] for answer in answers]
    outcomes = [service.call("POST", "/v1/claims", {"claim": claim}) for claim in claims]
    assert sorted(one.status_code for one in outcomes) == [200] + [410] * 7
    assert {one.json["code"] for one in outcomes if one.status_code == 410} == {"token_replaced"}
    assert table.room()["seats"][2]["issued"] == 9


# ---------------------------------------------------------------------------------------- seats


def test_a_seat_given_out_anew_ends_the_token_before_and_everybody_sees_it(service):
    table = Table(service).take()
    claim = table.do(0, "seats/2/reissue")["claims"][0]["claim"]
    assert table.refusal(2, "", method="GET") == (410, "token_replaced")
    old = service.call("POST", "/v1/claims", {"claim": table.claims[2]})
    assert (old.status_code, old.json["code"]) == (410, "token_replaced")
    assert table.room(1)["seats"][2]["issued"] == 2
    table.claims[2] = claim
    table.take(2)
    assert table.room(2)["seats"][2]["state"] == "claimed"


def test_a_seat_taken_back_ends_its_token_and_its_claim(service):
    table = Table(service, "hhhb").take(0, 1)
    assert states(table.do(0, "seats/1/release")) == ["claimed", "open", "invited", "bot"]
    assert states(table.do(0, "seats/2/release")) == ["claimed", "open", "open", "bot"]
    assert table.refusal(1, "", method="GET") == (401, "bad_key")
    for seat in (1, 2):
        answer = service.call("POST", "/v1/claims", {"claim": table.claims[seat]})
        assert (answer.status_code, answer.json["code"]) == (404, "no_such_claim")


def test_whoever_is_invited_has_a_name_and_a_claim_that_ends(service):
    table = Table(service, "hhbb").take(0)
    table.do(0, "seats/1/release")
    end = table.made["made"] + 60_000
    room = table.do(0, "seats/1/invite", {"label": "Ruth", "expires_at": end})
    assert (room["seats"][1]["state"], room["seats"][1]["label"]) == ("invited", "Ruth")
    table.claims[1] = room["claims"][0]["claim"]
    service.clock.set(end)
    late = service.call("POST", "/v1/claims", {"claim": table.claims[1]})
    assert (late.status_code, late.json["code"]) == (410, "claim_expired")
    again = table.do(0, "seats/1/invite")
    assert again["seats"][1]["label"] == "Ruth"
    over = {"expires_at": end - 1}
    assert table.refusal(0, "seats/1/invite", over) == (422, "until_out_of_range")


def test_whoever_leaves_the_lobby_passes_the_host_on_and_is_out_when_the_game_starts(service):
    table = Table(service, "hhhb").take()
    assert table.room()["host"] == 0
    room = table.do(0, "leave")
    assert (states(room)[0], room["host"]) == ("left", 1)
    assert standing(table.do(0, "leave")) == standing(room)
    assert table.refusal(0, "ready", {"ready": True}) == (403, "not_your_seat")
    table.ready(1, 2)
    assert table.room(0)["state"] == "lobby"
    table.do(1, "start")
    assert table.refusal(0, "", method="GET") == (401, "bad_key")


def test_whoever_leaves_a_game_plays_it_out_and_is_gone_afterwards(service):
    table = Table(service, "hhbb")
    room = table.started()
    assert room["host"] == 0
    left = table.do(0, "leave")
    assert (states(left)[0], left["host"]) == ("leaving", 1)
    players = table.players(room["game"])
    for player in players:
        player.share()
    play_out(players)
    over = table.room(1)
    assert states(over) == ["left", "claimed", "bot", "bot"]
    # What was played can still be read, until a bot would play the seat.
    mine = service.call("GET", f"/v1/games/{room['game']['id']}/my-record", token=table.tokens[0])
    assert mine.status_code == 200
    table.do(1, "rematch", {"game": room["game"]["id"]})
    assert table.refusal(0, "", method="GET") == (401, "bad_key")
    again = table.room(1)["game"]["id"]
    assert service.call("GET", f"/v1/games/{again}").json["seats"][0]["kind"] == "bot"


def test_nobody_sees_the_cards_of_a_bot_by_taking_its_seat(service):
    table = Table(service, "hhbb").take(0)
    table.ready(0)
    game = table.do(0, "start")["game"]["id"]
    early = service.call("POST", "/v1/claims", {"claim": table.claims[1]})
    assert (early.status_code, early.json["code"]) == (409, "bot_plays")
    # The claim was not used up by that.
    assert table.close_game() == game
    table.take(1)
    assert table.room(1)["host"] == 0


def test_while_a_game_runs_the_host_gives_out_no_seat_and_the_operator_does(service):
    table = Table(service)
    room = table.started()
    for what in ("reissue", "release", "invite"):
        assert table.refusal(room["host"], f"seats/2/{what}") == (409, "game_running")
    table.do(None, "seats/2/release")
    old = service.call("GET", f"/v1/games/{room['game']['id']}/view", token=table.tokens[2])
    assert (old.status_code, old.json["code"]) == (401, "bad_key")
    table.claims[2] = table.do(None, "seats/2/invite")["claims"][0]["claim"]
    table.take(2)
    new = service.call("GET", f"/v1/games/{room['game']['id']}/view", token=table.tokens[2])
    assert (new.status_code, new.json["seat"]) == (200, 2)


def test_everybody_sees_how_often_a_seat_changed_hands_in_a_game_of_a_room(service):
    table = Table(service, "hhhb").take(0, 1, 2)
    # Before the game: nobody's business of those who look at it.
    table.claims[2] = table.do(0, "seats/2/reissue")["claims"][0]["claim"]
    table.take(2).ready()
    game = f"/v1/games/{table.do(0, 'start')['game']['id']}"

    def told(*what):
        seats = service.call("GET", game).json["seats"]
        return [tuple(seat[name] for name in what) for seat in seats]

    yes, no = (True, 0), (False, 0)
    assert told("claimed", "reissued") == [yes, yes, yes, no]
    table.claims[1] = table.do(None, "seats/1/reissue")["claims"][0]["claim"]
    assert told("claimed", "reissued") == [yes, (False, 1), yes, no]
    table.take(1)
    table.do(None, "seats/2/release")
    assert told("claimed", "reissued") == [yes, (True, 1), (False, 1), no]
    table.close_game()
    table.claims[0] = table.do(None, "seats/0/reissue")["claims"][0]["claim"]
    table.take(0)
    assert [reissued for (reissued,) in told("reissued")] == [0, 1, 1, 0]
    assert table.room()["games"][0]["lost"] == [1, 2]


def test_a_bot_is_put_on_a_seat_and_taken_away(service):
    table = Table(service, "hhhb").take(0, 1)
    room = table.do(0, "seats/2/bot", {"bot": "steady@1"}, "PUT")
    assert (room["seats"][2]["state"], room["seats"][2]["bot"]) == ("bot", "steady@1")
    gone = service.call("POST", "/v1/claims", {"claim": table.claims[2]})
    assert (gone.status_code, gone.json["code"]) == (404, "no_such_claim")
    assert states(table.do(0, "seats/2/bot", {"bot": None}, "PUT"))[2] == "open"
    assert table.refusal(0, "seats/1/bot", {"bot": "steady@1"}, "PUT") == (409, "seat_taken")
    assert table.refusal(0, "seats/2/bot", {"bot": "no@1"}, "PUT") == (422, "no_such_bot")


def test_a_token_of_a_room_opens_no_game_of_another_and_no_other_room(service):
    one, other = Table(service), Table(service)
    game = one.started()["game"]["id"]
    other.started()
    for path in (f"/v1/games/{game}/view", one.path):
        answer = service.call("GET", path, token=other.tokens[0])
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_seat")


# ------------------------------------------------------------------------------------- starting


def test_with_auto_start_the_last_one_to_be_ready_starts_the_game(service):
    table = Table(service, "hhhb", auto_start=True).take()
    assert table.ready(0, 1)["state"] == "lobby"
    room = table.ready(2)
    assert (room["state"], room["games"][0]["bots"]) == ("playing", [3])
    # And so does the bot that takes the last seat that nobody took.
    table = Table(service, "hhbb", auto_start=True).take(0)
    assert table.ready(0)["state"] == "lobby"
    assert table.do(0, "seats/1/bot", {"bot": "steady@1"}, "PUT")["state"] == "playing"


def test_the_bot_of_a_human_seat_plays_where_nobody_came(service):
    seats = [{"kind": "human", "label": "Ruth"}, {"kind": "human", "bot": "steady@1"}]
    seats += [{"kind": "human", "custody": "site"}, {"kind": "bot"}]
    table = Table(service, seats=seats).take(0, 2)
    table.ready()
    game = table.do(0, "start")["game"]["id"]
    told = service.call("GET", f"/v1/games/{game}").json["seats"]
    assert [(one["kind"], one["label"], one["custody"]) for one in told] == [
        ("player", "Ruth", "player"),
        ("bot", "bot:steady@1", "service-bot"),
        ("player", "", "site"),
        ("bot", "bot:steady@1", "service-bot"),
    ]


def test_a_game_of_a_room_keeps_the_settings_that_the_room_wanted(service):
    table = Table(service, clock={"turn_s": 60}, watch={"open": False}, profile="sealed")
    room = table.started()
    assert room["game"]["profile"] == "sealed"
    kept = service.store.listing(room["game"]["id"])
    assert (kept.room, kept.site) == (table.id, "site_main")
    assert b'"turn_s":60' in kept.settings
    assert b'"open":false' in kept.settings


def test_what_is_told_of_the_wanted_game_can_be_sent_back(service):
    table = Table(service, clock={"turn_s": 60}, hands=20).take()
    room = table.ready()
    same = table.do(0, "game", {**room["wanted"], "auto_start": False}, "PUT")
    assert standing(same) == standing(room)
    other = {**room["wanted"], "hands": 21}
    changed = table.do(0, "game", other, "PUT")
    assert changed["wanted"] == other
    assert not any(seat["ready"] for seat in changed["seats"])


def test_a_room_wants_no_game_that_could_not_start(service):
    table = Table(service, "hhhh").take()
    before = table.room()
    refused: list[tuple[dict[str, Any], str]] = [
        ({"rules": {"preset": "two-player@1"}}, "wrong_seats"),
        ({"rules": {"preset": "no-such@1"}}, "no_such_preset"),
        ({"rules": {"overrides": {"target": -1}}}, "ruleset_field"),
        ({"reveal_by": 1}, "reveal_by_out_of_range"),
        ({"rules": {"dealt": {"name": "x", "deck": ["AS"] * 4, "steps": []}}}, "not_in_a_room"),
    ]
    for body, code in refused:
        assert table.refusal(0, "game", body, "PUT") == (422, code)
        whole = {"seats": [{"kind": "human"}] * 4} | body
        made = table.operator("POST", "/v1/rooms", whole)
        assert (made.status_code, made.json["code"]) == (422, code)
    assert standing(table.room()) == standing(before)


# -------------------------------------------------------------------------------------- refusals


def test_whoever_decided_on_an_older_room_is_told_so(service):
    table = Table(service).take()
    answer = table.ask(0, "POST", "ready", {"ready": True, "expect": 3})
    assert (answer.status_code, answer.json["code"]) == (409, "room_moved")
    assert answer.json["facts"] == {"expected": 3, "version": 4}
    assert table.do(0, "ready", {"ready": True, "expect": 4})["version"] == 5


REFUSED: list[tuple[str, Any, str, int | None, int, str]] = [
    ("start", {}, "POST", 1, 403, "host_only"),
    ("start", {}, "POST", 0, 409, "not_ready"),
    ("host", {"seat": 2}, "POST", 1, 403, "host_only"),
    ("host", {"seat": 3}, "POST", 0, 409, "seat_not_claimed"),
    ("host", {"seat": 9}, "POST", 0, 404, "no_such_seat"),
    ("game", {}, "PUT", 1, 403, "host_only"),
    ("seats/2/reissue", {}, "POST", 1, 403, "host_only"),
    ("seats/3/reissue", {}, "POST", 0, 409, "seat_is_bot"),
    ("seats/1/invite", {}, "POST", None, 409, "seat_taken"),
    ("seats/9/invite", {}, "POST", None, 404, "no_such_seat"),
    ("ready", {"ready": True}, "POST", None, 403, "wrong_role"),
    ("ready", {"ready": 1}, "POST", 0, 400, "malformed"),
    ("ready", {}, "POST", 0, 400, "malformed"),
    ("leave", {}, "POST", None, 403, "wrong_role"),
    ("rematch", {"game": "gaaaaaaaaaaaaaaaa"}, "POST", 0, 404, "no_such_game"),
    ("leave", {"more": 1}, "POST", 0, 400, "unknown_field"),
    ("", None, "DELETE", 0, 403, "wrong_role"),
]


@pytest.mark.parametrize(("what", "body", "method", "who", "status", "code"), REFUSED)
def test_what_is_refused_in_a_lobby(service, what, body, method, who, status, code):
    table = Table(service, "hhhb").take()
    before = table.room()
    answer = table.ask(who, method, what, body)
    assert (answer.status_code, answer.json["code"]) == (status, code), answer.text
    assert standing(table.room()) == standing(before)


def test_a_room_that_nobody_is_in_starts_no_game(service):
    assert Table(service).refusal(None, "start") == (409, "nobody_seated")


def test_a_room_is_its_sites_own(service):
    grant = Grant(digest=digest(OTHER_SITE), role="operator", site="site_other", scope="full")
    service.store.write(Write(grants=(grant,)))
    table = Table(service).take()
    for method, what in [("GET", ""), ("POST", "start"), ("DELETE", "")]:
        body: dict[str, Any] | None = {} if method == "POST" else None
        path = f"{table.path}/{what}" if what else table.path
        answer = service.call(method, path, body, OTHER_SITE)
        assert (answer.status_code, answer.json["code"]) == (403, "not_your_game")
    assert service.call("GET", "/v1/rooms", token=OTHER_SITE).json["rooms"] == []
    nobody = service.call("GET", table.path)
    assert (nobody.status_code, nobody.json["code"]) == (401, "no_key")
    nowhere = service.call("GET", "/v1/rooms/rnowhere", token=OPERATOR)
    assert (nowhere.status_code, nowhere.json["code"]) == (404, "no_such_room")


def test_a_closed_room_takes_no_step_and_its_tokens_read_on(service):
    table = Table(service)
    game = table.started()["game"]["id"]
    assert table.refusal(None, "", method="DELETE") == (409, "game_running")
    table.close_game()
    room = table.do(None, "", method="DELETE")
    assert room["state"] == "closed"
    assert standing(table.do(None, "", method="DELETE")) == standing(room)
    assert table.refusal(0, "ready", {"ready": True}) == (410, "room_closed")
    assert table.refusal(None, "seats/0/invite") == (410, "room_closed")
    assert standing(table.room(0)) == standing(room)
    mine = service.call("GET", f"/v1/games/{game}/my-record", token=table.tokens[0])
    assert mine.status_code == 200
    with ThreadPoolExecutor(1) as pool:  # Nothing more will happen here, so nobody waits.
        waiting = pool.submit(lambda: table.room(0, "?at_least=99&wait=25"))
        assert waiting.result(timeout=6)["state"] == "closed"


# ------------------------------------------------------------------------------------- following


def test_whoever_waits_for_a_room_is_answered_when_it_changes(service):
    table = Table(service).take()
    version = table.room()["version"]

    def wait():
        return table.room(0, f"?at_least={version + 1}&wait=20")

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait)
        table.do(1, "ready", {"ready": True})
        room = waiting.result(timeout=10)
    assert room["version"] == version + 1
    assert room["seats"][1]["ready"]


def test_whoever_waits_in_a_room_is_answered_when_its_game_is_over(service):
    table = Table(service)
    version = table.started()["version"]
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: table.room(2, f"?at_least={version + 1}&wait=20"))
        table.close_game()
        # Well before the next beat, at which everybody who waits looks by itself.
        assert waiting.result(timeout=6)["state"] == "lobby"


def test_a_room_that_does_not_change_answers_after_the_wait(service):
    table = Table(service)
    assert table.room(None, "?at_least=1&wait=1")["version"] == 0
    assert table.room(None, "?at_least=99")["version"] == 0


def test_the_rooms_of_a_site_are_listed_in_parts(service):
    made = sorted(Table(service).id for _ in range(5))
    found, cursor = [], ""
    for _ in range(3):
        query = f"?limit=2&cursor={cursor}" if cursor else "?limit=2"
        page = service.call("GET", f"/v1/rooms{query}", token=OPERATOR).json
        found += [room["id"] for room in page["rooms"]]
        cursor = page["cursor"]
    assert found == made
    assert (cursor, page["has_more"]) == ("", False)


# --------------------------------------------------------------------------------------- repeats


def test_the_same_request_under_one_key_is_one_room_one_claim_and_one_game(service):
    key = {"Idempotency-Key": "once"}
    body = {"seats": [{"kind": "human"}] * 4}
    first = service.call("POST", "/v1/rooms", body, OPERATOR, headers=key)
    again = service.call("POST", "/v1/rooms", body, OPERATOR, headers=key)
    assert (again.data, again.headers["Idempotent-Replayed"]) == (first.data, "true")
    assert len(service.call("GET", "/v1/rooms", token=OPERATOR).json["rooms"]) == 1

    table = Table(service).take()
    given = [table.do(None, "seats/1/reissue", **{"Idempotency-Key": "anew"}) for _ in range(3)]
    assert given[0] == given[1] == given[2]
    assert table.room()["seats"][1]["issued"] == 2
    table.claims[1] = given[0]["claims"][0]["claim"]
    table.take(1)
    table.ready()
    started = at_once(
        *[lambda: table.do(None, "start", **{"Idempotency-Key": "go"}) for _ in range(6)]
    )
    assert all(one == started[0] for one in started)
