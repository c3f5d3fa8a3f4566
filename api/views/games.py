"""Games as their operator and everybody sees them."""

from flask import Response

from api.auth import OPERATOR, caller, dealer
from api.blueprint import Blueprint
from api.schemas import AnswerOut, CreatedOut, GameOut, SeedSignaturesOut
from api.wanted import ExpectWanted, GameWanted, ReasonWanted
from fairdeal.service import Answer, Created, NewGame, Once, PublicGame

blueprint = Blueprint("games", __name__, description="Open, look at and close games.")


@blueprint.route("/v1/games", methods=["POST"])
@blueprint.arguments(GameWanted)
@blueprint.writes(201, CreatedOut)
@blueprint.refuses(
    "no_such_preset",
    "ruleset_field",
    "rules_conflict",
    "rules_incomplete",
    "wrong_seats",
    "reveal_by_out_of_range",
    "no_such_bot",
    "no_such_chain",
    "beacon_delay",
    "seating_differs",
    "record_too_large",
)
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
def public(game: str) -> PublicGame:
    """Look at what everybody may know of a game."""
    return dealer().public(game)


@blueprint.route("/v1/games/<game>/transcript", methods=["GET"])
@blueprint.response(
    200, {"type": "string"}, content_type="application/jsonl", description="The records, one a line"
)
@blueprint.doc(operationId="getTranscript")
def transcript(game: str) -> Response:
    """Download the game's records exactly as they are hashed, for any verifier.

    Of a running game they end at the last `reveal`; before it, at the last record before a deal.
    """
    answer = Response(dealer().transcript(game), content_type="application/jsonl")
    answer.headers["Content-Disposition"] = f'attachment; filename="{game}.jsonl"'
    return answer


@blueprint.route("/v1/games/<game>/close", methods=["POST"])
@blueprint.arguments(ReasonWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("game_over", "bad_field")
@blueprint.doc(operationId="closeGame", security=OPERATOR)
def close(wanted: dict[str, str], game: str, *, once: Once | None) -> Answer:
    """Give a game up: a hand in play is aborted and opened, then the master secret is."""
    return dealer().hands.close(caller(), game, wanted["reason"], once=once)


@blueprint.route("/v1/games/<game>/overdue", methods=["POST"])
@blueprint.arguments(ExpectWanted)
@blueprint.writes(200, AnswerOut)
@blueprint.refuses("stale_version", "no_seeds_awaited", "game_over")
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
