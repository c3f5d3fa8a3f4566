"""Hands of games that the site referees by itself, and hands that are stopped."""

from flask_smorest import Blueprint

from api.auth import OPERATOR, SEAT, caller, dealer
from api.schemas import AnswerOut
from api.strict import StrictParser
from api.wanted import DrawWanted, ExpectWanted, ReasonWanted, ScoreWanted
from fairdeal.service import Answer

blueprint = Blueprint("hands", __name__, description="Deal, draw and score by request.")
blueprint.ARGUMENTS_PARSER = StrictParser()


@blueprint.route("/v1/games/<game>/hands", methods=["POST"])
@blueprint.arguments(ExpectWanted)
@blueprint.response(200, AnswerOut)
@blueprint.doc(operationId="dealHand", security=OPERATOR)
def deal(wanted: dict[str, int], game: str) -> Answer:
    """Deal the next hand of a dealt-only game."""
    return dealer().hands.deal(caller(), game, wanted["expect"])


@blueprint.route("/v1/games/<game>/hands/<int:hand>/draws", methods=["POST"])
@blueprint.arguments(DrawWanted)
@blueprint.response(200, AnswerOut)
@blueprint.doc(operationId="drawCard", security=SEAT)
def draw(wanted: dict[str, int], game: str, hand: int) -> Answer:
    """Draw the next stock card of a dealt-only hand; only this seat's token gets its face."""
    return dealer().hands.draw(caller(), game, hand, wanted["seat"], wanted["expect"])


@blueprint.route("/v1/games/<game>/hands/<int:hand>/score", methods=["POST"])
@blueprint.arguments(ScoreWanted)
@blueprint.response(200, AnswerOut)
@blueprint.doc(operationId="scoreHand", security=OPERATOR)
def score(wanted: dict[str, object], game: str, hand: int) -> Answer:
    """State the result of a dealt-only hand; all its cards are published with it."""
    return dealer().hands.score(caller(), game, hand, wanted["result"])


@blueprint.route("/v1/games/<game>/hands/<int:hand>/abort", methods=["POST"])
@blueprint.arguments(ReasonWanted)
@blueprint.response(200, AnswerOut)
@blueprint.doc(operationId="abortHand", security=OPERATOR)
def abort(wanted: dict[str, str], game: str, hand: int) -> Answer:
    """Stop the hand in play: it is opened and counted, and a refereed game deals on."""
    return dealer().hands.abort(caller(), game, hand, wanted["reason"])
