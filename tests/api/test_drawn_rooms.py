"""Rooms that draw for partners and the first to play, over HTTP (decisions 18)."""

import io
import json

import pytest

from tests.api.test_rooms import OTHER_SITE, SHORT, Table
from tests.table import OPERATOR, Player, play_out
from tests.verdicts import report, seed_of

RANKS = "23456789TJQKA"
SIX = {"hand_size": 13, "decks": 3, "jokers": 6, "red3_all": 1000, "target": 500}


class Drawn(Table):
    """A room that draws its seats."""

    def __init__(self, service, kinds="hhhh", seating="draw", **more):
        super().__init__(service, kinds, seating=seating, **more)

    def players(self, game):
        """Return the players of the game that runs, each on the seat that the room says."""
        room = self.room()
        known = {"game": game["id"], "commitment": game["commitment"]}
        return [
            Player(
                self.service, {**known, "token": token, "seat": room["seats"][seat]["game_seat"]}
            )
            for seat, token in sorted(self.tokens.items())
        ]

    def draw(self):
        """Give every seed of the draw that runs; return the draw, and the room behind it."""
        draw = self.room()["game"]
        assert draw["kind"] == "draw"
        for player in self.players(draw):
            player.share(text=f"draw {player.seat}")
        return draw, self.room()

    def records(self, game):
        text = self.service.call("GET", f"/v1/games/{game}/transcript").text
        return [json.loads(line) for line in text.splitlines()]

    def drawn(self, draw):
        """Return what each seat of the room drew, and the room's seats in the order of the game."""
        (score,) = [one for one in self.records(draw) if one["type"] == "score"]
        result = score["body"]["result"]
        return result["drew"], result["order"]


def began(service, kinds="hhhh", **more):
    """Return a room whose draw has begun."""
    table = Drawn(service, kinds, **more)
    table.started()
    return table


def mixed(service, kinds="hhhh", **more):
    """Return a room whose draw moved somebody, that draw, and the room as it was told then."""
    for _ in range(20):
        table = began(service, kinds, **more)
        draw, room = table.draw()
        if [seat["game_seat"] for seat in room["seats"]] != [0, 1, 2, 3]:
            return table, draw, room
    raise AssertionError("every draw left all where they sat")


# ------------------------------------------------------------------------------ the whole of it


def test_a_room_is_played_from_its_draw_to_two_valid_records(service):
    room = began(service, "hhbh").room()
    draw = room["game"]
    assert (room["state"], draw["kind"], draw["state"]) == ("playing", "draw", "seeding")
    assert [seat["game_seat"] for seat in room["seats"]] == [0, 1, 2, 3]
    table, draw, _ = mixed(service, "hhbh")
    drew, order = table.drawn(draw["id"])
    room = table.room(1)
    game = room["game"]
    assert (room["state"], game["kind"], game["state"]) == ("playing", "game", "seeding")
    assert [(one["game"], one["kind"], one["over"]) for one in room["games"]] == [
        (draw["id"], "draw", True),
        (game["id"], "game", False),
    ]
    assert [one["seats"] for one in room["games"]] == [[], order]
    assert [seat["game_seat"] for seat in room["seats"]] == [order.index(n) for n in range(4)]

    # The two highest sit on one side, the highest is dealt to first.
    heights = [[RANKS.index(face[0]) for face in drew[seat]] for seat in order]
    assert sorted(heights, reverse=True) == [heights[0], heights[2], heights[1], heights[3]]
    first = table.records(game["id"])[0]["body"]
    assert first["first_seat"] == 0
    assert first["rules"]["play"]["seating"]["how"] == "draw"
    kinds = [seat["kind"] for seat in first["seats"]]
    assert kinds == ["bot" if seat == 2 else "player" for seat in order]

    players = table.players(game)
    for player in players:
        player.share(text=f"game {player.seat}")
    play_out(players)
    mine = {"commit": game["commitment"]["open_hash"], "own_seed": seed_of(2, "game 2")}
    if kinds[2] == "bot":
        mine["own_seed"] = seed_of(1, "game 1")
    record = service.call("GET", f"/v1/games/{draw['id']}/transcript").data
    found = report(service, game["id"], seating=io.BytesIO(record), **mine)
    assert (found.verdict, found.errors) == ("VALID", ())
    found = report(
        service,
        draw["id"],
        commit=draw["commitment"]["open_hash"],
        own_seed=seed_of(0, "draw 0"),
    )
    assert (found.verdict, found.errors) == ("VALID", ())
    assert (table.room()["state"], table.room()["game"]) == ("lobby", None)


