"""The shapes of what was measured of the bots."""

from marshmallow import Schema, fields

from api.words import number, said, string


def _figure(description: str) -> fields.Float:
    return fields.Float(required=True, metadata=said(description))


_DEALS = "How many deals were played, each with the sides swapped: each is one sample."
_HANDS = "How many hands that were."
_LOW = "The lower end of its 95 % interval."
_HIGH = "The upper end of it."
_SEED = "The text that every deal comes from; `fairdeal bots ladder --seed` takes it."
_PRESET = "The rules that were played."


def _floor() -> fields.Integer:
    return fields.Integer(
        required=True,
        allow_none=True,
        metadata=said("What the interval of a new version must not lie below; null: none is held."),
    )


class BotFiguresOut(Schema):
    """What the sides of one bot did in the hands of a pair."""

    bot = string("Name and version.")
    sides = number("How many sides it was, over all hands.")
    points = _figure("Of a hand, on average.")
    went_out = _figure("In how many of a hundred hands it went out.")
    concealed = _figure("In how many of a hundred hands it went out concealed.")
    natural = _figure("Natural canastas a hand.")
    mixed = _figure("Canastas with wild cards a hand.")
    opened = _figure("In how many of a hundred hands it opened.")
    opening_turn = fields.Float(
        required=True,
        allow_none=True,
        metadata=said("On which turn of its own, on average; null where it never opened."),
    )
    cpu_ms = _figure("Processor time an act, ms, on the machine that measured.")


class PairOut(Schema):
    """What a pair of bots came to; points and hands won are the first one's."""

    first = string("The bot whose points are told.")
    second = string("The one that it played.")
    deals = number(_DEALS)
    hands = number(_HANDS)
    points = _figure("A hand, the first one's side over the other.")
    low = _figure(_LOW)
    high = _figure(_HIGH)
    sd = _figure("The standard deviation of a deal.")
    floor = _floor()
    won = _figure("In how many of a hundred hands it had more; ties count half.")
    stock_outs = _figure("How many of a hundred hands ended on the stock.")
    stock_outs_low = _figure(_LOW)
    stock_outs_high = _figure(_HIGH)
    went_out = _figure("How many of a hundred hands somebody went out of.")
    concealed = _figure("How many of a hundred hands somebody went out of concealed.")
    acts = _figure("Acts a hand.")
    bots = fields.List(fields.Nested(BotFiguresOut), required=True)


class RunOut(Schema):
    """Pairs that were measured together."""

    name = string("What `fairdeal bots reproduce` takes.")
    seed = string(_SEED)
    preset = string(_PRESET)
    commit = fields.String(
        required=True, allow_none=True, metadata=said("Of the code that played, where it is known.")
    )
    code = string("The hash of what of the code plays.")
    pairs = fields.List(fields.Nested(PairOut), required=True)


class PlayStatsOut(Schema):
    """How strong the bots are: own measurements over seeded self-play, no claims of perfection."""

    runs = fields.List(fields.Nested(RunOut), required=True)


class MeasurementOut(Schema):
    """What was measured of a bot against another, from its own side."""

    run = string("The run that it is of.")
    against = string("The other bot.")
    seed = string(_SEED)
    preset = string(_PRESET)
    deals = number(_DEALS)
    hands = number(_HANDS)
    points = _figure("A hand, its side over the other; below 0 where it is the weaker one.")
    low = _figure(_LOW)
    high = _figure(_HIGH)
    floor = _floor()
    won = _figure("In how many of a hundred hands it had more; ties count half.")


class MeasurementsOut(Schema):
    """What was measured of a bot."""

    bot = string("Name and version.")
    plays = string("How it plays.")
    measurements = fields.List(fields.Nested(MeasurementOut), required=True)
