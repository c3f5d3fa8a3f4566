"""A slice of ``python -m benchmarks.honesty``: what a bot cannot see does not move it."""

from itertools import islice
from random import Random

import pytest

from benchmarks import honesty
from benchmarks.hands import cards_of
from fairdeal.bots import levels
from fairdeal.canasta import cards, engine
from fairdeal.canasta.view import knowledge

SOME = list(islice(honesty.positions(3, 0), 150))


def other_world(one, chance=None):
    position, seat, memory = one
    return honesty.twin(position, seat, memory, chance or Random(1))


@pytest.mark.slow
def test_every_level_chooses_the_same_act_when_hidden_cards_are_permuted():
    found = honesty.work((5, 0, 60))
    assert found["differences"] == []
    assert found["alone"] < 5
    assert set(found["levels"]) >= {"random@1", "steady@1", "greedy@1"}


def test_the_other_world_has_the_same_cards_and_shows_the_seat_the_same():
    moved = 0
    for one in SOME:
        position, seat, _ = one
        other = other_world(one)
        assert cards_of(other) == cards_of(position)
        assert list(map(sum, other.held)) == other.sizes == position.sizes
        assert list(map(sum, other.counts)) == other.sizes
        assert list(engine.legal_acts(other)) == list(engine.legal_acts(position))
        seen, same = knowledge(position, seat), knowledge(other, seat)
        assert (seen.held, seen.counts, seen.stock) == (same.held, same.counts, same.stock)
        moved += other.held != position.held
    assert moved > 0.9 * len(SOME)


def test_cards_that_all_saw_a_seat_take_stay_and_red_threes_stay_out_of_hands():
    sure = waiting = 0
    for one in SOME:
        position, seat, memory = one
        other = other_world(one)
        for at in range(position.rules.players):
            assert all(map(int.__ge__, other.held[at], memory.held[at]))
            sure += at != seat and any(memory.held[at])
            red = other.counts[at][cards.RED3]
            waiting += at != seat and red
            if position.rules.red3_initial_when == "before_first_turn" or position.shown[at]:
                assert red == (position.counts[at][cards.RED3] if at == seat else 0)
    assert sure > 20
    assert waiting > 0


def whole(position, _seat):
    """Hand a bot everything: the leak that is planted."""
    return position


def test_a_bot_that_peeks_at_another_holding_is_found():
    def peeks(_name, known, seat, _memory, _seed):
        acts = list(islice(engine.legal_acts(known), 50))
        other = known.held[(seat + 1) % known.rules.players]
        return acts[sum(card * n for card, n in enumerate(other)) % len(acts)]

    assert count(peeks, whole) > 10
    assert count(peeks, knowledge) == 0


def test_a_bot_that_peeks_at_the_stock_is_found():
    def peeks(_name, known, _seat, _memory, _seed):
        acts = list(islice(engine.legal_acts(known), 50))
        return acts[sum(known.stock[known.drawn : known.drawn + 1]) % len(acts)]

    assert count(peeks, whole) > 10
    assert count(peeks, knowledge) == 0


def test_a_bot_that_does_not_choose_alike_twice_is_found():
    chance = Random(1)

    def wavers(_name, known, _seat, _memory, _seed):
        return chance.choice(list(islice(engine.legal_acts(known), 50)))

    assert count(wavers, knowledge) > 10


def count(chooser, look):
    """Count in how many of some positions a bot chooses otherwise."""
    return sum(
        honesty.difference(
            "peeking", (one[0], other_world(one)), one[1], one[2], 1, look=look, chooser=chooser
        )
        is not None
        for one in SOME
    )


def test_no_level_looks_at_what_it_should_not_even_where_it_is_there():
    # Quick levels look at nothing hidden; what a search draws, it draws over what was there.
    for one in SOME[:60]:
        for name in ("random@1", "steady@1"):
            told = honesty.difference(
                name, (one[0], other_world(one)), one[1], one[2], 7, look=whole
            )
            assert told is None


def test_the_same_seed_gives_the_same_act_however_often_it_is_asked():
    position, seat, memory = SOME[10]
    known = knowledge(position, seat)
    acts = {str(levels.choose("random@1", known, seat, memory, 5)) for _ in range(3)}
    assert len(acts) == 1
