"""Who knew what when: a lane for the dealer, each seat, the table and the log (§2.4 to §2.9).

Left to right is the order of the log where there is one, and of the records in the file where
there is none; never that of clocks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fairdeal.cli.report.chosen import Chosen
from fairdeal.cli.report.svg import Drawing

_STEP: Final = 26.0
_LANE: Final = 26.0
_LEFT: Final = 110.0
_MOST: Final = 60  # records that are drawn
_UNTOLD: Final = frozenset({"act", "draw"})
# What a record tells whom: d the dealer's secret, s a seat's own seed, h a seat's own cards,
# p what all may see.
_TELLS: Final = {
    "open": ("commits to all hands", "c"),
    "seal": ("a seat commits to its seed", "s"),
    "sealed": ("all seats have committed", "p"),
    "share": ("a seat's seed is out", "s"),
    "lock": ("the seeds are fixed", "p"),
    "void": ("the seeds are given up", "p"),
    "beacon": ("the public round is in", "p"),
    "deal": ("each seat sees its own cards", "h"),
    "score": ("the hand is over", "p"),
    "abort": ("the hand is given up", "p"),
    "reveal": ("the hand's secret is out: everybody can deal it again", "r"),
    "close": ("the game is over", "p"),
    "master": ("the master secret is out", "r"),
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A record with what it tells, its seat if it is of one, and its place in the log."""

    number: int
    kind: str
    seat: int | None
    place: int | None


def draw_lanes(chosen: Chosen, places: Mapping[int, int]) -> tuple[str, list[tuple[str, ...]]]:
    """Return the picture, and the same as rows of a table.

    Args:
        chosen: The game.
        places: By record number, its place in the log; empty without one.
    """
    marks = list(_marks(chosen, places))
    seats = chosen.state.seats
    names = ["dealer", *(f"seat {seat}" for seat in range(seats)), "everybody", "log"]
    reveals = sum(_TELLS[mark.kind][1] == "r" for mark in marks)
    words = (
        f"Lanes of {', '.join(names)} over {len(marks)} records of game {chosen.game}:"
        f" {reveals} secrets come out, each after what it was committed for."
    )
    height = _LANE * len(names) + 34
    drawing = Drawing("lanes", _LEFT + _STEP * min(len(marks), _MOST) + 8, height, words)
    for lane, name in enumerate(names):
        y = _LANE * lane + 18
        drawing.text(_LEFT - 8, y + 4, name, "t e")
        drawing.line(_LEFT, y, _LEFT + _STEP * min(len(marks), _MOST), y, "rule")
    for column, mark in enumerate(marks[:_MOST]):
        _draw(drawing, mark, _LEFT + _STEP * column + _STEP / 2, seats, len(names))
    rows: list[tuple[str, ...]] = [
        (f"{mark.number}", "-" if mark.place is None else f"{mark.place}", mark.kind, _told(mark))
        for mark in marks
    ]
    return drawing.done(), rows


def _marks(chosen: Chosen, places: Mapping[int, int]) -> Iterator[Mark]:
    made = []
    for number, head in enumerate(chosen.transcript.heads):
        if head.fields.kind in _UNTOLD or head.fields.kind not in _TELLS:
            continue
        seat = getattr(chosen.transcript.body(number), "seat", None)
        made.append(Mark(number, head.fields.kind, seat, places.get(number)))
    yield from sorted(made, key=lambda one: (one.place is None, one.place or 0, one.number))


def _draw(drawing: Drawing, mark: Mark, x: float, seats: int, lanes: int) -> None:
    letter = _TELLS[mark.kind][1]
    lit = {
        "c": [0, seats + 1],
        "s": [1 + mark.seat] if mark.seat is not None and mark.kind == "seal" else [seats + 1],
        "h": list(range(seats + 1)),
        "p": [seats + 1],
        "r": list(range(seats + 2)),
    }[letter]
    if mark.seat is not None and letter == "s":
        lit.append(1 + mark.seat)
    if mark.place is not None:
        lit.append(seats + 2)
    for lane in sorted(set(lit)):
        drawing.dot(x, _LANE * lane + 18, 8, "mark")
        drawing.text(x, _LANE * lane + 22, letter, "t m inv")
    drawing.text(x, _LANE * (lanes - 1) + 48, f"{mark.number}", "t m small")


def _told(mark: Mark) -> str:
    said = _TELLS[mark.kind][0]
    return said if mark.seat is None else said.replace("a seat", f"seat {mark.seat}")
