"""A side's first melds: the ladder, its edges, the exempt opening (R-27 to R-34, R-X3)."""

from typing import Any

import pytest

from fairdeal.canasta.position import minimum_at
from tests.canasta.positions import CLASSIC, at, broken, do, legal

FOURS = "4C 4C 4D 4D 4H 4H 4S"
FOURS_TEXT = "4:4C,4C,4D,4D,4H,4H,4S"


@pytest.mark.parametrize(
    ("total", "least"),
    [
        (-2000, 15), (-5, 15), (0, 50), (1495, 50), (1499, 50),
        (1500, 90), (2995, 90), (2999, 90), (3000, 120), (10_000, 120),
    ],
)  # fmt: skip
def test_the_ladder_asks_by_the_total_before_the_hand(total, least):
    assert minimum_at(CLASSIC, total) == least


HOLD = "4C 4D 4H 5C 5D 5H 6C 6D 6H 9C 9D 9H KC KD KH AC AD AH JK 2C 7D 8D"


def points(text):
    values = {"A": 20, "2": 20, "J": 50, "9": 10, "K": 10, "4": 5, "5": 5, "6": 5}
    groups = text.split(" ")[1].split(";")
    return sum(values[face[0]] for group in groups for face in group[2:].split(","))


@pytest.mark.parametrize(
    ("text", "total", "legal"),
    [
        ("lay 4:4C,4D,4H", -20, True),
        ("lay 4:4C,4D,4H", 0, False),
        ("lay A:AC,AD,AH", 0, True),
        ("lay 9:9C,9D,9H;K:KC,KD,KH", 0, True),
        ("lay 4:4C,4D,4H;K:KC,KD,KH", 1495, False),
        ("lay 4:4C,4D,4H;5:5C,5D,5H;K:KC,KD,KH", 1495, True),
        ("lay A:AC,AD,JK", 1500, True),
        ("lay 9:9C,9D,9H;A:AC,AD,AH", 1500, True),
        ("lay 4:4C,4D,4H;A:AC,AD,AH", 1500, False),
        ("lay A:AC,AD,JK", 3000, False),
        ("lay 9:9C,9D,9H;A:AC,AD,JK", 3000, True),
        ("lay 5:5C,5D,5H;A:AC,AD,JK", 3000, False),
    ],
)
def test_the_cards_of_one_act_must_reach_the_minimum(text, total, legal):
    position = at(HOLD, phase="play", totals=(total, 0))
    assert broken(position, text) == (() if legal else ("OPENING_MINIMUM",))
    assert (points(text) >= minimum_at(CLASSIC, total)) == legal


def test_exactly_the_minimum_opens_unless_it_must_be_exceeded():
    hold = "KC KC KD KD KH 4C 6D"
    text = "lay K:KC,KC,KD,KD,KH"
    assert broken(at(hold, phase="play"), text) == ()
    assert broken(at(hold, phase="play", opening_compare="gt"), text) == ("OPENING_MINIMUM",)
    assert broken(
        at("KC KC KD KD KH AS 4C 6D", phase="play", opening_compare="gt"), "lay K:KC,KC,KD,KD,KH"
    ) == ("OPENING_MINIMUM",)


def test_red_threes_on_the_table_count_nothing():
    position = at("5C 5D 5H 6C 6D 6H KC QD", phase="play", red={"A": "3D 3H"})
    assert broken(position, "lay 5:5C,5D,5H;6:6C,6D,6H") == ("OPENING_MINIMUM",)


def test_once_a_side_has_opened_nothing_more_is_asked():
    position = do(at("AC AD AH 4C 4D 4H 5C 6D", phase="play"), "lay A:AC,AD,AH")
    assert broken(position, "lay 4:4C,4D,4H") == ()
    partner = at(
        {2: "4C 4D 4H 5C 6D"},
        a={"K": "KC KD KH"},
        phase="play",
        totals=(3200, 0),
        situation={"seat": 2},
    )
    assert broken(partner, "lay 4:4C,4D,4H") == ()


def test_only_the_total_of_ones_own_side_counts():
    hold = "AC AD AH 5C 6D"
    assert broken(at(hold, phase="play", totals=(0, 3000)), "lay A:AC,AD,AH") == ()
    assert broken(at(hold, phase="play", totals=(3000, 0)), "lay A:AC,AD,AH") != ()


def test_an_opening_in_two_acts_is_refused():
    position = at("KC KD KH 9C 9D 9H 4C 6D", phase="play")
    assert broken(position, "lay K:KC,KD,KH") == ("OPENING_MINIMUM",)
    assert "lay 9:9C,9D,9H;K:KC,KD,KH" in legal(position)
    assert not [text for text in legal(position) if text.startswith("lay") and ";" not in text]


def test_the_top_card_of_a_take_counts_and_the_buried_ones_do_not():
    hold = "KH KD QH QS 2C 6H"
    text = "take K:KD,KH;Q:QH,QS,2C"
    assert broken(at(hold, pile="KC QD 9H KS"), text) == ()
    assert broken(at(hold, pile="KC QD 9H KS", totals=(1600, 0)), text) == ("OPENING_MINIMUM",)


def test_the_pile_may_open_only_with_enough_beside_it():
    position = at("KC KH 9S 9D 9H 4C 6D", pile="5C KD")
    assert broken(position, "take K:KC,KH") == ("OPENING_MINIMUM",)
    assert "take K:KC,KH;9:9D,9H,9S" in legal(position)


