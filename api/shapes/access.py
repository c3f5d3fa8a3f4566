"""The shapes of who may come where: sites, keys, claims, watchers, and the list of games."""

from marshmallow import Schema, fields, validate

from api.shapes.lists import PartOut
from api.strict import Text, Whole
from api.words import BIGGEST, TEXT, number, said, string
from fairdeal.service import MOST_OVERLAP_S, OVERLAP_S

_END = said("From then on it opens nothing, ms since 1970; null for no end.")
_LABEL = said("What you call it; nobody else is told.")


def _label() -> Text:
    return Text(
        TEXT + "{0,100}", "a label of at most 100 characters without control characters",
        load_default="", metadata=_LABEL,
    )  # fmt: skip


def _until(description: str) -> Whole:
    return Whole(least=0, most=BIGGEST, load_default=None, metadata=said(description))


class SiteOut(Schema):
    """Your site."""

    id = string("Its name, which never changes.")
    name = fields.String(required=True, metadata=said("What it calls itself; perhaps empty."))
    mode = string("live or test.")
    made = number("When its first key was made, ms since 1970.")


class SiteWanted(Schema):
    """What your site calls itself."""

    name = Text(
        TEXT + "{1,100}", "a name of 1 to 100 characters without control characters", required=True
    )


class KeyOut(Schema):
    """A key of your site; never its token."""

    id = string("Its public name.")
    label = fields.String(required=True, metadata=_LABEL)
    scope = string("full, or read: it may only look.")
    made = number("When it was made, ms since 1970.")
    until = fields.Integer(required=True, allow_none=True, metadata=_END)


class NewKeyOut(KeyOut):
    """A key that was just made."""

    token = string("Shown here and never again; keep it.")


class KeysOut(Schema):
    """The keys of your site that open anything."""

    keys = fields.List(fields.Nested(KeyOut), required=True)


class KeyWanted(Schema):
    """A further key."""

    label = _label()
    scope = fields.String(
        load_default="full",
        validate=validate.OneOf(["full", "read"], error="Neither full nor read."),
        metadata=said("read may only look."),
    )


class RollWanted(Schema):
    """A key that follows another one."""

    overlap_s = Whole(
        least=0, most=MOST_OVERLAP_S, load_default=OVERLAP_S,
        metadata=said("So many seconds the old one still works; 0 for no longer."),
    )  # fmt: skip


class InviteWanted(Schema):
    """A new claim for a seat."""

    expires_at = _until("When the claim ends, ms since 1970; left out, with `reveal_by`.")


class SeatToldOut(Schema):
    """A seat after it was taken back."""

    game = string("The game.")
    seat = number("From 0.")
    claimed = fields.Boolean(required=True, metadata=said("Whether somebody holds its token."))


class WatcherOut(Schema):
    """Somebody who may watch the game; never the token."""

    id = string("A public name.")
    label = fields.String(required=True, metadata=_LABEL)
    made = number("When it was given out, ms since 1970.")
    until = fields.Integer(required=True, allow_none=True, metadata=_END)


class NewWatcherOut(WatcherOut):
    """Somebody who was just let in."""

    token = string("Shown here and never again; hand it on.")


class WatchersOut(Schema):
    """Who may watch the game."""

    watchers = fields.List(fields.Nested(WatcherOut), required=True)


class WatcherWanted(Schema):
    """Somebody to be let in."""

    label = _label()
    until = _until("When the token ends, ms since 1970; left out, never.")


class ListedGameOut(Schema):
    """A game of your site; look at it for more."""

    id = string("The game.")
    room = fields.String(
        required=True, metadata=said("The room in which it was started, or empty.")
    )
    made = number("When, ms since 1970.")
    over = fields.Boolean(required=True, metadata=said("Whether all of it is public."))


class GamesOut(PartOut):
    """Games of your site, newest first."""

    games = fields.List(fields.Nested(ListedGameOut), required=True)
