"""The heat map with its two neighbours, and what size of cheating it would not show."""

from collections.abc import Iterator
from hashlib import sha256
from html import escape
from typing import Final

from fairdeal.cli.report.panels import (
    MOST_OUTLINED,
    Limits,
    Panel,
    fair,
    limits,
    panel,
    planted,
)
from fairdeal.cli.report.png import data_address
from fairdeal.cli.report.svg import Drawing
from fairdeal.cli.report.tallies import Tally

MOST_CARDS: Final = 120
_SIDE: Final = 324.0


def heat(tally: Tally, root: str) -> Iterator[str]:
    """Yield the section's parts."""
    size, deals = len(tally.shape.deck), tally.deals
    bounds = limits(deals, size)
    seen = panel(tally.cells, deals, bounds)
    biased, what = planted(root, deals, size)
    pair = [("a simulation of fair deals", fair(root, deals, size))]
    pair.append((f"a simulation in which {_planted(tally, what.card, what.position)}", biased))
    if sha256(f"{root} sides".encode()).digest()[0] & 1:
        pair.reverse()
    yield (
        f"<p>{deals:,} deals of {size} cards: {size * size:,} cells, each the count of one card at"
        f" one position of the shuffled deck (0 is the top). Blue is below the mean of"
        f" {deals / size:,.1f}, white at it, orange above; the colours end at 6 standard"
        f" deviations. A cell is outlined where its count is under {bounds.least:,} or over"
        f" {bounds.most:,}: fair deals outline any cell at all in one report of a hundred. With"
        f" many deals that is {bounds.sigma:.2f} standard deviations.</p>"
    )
    yield '<div class="panels">'
    yield _figure("heat", "These deals", seen, bounds)
    for letter, (_, cells) in zip("AB", pair, strict=True):
        yield _figure(f"heat{letter}", f"Panel {letter}", panel(cells, deals, bounds), bounds)
    yield "</div><details><summary>Which of A and B is which</summary><ul>"
    yield "".join(
        f"<li>Panel {letter} is {escape(name)}.</li>"
        for letter, (name, _) in zip("AB", pair, strict=True)
    )
    share = f"{100 * what.share:.1f} of a hundred deals"
    yield f"</ul><p>In the biased one the card was put there in {share}.</p></details>"
    yield f"<p><strong>What would escape:</strong> {escape(_escapes(bounds, deals, size))}</p>"
    if seen.beyond:
        yield _table(tally, seen)


def _planted(tally: Tally, card: int, position: int) -> str:
    face = tally.shape.deck[card]
    return f"{face} (card {card}) lies at position {position} too often"


def _escapes(bounds: Limits, deals: int, size: int) -> str:
    return (
        f"with {deals:,} deals, a card that lies at one place up to {100 * bounds.excess:.0f} %"
        f" more often than due ({100 / size:.2f} % of deals are due) would on average not be"
        " outlined here. Cheating that changes few deals, or spreads over many cells, is smaller"
        " still in this picture; that every deal was derived from committed secrets and the"
        " players' seeds is what shows it, not the picture."
    )


def _figure(name: str, title: str, seen: Panel, bounds: Limits) -> str:
    size = len(seen.cells)
    number = len(seen.beyond)
    words = (
        f"{title}: {size} by {size} counts, from {seen.cells.min():,} to {seen.cells.max():,};"
        f" {number} of {size * size:,} cells are outside {bounds.least:,} to {bounds.most:,}."
    )
    drawing = Drawing(name, _SIDE + 4, _SIDE + 22, words)
    drawing.image(2, 2, _SIDE, _SIDE, data_address(seen.z))
    drawing.rect(2, 2, _SIDE, _SIDE, "frame")
    cell = _SIDE / size
    for row, column in seen.beyond[:MOST_OUTLINED]:
        x, y = 2 + column * cell, 2 + row * cell
        drawing.rect(x - 1.5, y - 1.5, cell + 3, cell + 3, "out")
    drawing.text(2, _SIDE + 17, "card (across) by position (down)", "t small")
    caption = f"{title}: {number} cells outlined."
    return f"<figure>{drawing.done()}<figcaption>{escape(caption)}</figcaption></figure>"


def _table(tally: Tally, seen: Panel) -> str:
    rows = "".join(
        f"<tr><td>{row}</td><td>{escape(tally.shape.deck[column])} (card {column})</td>"
        f"<td>{seen.cells[row, column]:,}</td><td>{seen.z[row, column]:+.2f}</td></tr>"
        for row, column in seen.beyond[:50]
    )
    return (
        "<table><caption>Cells that are outlined, the first 50</caption><thead><tr>"
        '<th scope="col">position</th><th scope="col">card</th><th scope="col">count</th>'
        f'<th scope="col">standard deviations</th></tr></thead><tbody>{rows}</tbody></table>'
    )
