"""``sharp@1`` on positions made by hand: each shows one of its ideas, and fails without it."""

import pytest

from fairdeal.bots import discarding, judgement, laying, levels, piling, sharp
from fairdeal.bots.seen import see
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.referee import allows
from fairdeal.canasta.view import knowledge
from tests.canasta.positions import CANASTA, MIXED, at

FIVE, TEN, QUEEN, ACE = 1, 6, 8, 10
FAT = "4C 4D 5C 5D 6C 6D 7C 7D 8C 8D TC TD JC JD QC 6S"
"""A pile of sixteen cards."""


def seen_of(position, memory=None):
    """What the seat in turn sees."""
    seat, blank = position.turn, Memory.fresh(position.rules.players)
    return see(knowledge(position, seat), seat, memory or blank)


def plays(position, memory=None):
    """The text of what sharp@1 does."""
    move = sharp.choose(seen_of(position, memory), 0)
    return acts.format_act(to_act(position, position.turn, move))


def remembered(thrown=(), left=()):
    """A memory in which seats have thrown or left cards of classes."""
    blank = Memory.fresh(4)
    rows = [[list(row) for row in each] for each in (blank.thrown, blank.left)]
    for table, pairs in zip(rows, (thrown, left), strict=True):
        for seat, klass in pairs:
            table[seat][klass] += 1
    fixed = [tuple(map(tuple, table)) for table in rows]
    return Memory(blank.held, *fixed)


OTHERS = {
    1: "4H 5H 6H 7H 8H 9H TS JH QS KH KS",
    2: "6H 7S 8S 9S JS QD KC",
    3: "4H 5D 7S 8S 9D TS JS QS KD",
}


def throwing(hold, **more):
    """A turn that has drawn and lays nothing; side A has a meld, if nothing else is said."""
    melds = {"a": {"A": "AC AD AH"}, "pile": "4S"} | more
    return at({0: hold, **OTHERS}, phase="play", **melds)


# Throwing.


def test_a_black_three_is_the_safe_discard_on_a_fat_pile():
    position = throwing("3C 5H 8H TH", b={"5": "5S 5H 5S"}, pile=FAT)
    assert plays(position) == "discard 3C"


def test_a_card_of_their_meld_is_not_thrown_onto_a_fat_pile():
    hold = "4H TS QH"
    assert plays(throwing(hold, pile=FAT)) == "discard 4H"
    assert plays(throwing(hold, pile=FAT, b={"4": "4C 4D 4S"})) != "discard 4H"


@pytest.mark.parametrize("may_grow", [True, False])
def test_their_canasta_is_no_door_where_the_rules_close_it(may_grow):
    position = throwing("8H TH", b={"8": MIXED}, pile=FAT, lay_on_completed_canasta=may_grow)
    assert (judgement.danger(seen_of(position), 4) == judgement.SURE) == may_grow


def test_a_small_pile_is_not_worth_a_pair():
    position = throwing("4H 4S TS", b={"T": "TC TD TH"}, pile="6S")
    assert plays(position) == "discard TS"


def test_a_pair_is_kept_and_a_single_card_goes():
    assert plays(throwing("5H 5S 6H 6S 9C")) == "discard 9C"


def test_a_third_card_is_kept_before_a_pair():
    seen = seen_of(at("5H 5S 5C 6H 6S", pile="4S", phase="play", totals=(3000, 0)))
    assert discarding.worth(seen, FIVE) > discarding.worth(seen, FIVE + 1)


def test_of_single_cards_the_one_that_counts_least_goes():
    assert plays(throwing("8H 7H TS")) == "discard 7H"


def test_a_card_that_counts_more_is_worth_more():
    seen = seen_of(throwing("6H TS AH"))
    six, ten, ace = (discarding.worth(seen, klass) for klass in (FIVE + 1, TEN, ACE))
    assert six < ten < ace


