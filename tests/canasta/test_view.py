"""What a seat is shown (R-X16)."""

import json

from fairdeal.canasta.view import seat_view
from tests.canasta.positions import CANASTA, MIXED, at, do

TABLE = {"9": CANASTA, "8": MIXED, "K": "KC KD KH", "W": "2C 2D JK"}


def table(**changes):
    return at(
        {0: "4C 4D JK", 1: "5C", 2: "6C 6D", 3: "7C"},
        a=TABLE,
        pile="2S QC",
        red={"A": "3D"},
        wild_melds="allowed",
        **changes,
    )


def test_a_seat_sees_its_own_holding_and_the_numbers_of_the_others():
    view = seat_view(table(), 0)
    assert view["you"] == {"seat": 0, "side": 0, "holding": ["4C", "4D", "JK"]}
    assert [seat["cards"] for seat in view["seats"]] == [3, 1, 2, 1]
    text = json.dumps(view)
    assert not any(face in text for face in ("5C", "6C", "6D", "7C"))


def test_a_watcher_sees_no_holding():
    view = seat_view(table(), None)
    assert view["you"] is None
    assert "4C" not in json.dumps(view)


def test_the_buried_cards_of_the_pile_are_listed_only_where_they_are_public():
    pile = {"count": 2, "top": "QC", "cards": None, "frozen": True}
    assert seat_view(table(), 1)["pile"] == pile
    assert seat_view(table(pile_visible="all"), 1)["pile"] == {**pile, "cards": ["2S", "QC"]}
    empty = seat_view(at("4C"), 0)["pile"]
    assert empty == {"count": 0, "top": None, "cards": None, "frozen": False}


def test_the_melds_of_a_side_are_shown_with_what_they_are():
    mine, theirs = seat_view(table(), 3)["sides"]
    assert mine["melds"] == [
        {"rank": "8", "cards": MIXED.split(), "kind": "mixed", "canasta": True},
        {"rank": "9", "cards": CANASTA.split(), "kind": "natural", "canasta": True},
        {"rank": "K", "cards": ["KC", "KD", "KH"], "kind": "natural", "canasta": False},
        {"rank": "W", "cards": ["2C", "2D", "JK"], "kind": "wild", "canasta": False},
    ]
    assert (mine["canastas"], mine["red_threes"], mine["opened"]) == (2, ["3D"], True)
    assert (theirs["opened"], theirs["minimum"], theirs["melds"]) == (False, 50, [])


def test_black_threes_are_no_canasta_in_a_view():
    (side, _) = seat_view(at("", a={"3": "3C 3C 3C 3C 3S 3S 3S"}, decks=4), 0)["sides"]
    assert side["melds"][0]["canasta"] is False


def test_a_view_tells_whose_turn_it_is_until_the_hand_ends():
    position = at("4C", a={"9": CANASTA}, phase="play")
    assert seat_view(position, 1)["turn"] == {"seat": 0, "phase": "play"}
    over = seat_view(do(position, "discard 4C"), 1)
    assert (over["turn"], over["end"]) == (None, "WENT_OUT")
