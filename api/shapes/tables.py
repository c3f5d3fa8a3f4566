"""The shapes of what a seat sees of its table."""

from marshmallow import Schema, fields

from api.words import number, said, string, version


class TableSeatOut(Schema):
    """A seat at the table, as all see it."""

    seat = number("From 0.")
    side = number("The side it belongs to.")
    cards = number("How many cards it holds.")


class TablePileOut(Schema):
    """The discard pile."""

    count = number("How many cards it has.")
    top = fields.String(required=True, allow_none=True, metadata=said("The face on top."))
    cards = fields.List(
        fields.String(), required=True, allow_none=True,
        metadata=said("All faces, bottom first; null where only the top may be seen."),
    )  # fmt: skip
    frozen = fields.Boolean(required=True, metadata=said("Whether it is frozen for everybody."))


class MeldOut(Schema):
    """A meld on the table."""

    rank = string("4 to A, W for wild cards, 3 for black threes.")
    cards = fields.List(fields.String(), required=True, metadata=said("Faces."))
    kind = string("natural, mixed or wild.")
    canasta = fields.Boolean(required=True, metadata=said("Whether it has seven cards or more."))


class TableSideOut(Schema):
    """What a side has on the table."""

    seats = fields.List(fields.Integer(), required=True, metadata=said("Its seats."))
    total = number("Its points before this hand.")
    opened = fields.Boolean(required=True, metadata=said("Whether it has melded."))
    minimum = number("What its first melds must count.")
    canastas = number("How many canastas it has.")
    melds = fields.List(fields.Nested(MeldOut), required=True)
    red_threes = fields.List(fields.String(), required=True, metadata=said("Faces."))


class TableYouOut(Schema):
    """Your own seat."""

    seat = number("From 0.")
    side = number("The side it belongs to.")
    holding = fields.List(
        fields.String(), required=True, metadata=said("Faces, sorted; the order means nothing.")
    )


class TurnEndOut(Schema):
    """Until when the seat in turn has time."""

    deadline = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Until when there is time, ms since 1970; null for no end."),
    )  # fmt: skip
    warn_at = fields.Integer(
        required=True, allow_none=True,
        metadata=said("From when on that end is near, ms since 1970; null for never."),
    )  # fmt: skip
    warned = fields.Boolean(required=True, metadata=said("Whether it is near now."))


class TableTurnOut(TurnEndOut):
    """Who has to do what, and until when."""

    seat = number("Who is in turn; while a question is open, who has to answer.")
    phase = string("The part of the turn: show, draw, play, asked or over.")


class TableOut(Schema):
    """The hand in play."""

    you = fields.Nested(
        TableYouOut, required=True, allow_none=True, metadata=said("Null for whoever watches.")
    )
    seats = fields.List(fields.Nested(TableSeatOut), required=True)
    stock = number("How many cards the stock has.")
    pile = fields.Nested(TablePileOut, required=True)
    sides = fields.List(fields.Nested(TableSideOut), required=True)
    turn = fields.Nested(TableTurnOut, required=True, allow_none=True)
    end = fields.String(required=True, allow_none=True, metadata=said("How the hand ended."))


class DealtYouOut(Schema):
    """Your own seat of a dealt-only hand."""

    seat = number("From 0.")
    dealt = fields.List(fields.String(), required=True, metadata=said("Faces, as dealt."))
    drawn = fields.List(fields.String(), required=True, metadata=said("Faces, as drawn."))


class DealtOut(Schema):
    """A dealt-only hand in play; what is done with the cards is the site's to know."""

    you = fields.Nested(DealtYouOut, required=True, allow_none=True)
    up = fields.List(fields.String(), required=True, metadata=said("Faces turned, last on top."))
    laid = fields.List(
        fields.List(fields.String()), required=True, metadata=said("Faces laid, by seat.")
    )
    sets = fields.List(
        fields.List(fields.Raw()), required=True,
        metadata=said("Cards set aside: their name and number."),
    )  # fmt: skip
    stock = number("How many cards the stock still has.")
    draws = fields.List(
        fields.Integer(), required=True, metadata=said("Who drew each stock card so far.")
    )


class ViewSeatOut(Schema):
    """A seat of the game."""

    seat = number("From 0.")
    kind = string("player or bot.")
    label = fields.String(required=True, metadata=said("A published name; often empty."))
    presence = string("here or away; a bot is always here.")
    since = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Of a seat that is away: when it was last there, ms since 1970, if ever."),
    )  # fmt: skip


class ViewOut(Schema):
    """What you may see now."""

    game = string("The game.")
    seat = fields.Integer(
        required=True, allow_none=True, metadata=said("Your seat; null for whoever watches.")
    )
    version = version()
    state = string("seeding, playing, between_hands or closed.")
    open_hash = string("The hash of record 0, to be compared with what you noted.")
    hand = number("The number of the newest hand; 0 before the first.")
    next_hand_at = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Between hands: when the next one is dealt, ms since 1970."),
    )  # fmt: skip
    totals = fields.List(fields.Integer(), required=True, metadata=said("Points of each side."))
    epoch = fields.Integer(
        required=True, allow_none=True, metadata=said("The newest epoch, or null before one.")
    )
    phase = fields.String(
        required=True, allow_none=True, metadata=said("sealing, sharing, locked or void.")
    )
    seals = fields.List(
        fields.Boolean(), required=True, metadata=said("Which seats have sealed in that epoch.")
    )
    seeds = fields.List(
        fields.Boolean(), required=True, metadata=said("Which have contributed to it.")
    )
    seats = fields.List(fields.Nested(ViewSeatOut), required=True)
    table = fields.Nested(TableOut, required=True, allow_none=True)
    dealt = fields.Nested(DealtOut, required=True, allow_none=True)
