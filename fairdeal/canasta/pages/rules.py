"""The rules page of a ruleset: every field in words, with its rule and its sources."""

from collections.abc import Mapping

from fairdeal.canasta.fieldwords import FIELD_WORDS, SECTIONS, differences, phrase
from fairdeal.canasta.presets import PRESETS, missing
from fairdeal.canasta.sources import SOURCES


def page(name: str, ruleset: Mapping[str, object]) -> str:
    """Give the page of a ruleset as Markdown.

    Args:
        name: What to call it.
        ruleset: Its JSON object; where a preset leaves a field open it has null.
    """
    told = [
        f"# Rules: {name}",
        "",
        (
            "Generated from the ruleset by `fairdeal rules page`; the rule numbers are those of "
            "`docs/rules.md`, which has every reading in full and says what kind of text each "
            "nickname under *sources* stands for."
        ),
    ]
    told += _against_classic(name, ruleset)
    open_fields = missing(name)
    if open_fields:
        topics = ", ".join(FIELD_WORDS[field].topic.lower() for field in open_fields)
        told += ["", f"To be chosen before the first deal, since its text leaves it out: {topics}."]
    for section in SECTIONS:
        told += ["", f"## {section}", "", "| what | here | rule | sources |", "|---|---|---|---|"]
        for field, words in FIELD_WORDS.items():
            if words.section == section:
                rules = ", ".join(SOURCES[field].rules)
                value = phrase(field, ruleset[field])
                told.append(f"| {words.topic} | {value} | {rules} | {SOURCES[field].words} |")
    return "\n".join(told) + "\n"


def _against_classic(name: str, ruleset: Mapping[str, object]) -> list[str]:
    if name == "classic@1":
        return []
    found = differences(PRESETS["classic@1"], ruleset)
    told = ["", "## What differs from classic", ""]
    told += [f"- {topic}: {here} (classic: {classic})." for topic, classic, here in found]
    return told if found else [*told, "- Nothing."]


def difference_lines(
    first: str, one: Mapping[str, object], second: str, other: Mapping[str, object]
) -> list[str]:
    """Name in plain words what differs between two rulesets, a line each.

    Args:
        first: What to call the first.
        one: Its JSON object.
        second: What to call the second.
        other: Its JSON object.
    """
    lines = [
        f"{topic}: {here} ({first}); {there} ({second})."
        for topic, here, there in differences(one, other)
    ]
    return lines or [f"{first} and {second} do not differ."]
