"""Every accepted act splits into listed steps, suits aside (decisions, 10)."""

from random import Random
from typing import Any

import pytest

from benchmarks.closure import accepts, every_move, is_closed, run, sampled_moves
from benchmarks.players import STYLES, played
from fairdeal.canasta import acts, engine, presets
from fairdeal.canasta.judge import can_finish_now
from fairdeal.canasta.moves import compose, to_act
from fairdeal.canasta.position import PLAY
from tests.canasta.positions import CANASTA, CLASSIC, at, legal

# Those in which groups are bound together most: a guard at each step, a ratio, wild melds, a limit.
OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("partnership@1", {}),
    ("hoyle@1", {}),
    ("two-player-pagat@1", {}),
    ("uruguay@1", {}),
    ("partnership@1", {"incomplete_meld_limit": 2}),
    ("hoyle@1", {"canastas_to_go_out": 2, "go_out_discard": "required"}),
    ("classic@1", {"opening_canasta_satisfies": True, "opening_bands": [[None, 300]]}),
]


@pytest.mark.slow
def test_accepted_acts_of_classic_hands_split_into_listed_steps():
    count = run(CLASSIC, positions=80, seed=11)
    assert count.open == []
    assert count.in_full > 40
    assert count.acts > 300


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "changes"), OTHERS)
def test_accepted_acts_of_other_rulesets_split_into_listed_steps(preset, changes):
    count = run(presets.build(preset, changes), positions=8, seed=12)
    assert count.open == []
    assert count.acts > 20


@pytest.mark.parametrize(
    ("position", "least"),
    [
        (at("KC KD KH 9C 9D 9H AC AD 2C JK 4C 5C", phase="play"), 100),
        (at("KC KD KH 9C 9D 9H AC AD 2C JK 4C", pile="5C 6D KS"), 60),
        (at("KC KD KH 9C 9D 9H AC AD 2C JK 4C", pile="5C 6D KS", totals=(3000, 0)), 20),
        (at("4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C", phase="play", totals=(3200, 0)), 2),
        (at("3C 3C 3S KC KD KH 9D 2C", a={"9": CANASTA}, phase="play"), 40),
        (at("4D 2C", a={"4": "4C 4D 4H 4S 4C 2H", "Q": "QC QD QH QS QC QD"}, phase="play",
            canastas_to_go_out=2, keep_card_guard="strict"), 1),
        (at("9S 5C 5D 5H QC QD", a={"9": "9C 9C 9D 9D 9H 9H", "8": "8C 8D 8H"}, phase="play",
            incomplete_meld_limit=2), 4),
    ],
)  # fmt: skip
def test_all_compositions_of_a_holding_split_where_they_are_accepted(position, least):
    every = every_move(position)
    assert every is not None
    accepted = [move for move in every if accepts(position, move)]
    assert len(accepted) >= least
    assert len(accepted) < len(every)
    for move in accepted:
        assert is_closed(position, move), move


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["classic@1", "partnership@1", "basics@1", "uruguay@1"])
def test_the_search_for_a_going_out_finds_it_exactly_where_there_is_one(preset):
    rules = presets.build(preset)
    found = {True: 0, False: 0}
    for seed in range(60):
        for position, seat, _ in played(rules, seed, STYLES[seed % 4]):
            if position.phase != PLAY or position.answer or not 0 < position.sizes[seat] <= 7:
                continue
            every = every_move(position)
            assert every is not None
            out = any(m.used == position.sizes[seat] and accepts(position, m) for m in every)
            assert can_finish_now(position, seat) == out
            found[out] += 1
    assert min(found.values()) > 20, found


def test_a_move_that_no_listed_steps_make_is_seen():
    position = at("KC KD KH 9C 9D 9H 4C 5C", phase="play", totals=(1500, 0))
    (move, faults) = compose(acts.parse("lay 9:9C,9D,9H;K:KC,KD,KH"))
    assert faults == ()
    assert not accepts(position, move)
    assert not is_closed(position, move)


def test_samples_hold_acts_of_several_groups_and_with_a_discard():
    position = at("KC KD KH 9C 9D 9H AC AD AH 4C 5C 6C 7C 8C", phase="play")
    moves = sampled_moves(position, Random(3), tries=200)
    assert any(len(move.heaps) > 1 for move in moves)
    assert any(move.heaps and move.discard >= 0 for move in moves)
    for move in moves:
        engine.check(position, 0, to_act(position, 0, move))


def test_what_is_listed_for_an_opening_is_minimal():
    # 50 are asked: no pair of groups of which one would do, no group with a card too many.
    position = at("KC KD KH KS 9C 9D 9H AC AD AH 4C 5C", phase="play")
    lays = [text for text in legal(position) if text.startswith("lay")]
    assert "lay A:AC,AD,AH" in lays
    assert "lay 9:9C,9D,9H;K:KC,KD,KH" in lays
    assert not [text for text in lays if "A:" in text and ";" in text]
    assert "lay 9:9C,9D,9H;K:KC,KD,KH,KS" not in lays
