"""What everybody remembers of a hand: it agrees with what the records tell, and with the truth."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hands import dealt
from benchmarks.players import LAYING, choose
from fairdeal.canasta import acts, cards, engine, presets
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.whereabouts import held_for_sure

NAMES = sorted(name for name in presets.PRESETS if name != "six-player@1")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), name=st.sampled_from(NAMES))
def test_memory_tells_what_a_reading_of_all_acts_tells_and_never_more_than_is_held(seed, name):
    rules = presets.build(name)
    chance = Random(seed)
    position = dealt(rules, chance)
    up = [cards.FACES[card] for card in position.pile]
    memory, played = Memory.fresh(rules.players), []
    while not position.end:
        seat, act = position.turn, choose(position, LAYING, chance)
        memory = memory.after(position, seat, act)
        played.append((seat, act))
        position = engine.apply(position, seat, act).position
        for other in range(rules.players):
            held = position.held[other]
            assert all(n <= m for n, m in zip(memory.held[other], held, strict=True))
            sure = memory.sure(other)
            assert sum(sure) == sum(memory.held[other])
            assert sure[cards.RED3] == 0
    read = held_for_sure(rules.players, up, played)
    for seat, row in enumerate(memory.held):
        assert {cards.FACES[card]: n for card, n in enumerate(row) if n} == dict(+read[seat])
    thrown = [0] * rules.players
    for seat, act in played:
        thrown[seat] += isinstance(act, acts.Discard) or (
            isinstance(act, acts.Lay) and act.discard is not None
        )
    assert [sum(row) for row in memory.thrown] == thrown


def test_a_top_card_that_was_left_is_remembered_and_one_that_nobody_could_take_is_not():
    rules = presets.build("classic@1")
    position = dealt(rules, Random(4))
    seat, fresh = position.turn, Memory.fresh(4)
    assert fresh.after(position, seat, acts.Draw()) is fresh, "a pile of one card is no prize"
    position.pile = [cards.NUMBER["4C"], cards.NUMBER["9H"]]
    left = fresh.after(position, seat, acts.Draw()).left
    assert left[seat][cards.CLASS_OF[cards.NUMBER["9H"]]] == 1
    assert sum(map(sum, left)) == 1
    position.pile.append(cards.NUMBER["3S"])
    assert fresh.after(position, seat, acts.Draw()) is fresh, "a black three stops everybody"
