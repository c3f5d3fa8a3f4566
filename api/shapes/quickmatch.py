"""The shapes of quick match."""

from typing import Any

from marshmallow import Schema, fields, post_load, validate

from api.shapes.answers import ClaimOut
from api.shapes.requests import GameWanted
from api.strict import Text, Whole
from api.words import TEXT, VERSIONED, number, said, string
from fairdeal.service import DEFAULT_WAIT_S, QUICK_WAIT_S, QuickWanted


class QuickMatchWanted(GameWanted):
    """What a player wishes; those of your site who wish the same, field by field, meet.

    `label`, `custody` and `wait_s` are the player's own.
    """

    class Meta:
        """Without the seats, which the ruleset counts, and without dates."""

        exclude = ("seats", "claims_until", "reveal_by")

    bot = Text(
        VERSIONED, "a bot as name@version", load_default=None,
        metadata=said("Who plays where nobody comes; left out, the service's choice."),
    )  # fmt: skip
    label = Text(
        TEXT + "{0,200}", "a name of at most 200 characters without control characters",
        load_default="", metadata=said("The published name of the player; empty publishes none."),
    )  # fmt: skip
    custody = fields.String(
        load_default="player",
        validate=validate.OneOf(["player", "site"], error="Neither player nor site."),
        metadata=said("Who holds the seat's token; everybody is told."),
    )
    wait_s = Whole(
        least=QUICK_WAIT_S[0], most=QUICK_WAIT_S[1], load_default=DEFAULT_WAIT_S,
        metadata=said("So many seconds the player waits for others; 0 plays with guests at once."),
    )  # fmt: skip

    @post_load
    def build(self, given: dict[str, Any], **more: Any) -> QuickWanted:  # noqa: ANN401  passed on
        """Return the wishes."""
        own = {name: given.pop(name) for name in ("bot", "label", "custody", "wait_s")}
        return QuickWanted(game=GameWanted.build(self, {**given, "seats": []}, **more), **own)


class TicketOut(Schema):
    """A ticket: a seat beside others who wish the same."""

    ticket = string("Its name.")
    state = string(
        "waiting: for others, or for the player to take the seat; started: the player is in the"
        " game; missed: it started without, or none came of it; withdrawn: the seat was given up."
    )
    room = string("The room; once the seat is taken, its token opens it.")
    seat = number("The seat of the room.")
    players = number("How many players have a seat there.")
    seats = number("How many seats there are.")
    starts_at = fields.Integer(
        required=True, allow_none=True,
        metadata=said("When the game starts if nothing more happens, ms since 1970."),
    )  # fmt: skip
    starts_in_ms = fields.Integer(
        required=True, allow_none=True,
        metadata=said("So long until then; null where the ticket waits no more."),
    )  # fmt: skip
    game = fields.String(
        required=True, allow_none=True, metadata=said("The game that came of it, or null.")
    )
    version = number("Of the room; one more with each change.")


class TicketClaimOut(TicketOut):
    """A ticket that was just given out, with the claim of its seat."""

    claim = fields.Nested(ClaimOut, required=True)
