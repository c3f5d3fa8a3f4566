"""Where every card of one hand went: a cell a card, by its place in the deck."""

from collections import Counter
from typing import Final

from fairdeal.cli.report.svg import PATTERNS, Drawing
from verifier.story.follow import Story

_CELL: Final = (44.0, 30.0)
_ROW: Final = 18
_TOP: Final = 4.0


def draw_cards(story: Story, seats: int) -> tuple[str, str]:
    """Return the picture and, as text, what its letters mean and how many cards each has."""
    marks = [_mark(story, card) for card in range(len(story.deck))]
    counted = Counter(marks)
    order = [*(f"{word}{seat}" for word in "DT" for seat in range(seats)), "U", "A", "-"]
    told = ", ".join(f"{mark} {_words(mark)}: {counted[mark]}" for mark in order if counted[mark])
    width, height = _CELL
    rows = -(-len(marks) // _ROW)
    words = f"Where each of the {len(marks)} cards went. {told}."
    drawing = Drawing("cards", _ROW * width + 2, rows * height + 2 * _TOP, words)
    for card, mark in enumerate(marks):
        x, y = 1 + card % _ROW * width, _TOP + card // _ROW * height
        drawing.rect(x, y, width - 2, height - 2, _kind(mark))
        drawing.rect(x + 3, y + 4, width - 8, height - 10, "plate")
        drawing.text(x + width / 2 - 1, y + 19, f"{story.deck[card]} {mark}", "t m small")
    return drawing.done(), told


def _mark(story: Story, card: int) -> str:
    """Return where a card first left the unseen ones for: dealt, turned up, aside, drawn."""
    table = story.table
    for seat, held in enumerate(table.hands):
        if card in held or card in table.laid[seat]:
            return f"D{seat}"
    if card in table.up:
        return "U"
    if any(card in aside for aside in table.sets.values()):
        return "A"
    for position, seat in story.drawn.items():
        if table.stock[position] == card:
            return f"T{seat}"
    return "-"


def _words(mark: str) -> str:
    fixed = {"U": "turned up", "A": "put aside", "-": "never seen, left in the stock"}
    if mark in fixed:
        return fixed[mark]
    return f"{'dealt to' if mark[0] == 'D' else 'drawn by'} seat {mark[1:]}"


def _kind(mark: str) -> str:
    if mark[0] in "DT":
        return f"{'full' if mark[0] == 'D' else 'pale'} f{int(mark[1:]) % PATTERNS}"
    return {"U": "up", "A": "aside", "-": "unseen"}[mark]
