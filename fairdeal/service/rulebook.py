"""The rules that are offered, in plain words: presets, what differs, mixtures, bots, terms.

Nothing here depends on a game or a caller.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from fairdeal.bots.levels import LEVELS
from fairdeal.canasta import presets
from fairdeal.canasta.fieldwords import FIELD_WORDS
from fairdeal.canasta.pages.absent import ABSENT, Absent
from fairdeal.canasta.pages.terms import TERMS
from fairdeal.canasta.ruleset import to_json
from fairdeal.canasta.sources import SOURCES
from fairdeal.errors import Unprocessable

BOTS: Final[Mapping[str, str]] = {
    level.name: level.summary for level in LEVELS.values() if level.offered
}
"""Each bot that a new game may seat, by name and version: how it plays; weakest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named ruleset in short.

    Attributes:
        preset: Name and version, as it is asked for.
        players: How many seats.
        sides: How they play together, as the ruleset says it.
        missing: Fields that the table has to choose.
    """

    preset: str
    players: int
    sides: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a ruleset, in words.

    Attributes:
        field: Its name.
        section: The heading under which it belongs.
        topic: What it settles.
        value: As JSON; None also where the table has to choose.
        text: What that means.
        rules: Its numbers in docs/rules.md.
    """

    field: str
    section: str
    topic: str
    value: Any
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A field in which two rulesets differ, in words: `a` of the first, `b` of the second."""

    field: str
    topic: str
    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A ruleset with all its fields.

    Attributes:
        preset: Its base.
        ruleset: Every field as JSON, as record 0 has them.
        missing: Fields that the table has to choose.
        in_words: The same, field by field.
        differences: From its base; none for a preset as it is.
    """

    preset: str
    ruleset: Mapping[str, Any]
    missing: tuple[str, ...]
    in_words: tuple[Field, ...]
    differences: tuple[Difference, ...] = ()


def offered() -> tuple[Preset, ...]:
    """Return the presets, in the order in which they are listed."""
    return tuple(
        Preset(
            preset=name,
            players=int(str(ruleset["players"])),
            sides=str(ruleset["sides"]),
            missing=presets.missing(name),
        )
        for name, ruleset in presets.PRESETS.items()
    )


def not_offered() -> tuple[Absent, ...]:
    """Return the variants and features that are not offered, with the reasons."""
    return ABSENT


def rules_of(preset: str) -> Rules:
    """Return a preset (raises `Unprocessable`: `no_such_preset`)."""
    ruleset = _preset(preset)
    return Rules(
        preset=preset,
        ruleset=ruleset,
        missing=presets.missing(preset),
        in_words=_in_words(ruleset),
    )


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Return in what two presets differ (raises `Unprocessable`: `no_such_preset`)."""
    return _differences(_preset(a), _preset(b))


def mixed(preset: str, overrides: Mapping[str, object]) -> Rules:
    """Return the ruleset of a preset with single fields changed, if there can be such a game.

    Raises:
        Unprocessable: `no_such_preset`, `ruleset_field`, `rules_incomplete`,
            `rules_conflict`: as for a new game.
    """
    ruleset = to_json(presets.build(preset, overrides))
    return Rules(
        preset=preset,
        ruleset=ruleset,
        missing=(),
        in_words=_in_words(ruleset),
        differences=_differences(presets.PRESETS[preset], ruleset),
    )


def terms() -> Mapping[str, str]:
    """Return the words of the game with their meanings, in alphabetical order."""
    return TERMS


def _preset(name: str) -> Mapping[str, object]:
    if name not in presets.PRESETS:
        raise Unprocessable(
            "no_such_preset",
            "There is no preset of this name and version.",
            {"offered": sorted(presets.PRESETS)},
        )
    return presets.PRESETS[name]


def _in_words(ruleset: Mapping[str, object]) -> tuple[Field, ...]:
    return tuple(
        Field(
            field=name,
            section=words.section,
            topic=words.topic,
            value=ruleset[name],
            text=words.read(ruleset[name]),
            rules=SOURCES[name].rules,
        )
        for name, words in FIELD_WORDS.items()
    )


def _differences(a: Mapping[str, object], b: Mapping[str, object]) -> tuple[Difference, ...]:
    return tuple(
        Difference(field=name, topic=words.topic, a=words.read(a[name]), b=words.read(b[name]))
        for name, words in FIELD_WORDS.items()
        if a[name] != b[name]
    )
