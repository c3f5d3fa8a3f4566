"""The shapes of rooms."""

from typing import Any, get_args

from marshmallow import Schema, fields, post_load, validate

from api.shapes.answers import ClaimOut, Commitment
from api.shapes.lists import PartOut
from api.shapes.requests import MOST_WAIT_S, GameWanted
from api.strict import QueryWhole, Text, Whole, YesNo
from api.words import BIGGEST, GAME, TEXT, VERSIONED, number, receipts, said, string
from fairdeal.service import NewGame, NewRoom, RoomSeating

_LABEL = "a name of at most 200 characters without control characters"


class RoomSeatOut(Schema):
    """A seat of a room, as all who are in it are told."""

    seat = number("From 0; the same in every game of the room whose seats are given.")
    state = string(
        "open: nobody was asked; invited: a claim is out; claimed: somebody holds it; leaving: so"
        " too, until the game is over; left: nobody does any more; bot."
    )
    label = fields.String(required=True, metadata=said("A published name; often empty."))
    custody = string("Who holds its token: player or site.")
    bot = fields.String(
        required=True, allow_none=True,
        metadata=said("The bot that plays where no human does; null for the service's choice."),
    )  # fmt: skip
    ready = fields.Boolean(required=True, metadata=said("Whether its holder wants the next game."))
    issued = number("How many claims were given out for it so far.")
    presence = fields.String(
        required=True, allow_none=True,
        metadata=said("here or away; null where nobody holds the seat."),
    )  # fmt: skip
    since = fields.Integer(
        required=True, allow_none=True,
        metadata=said("Of a holder that is away: when the last sign was, ms since 1970."),
    )  # fmt: skip
    game_seat = fields.Integer(
        required=True, allow_none=True,
        metadata=said("The seat that it has in the game that runs; null where none does."),
    )  # fmt: skip


class PlayedOut(Schema):
    """A game that was started in the room."""

    game = string("The game.")
    over = fields.Boolean(required=True, metadata=said("Whether it is over."))
    bots = fields.List(
        fields.Integer(),
        required=True,
        metadata=said("The seats of the room that bots play in it."),
    )
    lost = fields.List(
        fields.Integer(), required=True,
        metadata=said("The room's seats whose token was taken away while it ran, once each time."),
    )  # fmt: skip
    kind = string("game, or draw: it draws the seats of the game behind it.")
    seats = fields.List(
        fields.Integer(), required=True,
        metadata=said("For each of its seats the room's that has it; empty: each has its own."),
    )  # fmt: skip


class RoomGameOut(Schema):
    """The game that runs in a room, with all that a seat needs to send its seed at once."""

    id = string("The game.")
    kind = string("game, or draw: it draws the seats of the game behind it.")
    state = string("seeding, playing or closed.")
    profile = string("open or sealed.")
    epoch = number("The newest epoch, from 1.")
    commitment = fields.Nested(Commitment, required=True)
    table_code = string("The start of open_hash in 26 letters, to be read aloud.")
    receipts = receipts()
    reveal_by = number("When the master secret is due, ms since 1970.")


class RoomOut(Schema):
    """A room as it stands."""

    id = string("The room.")
    version = number("One more with each change; what `expect` has to be.")
    state = string("lobby, playing or closed.")
    code = string("For people to read to each other; it opens nothing.")
    made = number("When, ms since 1970.")
    auto_start = fields.Boolean(
        required=True,
        metadata=said("Whether the game starts once every human seat is claimed and ready."),
    )
    seating = string("given; draw: before the first game; draw_each: before each.")
    host = fields.Integer(
        required=True, allow_none=True,
        metadata=said("The seat that may do what the operator may; null while nobody is seated."),
    )  # fmt: skip
    seats = fields.List(fields.Nested(RoomSeatOut), required=True)
    wanted = fields.Dict(
        required=True, metadata=said("What is to be played, in the form of a request.")
    )
    games = fields.List(
        fields.Nested(PlayedOut), required=True, metadata=said("Those started here, newest last.")
    )
    game = fields.Nested(
        RoomGameOut, required=True, allow_none=True, metadata=said("The one that runs, or null.")
    )


class RoomClaimsOut(RoomOut):
    """A room with the claims that were just given out."""

    claims = fields.List(fields.Nested(ClaimOut), required=True)


