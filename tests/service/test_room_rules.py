"""The rules of rooms around a game, with simulated time: who is there, who is stood in for, what
becomes of a table that people leave (decisions 12 and 15).
"""

import pytest

from fairdeal.errors import NotAllowed
from fairdeal.game import seat_in_turn
from fairdeal.records.chain import reread
from fairdeal.service import Anyone
from fairdeal.service.presence import HERE_MS
from fairdeal.service.roombook import HOST_AWAY_MS
from fairdeal.service.upkeep import REVEAL_DUE
from tests.api.test_rooms import Table
from tests.table import OPERATOR, Player

GRACE_S = 30
MINUTE = 60_000
HALF_A_WEEK = 7 * 24 * 3600 * 1000 // 2


class Evening:
    """A room in which a game is played, whose players are there when a test says so."""

    def __init__(self, service, kinds="hhhh", taken=(), **more):
        clock = {"turn_s": None, "away_grace_s": GRACE_S, "between_hands_s": 0}
        clock |= more.pop("clock", {})
        self.service = service
        self.table = Table(service, kinds, clock=clock, **more)
        self.table.take(*taken).ready()
        self.begin(self.table.do(None, "start")["game"])

    def begin(self, game):
        self.game = game["id"]
        self.players = {player.seat: player for player in self.table.players(game)}
        for player in self.players.values():
            player.share()
        self.now = self.service.clock()
        self.are_here()

    def at(self, ms):
        """Go to so long after the deal."""
        self.service.clock.set(self.now + ms)
        return self

    def are_here(self, *seats):
        for seat in seats or self.players:
            self.service.dealer.presences.note(self.table.id, seat)
        self.service.dealer.presences.flush()

    def advance(self):
        self.service.dealer.advance(self.game)

    def acts(self):
        """Return seat and by of each act, as the operator's store has them."""
        game = self.service.dealer._clerk.game(self.game)
        lines = self.service.store.lines(game.id)
        return [
            (record.body["seat"], record.body["by"])
            for record in map(reread, lines)
            if record.type == "act"
        ]

    @property
    def turn(self):
        return seat_in_turn(self.service.dealer._clerk.game(self.game))

    def seat(self, number):
        """Return what the room tells of a seat; the operator who asks is a sign of nobody."""
        return self.table.room()["seats"][number]

    def close(self, reason="enough"):
        path = f"/v1/games/{self.game}/close"
        assert self.table.operator("POST", path, {"reason": reason}).status_code == 200


# ----------------------------------------------------------------------- presence and grace


def test_a_player_is_away_fifteen_seconds_after_the_last_sign_and_here_with_the_next(service):
    evening = Evening(service)
    last = evening.now
    evening.at(HERE_MS - 1000)
    assert evening.seat(2)["presence"] == "here"
    evening.at(HERE_MS + 1000)
    told = evening.seat(2)
    assert told["presence"] == "away"
    assert last <= told["since"] <= last + 100
    evening.are_here(2)
    assert (evening.seat(2)["presence"], evening.seat(2)["since"]) == ("here", None)


def test_everybody_can_count_down_to_the_stand_in_which_acts_then_and_no_earlier(service):
    """A countdown is `since` and the grace, both told to all; with it over the bot acts."""
    evening = Evening(service)
    away = evening.turn
    others = {0, 1, 2, 3} - {away}
    evening.at(GRACE_S * 1000 - 5000).are_here(*others)
    told = evening.seat(away)
    grace = service.call("GET", f"/v1/games/{evening.game}").json["clock"]["away_grace_s"]
    ends = told["since"] + 1000 * grace
    service.clock.set(ends - 1000)
    evening.advance()
    assert evening.acts() == []
    service.clock.set(ends + 1)
    evening.advance()
    assert evening.acts() == [(away, "stand-in")]


