"""Receipts, card notes and *my record*: what a seat keeps, and that the verifier can read it."""

import io
import json
from typing import Any

import pytest

from fairdeal.records.notes import SigningKey, card_text, open_note
from tests.table import OPERATOR, ORIGIN, QUICKNET, play_out, time_of
from tests.verdicts import report
from verifier.held import Held
from verifier.myrecord import parse_my_record
from verifier.notes import parse_key
from verifier.verify import verify

TEXT = "a typed seed"


def drawn_by(events, seat):
    """Return (hand, position, face) of each face that events gave a seat privately."""
    return [
        (event["body"]["hand"], card["position"], card["face"])
        for event in events
        for card in event.get("private", {}).get("drawn", ())
        if event["body"]["seat"] == seat
    ]


def all_events(player):
    events: list[Any] = []
    more = True
    while more:
        page = player.get(f"events?after={len(events) - 1}")
        events, more = events + page["events"], page["has_more"]
    return events


def held_by(service, record, keys=()):
    """Return what the verifier takes from the file, with the keys that its holder noted."""
    mine = parse_my_record(json.dumps(record))
    return Held(
        game=mine.game,
        notes=mine.notes,
        own_seed=mine.own_seed,
        hand_cards=mine.hand_cards,
        receipt_keys=tuple(parse_key(key) for key in keys or [service.key.vkey]),
    )


def check(service, game, held):
    data = service.call("GET", f"/v1/games/{game}/transcript").data
    return verify(io.BytesIO(data), held)


def filled(player):
    """Put in what only the player's program knows."""
    record = player.get("my-record")
    for seed in record["seeds"]:
        assert (seed["text"], seed["nonce"]) == (None, None)
        seed.update(text=TEXT, nonce="0" * 64)
    return record


def test_each_face_that_a_seat_draws_comes_with_a_signed_note(service):
    _, players = service.started("hhbb", hands=1)
    answers: list[Any] = []
    while (chosen := [(p, c) for p in players if (c := p.choose()) is not None]) and (
        len(answers) < 24
    ):
        player, (expect, act) = chosen[0]
        answers.append((player, player.act(expect, act)))
    found = 0
    for player, answer in answers:
        for event in answer["events"]:
            for card in event.get("private", {}).get("drawn", ()):
                assert event["body"]["seat"] == player.seat
                text = open_note(card["note"], [service.key.verifying_key])
                assert text == card_text(
                    ORIGIN, player.game, event["body"]["hand"], player.seat,
                    card["position"], card["face"],
                )  # fmt: skip
                found += 1
    assert found >= 5


def test_my_record_holds_what_the_seat_was_shown_and_no_more(service):
    _, players = service.started("hhbb", hands=2)
    for _ in range(10):
        chosen = [(p, c) for p in players if (c := p.choose()) is not None]
        player, (expect, act) = chosen[0]
        player.act(expect, act)
    for player in players:
        record, events = player.get("my-record"), all_events(player)
        keys = [service.key.verifying_key]
        notes = [open_note(note, keys).split("\n")[1:-1] for note in record["card_notes"]]
        assert notes == [
            [ORIGIN, player.game, str(hand), str(player.seat), str(position), face]
            for hand, position, face in drawn_by(events, player.seat)
        ]
        deal = next(event for event in events if event["type"] == "deal")
        shown = {"cards": deal["private"]["cards"], "salt": deal["private"]["salt"]}
        assert record["hand_cards"] == [{"hand": 1, "seat": player.seat, **shown}]
        assert record["open_hash"] == player.seating["commitment"]["open_hash"]
        assert record["receipt_keys"] == [service.key.vkey]
        covered = [int(open_note(note, keys).split("\n")[3]) for note in record["receipts"]]
        kept = [event["n"] for event in events if event["type"] != "act"]
        assert covered == sorted({*kept, events[-1]["n"]})
        assert record["seeds"] == [{"epoch": 1, "text": None, "nonce": None}]
        assert (record["game"], record["seat"]) == (player.game, player.seat)