@pytest.mark.parametrize(
    ("kinds", "rules"),
    [
        ("hh", {"preset": "two-player@1"}),
        ("hhh", {"preset": "three-player-draw-one@1"}),
        ("hbhhbh", {"preset": "six-player@1", "overrides": SIX}),
    ],
)
def test_where_nobody_has_a_single_partner_all_sit_in_the_order_of_their_cards(
    service, kinds, rules
):
    table = Drawn(service, kinds, rules=rules)
    table.started()
    draw, room = table.draw()
    drew, order = table.drawn(draw["id"])
    heights = [[RANKS.index(face[0]) for face in drew[seat]] for seat in order]
    assert heights == sorted(heights, reverse=True)
    assert table.records(draw["id"])[0]["body"]["rules"]["name"] == "draw for seats"
    assert room["game"]["kind"] == "game"


def test_a_room_of_sealed_seeds_draws_with_sealed_seeds_too(service):
    table = began(service, "hhbb", profile="sealed")
    for kind in ("draw", "game"):
        game = table.room()["game"]
        assert (game["kind"], game["profile"]) == (kind, "sealed")
        for player in table.players(game):
            assert player.try_seal(text="mine").status_code == 200
        for player in table.players(game):
            player.share(text="mine")
        assert report(service, game["id"]).errors == ()


def test_a_room_starts_its_draw_by_itself_when_all_are_ready(service):
    table = Drawn(service, auto_start=True).take()
    table.ready()
    assert table.room()["game"]["kind"] == "draw"


# -------------------------------------------------------------------------------- whose seat


def test_a_token_of_the_room_plays_the_seat_that_it_drew_and_no_other(service):
    table, _, room = mixed(service, "hhhb")
    game = room["game"]
    players = table.players(game)
    for player in players:
        for other in range(4):
            path = f"{player.path}/seats/{other}/seed"
            if other != player.seat:
                answer = service.call("PUT", path, player.seed_body(), player.token)
                assert answer.json["code"] in ("not_your_seat", "no_such_seat")
    for player in players:
        player.share()
    deal = players[0].service.store.lines_of_type(game["id"], "deal")
    assert deal
    holdings = set()
    for player in players:
        assert player.get("view")["seat"] == player.seat
        you = player.get("view")["table"]["you"]
        assert you["seat"] == player.seat
        holdings.add(tuple(you["holding"]))
        assert player.get("my-record")["seat"] == player.seat
        (event,) = [one for one in player.get("events")["events"] if one["type"] == "deal"]
        faces = event["private"]["faces"]
        # No act was made; red threes are laid before.
        assert sorted(face for face in faces if face not in ("3H", "3D")) != []
        assert set(faces) <= {*you["holding"], "3H", "3D"}
    assert len(holdings) == 3
    # Only the seat in turn may act.
    turn = players[0].get("view")["table"]["turn"]["seat"]
    for player in players:
        answer = player.try_act(player.get("view")["version"], "draw")
        assert (answer.status_code == 200) == (player.seat == turn)
        if answer.status_code == 200:
            break


