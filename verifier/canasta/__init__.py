"""The verifier's own reading of canasta and its checks of refereed hands (protocol.md 6.4).

Written from docs/protocol.md section 6 and docs/rules.md alone; the engine of ``fairdeal`` is
written from the same pages by others. Nothing of it may be imported here.
"""

from collections.abc import Mapping

from verifier.canasta.clashes import clash_fault
from verifier.canasta.fields import field_fault
from verifier.canasta.gameend import game_over
from verifier.canasta.judge import Fault, HandInput, HandOutcome, judge_hand
from verifier.canasta.play import play_fault
from verifier.canasta.presets import preset_choices, preset_differences

__all__ = [
    "Fault",
    "HandInput",
    "HandOutcome",
    "can_judge",
    "game_over",
    "judge_hand",
    "play_fault",
    "preset_choices",
    "preset_differences",
]


def can_judge(ruleset: object) -> bool:
    """Whether this version judges hands of that ruleset: every valid one of `play.v` 1.

    Args:
        ruleset: Any JSON value.
    """
    if not isinstance(ruleset, Mapping) or field_fault(ruleset) is not None:
        return False
    return clash_fault(ruleset) is None
