"""The story of a hand as one SVG file: every card where it was dealt and where it ended.

No script, no font of its own, nothing loaded: a browser shows it from disk. Each card's title is
its way, so that a pointer over it tells what ``where`` tells.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from verifier.story.follow import PILE, STOCK, Story, holding, laid
from verifier.story.words import melds

_CARD: Final = (30, 40)  # width and height
_STEP: Final = 33
_ROW: Final = 45
_LEFT: Final = 190
_WRAP: Final = 20  # cards a row
_SUITS: Final = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
_RED: Final = frozenset("HD")
_SEATS: Final = ("#cfe3ff", "#ffe3bf", "#d3f2cf", "#f5d0e6", "#e6dcff", "#fff3a8")
_STYLE: Final = (
    "text{font-family:sans-serif;font-size:12px}.h{font-size:16px;font-weight:bold}"
    ".c{font-size:13px;text-anchor:middle}"
)


def draw_hand(story: Story, seats: int, heading: str) -> str:
    """Return the SVG text.

    Args:
        story: The hand.
        seats: How many.
        heading: Printed on top.
    """
    rows = list(_rows(story, seats))
    body: list[str] = []
    y = 50
    for name, cards in rows:
        if cards is None:
            body.append(_text(10, y + 22, name, "h"))
            y += _ROW - 8
            continue
        body.append(_text(10, y + 25, name))
        for start in range(0, max(len(cards), 1), _WRAP):
            for column, card in enumerate(cards[start : start + _WRAP]):
                body.append(_card(story, card, _LEFT + column * _STEP, y))
            y += _ROW
    width, height = _LEFT + _WRAP * _STEP + 10, y + 10
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}"><style>{_STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
    )
    return "\n".join([head, _text(10, 28, heading, "h"), *body, "</svg>"]) + "\n"


def _rows(story: Story, seats: int) -> Iterator[tuple[str, Sequence[int] | None]]:
    """Yield (name, cards) of each row; None for a heading."""
    table = story.table
    yield "Dealt", None
    for seat in range(seats):
        yield f"seat {seat}", table.hands[seat]
        if table.laid[seat]:
            yield f"laid by seat {seat}", table.laid[seat]
    yield "turned up", table.up
    for name, cards in table.sets.items():
        # As it stands where it is printable: XML has no place for every character.
        yield f"put aside as {name if name.isprintable() else ascii(name)}", cards
    yield "stock, by who drew it", table.stock
    yield "At the end", None
    for place in (*melds(story), *(lay(seat) for seat in range(seats) for lay in (laid, holding))):
        if story.at(place):
            yield place, story.at(place)
    yield "pile", story.at(PILE)
    yield "stock left", story.at(STOCK)


def _card(story: Story, card: int, x: int, y: int) -> str:
    face = story.deck[card]
    rank, suit = face[:-1], face[-1]
    shown = ("10" if rank == "T" else rank) + _SUITS[suit] if suit in _SUITS and rank else face
    ink = "#c00" if suit in _RED and len(face) > 1 else "#222"
    way = "; ".join(f"record {step.at}: {step.words}" for step in story.steps[card])
    width, height = _CARD
    return (
        f"<g><title>{escape(f'{face} (card {card}): {way}')}</title>"
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"'
        f' fill="{_fill(story, card)}" stroke="#888"/>'
        f'<text class="c" x="{x + width // 2}" y="{y + 25}" fill="{ink}">{escape(shown)}</text></g>'
    )


def _fill(story: Story, card: int) -> str:
    """Return the colour of the seat that got the card first, from the deal or from the stock."""
    for seat, cards in enumerate(story.table.hands):
        if card in cards or card in story.table.laid[seat]:
            return _SEATS[seat % len(_SEATS)]
    for position, seat in story.drawn.items():
        if story.table.stock[position] == card:
            return _SEATS[seat % len(_SEATS)]
    return "#fff"


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x}" y="{y}">{escape(words)}</text>'
