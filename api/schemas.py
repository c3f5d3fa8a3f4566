"""The shapes on the wire: what is read is checked strictly, what is written is declared here.

No rule of the game stands here. An answer never holds a field that its schema does not declare.
"""

from typing import Any, Final

from marshmallow import Schema, fields, post_load, validate

from api.strict import QueryWhole, Text, Whole
from fairdeal.service import PAGE, NewGame, NewSeat

BIGGEST: Final = 2**53 - 1
HASH: Final = "[0-9a-f]{64}"
GAME: Final = "[a-z0-9][a-z0-9._-]{7,63}"
#: Code points of a text without control characters (protocol 2.10).
TEXT: Final = "[^\\u0000-\\u001f\\u007f-\\u009f]"


def _said(description: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"description": description, **more}


# --------------------------------------------------------------------------------- requests


class RulesWanted(Schema):
    """The rules: a preset, and the fields that differ from it."""

    preset = Text("[a-z0-9][a-z0-9-]{0,39}@[1-9][0-9]{0,3}", "a preset as name@version",
                  load_default="classic@1")  # fmt: skip
    overrides = fields.Dict(
        keys=Text("[a-z0-9_]{1,40}", "the name of a field of the ruleset"),
        load_default=dict,
        metadata=_said("Fields of the ruleset that differ; each game's record 0 lists them all."),
    )


class SeatWanted(Schema):
    """Who is to sit on one seat."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(["human", "bot"], error="Neither human nor bot."),
        metadata=_said("A human claims the seat; a bot plays for itself."),
    )
    label = Text(
        TEXT + "{0,200}", "a name of at most 200 characters without control characters",
        load_default="",
    )  # fmt: skip
    custody = fields.String(
        load_default="player",
        validate=validate.OneOf(["player", "site"], error="Neither player nor site."),
        metadata=_said("Who holds the seat's token; everybody is told."),
    )
    bot = Text(
        "[a-z0-9][a-z0-9-]{0,39}@[1-9][0-9]{0,3}", "a bot as name@version", load_default=None
    )

    @post_load
    def build(self, said: dict[str, Any], **_: object) -> NewSeat:
        """Return the seat."""
        return NewSeat(**said)


class GameWanted(Schema):
    """A game to be created, every seat decided."""

    rules = fields.Nested(RulesWanted, load_default=lambda: RulesWanted().load({}))
    seats = fields.List(
        fields.Nested(SeatWanted),
        required=True,
        validate=validate.Length(1, 16, error="Not 1 to 16 seats."),
        metadata=_said("By number, clockwise; partners sit opposite."),
    )
    hands = Whole(
        least=1, most=512, load_default=None,
        metadata=_said("How many hands are committed to; more than the rules need, left out."),
    )  # fmt: skip
    first_seat = Whole(
        least=0, most=15, load_default=1,
        metadata=_said("Who is dealt first in hand 1."),
    )  # fmt: skip
    reveal_by = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=_said("When the master secret is due, ms since 1970; left out, in seven days."),
    )  # fmt: skip

    @post_load
    def build(self, said: dict[str, Any], **_: object) -> NewGame:
        """Return the game."""
        rules = said.pop("rules")
        seats = tuple(said.pop("seats"))
        return NewGame(seats=seats, preset=rules["preset"], overrides=rules["overrides"], **said)


class ClaimWanted(Schema):
    """A claim to be exchanged for the token of a seat."""

    claim = Text("[A-Za-z0-9_-]{1,200}", "a claim", required=True)
    key = Text(
        "[A-Za-z0-9_-]{16,64}", "16 to 64 random letters, digits, _ or - of your own",
        load_default=None,
    )  # fmt: skip


class SeedWanted(Schema):
    """What a player contributes; the typed text itself never leaves the player's program."""

    epoch = Whole(least=1, most=BIGGEST, required=True, metadata=_said("From 1."))
    open_hash = Text(HASH, "64 lower-case hex digits", required=True)
    nonce = Text(HASH, "64 lower-case hex digits", required=True)
    seed_sha256 = Text(HASH, "64 lower-case hex digits", required=True)


class ActWanted(Schema):
    """An act, and the version of the game on which it was decided."""

    expect = Whole(
        least=0, most=BIGGEST, required=True,
        metadata=_said("The version of the game when you decided."),
    )  # fmt: skip
    act = Text("[ -~]{1,400}", "one line of 1 to 400 ASCII characters", required=True)


