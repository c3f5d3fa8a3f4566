"""Answers as JSON values, as the schemas that describe them have it, in a third of the time.

For most values a schema has nothing to do but to take them as they are, and much of its time goes
into finding that out anew. Here it is found out once a schema; a value of another kind than its
field has is left to the field. What comes of it is what `Schema.dump` gives: only fields that are
described, so that nothing else of an answer can slip out.
"""

from collections.abc import Callable
from typing import Any, Final

from marshmallow import Schema, fields
from marshmallow.constants import missing
from marshmallow.decorators import POST_DUMP, PRE_DUMP
from marshmallow.utils import get_value

Dump = Callable[[Any], Any]

_AS_THEY_ARE: Final[dict[type, type]] = {
    fields.String: str,
    fields.Integer: int,
    fields.Boolean: bool,
}
"""Fields that have nothing to do with a value of just this type."""


def dumper(schema: Schema) -> Dump:
    """Return what gives of an answer what `schema.dump` gives."""
    if not _is_plain(schema):
        return schema.dump
    taken = tuple(
        (field.data_key or name, field.attribute or name, field, _value(field))
        for name, field in schema.dump_fields.items()
    )

    def dump(answer: Any) -> dict[str, Any]:  # noqa: ANN401  as the schema's
        made = {}
        for key, attribute, field, value in taken:
            found = get_value(answer, attribute)
            if found is not missing:
                made[key] = value(found)
            elif (default := field.dump_default) is not missing:
                made[key] = value(default() if callable(default) else default)
        return made

    return dump


def _is_plain(schema: Schema) -> bool:
    hooks = schema._hooks  # noqa: SLF001  there is no other way to ask
    asked = type(schema).get_attribute is Schema.get_attribute and not schema.many
    return asked and not hooks[PRE_DUMP] and not hooks[POST_DUMP]


def _value(field: fields.Field[Any]) -> Dump:
    """Return what gives of a value what the field gives."""

    def left(value: object) -> object:
        return field.serialize("value", {"value": value})

    kind = type(field)
    if kind is fields.Raw:
        return lambda value: value
    if isinstance(field, fields.Nested) and kind is fields.Nested and not field.many:
        return _or_none(dumper(field.schema))
    if isinstance(field, fields.List) and kind is fields.List:
        each = _value(field.inner)
        return _or_none(lambda value: [each(one) for one in value])
    if isinstance(field, fields.Dict) and not field.key_field and not field.value_field:
        return _or_none(field.mapping_type)
    if kind not in _AS_THEY_ARE or getattr(field, "as_string", False):
        return left
    taken = _AS_THEY_ARE[kind]
    return lambda value: value if type(value) is taken else left(value)


def _or_none(dump: Dump) -> Dump:
    return lambda value: None if value is None else dump(value)
