"""The rules that are offered, for everybody; answers that caches may keep."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Response

from api.blueprint import Blueprint
from api.hygiene import FOR_A_WHILE
from api.shapes.measured import MeasurementsOut, PlayStatsOut
from api.shapes.rules import (
    BotsOut,
    DiffOut,
    DiffWanted,
    MixtureWanted,
    RulesListOut,
    RulesOut,
    TermsOut,
)
from fairdeal.service import play, rulebook
from fairdeal.service.play import Measurements
from fairdeal.service.rulebook import Rules

blueprint = Blueprint("rules", __name__, description="What can be played.")

_OF_A_MIXTURE: Final = (
    "no_such_preset", "ruleset_field", "rules_conflict", "rules_incomplete", "bad_field"
)  # fmt: skip


def _shared(view: Callable[..., Response]) -> Callable[..., Response]:
    """Let anybody keep what a view answers: it is the same for all callers."""

    @wraps(view)
    def answered(*args: object, **named: object) -> Response:
        answer = view(*args, **named)
        answer.headers["Cache-Control"] = FOR_A_WHILE
        return answer

    return answered


@blueprint.route("/v1/rules", methods=["GET"])
@_shared
@blueprint.response(200, RulesListOut)
@blueprint.doc(operationId="listRules")
def every() -> dict[str, Any]:
    """List the presets, and the variants and features that are not offered, with the reasons."""
    return {"presets": rulebook.offered(), "not_offered": rulebook.not_offered()}


@blueprint.route("/v1/rules/<preset:preset>", methods=["GET"])
@_shared
@blueprint.response(200, RulesOut)
@blueprint.refuses("no_such_preset", "no_such_page")
@blueprint.doc(operationId="getRules")
def one(preset: str) -> Rules:
    """Read a preset: every field with its value, and in words."""
    return rulebook.rules_of(preset)


@blueprint.route("/v1/rules/diff", methods=["GET"])
@_shared
@blueprint.arguments(DiffWanted, location="query")
@blueprint.response(200, DiffOut)
@blueprint.refuses("no_such_preset")
@blueprint.doc(operationId="compareRules")
def diff(wanted: dict[str, str]) -> dict[str, Any]:
    """Compare two presets, in words."""
    return {**wanted, "differences": rulebook.differences(wanted["a"], wanted["b"])}


@blueprint.route("/v1/rules/validate", methods=["POST"])
@blueprint.arguments(MixtureWanted)
@blueprint.response(200, RulesOut)
@blueprint.refuses(*_OF_A_MIXTURE)
@blueprint.doc(operationId="validateRules")
def validate(wanted: dict[str, Any]) -> Rules:
    """Check a preset with fields changed: the whole ruleset, or what a new game would be refused.

    Nothing is kept.
    """
    return rulebook.mixed(wanted["preset"], wanted["overrides"])


@blueprint.route("/v1/bots", methods=["GET"])
@_shared
@blueprint.response(200, BotsOut)
@blueprint.doc(operationId="listBots")
def bots() -> dict[str, Any]:
    """List the bots that may sit down."""
    return {"bots": [{"bot": bot, "plays": plays} for bot, plays in rulebook.BOTS.items()]}


@blueprint.route("/v1/bots/<preset:bot>/measurements", methods=["GET"])
@_shared
@blueprint.response(200, MeasurementsOut)
@blueprint.refuses("no_such_bot", "no_such_page")
@blueprint.doc(operationId="getMeasurements")
def measurements(bot: str) -> Measurements:
    """Read what was measured of a bot: points a hand against others, with seeds and intervals."""
    return play.measurements_of(bot)


@blueprint.route("/v1/stats/play", methods=["GET"])
@_shared
@blueprint.response(200, PlayStatsOut)
@blueprint.doc(operationId="getPlayStats")
def play_stats() -> dict[str, Any]:
    """Read how strong the bots are, as it was measured; anybody can measure it again."""
    return {"runs": play.runs()}


@blueprint.route("/v1/terms", methods=["GET"])
@_shared
@blueprint.response(200, TermsOut)
@blueprint.doc(operationId="listTerms")
def terms() -> dict[str, Any]:
    """List the words of the game with their meanings."""
    return {
        "terms": [{"term": term, "meaning": meaning} for term, meaning in rulebook.terms().items()]
    }
