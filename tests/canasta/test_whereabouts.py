"""Counting the cards: what is seen and what is not, from one seat and from none."""

import random
from collections import Counter

import pytest

from fairdeal.bots import greedy
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.presets import PRESETS, build
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.whereabouts import held_for_sure, whereabouts
from tests.explain.games import SIX, deal


def played(preset, seed):
    """Play a hand; yield the position and the acts so far, before each act."""
    rules = build(preset, SIX if preset == "six-player@1" else None)
    position = deal(rules, random.Random(seed))
    up = tuple(cards.FACES[card] for card in position.pile)
    done: list[tuple[int, acts.Act]] = []
    while not position.end:
        yield position, up, done
        seat = position.turn
        act = greedy.choose(knowledge(position, seat), seat)
        done.append((seat, act))
        position = engine.apply(position, seat, act).position


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_what_is_unseen_is_the_stock_and_what_others_hold_unseen(preset):
    for position, up, done in played(preset, 7):
        for seat in (None, 0, 1):
            held = held_for_sure(position.rules.players, up, done)
            known = position if seat is None else knowledge(position, seat)
            told = whereabouts(known, seat, held)
            assert [one.face for one in told] == list(cards.FACES)
            truly = Counter(cards.FACES[card] for card in position.stock[position.drawn :])
            for other in range(position.rules.players):
                if other != seat:
                    truly.update(cards.FACES[card] for card in position.holding(other))
                    truly.subtract(held[other])
            assert {one.face: one.unseen for one in told} == {
                face: truly[face] for face in cards.FACES
            }


@pytest.mark.parametrize("preset", ["classic@1", "two-player@1", "bicycle@1"])
def test_what_is_held_for_sure_is_held(preset):
    some = False
    for seed in range(5):
        for position, up, done in played(preset, seed):
            held = held_for_sure(position.rules.players, up, done)
            for seat, sure in enumerate(held):
                there = Counter(cards.FACES[card] for card in position.holding(seat))
                assert not sure - there
                some = some or bool(+sure)
    assert some


def test_a_face_that_came_with_the_pile_is_held_until_it_is_played():
    taken = acts.parse("take 5:5C,5D")
    held = held_for_sure(2, ("9H", "5H"), [(0, taken)])
    assert +held[0] == {"9H": 1}
    held = held_for_sure(2, ("9H", "5H"), [(0, taken), (0, acts.parse("discard 9H"))])
    assert not +held[0]


def test_a_card_that_went_into_the_pile_again_comes_with_it_again():
    line = ["take 5:5C,5D", "discard 9H"], ["take 9:9C,9D", "discard 4C"]
    played = [(seat, acts.parse(text)) for seat, texts in enumerate(line) for text in texts]
    held = held_for_sure(2, ("9H", "8S", "5H"), played)
    assert +held[0] == {"8S": 1}
    assert not +held[1]
