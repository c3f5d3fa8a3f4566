"""Each step in a room, and each refusal of one."""

from dataclasses import replace

import pytest

from fairdeal import rooms
from fairdeal.errors import Conflict, FairdealError, Gone, NotAllowed, NotFound
from fairdeal.rooms import Room, Seat

WANTED = {"rules": {"preset": "classic@1"}}


def make(*states, host=None, **more):
    """Return a room in whose seats these are; a claimed seat's first one is the host."""
    seats = tuple(Seat(state=state, issued=int(state != "open")) for state in states)
    if host is None and "claimed" in states:
        host = states.index("claimed")
    return Room(
        id="raaaaaaaaaaaaaaaa", site="site_main", code="ACDE-FHJK", made=7, seats=seats,
        wanted=WANTED, host=host, **more,
    )  # fmt: skip


def all_ready(room):
    for number, seat in enumerate(room.seats):
        if seat.seated:
            room = rooms.ready(room, number, yes=True)
    return room


def playing(*states, **more):
    room = all_ready(make(*states, **more))
    return rooms.started(rooms.check_start(room, None), "gaaaaaaaaaaaaaaaa")


def states(room):
    return [seat.state for seat in room.seats]


def refusal(step, *arguments, **more):
    with pytest.raises(FairdealError) as caught:
        step(*arguments, **more)
    return type(caught.value), caught.value.code


# ------------------------------------------------------------------------------------- seats


def test_the_first_one_seated_is_the_host_whatever_the_seat():
    room = rooms.claim(make("invited", "invited", "invited", "bot"), 2)
    assert room.host == 2
    assert rooms.claim(room, 0).host == 2


def test_a_seat_is_claimed_once():
    room = rooms.claim(make("invited", "bot"), 0)
    assert refusal(rooms.claim, room, 0) == (Conflict, "seat_taken")
    assert refusal(rooms.claim, room, 1) == (Conflict, "seat_is_bot")
    assert refusal(rooms.claim, room, 2) == (NotFound, "no_such_seat")


def test_an_invitation_counts_up_and_names_the_guest():
    room = rooms.invite(make("open", "open"), None, 1, "Ruth")
    assert (room.seats[1].state, room.seats[1].label, room.seats[1].issued) == (
        "invited", "Ruth", 1,
    )  # fmt: skip
    again = rooms.invite(room, None, 1)
    assert (again.seats[1].label, again.seats[1].issued) == ("Ruth", 2)


def test_nobody_is_invited_to_a_seat_that_is_held_or_a_bots():
    room = make("claimed", "bot")
    assert refusal(rooms.invite, room, None, 0) == (Conflict, "seat_taken")
    assert refusal(rooms.invite, room, None, 1) == (Conflict, "seat_is_bot")


def test_a_seat_given_out_anew_is_no_longer_held_and_keeps_its_name():
    before = rooms.ready(make("claimed", "claimed"), 0, yes=True)
    before = replace(before, seats=(replace(before.seats[0], label="Ruth"), before.seats[1]))
    room = rooms.reissue(before, None, 0)
    assert states(room) == ["invited", "claimed"]
    assert (room.seats[0].label, room.seats[0].ready, room.seats[0].issued) == ("Ruth", False, 2)
    assert room.host == 1


def test_a_seat_taken_back_loses_its_name():
    before = make("claimed", "invited")
    before = replace(before, seats=tuple(replace(seat, label="Ruth") for seat in before.seats))
    for seat in (0, 1):
        room = rooms.release(before, None, seat)
        assert (room.seats[seat].state, room.seats[seat].label) == ("open", "")
    assert refusal(rooms.release, make("bot"), None, 0) == (Conflict, "seat_is_bot")


def test_whoever_leaves_the_lobby_frees_the_seat():
    room = rooms.leave(all_ready(make("claimed", "claimed")), 1)
    assert states(room) == ["claimed", "left"]
    assert not room.seats[1].ready
    assert rooms.leave(room, 1) is room
    assert refusal(rooms.ready, room, 1, yes=True) == (NotAllowed, "not_your_seat")


def test_whoever_leaves_a_game_plays_on_until_it_is_over():
    room = rooms.leave(playing("claimed", "claimed"), 0)
    assert states(room) == ["leaving", "claimed"]
    assert room.host == 1
    assert rooms.leave(room, 0) is room
    assert states(rooms.settled(room)) == ["left", "claimed"]


def test_whoever_left_reads_on_until_the_next_game_or_the_next_guest():
    room = rooms.leave(make("claimed", "claimed"), 1)
    assert room.seats[1].readable
    started = rooms.started(all_ready(room), "gaaaaaaaaaaaaaaaa")
    assert (states(started), started.games[-1].bots) == (["claimed", "open"], (1,))
    for after in (
        rooms.invite(room, 0, 1),
        rooms.release(room, 0, 1),
        rooms.put_bot(room, 0, 1, "steady@1"),
        started,
    ):
        assert not after.seats[1].readable