def test_a_single_card_of_which_few_are_unseen_is_kept():
    many, few = "4S", "5S 5C 5D 5H 5S 4S"
    assert plays(throwing("5H 6H", pile=many)) == "discard 5H"
    assert plays(throwing("5H 6H", pile=few)) == "discard 6H"
    assert plays(throwing("5H 6H", pile=f"2C {few}")) == "discard 5H"


def test_what_their_growing_meld_lacks_is_kept_even_under_a_frozen_pile():
    position = throwing("5H 9C", b={"5": "5S 5C 5D 5H 5C"}, pile="2C 4S")
    assert plays(position) == "discard 9C"
    assert plays(throwing("5H 9C", b={"5": "5S 5C 5D"}, pile="2C 4S")) == "discard 5H"


def test_the_last_card_of_their_canasta_is_kept_before_another():
    six, five = "5S 5C 5D 5H 5C 2D", "6S 6C 6D 6H 6C"
    assert plays(throwing("5H 6H", b={"5": six, "6": five})) == "discard 6H"


def test_a_wild_card_freezes_a_fat_pile_that_anything_else_would_give_away():
    melds = {"5": "5S 5C 5D", "9": "9S 9C 9D"}
    hold = "2C 5H 9H"
    assert plays(throwing(hold, b=melds, pile=FAT)) == "discard 2C"
    assert plays(throwing(hold, b=melds, pile="4S")) == "discard 5H"


def test_a_wild_card_bars_a_pile_that_is_frozen_anyway_for_less():
    ice, free = seen_of(throwing("2C 5H", pile="2S 4S")), seen_of(throwing("2C 5H", pile="4S"))
    assert discarding.price(ice, cards.DEUCE) < discarding.price(free, cards.DEUCE)


def test_a_deuce_freezes_as_well_as_a_joker():
    melds = {"5": "5S 5C 5D", "9": "9S 9C 9D"}
    assert plays(throwing("JK 2C 5H 9H", b=melds, pile=FAT)) == "discard 2C"


def even(**more):
    """A turn with a ten and a queen that are as likely to be paired, under a frozen fat pile."""
    pile = FAT.replace("TC TD", "9C 9D").replace("QC", "9C").replace("4C", "2C")
    return throwing("TH QH", b={"A": "AS AS AC"}, pile=pile, **more)


def test_a_rank_that_the_next_seat_left_lying_is_thrown_onto_a_fat_pile():
    assert plays(even()) == "discard TH"
    assert plays(even(), remembered(left=[(1, QUEEN)])) == "discard QH"
    assert plays(even(), remembered(left=[(3, QUEEN)])) == "discard TH"


def test_a_rank_that_the_next_seat_threw_is_thrown():
    assert plays(even(), remembered(thrown=[(1, QUEEN)])) == "discard QH"
    assert judgement.chances(seen_of(even(), remembered(thrown=[(1, QUEEN)])), 1, QUEEN) < (
        judgement.chances(seen_of(even()), 1, QUEEN)
    )
    small = throwing("TH QH", b={"A": "AS AS AC"}, pile="4S")
    assert plays(small) == "discard TH"
    assert plays(small, remembered(thrown=[(1, QUEEN)])) == "discard QH"


def test_a_pair_that_the_next_seat_took_and_has_not_laid_is_not_fed():
    blank = Memory.fresh(4)
    row = list(blank.held[1])
    row[cards.CARDS_OF[TEN][0]] = 2
    held = (blank.held[0], tuple(row), *blank.held[2:])
    assert plays(even()) == "discard TH"
    assert plays(even(), Memory(held, blank.thrown, blank.left)) == "discard QH"


