"""Why not: every refusal, every choice, in sentences made from what one seat knows.

``judge_cards`` gives all rules that a proposed act breaks; ``choices`` what can be done and what
cannot, with the three doors to the pile; ``best_opening`` the most that can be laid; ``costs``
warns before what is legal and dear. Legality is asked of ``legality`` and ``judge``: nothing
here decides what may be done, it says why.
"""

from fairdeal.canasta.explain.choices import Can, Cannot, Choices, choices
from fairdeal.canasta.explain.costs import WARNINGS, Warned, warnings
from fairdeal.canasta.explain.doors import Door, doors
from fairdeal.canasta.explain.opening import Best, best_lay, best_take
from fairdeal.canasta.explain.refusals import Refusal, judge_cards, refusals
from fairdeal.canasta.explain.remedies import remedy
from fairdeal.canasta.explain.scores import Line, score_lines

__all__ = [
    "WARNINGS",
    "Best",
    "Can",
    "Cannot",
    "Choices",
    "Door",
    "Line",
    "Refusal",
    "Warned",
    "best_lay",
    "best_take",
    "choices",
    "doors",
    "judge_cards",
    "refusals",
    "remedy",
    "score_lines",
    "warnings",
]
