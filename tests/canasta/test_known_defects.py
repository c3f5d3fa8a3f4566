"""Thirty ways in which canasta engines have gone wrong; one test each, none of them here."""

from hashlib import sha256
from random import Random

import pytest

from benchmarks.hands import cards_of, dealt
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.position import minimum_at
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.view import seat_view
from fairdeal.fairness.deal import deal, first_seat_of
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import order
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import steps
from tests.canasta.positions import CANASTA, CLASSIC, at, broken, do, held, legal, meld

DECK = cards.deck(2, 4)
STEPS = parse_steps(steps(CLASSIC), cards=108, seats=4)
NINES = {"9": "9C 9D 9H"}
SPECIAL = ("2C", "2D", "2H", "2S", "JK", "3D", "3H")


def deals(number):
    """Deals as the service makes them, from secrets of a fixed row."""
    secret = Secret(bytes(range(64)))
    for hand in range(number):
        mix = sha256(b"%d" % hand).digest() * 2
        yield deal(order(secret, mix, 108), DECK, STEPS, 4, hand % 4)


@pytest.fixture(scope="module")
def piles():
    """The turned cards of two thousand deals, as faces."""
    return [[DECK[card] for card in found.up] for found in deals(2000)]


def test_01_the_stock_is_shuffled_too():
    for found in deals(200):
        assert list(found.stock) != sorted(found.stock)
        assert found.stock[0] != min(found.stock) or found.stock[1] != sorted(found.stock)[1]


def test_02_a_wild_or_red_three_is_no_first_upcard_and_freezes(piles):
    for faces in piles:
        assert faces[-1] not in SPECIAL
        assert set(faces[:-1]) <= set(SPECIAL)
        assert at(pile=" ".join(faces)).frozen == (len(faces) > 1)


def test_03_an_open_pile_joins_a_meld_without_a_natural_in_the_holding():
    assert broken(at("QC 8H 4C", a=NINES, pile="6C 9S"), "take 9") == ()


def test_04_an_open_pile_is_taken_with_one_natural_and_one_wild():
    assert broken(at("QC JK 8H 4C", a=NINES, pile="6C QS"), "take Q:QC,JK") == ()


def test_05_who_takes_the_pile_has_melded_its_top_card():
    position = at("QC QD 8H 4C", a=NINES, pile="6C QS")
    for act in engine.legal_acts(position):
        if isinstance(act, acts.Take):
            after = engine.apply(position, 0, act).position
            assert meld(after, "Q") == 3
            assert "QS" not in held(after)


def test_06_the_pile_does_not_open_below_the_minimum():
    position = at("AC AD 4C 5D", pile="6C AH", totals=(3000, 0))
    assert broken(position, "take A:AC,AD") == ("OPENING_MINIMUM",)


def test_07_two_groups_may_reach_the_minimum_together():
    position = at("KC KD KH 9C 9D 9H 4C 5C", phase="play")
    assert "lay 9:9C,9D,9H;K:KC,KD,KH" in legal(position)


def test_08_the_last_card_is_not_discarded_without_a_canasta():
    assert broken(at("4C", a=NINES, phase="play"), "discard 4C") == ("KEEP_CARD",)


def test_09_the_last_three_cards_are_not_melded_without_a_canasta():
    position = at("KC KD KH", a=NINES, phase="play")
    assert broken(position, "lay K:KC,KD,KH") == ("KEEP_CARD",)


def test_10_black_threes_are_melded_in_going_out():
    position = at("3C 3C 3S", a={"9": CANASTA}, phase="play")
    assert do(position, "lay 3:3C,3C,3S").end == "WENT_OUT"


def test_11_a_buried_red_three_freezes():
    position = at("QC JK 8H 4C", a=NINES, pile="3H 6C QS")
    assert broken(position, "take Q:QC,JK") == ("FROZEN",)


def test_12_a_red_three_as_the_last_stock_card_ends_the_hand():
    assert do(at("KC 4C", a=NINES, stock="3D"), "draw").end == "LAST_STOCK_RED3"


def test_13_a_taken_pile_is_frozen_no_more():
    position = do(at("QC QD 8H 4C", a=NINES, pile="2C QS"), "take Q:QC,QD", "discard 8H")
    assert not position.frozen


def test_14_listing_acts_changes_nothing():
    position = at("KC 4C", a=NINES, pile="6C 9S", stock=0)
    before = [getattr(position.copy(), name) for name in ("held", "pile", "drawn", "phase", "end")]
    assert legal(position) == legal(position)
    assert [getattr(position, name) for name in ("held", "pile", "drawn", "phase", "end")] == before


def test_15_four_red_threes_without_a_meld_cost_800_and_the_first_seat_moves_on():
    (mine, _) = sheet(at(red={"A": "3D 3D 3H 3H"}))
    assert mine.hand == -800
    assert [first_seat_of(1, hand, 4) for hand in (1, 2, 3, 4, 5)] == [1, 2, 3, 0, 1]
    view = seat_view(at("4C KD"), 0)
    assert view["you"]["holding"] == ["4C", "KD"]


