"""The search: the same worlds for all moves, whole numbers, clear leads."""

from itertools import islice

import pytest

from fairdeal.bots import appraisal, fast
from fairdeal.bots.plans import considered
from fairdeal.bots.search import First, Search, _is_clear, search
from fairdeal.bots.seen import see
from fairdeal.canasta import presets
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.moves import DISCARD
from fairdeal.canasta.referee import allows
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.view import knowledge
from tests.bots.test_worlds import positions, rules_of


def choices(preset="classic@1", count=20, hands=10):
    """Give what seats see where they have a choice, with the moves."""
    found = (
        (seen, considered(seen.core))
        for position, memory, seat in positions(rules_of(preset), "search", hands)
        for seen in [see(knowledge(position, seat), seat, memory)]
    )
    return list(islice(((seen, moves) for seen, moves in found if len(moves) > 1), count))


@pytest.mark.parametrize("preset", sorted(presets.PRESETS))
def test_all_moves_considered_are_legal_and_the_rules_of_thumb_are_among_them(preset):
    for seen, moves in choices(preset, 40, 4):
        assert len(set(moves)) == len(moves)
        assert all(allows(seen.core, move) for move in moves)
        assert fast.move(seen.core) in moves


def test_the_same_search_gives_the_same_values_and_another_seed_others():
    seen, moves = choices(count=1)[0]
    once, again, other = (search(seen, seed, moves, 100) for seed in (1, 1, 2))
    assert [(one.move, one.values) for one in once] == [(one.move, one.values) for one in again]
    assert [one.values for one in once] != [one.values for one in other]


def test_all_moves_are_searched_and_those_that_did_well_longest():
    for seen, moves in choices(count=8):
        found = search(seen, 3, moves, 120)
        assert sorted(one.move for one in found) == sorted(moves)
        assert min(len(one.values) for one in found) >= 1
        assert len(found[0].values) == max(len(one.values) for one in found)
        assert sum(len(one.values) for one in found) <= 120 + len(moves) * 4


def test_what_follows_is_searched_too_once_a_move_has_been_visited_often():
    seen, moves = choices(count=1)[0]
    tree, first = Search(seen, 1), First(moves[0])
    for _ in range(120):
        tree.visit(first)
    assert first.edge.visits == 120 == len(first.values)
    assert first.edge.total == sum(first.values)
    below = [edge for node in first.edge.below.values() for edge in node.values()]
    assert sum(edge.visits for edge in below) > 20
    assert all(edge.visits <= edge.offered for edge in below)


def test_a_lead_is_clear_when_it_is_more_than_chance():
    def first(*values):
        one = First(fast.DRAWS)
        one.values.extend(values)
        return one

    assert _is_clear(first(10, 10, 10), first(0, 0, 0))
    assert not _is_clear(first(0, 0, 0), first(0, 0, 0))
    assert not _is_clear(first(0, 0), first(10, 10))
    assert not _is_clear(first(900, -800, 0, 0), first(0, 0, 0, 0))
    assert _is_clear(first(900, 800, 0, 0), first(0, 0, 0, 0))


def play_on(core, phase):
    """Play by rules of thumb until a phase comes; say whether it came."""
    while core.phase not in (phase, "over"):
        core.step(fast.move(core))
    return core.phase == phase


def test_an_appraisal_is_what_the_hand_comes_to_on_the_whole():
    rules = rules_of("classic@1")
    assert appraisal.fits(rules)
    assert not any(map(appraisal.fits, map(rules_of, ("two-player@1", "uruguay@1"))))
    both = []
    for position, _, _ in positions(rules, "appraisal", 60, every=30):
        core = Counts.from_position(position)
        if play_on(core, "draw"):
            guess = appraisal.appraise(core)
            play_on(core, "over")
            one, other = (side.hand for side in sheet(core))
            both.append((guess, one - other))
    assert len(both) > 100
    blind = sum(value * value for _, value in both)
    assert sum((value - guess) ** 2 for guess, value in both) < 0.75 * blind


def test_two_ways_to_the_same_discard_are_one_move():
    for seen, moves in choices(count=30):
        thrown = [move.discard for move in moves if move.kind == DISCARD]
        assert len(thrown) == len(set(thrown))
        assert seen.core.turn == seen.seat
