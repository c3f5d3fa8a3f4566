"""The shapes of requests: what is read is checked strictly.

No rule of the game stands here.
"""

from typing import Any, Final

from marshmallow import Schema, fields, post_load, validate, validates_schema

from api.shapes.settings import ClockWanted, WatchWanted
from api.strict import Json, QueryWhole, Text, Whole
from api.words import BIGGEST, GAME, HASH, TEXT, VERSIONED, said
from fairdeal.errors import Unprocessable
from fairdeal.service import PAGE, NewDealt, NewGame, NewSeat, Seed, Settings, SignedSeed

MOST_WAIT_S: Final = 25
"""A long poll waits so long at most."""


class DealtWanted(Schema):
    """Rules of a game that the site referees: it is dealt here, and nothing more."""

    name = Text(
        TEXT + "{1,200}", "a name of 1 to 200 characters without control characters",
        required=True,
    )  # fmt: skip
    deck = fields.List(
        Text("[!-~]{1,8}", "a face of 1 to 8 visible ASCII characters"),
        required=True,
        validate=validate.Length(1, 1024, error="Not 1 to 1024 cards."),
        metadata=said("The face of each card; equal faces are different cards."),
    )
    steps = fields.List(
        fields.Dict(values=Json(allow_none=True)),
        required=True,
        validate=validate.Length(0, 64, error="Not 0 to 64 steps."),
        metadata=said("The steps of the deal (docs/protocol.md 2.7)."),
    )

    @post_load
    def build(self, given: dict[str, Any], **_: object) -> NewDealt:
        """Return the rules."""
        return NewDealt(name=given["name"], deck=tuple(given["deck"]), steps=tuple(given["steps"]))


class SeatingWanted(Schema):
    """The game in which the seats were drawn for."""

    game = Text(GAME, "the name of a game", required=True)
    master_record = Text(HASH, "64 lower-case hex digits", required=True)


class RulesWanted(Schema):
    """The rules: a preset and the fields that differ from it, or those of a dealt-only game."""

    preset = Text(VERSIONED, "a preset as name@version",
                  load_default=None)  # fmt: skip
    overrides = fields.Dict(
        values=Json(allow_none=True),
        load_default=dict,
        metadata=said("Fields of the ruleset that differ; each game's record 0 lists them all."),
    )
    seating = fields.Nested(
        SeatingWanted, load_default=None,
        metadata=said("The finished dealt-only game that drew for the seats."),
    )  # fmt: skip
    dealt = fields.Nested(
        DealtWanted, load_default=None, metadata=said("A dealt-only game, instead of a preset.")
    )

    @validates_schema
    def check(self, given: dict[str, Any], **_: object) -> None:
        """Refuse rules of both kinds (raises `Unprocessable`)."""
        if given["dealt"] and (given["preset"] or given["overrides"] or given["seating"]):
            said = "A dealt-only game has no preset, overrides or seating."
            raise Unprocessable("bad_field", said, {"field": "dealt"})


class BeaconWanted(Schema):
    """The public beacon that every epoch waits for."""

    chain = Text(HASH, "64 lower-case hex digits", required=True)
    delay_ms = Whole(least=0, most=BIGGEST, required=True, metadata=said("After the lock."))


