"""The shapes of the rules that are offered."""

from marshmallow import Schema, fields

from api.strict import Json, Text
from api.words import VERSIONED, number, said, string


def _strings(description: str) -> fields.List[str]:
    return fields.List(fields.String(), required=True, metadata=said(description))


class PresetOut(Schema):
    """A named ruleset in short."""

    preset = string("Name and version, to be asked for.")
    players = number("How many seats.")
    sides = string("How they play together: partners, solo or two_teams_of_three.")
    missing = _strings("Fields that you have to choose.")


class AbsentOut(Schema):
    """Something that is not offered."""

    name = string("What it is called.")
    kind = string("game, rule or service.")
    why = string("The reason.")


class RulesListOut(Schema):
    """What is offered and what is not."""

    presets = fields.List(fields.Nested(PresetOut), required=True)
    not_offered = fields.List(fields.Nested(AbsentOut), required=True)


class FieldOut(Schema):
    """One field of a ruleset, in words."""

    field = string("Its name.")
    section = string("The heading under which it belongs.")
    topic = string("What it settles.")
    value = fields.Raw(
        required=True, allow_none=True,
        metadata=said("As JSON; null also where you have to choose."),
    )  # fmt: skip
    text = string("What that means.")
    rules = _strings("Its numbers in docs/rules.md.")


class DifferenceOut(Schema):
    """A field in which two rulesets differ, in words."""

    field = string("Its name.")
    topic = string("What it settles.")
    a = string("What the first one says.")
    b = string("What the second one says.")


class RulesOut(Schema):
    """A ruleset with all its fields."""

    preset = string("Its base.")
    ruleset = fields.Dict(required=True, metadata=said("Every field, as record 0 has them."))
    missing = _strings("Fields that you have to choose.")
    in_words = fields.List(fields.Nested(FieldOut), required=True)
    differences = fields.List(
        fields.Nested(DifferenceOut), required=True, metadata=said("From its base.")
    )


class DiffWanted(Schema):
    """Which presets are compared."""

    a = Text(VERSIONED, "a preset as name@version", required=True)
    b = Text(VERSIONED, "a preset as name@version", required=True)


class DiffOut(Schema):
    """In what two presets differ."""

    a = string("The first.")
    b = string("The second.")
    differences = fields.List(fields.Nested(DifferenceOut), required=True)


class MixtureWanted(Schema):
    """A preset and the fields that differ from it."""

    preset = Text(VERSIONED, "a preset as name@version", required=True)
    overrides = fields.Dict(
        values=Json(allow_none=True),
        load_default=dict,
        metadata=said("Fields of the ruleset that differ."),
    )


class BotOut(Schema):
    """A bot that may sit down."""

    bot = string("Name and version, to be asked for.")
    plays = string("How it plays.")


class BotsOut(Schema):
    """The bots."""

    bots = fields.List(fields.Nested(BotOut), required=True)


class TermOut(Schema):
    """A word of the game."""

    term = string("The word.")
    meaning = string("What it means.")


class TermsOut(Schema):
    """The words of the game, in alphabetical order."""

    terms = fields.List(fields.Nested(TermOut), required=True)