def test_a_player_who_comes_back_acts_next_in_the_very_turn(service):
    evening = Evening(service)
    away = evening.turn
    evening.at(GRACE_S * 1000 - 5000).are_here(*({0, 1, 2, 3} - {away}))
    evening.at(GRACE_S * 1000 + 1000).advance()
    player = evening.players[away]
    player.act(*player.choose())
    evening.at(GRACE_S * 1000 + 9000).advance()
    assert evening.acts() == [(away, "stand-in"), (away, "seat")]
    assert evening.seat(away)["presence"] == "here"


# -------------------------------------------------------------------- seats that change hands


def test_a_seat_given_out_anew_in_a_game_is_stood_in_for_until_its_player_comes(service):
    evening = Evening(service)
    lost = evening.turn
    given = evening.table.do(None, f"seats/{lost}/reissue")
    (claim,) = given["claims"]
    evening.at(GRACE_S * 1000 - 5000).are_here(*({0, 1, 2, 3} - {lost}))
    evening.at(GRACE_S * 1000 + 1000).advance()
    assert evening.acts() == [(lost, "stand-in")]
    taken = service.call("POST", "/v1/claims", {"claim": claim["claim"]}).json
    assert (taken["game"], taken["seat"]) == (evening.game, lost)
    player = Player(service, taken)
    player.act(*player.choose())
    assert evening.acts() == [(lost, "stand-in"), (lost, "seat")]
    assert evening.seat(lost)["issued"] == 2


def test_whoever_left_in_the_middle_of_a_game_is_stood_in_for_and_holds_nobody_up(service):
    evening = Evening(service)
    gone = evening.turn
    evening.table.do(gone, "leave")
    assert evening.seat(gone)["state"] == "leaving"
    others = {0, 1, 2, 3} - {gone}
    for ms in range(10_000, 60_000, 5000):
        evening.at(ms).are_here(*others)
        evening.advance()
        if evening.turn != gone:
            break
    assert set(evening.acts()) == {(gone, "stand-in")}
    assert evening.turn != gone
    evening.close()
    assert evening.seat(gone)["state"] == "left"
    assert evening.table.room()["host"] != gone


def test_the_host_passes_on_when_its_player_leaves_is_replaced_or_taken_away(service):
    evening = Evening(service)
    table = evening.table
    assert table.room()["host"] == 0
    table.do(0, "leave")
    assert table.room()["host"] == 1
    table.do(None, "seats/1/reissue")
    assert table.room()["host"] == 2
    table.do(None, "seats/2/release")
    assert table.room()["host"] == 3
    table.do(3, "leave")
    assert table.room()["host"] is None
    evening.close()
    assert table.room()["host"] is None


# -------------------------------------------------------------------- tables that people leave


def test_where_all_have_gone_the_table_stands_for_days_and_then_the_room_is_free_again(service):
    evening = Evening(service, clock={"turn_s": 60})
    for ms in (*range(0, 30 * MINUTE, 5000), *range(30 * MINUTE, HALF_A_WEEK, 600 * MINUTE)):
        evening.at(ms).advance()
    made = len(evening.acts())
    assert evening.at(HALF_A_WEEK - MINUTE).table.room()["state"] == "playing"
    # Only in the ten minutes after the last sign did the clock run.
    assert 0 < made <= 10 * 2 * 4
    evening.at(HALF_A_WEEK + MINUTE).advance()
    assert len(evening.acts()) == made
    room = evening.table.room()
    assert (room["state"], room["game"]) == ("lobby", None)
    assert [seat["state"] for seat in room["seats"]] == ["claimed"] * 4
    assert service.dealer.looks.public(evening.game).reason == REVEAL_DUE
    for seat in range(4):
        room = evening.table.do(seat, "rematch", {"game": evening.game})
    assert room["state"] == "playing"


def test_a_player_alone_with_guests_is_waited_for(service):
    evening = Evening(service, "hhhh", taken=(0,))
    assert evening.table.room()["games"][0]["bots"] == [1, 2, 3]
    for ms in range(0, 120 * MINUTE, MINUTE):
        evening.at(ms).advance()
    assert {seat for seat, by in evening.acts() if by != "seat"} == set()
    assert evening.turn == 0


