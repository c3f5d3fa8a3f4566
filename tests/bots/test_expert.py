"""``expert@1``: legal everywhere, the same for the same seed, and blind to what is hidden."""

from itertools import islice
from random import Random

import pytest

from benchmarks import honesty
from benchmarks.hands import dealt
from benchmarks.rulesets import by_chance
from fairdeal.bots import expert, levels
from fairdeal.bots.seen import see
from fairdeal.canasta import engine, presets
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.view import knowledge
from tests.bots.test_worlds import positions, rules_of

BRIEF = "expert@1:20"


def play(rules, chance, bot):
    """Play a hand in which one level has all seats; every act is checked."""
    position, memory = dealt(rules, chance), Memory.fresh(rules.players)
    for ply in range(3000):
        if position.end:
            return position
        seat = position.turn
        act = levels.choose(bot, knowledge(position, seat), seat, memory, ply)
        engine.check(position, seat, act)
        memory = memory.after(position, seat, act)
        position = engine.apply(position, seat, act).position
    raise AssertionError("the hand does not end")


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(presets.PRESETS))
def test_it_plays_every_preset_to_the_end_by_legal_acts(preset):
    assert play(rules_of(preset), Random(f"expert {preset}"), "expert@1:4").end


@pytest.mark.slow
def test_it_plays_any_ruleset_to_the_end_by_legal_acts():
    for number in range(12):
        chance = Random(f"expert {number}")
        assert play(by_chance(chance), chance, "expert@1:3").end


@pytest.mark.slow
def test_hidden_cards_in_other_places_do_not_move_it():
    moved = 0
    for position, memory, seat in islice(positions(rules_of("classic@1"), "honest", 20), 40):
        twin = honesty.twin(position, seat, memory, Random(1))
        moved += twin.held != position.held
        acts = [
            levels.choose(BRIEF, knowledge(one, seat), seat, memory, 7) for one in (position, twin)
        ]
        assert acts[0] == acts[1]
    assert moved > 30


def test_it_weighs_what_it_chooses_from_best_first():
    compared = 0
    for position, memory, seat in islice(positions(rules_of("classic@1"), "weigh", 9), 30):
        seen = see(knowledge(position, seat), seat, memory)
        weighed = expert.weigh(seen, 3, budget=20)
        assert expert.choose(seen, 3, budget=20) == weighed[0].move
        assert len(weighed) <= expert.MOST
        if len(weighed) > 1:
            compared += 1
            assert all(type(one.value) is int for one in weighed)
    assert compared > 5


def test_a_budget_is_part_of_a_name_for_measuring_only():
    plain, brief = levels.level_of("expert@1"), levels.level_of(BRIEF)
    assert plain is levels.LEVELS["expert@1"]
    assert (brief.name, brief.weight, plain.weight) == (BRIEF, 10, 10)
    assert levels.weight_of(BRIEF) == 10
    assert not levels.is_known(BRIEF)
    for name in ("expert@1:", "expert@1:0", "expert@1:-5", "expert@1:1000000", "steady@1:20", "x"):
        with pytest.raises(KeyError):
            levels.level_of(name)


def test_the_budget_in_the_name_is_what_is_spent():
    position, memory, seat = next(
        one
        for one in positions(rules_of("classic@1"), "budget", 9)
        if len(expert.weigh(see(knowledge(one[0], one[2]), one[2], one[1]), 1, budget=1)) > 4
    )
    seen = see(knowledge(position, seat), seat, memory)
    for budget in (20, 100):
        level = levels.level_of(f"expert@1:{budget}")
        assert level.weigh(seen, 1) == expert.weigh(seen, 1, budget=budget)
    assert expert.weigh(seen, 1) == levels.LEVELS["expert@1"].weigh(seen, 1)