def test_a_host_that_leaves_passes_on_to_the_next_one_clockwise():
    room = make("claimed", "claimed", "open", "claimed", host=1)
    assert rooms.leave(room, 1).host == 3
    room = make("claimed", "bot", "claimed", "claimed", host=3)
    assert rooms.leave(room, 3).host == 0


def test_the_last_one_leaves_no_host_behind_and_the_next_one_is_it():
    room = rooms.leave(make("open", "claimed"), 1)
    assert room.host is None
    assert rooms.claim(room, 0).host == 0


def test_a_seat_that_somebody_else_has_by_now_obeys_nobody():
    room = make("open", "claimed")
    for step in (rooms.leave, lambda room, by: rooms.ready(room, by, yes=True)):
        assert refusal(step, room, 0) == (NotAllowed, "not_your_seat")


def test_the_host_is_passed_to_whoever_is_seated_only():
    room = make("claimed", "claimed", "invited", "bot")
    assert rooms.pass_host(room, 0, 1).host == 1
    assert rooms.pass_host(room, None, 1).host == 1
    for seat in (2, 3):
        assert refusal(rooms.pass_host, room, 0, seat) == (Conflict, "seat_not_claimed")
    leaving = rooms.leave(playing("claimed", "claimed"), 1)
    assert refusal(rooms.pass_host, leaving, 0, 1) == (Conflict, "seat_not_claimed")


def test_a_bot_takes_a_seat_that_nobody_holds_and_gives_it_back():
    room = make("claimed", "invited")
    with_bot = rooms.put_bot(room, 0, 1, "steady@1")
    assert (with_bot.seats[1].state, with_bot.seats[1].bot) == ("bot", "steady@1")
    assert rooms.put_bot(with_bot, 0, 1, "steady@1") is with_bot
    assert states(rooms.remove_bot(with_bot, 0, 1)) == ["claimed", "open"]
    assert rooms.remove_bot(room, 0, 1) is room
    assert refusal(rooms.put_bot, room, None, 0, "steady@1") == (Conflict, "seat_taken")


HOSTED = [
    lambda room, by: rooms.invite(room, by, 2),
    lambda room, by: rooms.reissue(room, by, 2),
    lambda room, by: rooms.release(room, by, 2),
    lambda room, by: rooms.put_bot(room, by, 2, "steady@1"),
    lambda room, by: rooms.remove_bot(room, by, 2),
    lambda room, by: rooms.pass_host(room, by, 1),
    lambda room, by: rooms.change_game(room, by, {}, auto_start=False),
    rooms.check_start,
]


@pytest.mark.parametrize("step", HOSTED)
def test_what_the_host_may_do_the_operator_may_and_no_other_seat(step):
    room = all_ready(make("claimed", "claimed", "open"))
    assert step(room, 0) == step(room, None)
    assert refusal(step, room, 1) == (NotAllowed, "host_only")


@pytest.mark.parametrize("step", [rooms.invite, rooms.reissue, rooms.release])
def test_while_a_game_runs_no_host_gives_out_a_seat_whose_cards_it_could_see(step):
    room = playing("claimed", "claimed", "open")
    assert refusal(step, room, 0, 2) == (Conflict, "game_running")
    assert step(room, None, 2).host == 0


def test_a_seat_that_a_bot_plays_is_not_taken_before_the_game_is_over():
    room = playing("claimed", "invited", "bot")
    assert room.running.bots == (1, 2)
    assert refusal(rooms.claim, room, 1) == (Conflict, "bot_plays")
    assert states(rooms.claim(rooms.settled(room), 1)) == ["claimed", "claimed", "bot"]


def test_a_seat_whose_player_was_replaced_is_taken_in_the_middle_of_a_game():
    room = rooms.reissue(playing("claimed", "claimed"), None, 1)
    assert states(rooms.claim(room, 1)) == ["claimed", "claimed"]


def test_what_was_taken_away_while_a_game_ran_is_noted_with_it():
    room = rooms.release(rooms.reissue(playing("claimed", "claimed", "open"), None, 1), None, 0)
    assert room.games[-1].lost == (1, 0)
    # Nobody held what is taken away now, nor is a game concerned in the lobby.
    room = rooms.settled(rooms.release(rooms.invite(room, None, 0), None, 0))
    assert rooms.reissue(rooms.claim(room, 1), None, 1).games[-1].lost == (1, 0)


# ----------------------------------------------------------------------------------- the game


