"""What a store keeps of a room, and the code that people read to each other."""

from dataclasses import replace
from typing import Any

import pytest

from fairdeal import rooms
from fairdeal.errors import MalformedInput
from fairdeal.records.canonical import decode, encode
from fairdeal.rooms import Drawn, Played, Room, Seat
from fairdeal.rooms.code import SIGNS, is_code, room_code

ROOM = Room(
    id="raaaaaaaaaaaaaaaa",
    site="site_main",
    version=3,
    state="playing",
    code="ACDE-FHJK",
    made=7,
    auto_start=True,
    seating="draw",
    drawn=Drawn(game="gaaaaaaa", master_record="ab" * 32, seats=(1, 0)),
    host=0,
    seats=(
        Seat(state="claimed", label="Ruth", ready=True, issued=2),
        Seat(state="bot", bot="steady@1", custody="site"),
    ),
    wanted={"rules": {"preset": "classic@1", "overrides": {"target": 3000}}},
    games=(
        Played(game="gaaaaaaa", over=True, kind="draw"),
        Played(game="gbbbbbbb", bots=(1,), lost=(0, 0), seats=(1, 0)),
    ),
)


def read(kept):
    return rooms.from_bytes(ROOM.id, ROOM.site, ROOM.version, kept)


def test_a_room_comes_back_as_it_was_kept():
    assert read(rooms.to_bytes(ROOM)) == ROOM


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("v",), 3),
        (("v",), True),
        (("state",), "open"),
        (("code",), "ACDE-FHJB"),
        (("made",), -1),
        (("auto_start",), 1),
        (("host",), 2),
        (("host",), "0"),
        (("seats",), []),
        (("seats", 0, "state"), "sitting"),
        (("seats", 0, "label"), "a\nb"),
        (("seats", 0, "custody"), "service-bot"),
        (("seats", 0, "bot"), ""),
        (("seats", 0, "ready"), None),
        (("seats", 0, "issued"), -1),
        (("seats", 0, "more"), 1),
        (("wanted",), []),
        (("games", 1, "over"), True),
        (("games", 0, "game"), "G"),
        (("games", 1, "bots"), [16]),
        (("games", 1, "lost"), [True]),
        (("games", 1, "kind"), "hand"),
        (("games", 1, "seats"), [0]),
        (("games", 1, "seats"), [1, 1]),
        (("seating",), "drawn"),
        (("drawn",), {"game": "gaaaaaaa", "master_record": "ab" * 32}),
        (("drawn", "game"), "G"),
        (("drawn", "master_record"), "ab"),
        (("drawn", "seats"), []),
        (("drawn", "seats"), [0, 2]),
        (("games",), []),
        (("more",), 1),
    ],
)
def test_bytes_that_no_room_gives_are_refused(path, value):
    said: Any = decode(rooms.to_bytes(ROOM))
    there = said
    for step in path[:-1]:
        there = there[step]
    there[path[-1]] = value
    with pytest.raises(MalformedInput) as caught:
        read(encode(said))
    assert caught.value.code == "bad_field"


def test_a_room_of_the_form_in_which_no_seats_were_drawn_is_read_too():
    plain = replace(
        ROOM,
        seating="given",
        drawn=None,
        games=tuple(replace(played, kind="game", seats=()) for played in ROOM.games),
    )
    said: Any = decode(rooms.to_bytes(plain))
    said["v"] = 1
    for name in ("seating", "drawn"):
        del said[name]
    for played in said["games"]:
        del played["kind"], played["seats"]
    assert read(encode(said)) == plain


def test_another_form_of_the_same_bytes_is_refused():
    with pytest.raises(MalformedInput):
        read(rooms.to_bytes(ROOM) + b" ")


def test_a_code_has_eight_signs_of_which_no_two_look_alike():
    assert room_code(bytes([0x01, 0x23, 0x45, 0xEF])) == "ACDE-FH47"
    assert len(set(SIGNS)) == 16
    for alike in ("0OQD", "1IL", "2Z", "5S", "8B", "UVWY", "6GC"):
        assert len(set(SIGNS) & set(alike)) <= 1
    assert is_code("ACDE-FH47")
    for text in ("ACDEFH47", "acde-fh47", "ACDE-FH4", "ACDE-FH47\n", "ACDE-FH40", 7):
        assert not is_code(text)
    with pytest.raises(ValueError, match="four bytes"):
        room_code(bytes(3))
