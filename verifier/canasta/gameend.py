"""When a game of several hands is over (R-76 to R-79, R-X13; protocol.md 6.7 point 12)."""

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.canasta.ruleset import read_ruleset


def game_over(ruleset: Mapping[str, Any], totals: Sequence[int], hands_scored: int) -> bool:
    """Whether the ruleset's end is reached after so many scored hands.

    Args:
        ruleset: Record 0's ruleset, every field checked.
        totals: Each side's total after the last hand.
        hands_scored: How many hands were scored; aborted ones do not count.
    """
    rules = read_ruleset(ruleset)
    best = max(totals)
    at_target = rules.target is not None and best >= rules.target
    played_out = rules.max_hands is not None and hands_scored >= rules.max_hands
    if not (at_target or played_out):
        return False
    tied = list(totals).count(best) > 1
    return not tied or rules.tie_rule == "draw_unless_agreed"
