"""The shapes of answers; later ones may have more fields, so none is described as closed."""

from marshmallow import Schema, fields, validate

from api.codes import RETRIES
from api.words import number, receipts, said, string, version


class Commitment(Schema):
    """What a player notes before contributing: `open_hash` pins everything."""

    open_hash = string("SHA-256 of record 0 with its line feed, hex.")
    master_commit = string("SHA-256 of the master secret's line, hex.")


class ClaimOut(Schema):
    """A secret that is exchanged, once, for the token of a seat."""

    seat = number("From 0.")
    claim = string("To be handed on to the player.")
    url = string("A link that holds it behind the #, where no server is sent it.")
    expires_at = number("When it ends, ms since 1970.")


class CreatedOut(Schema):
    """A game that was created."""

    id = string("The game.")
    version = version()
    commitment = fields.Nested(Commitment, required=True)
    table_code = string("The start of open_hash in 26 letters, to be read aloud.")
    receipts = receipts()
    claims = fields.List(fields.Nested(ClaimOut), required=True)


class SeatingOut(Schema):
    """A claimed seat, with the commitment that goes with it; in a lobby there is none yet."""

    game = fields.String(
        required=True, allow_none=True,
        metadata=said("The game; in a room the one that runs there, or null."),
    )  # fmt: skip
    room = fields.String(
        required=True, allow_none=True,
        metadata=said("The room in all games of which the token holds the seat, or null."),
    )  # fmt: skip
    seat = number("From 0; of the room where there is one.")
    token = string("Whoever holds it plays this seat.")
    game_seat = fields.Integer(
        required=True,
        allow_none=True,
        metadata=said(
            "The seat of the game, another one where the room drew its seats; with what follows"
            " null while there is no game."
        ),
    )
    version = fields.Integer(required=True, allow_none=True, metadata=said("The game's version."))
    commitment = fields.Nested(Commitment, required=True, allow_none=True)
    table_code = fields.String(
        required=True, allow_none=True,
        metadata=said("The start of open_hash in 26 letters, to be read aloud."),
    )  # fmt: skip
    receipts = receipts()


class EventOut(Schema):
    """A record of the game as it stands in the transcript, and what only your seat may know."""

    v = string("The version of the protocol.")
    game = string("The game.")
    n = number("The number of the record.")
    prev = string("The hash of the record before.")
    t = number("When it was made, ms since 1970.")
    type = string("The type of the record (docs/protocol.md 2.10).")
    body = fields.Dict(required=True, metadata=said("What it says, by type."))
    private = fields.Dict(metadata=said("What only your seat may know of it."))


class AnswerOut(Schema):
    """What followed from what was done."""

    version = version()
    events = fields.List(fields.Nested(EventOut), required=True)
    receipts = receipts()


class PageOut(Schema):
    """Part of a game's records."""

    version = fields.Integer(
        required=True, metadata=said("The number of the newest record that you may see.")
    )
    events = fields.List(fields.Nested(EventOut), required=True)
    has_more = fields.Boolean(required=True, metadata=said("Whether there are further ones."))


class HandCardsOut(Schema):
    """What you were dealt, to be compared with the record's hash at once."""

    hand = number("From 1.")
    seat = number("Your seat.")
    cards = fields.List(fields.Integer(), required=True, metadata=said("Positions in the deck."))
    salt = string("64 hex digits.")


class OwnSeedOut(Schema):
    """A place for what only you know."""

    epoch = number("From 1.")
    text = fields.String(required=True, allow_none=True, metadata=said("Put your text here."))
    nonce = fields.String(required=True, allow_none=True, metadata=said("Put your nonce here."))


class MyRecordOut(Schema):
    """All that you should keep of the game, for `--my-record` (docs/protocol.md 6.5)."""

    v = string("The name of this form.")
    game = string("The game.")
    seat = number("Your seat.")
    origin = string("The name of the service.")
    open_hash = string("The hash of record 0; compare it with what you noted.")
    table_code = string("Its start in 26 letters.")
    receipt_keys = fields.List(
        fields.String(), required=True,
        metadata=said("Under which the service says it signed; trust those you noted."),
    )  # fmt: skip
    receipts = receipts()
    card_notes = fields.List(
        fields.String(), required=True, metadata=said("A signed note over each face you drew.")
    )
    hand_cards = fields.List(fields.Nested(HandCardsOut), required=True)
    seeds = fields.List(fields.Nested(OwnSeedOut), required=True)


class SeedSignatureOut(Schema):
    """A player's own signature over a seat's line."""

    epoch = number("From 1.")
    seat = number("From 0.")
    pk = string("The key that was sent with it; whose it is, nobody here says.")
    signature = string("Ed25519, 128 hex digits.")


class SeedSignaturesOut(Schema):
    """The signatures of a game, for `--player-signatures`."""

    game = string("The game.")
    signatures = fields.List(fields.Nested(SeedSignatureOut), required=True)


class HealthOut(Schema):
    """Whether the service answers."""

    status = string("ok")


class ReadyOut(Schema):
    """That requests can be taken."""

    status = string("ready")


class DealerOut(Schema):
    """What a client needs to know of the service before it trusts a receipt elsewhere."""

    origin = string("The name of the service.")
    receipt_key = string("The public key of receipts, NAME+KEYID+BASE64; note it elsewhere too.")
    earlier_receipt_keys = fields.List(
        fields.String(), required=True, metadata=said("Under which older receipts were signed.")
    )


class Problem(Schema):
    """Why something was refused."""

    type = string("The address of the page that explains the code.")
    title = string("The status in words.")
    status = number("The HTTP status.")
    code = string("Stable; what programs compare.")
    sentence = string("What people read.")
    facts = fields.Dict(required=True, metadata=said("What explains it, by code."))
    retry = fields.String(
        required=True,
        validate=validate.OneOf(list(RETRIES)),
        metadata=said(" ".join(f"{word}: {meaning}." for word, meaning in RETRIES.items())),
    )
    request_id = string("What to quote when you ask about it.")
