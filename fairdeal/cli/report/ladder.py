"""The score ladder of a game, and how the pile of one hand grew and was taken."""

from itertools import pairwise
from typing import Final

from fairdeal.cli.report.chosen import Chosen
from fairdeal.cli.report.svg import Drawing
from verifier.story.follow import Story

_WIDTH: Final = 640.0
_HEIGHT: Final = 220.0
_LEFT: Final = 60.0


def totals(chosen: Chosen) -> list[tuple[int, ...]]:
    """Return each scored hand's number and the sides' totals after it; none in dealt-only games."""
    found: list[tuple[int, ...]] = []
    for hand in chosen.state.hands:
        if not chosen.state.judges_rules or hand.ending is None or hand.ending[1] != "score":
            continue
        result = hand.ending[2].get("result")
        sides = result.get("sides") if isinstance(result, dict) else None
        if not isinstance(sides, list):
            continue
        said = [side.get("total") for side in sides if isinstance(side, dict)]
        found.append((hand.number, *(total for total in said if isinstance(total, int))))
    return found


def draw_ladder(rows: list[tuple[int, ...]], game: str) -> str:
    """Draw the totals: a line a side, told apart by dashes and letters."""
    sides = len(rows[0]) - 1
    last = ", ".join(f"side {side} {rows[-1][1 + side]:,}" for side in range(sides))
    words = f"Totals of game {game} after each of {len(rows)} scored hands; at the end {last}."
    drawing = Drawing("ladder", _WIDTH, _HEIGHT, words)
    values = [0, *(total for row in rows for total in row[1:])]
    low, high = min(values), max(values)
    span = (high - low) or 1
    step = (_WIDTH - _LEFT - 60) / max(len(rows), 1)

    def y(total: int) -> float:
        return _HEIGHT - 30 - (total - low) / span * (_HEIGHT - 50)

    drawing.line(_LEFT, y(0), _WIDTH - 60, y(0), "rule")
    for total in sorted({low, 0, high}):
        drawing.text(_LEFT - 6, y(total) + 4, f"{total:,}", "t e small")
    for side in range(sides):
        points = [(_LEFT, y(0))]
        points += [(_LEFT + step * at, y(row[1 + side])) for at, row in enumerate(rows, 1)]
        drawing.path(points, f"way w{side % 3}")
        drawing.text(points[-1][0] + 6, points[-1][1] + 4, f"side {side}", "t small")
    for at, row in enumerate(rows, 1):
        drawing.text(_LEFT + step * at, _HEIGHT - 8, f"hand {row[0]}", "t m small")
    return drawing.done()


def pile_history(story: Story) -> list[tuple[int, int]]:
    """Return (record, cards in the pile) after each record that changed it."""
    changes: dict[int, int] = {}
    for steps in story.steps.values():
        lies = False
        for step in steps:
            if lies:
                changes[step.at] = changes.get(step.at, 0) - 1
            lies = step.words.startswith("turned up") or step.words.endswith("discards it")
            if lies:
                changes[step.at] = changes.get(step.at, 0) + 1
    size, found = 0, []
    for at in sorted(changes):
        size += changes[at]
        found.append((at, size))
    return found


def draw_pile(history: list[tuple[int, int]], hand: int) -> str:
    """Draw the pile as steps over the records."""
    taken = sum(after < before for (_, before), (_, after) in pairwise(history))
    most = max(size for _, size in history)
    words = (
        f"Cards in the pile of hand {hand} over {len(history)} changes: at most {most}, made"
        f" smaller {taken} times."
    )
    drawing = Drawing("pile", _WIDTH, 140, words)
    first, last = history[0][0], history[-1][0]
    step = (_WIDTH - _LEFT - 10) / max(last - first, 1)

    def place(at: int, size: int) -> tuple[float, float]:
        return _LEFT + (at - first) * step, 115 - size / max(most, 1) * 95

    points = [place(*history[0])]
    for at, size in history[1:]:
        points += [(place(at, 0)[0], points[-1][1]), place(at, size)]
    drawing.line(_LEFT, 115, _WIDTH - 10, 115, "rule")
    drawing.path(points, "way w0")
    drawing.text(_LEFT - 6, 24, f"{most}", "t e small")
    drawing.text(_LEFT - 6, 119, "0", "t e small")
    drawing.text(_LEFT, 134, f"record {first}", "t small")
    drawing.text(_WIDTH - 10, 134, f"record {last}", "t e small")
    return drawing.done()
