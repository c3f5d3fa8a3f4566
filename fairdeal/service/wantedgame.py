"""A wanted game as a room keeps it and tells it: in the form of a request, without seats."""

from typing import Any

from fairdeal.rooms import Room
from fairdeal.service.answers import NewGame, NewSeat
from fairdeal.service.settings import Settings


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


def next_game(room: Room) -> NewGame:
    """Return the game that a room would start now: bots play where nobody is seated.

    Raises:
        LookupError, TypeError, ValueError: What the room keeps is not what `to_json` gave.
    """
    said = dict(room.wanted)
    rules, settings = said.pop("rules"), Settings.of(said.pop("clock"), said.pop("watch"))
    seats = tuple(
        NewSeat(kind="human", label=seat.label, custody=seat.custody)
        if seat.seated
        else NewSeat(kind="bot", bot=seat.bot)
        for seat in room.seats
    )
    return NewGame(seats=seats, settings=settings, **rules, **said)
