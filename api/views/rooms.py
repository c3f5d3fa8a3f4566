"""Rooms: who plays with whom, before a game and after it."""

from typing import Any

from api.auth import OPERATOR, SEAT, caller, dealer
from api.blueprint import Blueprint
from api.refusals import NEW_GAME
from api.shapes import lists
from api.shapes.rooms import (
    HostWanted,
    ReadyWanted,
    RematchWanted,
    RoomBotWanted,
    RoomClaimsOut,
    RoomGameWanted,
    RoomInviteWanted,
    RoomLook,
    RoomOut,
    RoomReissueWanted,
    RoomsOut,
    RoomWanted,
    StepWanted,
)
from api.waiting import polling
from fairdeal.service import Asked, NewRoom, Once, RoomView

blueprint = Blueprint("rooms", __name__, description="Bring people together for a game.")

#: A step may be decided anew, and its token may have been replaced meanwhile.
_STEP = ("room_moved", "room_closed", "records_damaged")
_HOST = (*_STEP, "host_only")
_SEATS = (*_HOST, "no_such_seat", "game_running")
#: A room's game was found right when it was asked for; only time can have made it wrong.
_LATE = "reveal_by_out_of_range"
#: What may be in the way of a start.
_NEW = (_LATE, "log_behind")
#: A refereed game's first record is far from too large.
_SMALL = ("record_too_large",)
#: Whoever holds a seat holds one of another room, if there is no such room.
_SEATED = ("no_such_room",)
_HOST_OR_OPERATOR = [*SEAT, *OPERATOR]


@blueprint.route("/v1/rooms", methods=["POST"])
@blueprint.arguments(RoomWanted)
@blueprint.writes(201, RoomClaimsOut)
@blueprint.refuses(*NEW_GAME, "not_in_a_room", "until_out_of_range", but=_SMALL)
@blueprint.doc(operationId="createRoom", security=OPERATOR)
def create(wanted: NewRoom, *, once: Once | None) -> RoomView:
    """Open a room: nothing is committed to before its game starts.

    The answer holds one claim for each human seat, to be handed on.
    """
    return dealer().rooms.create(caller(), wanted, once=once)


@blueprint.route("/v1/rooms", methods=["GET"])
@blueprint.arguments(lists.PartWanted, location="query")
@blueprint.response(200, RoomsOut)
@blueprint.refuses("records_damaged")
@blueprint.doc(operationId="listRooms", security=OPERATOR)
def listed(wanted: dict[str, Any]) -> dict[str, object]:
    """List the rooms of your site, by name."""
    begin = lists.begin(wanted)
    found = dealer().rooms.listed(caller(), wanted["limit"], begin and begin[1])
    return lists.part("rooms", found.rooms, None if found.behind is None else (0, found.behind))


@blueprint.route("/v1/rooms/<room>", methods=["GET"])
@blueprint.arguments(RoomLook, location="query")
@blueprint.response(200, RoomOut)
@blueprint.refuses("records_damaged", "too_many_streams", "busy")
@blueprint.doc(operationId="getRoom", security=_HOST_OR_OPERATOR)
def look(wanted: dict[str, Any], room: str) -> RoomView:
    """Look at a room, or wait for its next version.

    While a game runs, the answer holds its commitment, and all that your seed needs.
    """
    if wanted["wait"] is None:
        return dealer().rooms.look(caller(), room)
    with polling() as is_gone:
        return dealer().rooms.look(caller(), room, wanted["at_least"], wanted["wait"], is_gone)


@blueprint.route("/v1/rooms/<room>", methods=["DELETE"])
@blueprint.writes(200, RoomOut)
@blueprint.refuses("records_damaged", "room_moved", "game_running")
@blueprint.doc(operationId="closeRoom", security=OPERATOR)
def close(room: str, *, once: Once | None) -> RoomView:
    """Close a room in which no game runs; its tokens still read the games that were played."""
    return dealer().rooms.close(_asked(room, once))


# --------------------------------------------------------------------------------------- seats


@blueprint.route("/v1/rooms/<room>/seats/<int:seat>/invite", methods=["POST"])
@blueprint.arguments(RoomInviteWanted)
@blueprint.writes(201, RoomClaimsOut)
@blueprint.refuses(*_SEATS, "seat_taken", "seat_is_bot", "until_out_of_range")
@blueprint.doc(operationId="inviteToRoom", security=_HOST_OR_OPERATOR)
def invite(wanted: dict[str, Any], room: str, seat: int, *, once: Once | None) -> RoomView:
    """Give out a claim for a seat that nobody holds; one given out before dies.

    While a game runs only the operator may: whoever takes a seat over sees its cards.
    """
    asked = _asked(room, once, wanted["expect"])
    return dealer().rooms.seats.invite(
        asked, seat, label=wanted["label"], until=wanted["expires_at"]
    )


@blueprint.route("/v1/rooms/<room>/seats/<int:seat>/reissue", methods=["POST"])
@blueprint.arguments(RoomReissueWanted)
@blueprint.writes(201, RoomClaimsOut)
@blueprint.refuses(*_SEATS, "seat_is_bot", "until_out_of_range")
@blueprint.doc(operationId="reissueRoomSeat", security=_HOST_OR_OPERATOR)
def reissue(wanted: dict[str, Any], room: str, seat: int, *, once: Once | None) -> RoomView:
    """Give out a claim for a seat, whoever holds it; the token and the claim before it die.

    Everybody sees how often a seat was given out: `issued`. While a game runs only the operator
    may.
    """
    asked = _asked(room, once, wanted["expect"])
    return dealer().rooms.seats.reissue(asked, seat, until=wanted["expires_at"])


