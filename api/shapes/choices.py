"""The shapes of what a seat can do, cannot do, and might do: acts with their reasons."""

from marshmallow import Schema, fields

from api.words import number, said, string


def _maybe(description: str) -> fields.String:
    return fields.String(required=True, allow_none=True, metadata=said(description))


def _facts(description: str) -> fields.Dict:
    return fields.Dict(required=True, metadata=said(description))


class WarningOut(Schema):
    """What to mind before an act that is allowed: advice, never a refusal."""

    name = string("Which warning, in snake case.")
    sentence = string("What to mind.")


class ChoiceOut(Schema):
    """Something your seat may do now."""

    act = string("What to send as `act`.")
    sentence = string("What it means.")
    warnings = fields.List(fields.Nested(WarningOut), required=True)


class CannotOut(Schema):
    """Something your seat cannot do, and why."""

    kind = string("draw, take, lay, discard, ask, end or go_out.")
    door = _maybe("Of a take: pair, natural_wild or lay_on_meld.")
    act = string("The refused act that came nearest; empty where there is none to name.")
    code = string("Which rule is in the way.")
    sentence = string("Why, with what is missing; at most 140 characters.")
    facts = _facts("What it rests on; of a take exactly frozen, opened, top and hand.")
    counts = _facts("Of a take, the numbers behind it.")
    rule = string("The number of the rule in docs/rules.md.")
    help = string("The path of the page that explains the code.")
    remedy = _maybe("An act that you may do now, after which the refused one is allowed.")


class OpeningOut(Schema):
    """What your side needs for its first melds of the hand."""

    need = number("The minimum count of your side.")
    best = number("The most that your cards can count in one act; 0 if no meld can be laid.")
    act = string("An act that counts as much; empty if there is none.")


class ChoicesOut(Schema):
    """What your seat can do now, and what it cannot; out of turn it can do nothing."""

    version = number("The number of the newest record: what you decide on.")
    headline = string("What matters most, in one sentence; empty while no hand is in play.")
    can = fields.List(fields.Nested(ChoiceOut), required=True)
    cannot = fields.List(fields.Nested(CannotOut), required=True)
    opening = fields.Nested(
        OpeningOut,
        required=True,
        allow_none=True,
        metadata=said("Null once your side has opened."),
    )


def _value() -> fields.Integer:
    meaning = "Points that the level expects of it, on its own scale; compare within one hint."
    return fields.Integer(required=True, allow_none=True, metadata=said(meaning))


class HintReasonOut(Schema):
    """Something that speaks for an act, or has to be minded with it."""

    code = string("Which reason; /help/strategy/{code} explains it.")
    sentence = string("The reason, to you; at most 140 characters.")
    facts = _facts("What it rests on: numbers, and ranks as letters. All of it you can see.")


class AlternativeOut(Schema):
    """Another act that was weighed."""

    act = string("What to send as `act`.")
    sentence = string("What it means.")
    value = _value()


class HintOut(Schema):
    """What your seat might do, and why."""

    version = number("The number of the newest record: what it was decided on.")
    hand = number("The hand in play, from 1.")
    level = string("The bot that would do it in your place.")
    act = string("What to send as `act`.")
    sentence = string("What it means.")
    value = _value()
    reasons = fields.List(
        fields.Nested(HintReasonOut),
        required=True,
        metadata=said("One or more, in the order of /help/strategy."),
    )
    alternatives = fields.List(
        fields.Nested(AlternativeOut),
        required=True,
        metadata=said("Best first, at most five; none where the level weighs nothing."),
    )
