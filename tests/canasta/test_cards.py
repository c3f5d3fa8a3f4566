"""Cards: two packs and four jokers are 108 cards and 1,580 points (R-1, R-67, R-88)."""

from collections import Counter

import pytest

from fairdeal.canasta import cards


def points(faces):
    return sum(cards.VALUES[cards.CLASS_OF[cards.NUMBER[face]]] for face in faces)


def test_the_deck_has_108_cards_worth_1580_points_with_red_threes_at_100():
    deck = cards.deck(2, 4)
    red = [face for face in deck if face in ("3D", "3H")]
    assert len(deck) == 108
    assert points(deck) + 100 * len(red) == 1580


def test_the_deck_holds_every_face_twice_and_four_jokers():
    found = Counter(cards.deck(2, 4))
    assert found.pop("JK") == 4
    assert set(found.values()) == {2}
    assert len(found) == 52


@pytest.mark.parametrize(
    ("faces", "value"),
    [
        (["JK"], 50),
        (["AS", "2D"], 20),
        (["8C", "9C", "TC", "JC", "QC", "KC"], 10),
        (["4D", "5D", "6D", "7D", "3C", "3S"], 5),
        (["3D", "3H"], 0),
    ],
)
def test_a_card_has_its_value(faces, value):
    assert {points([face]) for face in faces} == {value}


def test_jokers_stand_after_their_pack_and_the_remainder_after_the_last():
    deck = cards.deck(3, 7)
    assert [at for at, face in enumerate(deck) if face == "JK"] == [
        *(52, 53),
        *(106, 107),
        *(160, 161, 162),
    ]
    assert cards.deck(2, 0) == cards.pack(0) * 2


def test_a_pack_goes_by_suit_and_from_ace_to_king():
    assert cards.pack(1)[:14] == (
        *("AC", "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC"),
        "AD",
    )
    assert cards.pack(1)[-2:] == ("KS", "JK")


def test_suits_are_chosen_in_the_fixed_order():
    for klass, numbers in enumerate(cards.CARDS_OF):
        faces = [cards.FACES[number] for number in numbers]
        assert faces == sorted(faces, key=lambda face: cards.SUITS.find(face[1])), klass
        assert all(cards.CLASS_OF[number] == klass for number in numbers)
    assert sum(map(len, cards.CARDS_OF)) == 53
