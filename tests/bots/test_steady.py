"""``steady@1`` on positions made by hand: rules of thumb from its own cards and the table."""

import pytest

from fairdeal.bots import fast, levels, steady
from fairdeal.bots.fast_opening import opening
from fairdeal.bots.seen import see
from fairdeal.canasta import acts
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import Heap, to_act
from fairdeal.canasta.referee import allows
from fairdeal.canasta.tables import tables_of
from fairdeal.canasta.view import knowledge
from tests.canasta.positions import CANASTA, CLASSIC, at

FOUR, QUEEN, KING, ACE = 0, 8, 9, 10


def plays(position):
    """The text of what steady@1 does."""
    seat = position.turn
    seen = see(knowledge(position, seat), seat, Memory.fresh(position.rules.players))
    move = steady.choose(seen, 0)
    assert allows(seen.core, move)
    return acts.format_act(to_act(position, seat, move))


def test_a_black_three_is_thrown_first_and_a_wild_card_last():
    assert plays(at("3C 4H KH 2C", phase="play", pile="4S")) == "discard 3C"
    assert plays(at("2C KH KS AH AS", phase="play", pile="4S", totals=(3000, 0))) == "discard KH"


def test_what_the_next_side_melds_is_not_thrown_onto_an_open_pile():
    ours, theirs = {"A": "AC AD AH"}, {"4": "4C 4D 4H"}
    assert plays(at("4S QH", a=ours, b=theirs, phase="play", pile="6S")) == "discard QH"
    assert plays(at("4S QH", a=ours, b=theirs, phase="play", pile="2C 6S")) == "discard 4S"


def test_a_pair_is_kept_and_a_single_card_goes():
    assert plays(at("5H 5S KH", a={"A": "AC AD AH"}, phase="play", pile="4S")) == "discard KH"


def test_the_pile_is_taken_with_a_pair_rather_than_with_a_wild_card():
    melds = {"A": "AC AD AH"}
    assert plays(at("KC KD 2C 5H", a=melds, pile="4S KH")) == "take K:KC,KD"
    assert plays(at("KC 2C 5H 7H", a=melds, pile="4S KH")) == "take K:KC,2C"
    assert plays(at("QC 2C 5H 7H", a=melds, pile="4S KH")) == "draw"


def test_two_wild_cards_on_a_pair_open():
    position = at("QC QD 2C JK 5H 7H", phase="play", pile="4S", totals=(1500, 0))
    assert plays(position) == "lay Q:QC,QD,2C,JK"


def test_wild_cards_finish_a_canasta_and_go_nowhere_else():
    five, four = "KC KD KH KS KC", "KC KD KH"
    hold = "2C 2D 5H 7H 9H"
    assert plays(at(hold, a={"K": five}, phase="play", pile="4S")) == "lay K:2C,2D"
    assert plays(at(hold, a={"K": four}, phase="play", pile="4S")).startswith("discard")


def test_a_pair_and_a_wild_card_are_laid_to_go_out():
    hold = "JC JD 2C 5H"
    may = at(hold, a={"9": CANASTA}, phase="play", pile="4S", permission="off")
    may_not = at(hold, a={"9": "9C 9D 9H"}, phase="play", pile="4S", permission="off")
    assert plays(may) == "lay J:JC,JD,2C"
    assert plays(may_not) == "discard 5H"


def test_the_last_wild_cards_spoil_no_natural_canasta_where_another_meld_has_room():
    melds = {"9": CANASTA, "K": "KC KD KH"}
    position = at("2C 5H", a=melds, phase="play", pile="4S", permission="off")
    assert plays(position) == "lay K:2C"


def test_two_cards_stay_where_the_side_may_not_go_out():
    position = at("KS KC KD", a={"K": "KC KD KH"}, phase="play", pile="4S")
    assert plays(position) == "lay K:KC"


def test_it_asks_its_partner_before_it_goes_out_and_goes_out_with_a_yes():
    melds = {"9": CANASTA, "K": "KC KD KH"}
    position = at(
        {0: "KS 5H", 2: "KC"}, a=melds, phase="play", pile="4S", situation={"drew": "stock"}
    )
    assert plays(position) == "ask"


@pytest.mark.parametrize("need", [15, 50, 90, 120])
def test_an_opening_reaches_its_points_or_is_none(need):
    joins = tables_of(CLASSIC).joins
    counts = [0] * 15
    for klass, number in ((FOUR, 3), (QUEEN, 2), (KING, 2), (11, 1), (12, 1)):
        counts[klass] = number
    heaps = opening(joins, counts, need)
    assert heaps is not None
    values = {FOUR: 5, QUEEN: 10, KING: 10}
    points = sum(
        heap.naturals * values[heap.slot] + 20 * heap.deuces + 50 * heap.jokers for heap in heaps
    )
    assert points >= need
    assert opening(joins, counts, 126) is None


def test_an_opening_through_the_pile_counts_the_top_card():
    joins = tables_of(CLASSIC).joins
    counts = [0] * 15
    counts[ACE], counts[QUEEN] = 2, 3
    assert opening(joins, counts, 90, ACE, (2, 0)) == (Heap(ACE, 2, 0, 0), Heap(QUEEN, 3, 0, 0))
    assert opening(joins, counts, 60, ACE, (2, 0)) == (Heap(ACE, 2, 0, 0),)
    assert opening(joins, counts, 91, ACE, (2, 0)) is None


def test_other_holdings_do_not_move_it():
    one, other = (
        Counts.from_position(
            at({0: "4S QH 7C", 1: hold}, b={"4": "4C 4D 4H"}, phase="play", pile="6S")
        )
        for hold in ("KC KD KH", "QC QD 7H")
    )
    assert fast.move(one) == fast.move(other)


def test_it_weighs_nothing_and_gives_its_move():
    position = at("3C 4H KH 2C", phase="play", pile="4S")
    seen = see(knowledge(position, 0), 0, Memory.fresh(4))
    (only,) = steady.weigh(seen, 1)
    assert only.move == steady.choose(seen, 2)
    assert only.value is None
    assert levels.LEVELS["steady@1"].choose is steady.choose
