"""Rooms that draw their seats: what follows a draw, and who sits in the game behind it."""

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fairdeal import rooms
from fairdeal.errors import FairdealError
from fairdeal.rooms import Drawn, Room, Seat

DRAW, GAME = "gaaaaaaaaaaaaaaaa", "gbbbbbbbbbbbbbbbb"
DRAWN = Drawn(game=DRAW, master_record="ab" * 32, seats=(2, 0, 3, 1))


def make(*states, seating="draw", **more):
    seats = tuple(
        Seat(state=state, bot="steady@1" if state == "bot" else None, ready=state == "claimed")
        for state in states
    )
    return Room(
        id="raaaaaaaaaaaaaaaa", site="site_main", code="ACDE-FHJK", made=0, host=0, seats=seats,
        wanted={}, seating=seating, **more,
    )  # fmt: skip


def drawing(*states):
    """Return a room whose draw runs."""
    return rooms.drawing(make(*states), DRAW)


def behind(room, drawn=DRAWN):
    """Return the room behind its draw, with the game that follows it."""
    over = room.running
    return rooms.started(rooms.settled(room), GAME, drawn, over)


def test_a_room_draws_first_where_it_was_asked_to_and_nothing_is_drawn_yet():
    assert not make("claimed", seating="given").draws_first
    assert make("claimed").draws_first
    assert not make("claimed", drawn=DRAWN).draws_first
    assert make("claimed", seating="draw_each", drawn=DRAWN).draws_first


def test_a_draw_is_played_with_the_seats_of_the_room():
    room = drawing("claimed", "invited", "bot", "claimed")
    assert room.state == "playing"
    assert room.running == rooms.Played(game=DRAW, kind="draw", bots=(1, 2))
    assert not any(seat.ready for seat in room.seats)


def test_the_game_behind_a_draw_has_the_seats_that_were_drawn():
    room = behind(drawing("claimed", "claimed", "bot", "claimed"))
    assert room.state == "playing"
    assert [played.over for played in room.games] == [True, False]
    assert room.running == rooms.Played(game=GAME, bots=(2,), seats=DRAWN.seats)
    assert room.drawn == DRAWN
    assert not room.draws_first


def test_a_rematch_keeps_what_was_drawn_and_another_game_does_not():
    room = rooms.settled(behind(drawing("claimed", "claimed", "claimed", "claimed")))
    assert room.drawn == DRAWN
    again = rooms.started(room, "gcccccccccccccccc", room.drawn)
    assert again.running is not None
    assert again.running.seats == DRAWN.seats
    same = rooms.change_game(room, 0, {}, auto_start=False, seating="draw")
    assert same is room
    for change in ({"wanted": {"a": 1}}, {"auto_start": True}, {"seating": "draw_each"}):
        said: dict[str, Any] = {"wanted": {}, "auto_start": False, "seating": "draw", **change}
        assert rooms.change_game(room, 0, **said).drawn is None


def test_a_game_without_a_draw_forgets_an_earlier_one():
    room = rooms.settled(behind(drawing("claimed", "claimed", "claimed", "claimed")))
    assert rooms.started(room, "gcccccccccccccccc").drawn is None
    assert rooms.drawing(room, "gcccccccccccccccc").drawn is None


def test_a_draw_that_was_given_up_leaves_the_room_in_its_lobby():
    room = rooms.settled(drawing("claimed", "claimed", "bot", "bot"))
    assert (room.state, room.drawn, room.running) == ("lobby", None, None)
    assert room.draws_first


def test_whoever_got_up_during_the_draw_is_played_by_a_bot():
    room = rooms.leave(drawing("claimed", "claimed", "bot", "claimed"), 1)
    after = behind(room)
    assert after.running is not None
    assert after.running.bots == (1, 2)
    assert after.seats[1].state == "open"


def test_a_seat_given_out_anew_during_the_draw_is_kept_for_its_player():
    room = rooms.reissue(drawing("claimed", "claimed", "bot", "invited"), None, 1)
    after = behind(room)
    assert after.running is not None
    assert after.running.bots == (2, 3)  # Seat 3 was a bot's in the draw too.
    assert rooms.claim(after, 1).seats[1].state == "claimed"


