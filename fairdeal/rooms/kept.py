"""A room as the bytes that a store keeps, and back, strictly."""

from typing import Any, Final, cast, get_args

from fairdeal.records.canonical import decode_canonical, encode
from fairdeal.records.fields import (
    MAX_SEATS,
    bad,
    game_id,
    hash_hex,
    integer,
    items,
    members,
    one_of,
    text,
)
from fairdeal.rooms.code import is_code
from fairdeal.rooms.room import (
    KEPT_GAMES,
    KEPT_LOSSES,
    Custody,
    Drawn,
    Kind,
    Match,
    Played,
    Room,
    RoomStatus,
    Seat,
    Seating,
    SeatState,
    Ticket,
)

FORM: Final = 2
"""The version of the form; of form 1, in which no seats were drawn, a room is read too."""

_ROOM: Final = (
    "auto_start", "code", "drawn", "games", "host", "made", "seating", "seats", "state", "v",
    "wanted",
)  # fmt: skip
_SEAT: Final = ("bot", "custody", "issued", "label", "ready", "state")
_PLAYED: Final = ("bots", "game", "kind", "lost", "over", "seats")
_DRAWN: Final = ("game", "master_record", "seats")
_MATCH: Final = ("game", "missed", "number", "tickets", "wishes")
_TICKET: Final = ("made", "n", "until")


def to_bytes(room: Room) -> bytes:
    """Return the room as canonical JSON, without its name, site and version."""
    return encode(
        {
            **({} if room.match is None else {"match": _match_said(room.match)}),
            "v": FORM,
            "state": room.state,
            "code": room.code,
            "made": room.made,
            "auto_start": room.auto_start,
            "seating": room.seating,
            "drawn": None
            if room.drawn is None
            else {
                "game": room.drawn.game,
                "master_record": room.drawn.master_record,
                "seats": list(room.drawn.seats),
            },
            "host": room.host,
            "seats": [{name: getattr(seat, name) for name in _SEAT} for seat in room.seats],
            "wanted": dict(room.wanted),
            "games": [
                {
                    "game": played.game,
                    "over": played.over,
                    "bots": list(played.bots),
                    "lost": list(played.lost),
                    "kind": played.kind,
                    "seats": list(played.seats),
                }
                for played in room.games
            ],
        }
    )


def from_bytes(name: str, site: str, version: int, kept: bytes) -> Room:
    """Return the room of what `to_bytes` gave.

    Args:
        name: The room's name.
        site: Whose it is.
        version: As it was kept.
        kept: The bytes.

    Raises:
        MalformedInput: They are not such bytes; the field is named.
    """
    found = _in_this_form(decode_canonical(kept))
    fields = (*_ROOM, "match") if isinstance(found, dict) and "match" in found else _ROOM
    said = members(found, "room", fields)
    integer(said["v"], "v", FORM, FORM)
    if not is_code(said["code"]):
        raise bad("code", "is not the code of a room")
    seats = tuple(items(said["seats"], "seats", _seat, 1, MAX_SEATS))
    room = Room(
        id=name,
        site=site,
        version=version,
        state=cast(RoomStatus, one_of(said["state"], "state", get_args(RoomStatus))),
        code=said["code"],
        made=integer(said["made"], "made"),
        auto_start=_yes_no(said["auto_start"], "auto_start"),
        seating=cast(Seating, one_of(said["seating"], "seating", get_args(Seating))),
        drawn=None if said["drawn"] is None else _drawn(said["drawn"], len(seats)),
        host=None if said["host"] is None else integer(said["host"], "host", 0, len(seats) - 1),
        seats=seats,
        wanted=_object(said["wanted"], "wanted"),
        games=tuple(items(said["games"], "games", _played, 0, KEPT_GAMES)),
        match=_match(said["match"], len(seats)) if "match" in said else None,
    )
    for number, played in enumerate(room.games):
        if played.seats:
            _check_order(played.seats, f"games[{number}].seats", len(seats))
    if room.state == "playing" and (not room.games or room.games[-1].over):
        raise bad("games", "has no game that is being played")
    return room


