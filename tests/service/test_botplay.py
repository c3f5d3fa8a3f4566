"""Bots in games: the seat's own bot plays, by a seed that anybody can work out afterwards."""

import hashlib

from fairdeal.bots import levels
from fairdeal.canasta.acts import format_act
from fairdeal.fairness.keys import Secret
from fairdeal.game import begin, fold
from fairdeal.records.chain import read
from fairdeal.service import botplay
from tests.table import OPERATOR, play_out


def test_each_act_of_a_bot_is_what_its_version_chooses_from_what_its_seat_saw(service):
    overrides = {"rules": {"preset": "classic@1", "overrides": {"max_hands": 2}}}
    created, players = service.started("hbbb", **overrides)
    play_out(players)
    answer = service.call("GET", f"/v1/games/{created['id']}/transcript")
    records = tuple(read(answer.data))
    reveals = {r.body["hand"]: r.body["secret"] for r in records if r.type == "reveal"}
    opened = {hand: Secret.from_hex(secret) for hand, secret in reveals.items()}
    game = begin(records[0], None, opened)
    seen = 0
    for record in records[1:]:
        if record.type == "act" and not game.is_player(record.body["seat"]):
            seat = record.body["seat"]
            assert format_act(botplay.chosen(game, seat)) == record.body["act"]
            seen += 1
        game = fold(game, record)
    assert game.finished
    assert seen > 50


def test_the_seed_of_a_bots_act_is_what_the_decision_says():
    head = bytes(range(32))
    said = hashlib.sha256(b"pfd1 bot" + head + b"\0\0\0\2").digest()[:8]
    assert levels.seed_of(head, 2) == int.from_bytes(said, "big")
    assert levels.seed_of(head, 2) != levels.seed_of(head, 3)


def test_every_named_bot_can_sit_down_and_keeps_its_name_in_record_0(service):
    for name in (*levels.LEVELS, "greedy@1"):
        seats = [{"kind": "human"}, {"kind": "bot", "bot": name}]
        body = {"seats": seats, "rules": {"preset": "two-player@1"}}
        answer = service.call("POST", "/v1/games", body, OPERATOR)
        assert answer.status_code == 201, answer.text
        said = service.call("GET", f"/v1/games/{answer.json['id']}").json["seats"][1]
        assert said["label"] == f"bot:{name}"


def test_a_bot_that_is_not_known_is_refused_with_those_that_are(service):
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "sharp@999"}]
    body = {"seats": seats, "rules": {"preset": "two-player@1"}}
    answer = service.call("POST", "/v1/games", body, OPERATOR)
    assert (answer.status_code, answer.json["code"]) == (422, "no_such_bot")
    assert answer.json["facts"]["bots"] == list(levels.LEVELS)
