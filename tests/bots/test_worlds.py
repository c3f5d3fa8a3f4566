"""Worlds of a search: whole hands that fit what a seat sees."""

from random import Random

import pytest

from benchmarks.hands import dealt
from benchmarks.rulesets import SIX, by_chance
from fairdeal.bots.chance import words
from fairdeal.bots.habits import BLIND, MOST, likely
from fairdeal.bots.seen import see, whole_deck
from fairdeal.bots.worlds import worlds_of
from fairdeal.canasta import cards, engine, presets
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.sampling import sample
from fairdeal.canasta.view import knowledge


def positions(rules, seed, hands, every=7):
    """Give positions of hands played by chance, with the memory and the seat in turn."""
    for number in range(hands):
        chance = Random(f"worlds {seed} {number}")
        position, memory, ply = dealt(rules, chance), Memory.fresh(rules.players), 0
        told = words(number)
        while not position.end:
            seat = position.turn
            if ply % every == number % every:
                yield position, memory, seat
            move = sample(Counts.from_position(position), told)
            act = to_act(position, seat, move)
            memory = memory.after(position, seat, act)
            position = engine.apply(position, seat, act).position
            ply += 1


def rules_of(preset):
    return presets.build(preset, SIX if preset == "six-player@1" else None)


def deck_of(core):
    """Count the cards of a hand by class, wherever they lie."""
    found = [sum(held) for held in zip(*core.counts, strict=True)]
    for card in [*core.pile, *core.stock[core.drawn :]]:
        found[CLASS_OF[card]] += 1
    for side, naturals in enumerate(core.naturals):
        jokers = sum(core.jokers[side])
        for slot, number in enumerate(naturals[:11]):
            found[slot] += number
        found[cards.BLACK3] += naturals[12]
        found[cards.DEUCE] += sum(core.wilds[side]) - jokers
        found[cards.JOKER] += jokers
        found[cards.RED3] += core.reds[side]
    return found


def check(position, memory, seat, number):
    """Hold a world to everything that the seat knows; give its class counts of the others."""
    seen = see(knowledge(position, seat), seat, memory)
    blank = [row[:] for row in seen.core.counts]
    core = worlds_of(seen).draw(5, number)
    rules = position.rules
    assert deck_of(core) == whole_deck(rules.decks, rules.jokers)
    assert core.counts[seat] == position.counts[seat]
    assert [sum(row) for row in core.counts] == position.sizes == core.sizes
    assert core.stock_left == position.stock_left
    for other in range(rules.players):
        if other == seat:
            continue
        assert all(map(int.__ge__, core.counts[other], memory.sure(other)))
        waits = rules.red3_initial_when == "at_own_first_turn" and not position.shown[other]
        assert waits or not core.counts[other][cards.RED3]
    assert seen.core.counts == blank
    return core.counts


@pytest.mark.parametrize("preset", sorted(presets.PRESETS))
def test_a_world_keeps_everything_public_and_the_whole_deck(preset):
    looked = 0
    for position, memory, seat in positions(rules_of(preset), preset, 4):
        check(position, memory, seat, looked)
        looked += 1
    assert looked > 30


def test_a_world_of_any_ruleset_keeps_everything_public_and_the_whole_deck():
    for number in range(25):
        rules = by_chance(Random(f"worlds {number}"))
        for position, memory, seat in positions(rules, "chance", 1, every=11):
            check(position, memory, seat, number)


def test_red_threes_that_wait_lie_in_holdings_now_and_then():
    waiting = 0
    for position, memory, seat in positions(rules_of("bicycle@1"), "red", 30, every=1):
        if not all(position.shown):
            counts = check(position, memory, seat, 0)
            waiting += sum(row[cards.RED3] for at, row in enumerate(counts) if at != seat)
    assert waiting > 10


def test_the_same_seed_and_number_give_the_same_world_and_others_give_others():
    (position, memory, seat), *_ = positions(rules_of("classic@1"), "same", 1)
    worlds = worlds_of(see(knowledge(position, seat), seat, memory))
    one, same = worlds.draw(1, 0), worlds.draw(1, 0)
    assert (one.counts, one.stock) == (same.counts, same.stock)
    others = [worlds.draw(1, 1), worlds.draw(2, 0)]
    assert all(other.counts != one.counts for other in others)


def test_who_threw_a_rank_or_could_have_laid_it_seldom_holds_it():
    for position, memory, seat in positions(rules_of("classic@1"), "habits", 6):
        seen = see(knowledge(position, seat), seat, memory)
        rows = likely(seen)
        assert all(0 < number <= MOST for row in rows for three in row for number in three)
        for other, thrown in enumerate(memory.thrown):
            if other == seat or not any(thrown):
                assert rows[other] == BLIND
                continue
            mine = seen.core.standing[seen.core.side_of[other]]
            for klass in range(11):
                if klass in mine or thrown[klass]:
                    assert rows[other][klass][0] < BLIND[klass][0]
