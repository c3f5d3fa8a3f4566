"""Trying an act out says what doing it would say, from what the seat knows alone."""

import json
from dataclasses import replace

import pytest

from fairdeal.canasta import acts, engine
from fairdeal.errors import Conflict, FairdealError, MalformedInput, NotFound, RuleBroken
from fairdeal.fairness.keys import Secret
from fairdeal.game import GameConfig, SeatConfig, open_body, replay, would
from fairdeal.game.decide import read_act
from fairdeal.records.chain import make
from tests.explain.games import hidden_permuted, pick, positions

ODD = [
    "draw", "end", "show", "yes", "no", "ask", "discard 4C", "discard JK", "take 4",
    "take K:KC,KD", "lay 4:4C,4D,4H", "lay K:KC,KD,KH x AS", "take A:AC,AD;K:KC,KD,KH",
]  # fmt: skip


def game_with(position):
    """Return a game in which this position is in play."""
    kinds = [SeatConfig(kind="player")] * 4
    config = GameConfig(origin="here", seats=tuple(kinds), hands=1, reveal_by=1)
    master = Secret(bytes(64))
    body = open_body(config, "g" + "a" * 16, master)
    game = replay([make(None, "g" + "a" * 16, 1, "open", body)], master)
    seats = position.rules.players
    return replace(
        game, ruleset=position.rules, position=position, in_play=True, totals=position.totals,
        stood_in=(0,) * seats, heard=(0,) * seats,
        opening={**game.opening, "seats": [{"kind": "player", "label": ""}] * seats},
    )  # fmt: skip


def tried(what, *args):
    try:
        return what(*args)
    except FairdealError as refusal:
        return (type(refusal), refusal.code, refusal.sentence, json.dumps(refusal.facts))


def texts(position, rng):
    found = [rng.choice(ODD)]
    if not position.end:
        found.append(acts.format_act(pick(position, rng)))
    return found


def test_an_act_is_refused_in_trying_just_as_in_doing():
    refused = allowed = 0
    for position, rng in positions(300, 11):
        game = game_with(position)
        for text in texts(position, rng):
            for seat in (position.turn, (position.turn + 1) % position.rules.players):
                tells, does = tried(would, game, seat, text), tried(decide_on, game, seat, text)
                if isinstance(tells, tuple):
                    refused += 1
                    assert tells == does
                else:
                    allowed += 1
                    assert does == "done"
                    assert tells["act"] == text
                    assert 0 < len(tells["sentence"]) <= 140
    assert min(refused, allowed) > 100


def decide_on(game, seat, text):
    # Without the records: what follows the end of a hand needs a deal of this very game.
    act, position = read_act(game, seat, text)
    engine.apply(position, seat, act)
    return "done"


def test_what_is_told_rests_on_nothing_that_the_seat_cannot_see():
    for position, rng in positions(200, 12):
        for text in texts(position, rng):
            seat = position.turn
            other = hidden_permuted(position, seat, rng)
            assert tried(would, game_with(position), seat, text) == tried(
                would, game_with(other), seat, text
            )


def test_where_nothing_can_be_done_nothing_can_be_tried():
    position, _ = next(positions(1, 3))
    game = game_with(position)
    with pytest.raises(NotFound):
        would(game, 9, "draw")
    with pytest.raises(MalformedInput):
        would(game, 0, "draw two")
    with pytest.raises(Conflict) as refused:
        would(replace(game, position=None), 0, "draw")
    assert refused.value.code == "no_hand"
    with pytest.raises(RuleBroken):
        would(game, position.turn, "yes")


def test_warnings_are_told_where_hints_are_on():
    told = {"on": 0, "off": 0}
    for position, rng in positions(400, 13):
        if position.end:
            continue
        text = acts.format_act(pick(position, rng))
        for hints in told:
            position.rules = replace(position.rules, hints=hints)
            told[hints] += len(would(game_with(position), position.turn, text)["warnings"])
    assert told["on"] > 0
    assert told["off"] == 0
