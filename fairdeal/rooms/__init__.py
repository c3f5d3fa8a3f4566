"""Rooms: who plays with whom, before a game and after it; pure decisions (decisions 12)."""

from fairdeal.rooms.code import CODE_BYTES, room_code
from fairdeal.rooms.kept import from_bytes, to_bytes
from fairdeal.rooms.room import KEPT_GAMES, Played, Room, Seat
from fairdeal.rooms.steps import (
    change_game,
    check_start,
    claim,
    closed,
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
    "Played",
    "Room",
    "Seat",
    "change_game",
    "check_start",
    "claim",
    "closed",
    "from_bytes",
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
