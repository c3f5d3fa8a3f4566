"""Quick match: players who wish the same meet in a room, and bots fill it."""

from typing import Any

from api.auth import OPERATOR, caller, dealer
from api.blueprint import Blueprint
from api.refusals import NEW_GAME
from api.shapes.quickmatch import QuickMatchWanted, TicketClaimOut, TicketOut
from api.shapes.rooms import RoomLook
from api.waiting import polling
from fairdeal.service import Once, QuickWanted, TicketView

blueprint = Blueprint(
    "quickmatch", __name__, description="Bring players who wish the same together."
)

#: The ruleset says how many seats there are, and how long its secrets may wait.
_NEVER = ("wrong_seats", "reveal_by_out_of_range", "record_too_large", "seating_differs")
_TICKET = ("no_such_ticket", "not_your_game", "records_damaged")


@blueprint.route("/v1/quickmatch", methods=["POST"])
@blueprint.arguments(QuickMatchWanted)
@blueprint.writes(201, TicketClaimOut)
@blueprint.refuses(*NEW_GAME, "not_in_a_room", "room_moved", "records_damaged", but=_NEVER)
@blueprint.doc(operationId="enterQuickMatch", security=OPERATOR)
def enter(wanted: QuickWanted, *, once: Once | None) -> TicketView:
    """Find one of your players a table: a seat beside others of your site who wish the same.

    Hand the claim on; whoever has not taken the seat when the game starts is played by a bot. It
    starts when the table is full and everybody took the seat, or when one of them has waited for
    `wait_s` seconds; then bots fill it.
    """
    return dealer().quick_match.enter(caller(), wanted, once=once)


@blueprint.route("/v1/quickmatch/<ticket>", methods=["GET"])
@blueprint.arguments(RoomLook, location="query")
@blueprint.response(200, TicketOut)
@blueprint.refuses(*_TICKET, "too_many_streams", "busy")
@blueprint.doc(operationId="getTicket", security=OPERATOR)
def look(wanted: dict[str, Any], ticket: str) -> TicketView:
    """Look what became of a ticket, or wait for it to change."""
    if wanted["wait"] is None:
        return dealer().quick_match.look(caller(), ticket)
    with polling() as is_gone:
        return dealer().quick_match.look(
            caller(), ticket, wanted["at_least"], wanted["wait"], is_gone
        )


@blueprint.route("/v1/quickmatch/<ticket>", methods=["DELETE"])
@blueprint.writes(200, TicketOut)
@blueprint.refuses(*_TICKET, "match_started", "room_moved")
@blueprint.doc(operationId="withdrawTicket", security=OPERATOR)
def withdraw(ticket: str, *, once: Once | None) -> TicketView:
    """Withdraw a ticket: the seat is free for the next player, its claim and its token die."""
    return dealer().quick_match.withdraw(caller(), ticket, once=once)