class ListedRoomOut(Schema):
    """A room of your site; look at it for more."""

    id = string("The room.")
    version = number("One more with each change.")
    state = string("lobby, playing or closed.")
    code = string("For people to read to each other.")
    made = number("When, ms since 1970.")


class RoomsOut(PartOut):
    """Rooms of your site, by name."""

    rooms = fields.List(fields.Nested(ListedRoomOut), required=True)


class RoomLook(Schema):
    """Whether to wait for a change."""

    at_least = QueryWhole(
        least=0, most=BIGGEST, load_default=0,
        metadata=said("With `wait`: answer once the room has this version."),
    )  # fmt: skip
    wait = QueryWhole(
        least=1, most=MOST_WAIT_S, load_default=None,
        metadata=said("Answer after so many seconds at the latest."),
    )  # fmt: skip


def _auto_start() -> YesNo:
    return YesNo(
        load_default=False,
        metadata=said("Whether the game starts once every human seat is claimed and ready."),
    )


def _seating() -> fields.String:
    return fields.String(
        load_default="given",
        validate=validate.OneOf(
            get_args(RoomSeating), error="Neither given nor draw nor draw_each."
        ),
        metadata=said(
            "Whether the seats are given as they are; or drawn, partners and who plays first, in"
            " a game of their own: before the first game, so that a rematch keeps them, or before"
            " each."
        ),
    )


class RoomWanted(GameWanted):
    """A room: a game as it would be created, of which the human seats are still to be taken.

    The `bot` of a human seat plays it where nobody has come when the game starts.
    """

    auto_start = _auto_start()
    seating = _seating()
    claims_until = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("When the claims end, ms since 1970; left out, in seven days."),
    )  # fmt: skip

    @post_load
    def build(self, given: dict[str, Any], **more: Any) -> NewRoom:  # noqa: ANN401  passed on
        """Return the room."""
        own = {name: given.pop(name) for name in ("auto_start", "seating")}
        return NewRoom(game=_game(self, given, **more), **own)


class StepWanted(Schema):
    """A step in a room."""

    expect = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("The version of the room when you decided; left out, any."),
    )  # fmt: skip


class RoomGameWanted(GameWanted, StepWanted):
    """What is to be played instead; what is left out has its default. The seats stay."""

    class Meta:
        """Without the seats, and the end of their claims."""

        exclude = ("seats", "claims_until")

    auto_start = _auto_start()
    seating = _seating()

    @post_load
    def build(self, given: dict[str, Any], **more: Any) -> tuple[NewRoom, int | None]:  # noqa: ANN401  passed on
        """Return the game with no seats, and the version it was decided on."""
        own = {name: given.pop(name) for name in ("auto_start", "seating")}
        expect = given.pop("expect")
        game = _game(self, {**given, "seats": []}, **more)
        return NewRoom(game=game, **own), expect


class RoomInviteWanted(StepWanted):
    """A claim for a seat that nobody holds."""

    label = Text(
        TEXT + "{0,200}", _LABEL, load_default=None,
        metadata=said("The published name of whoever is invited; left out, it stays."),
    )  # fmt: skip
    expires_at = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("When the claim ends, ms since 1970; left out, in seven days."),
    )  # fmt: skip


class RoomReissueWanted(StepWanted):
    """A new claim for a seat."""

    expires_at = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("When the claim ends, ms since 1970; left out, in seven days."),
    )  # fmt: skip


class RoomBotWanted(StepWanted):
    """Who plays a seat that nobody holds."""

    bot = Text(
        VERSIONED, "a bot as name@version", required=True,
        allow_none=True, metadata=said("A bot as name@version; null opens the seat for a human."),
    )  # fmt: skip


class HostWanted(StepWanted):
    """Another host."""

    seat = Whole(least=0, most=15, required=True, metadata=said("On which somebody sits."))


class ReadyWanted(StepWanted):
    """Whether you want the game as it stands."""

    ready = YesNo(required=True, metadata=said("Send `expect`, so that it is the one you saw."))


class RematchWanted(StepWanted):
    """The game after which you want another one."""

    game = Text(GAME, "the name of a game", required=True)


def _game(schema: GameWanted, given: dict[str, Any], **more: Any) -> NewGame:  # noqa: ANN401  passed on
    built: NewGame = GameWanted.build(schema, given, **more)
    return built
