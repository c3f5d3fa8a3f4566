"""Rooms: who plays with whom, before a game and after it; pure decisions (decisions 12)."""

from fairdeal.rooms.code import CODE_BYTES, room_code
from fairdeal.rooms.kept import from_bytes, to_bytes
from fairdeal.rooms.room import KEPT_GAMES, Drawn, Played, Room, Seat, Seating
from fairdeal.rooms.steps import (
    change_game,
    check_start,
    claim,
    closed,
    drawing,
    humans,
    invite,
    leave,
    pass_host,
    put_bot,
    ready,
    reissue,
    release,
    rematch,
    remove_bot,
    settled,
    started,
)

__all__ = [
    "CODE_BYTES",
    "KEPT_GAMES",
    "Drawn",
    "Played",
    "Room",
    "Seat",
    "Seating",
    "change_game",
    "check_start",
    "claim",
    "closed",
    "drawing",
    "from_bytes",
    "humans",
    "invite",
    "leave",
    "pass_host",
    "put_bot",
    "ready",
    "reissue",
    "release",
    "rematch",
    "remove_bot",
    "room_code",
    "settled",
    "started",
    "to_bytes",
]
