"""The shape of a game as everybody may know it."""

from marshmallow import Schema, fields

from api.shapes.answers import Commitment
from api.shapes.settings import ClockOut, WatchOut
from api.words import number, said, string


class PublicSeatOut(Schema):
    """What everybody is told of a seat."""

    seat = number("From 0.")
    kind = string("player or bot.")
    label = fields.String(required=True, metadata=said("A published name; often empty."))
    custody = string("Who plays it: player, site, service-bot, site-bot.")
    claimed = fields.Boolean(required=True, metadata=said("Whether somebody holds its token."))
    reissued = number("How often its token was taken away since the game began.")
    presence = string("here or away; a bot is always here.")
    since = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Of a seat that is away: when it was last there, ms since 1970, if ever."),
    )  # fmt: skip


class LinksOut(Schema):
    """Where to go on."""

    view = string("The table.")
    events = string("The records.")
    transcript = string("The game's file.")


class GameOut(Schema):
    """What everybody may know of a game."""

    id = string("The game.")
    state = string("seeding, playing, between_hands or closed.")
    version = number("The number of the newest record that everybody may see.")
    origin = string("The name of the service that opened it.")
    commitment = fields.Nested(Commitment, required=True)
    table_code = string("The start of open_hash in 26 letters, to be read aloud.")
    seats = fields.List(fields.Nested(PublicSeatOut), required=True)
    reveal_by = number("When the master secret is due, ms since 1970.")
    hand = number("The newest hand that everybody may see; 0 before the first.")
    totals = fields.List(
        fields.Integer(), required=True, metadata=said("Points of each side after it.")
    )
    next_hand_at = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Between hands: when the next one is dealt, ms since 1970."),
    )  # fmt: skip
    reason = fields.String(
        required=True, allow_none=True, metadata=said("Why it was closed; null while it runs.")
    )
    clock = fields.Nested(ClockOut, required=True)
    watch = fields.Nested(WatchOut, required=True)
    links = fields.Nested(LinksOut, required=True)
