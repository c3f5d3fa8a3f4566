"""What is looked at, waited for, counted and tried out, by a seat and by whoever watches."""

import threading

import pytest

from tests.table import OPERATOR, START_MS, play_out


def see(service, game, token=None, query=""):
    answer = service.call("GET", f"/v1/games/{game}/view{query}", token=token)
    assert answer.status_code == 200, answer.text
    return answer.json


def told(service, game):
    answer = service.call("GET", f"/v1/games/{game}")
    assert answer.status_code == 200, answer.text
    return answer.json


def try_out(player, expect, act):
    body = {"expect": expect, "act": act}
    return player.service.call("POST", f"{player.path}/actions?dry_run=true", body, player.token)


def play_hand(player):
    """Let a player act until its hand is over."""
    hand = player.get("view")["hand"]
    while (chosen := player.choose()) is not None:
        player.act(*chosen)
        if player.get("view")["hand"] != hand or player.get("view")["table"] is None:
            return


# ------------------------------------------------------------------------------- the view


def test_a_seat_sees_who_is_there_and_until_when_it_has_time(service):
    _, players = service.started("hhhh", clock={"turn_s": 60})
    service.dealer.presences.flush()
    view = players[1].get("view")
    assert view["seat"] == 1
    assert [seat["seat"] for seat in view["seats"]] == [0, 1, 2, 3]
    assert [seat["presence"] for seat in view["seats"]] == ["here"] * 4
    assert START_MS < view["table"]["turn"]["deadline"] - 60_000 < service.clock()
    service.clock.set(START_MS + 60_000)
    presences = [seat["presence"] for seat in players[1].get("view")["seats"]]
    assert presences == ["away", "here", "away", "away"]
    away = players[1].get("view")["seats"][0]
    assert START_MS < away["since"] < START_MS + 60_000


def test_without_a_clock_there_is_no_deadline(service):
    _, (player,) = service.started()
    assert player.get("view")["table"]["turn"]["deadline"] is None


def test_whoever_watches_sees_the_game_where_its_public_line_ends(service):
    created, (player,) = service.started(hands=2)
    game = created["id"]
    before = see(service, game)
    assert (before["seat"], before["hand"], before["table"]) == (None, 0, None)
    assert before["state"] == "playing"
    assert before["version"] < player.get("view")["version"]
    play_hand(player)
    after = see(service, game, OPERATOR)
    assert (after["hand"], after["table"], after["state"]) == (1, None, "playing")
    assert after["totals"] == player.get("view")["totals"]
    assert see(service, game) == after


def test_a_game_that_is_watched_by_invitation_is_seen_by_its_site_and_its_seats_alone(service):
    created, (player,) = service.started(watch={"open": False})
    path = f"/v1/games/{created['id']}"
    for what in ("view", "counts", "transcript", "events"):
        answer = service.call("GET", f"{path}/{what}")
        assert (answer.status_code, answer.json["code"]) == (403, "watch_closed"), what
        assert service.call("GET", f"{path}/{what}", token=OPERATOR).status_code == 200
        assert service.call("GET", f"{path}/{what}", token=player.token).status_code == 200
    assert told(service, created["id"])["watch"] == {"open": False, "delay_s": 0}
    service.call("POST", f"{path}/close", {"reason": "rain"}, OPERATOR)
    for what in ("view", "counts", "transcript", "events"):
        assert service.call("GET", f"{path}/{what}").status_code == 200


def test_what_is_watched_with_a_delay_is_shown_so_much_later(service):
    created, (player,) = service.started(hands=2, watch={"delay_s": 600})
    game = created["id"]
    play_hand(player)
    over = service.clock()
    early = see(service, game), told(service, game)
    transcript = service.call("GET", f"/v1/games/{game}/transcript").data
    assert [seen["hand"] for seen in early] == [0, 0]
    assert [seen["state"] for seen in early] == ["playing", "playing"]
    assert b'"reveal"' not in transcript
    service.clock.set(over + 599_000)
    assert see(service, game)["hand"] == 0
    service.clock.set(over + 601_000)
    late = see(service, game), told(service, game)
    assert [seen["hand"] for seen in late] == [1, 1]
    assert b'"reveal"' in service.call("GET", f"/v1/games/{game}/transcript").data


