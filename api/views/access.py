"""A site's games, and who may sit and watch there."""

from typing import Any

from api.auth import OPERATOR, caller, dealer
from api.blueprint import Blueprint
from api.shapes import lists
from api.shapes.access import (
    GamesOut,
    InviteWanted,
    NewWatcherOut,
    SeatToldOut,
    WatchersOut,
    WatcherWanted,
)
from api.shapes.answers import ClaimOut
from fairdeal.service import Claim, NewWatcher, Once, SeatTold

#: What follows from the records of a game is not looked at here, but for record 0.
_UNREAD = ("records_damaged",)

blueprint = Blueprint("access", __name__, description="Your games, their seats and watchers.")


@blueprint.route("/v1/games", methods=["GET"])
@blueprint.arguments(lists.PartWanted, location="query")
@blueprint.response(200, GamesOut)
@blueprint.doc(operationId="listGames", security=OPERATOR)
def listed(wanted: dict[str, Any]) -> dict[str, object]:
    """List the games of your site, newest first."""
    found = dealer().game_list.listed(caller(), wanted["limit"], lists.begin(wanted))
    return lists.part("games", found.games, found.behind)


@blueprint.route("/v1/games/<game>/seats/<int:seat>/invite", methods=["POST"])
@blueprint.arguments(InviteWanted)
@blueprint.writes(201, ClaimOut)
@blueprint.refuses("no_such_seat", "seat_taken", "until_out_of_range", but=_UNREAD)
@blueprint.doc(operationId="inviteToSeat", security=OPERATOR)
def invite(wanted: dict[str, Any], game: str, seat: int, *, once: Once | None) -> Claim:
    """Give out a claim for a seat that nobody holds; one given out before dies."""
    return dealer().claims.invite(caller(), game, seat, wanted["expires_at"], once=once)


@blueprint.route("/v1/games/<game>/seats/<int:seat>/reissue", methods=["POST"])
@blueprint.arguments(InviteWanted)
@blueprint.writes(201, ClaimOut)
@blueprint.refuses("no_such_seat", "until_out_of_range", but=_UNREAD)
@blueprint.doc(operationId="reissueSeat", security=OPERATOR)
def reissue(wanted: dict[str, Any], game: str, seat: int, *, once: Once | None) -> Claim:
    """Give out a claim for a seat; the token and the claim before it die at once.

    Everybody sees how often that happened: `reissued` of the seat.
    """
    return dealer().claims.reissue(caller(), game, seat, wanted["expires_at"], once=once)


@blueprint.route("/v1/games/<game>/seats/<int:seat>/release", methods=["POST"])
@blueprint.writes(200, SeatToldOut)
@blueprint.refuses("no_such_seat", but=_UNREAD)
@blueprint.doc(operationId="releaseSeat", security=OPERATOR)
def release(game: str, seat: int, *, once: Once | None) -> SeatTold:
    """Take a seat back: its token and its claim die, and it waits for an invitation."""
    return dealer().claims.release(caller(), game, seat, once=once)


@blueprint.route("/v1/games/<game>/watchers", methods=["GET"])
@blueprint.response(200, WatchersOut)
@blueprint.refuses(but=(*_UNREAD, "vault_shut"))
@blueprint.doc(operationId="listWatchers", security=OPERATOR)
def watchers(game: str) -> dict[str, object]:
    """List who may watch a game that is not open to everybody, oldest first."""
    return {"watchers": dealer().watchers.listed(caller(), game)}


@blueprint.route("/v1/games/<game>/watchers", methods=["POST"])
@blueprint.arguments(WatcherWanted)
@blueprint.writes(201, NewWatcherOut)
@blueprint.refuses("too_many", "until_out_of_range", but=_UNREAD)
@blueprint.doc(operationId="addWatcher", security=OPERATOR)
def add_watcher(wanted: dict[str, Any], game: str, *, once: Once | None) -> NewWatcher:
    """Let a watcher in, who sees what the public of an open game sees."""
    return dealer().watchers.add(caller(), game, wanted["label"], wanted["until"], once=once)


@blueprint.route("/v1/games/<game>/watchers/<watcher>", methods=["DELETE"])
@blueprint.writes(204)
@blueprint.refuses("no_such_watcher", but=_UNREAD)
@blueprint.doc(operationId="removeWatcher", security=OPERATOR)
def remove_watcher(game: str, watcher: str, *, once: Once | None) -> None:
    """Let a watcher see nothing more."""
    dealer().watchers.remove(caller(), game, watcher, once=once)
