"""What the token of a seat opens: the list with which a player finds back."""

import pytest

from tests.api.test_rooms import Table
from tests.table import OPERATOR

PATH = "/v1/me/games"


def listed(service, token, query=""):
    answer = service.call("GET", PATH + query, token=token)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_the_token_of_a_game_opens_that_game_and_says_whose_turn_it_is(service):
    created, players = service.started("hhbb", clock={"between_hands_s": 0, "turn_s": 60})
    service.dealer.presences.flush()  # Or the clock would stand: nobody was seen there.
    told = [listed(service, player.token) for player in players]
    for seat, one in enumerate(told):
        (game,) = one["games"]
        assert one["room"] is None
        assert (one["has_more"], one["cursor"]) == (False, "")
        assert (game["id"], game["seat"], game["state"]) == (created["id"], seat, "playing")
        view = players[seat].get("view")
        assert (game["turn"], game["version"]) == (view["table"]["turn"]["seat"], view["version"])
        assert game["your_turn"] == (game["turn"] == seat)
        assert game["deadline"] == view["table"]["turn"]["deadline"] is not None
    assert sum(one["games"][0]["your_turn"] for one in told) <= 1
    assert any(one["games"][0]["turn"] is not None for one in told)


def test_before_the_deal_and_after_the_end_nobody_is_in_turn(service):
    created = service.create()
    player = service.seat(created)
    (before,) = listed(service, player.token)["games"]
    assert (before["state"], before["turn"], before["your_turn"]) == ("seeding", None, False)
    service.call("POST", f"/v1/games/{created['id']}/close", {"reason": "rain"}, OPERATOR)
    (after,) = listed(service, player.token)["games"]
    assert (after["state"], after["turn"], after["deadline"]) == ("closed", None, None)
    public = service.call("GET", f"/v1/games/{created['id']}").json
    assert after["version"] == public["version"]
    assert after["made"] == before["made"]


def test_between_hands_it_says_when_the_next_one_is_dealt(service):
    _, (player,) = service.started(clock={"between_hands_s": 600})
    while (chosen := player.choose()) is not None:
        player.act(*chosen)
    (game,) = listed(service, player.token)["games"]
    view = player.get("view")
    assert game["state"] == "between_hands"
    assert game["next_hand_at"] == view["next_hand_at"] is not None
    assert game["turn"] is None


def test_the_token_of_a_room_opens_the_room_and_its_games_the_newest_first(service):
    table = Table(service, "hhbb")
    played: list[str] = []
    for _ in range(3):
        table.started() if not played else [
            table.do(seat, "rematch", {"game": played[-1]}) for seat in (0, 1)
        ]
        played.append(table.close_game())
    told = listed(service, table.tokens[1])
    assert told["room"] == {
        "id": table.id, "seat": 1, "state": "lobby", "version": table.room()["version"],
        "code": table.made["code"], "ready": False,
    }  # fmt: skip
    assert [game["id"] for game in told["games"]] == played[::-1]
    assert [game["seat"] for game in told["games"]] == [1, 1, 1]
    part = listed(service, table.tokens[1], "?limit=2")
    assert ([game["id"] for game in part["games"]], part["has_more"]) == (played[:0:-1], True)
    rest = listed(service, table.tokens[1], f"?limit=2&cursor={part['cursor']}")
    assert ([game["id"] for game in rest["games"]], rest["has_more"]) == (played[:1], False)


def test_in_a_lobby_there_is_no_game_yet(service):
    table = Table(service, "hhbb").take(0)
    told = listed(service, table.tokens[0])
    assert (told["room"]["state"], told["games"]) == ("lobby", [])


def test_the_one_game_of_a_token_is_not_listed_behind_itself(service):
    created = service.create()
    player = service.seat(created)
    (game,) = listed(service, player.token)["games"]
    assert listed(service, player.token, f"?cursor={game['made']}-{game['id']}")["games"] == []
    later = f"?cursor={game['made'] + 1}-{game['id']}"
    assert len(listed(service, player.token, later)["games"]) == 1


def test_a_player_who_looks_is_here(service):
    table = Table(service, "hhbb").take(0, 1)
    service.clock.set(table.made["made"] + 60_000)
    assert table.room()["seats"][0]["presence"] == "away"
    listed(service, table.tokens[0])
    assert table.room()["seats"][0]["presence"] == "here"


def test_a_token_that_was_replaced_lists_nothing(service):
    table = Table(service, "hhbb").take(0, 1)
    table.do(None, "seats/1/reissue")
    answer = service.call("GET", PATH, token=table.tokens[1])
    assert (answer.status_code, answer.json["code"]) == (410, "token_replaced")


@pytest.mark.parametrize("query", ["?limit=0", "?limit=101", "?cursor=x", "?more=1"])
def test_what_no_part_of_the_list_is_called_is_refused(service, query):
    player = service.seat(service.create())
    assert service.call("GET", PATH + query, token=player.token).status_code == 400
