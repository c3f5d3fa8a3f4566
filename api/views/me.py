"""What a player's own token opens."""

from typing import Any

from api.auth import SEAT, caller, dealer
from api.blueprint import Blueprint
from api.shapes import lists
from api.shapes.mygames import MyGamesOut

blueprint = Blueprint("me", __name__, description="Find back to where you play.")


@blueprint.route("/v1/me/games", methods=["GET"])
@blueprint.arguments(lists.PartWanted, location="query")
@blueprint.response(200, MyGamesOut)
@blueprint.refuses("records_damaged", "vault_shut")
@blueprint.doc(operationId="listMyGames", security=SEAT)
def games(wanted: dict[str, Any]) -> dict[str, object]:
    """List the room and the games that your token opens, the newest game first, and whose turn.

    So a player who comes back, on another device say, finds everything with the token alone.
    """
    found = dealer().my_games.listed(caller(), wanted["limit"], lists.begin(wanted))
    return {"room": found.room, **lists.part("games", found.games, found.behind)}
