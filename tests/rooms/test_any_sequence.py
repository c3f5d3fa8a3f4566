"""Whatever is tried in a room, in whatever order: no seat twice, no seat lost, always a host."""

from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from fairdeal import rooms
from fairdeal.errors import FairdealError
from fairdeal.rooms import Room, Seat

STEPS = {
    "claim": 6, "ready": 4, "everybody_ready": 4, "start": 4, "over": 6, "rematch": 8, "invite": 3,
    "leave": 2, "reissue": 1, "release": 1, "put_bot": 2, "remove_bot": 2, "pass_host": 1,
    "change_game": 1,
}  # fmt: skip
"""How often each step is tried, against the others."""


def any_step(chance):
    """Return a step by chance: a name, and who asks, and about which seat or game."""
    (name,) = chance.choices([*STEPS], [*STEPS.values()])
    by = chance.choice([None, None, 0, 1, 2, 3])
    seat = chance.randrange(5)  # Seat 4 is not there.
    match name:
        case "claim" | "leave":
            return (name, seat)
        case "ready":
            return (name, seat, chance.random() < 0.8)
        case "rematch":
            return (name, seat, chance.choice([1, 1, 1, 2, 3]))
        case "change_game":
            return (name, by, chance.randrange(3))
        case "start":
            return (name, by)
        case "over" | "everybody_ready":
            return (name,)
        case _:
            return (name, by, seat)


MAY_EMPTY_A_SEAT = {"reissue", "release", "leave", "over"}


def take(room, step, count):
    """Take one step as the service does; `count` names the next game."""
    match step:
        case ("put_bot", by, seat):
            return rooms.put_bot(room, by, seat, "steady@1")
        case ("change_game", by, number):
            return rooms.change_game(room, by, {"number": number}, auto_start=number == 2)
        case ("ready", by, yes):
            room = rooms.ready(room, by, yes=yes)
            return rooms.started(room, count) if room.auto_start and room.complete else room
        case ("rematch", by, number):
            before = room
            game = room.games[-number].game if number <= len(room.games) else "gnowhere"
            room = rooms.rematch(room, by, game)
            return rooms.started(room, count) if room != before and room.all_ready else room
        case ("start", by):
            room = rooms.check_start(room, by)
            return rooms.started(room, count) if room.running is None else room
        case ("over",):
            return rooms.settled(room)
        case ("everybody_ready",):
            for number, seat in enumerate(room.seats):
                if seat.seated:
                    room = rooms.ready(room, number, yes=True)
            return room
        case _:
            return getattr(rooms, step[0])(room, *step[1:])


def check(room):
    seated = {number for number, seat in enumerate(room.seats) if seat.seated}
    assert room.host in seated if seated else room.host is None
    for seat in room.seats:
        assert not (seat.ready and (room.state == "playing" or not seat.seated))
        assert not (seat.state == "leaving" and room.state != "playing")
    assert [played.over for played in room.games[:-1]] == [True] * len(room.games[:-1])
    if room.running is not None:
        for number in room.running.bots:
            assert not room.seats[number].readable  # or its holder would see the bot's cards


@pytest.mark.parametrize("seed", range(8))
def test_a_room_keeps_its_promises_in_any_sequence_of_steps(seed):
    chance = Random(seed)
    bots = chance.randrange(15)
    seats = tuple(
        Seat(state="bot", bot="steady@1") if bots >> number & 1 else Seat(state="invited", issued=1)
        for number in range(4)
    )
    room = Room(
        id="raaaaaaaaaaaaaaaa", site="site_main", code="ACDE-FHJK", made=0, seats=seats, wanted={}
    )  # fmt: skip
    done: Counter[str] = Counter()
    held = set()
    for count in range(2_000):
        step = any_step(chance)
        before, refused = room, True
        with suppress(FairdealError):
            room, refused = take(room, step, f"g{count:07}"), False
        check(room)
        if count % 16 == 0:
            kept = rooms.to_bytes(room)
            assert rooms.from_bytes(room.id, room.site, room.version, kept) == room
        if refused:
            assert room is before
        done[step[0]] += room != before
        if step[0] == "claim" and not refused:
            assert step[1] not in held  # no seat twice
            held.add(step[1])
        now = {number for number, seat in enumerate(room.seats) if seat.held}
        if step[0] in MAY_EMPTY_A_SEAT:
            assert now <= held
            lost = held - now
            if step[0] != "over":
                assert lost <= {step[-1]}
            else:
                assert lost == {n for n, seat in enumerate(before.seats) if seat.state == "leaving"}
            held = now
        assert now == held  # no seat lost, and none got without a claim
        new = [played.game for played in room.games if played not in before.games]
        if room.running is not None and before.running is None:
            (game,) = new
            assert game == room.running.game
            # Everybody seated plays, bots play the rest, and everybody wanted it.
            playing = {n for n, seat in enumerate(room.seats) if seat.seated}
            assert playing | set(room.running.bots) == {0, 1, 2, 3}
            assert not playing & set(room.running.bots)
            assert playing

    assert set(+done) == set(STEPS)  # each step was taken, not only refused
    assert len(room.games) >= 20
