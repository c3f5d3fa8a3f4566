"""What is taught with each reason of a hint, as the pages of the interface tell it."""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from fairdeal.bots.reasons import strategy
from fairdeal.bots.reasons.texts import WORDS

STRATEGY: Final = strategy.INTRODUCTION
"""What stands before all of it."""


class Lesson(NamedTuple):
    """A reason, and a position in which it is given.

    Attributes:
        title: What it is about.
        text: A paragraph.
        position: The position in sentences, to the seat in turn.
        line: The same in the notation of positions.
        act: What the seat does, in a sentence.
        reasons: What speaks for it, in sentences; that of the code is among them.
    """

    title: str
    text: str
    position: tuple[str, ...]
    line: str
    act: str
    reasons: tuple[str, ...]


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return by its code what is taught with each reason, in the order of the reasons."""
    return {
        code: Lesson(
            title=advice.title,
            text=advice.text,
            position=advice.position_told(WORDS),
            line=advice.position,
            act=advice.act_told(WORDS),
            reasons=strategy.sentences(advice),
        )
        for code, advice in strategy.ADVICE.items()
    }