def test_four_buried_aces_do_not_open_for_a_pair_of_kings():
    position = at("KC KD 4C 5D", pile="AC AC AD AD KH", totals=(1500, 0))
    assert broken(position, "take K:KC,KD") == ("OPENING_MINIMUM",)
    assert legal(position) == ["draw"]


CONCEALED: dict[str, Any] = {
    "phase": "play",
    "totals": (3200, 0),
    "situation": {"melded_seats": []},
}


def test_a_concealed_going_out_after_a_draw_needs_no_minimum():
    position = at(f"{FOURS} 5C 5D 5H 9C", **CONCEALED)
    assert broken(position, f"lay {FOURS_TEXT};5:5C,5D,5H") == ()
    assert broken(position, f"lay {FOURS_TEXT};5:5C,5D,5H x 9C") == ()
    after = do(position, f"lay {FOURS_TEXT};5:5C,5D,5H", "discard 9C")
    assert (after.end, after.concealed) == ("WENT_OUT", True)


def test_an_exempt_opening_is_one_act():
    position = at(f"{FOURS} 5C 5D 5H 9C", **CONCEALED)
    assert broken(position, f"lay {FOURS_TEXT}") == ("OPENING_MINIMUM",)


def test_an_exempt_opening_needs_a_canasta_of_its_own():
    position = at("4C 4C 4D 4D 4H 4H 5C 5D 5H 9C", **CONCEALED, canastas_to_go_out=0)
    assert "OPENING_MINIMUM" in broken(position, "lay 4:4C,4C,4D,4D,4H,4H;5:5C,5D,5H")
    position = at(
        "4C 4C 4D 4D 4H 4H 5C 5D 5H 9C",
        **CONCEALED,
        canastas_to_go_out=0,
        concealed_needs_own_canasta=False,
    )
    assert broken(position, "lay 4:4C,4C,4D,4D,4H,4H;5:5C,5D,5H") == ()


def test_an_exempt_opening_leaves_nothing_behind():
    position = at(f"{FOURS} 5C 5D 5H 9C 9D", **CONCEALED)
    assert broken(position, f"lay {FOURS_TEXT};5:5C,5D,5H x 9C") == ("OPENING_MINIMUM",)


@pytest.mark.parametrize(
    ("exempt", "drew", "legal"),
    [
        ("stock_draw", "stock", True),
        ("stock_draw", "pile", False),
        ("always", "stock", True),
        ("always", "pile", True),
        ("never", "stock", False),
    ],
)
def test_the_exemption_depends_on_how_the_turn_began(exempt, drew, legal):
    position = at(
        f"{FOURS} 5C 5D 5H 9C",
        phase="play",
        totals=(3200, 0),
        situation={"melded_seats": [], "drew": drew},
        opening_concealed_exempt=exempt,
    )
    text = f"lay {FOURS_TEXT};5:5C,5D,5H"
    assert broken(position, text) == (() if legal else ("OPENING_MINIMUM",))


def test_the_pile_exempts_nobody_by_default():
    hold = "4C 4D 4D 4H 4H 4S 5C 5D 5H 9C"
    text = "take 4:4C,4D,4D,4H,4H,4S;5:5C,5D,5H"
    for exempt, codes in (("stock_draw", ("OPENING_MINIMUM",)), ("always", ())):
        position = at(hold, pile="4C", totals=(3200, 0), opening_concealed_exempt=exempt)
        assert broken(position, text) == codes
    no_pile = at(
        hold,
        pile="4C",
        totals=(3200, 0),
        opening_concealed_exempt="always",
        concealed_after_pile=False,
    )
    assert broken(no_pile, text) == ("OPENING_MINIMUM",)


def test_a_seat_that_melded_before_is_not_exempt():
    # Its side has no melds on the table in this made position; the seat's own past decides.
    position = at(
        f"{FOURS} 5C 5D 5H 9C", phase="play", totals=(3200, 0), situation={"melded_seats": [0]}
    )
    assert broken(position, f"lay {FOURS_TEXT};5:5C,5D,5H") == ("OPENING_MINIMUM",)


def test_a_complete_canasta_opens_where_the_table_wants_it_so():
    position = at(f"{FOURS} KC QD 6H", phase="play", totals=(3000, 0))
    assert broken(position, f"lay {FOURS_TEXT}") == ("OPENING_MINIMUM",)
    position = at(
        f"{FOURS} KC QD 6H", phase="play", totals=(3000, 0), opening_canasta_satisfies=True
    )
    assert broken(position, f"lay {FOURS_TEXT}") == ()
    assert broken(position, "lay 4:4C,4C,4D,4D,4H,4H") == ("OPENING_MINIMUM",)


def test_black_threes_are_no_canasta_that_opens():
    black = "3C 3C 3C 3C 3S 3S 3S"
    position = at(
        f"{black} KC KD",
        phase="play",
        decks=4,
        totals=(3000, 0),
        red3_table=None,
        opening_canasta_satisfies=True,
        canastas_to_go_out=0,
        opening_concealed_exempt="never",
    )
    assert broken(position, "lay 3:3C,3C,3C,3C,3S,3S,3S x KC")[0] == "OPENING_MINIMUM"


def test_black_threes_of_a_going_out_count_toward_the_minimum():
    # 35 for the fours and 15 for the threes are just 50; the seat is not exempt: it melded.
    position = at(f"{FOURS} 3C 3C 3S 9C", phase="play", situation={"melded_seats": [0]})
    assert broken(position, f"lay {FOURS_TEXT};3:3C,3C,3S") == ()
    assert broken(position, f"lay {FOURS_TEXT}") == ("OPENING_MINIMUM",)