@pytest.mark.parametrize("profile", ["open", "sealed"])
def test_the_verifier_reads_my_record_and_finds_nothing_wrong(service, profile):
    created = service.create("hhbb", profile=profile, hands=1)
    players = [service.seat(created, at) for at in (0, 1)]
    if profile == "sealed":
        for player in players:
            player.seal()
    for player in players:
        # The same text and nonce on two seats make two lines: the seat stands in them.
        player.share()
    play_out(players)
    for player in players:
        found = check(service, player.game, held_by(service, filled(player)))
        assert (found.verdict, found.errors) == ("VALID", ())
        assert found.level == "pinned"
        record = filled(player)
        record["seeds"][0]["text"] = "another text"
        wrong = check(service, player.game, held_by(service, record))
        assert "E_OWN_SEED" in [error.code for error in wrong.errors]


def test_a_face_that_was_not_dealt_is_fraud_by_its_signed_note(service):
    """The service signs a false face: what it opens later contradicts its own signature."""
    _, (player,) = service.started("hbbb", hands=1)
    play_out([player])
    record = filled(player)
    hand, position, face = next(
        tuple(open_note(note, [service.key.verifying_key]).split("\n")[i] for i in (3, 5, 6))
        for note in record["card_notes"]
    )
    other = "KS" if face != "KS" else "QS"
    text = card_text(ORIGIN, player.game, int(hand), player.seat, int(position), other)
    record["card_notes"][0] = service.key.sign(text)
    found = check(service, player.game, held_by(service, record))
    assert (found.verdict, [error.code for error in found.errors]) == (
        "FRAUD", ["E_SHOWN_OTHER_CARD"],
    )  # fmt: skip


def test_my_record_is_a_file_for_the_holder_of_the_seat_alone(service):
    created, (player,) = service.started()
    path = f"/v1/games/{created['id']}/my-record"
    answer = service.call("GET", path, token=player.token)
    assert answer.headers["Content-Disposition"] == (
        f'attachment; filename="{player.game}-my-record.json"'
    )
    assert service.call("GET", path).json["code"] == "no_key"
    assert service.call("GET", path, token=OPERATOR).json["code"] == "wrong_role"
    other = service.seat(service.create())
    assert service.call("GET", path, token=other.token).json["code"] == "not_your_seat"


def test_receipts_of_a_key_and_of_the_one_that_followed_it_both_verify(service):
    created, (player,) = service.started("hbbb", hands=1)
    old = service.key
    early = player.get("my-record")["receipts"][:2]
    new = SigningKey(ORIGIN, bytes(range(32)))
    service.dealer._clerk.key = new
    play_out([player])
    record = filled(player)
    record["receipts"] = early + record["receipts"][2:]
    both = check(service, player.game, held_by(service, record, [old.vkey, new.vkey]))
    assert (both.verdict, both.errors) == ("VALID", ())
    assert "W_RECEIPT_UNUSABLE" not in {warning.code for warning in both.warnings}
    one = check(service, player.game, held_by(service, record, [new.vkey]))
    assert "W_RECEIPT_UNUSABLE" in {warning.code for warning in one.warnings}
    assert created["id"] == player.game


def test_a_beacon_game_gives_its_seats_the_same_file(service):
    service.clock.set(time_of(1000) - 7500)
    beacon = {"chain": QUICKNET, "delay_ms": 6000}
    created = service.create("hbbb", beacon=beacon, hands=1)
    player = service.seat(created)
    player.share()
    service.clock.set(time_of(1000))
    service.dealer.advance(player.game)
    play_out([player])
    assert report(service, player.game).verdict == "VALID"
    found = check(service, player.game, held_by(service, filled(player)))
    assert (found.verdict, found.errors) == ("VALID", ())
