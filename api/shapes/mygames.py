"""The shapes of what the token of a seat opens."""

from marshmallow import Schema, fields

from api.shapes.lists import PartOut
from api.words import number, said, string


class MyRoomOut(Schema):
    """The room whose games your token opens."""

    id = string("The room.")
    seat = number("Your seat of the room.")
    state = string("lobby, playing or closed.")
    version = number("One more with each change.")
    code = string("For people to read to each other.")
    ready = fields.Boolean(required=True, metadata=said("Whether you are ready for the next game."))


class MyGameOut(Schema):
    """A game that your token opens."""

    id = string("The game.")
    made = number("When it was made, ms since 1970.")
    seat = number("Your seat in it; where seats were drawn, another one than that of the room.")
    state = string("seeding, playing, between_hands or closed.")
    version = number("The number of its newest record.")
    turn = fields.Integer(
        required=True, allow_none=True, metadata=said("The seat in turn; null where nobody is.")
    )
    your_turn = fields.Boolean(required=True, metadata=said("Whether that is your seat."))
    deadline = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Until when the seat in turn has time, ms since 1970; null for no end."),
    )  # fmt: skip
    next_hand_at = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Between hands, when the next one is dealt, ms since 1970."),
    )  # fmt: skip


class MyGamesOut(PartOut):
    """What your token opens, the newest game first."""

    room = fields.Nested(
        MyRoomOut, required=True, allow_none=True,
        metadata=said("The room, or null where your token is for one game."),
    )  # fmt: skip
    games = fields.List(fields.Nested(MyGameOut), required=True)
