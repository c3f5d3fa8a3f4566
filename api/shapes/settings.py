"""The shapes of what a game has beside its records: its clocks, and who may watch."""

from typing import Any

from marshmallow import Schema, fields, validate

from api.strict import Whole, YesNo
from api.words import number, said, string
from fairdeal.service import bounds


def _seconds(bound: tuple[int, int], description: str, **more: Any) -> Whole:  # noqa: ANN401  passed on
    return Whole(least=bound[0], most=bound[1], metadata=said(description), **more)


class ClockWanted(Schema):
    """The clocks of a game; null is no limit."""

    turn_s = _seconds(
        bounds.TURN_S, "After so many seconds a stand-in acts for the seat in turn.",
        load_default=None,
    )  # fmt: skip
    answer_s = _seconds(
        bounds.TURN_S, "After so many seconds an open question counts as no.", load_default=None
    )
    warn_s = _seconds(
        bounds.WARN_S, "So many seconds before the end of a turn it is warned.", load_default=None
    )
    extend_s = _seconds(
        bounds.EXTEND_S, "So much longer a turn is where its seat asks for more time.",
        load_default=bounds.MORE_S,
    )  # fmt: skip
    extends = Whole(
        least=bounds.EXTENDS[0], most=bounds.EXTENDS[1], load_default=0,
        metadata=said("So often a hand each seat may ask; 0 for never."),
    )  # fmt: skip
    away_grace_s = _seconds(
        bounds.AWAY_GRACE_S, "After so many seconds without a sign a player is away.",
        load_default=None,
    )  # fmt: skip
    if_away = fields.String(
        load_default="bot",
        validate=validate.OneOf(["bot", "wait"], error="Neither bot nor wait."),
        metadata=said("Whether a stand-in acts for a player who is away, or all wait."),
    )
    between_hands_s = _seconds(
        bounds.BETWEEN_HANDS_S,
        "So many seconds after a hand is opened the next one is dealt; 0 for at once.",
        load_default=bounds.PAUSE_S,
    )


class WatchWanted(Schema):
    """Who may watch a running game, always up to the last `reveal` alone."""

    open = YesNo(
        load_default=True,
        metadata=said("Whether everybody may; if not, whoever has a watch token of the game."),
    )  # fmt: skip
    delay_s = _seconds(
        bounds.WATCH_DELAY_S, "So many seconds later than it happens.", load_default=0
    )


class ClockOut(Schema):
    """The clocks of a game; null is no limit."""

    turn_s = fields.Integer(required=True, allow_none=True, metadata=said("For a turn."))
    answer_s = fields.Integer(required=True, allow_none=True, metadata=said("For an answer."))
    warn_s = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Before the end of a turn it is warned; null for never."),
    )  # fmt: skip
    extend_s = number("More for a turn whose seat asks.")
    extends = number("How often a hand each seat may ask.")
    away_grace_s = fields.Integer(
        required=True, allow_none=True, metadata=said("Until a player is away.")
    )
    if_away = string("bot or wait: what is done for a player who is away.")
    between_hands_s = number("From the opening of a hand to the next deal.")


class WatchOut(Schema):
    """Who may watch the game while it runs."""

    open = fields.Boolean(required=True, metadata=said("Whether everybody may."))
    delay_s = number("So much later.")