class CloseWanted(Schema):
    """Why a game is given up; published."""

    reason = Text(TEXT + "{1,200}", "a reason of 1 to 200 characters without control characters",
                  required=True)  # fmt: skip


class EventsWanted(Schema):
    """Which records are asked for."""

    after = QueryWhole(
        least=-1, most=BIGGEST, load_default=-1,
        metadata=_said("Records behind this number; -1 for all."),
    )  # fmt: skip
    limit = QueryWhole(least=1, most=PAGE, load_default=PAGE, metadata=_said("At most so many."))


# ---------------------------------------------------------------------------------- answers

_VERSION: Final = _said("The number of the newest record; what `expect` has to be.")
_RECEIPTS: Final = _said("Signed notes (C2SP) over records; keep them.")


def _receipts() -> fields.List[str]:
    return fields.List(fields.String(), required=True, metadata=_RECEIPTS)


def _version() -> fields.Integer:
    return fields.Integer(required=True, metadata=_VERSION)


def _number(description: str) -> fields.Integer:
    return fields.Integer(required=True, metadata=_said(description))


def _string(description: str) -> fields.String:
    return fields.String(required=True, metadata=_said(description))


class Commitment(Schema):
    """What a player notes before contributing: `open_hash` pins everything."""

    open_hash = _string("SHA-256 of record 0 with its line feed, hex.")
    master_commit = _string("SHA-256 of the master secret's line, hex.")


class ClaimOut(Schema):
    """A secret that is exchanged, once, for the token of a seat."""

    seat = _number("From 0.")
    claim = _string("To be handed on to the player.")


class CreatedOut(Schema):
    """A game that was created."""

    id = _string("The game.")
    version = _version()
    commitment = fields.Nested(Commitment, required=True)
    table_code = _string("The start of open_hash in 26 letters, to be read aloud.")
    receipts = _receipts()
    claims = fields.List(fields.Nested(ClaimOut), required=True)


class SeatingOut(Schema):
    """A claimed seat, with the commitment that goes with it."""

    game = _string("The game.")
    seat = _number("From 0.")
    token = _string("Whoever holds it plays this seat.")
    version = _version()
    commitment = fields.Nested(Commitment, required=True)
    table_code = _string("The start of open_hash in 26 letters, to be read aloud.")
    receipts = _receipts()


class EventOut(Schema):
    """A record of the game as it stands in the transcript, and what only your seat may know."""

    v = _string("The version of the protocol.")
    game = _string("The game.")
    n = _number("The number of the record.")
    prev = _string("The hash of the record before.")
    t = _number("When it was made, ms since 1970.")
    type = _string("The type of the record (docs/protocol.md 2.10).")
    body = fields.Dict(required=True, metadata=_said("What it says, by type."))
    private = fields.Dict(metadata=_said("What only your seat may know of it."))


class AnswerOut(Schema):
    """What followed from what was done."""

    version = _version()
    events = fields.List(fields.Nested(EventOut), required=True)
    receipts = _receipts()


class PageOut(Schema):
    """Part of a game's records."""

    version = fields.Integer(
        required=True, metadata=_said("The number of the newest record that you may see.")
    )
    events = fields.List(fields.Nested(EventOut), required=True)
    has_more = fields.Boolean(required=True, metadata=_said("Whether there are further ones."))


class TableSeatOut(Schema):
    """A seat at the table, as all see it."""

    seat = _number("From 0.")
    side = _number("The side it belongs to.")
    cards = _number("How many cards it holds.")


class TablePileOut(Schema):
    """The discard pile."""

    count = _number("How many cards it has.")
    top = fields.String(required=True, allow_none=True, metadata=_said("The face on top."))
    cards = fields.List(
        fields.String(), required=True, allow_none=True,
        metadata=_said("All faces, bottom first; null where only the top may be seen."),
    )  # fmt: skip
    frozen = fields.Boolean(required=True, metadata=_said("Whether it is frozen for everybody."))


class MeldOut(Schema):
    """A meld on the table."""

    rank = _string("4 to A, W for wild cards, 3 for black threes.")
    cards = fields.List(fields.String(), required=True, metadata=_said("Faces."))
    kind = _string("natural or mixed.")
    canasta = fields.Boolean(required=True, metadata=_said("Whether it has seven cards or more."))


