"""Quick match, as decisions: who gets which seat, when the game starts, what becomes of tickets."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fairdeal import rooms
from fairdeal.errors import Conflict, MalformedInput, NotAllowed
from fairdeal.records.canonical import decode, encode
from fairdeal.rooms import CLAIM_MS, Match, Room, Seat

T = 1_000_000
WAIT = 20_000


def fresh(seats=4):
    match = Match(wishes="ab" * 32, number=0, tickets=(None,) * seats)
    return Room(
        id="raaaaaaaaaaaaaaaa", site="site_main", code="ACDE-FHJK", made=T, wanted={},
        seats=(Seat(),) * seats, match=match,
    )  # fmt: skip


def join(room, at=T, wait=WAIT, label=""):
    seat = rooms.free_seat(room)
    assert seat is not None
    return rooms.joined(room, seat, Seat(label=label), at, at + wait)


def filled(*ats, claimed=()):
    room = fresh()
    for at in ats:
        room = join(room, at)
    for seat in claimed:
        room = rooms.claim(room, seat)
    return room


def states(room):
    return [
        rooms.ticket_state(room, seat, one.issued) if one.issued else None
        for seat, one in enumerate(room.seats)
    ]


# ------------------------------------------------------------------------------------ seats


def test_players_get_the_seats_in_order_with_their_names_and_a_claim_each():
    room = join(join(fresh(), label="Ruth"), label="Vera")
    assert [seat.state for seat in room.seats] == ["invited", "invited", "open", "open"]
    assert [seat.label for seat in room.seats] == ["Ruth", "Vera", "", ""]
    assert [seat.issued for seat in room.seats] == [1, 1, 0, 0]
    assert states(room) == ["waiting", "waiting", None, None]


def test_a_full_room_a_started_and_a_closed_one_and_any_other_have_no_free_seat():
    assert rooms.free_seat(filled(T, T, T, T)) is None
    assert rooms.free_seat(rooms.started(filled(T, claimed=[0]), "gaaaaaaa")) is None
    assert rooms.free_seat(rooms.closed(filled(T))) is None
    assert rooms.free_seat(replace(fresh(), match=None)) is None
    assert rooms.free_seat(replace(fresh(), seats=(Seat(state="bot"), Seat()))) == 1


def test_the_seat_of_whoever_withdrew_is_given_to_the_next_one_and_his_ticket_stays_withdrawn():
    room = rooms.tidied(rooms.release(filled(T, T), None, 0))
    assert rooms.ticket_state(room, 0, 1) == "withdrawn"
    room = join(room, T + 5)
    assert room.seats[0].issued == 2
    assert rooms.ticket_state(room, 0, 1) == "withdrawn"
    assert rooms.ticket_state(room, 0, 2) == "waiting"


@pytest.mark.parametrize("goes", ["release", "leave"])
def test_a_room_that_everybody_left_before_its_game_is_closed(goes):
    room = filled(T, claimed=[0])
    room = rooms.leave(room, 0) if goes == "leave" else rooms.release(room, None, 0)
    room = rooms.tidied(room)
    assert room.state == "closed"
    assert rooms.starts_at(room) is None
    assert rooms.ticket_state(room, 0, 1) == "withdrawn"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("wishes",), "ab"),
        (("number",), -1),
        (("tickets",), []),
        (("tickets", 0), 1),
        (("tickets", 0, "n"), 0),
        (("tickets", 0, "made"), None),
        (("tickets", 0, "until"), "1"),
        (("tickets", 0, "more"), 1),
        (("game",), "G"),
        (("missed",), [16]),
        (("more",), 1),
    ],
)
def test_bytes_that_no_match_gives_are_refused(path, value):
    said: Any = decode(rooms.to_bytes(filled(T, T, claimed=[1])))
    there = said["match"]
    for step in path[:-1]:
        there = there[step]
    there[path[-1]] = value
    with pytest.raises(MalformedInput) as caught:
        rooms.from_bytes("raaaaaaaaaaaaaaaa", "site_main", 0, encode(said))
    assert caught.value.code == "bad_field"


def test_a_room_of_no_match_is_kept_without_one():
    assert b"match" not in rooms.to_bytes(replace(fresh(), match=None))


# ------------------------------------------------------------------------------------- time


def test_the_game_starts_when_the_first_player_has_waited_long_enough():
    room = filled(T, T + 3_000, claimed=[0, 1])
    assert rooms.starts_at(room) == T + WAIT
    impatient = join(room, T + 5_000, wait=2_000)
    assert rooms.starts_at(rooms.claim(impatient, 2)) == T + 7_000


def test_whoever_got_a_seat_late_has_time_to_take_it_and_is_waited_for_no_longer():
    late = T + WAIT - 1
    room = filled(T, late, claimed=[0])
    assert rooms.starts_at(room) == late + CLAIM_MS
    assert not rooms.is_due(room, late + CLAIM_MS - 1)
    assert rooms.is_due(room, late + CLAIM_MS)
    assert rooms.starts_at(rooms.claim(room, 1)) == T + WAIT


def test_a_full_room_starts_as_soon_as_everybody_took_the_seat():
    room = filled(T, T, T, T + 9, claimed=[0, 1, 2])
    assert rooms.starts_at(room) == T + 9 + CLAIM_MS
    assert rooms.is_due(rooms.claim(room, 3), T + 10)


def test_a_player_who_waits_for_nobody_plays_with_guests_as_soon_as_the_seat_is_taken():
    room = join(fresh(), wait=0)
    assert rooms.starts_at(room) == T + CLAIM_MS
    assert rooms.is_due(rooms.claim(room, 0), T)


def test_a_room_in_which_only_the_operators_own_guests_wait_starts_by_itself_never():
    room = rooms.invite(filled(T), None, 1)
    room = rooms.tidied(rooms.release(room, None, 0))
    assert room.state == "lobby"
    assert rooms.starts_at(room) is None
    assert not rooms.is_due(room, T * 9)
    assert rooms.starts_at(replace(room, match=None)) is None


# -------------------------------------------------------------------------------- the start


def test_whoever_did_not_take_the_seat_has_missed_the_game_and_a_bot_plays():
    room = rooms.started(filled(T, T, claimed=[1]), "gaaaaaaa")
    assert room.running is not None
    assert room.running.bots == (0, 2, 3)
    assert states(room) == ["missed", "started", None, None]
    with pytest.raises(Conflict) as caught:
        rooms.claim(room, 0)
    assert caught.value.code == "bot_plays"


def test_what_became_of_a_ticket_stays_so_in_later_games():
    room = rooms.settled(rooms.started(filled(T, T, claimed=[1]), "gaaaaaaa"))
    room = rooms.started(rooms.claim(room, 0), "gbbbbbbb")
    assert states(room) == ["missed", "started", None, None]
    assert room.match is not None
    assert (room.match.game, room.filling) == ("gaaaaaaa", None)
    assert states(rooms.tidied(rooms.settled(room)))[1] == "started"


def test_tickets_of_a_room_that_was_closed_before_its_game_were_missed():
    assert states(rooms.closed(filled(T, T)))[:2] == ["missed", "missed"]


def test_a_claim_that_was_no_ticket_counts_as_withdrawn():
    room = rooms.invite(filled(T), None, 1)
    assert rooms.ticket_state(room, 1, 1) == "withdrawn"
    assert rooms.ticket_state(replace(room, match=None), 0, 1) == "withdrawn"


def test_a_seat_that_was_given_out_anew_is_still_the_tickets():
    room = rooms.tidied(rooms.reissue(filled(T, claimed=[0]), None, 0))
    assert room.seats[0].issued == 2
    assert rooms.ticket_state(room, 0, 1) == "waiting"


# --------------------------------------------------------------------------------- the host


def test_the_first_to_come_is_host_only_once_the_game_has_started():
    room = filled(T, T, claimed=[0])
    assert room.host == 0
    for step in (
        lambda: rooms.release(room, 0, 1),
        lambda: rooms.put_bot(room, 0, 2, "greedy@1"),
        lambda: rooms.check_start(room, 0),
        lambda: rooms.change_game(room, 0, {"other": 1}, auto_start=False),
    ):
        with pytest.raises(NotAllowed) as caught:
            step()
        assert caught.value.code == "host_only"
    after = rooms.settled(rooms.started(room, "gaaaaaaa"))
    assert rooms.change_game(after, 0, {"other": 1}, auto_start=False).wanted == {"other": 1}


def test_the_game_that_players_wished_for_is_not_changed_while_they_come():
    with pytest.raises(Conflict) as caught:
        rooms.change_game(filled(T), None, {"other": 1}, auto_start=False)
    assert caught.value.code == "room_filling"


def test_whoever_takes_a_seat_is_ready_for_the_game_wished_for():
    room = filled(T, T, claimed=[0, 1])
    assert [seat.ready for seat in room.seats] == [True, True, False, False]
    assert rooms.check_start(room, None) is room


# ---------------------------------------------------------------------------- any sequence


@pytest.mark.parametrize("seed", range(20))
def test_whatever_players_do_each_is_in_the_game_exactly_if_they_came_and_stayed(seed):
    """Simulated time; `here` is who holds a seat, `out` who withdrew or left."""
    chance = Random(seed)
    room, now = fresh(), T
    tickets: dict[tuple[int, int], str] = {}
    while room.filling is not None:
        now += chance.randrange(4_000)
        if rooms.is_due(room, now):
            seated = any(seat.seated for seat in room.seats)
            room = rooms.started(room, "gaaaaaaa") if seated else rooms.closed(room)
            break
        seat = chance.randrange(4)
        there = room.seats[seat]
        match chance.choice(["join", "join", "claim", "claim", "release", "leave"]):
            case "join" if (free := rooms.free_seat(room)) is not None:
                room = join(room, now, chance.choice([0, 5_000, WAIT]))
                tickets[free, room.seats[free].issued] = "came"
            case "claim" if there.state == "invited":
                room = rooms.claim(room, seat)
                tickets[seat, there.issued] = "here"
            case "release" if there.state in ("invited", "claimed"):
                room = rooms.release(room, None, seat)
                tickets[seat, there.issued] = "out"
            case "leave" if there.state == "claimed":
                room = rooms.leave(room, seat)
                tickets[seat, there.issued] = "out"
        room = rooms.tidied(room)
        kept = rooms.to_bytes(room)
        assert rooms.from_bytes(room.id, room.site, room.version, kept) == room
        waits = room.filling is not None and tickets
        assert not waits or rooms.starts_at(room) is not None  # never stuck
        assert now < T + 600_000
    became = {"came": "missed", "here": "started", "out": "withdrawn"}
    for (seat, n), fate in tickets.items():
        assert rooms.ticket_state(room, seat, n) == became[fate]
    if room.running is not None:
        playing = {0, 1, 2, 3} - set(room.running.bots)
        assert playing == {seat for (seat, _), fate in tickets.items() if fate == "here"}
