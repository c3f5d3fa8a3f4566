"""The best opening total is exact: the same as trying every act there is."""

import itertools
import random

import pytest

from fairdeal.canasta import cards, explain, pile
from fairdeal.canasta.explain.asif import drawn
from fairdeal.canasta.explain.opening import firsts, opens_door
from fairdeal.canasta.judge import judge
from fairdeal.canasta.moves import LAY, TAKE, Heap, Move, class_of_slot
from fairdeal.canasta.position import BLACK3_SLOT, SLOTS, WILD_SLOT, Position
from tests.canasta.positions import rules

CHANGES = [
    {},
    {"canastas_to_go_out": 0},
    {"wild_ratio": "lt_naturals", "go_out_discard": "required"},
    {"incomplete_meld_limit": 1, "keep_card_guard": "strict"},
    {"wild_melds": "allowed", "canastas_to_go_out": 0, "go_out_discard": "required"},
    {"permission": "required", "canastas_to_go_out": 0},
    {"meld_max_wilds": None, "go_out_needs_natural": True},
    {"red3_from_pile_replaced": True, "frozen_before_opening": False},
    {"meld_min_naturals": 1, "canasta_min_naturals": 4},
]


def spread(position, seat, faces):
    for face in faces:
        card = cards.NUMBER[face]
        position.held[seat][card] += 1
        position.counts[seat][cards.CLASS_OF[card]] += 1
        position.sizes[seat] += 1


def dealt(rng, changes):
    """A small holding of few ranks, so that much can be laid, before an unopened table."""
    position = Position(rules(**changes), (0, 0))
    ranks = rng.sample("456789TJQKA", rng.choice([1, 2, 2, 3]))
    deck = [rank + suit for rank in ranks for suit in "CDHS"] * 2
    deck += ["2C", "2D", "JK", "3C", "3S", "3C"] * rng.randint(0, 2)
    rng.shuffle(deck)
    size = rng.randint(2, 7)
    spread(position, 0, deck[:size])
    under = rng.choice([[], [], deck[size : size + 1], deck[size : size + 2], ["3D"]])
    top = rng.choice(deck)
    position.pile = [cards.NUMBER[face] for face in (*under, top)]
    position.stock = (0,) * rng.choice([0, 5])
    position.shown = [True] * 4
    return position


def every_heap(counts, slot):
    naturals = range(counts[class_of_slot(slot)] + 1) if slot != WILD_SLOT else range(1)
    wild = slot != BLACK3_SLOT
    deuces = range(counts[cards.DEUCE] + 1 if wild else 1)
    jokers = range(counts[cards.JOKER] + 1 if wild else 1)
    return [
        heap
        for heap in (Heap(slot, *one) for one in itertools.product(naturals, deuces, jokers))
        if heap.size
    ]


def every_move(counts, kind, first=()):
    """Every set of groups that the counts allow, legal or not."""
    taken = {heap.slot for heap in first}

    def grow(slot, heaps):
        if slot == SLOTS:
            if heaps:
                yield Move(kind, heaps)
            return
        yield from grow(slot + 1, heaps)
        if slot in taken:
            return
        for heap in every_heap(counts, slot):
            more = (*heaps, heap)
            if (
                sum(one.deuces for one in more) <= counts[cards.DEUCE]
                and sum(one.jokers for one in more) <= counts[cards.JOKER]
            ):
                yield from grow(slot + 1, more)

    yield from grow(0, tuple(first))


def worth(position, move):
    points = sum(
        heap.naturals * cards.VALUES[class_of_slot(heap.slot)] + 20 * heap.deuces + 50 * heap.jokers
        for heap in move.heaps
    )
    top = cards.VALUES[cards.CLASS_OF[position.pile[-1]]] if move.kind == TAKE else 0
    return points + top


def best(position, moves):
    """The greatest total of the moves that break no rule but the opening minimum."""
    found = [
        worth(position, move)
        for move in moves
        if set(judge(position, 0, move)) <= {"OPENING_MINIMUM"}
    ]
    return max(found, default=None)


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_the_best_lay_is_the_best_of_all_lays(changes):
    rng = random.Random(str(changes))
    reached = 0
    for _ in range(30):
        position = drawn(dealt(rng, changes), 0)
        if rng.random() < 0.7:  # no card is unknown, so the partner may have answered
            position.sizes[0] = sum(position.counts[0])
            position.answer = rng.choice(["", "yes", "no"])
        found = explain.best_lay(position, 0)
        wanted = best(position, every_move(position.counts[0], LAY))
        assert (found.points if found else None) == wanted
        if found:
            reached += 1
            assert worth(position, found.move) == found.points
            assert set(judge(position, 0, found.move)) <= {"OPENING_MINIMUM"}
    assert reached > 4


@pytest.mark.parametrize("wilds", ["", "2C", "2C JK"])
@pytest.mark.parametrize("others", ["", "4C", "4C 4D", "4C 4D 4H"])
@pytest.mark.parametrize("size", [6, 7, 8])
def test_the_best_lay_is_exact_around_a_natural_canasta(size, others, wilds):
    position = Position(rules(go_out_needs_natural=True), (0, 0))
    nines = ["9C", "9D", "9H", "9S"] * 2
    spread(position, 0, [*nines[:size], *others.split(), *wilds.split()])
    position.phase, position.drew, position.shown = "play", "stock", [True] * 4
    found = explain.best_lay(position, 0)
    assert (found.points if found else None) == best(position, every_move(position.counts[0], LAY))


@pytest.mark.slow
@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_the_best_take_is_the_best_of_all_takes_through_its_door(changes):
    rng = random.Random(str(changes))
    reached = 0
    for _ in range(60):
        position = dealt(rng, changes)
        if pile.top_fault(position):
            continue
        for door in pile.doors(position, 0):
            own = firsts(position, 0, door)
            if door == pile.LAY_ON_MELD:
                continue
            assert all(opens_door(door, heap) for heap in own)
            found = explain.best_take(position, 0, own)
            moves = [
                move for first in own for move in every_move(position.counts[0], TAKE, (first,))
            ]
            wanted = best(position, moves)
            assert (found.points if found else None) == wanted
            reached += found is not None
    assert reached > 4
