"""A wanted game as a room keeps it and tells it: in the form of a request, without seats."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from fairdeal.canasta import presets
from fairdeal.game import draw_rules
from fairdeal.rooms import Drawn, Room
from fairdeal.service.answers import NewDealt, NewGame, NewSeat
from fairdeal.service.configure import BOTS
from fairdeal.service.settings import Settings

DRAW_WITHIN_MS: Final = 24 * 3600 * 1000
"""The master secret of a draw for seats is due so long after its start."""

HIGHEST: Final = 0
"""The seat of whoever drew highest, and plays first (`fairdeal.game.drawn`)."""


def to_json(wanted: NewGame) -> dict[str, Any]:
    """Return the game as JSON, every field said; seats and the end of claims have no place in it.

    Args:
        wanted: A game that this service referees.
    """
    return {
        "rules": {
            "preset": wanted.preset,
            "overrides": dict(wanted.overrides),
            "seating": None if wanted.seating is None else dict(wanted.seating),
        },
        "profile": wanted.profile,
        "beacon": None if wanted.beacon is None else dict(wanted.beacon),
        "epoch_hands": wanted.epoch_hands,
        "missing_share": wanted.missing_share,
        "hands": wanted.hands,
        "first_seat": wanted.first_seat,
        "reveal_by": wanted.reveal_by,
        "clock": wanted.settings.clock,
        "watch": wanted.settings.watch,
    }


def next_game(room: Room, humans: Collection[int], drawn: Drawn | None = None) -> NewGame:
    """Return the game that a room would start now.

    Args:
        room: The room.
        humans: The seats of the room that humans have; bots play the others.
        drawn: How its seats were drawn; None where each has the room's number.

    Raises:
        LookupError, TypeError, ValueError: What the room keeps is not what `to_json` gave.
    """
    said = dict(room.wanted)
    rules, settings = said.pop("rules"), Settings.of(said.pop("clock"), said.pop("watch"))
    if drawn is not None:
        settings = replace(settings, seats=drawn.seats)
        rules = {**rules, "seating": {"game": drawn.game, "master_record": drawn.master_record}}
        said["first_seat"] = HIGHEST
    seats = tuple(
        NewSeat(kind="human", label=room.seats[number].label, custody=room.seats[number].custody)
        if number in humans
        else NewSeat(kind="bot", bot=room.seats[number].bot)
        for number in (range(len(room.seats)) if drawn is None else drawn.seats)
    )
    return NewGame(seats=seats, settings=settings, **rules, **said)


def draw_before(game: NewGame, now: int) -> NewGame:
    """Return the draw for the seats of a game (decisions 18).

    It is seeded as the game will be. It is due within a day, so that one that nobody goes on with
    closes after half a day and leaves the room free.

    Args:
        game: What is to be played, with the room's seats.
        now: Milliseconds since 1970.

    Raises:
        Unprocessable: As `presets.build`.
    """
    sides = presets.build(game.preset, game.overrides).side_seats
    rules = draw_rules(partners=sides == ((0, 2), (1, 3)))
    due = now + DRAW_WITHIN_MS
    return replace(
        game,
        seats=tuple(
            replace(seat, bot=seat.bot or BOTS[0]) if seat.kind == "bot" else seat
            for seat in game.seats
        ),
        overrides={},
        dealt=NewDealt(name=rules.name, deck=tuple(rules.deck), steps=tuple(rules.steps)),
        hands=1,
        epoch_hands=0,
        first_seat=0,
        reveal_by=due if game.reveal_by is None else min(due, game.reveal_by),
    )