def test_a_delay_hides_that_a_hand_is_over(service):
    created, (player,) = service.started(
        hands=2, watch={"delay_s": 600}, clock={"between_hands_s": 3600}
    )
    play_hand(player)
    assert player.get("view")["state"] == "between_hands"
    for seen in (see(service, created["id"]), told(service, created["id"])):
        assert (seen["state"], seen["next_hand_at"]) == ("playing", None)
    service.clock.set(service.clock() + 601_000)
    for seen in (see(service, created["id"]), told(service, created["id"])):
        assert (seen["state"], seen["next_hand_at"] is not None) == ("between_hands", True)


# ------------------------------------------------------------------------------- waiting


def test_a_view_of_a_version_that_is_there_is_given_at_once(service):
    _, (player,) = service.started()
    version = player.get("view")["version"]
    assert player.get(f"view?at_least={version}&wait=10")["version"] == version


def test_a_view_is_given_when_its_version_comes(service):
    created, players = service.started("hhhh")
    version = players[0].get("view")["version"]
    turn = players[0].get("view")["table"]["turn"]["seat"]
    waiting = players[(turn + 1) % 4]
    seen = []

    def wait():
        client = service.app.test_client()
        headers = {"Authorization": f"Bearer {waiting.token}"}
        path = f"{waiting.path}/view?at_least={version + 1}&wait=10"
        seen.append(client.get(path, headers=headers).json)

    service.dealer.feed.beat_s = 60.0
    thread = threading.Thread(target=wait)
    thread.start()
    listening = threading.Event()
    while not service.store.bell._ears.get(created["id"]):
        listening.wait(0.002)
    players[turn].act(version, "draw")
    thread.join(timeout=5)
    assert seen[0]["version"] == version + 1


def test_of_a_game_that_is_over_no_version_is_waited_for(service):
    _, (player,) = service.started()
    service.call("POST", f"{player.path}/close", {"reason": "rain"}, OPERATOR)
    assert player.get("view?at_least=99999&wait=10")["state"] == "closed"


@pytest.mark.parametrize("query", ["wait=0", "wait=11", "at_least=-1", "wait=x", "then=1"])
def test_a_query_of_a_view_is_read_strictly(service, query):
    _, (player,) = service.started()
    answer = service.call("GET", f"{player.path}/view?{query}", token=player.token)
    assert answer.status_code == 400


# --------------------------------------------------------------------------- between hands


def test_between_hands_all_are_told_until_when(service):
    created, (player,) = service.started(hands=2, clock={"between_hands_s": 30})
    play_hand(player)
    at = told(service, created["id"])["next_hand_at"]
    seat, public = player.get("view"), see(service, created["id"])
    assert (seat["state"], public["state"]) == ("between_hands", "between_hands")
    assert seat["next_hand_at"] == public["next_hand_at"] == at
    assert 29_000 < at - service.clock() <= 30_000
    assert player.get("choices")["can"] == []
    refused = player.try_act(seat["version"], "draw")
    assert (refused.status_code, refused.json["code"]) == (409, "no_hand")


@pytest.mark.parametrize("what", ["view", "choices", "counts", ""])
def test_whoever_looks_when_the_pause_is_over_finds_the_next_hand_dealt(service, what):
    created, (player,) = service.started(hands=2, clock={"between_hands_s": 30})
    play_hand(player)
    version = player.get("view")["version"]
    service.clock.set(told(service, created["id"])["next_hand_at"])
    service.call("GET", f"{player.path}/{what}".rstrip("/"), token=player.token)
    (deal, *_) = player.get(f"events?after={version}")["events"]
    assert (deal["type"], deal["body"]["hand"]) == ("deal", 2)