def test_16_no_take_strands_its_seat():
    assert broken(at("8H", a=NINES, pile="9S"), "take 9")[-1] == "KEEP_CARD"
    assert legal(at("8H", a=NINES, pile="9S")) == ["draw"]
    assert broken(at("KC KD 8H", a=NINES, pile="KS"), "take K:KC,KD") == ("KEEP_CARD",)


def test_17_nothing_is_listed_that_is_refused():
    for position in (
        at("KC KD KH 4C", a=NINES, phase="play"),
        at("KC KD KH JK 9S", a=NINES, phase="play"),
        at("KC KD KH 9C 9D", pile="9S", totals=(0, 0)),
        at("AC AD AH 2C", phase="play"),
    ):
        for act in engine.legal_acts(position):
            engine.check(position, 0, act)


def test_18_neither_last_red_three_nor_compulsory_take_is_passed_over():
    assert legal(do(at("KC 4C", a=NINES, stock="3D"), "draw")) == []
    assert legal(at("KC 4C", a=NINES, pile="6C 9S", stock=0)) == ["take 9"]


def test_19_an_order_comes_from_512_secret_bits_and_no_clock():
    with pytest.raises(ValueError, match="64 bytes"):
        Secret(bytes(4))
    orders = {tuple(order(Secret(bytes(at) + b"\1" + bytes(63 - at)), bytes(64), 108))
              for at in range(64)}  # fmt: skip
    assert len(orders) == 64
    assert order(Secret(bytes(64)), bytes(64), 108) == order(Secret(bytes(64)), bytes(64), 108)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lay K:KC,2C,2D", "MIN_NATURALS"),
        ("lay K:2C,2D,2H,JK", "MIN_NATURALS"),
        ("lay 9:2C", "MAX_WILDS"),
    ],
)
def test_20_wilds_are_counted(text, code):
    melds = {"9": "9C 9D 9H 9S 2S 2S JK"}
    position = at("KC 2C 2D 2H JK 4C 5C", a=melds, phase="play")
    assert code in broken(position, text)


def test_21_about_one_starting_pile_in_seven_is_frozen(piles):
    frozen = sum(len(faces) > 1 for faces in piles)
    # 16 of 108 cards: 296 of 2,000 expected, a deviation of 16.
    assert 296 - 64 < frozen < 296 + 64


def test_22_red_threes_of_a_taken_pile_are_not_replaced():
    position = do(at("KC KD 4C 5C", a=NINES, pile="3H KS"), "take K:KC,KD")
    assert (held(position), position.stock_left) == ("4C 5C", 20)
    assert broken(at("4C 5C", a=NINES, pile="6C 9S", stock=0), "end") == ("MUST_TAKE_PILE",)


def test_23_no_pile_starts_untakeable(piles):
    # Black threes stay as upcards and block the first seat only; nothing else does.
    blocked = [faces for faces in piles if faces[-1] in SPECIAL]
    assert blocked == []


def test_24_buried_cards_count_nothing_toward_the_opening():
    position = at("KC KD 4C 5D", pile="AC AC AD AD KH", totals=(1500, 0))
    assert broken(position, "take K:KC,KD") == ("OPENING_MINIMUM",)


def test_25_declining_a_compulsory_take_is_not_offered():
    assert "end" not in legal(at("4C 5C", a=NINES, pile="6C 9S", stock=0))


def test_26_the_partner_can_be_asked_and_concealed_is_more_than_opening():
    position = at({0: "KC KD KH 4C", 2: "5C"}, a={"9": CANASTA}, phase="play")
    assert "ask" in legal(position)
    after = do(position, "lay K:KC,KD,KH x 4C")
    assert (after.end, after.concealed) == ("WENT_OUT", False)


def test_27_the_minimum_rises_with_the_total():
    assert [minimum_at(CLASSIC, total) for total in (-5, 0, 1500, 3000)] == [15, 50, 90, 120]


def test_28_red_threes_are_in_the_deck_and_on_the_table():
    position = dealt(CLASSIC, Random(4))
    assert sum(cards_of(position)[card] for card in cards.CARDS_OF[cards.RED3]) == 4
    assert all(not counts[cards.RED3] for counts in position.counts)


def test_29_an_open_pile_is_not_free():
    assert broken(at("QC 8H 4C", a=NINES, pile="6C QS"), "take Q:QC") != ()
    assert legal(at("QC 8H 4C", a=NINES, pile="6C QS")) == ["draw"]


def test_30_going_out_needs_only_ones_own_holding_to_be_empty():
    position = at({0: "4C", 2: "KC KD"}, a={"9": CANASTA}, phase="play")
    after = do(position, "discard 4C")
    assert (after.end, after.sizes[2]) == ("WENT_OUT", 2)