@blueprint.route("/v1/rooms/<room>/seats/<int:seat>/release", methods=["POST"])
@blueprint.arguments(StepWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_SEATS, "seat_is_bot")
@blueprint.doc(operationId="releaseRoomSeat", security=_HOST_OR_OPERATOR)
def release(wanted: dict[str, Any], room: str, seat: int, *, once: Once | None) -> RoomView:
    """Take a seat back: its token and its claim die. While a game runs only the operator may."""
    return dealer().rooms.seats.release(_asked(room, once, wanted["expect"]), seat)


@blueprint.route("/v1/rooms/<room>/seats/<int:seat>/bot", methods=["PUT"])
@blueprint.arguments(RoomBotWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_SEATS, "seat_taken", "no_such_bot", _LATE)
@blueprint.doc(operationId="putBot", security=_HOST_OR_OPERATOR)
def put_bot(wanted: dict[str, Any], room: str, seat: int, *, once: Once | None) -> RoomView:
    """Let a bot play a seat that nobody holds; `null` opens it for a human again."""
    return dealer().rooms.seats.put_bot(_asked(room, once, wanted["expect"]), seat, wanted["bot"])


@blueprint.route("/v1/rooms/<room>/host", methods=["POST"])
@blueprint.arguments(HostWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_HOST, "no_such_seat", "seat_not_claimed")
@blueprint.doc(operationId="passHost", security=_HOST_OR_OPERATOR)
def pass_host(wanted: dict[str, Any], room: str, *, once: Once | None) -> RoomView:
    """Make another seat the host."""
    return dealer().rooms.seats.pass_host(_asked(room, once, wanted["expect"]), wanted["seat"])


@blueprint.route("/v1/rooms/<room>/leave", methods=["POST"])
@blueprint.arguments(StepWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_STEP, but=_SEATED)
@blueprint.doc(operationId="leaveRoom", security=SEAT)
def leave(wanted: dict[str, Any], room: str, *, once: Once | None) -> RoomView:
    """Get up: in the lobby at once, in a game when it is over; until then your token plays on.

    Afterwards it still reads what you played, until the seat is given out anew or the next game
    starts.
    """
    return dealer().rooms.seats.leave(_asked(room, once, wanted["expect"]))


# ------------------------------------------------------------------------------------ the game


@blueprint.route("/v1/rooms/<room>/game", methods=["PUT"])
@blueprint.arguments(RoomGameWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(
    *_HOST, *NEW_GAME, "game_running", "room_filling", "not_in_a_room",
    but=(*_SMALL, "no_such_bot"),
)  # fmt: skip
@blueprint.doc(operationId="changeRoomGame", security=_HOST_OR_OPERATOR)
def change_game(wanted: tuple[NewRoom, int | None], room: str, *, once: Once | None) -> RoomView:
    """Change what is to be played; then nobody is ready any more."""
    game, expect = wanted
    return dealer().rooms.change_game(_asked(room, once, expect), game)


@blueprint.route("/v1/rooms/<room>/ready", methods=["POST"])
@blueprint.arguments(ReadyWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_STEP, *_NEW, "game_running", but=_SEATED)
@blueprint.doc(operationId="setReady", security=SEAT)
def ready(wanted: dict[str, Any], room: str, *, once: Once | None) -> RoomView:
    """Say whether you want the game as it stands; with `auto_start` the last one starts it."""
    return dealer().rooms.ready(_asked(room, once, wanted["expect"]), yes=wanted["ready"])


@blueprint.route("/v1/rooms/<room>/start", methods=["POST"])
@blueprint.arguments(StepWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_HOST, *_NEW, "nobody_seated", "not_ready")
@blueprint.doc(operationId="startRoom", security=_HOST_OR_OPERATOR)
def start(wanted: dict[str, Any], room: str, *, once: Once | None) -> RoomView:
    """Start the game once all who are seated are ready; bots take the seats of those who are not.

    The answer holds the commitment. Whoever starts while a game runs gets that one.
    """
    return dealer().rooms.start(_asked(room, once, wanted["expect"]))


@blueprint.route("/v1/rooms/<room>/rematch", methods=["POST"])
@blueprint.arguments(RematchWanted)
@blueprint.writes(200, RoomOut)
@blueprint.refuses(*_STEP, *_NEW, "game_running", "no_such_game", but=_SEATED)
@blueprint.doc(operationId="askForRematch", security=SEAT)
def rematch(wanted: dict[str, Any], room: str, *, once: Once | None) -> RoomView:
    """Ask for the game after a finished one; it starts when all who are seated have asked.

    Whoever asks later gets the same new game: the one behind `game` in the room's `games`.
    """
    return dealer().rooms.rematch(_asked(room, once, wanted["expect"]), wanted["game"])


def _asked(room: str, once: Once | None, expect: int | None = None) -> Asked:
    return Asked(caller=caller(), room=room, expect=expect, once=once)
