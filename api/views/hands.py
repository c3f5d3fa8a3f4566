"""Hands of games that the site referees by itself, and hands that are stopped."""

from api.auth import OPERATOR, SEAT, caller, dealer
from api.blueprint import Blueprint
from api.shapes.answers import AnswerOut
from api.shapes.requests import DrawWanted, ExpectWanted, ReasonWanted, ScoreWanted
from fairdeal.service import Answer, Once

blueprint = Blueprint("hands", __name__, description="Deal, draw and score by request.")


@blueprint.route("/v1/games/<game>/hands", methods=["POST"])
@blueprint.arguments(ExpectWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses(
    "stale_version",
    "hand_in_play",
    "hands_used_up",
    "seeds_awaited",
    "refereed",
    "game_over",
    "log_behind",
)
@blueprint.doc(operationId="dealHand", security=OPERATOR)
def deal(wanted: dict[str, int], game: str, *, once: Once | None) -> Answer:
    """Deal the next hand of a dealt-only game."""
    return dealer().hands.deal(caller(), game, wanted["expect"], once=once)


@blueprint.route("/v1/games/<game>/hands/<int:hand>/draws", methods=["POST"])
@blueprint.arguments(DrawWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("stale_version", "no_hand", "stock_used_up", "refereed")
@blueprint.doc(operationId="drawCard", security=SEAT)
def draw(wanted: dict[str, int], game: str, hand: int, *, once: Once | None) -> Answer:
    """Draw the next stock card of a dealt-only hand; only this seat's token gets its face."""
    return dealer().hands.draw(caller(), game, hand, wanted["seat"], wanted["expect"], once=once)


@blueprint.route("/v1/games/<game>/hands/<int:hand>/score", methods=["POST"])
@blueprint.arguments(ScoreWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("no_hand", "refereed", "record_too_large", "bad_field")
@blueprint.doc(operationId="scoreHand", security=OPERATOR)
def score(wanted: dict[str, object], game: str, hand: int, *, once: Once | None) -> Answer:
    """State the result of a dealt-only hand; all its cards are published with it."""
    return dealer().hands.score(caller(), game, hand, wanted["result"], once=once)


@blueprint.route("/v1/games/<game>/hands/<int:hand>/abort", methods=["POST"])
@blueprint.arguments(ReasonWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("no_hand")
@blueprint.doc(operationId="abortHand", security=OPERATOR)
def abort(wanted: dict[str, str], game: str, hand: int, *, once: Once | None) -> Answer:
    """Stop the hand in play: it is opened and counted, and a refereed game deals on."""
    return dealer().hands.abort(caller(), game, hand, wanted["reason"], once=once)