class TableSideOut(Schema):
    """What a side has on the table."""

    seats = fields.List(fields.Integer(), required=True, metadata=_said("Its seats."))
    total = _number("Its points before this hand.")
    opened = fields.Boolean(required=True, metadata=_said("Whether it has melded."))
    minimum = _number("What its first melds must count.")
    canastas = _number("How many canastas it has.")
    melds = fields.List(fields.Nested(MeldOut), required=True)
    red_threes = fields.List(fields.String(), required=True, metadata=_said("Faces."))


class TableYouOut(Schema):
    """Your own seat."""

    seat = _number("From 0.")
    side = _number("The side it belongs to.")
    holding = fields.List(
        fields.String(), required=True, metadata=_said("Faces, sorted; the order means nothing.")
    )


class TableTurnOut(Schema):
    """Who has to do what."""

    seat = _number("Who is in turn; while a question is open, who has to answer.")
    phase = _string("The part of the turn: show, draw, play, asked or over.")


class TableOut(Schema):
    """The hand in play."""

    you = fields.Nested(TableYouOut, required=True)
    seats = fields.List(fields.Nested(TableSeatOut), required=True)
    stock = _number("How many cards the stock has.")
    pile = fields.Nested(TablePileOut, required=True)
    sides = fields.List(fields.Nested(TableSideOut), required=True)
    turn = fields.Nested(TableTurnOut, required=True, allow_none=True)
    end = fields.String(required=True, allow_none=True, metadata=_said("How the hand ended."))


class ViewSeatOut(Schema):
    """A seat of the game."""

    kind = _string("player or bot.")
    label = fields.String(required=True, metadata=_said("A published name; often empty."))


class ViewOut(Schema):
    """What your seat may see now."""

    game = _string("The game.")
    seat = _number("Your seat.")
    version = _version()
    state = _string("seeding, playing or closed.")
    open_hash = _string("The hash of record 0, to be compared with what you noted.")
    hand = _number("The number of the newest hand; 0 before the first.")
    totals = fields.List(fields.Integer(), required=True, metadata=_said("Points of each side."))
    seeds = fields.List(
        fields.Boolean(), required=True, metadata=_said("Which seats have contributed.")
    )
    seats = fields.List(fields.Nested(ViewSeatOut), required=True)
    table = fields.Nested(TableOut, required=True, allow_none=True)


class PublicSeatOut(Schema):
    """What everybody is told of a seat."""

    seat = _number("From 0.")
    kind = _string("player or bot.")
    label = fields.String(required=True, metadata=_said("A published name; often empty."))
    custody = _string("Who plays it: player, site, service-bot, site-bot.")


class GameOut(Schema):
    """What everybody may know of a game."""

    id = _string("The game.")
    state = _string("seeding, playing or closed.")
    version = fields.Integer(
        required=True, metadata=_said("The number of the newest record that everybody may see.")
    )
    origin = _string("The name of the service that opened it.")
    commitment = fields.Nested(Commitment, required=True)
    table_code = _string("The start of open_hash in 26 letters, to be read aloud.")
    seats = fields.List(fields.Nested(PublicSeatOut), required=True)
    reveal_by = _number("When the master secret is due, ms since 1970.")


class HealthOut(Schema):
    """Whether the service answers."""

    status = _string("ok")
    commits = _number("Durable commits since the service started.")


class DealerOut(Schema):
    """What a client needs to know of the service before it trusts a receipt elsewhere."""

    origin = _string("The name of the service.")
    receipt_key = _string("The public key of receipts, NAME+KEYID+BASE64; note it elsewhere too.")


class Problem(Schema):
    """Why something was refused."""

    type = _string("The address of the page that explains the code.")
    title = _string("The status in words.")
    status = _number("The HTTP status.")
    code = _string("Stable; what programs compare.")
    sentence = _string("What people read.")
    facts = fields.Dict(required=True, metadata=_said("What explains it, by code."))
    retry = fields.String(
        required=True,
        validate=validate.OneOf(["never", "after", "after_change"]),
        metadata=_said("When the same request may be sent again."),
    )
    request_id = _string("What to quote when you ask about it.")