def test_in_a_frozen_pile_the_chance_of_a_pair_counts_more():
    open_seen = seen_of(throwing("5H", b={"A": "AS AS AC"}, pile=FAT))
    ice_seen = seen_of(throwing("5H", b={"A": "AS AS AC"}, pile="2C " + FAT[3:]))
    pair = judgement.chances(ice_seen, 1, FIVE)[1]
    assert judgement.danger(ice_seen, FIVE) == pair < judgement.danger(open_seen, FIVE)
    assert discarding.risk(ice_seen, FIVE) == (
        3 * pair * (17 - discarding.SLIM) * discarding.FAT // 1000
    )


# The pile.


@pytest.mark.parametrize(
    ("pile", "act"), [("4S KH", "draw"), ("4S 6C 8D TC JD KH", "take K:KC,KD")]
)
def test_a_fat_pile_is_taken_and_a_small_one_left_when_the_stock_runs_low(pile, act):
    position = at("KC KD 5H 7H 9H", a={"A": "AC AD AH"}, pile=pile, stock=20)
    assert plays(position).startswith(act)


def worth_of(under, *, hold="KC KD 5H 5S 9H", a=None, pile="KH"):
    """What taking a pile is worth to a side, by default one with a meld of aces."""
    melds = {"A": "AC AD AH"} if a is None else a
    seen = seen_of(at(hold, a=melds, pile=f"{under} {pile}", stock=40))
    (take,) = (one for one in sharp.weigh(seen, 0) if one.move.kind == "take")
    return take.value


def test_buried_cards_are_worth_more_the_better_they_fit():
    black, other, single, pair, wild, melded = map(
        worth_of, ("3C 4S", "6C 4S", "9S 4S", "5C 4S", "2C 4S", "AS 4S")
    )
    assert black < other < single < pair < wild < melded


def test_a_draw_is_worth_more_with_two_cards_and_without_a_partner():
    hold, melds = "KC KD 5H 5S 9H", {"A": "AC AD AH"}
    positions = [
        at(hold, a=melds, pile="6C 4S KH", stock=40, **changes)
        for changes in (
            {},
            {"draw_count": 2},
            {"players": 2, "sides": "solo", "permission": "off"},
        )
    ]
    values = []
    for position in positions:
        seen = seen_of(position)
        (take,) = (one.move for one in sharp.weigh(seen, 0) if one.move.kind == "take")
        values.append(piling.worth(seen, take))
    assert values[0] - values[1] == piling.FURTHER
    assert values[0] - values[2] == piling.ALONE


def test_a_wild_card_is_a_price_for_the_pile():
    assert worth_of("6C 4S", hold="KC KD 9H") > worth_of("6C 4S", hold="KC 2D 9H")


def test_the_pile_is_worth_more_to_a_side_that_it_opens():
    high = "KC KD AH AS AD"
    assert worth_of("6C 4S", hold=high, a={}) > worth_of("6C 4S", hold=high, a={"9": "9C 9D 9H"})


def test_the_top_card_that_completes_a_canasta_is_worth_a_small_pile():
    hold = "5H 9H TS"
    six, five = "KS KS KH KH KC KD", "KS KS KH KC KD"
    assert plays(at(hold, a={"K": six}, pile="4S KH", stock=20)).startswith("take")
    assert plays(at(hold, a={"K": five}, pile="4S KH", stock=20)) == "draw"


def test_a_small_pile_is_worth_more_while_the_stock_lasts():
    few, many = (
        seen_of(at("KC KD 5H 9H", a={"A": "AC AD AH"}, pile="4S KH", stock=stock))
        for stock in (10, 50)
    )
    move = next(one.move for one in sharp.weigh(few, 0) if one.move.kind == "take")
    assert piling.worth(few, move) < piling.worth(many, move)


# Laying and going out.


def test_an_opening_keeps_pairs_where_wild_cards_reach_the_points():
    position = at("4C 4D 4H QC QD KC 7H 2C JK", phase="play", pile="4S", totals=(0, 0))
    move = sharp.choose(seen_of(position), 0)
    assert [heap.slot for heap in move.heaps] == [0]
    assert move.used == 4