def test_empty_seats_are_guests_in_one_game_and_anybodys_before_the_next(service):
    evening = Evening(service, "hhhh", taken=(0, 1))
    assert evening.table.room()["games"][0]["bots"] == [2, 3]
    labels = [seat.label for seat in service.dealer.looks.public(evening.game).seats]
    assert [bool(label) for label in labels] == [False, False, True, True]
    assert all(label.startswith("bot:") for label in labels[2:])
    claim = {"claim": evening.table.claims[2]}
    refused = service.call("POST", "/v1/claims", claim)
    assert (refused.status_code, refused.json["code"]) == (409, "bot_plays")
    evening.close()
    assert service.call("POST", "/v1/claims", claim).status_code == 200


def test_a_rematch_waits_for_all_who_stayed_and_plays_in_the_same_room(service):
    evening = Evening(service)
    evening.table.do(3, "leave")
    evening.close()
    first = evening.game
    for seat in (0, 1):
        room = evening.table.do(seat, "rematch", {"game": first})
        assert room["state"] == "lobby"
    evening.at(60 * MINUTE)
    assert evening.table.room()["state"] == "lobby"
    room = evening.table.do(2, "rematch", {"game": first})
    assert (room["state"], room["games"][1]["bots"]) == ("playing", [3])
    for seat in range(3):
        again = evening.table.do(seat, "rematch", {"game": first})
        assert again["game"]["id"] == room["game"]["id"]


# ------------------------------------------------------------------------------- watchers


def test_who_watches_a_game_of_a_room_sees_a_hand_when_it_is_over_and_delayed(service):
    evening = Evening(service, watch={"open": False, "delay_s": 600})
    path = f"/v1/games/{evening.game}"
    watcher = service.call("POST", f"{path}/watchers", {}, OPERATOR).json["token"]
    caller = service.dealer.identify(watcher)
    with pytest.raises(NotAllowed) as caught:
        service.dealer.looks.view(Anyone(), evening.game)
    assert caught.value.code == "watch_closed"
    dealt = service.dealer.looks.view(caller, evening.game).version
    aborted = service.call("POST", f"{path}/hands/1/abort", {"reason": "tea"}, OPERATOR)
    assert aborted.status_code == 200
    evening.now = service.clock()
    assert evening.at(599_000).service.dealer.looks.view(caller, evening.game).version == dealt
    assert evening.at(601_000).service.dealer.looks.view(caller, evening.game).version > dealt
    for seat in range(4):
        token = evening.table.tokens[seat]
        refused = service.call("GET", f"{path}/watchers", token=token)
        assert (refused.status_code, refused.json["code"]) == (403, "wrong_role")


# ------------------------------------------------------------------------- a host who has gone


def test_a_lobby_whose_host_has_gone_gets_the_next_one_who_is_there(service):
    """Nobody holds up a room by closing the lid: the new host releases the seat and starts."""
    table = Table(service, "hhhh").take()
    begun, presences = service.clock(), service.dealer.presences
    for seat in range(4):
        presences.note(table.id, seat)
    assert table.room()["host"] == 0
    service.clock.set(begun + HOST_AWAY_MS - 10_000)
    presences.note(table.id, 2)
    presences.note(table.id, 3)
    assert table.room()["host"] == 0, "it has two minutes to come back"
    service.clock.set(begun + HOST_AWAY_MS + 2_000)
    assert table.room()["host"] == 2, "seat 1 has gone too"
    for gone in (0, 1):
        table.do(2, f"seats/{gone}/release")
    for seat in (2, 3):
        table.do(seat, "ready", {"ready": True})
    assert table.do(2, "start")["state"] == "playing"


def test_a_host_stays_where_nobody_else_is_there_and_while_a_game_runs(service):
    table = Table(service, "hhhh").take()
    begun, presences = service.clock(), service.dealer.presences
    presences.note(table.id, 0)
    service.clock.set(begun + HOST_AWAY_MS + 2_000)
    assert table.room()["host"] == 0
    evening = Evening(service)
    evening.at(HOST_AWAY_MS).are_here(1)
    assert evening.table.room()["host"] == 0