def test_a_game_says_its_clocks_its_hand_its_points_and_why_it_ended(service):
    clock = {"turn_s": 60, "answer_s": 20, "away_grace_s": 30, "if_away": "wait"}
    clock |= {"warn_s": 15, "extend_s": 20, "extends": 3}
    created, (player,) = service.started(hands=1, clock={**clock, "between_hands_s": 0})
    game = created["id"]
    said = told(service, game)
    assert said["clock"] == {**clock, "between_hands_s": 0}
    assert said["watch"] == {"open": True, "delay_s": 0}
    assert (said["hand"], said["totals"], said["reason"]) == (0, [0, 0], None)
    for path in said["links"].values():
        assert service.call("GET", path).status_code == 200
    play_out([player])
    said = told(service, game)
    assert (said["state"], said["hand"], said["reason"]) == ("closed", 1, "hands_used_up")
    assert said["totals"] == player.get("view")["totals"] != [0, 0]


def test_a_game_has_ten_seconds_between_hands_and_no_clock_if_it_does_not_say(service):
    seats = [{"kind": "human"}] * 4
    game = service.call("POST", "/v1/games", {"seats": seats}, OPERATOR).json["id"]
    assert told(service, game)["clock"] == {
        "turn_s": None, "answer_s": None, "away_grace_s": None, "if_away": "bot",
        "between_hands_s": 10, "warn_s": None, "extend_s": 30, "extends": 0,
    }  # fmt: skip


# -------------------------------------------------------------------------------- counts


def test_a_seat_counts_its_own_cards_those_on_the_table_and_the_rest(service):
    _, (player,) = service.started()
    said, view = player.get("counts"), player.get("view")
    assert (said["hand"], said["version"]) == (1, view["version"])
    assert sum(one["copies"] for one in said["cards"]) == 108
    holding = view["table"]["you"]["holding"]
    assert {one["face"]: one["own"] for one in said["cards"] if one["own"]} == {
        face: holding.count(face) for face in holding
    }
    others = sum(seat["cards"] for seat in view["table"]["seats"] if seat["seat"] != player.seat)
    held = sum(one["held"] for one in said["cards"])
    assert said["unseen"] == sum(one["unseen"] for one in said["cards"])
    assert said["unseen"] == view["table"]["stock"] + others - held


def test_whoever_watches_has_no_hand_to_count(service):
    created, (player,) = service.started(hands=2)
    for _ in range(2):
        said = service.call("GET", f"/v1/games/{created['id']}/counts").json
        assert (said["hand"], said["cards"], said["unseen"]) == (None, [], 0)
        play_hand(player)


def test_a_dealt_only_game_has_nothing_to_count(service):
    deal = {"name": "x", "deck": ["A", "B"], "steps": [{"op": "deal", "count": 1, "packet": 1}]}
    created, _ = service.started("hh", rules={"dealt": deal})
    assert service.call("GET", f"/v1/games/{created['id']}/counts").json["cards"] == []


# ------------------------------------------------------------------------------- trying out


def test_an_act_that_is_tried_out_does_nothing(service):
    _, (player,) = service.started()
    version, act = player.choose()
    before = service.store.lines(player.game), service.store.commits
    answer = try_out(player, version, act)
    assert answer.status_code == 200
    assert (answer.json["dry_run"], answer.json["version"]) == (True, version)
    assert (answer.json["events"], answer.json["receipts"]) == ([], [])
    assert answer.json["would"]["act"] == act
    listed = {one["act"]: one for one in player.get("choices")["can"]}
    assert answer.json["would"]["sentence"] == listed[act]["sentence"]
    assert answer.json["would"]["warnings"] == listed[act]["warnings"]
    assert (service.store.lines(player.game), service.store.commits) == before
    done = player.act(version, act)
    assert (done["dry_run"], done["would"]) == (False, None)


def test_what_the_act_would_be_refused_for_is_said_at_once(service):
    _, (player,) = service.started()
    version = player.get("view")["version"]
    for act in ("discard 4C", "lay K:KC,KD,KH", "yes", "draw two", "end"):
        tried, done = try_out(player, version, act), player.try_act(version, act)
        assert tried.status_code == done.status_code >= 400
        assert {**tried.json, "request_id": ""} == {**done.json, "request_id": ""}


