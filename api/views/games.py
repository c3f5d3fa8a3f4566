"""Games as their operator and everybody sees them."""

from dataclasses import fields
from typing import Any, Final

from flask import Response, request

from api.auth import OPERATOR, READER, caller, dealer
from api.blueprint import Blueprint
from api.hygiene import FOR_GOOD
from api.refusals import NEW_GAME
from api.shapes.answers import AnswerOut, CreatedOut, SeedSignaturesOut
from api.shapes.games import GameOut
from api.shapes.play import VoidWanted
from api.shapes.requests import ExpectWanted, GameWanted, ReasonWanted
from fairdeal.service import Answer, Created, NewGame, Once

_LINES: Final = "application/jsonl"
_TEXT: Final = "text/plain"

blueprint = Blueprint("games", __name__, description="Open, look at and close games.")


@blueprint.route("/v1/games", methods=["POST"])
@blueprint.arguments(GameWanted)
@blueprint.writes(201, CreatedOut)
@blueprint.refuses(*NEW_GAME, "until_out_of_range", "log_behind")
@blueprint.doc(operationId="createGame", security=OPERATOR)
def create(wanted: NewGame, *, once: Once | None) -> Created:
    """Commit to a new game.

    The answer holds the commitment, the table code to be read aloud, the signed receipt of
    record 0, and one claim for each human seat, to be handed on.
    """
    return dealer().create_game(caller(), wanted, once=once)


@blueprint.route("/v1/games/<game>", methods=["GET"])
@blueprint.response(200, GameOut)
@blueprint.doc(operationId="getGame")
def public(game: str) -> dict[str, Any]:
    """Look at what everybody may know of a game."""
    known = dealer().looks.public(game, caller())
    links = {what: f"/v1/games/{game}/{what}" for what in ("view", "events", "transcript")}
    return {**{one.name: getattr(known, one.name) for one in fields(known)}, "links": links}


@blueprint.route("/v1/games/<game>/transcript", methods=["GET"])
@blueprint.response(
    200, {"type": "string"}, content_type=_LINES, description="The records, one a line"
)
@blueprint.alt_response(304, description="It is the one that you have.", success=True)
@blueprint.refuses("watch_closed", "not_your_seat", "not_your_game")
@blueprint.doc(
    operationId="getTranscript",
    security=READER,
    responses={200: {"content": {_TEXT: {"schema": {"type": "string"}}}}},
)
def transcript(game: str) -> Response:
    """Download the game's records exactly as they are hashed, for any verifier.

    Of a running game they end at the last `reveal`; before it, at the last record before a deal.
    Those of a game that is over never change, and may be kept by anybody on the way. Whoever
    accepts `text/plain` rather than `application/jsonl` gets the same bytes, to be shown.
    """
    kind = request.accept_mimetypes.best_match([_LINES, _TEXT], _LINES)
    final = dealer().looks.final_hash(caller(), game)
    # The tag also says of what type the bytes are: the two may lie in one cache.
    tag = final if kind == _LINES or final is None else f"{final}-text"
    if tag is not None and request.if_none_match.contains(tag):
        answer = Response(status=304)
    else:
        answer = Response(dealer().looks.transcript(caller(), game), mimetype=kind)
    answer.vary.add("Accept")
    if tag is not None:
        answer.set_etag(tag)
        answer.headers["Cache-Control"] = FOR_GOOD
    if kind == _LINES:
        answer.headers["Content-Disposition"] = f'attachment; filename="{game}.jsonl"'
    return answer


@blueprint.route("/v1/games/<game>/close", methods=["POST"])
@blueprint.arguments(ReasonWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("game_over", "bad_field", "log_behind")
@blueprint.doc(operationId="closeGame", security=OPERATOR)
def close(wanted: dict[str, str], game: str, *, once: Once | None) -> Answer:
    """Give a game up: a hand in play is aborted and opened, then the master secret is."""
    return dealer().hands.close(caller(), game, wanted["reason"], once=once)


@blueprint.route("/v1/games/<game>/void", methods=["POST"])
@blueprint.arguments(VoidWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("game_over", "log_behind")
@blueprint.doc(operationId="voidGame", security=OPERATOR)
def void(wanted: dict[str, str], game: str, *, once: Once | None) -> Answer:
    """Call a game off for one of the reasons that there are; else as closing it.

    The hand in play is opened, and so is all that was not dealt any more. The reason is published,
    and so is the score at that moment.
    """
    return dealer().hands.close(caller(), game, wanted["reason"], once=once)


@blueprint.route("/v1/games/<game>/overdue", methods=["POST"])
@blueprint.arguments(ExpectWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("stale_version", "no_seeds_awaited")
@blueprint.doc(operationId="goOnWithoutSeeds", security=OPERATOR)
def overdue(wanted: dict[str, int], game: str, *, once: Once | None) -> Answer:
    """Go on where seeds are missing for too long.

    The epoch becomes void, or, where the game drops missing seeds, it locks without them. After a
    second void epoch the game closes.
    """
    return dealer().seeds.overdue(caller(), game, wanted["expect"], once=once)


@blueprint.route("/v1/games/<game>/seed-signatures", methods=["GET"])
@blueprint.response(200, SeedSignaturesOut)
@blueprint.doc(operationId="listSeedSignatures")
def seed_signatures(game: str) -> dict[str, object]:
    """Read the signatures with which players signed their own seeds."""
    return {"game": game, "signatures": dealer().seeds.signatures(game)}
