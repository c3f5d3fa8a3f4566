"""The shapes around an act: what is waited for, tried out, counted, and how it all ends."""

from typing import Final

from marshmallow import Schema, fields, validate

from api.shapes.answers import AnswerOut
from api.shapes.choices import WarningOut
from api.shapes.tables import TurnEndOut
from api.strict import QueryFlag, QueryWhole
from api.words import BIGGEST, number, said, string, version
from fairdeal.service import VOID_REASONS

MOST_WAIT_S: Final = 10
"""A view is waited for so long at most."""


class ViewWanted(Schema):
    """Whether to wait for a version."""

    at_least = QueryWhole(
        least=0, most=BIGGEST, load_default=0,
        metadata=said("With `wait`: answer once you may see this version."),
    )  # fmt: skip
    wait = QueryWhole(
        least=1, most=MOST_WAIT_S, load_default=None,
        metadata=said("So many seconds at most; then the view is given as it is."),
    )  # fmt: skip


class TryWanted(Schema):
    """Whether an act is only tried out."""

    dry_run = QueryFlag(
        load_default=False,
        metadata=said("Judge the act by what your seat knows; nothing happens."),
    )  # fmt: skip


class WouldOut(Schema):
    """What an act that was tried out would do, as far as your seat can know."""

    act = string("The act.")
    sentence = string("What it means.")
    warnings = fields.List(fields.Nested(WarningOut), required=True)


class ActedOut(AnswerOut):
    """What followed from an act, or would."""

    dry_run = fields.Boolean(
        required=True, metadata=said("Whether it was only tried out: nothing has happened.")
    )
    would = fields.Nested(
        WouldOut, required=True, allow_none=True, metadata=said("Of an act that was tried out.")
    )


class MoreTimeOut(TurnEndOut):
    """When your turn ends now."""

    version = version()
    left = number("So often your seat may still ask in this hand.")


class CountOut(Schema):
    """Where the copies of a face are, as far as you can know."""

    face = string("The face.")
    copies = number("How many the deck has.")
    own = number("In your holding.")
    table = number("In melds and laid red threes of all sides.")
    pile = number("In the discard pile.")
    held = number("Held for sure by others, who took them with the pile and have not played them.")
    unseen = number("All others: in the stock, or in others' hands.")


class CountsOut(Schema):
    """Where the cards of the hand in play are, as far as you can know."""

    version = number("The number of the newest record that was looked at.")
    hand = fields.Integer(
        required=True, allow_none=True,
        metadata=said("From 1; null while none is in play that you may see."),
    )  # fmt: skip
    unseen = number("How many cards are unseen.")
    cards = fields.List(fields.Nested(CountOut), required=True)


class VoidWanted(Schema):
    """Why a game is called off; published."""

    reason = fields.String(
        required=True,
        validate=validate.OneOf(list(VOID_REASONS), error="None of the reasons there are."),
        metadata=said("Why it is given up."),
    )