def test_a_wild_card_goes_on_a_meld_of_five_and_not_of_four():
    five, four = {"K": "KC KD KH KS KC"}, {"K": "KC KD KH KS"}
    hold = "2C 5H 9H TS"
    assert plays(at(hold, a=five, pile="4S", phase="play")) == "lay K:2C"
    assert plays(at(hold, a=four, pile="4S", phase="play")).startswith("discard")


def test_a_wild_card_goes_on_a_meld_without_wild_cards_first():
    melds = {"5": "5C 5D 5H 5S 2D", "K": "KC KD KH KS KC"}
    assert plays(at("2C 7H 9H TS", a=melds, pile="4S", phase="play")) == "lay K:2C"


def test_wild_cards_finish_a_canasta():
    position = at("2C JK 5H 9H TS", a={"K": "KC KD KH KS KC"}, pile="4S", phase="play")
    move = sharp.choose(seen_of(position), 0)
    assert move.heaps[0].wilds == 2


def test_it_goes_out_when_all_can_be_laid_and_asks_its_partner_first():
    melds = {"9": CANASTA, "K": "KC KD KH"}
    position = at("KS 5H", a=melds, pile="4S", phase="play", situation={"drew": "stock"})
    asks = seen_of(position)
    assert sharp.choose(asks, 0).kind == "ask"
    quiet = at("KS 5H", a=melds, pile="4S", phase="play", permission="off")
    assert plays(quiet) == "lay K:KS"


@pytest.mark.parametrize(
    ("hold", "answer"), [("KS 5H 6H", "yes"), ("AH AS QH QD JS JD TH TS 7H 7S", "no")]
)
def test_it_answers_by_what_it_would_be_left_with(hold, answer):
    position = at(
        {0: "KS 5H", 2: hold},
        a={"9": CANASTA, "K": "KC KD KH"},
        pile="4S",
        phase="play",
        situation={"drew": "stock"},
    )
    asked = engine.apply(position, 0, acts.parse("ask")).position
    assert asked.turn == 2
    assert sharp.choose(seen_of(asked), 0).kind == answer


# What it answers.


def test_the_move_is_the_first_of_those_weighed_and_all_of_them_are_legal():
    for position in (
        at("KC KD 5H 7H 9H", a={"A": "AC AD AH"}, pile="4S KH"),
        throwing("3C 5H 8H TH JK", b={"5": "5S 5H 5S", "8": MIXED}, pile=FAT),
        at("2C 5H 9H TS", a={"K": "KC KD KH KS KC"}, pile="4S", phase="play"),
    ):
        seen = seen_of(position)
        found = sharp.weigh(seen, 3)
        assert found[0].move == sharp.choose(seen, 4)
        assert len(found) > 1
        assert all(allows(seen.core, one.move) for one in found)
        values = [one.value for one in found if isinstance(one.value, int)]
        assert len(values) == len(found)
        assert values == sorted(values, reverse=True)


def gain_of(hold, melds, **changes):
    """What the lay of a turn is worth."""
    seen = seen_of(at(hold, a=melds, pile="4S", phase="play", **changes))
    move = laying.lay(seen)
    assert move is not None
    return laying.gain(seen, move)


def test_what_a_lay_is_worth_counts_cards_canastas_and_the_way_out():
    melds = {"K": "KC KD KH KS KC KD", "9": CANASTA}
    assert gain_of("KH 5H 7H 9H", melds) == 10 + 10 + 500 // 4
    assert gain_of("KH 5H", melds, permission="off") == 10 + 500 // 4 + laying.WAY_OUT
    assert gain_of("2H 5H 7H TH", melds) == 20 + 300 // 4


def test_it_is_offered_as_sharp_1():
    assert levels.LEVELS["sharp@1"].choose is sharp.choose
    assert list(levels.LEVELS).index("sharp@1") > list(levels.LEVELS).index("steady@1")
