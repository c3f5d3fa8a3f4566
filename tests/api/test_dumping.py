"""What is written quickly is what the schemas write."""

from types import MappingProxyType, SimpleNamespace

import pytest
from marshmallow import Schema, fields, post_dump

from api.dumping import dumper
from api.shapes.choices import ChoicesOut
from api.shapes.games import GameOut
from api.shapes.play import ActedOut, CountsOut
from api.shapes.tables import ViewOut


class Inner(Schema):
    """One within another."""

    words = fields.List(fields.String())
    n = fields.Integer()


class Hooked(Inner):
    """One that changes what it gives."""

    @post_dump
    def more(self, made, **_):
        return {**made, "more": 1}


class Every(Schema):
    """One of every kind of field."""

    text = fields.String()
    number = fields.Integer()
    digits = fields.Integer(as_string=True)
    flag = fields.Boolean()
    raw = fields.Raw()
    said = fields.Dict()
    numbers = fields.Dict(keys=fields.String(), values=fields.Integer())
    other = fields.String(data_key="anders", attribute="elsewhere")
    usual = fields.String(dump_default="usual")
    made = fields.List(fields.Integer(), dump_default=list)
    inner = fields.Nested(Inner)
    hooked = fields.Nested(Hooked)
    few = fields.List(fields.Nested(Inner))
    many = fields.Nested(Inner, many=True)
    part = fields.Nested(Inner, only=("n",))
    secret = fields.String(load_only=True)


WHOLE = {"words": ["a"], "n": 1, "not": "described"}
VALUES = [
    {},
    dict.fromkeys(Every().fields),
    {"text": "a", "number": 7, "digits": 7, "flag": True, "raw": [1], "said": {"a": 1}},
    {"text": 7, "number": "7", "digits": "7", "flag": 0, "raw": None, "said": MappingProxyType({})},
    {"text": True, "number": True, "digits": True, "flag": "yes", "numbers": {1: "2"}},
    {"inner": WHOLE, "hooked": WHOLE, "few": (WHOLE, None), "many": [WHOLE], "part": WHOLE},
    {"inner": {}, "hooked": {}, "few": [], "many": [], "part": {}, "made": (1,), "usual": None},
    {
        "secret": "s",
        "more": "m",
        "elsewhere": "e",
        "inner": SimpleNamespace(words=["a"], n=1, more=2),
    },
]


@pytest.mark.parametrize("wrap", [dict, MappingProxyType, lambda said: SimpleNamespace(**said)])
@pytest.mark.parametrize("said", VALUES)
def test_every_kind_of_field_writes_every_value_as_its_schema_does(said, wrap):
    assert dumper(Every())(wrap(said)) == Every().dump(wrap(said))


def test_what_a_field_cannot_write_is_refused_as_its_schema_refuses():
    with pytest.raises(ValueError, match="seven"):
        Every().dump({"number": "seven"})
    with pytest.raises(ValueError, match="seven"):
        dumper(Every())({"number": "seven"})


def test_answers_of_a_game_are_written_as_their_schemas_write_them(service):
    created, (player,) = service.started()
    who, looks = service.dealer.identify(player.token), service.dealer.looks
    for _ in range(12):
        version, act = player.choose()
        tried = looks.try_out(who, created["id"], version, act)
        for schema, answer in (
            (ViewOut(), looks.view(who, created["id"]).view),
            (ChoicesOut(), looks.choices(who, created["id"])),
            (CountsOut(), looks.counts(who, created["id"])),
            (GameOut(), looks.public(created["id"])),
            (ActedOut(), tried),
            (ActedOut(), service.dealer.act(who, created["id"], version, act)),
        ):
            assert dumper(schema)(answer) == schema.dump(answer)
