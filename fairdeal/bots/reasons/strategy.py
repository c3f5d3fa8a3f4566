"""The strategy page: what is taught with each reason, in the order of the reasons."""

from collections.abc import Mapping
from typing import Final

from fairdeal.bots.reasons import ORDER, reasons
from fairdeal.bots.reasons.advice_hand import HAND
from fairdeal.bots.reasons.advice_turn import TURN
from fairdeal.bots.reasons.lesson import Advice
from fairdeal.bots.reasons.texts import WORDS

_ALL: Final = HAND | TURN
ADVICE: Final[Mapping[str, Advice]] = {code: _ALL[code] for code in ORDER}
"""Code -> what is taught with it."""

INTRODUCTION: Final = (
    "What a hint can give as a reason, in the order in which reasons are given: each with its "
    "code, what there is to be said about it, and a position in which it is given. No advice "
    "is always right; a hint weighs them against each other."
)


def page() -> str:
    """Give the page as Markdown."""
    told = ["# Strategy", "", INTRODUCTION]
    for code, advice in ADVICE.items():
        told += ["", f"## {advice.title}", "", f"`{code}`", "", advice.text, ""]
        told += [*advice.position_told(WORDS), ""]
        told += [f"    {advice.position}", ""]
        told.append(f"`{advice.act}`: {advice.act_told(WORDS)}")
        told += ["", *(f"- {sentence}" for sentence in sentences(advice))]
    return "\n".join(told) + "\n"


def sentences(advice: Advice) -> tuple[str, ...]:
    """Give the reasons of the act in its position, in sentences."""
    return tuple(one.sentence for one in reasons(advice.seen, advice.move))