def test_out_of_turn_an_act_is_refused_in_trying_as_in_doing(service):
    _, players = service.started("hhhh")
    view = players[0].get("view")
    other = players[(view["table"]["turn"]["seat"] + 1) % 4]
    tried, done = try_out(other, view["version"], "draw"), other.try_act(view["version"], "draw")
    assert tried.json["code"] == done.json["code"] == "not_your_turn"


def test_an_act_that_was_thought_of_on_an_older_version_is_told_so(service):
    _, (player,) = service.started()
    version, act = player.choose()
    player.act(version, act)
    answer = try_out(player, version, act)
    assert (answer.status_code, answer.json["code"]) == (409, "stale_version")


def test_trying_keeps_no_answer_and_takes_no_key_away_from_doing(service):
    _, (player,) = service.started()
    version, act = player.choose()
    body, key = {"expect": version, "act": act}, {"Idempotency-Key": "one-key"}

    def ask(query):
        path = f"{player.path}/actions{query}"
        return service.call("POST", path, body, player.token, headers=key)

    assert ask("?dry_run=true").json["dry_run"]
    assert ask("").json["events"]
    assert ask("?dry_run=false").json["code"] == "idempotency_mismatch"
    assert ask("").headers["Idempotent-Replayed"] == "true"


def test_dry_run_is_true_or_false(service):
    _, (player,) = service.started()
    body = {"expect": 0, "act": "draw"}
    for value in ("1", "True", ""):
        path = f"{player.path}/actions?dry_run={value}"
        assert service.call("POST", path, body, player.token).json["code"] == "malformed"


def test_a_full_turn_is_two_writes(service):
    """One act draws or takes the pile, the next lays and discards (protocol 6.2)."""
    _, (player,) = service.started(hands=4)
    whole = 0
    while whole < 3 and (chosen := player.choose()) is not None:
        answer = player.act(*chosen)
        if not chosen[1].startswith(("draw", "take")):
            continue
        laying = [one["act"] for one in player.get("choices")["can"] if one["act"][:3] == "lay"]
        holding = (player.get("view")["table"] or {"you": {"holding": []}})["you"]["holding"]
        turns = (f"{lay} x {card}" for lay in laying for card in holding)
        may = (act for act in turns if try_out(player, answer["version"], act).status_code == 200)
        if (act := next(may, None)) is not None:
            done = player.act(answer["version"], act)["events"]
            assert done[0]["body"]["act"] == act
            assert done[1]["type"] == "score" or done[1]["body"]["seat"] != player.seat
            whole += 1
    assert whole == 3


# -------------------------------------------------------------------------------- calling off


@pytest.mark.parametrize(
    "reason", ["players_left", "site_fault", "dealer_fault", "rules_dispute", "test"]
)
def test_a_game_is_called_off_for_one_of_five_reasons(service, reason):
    created, (player,) = service.started()
    answer = service.call("POST", f"{player.path}/void", {"reason": reason}, OPERATOR)
    assert [event["type"] for event in answer.json["events"]] == [
        "abort", "reveal", "close", "master",
    ]  # fmt: skip
    assert told(service, created["id"])["reason"] == reason
    again = service.call("POST", f"{player.path}/void", {"reason": reason}, OPERATOR)
    assert again.json == answer.json


def test_a_game_is_not_called_off_for_another_reason_nor_twice_nor_by_a_seat(service):
    _, (player,) = service.started()
    path = f"{player.path}/void"
    assert service.call("POST", path, {"reason": "rain"}, OPERATOR).json["code"] == "malformed"
    said = {"reason": "test"}
    assert service.call("POST", path, said, player.token).json["code"] == "wrong_role"
    assert service.call("POST", path, said, OPERATOR).status_code == 200
    other = service.call("POST", path, {"reason": "players_left"}, OPERATOR)
    assert (other.status_code, other.json["code"]) == (409, "game_over")