def _seat(value: object, field: str) -> Seat:
    said = members(value, field, _SEAT)
    return Seat(
        state=cast(SeatState, one_of(said["state"], f"{field}.state", get_args(SeatState))),
        label=text(said["label"], f"{field}.label"),
        custody=cast(Custody, one_of(said["custody"], f"{field}.custody", get_args(Custody))),
        bot=None if said["bot"] is None else text(said["bot"], f"{field}.bot", 1),
        ready=_yes_no(said["ready"], f"{field}.ready"),
        issued=integer(said["issued"], f"{field}.issued"),
    )


def _played(value: object, field: str) -> Played:
    said = members(value, field, _PLAYED)
    return Played(
        game=game_id(said["game"], f"{field}.game"),
        over=_yes_no(said["over"], f"{field}.over"),
        bots=tuple(items(said["bots"], f"{field}.bots", _number, 0, MAX_SEATS)),
        lost=tuple(items(said["lost"], f"{field}.lost", _number, 0, KEPT_LOSSES)),
        kind=cast(Kind, one_of(said["kind"], f"{field}.kind", get_args(Kind))),
        seats=tuple(items(said["seats"], f"{field}.seats", _number, 0, MAX_SEATS)),
    )


def _drawn(value: object, seats: int) -> Drawn:
    said = members(value, "drawn", _DRAWN)
    order = tuple(items(said["seats"], "drawn.seats", _number, 0, MAX_SEATS))
    _check_order(order, "drawn.seats", seats)
    return Drawn(
        game=game_id(said["game"], "drawn.game"),
        master_record=hash_hex(said["master_record"], "drawn.master_record"),
        seats=order,
    )


def _check_order(order: tuple[int, ...], field: str, seats: int) -> None:
    if sorted(order) != list(range(seats)):
        raise bad(field, "does not name each seat once")


def _in_this_form(said: object) -> object:
    """Return a room of form 1 in this one; anything else as it is."""
    if not isinstance(said, dict) or said.get("v") != 1 or type(said["v"]) is not int:
        return said
    games = said.get("games")
    if isinstance(games, list):
        games = [{**one, "kind": "game", "seats": []} for one in games if isinstance(one, dict)]
    return {**said, "v": FORM, "games": games, "seating": "given", "drawn": None}


def _match_said(match: Match) -> dict[str, object]:
    tickets = [
        None if one is None else {name: getattr(one, name) for name in _TICKET}
        for one in match.tickets
    ]
    return {
        "wishes": match.wishes,
        "number": match.number,
        "tickets": tickets,
        "game": match.game,
        "missed": list(match.missed),
    }


def _match(value: object, seats: int) -> Match:
    said = members(value, "match", _MATCH)
    return Match(
        wishes=hash_hex(said["wishes"], "match.wishes"),
        number=integer(said["number"], "match.number"),
        tickets=tuple(items(said["tickets"], "match.tickets", _ticket, seats, seats)),
        game=None if said["game"] is None else game_id(said["game"], "match.game"),
        missed=tuple(items(said["missed"], "match.missed", _number, 0, MAX_SEATS)),
    )


def _ticket(value: object, field: str) -> Ticket | None:
    if value is None:
        return None
    said = members(value, field, _TICKET)
    return Ticket(
        n=integer(said["n"], f"{field}.n", 1),
        made=integer(said["made"], f"{field}.made"),
        until=integer(said["until"], f"{field}.until"),
    )


def _number(value: object, field: str) -> int:
    return integer(value, field, 0, MAX_SEATS - 1)


def _yes_no(value: object, field: str) -> bool:
    if type(value) is not bool:
        raise bad(field, "is neither true nor false")
    return value


def _object(value: object, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise bad(field, "is not an object")
    return value