def test_a_game_starts_when_everybody_who_is_seated_is_ready():
    room = rooms.ready(make("claimed", "claimed", "open", "bot"), 1, yes=True)
    with pytest.raises(Conflict) as caught:
        rooms.check_start(room, None)
    assert (caught.value.code, caught.value.facts) == ("not_ready", {"seats": [0]})
    room = rooms.ready(room, 0, yes=True)
    started = rooms.started(rooms.check_start(room, 0), "gaaaaaaaaaaaaaaaa")
    assert started.state == "playing"
    assert started.running == rooms.Played(game="gaaaaaaaaaaaaaaaa", bots=(2, 3))
    assert not any(seat.ready for seat in started.seats)


def test_whoever_starts_while_a_game_runs_starts_nothing():
    room = playing("claimed", "claimed")
    assert rooms.check_start(room, None) is room
    assert refusal(rooms.check_start, room, 1) == (NotAllowed, "host_only")


def test_no_game_starts_without_anybody():
    assert refusal(rooms.check_start, make("open", "bot"), None) == (Conflict, "nobody_seated")


def test_a_room_is_complete_when_every_human_seat_is_claimed_and_ready():
    assert not make("claimed", "bot").complete
    assert all_ready(make("claimed", "bot")).complete
    assert not all_ready(make("claimed", "invited", "bot")).complete
    assert not make("bot", "bot").complete
    assert all_ready(make("claimed", "invited")).all_ready
    assert not make("bot", "open").all_ready


def test_another_game_or_another_way_to_start_makes_nobody_ready():
    room = all_ready(make("claimed", "claimed"))
    assert rooms.change_game(room, 0, dict(WANTED), auto_start=False) is room
    for changed in (
        rooms.change_game(room, 0, {"rules": {}}, auto_start=False),
        rooms.change_game(room, 0, WANTED, auto_start=True),
    ):
        assert not any(seat.ready for seat in changed.seats)
        assert changed != room


def test_in_a_running_game_nothing_of_the_next_one_is_decided():
    room = playing("claimed", "open")
    for step in (
        lambda: rooms.ready(room, 0, yes=True),
        lambda: rooms.put_bot(room, 0, 1, "steady@1"),
        lambda: rooms.remove_bot(room, 0, 1),
        lambda: rooms.change_game(room, 0, {}, auto_start=False),
        lambda: rooms.rematch(room, 0, "gaaaaaaaaaaaaaaaa"),
        lambda: rooms.closed(room),
    ):
        assert refusal(step) == (Conflict, "game_running")


def test_a_game_that_is_over_leaves_the_room_in_the_lobby_and_nobody_ready():
    room = rooms.settled(playing("claimed", "invited", "bot"))
    assert (room.state, states(room)) == ("lobby", ["claimed", "invited", "bot"])
    assert [played.over for played in room.games] == [True]
    assert rooms.settled(room) is room


def test_a_rematch_is_being_ready_for_the_game_after_that_one():
    room = rooms.settled(playing("claimed", "claimed"))
    first = room.running or room.games[-1]
    room = rooms.rematch(room, 0, first.game)
    assert [seat.ready for seat in room.seats] == [True, False]
    assert not room.all_ready
    room = rooms.rematch(room, 1, first.game)
    assert room.all_ready
    second = rooms.started(room, "gbbbbbbbbbbbbbbbb")
    assert rooms.rematch(second, 0, first.game) is second
    assert refusal(rooms.rematch, second, 0, "gcccccccccccccccc") == (NotFound, "no_such_game")
    over = rooms.settled(second)
    assert rooms.rematch(over, 0, first.game) is over
    assert rooms.rematch(over, 0, "gbbbbbbbbbbbbbbbb").seats[0].ready


def test_a_room_remembers_its_newest_games():
    room = make("claimed")
    for number in range(rooms.KEPT_GAMES + 3):
        room = rooms.settled(rooms.started(room, f"g{number:07}"))
    assert [played.game for played in room.games] == [
        f"g{number:07}" for number in range(3, rooms.KEPT_GAMES + 3)
    ]


def test_a_closed_room_takes_no_step_and_closes_again():
    room = rooms.closed(make("claimed", "invited", "bot"))
    assert (room.state, states(room)) == ("closed", ["claimed", "open", "bot"])
    assert rooms.closed(room) is room
    for step in HOSTED:
        assert refusal(step, room, None) == (Gone, "room_closed")
    assert refusal(rooms.claim, room, 1) == (Gone, "room_closed")
    assert refusal(rooms.leave, room, 0) == (Gone, "room_closed")
    assert refusal(rooms.ready, room, 0, yes=True) == (Gone, "room_closed")
    assert refusal(rooms.rematch, room, 0, "gaaaaaaaaaaaaaaaa") == (Gone, "room_closed")