def test_who_is_there_and_who_lost_a_token_is_told_by_the_seats_of_the_game(service):
    table, _, room = mixed(service)
    path = f"/v1/games/{room['game']['id']}"
    seats = [seat["game_seat"] for seat in room["seats"]]
    later = service.clock() + 60_000
    service.clock.set(later)
    table.room(1)
    told = service.call("GET", path).json["seats"]
    assert [seat["seat"] for seat in told if seat["presence"] == "here"] == [seats[1]]
    here = [n for n, seat in enumerate(table.room()["seats"]) if seat["presence"] == "here"]
    assert here == [1]
    # By the game, not by the room.
    service.clock.set(later + 120_000)
    service.call("GET", f"{path}/events", token=table.tokens[2])
    here = [n for n, seat in enumerate(table.room()["seats"]) if seat["presence"] == "here"]
    assert here == [2]

    moved = next(seat for seat in range(4) if seats[seat] != seat)
    claims = table.do(None, f"seats/{moved}/reissue")["claims"]
    told = service.call("GET", path).json["seats"]
    assert [seat["seat"] for seat in told if not seat["claimed"]] == [seats[moved]]
    assert [seat["seat"] for seat in told if seat["reissued"]] == [seats[moved]]
    taken = service.call("POST", "/v1/claims", {"claim": claims[0]["claim"]}).json
    assert (taken["seat"], taken["game_seat"]) == (moved, seats[moved])
    assert taken["commitment"] == room["game"]["commitment"]
    path = f"{path}/seats/{seats[moved]}/seed"
    body = Player(service, taken).seed_body()
    assert service.call("PUT", path, body, taken["token"]).status_code == 200


def test_a_claim_of_a_seat_that_a_bot_plays_is_refused_whatever_seat_it_drew(service):
    table = Drawn(service).take(0, 1)
    table.ready(0, 1)
    table.do(None, "start")
    assert table.room()["games"][0]["bots"] == [2, 3]
    _, room = table.draw()
    assert room["games"][1]["bots"] == [2, 3]
    for seat in (2, 3):
        answer = service.call("POST", "/v1/claims", {"claim": table.claims[seat]})
        assert answer.json["code"] == "bot_plays"


def test_the_finished_draw_is_still_read_by_the_seats_that_drew(service):
    table = began(service)
    draw, _ = table.draw()
    for seat, token in table.tokens.items():
        answer = service.call("GET", f"/v1/games/{draw['id']}/my-record", token=token)
        assert answer.json["seat"] == seat


# ------------------------------------------------------------------------------- the records


def test_a_draw_is_dealt_scored_and_opened_in_one_write_so_nobody_sees_a_card_first(service):
    table = began(service)
    draw = table.room()["game"]
    path = f"/v1/games/{draw['id']}"
    *first, last = table.players(draw)
    for player in first:
        player.share()
    for token in (*table.tokens.values(), OPERATOR, None):
        told = service.call("GET", f"{path}/events", token=token).text
        assert '"type":"deal"' not in told
        assert '"type":"share"' in told
    answer = last.share()
    types = [event["type"] for event in answer["events"]]
    assert types[:3] == ["share", "lock", "deal"]
    assert types[-4:] == ["score", "reveal", "close", "master"]
    assert set(types[3:-4]) <= {"draw"}
    assert len({one["t"] for one in table.records(draw["id"])[-4:]}) == 1


def test_a_site_cannot_deal_draw_or_score_in_the_draw_of_its_room(service):
    table = began(service)
    draw = table.room()["game"]["id"]
    path = f"/v1/games/{draw}"
    version = service.call("GET", path).json["version"]
    for what, body, token in (
        ("hands", {"expect": version}, OPERATOR),
        ("hands/1/score", {"result": {"order": [0, 1, 2, 3]}}, OPERATOR),
        ("hands/1/draws", {"seat": 0, "expect": version}, table.tokens[0]),
    ):
        answer = service.call("POST", f"{path}/{what}", body, token)
        assert (answer.status_code, answer.json["code"]) == (409, "refereed")


