"""The lines of a score sheet in sentences, each with its rule."""

from typing import Final, NamedTuple

from fairdeal.canasta.position import Position
from fairdeal.canasta.scoring import sheet
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Facts, Language, Points, Some

LINE_RULES: Final[dict[str, str]] = {
    "CARDS": "R-67",
    "NATURAL_CANASTA": "R-68",
    "MIXED_CANASTA": "R-68",
    "WILD_CANASTA": "R-21",
    "CONCEALED_CANASTA": "R-75",
    "RED_THREES": "R-70",
    "OUT": "R-59",
    "CONCEALED": "R-59",
    "IN_HAND": "R-72",
    "PENALTY": "R-62",
}
"""The rule of docs/rules.md behind each line."""


class Line(NamedTuple):
    """One line of a side's score: its code, points, sentence and rule."""

    code: str
    points: int
    sentence: str
    rule: str


def score_lines(position: Position, side: int, language: Language = ENGLISH) -> tuple[Line, ...]:
    """Put the score of a side, as the hand stands, into sentences.

    Args:
        position: A hand that is over: all cards left in hands are then known to everybody.
        side: The side.
        language: The language of the sentences.
    """
    return tuple(
        Line(code, points, _sentence(position, side, code, points, language), LINE_RULES[code])
        for code, points in sheet(position)[side].lines
    )


def _sentence(position: Position, side: int, code: str, points: int, language: Language) -> str:
    facts: Facts = {
        "points": Points(abs(points)),
        "cards": Some("red3", position.red_threes(side)),
    }
    variant = ""
    if code == "RED_THREES" and points < 0:
        variant = position.rules.red3_negative_if
    return language.say(f"score.{code}", variant, facts)
