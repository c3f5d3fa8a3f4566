"""Steps are read strictly and dealt in the order that the protocol says (§2.7)."""

import pytest

from fairdeal.errors import MalformedInput
from fairdeal.fairness.deal import card_hashes, deal
from fairdeal.fairness.keys import Secret, card_salt
from fairdeal.fairness.lines import card_line, commit
from fairdeal.fairness.steps import DealOut, Replace, SetAside, Turn, parse_steps

CANASTA = [
    {"op": "deal", "count": 11, "packet": 1},
    {"op": "turn", "until_not": ["2C", "JK"]},
    {"op": "replace", "faces": ["3D", "3H"]},
    {"op": "set", "name": "kitty", "count": 2},
]


def dealt(deck, *steps, seats=2, first=0):
    return deal(range(len(deck)), deck, steps, seats, first)


def test_steps_are_read_as_they_stand():
    assert parse_steps(CANASTA, cards=108, seats=4) == (
        DealOut(11, 1),
        Turn(("2C", "JK")),
        Replace(("3D", "3H")),
        SetAside("kitty", 2),
    )


@pytest.mark.parametrize(
    ("steps", "field"),
    [
        ({}, "steps"),
        (["deal"], "steps[0]"),
        ([{"op": "burn", "count": 1}], "steps[0].op"),
        ([{"count": 1, "packet": 1}], "steps[0].op"),
        ([{"op": "deal", "count": 1}], "steps[0]"),
        ([{"op": "deal", "count": 1, "packet": 1, "x": 1}], "steps[0]"),
        ([{"op": "deal", "count": 0, "packet": 1}], "steps[0].count"),
        ([{"op": "deal", "count": 1, "packet": 1025}], "steps[0].packet"),
        ([{"op": "deal", "count": True, "packet": 1}], "steps[0].count"),
        ([{"op": "turn", "until_not": "2C"}], "steps[0].until_not"),
        ([{"op": "turn", "until_not": ["2C", ""]}], "steps[0].until_not[1]"),
        ([{"op": "turn", "until_not": ["2 C"]}], "steps[0].until_not[0]"),
        ([{"op": "replace", "faces": ["123456789"]}], "steps[0].faces[0]"),
        ([{"op": "set", "name": "", "count": 1}], "steps[0].name"),
        ([{"op": "set", "name": "a\n", "count": 1}], "steps[0].name"),
        ([{"op": "set", "name": "a\x85", "count": 1}], "steps[0].name"),
        ([{"op": "set", "name": "\ud800", "count": 1}], "steps[0].name"),
        ([{"op": "set", "name": "a" * 201, "count": 1}], "steps[0].name"),
        ([{"op": "set", "name": "a", "count": 1}] * 2, "steps"),
        ([{"op": "deal", "count": 14, "packet": 1}], "steps"),
        (
            [{"op": "deal", "count": 13, "packet": 1}, {"op": "set", "name": "a", "count": 1}],
            "steps",
        ),
    ],
)
def test_a_step_of_another_form_is_refused_by_name(steps, field):
    with pytest.raises(MalformedInput) as refused:
        parse_steps(steps, cards=52, seats=4)
    assert refused.value.code == "bad_steps"
    assert refused.value.facts == {"field": field}


@pytest.mark.parametrize(
    "step",
    [
        {"op": "deal", "count": 1024, "packet": 1024},
        {"op": "turn", "until_not": ["A", "12345678", "!", "~"]},
        {"op": "replace", "faces": []},
        {"op": "set", "name": "a", "count": 1},
        {"op": "set", "name": "🃏" * 200, "count": 1024},
    ],
)
def test_a_step_on_its_bounds_is_read(step):
    assert len(parse_steps([step], cards=1024, seats=1)) == 1


def test_the_whole_deck_may_be_dealt():
    assert parse_steps([{"op": "deal", "count": 13, "packet": 5}], cards=52, seats=4)


def test_packets_are_dealt_in_rounds_from_the_first_seat_on():
    result = dealt(["x"] * 12, DealOut(5, 2), seats=2, first=1)
    assert result.hands == ((2, 3, 6, 7, 9), (0, 1, 4, 5, 8))
    assert result.stock == (10, 11)


def test_a_second_deal_gives_so_many_further_cards():
    result = dealt(["x"] * 8, DealOut(1, 1), DealOut(2, 2), seats=2)
    assert result.hands == ((0, 2, 3), (1, 4, 5))


def test_an_empty_stock_ends_a_step_without_an_error():
    result = dealt(["3H"] * 3, Turn(("3H",)), DealOut(2, 1), SetAside("kitty", 1), Turn(()))
    assert result.up == (0, 1, 2)
    assert result.hands == ((), ())
    assert result.sets == (("kitty", ()),)
    assert result.stock == ()


def test_a_turn_stops_at_the_first_card_that_may_lie_there():
    result = dealt(["2C", "JK", "9S", "9S"], Turn(("2C", "JK")))
    assert result.up == (0, 1, 2)


def test_a_replacement_that_has_to_go_too_is_laid_in_its_turn():
    result = dealt(["3H", "9S", "9S", "9S", "3D", "9S", "9S"], DealOut(2, 1), Replace(("3D", "3H")))
    assert result.laid == ((0, 4), ())
    assert result.hands == ((2, 5), (1, 3))
    assert result.stock == (6,)


def test_replacing_begins_with_the_first_seat():
    result = dealt(["3H", "3H", "8S", "9S"], DealOut(1, 1), Replace(("3H",)), first=1)
    assert result.hands == ((3,), (2,))


@pytest.mark.parametrize("order", [[0, 0, 2], [0, 1], [0, 1, 2, 3], [1, 2, 3]])
def test_an_order_that_is_no_permutation_of_the_deck_is_refused(order):
    with pytest.raises(ValueError, match="no permutation of 3"):
        deal(order, ["a", "b", "c"], (), 2, 0)


@pytest.mark.parametrize("first", [-1, 2])
def test_a_first_seat_that_is_none_is_refused(first):
    with pytest.raises(ValueError, match="first_seat is 0 to 1"):
        deal([0], ["a"], (), 2, first)


def test_card_hashes_commit_each_seat_to_its_hand_in_order():
    secret = Secret(bytes(range(64)))
    result = dealt(["x"] * 5, DealOut(2, 1))
    hashes = card_hashes("vector-game-1", 3, secret, result)
    assert hashes == tuple(
        commit(card_line("vector-game-1", 3, seat, card_salt(secret, seat), cards))
        for seat, cards in ((0, (0, 2)), (1, (1, 3)))
    )