def test_a_seat_taken_back_during_the_draw_is_played_by_a_bot():
    room = rooms.release(drawing("claimed", "claimed", "bot", "bot"), None, 1)
    after = behind(room)
    assert after.running is not None
    assert after.running.bots == (1, 2, 3)


def test_an_invitation_from_before_the_draw_gives_no_human_seat():
    room = drawing("claimed", "invited", "claimed", "claimed")
    assert rooms.humans(rooms.settled(room), room.running) == (0, 2, 3)
    assert rooms.humans(rooms.settled(room)) == (0, 2, 3)


# ------------------------------------------------------------------------------- any sequence


def any_step(chance, room):
    """Return the room after one step by chance."""
    seat, by = chance.randrange(4), chance.choice([None, None, room.host])
    match chance.choice(
        ["claim"] * 6 + ["ready"] * 6 + ["start"] * 6 + ["over"] * 8
        + ["leave", "reissue", "release", "invite", "invite", "seating", "bot", "open"]
    ):  # fmt: skip
        case "ready":
            for number, one in enumerate(room.seats):
                if one.seated:
                    room = rooms.ready(room, number, yes=True)
            return room
        case "start":
            room = rooms.check_start(room, by)
            if room.running is not None:
                return room
            name = f"g{len(room.games):07}{chance.randrange(10**9):09}"
            if room.draws_first:
                return rooms.drawing(room, name)
            return rooms.started(room, name, room.drawn if room.seating == "draw" else None)
        case "over":
            return ended(chance, room)
        case "seating":
            seating = chance.choice(["given", "draw", "draw", "draw_each"])
            return rooms.change_game(room, by, {}, auto_start=False, seating=seating)
        case "bot":
            return rooms.put_bot(room, by, seat, "steady@1")
        case "open":
            return rooms.remove_bot(room, by, seat)
        case "claim":
            return rooms.claim(room, seat)
        case "leave":
            return rooms.leave(room, seat)
        case word:
            return getattr(rooms, word)(room, by, seat)


def ended(chance, room):
    """Return the room after the game that runs, as the service has it go on."""
    over, settled = room.running, rooms.settled(room)
    if over is None or over.kind == "game" or chance.random() < 0.2:
        return settled
    humans = rooms.humans(settled, over)
    if not humans:
        return settled
    seats = tuple(chance.sample(range(4), 4))
    drawn = Drawn(game=over.game, master_record="ab" * 32, seats=seats)
    name = f"g{len(room.games):07}{chance.randrange(10**9):09}"
    after = rooms.started(settled, name, drawn, over)
    assert after.running is not None
    assert after.running.seats == seats
    assert set(after.running.bots) == set(range(4)) - set(humans)
    return after


@pytest.mark.parametrize("seed", range(6))
def test_a_room_that_draws_keeps_its_promises_in_any_sequence_of_steps(seed):
    chance, room = Random(seed), make("invited", "invited", "invited", "bot")
    room, followed = replace(room, host=None), 0
    for count in range(1_500):
        before = room
        with suppress(FairdealError):
            room = any_step(chance, room)
        seated = {number for number, one in enumerate(room.seats) if one.seated}
        assert room.host in seated if seated else room.host is None
        assert [played.over for played in room.games[:-1]] == [True] * len(room.games[:-1])
        running = room.running
        if running is not None:
            for number in running.bots:
                assert not room.seats[number].readable  # or its holder would see the bot's cards
            if running.kind == "draw":
                assert running.seats == ()
            # Only the operator takes a player's seat away from a game that runs.
            held = {number for number, one in enumerate(room.seats) if one.held}
            assert held <= set(range(4)) - set(running.bots)
        if (
            before.running is not None
            and before.running.kind == "draw"
            and running != before.running
        ):
            followed += running is not None
        if count % 32:
            continue
        kept = rooms.to_bytes(room)
        assert rooms.from_bytes(room.id, room.site, room.version, kept) == room
    assert followed > 10
