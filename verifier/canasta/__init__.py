"""The verifier's own reading of canasta and its checks of refereed hands (protocol.md 6.4).

Written from docs/protocol.md section 6 and docs/rules.md alone; the engine of ``fairdeal`` is
written from the same pages by others. Nothing of it may be imported here.
"""

from verifier.canasta.fields import is_classic
from verifier.canasta.gameend import game_over
from verifier.canasta.judge import Fault, HandInput, HandOutcome, judge_hand
from verifier.canasta.play import play_fault

__all__ = [
    "Fault",
    "HandInput",
    "HandOutcome",
    "can_judge",
    "game_over",
    "judge_hand",
    "play_fault",
]


def can_judge(ruleset: object) -> bool:
    """Whether this version judges hands of that ruleset: exactly that of ``classic@1``.

    Args:
        ruleset: Any JSON value.
    """
    return is_classic(ruleset)
