"""From hands to a game: totals, its end, its winner (R-76 to R-80, R-X13)."""

from collections.abc import Sequence

from fairdeal.canasta.ruleset import Ruleset


def is_over(rules: Ruleset, totals: Sequence[int], hands_scored: int) -> bool:
    """Say whether the game has ended after a scored hand.

    Args:
        rules: The ruleset in force.
        totals: Game total of each side.
        hands_scored: Scored hands so far; aborted ones do not count.
    """
    if hands_scored == 0:
        return False
    played_out = rules.max_hands is not None and hands_scored >= rules.max_hands
    reached = rules.target is not None and max(totals) >= rules.target
    if not (played_out or reached):
        return False
    return rules.tie_rule == "draw_unless_agreed" or list(totals).count(max(totals)) == 1


def winner(totals: Sequence[int]) -> int | None:
    """Give the side with the highest total, or None for a tie (R-77)."""
    best = max(totals)
    return list(totals).index(best) if list(totals).count(best) == 1 else None