def test_a_game_names_the_draw_that_ended_last(service):
    table = began(service)
    draw, room = table.draw()
    records = table.records(draw["id"])
    named = table.records(room["game"]["id"])[0]["body"]["rules"]["play"]["seating"]
    assert named["game"] == draw["id"]
    assert records[-1]["type"] == "master"
    assert records[-1]["t"] <= table.records(room["game"]["id"])[0]["t"]


# --------------------------------------------------------------------------------- the rematch


def rematched(table):
    """Give up the game that runs, and ask for another one; return the room then."""
    over = table.close_game()
    for seat in table.tokens:
        room = table.do(seat, "rematch", {"game": over})
    return room


def test_a_rematch_keeps_the_seats_and_names_the_same_draw(service):
    table = began(service)
    draw, before = table.draw()
    room = rematched(table)
    assert [one["kind"] for one in room["games"]] == ["draw", "game", "game"]
    assert room["games"][2]["seats"] == before["games"][1]["seats"]
    assert [seat["game_seat"] for seat in room["seats"]] == [
        seat["game_seat"] for seat in before["seats"]
    ]
    for player in table.players(room["game"]):
        player.share()
    table.close_game()
    record = service.call("GET", f"/v1/games/{draw['id']}/transcript").data
    found = report(service, room["game"]["id"], seating=io.BytesIO(record))
    assert (found.verdict, found.errors) == ("VALID", ())


def test_a_room_that_draws_each_time_draws_before_a_rematch(service):
    table = began(service, seating="draw_each")
    first, _ = table.draw()
    room = rematched(table)
    assert [one["kind"] for one in room["games"]] == ["draw", "game", "draw"]
    assert [seat["game_seat"] for seat in room["seats"]] == [0, 1, 2, 3]
    second, room = table.draw()
    named = table.records(room["game"]["id"])[0]["body"]["rules"]["play"]["seating"]
    assert named["game"] == second["id"] != first["id"]


def test_another_game_in_the_room_is_drawn_for_anew(service):
    table = began(service)
    table.draw()
    table.close_game()
    body = {**SHORT, "seating": "draw", "hands": 3}
    assert table.do(None, "game", body, "PUT")["seating"] == "draw"
    table.ready()
    assert table.do(None, "start")["game"]["kind"] == "draw"


def test_a_room_can_stop_drawing(service):
    table = began(service)
    table.draw()
    table.close_game()
    room = table.do(None, "game", SHORT, "PUT")
    assert room["seating"] == "given"
    table.ready()
    room = table.do(None, "start")
    assert room["game"]["kind"] == "game"
    assert [seat["game_seat"] for seat in room["seats"]] == [0, 1, 2, 3]


# ------------------------------------------------------------------------- a draw that fails


def test_a_draw_that_is_given_up_leaves_the_room_in_its_lobby(service):
    table = began(service)
    draw = table.room()["game"]
    table.players(draw)[0].share()
    table.close_game()
    room = table.room()
    assert (room["state"], room["game"]) == ("lobby", None)
    assert [seat["ready"] for seat in room["seats"]] == [False] * 4
    for seat in table.tokens:
        room = table.do(seat, "rematch", {"game": draw["id"]})
    assert room["game"]["kind"] == "draw"
    assert room["game"]["id"] != draw["id"]


def test_a_draw_closed_as_complete_before_its_deal_seats_nobody(service):
    table = began(service)
    draw = table.room()["game"]["id"]
    answer = service.call("POST", f"/v1/games/{draw}/close", {"reason": "complete"}, OPERATOR)
    assert answer.status_code == 200
    assert table.room()["state"] == "lobby"


def test_where_seeds_are_missing_twice_the_room_is_in_its_lobby_again(service):
    table = began(service)
    draw = table.room()["game"]
    path = f"/v1/games/{draw['id']}"
    for epoch in (1, 2):
        for player in table.players(draw)[:3]:
            player.share(epoch=epoch)
        version = service.call("GET", path).json["version"]
        answer = service.call("POST", f"{path}/overdue", {"expect": version}, OPERATOR)
        assert answer.status_code == 200, answer.text
    assert service.call("GET", path).json["reason"] == "seeds_missing"
    assert table.room()["state"] == "lobby"


