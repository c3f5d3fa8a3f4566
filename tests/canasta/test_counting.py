"""Counts that any change of a rule moves: meld compositions (R-89) and sequences of acts."""

from dataclasses import replace
from itertools import product

import pytest

from fairdeal.canasta import cards, engine, presets
from fairdeal.canasta.position import BLACK3_SLOT, WILD_SLOT
from fairdeal.canasta.shape import fits
from fairdeal.fairness.deal import deal
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import steps

CLASSIC = presets.build("classic@1")
NATURALS, DEUCES, JOKERS, BLACK_THREES = 8, 8, 4, 4
"""How many of each kind two packs with four jokers hold."""


def compositions(ranks, threes=CLASSIC):
    """Count (rank, naturals, deuces, jokers) that make a new meld, by the engine's predicate."""
    mixes = list(product(range(NATURALS + 1), range(DEUCES + 1), range(JOKERS + 1)))
    melds = sum(
        fits(ranks, slot, (0, 0), naturals, deuces + jokers)
        for slot in range(WILD_SLOT)
        for naturals, deuces, jokers in mixes
        if naturals + deuces + jokers
    )
    groups = sum(
        fits(threes, BLACK3_SLOT, (0, 0), naturals, 0) for naturals in range(1, BLACK_THREES + 1)
    )
    return melds, groups


def closed_form(min_naturals=2, max_wilds=3, min_size=3, wilds_allowed=lambda n, w: True):
    """The same number of ordinary melds, from the number of mixes of w wilds."""
    mixes = [
        sum(1 for jokers in range(JOKERS + 1) if 0 <= wilds - jokers <= DEUCES)
        for wilds in range(DEUCES + JOKERS + 1)
    ]
    return 11 * sum(
        mixes[wilds]
        for naturals in range(min_naturals, NATURALS + 1)
        for wilds in range(min(max_wilds, DEUCES + JOKERS) + 1)
        if naturals + wilds >= min_size and wilds_allowed(naturals, wilds)
    )


def test_classic_has_761_melds_counted_two_ways():
    melds, groups = compositions(CLASSIC)
    assert (melds, groups) == (759, 2)
    assert closed_form() == 759


@pytest.mark.parametrize(
    ("changes", "count", "form"),
    [
        ({"meld_min_naturals": 1}, 838, {"min_naturals": 1}),
        ({"meld_min_size": 2}, 772, {"min_size": 2}),
        ({"meld_max_wilds": 2}, 453, {"max_wilds": 2}),
        ({"meld_max_wilds": 4}, 1146, {"max_wilds": 4}),
        ({"meld_max_wilds": None}, 3456, {"max_wilds": 12}),
        ({"wild_ratio": "le_naturals"}, 717, {"wilds_allowed": lambda n, w: w <= n}),
        ({"wild_ratio": "lt_naturals"}, 640, {"wilds_allowed": lambda n, w: w < n}),
    ],
)
def test_one_changed_rule_moves_the_count(changes, count, form):
    """Each change touches R-18 to R-20 only; the black-three groups (R-26) stay two."""
    melds, groups = compositions(replace(CLASSIC, **changes))
    assert melds + groups == count
    assert closed_form(**form) + 2 == count


def test_without_black_threes_759_are_left():
    assert compositions(CLASSIC)[0] == 759


def test_partnership_has_717_melds():
    assert sum(compositions(presets.build("partnership@1"))) == 717


SMALL = replace(
    CLASSIC, players=2, sides="solo", permission="off", decks=1, jokers=2, hand_size=6, target=None,
    max_hands=1,
)  # fmt: skip
PERFT = {
    (5, (0, 0)): (1, 7, 7, 49, 49, 301, 301),
    (23, (-5, -5)): (1, 7, 12, 35, 89, 261, 614, 1388),
    (29, (-5, -5)): (1, 6, 6, 60, 162, 395, 878, 2844),
    (41, (-5, -5)): (1, 7, 17, 63, 199, 614, 1763),
}
"""By the multiplier of the order and the totals: how many sequences of 1, 2, 3, … listed acts."""


def small_position(multiplier, totals):
    """Deal the small deck in the order 0, m, 2m, … modulo the next prime behind it."""
    deck = list(cards.deck(SMALL.decks, SMALL.jokers))
    order = [(place * multiplier) % 59 for place in range(1, 59)]
    order = [place - 1 for place in order if place - 1 < len(deck)]
    dealt = deal(order, deck, parse_steps(steps(SMALL), cards=len(deck), seats=2), 2, 0)
    return engine.start(
        SMALL,
        holdings=[[deck[index] for index in hand] for hand in dealt.hands],
        laid=[[deck[index] for index in hand] for hand in dealt.laid],
        up=[deck[index] for index in dealt.up],
        stock=[deck[index] for index in dealt.stock],
        first_seat=0,
        totals=totals,
    )


def perft(position, depth):
    """Count the sequences of listed acts of a length."""
    if depth == 0:
        return 1
    listed = list(engine.legal_acts(position))
    if depth == 1:
        return len(listed)
    total = 0
    for act in listed:
        after = position.copy()
        engine.play(after, after.turn, act)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize("case", PERFT, ids=str)
def test_sequences_of_acts_are_counted(case):
    position = small_position(*case)
    counts = PERFT[case]
    assert tuple(perft(position, depth) for depth in range(1, len(counts) + 1)) == counts