class SeatWanted(Schema):
    """Who is to sit on one seat."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(["human", "bot"], error="Neither human nor bot."),
        metadata=said("A human claims the seat; a bot plays for itself."),
    )
    label = Text(
        TEXT + "{0,200}", "a name of at most 200 characters without control characters",
        load_default="",
    )  # fmt: skip
    custody = fields.String(
        load_default="player",
        validate=validate.OneOf(["player", "site"], error="Neither player nor site."),
        metadata=said("Who holds the seat's token; everybody is told."),
    )
    bot = Text(VERSIONED, "a bot as name@version", load_default=None)

    @post_load
    def build(self, given: dict[str, Any], **_: object) -> NewSeat:
        """Return the seat."""
        return NewSeat(**given)


class GameWanted(Schema):
    """A game to be created, every seat decided."""

    rules = fields.Nested(RulesWanted, load_default=lambda: RulesWanted().load({}))
    seats = fields.List(
        fields.Nested(SeatWanted),
        required=True,
        validate=validate.Length(1, 16, error="Not 1 to 16 seats."),
        metadata=said("By number, clockwise; partners sit opposite."),
    )
    profile = fields.String(
        load_default="open",
        validate=validate.OneOf(["open", "sealed"], error="Neither open nor sealed."),
        metadata=said("Whether every seat seals its seed before any is opened."),
    )
    beacon = fields.Nested(BeaconWanted, load_default=None)
    epoch_hands = Whole(
        least=0, most=512, load_default=0,
        metadata=said("After so many hands every seat contributes anew; 0 for never."),
    )  # fmt: skip
    missing_share = fields.String(
        load_default="void",
        validate=validate.OneOf(["void", "drop"], error="Neither void nor drop."),
        metadata=said("What follows from a missing seed; drop only with a beacon."),
    )
    hands = Whole(
        least=1, most=512, load_default=None,
        metadata=said("How many hands are committed to; more than the rules need, left out."),
    )  # fmt: skip
    first_seat = Whole(
        least=0, most=15, load_default=1,
        metadata=said("Who is dealt first in hand 1."),
    )  # fmt: skip
    reveal_by = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("When the master secret is due, ms since 1970; left out, in seven days."),
    )  # fmt: skip
    claims_until = Whole(
        least=0, most=BIGGEST, load_default=None,
        metadata=said("When the claims end, ms since 1970; left out, with `reveal_by`."),
    )  # fmt: skip
    clock = fields.Nested(ClockWanted, load_default=lambda: ClockWanted().load({}))
    watch = fields.Nested(WatchWanted, load_default=lambda: WatchWanted().load({}))

    @post_load
    def build(self, given: dict[str, Any], **_: object) -> NewGame:
        """Return the game."""
        settings = Settings.of(given.pop("clock"), given.pop("watch"))
        rules = given.pop("rules")
        seats = tuple(given.pop("seats"))
        if rules["preset"] is None:
            del rules["preset"]
        return NewGame(seats=seats, settings=settings, **rules, **given)


class ClaimWanted(Schema):
    """A claim to be exchanged for the token of a seat."""

    claim = Text("[A-Za-z0-9_-]{1,200}", "a claim", required=True)
    key = Text(
        "[A-Za-z0-9_-]{16,64}", "16 to 64 random letters, digits, _ or - of your own",
        load_default=None,
    )  # fmt: skip


class SeedWanted(Schema):
    """What a player contributes; the typed text itself never leaves the player's program.

    Either `seal`, or `nonce` and `seed_sha256`.
    """

    epoch = Whole(least=1, most=BIGGEST, required=True, metadata=said("From 1."))
    open_hash = Text(HASH, "64 lower-case hex digits", required=True)
    seal = Text(
        HASH, "64 lower-case hex digits", load_default=None,
        metadata=said("The hash of your line, before any seed is opened; profile sealed only."),
    )  # fmt: skip
    nonce = Text(HASH, "64 lower-case hex digits", load_default=None)
    seed_sha256 = Text(HASH, "64 lower-case hex digits", load_default=None)
    pk = Text(
        HASH, "64 lower-case hex digits", load_default=None,
        metadata=said("Your own Ed25519 public key, with `signature`."),
    )  # fmt: skip
    signature = Text(
        "[0-9a-f]{128}", "128 lower-case hex digits", load_default=None,
        metadata=said("By that key over your line with its LF; kept outside the records."),
    )  # fmt: skip

    @validates_schema
    def check(self, given: dict[str, Any], **_: object) -> None:
        """Refuse half a seed, and what is neither a seal nor a seed (raises `Unprocessable`)."""
        sent = {name for name, value in given.items() if value is not None} - {"epoch", "open_hash"}
        share = {"nonce", "seed_sha256"}
        if sent not in ({"seal"}, share, {*share, "pk", "signature"}):
            said = "Send seal; or nonce and seed_sha256, with pk and signature or neither."
            raise Unprocessable("bad_field", said, {"field": "seal"})

    @post_load
    def build(self, given: dict[str, Any], **_: object) -> dict[str, Any] | Seed:
        """Return a seal by its names, or the seed."""
        if given["seal"] is not None:
            return {name: given[name] for name in ("epoch", "open_hash", "seal")}
        pk, signature = given.pop("pk"), given.pop("signature")
        del given["seal"]
        signed = None if pk is None else SignedSeed(pk=pk, signature=signature)
        return Seed(**given, signed=signed)


class ActWanted(Schema):
    """An act, and the version of the game on which it was decided."""

    expect = Whole(
        least=0, most=BIGGEST, required=True,
        metadata=said("The version of the game when you decided."),
    )  # fmt: skip
    act = Text("[ -~]{1,400}", "one line of 1 to 400 ASCII characters", required=True)


class ExpectWanted(Schema):
    """The version of the game on which this was decided."""

    expect = Whole(
        least=0, most=BIGGEST, required=True,
        metadata=said("The version of the game when you decided."),
    )  # fmt: skip


class DrawWanted(ExpectWanted):
    """Which seat draws."""

    seat = Whole(least=0, most=15, required=True, metadata=said("From 0."))


class ScoreWanted(Schema):
    """The result of a hand as the site states it; published as it is."""

    result = Json(required=True, allow_none=True, metadata=said("Any JSON value."))


class ReasonWanted(Schema):
    """Why a hand or a game is given up; published."""

    reason = Text(TEXT + "{1,200}", "a reason of 1 to 200 characters without control characters",
                  required=True)  # fmt: skip


class EventsWanted(Schema):
    """Which records are asked for."""

    after = QueryWhole(
        least=-1, most=BIGGEST, load_default=-1,
        metadata=said("Records behind this number; -1 for all."),
    )  # fmt: skip
    limit = QueryWhole(
        least=1, most=PAGE, load_default=PAGE, metadata=said("Of a page: at most so many.")
    )
    wait = QueryWhole(
        least=1, most=MOST_WAIT_S, load_default=None,
        metadata=said("Of a page: answer once there is something, or after so many seconds."),
    )  # fmt: skip
