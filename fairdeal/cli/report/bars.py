"""Strips and bars: seats against their band, growth of the log, promises kept."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

from fairdeal.cli.report.subject import Day
from fairdeal.cli.report.svg import Drawing
from fairdeal.cli.report.tallies import SeatSum

_WIDTH: Final = 640.0
_LEFT: Final = 170.0
_ROW: Final = 24.0
_SHOWN: Final = 6.0  # standard deviations to each side
_MOST_DAYS: Final = 60


def seat_limit(looks: int, family: float = 0.01) -> float:
    """Return how far off, in standard deviations, fair seats seldom are, all looks together."""
    return -NormalDist().inv_cdf(family / (2 * max(looks, 1)))


def draw_seats(name: str, sums: Sequence[SeatSum], limit: float, words: str) -> str:
    """Draw each measure of each seat as a dot in its band."""
    drawing = Drawing(name, _WIDTH, _ROW * len(sums) + 30, words)
    scale = (_WIDTH - _LEFT - 20) / (2 * _SHOWN)
    middle = _LEFT + _SHOWN * scale
    bottom = _ROW * len(sums) + 8
    drawing.rect(middle - 1.96 * scale, 4, 3.92 * scale, bottom - 4, "band")
    for side in (-limit, limit):
        drawing.line(middle + side * scale, 4, middle + side * scale, bottom, "limit")
    drawing.line(middle, 4, middle, bottom, "rule")
    for row, one in enumerate(sums):
        y = _ROW * row + 20
        drawing.text(_LEFT - 10, y + 4, f"{one.measure}, seat {one.seat}", "t e small")
        x = middle + max(-_SHOWN, min(_SHOWN, one.z)) * scale
        drawing.dot(x, y, 9, "mark")
        drawing.text(x, y + 4, f"{one.seat}", "t m inv")
    drawing.text(middle, bottom + 16, "due", "t m small")
    drawing.text(middle - limit * scale, bottom + 16, f"-{limit:.1f}", "t m small")
    drawing.text(middle + limit * scale, bottom + 16, f"+{limit:.1f}", "t m small")
    return drawing.done()


def draw_promises(on_time: int, late: int, longest_ms: int) -> str:
    """Draw how many secrets came in time and how many late."""
    words = (
        f"{on_time:,} secrets of hands came in time, {late:,} came later than 5 s after the score;"
        f" the longest wait was {longest_ms / 1000:.1f} s."
    )
    drawing = Drawing("promises", _WIDTH, 80, words)
    most = max(on_time, late, 1)
    for row, (name, number) in enumerate((("in time", on_time), ("late", late))):
        y = 10 + row * 34
        drawing.text(_LEFT - 10, y + 18, name, "t e")
        width = (_WIDTH - _LEFT - 110) * number / most
        drawing.rect(_LEFT, y, width, 26, "full f0" if row == 0 else "full f3")
        drawing.text(_LEFT + width + 8, y + 18, f"{number:,}")
    return drawing.done()


def draw_growth(days: Sequence[Day]) -> str:
    """Draw the finished games of the last days."""
    shown = days[-_MOST_DAYS:]
    games = sum(day.games for day in days)
    words = (
        f"{games:,} finished games on {len(days)} days, from {days[0].day} to {days[-1].day};"
        f" the last one's end is entry {days[-1].last_index:,}."
    )
    drawing = Drawing("growth", _WIDTH, 150, words)
    step = min(60.0, (_WIDTH - _LEFT) / len(shown))
    most = max(day.games for day in shown)
    for column, day in enumerate(shown):
        height = 100 * day.games / most
        drawing.rect(_LEFT + step * column, 120 - height, step * 0.8, height, "full f0")
    drawing.text(_LEFT - 10, 28, f"{most:,} games", "t e small")
    drawing.line(_LEFT, 120, _WIDTH, 120, "rule")
    drawing.text(_LEFT, 138, f"{shown[0].day} to {shown[-1].day}", "t small")
    return drawing.done()