def test_after_a_void_epoch_the_draw_goes_on_with_the_next(service):
    table = began(service)
    draw = table.room()["game"]
    path = f"/v1/games/{draw['id']}"
    table.players(draw)[0].share()
    version = service.call("GET", path).json["version"]
    service.call("POST", f"{path}/overdue", {"expect": version}, OPERATOR)
    draw = table.room()["game"]
    for player in table.players(draw):
        player.share(epoch=2)
    assert table.room()["game"]["kind"] == "game"
    assert report(service, draw["id"]).verdict == "VALID"


# ------------------------------------------------------------------ those who come and go


def test_whoever_gets_up_during_the_draw_is_played_by_a_bot(service):
    table = began(service)
    table.do(3, "leave")
    draw, room = table.draw()
    assert room["games"][1]["bots"] == [3]
    _, order = table.drawn(draw["id"])
    kinds = [seat["kind"] for seat in table.records(room["game"]["id"])[0]["body"]["seats"]]
    assert kinds == ["bot" if seat == 3 else "player" for seat in order]
    answer = service.call("GET", f"/v1/games/{room['game']['id']}/view", token=table.tokens[3])
    assert answer.json["code"] in ("bad_key", "not_your_seat")


def test_where_all_get_up_during_the_draw_no_game_starts(service):
    table = began(service, "hhbb")
    table.do(0, "leave")
    table.do(1, "leave")
    draw = table.room()["game"]
    for player in table.players(draw):
        player.share()
    room = table.room()
    assert (room["state"], len(room["games"]), room["host"]) == ("lobby", 1, None)


def test_a_seat_given_out_anew_during_the_draw_waits_for_its_player(service):
    table = began(service, "hhbb")
    draw = table.room()["game"]
    players = table.players(draw)
    players[1].share()
    claims = table.do(None, "seats/1/reissue")["claims"]
    players[0].share()
    room = table.room()
    assert room["games"][1]["bots"] == [2, 3]
    assert room["seats"][1]["state"] == "invited"
    taken = service.call("POST", "/v1/claims", {"claim": claims[0]["claim"]}).json
    assert taken["game"] == room["game"]["id"]
    for token, seat in ((table.tokens[0], 0), (taken["token"], 1)):
        at = {"token": token, "seat": room["seats"][seat]["game_seat"]}
        events = Player(service, {**taken, **at}).share()["events"]
    assert "deal" in [event["type"] for event in events]


# ------------------------------------------------------------------------------ what is refused


def test_a_room_does_not_draw_where_a_draw_is_named(service):
    named = {"game": "g" + "a" * 16, "master_record": "0" * 64}
    seats = [{"kind": "human"}] * 4
    body = {"seats": seats, "rules": {"seating": named}, "seating": "draw"}
    answer = service.call("POST", "/v1/rooms", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (422, "bad_field")
    assert answer.json["facts"] == {"field": "seating"}


@pytest.mark.parametrize("seating", ["drawn", "", 1, None, True, ["draw"]])
def test_another_word_for_the_seating_is_refused(service, seating):
    body = {"seats": [{"kind": "human"}] * 4, "seating": seating}
    answer = service.call("POST", "/v1/rooms", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")


def test_only_a_room_draws_its_seats(service):
    body = {"seats": [{"kind": "human"}] * 4, "seating": "draw"}
    answer = service.call("POST", "/v1/games", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (400, "unknown_field")


def test_a_draw_belongs_to_the_site_of_its_room(service):
    table = began(service)
    draw = table.room()["game"]["id"]
    assert OTHER_SITE != OPERATOR
    answer = service.call("POST", f"/v1/games/{draw}/close", {"reason": "x"}, table.tokens[0])
    assert answer.json["code"] == "wrong_role"
