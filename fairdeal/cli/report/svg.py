"""Pieces of inline SVG. Colours are classes of the page, so that it may be dark or light."""

from collections.abc import Iterable
from html import escape
from typing import Final

PATTERNS: Final = 6
"""Ways of filling beside the colour, one a seat; more seats begin anew and have their letters."""


class Drawing:
    """One picture, with the words that stand for it."""

    def __init__(self, name: str, width: float, height: float, words: str) -> None:
        """Begin a picture.

        Args:
            name: Of its identifiers, unique on the page.
            width: In units of the picture.
            height: In units of the picture.
            words: What it shows, counts included: its alternative text.
        """
        self._name, self._size, self._words = name, (width, height), words
        self._parts: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a rectangle of a class."""
        self._parts.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        """Draw a line of a class."""
        self._parts.append(
            f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'
        )

    def dot(self, x: float, y: float, radius: float, kind: str) -> None:
        """Draw a dot of a class."""
        self._parts.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')

    def path(self, points: Iterable[tuple[float, float]], kind: str) -> None:
        """Draw a line through points."""
        along = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._parts.append(f'<polyline class="{kind}" points="{along}"/>')

    def text(self, x: float, y: float, words: str, kind: str = "t") -> None:
        """Write words; of a class `m` in the middle, `e` to the left of the place."""
        self._parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>')

    def image(self, x: float, y: float, width: float, height: float, address: str) -> None:
        """Show a picture of pixels."""
        self._parts.append(
            f'<image x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            f' preserveAspectRatio="none" class="px" href="{address}"/>'
        )

    def done(self) -> str:
        """Return the element."""
        width, height = self._size
        return (
            f'<svg role="img" aria-labelledby="{self._name}-w" viewBox="0 0 {width:g} {height:g}"'
            f' style="max-width:{width:g}px"><title id="{self._name}-w">{escape(self._words)}'
            f"</title>{''.join(self._parts)}</svg>"
        )


def patterns() -> str:
    """Return the fillings that all pictures use, as an element without size."""
    lines = (
        "M0 8L8 0",
        "M0 0L8 8",
        "M0 4H8",
        "M4 0V8",
        "M0 4H8M4 0V8",
        "M2 2h2v2h-2z",
    )
    made = "".join(
        f'<pattern id="p{number}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect class="s{number}" width="8" height="8"/><path class="pl" d="{line}"/></pattern>'
        for number, line in enumerate(lines)
    )
    return f'<svg class="none" aria-hidden="true" width="0" height="0"><defs>{made}</defs></svg>'
