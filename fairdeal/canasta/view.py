"""What one seat may know, built from nothing (R-X16, product §7).

``knowledge`` is a position that holds only what the seat has seen: its own cards, the table,
the numbers of the rest. Bots and hints get that and nothing else, and listing legal acts from it
gives what listing from the whole position gives. ``seat_view`` is the same as JSON.
"""

from collections.abc import Sequence
from typing import Any

from fairdeal.canasta import cards
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.position import CANASTA, Position, canastas

_HIDDEN = 0
"""Stands for a stock card: its face is nobody's to know, so any card number will do."""


def knowledge(position: Position, seat: int) -> Position:
    """Give the position as far as a seat knows it: others' cards and the stock are blank."""
    known = Position(position.rules, position.totals)
    known.stock = (_HIDDEN,) * position.stock_left
    known.held[seat] = position.held[seat][:]
    known.counts[seat] = position.counts[seat][:]
    known.sizes = position.sizes[:]
    known.pile = position.pile[:]
    known.upcards = position.upcards
    known.naturals = [row[:] for row in position.naturals]
    known.wilds = [row[:] for row in position.wilds]
    known.laid = [row[:] for row in position.laid]
    known.red3 = position.red3[:]
    known.turn = position.turn
    known.asker = position.asker
    known.phase = position.phase
    known.drew = position.drew
    known.began = position.began
    known.touched = position.touched
    known.laid_now = position.laid_now
    known.locked = position.locked
    known.last_red3 = position.last_red3
    known.asked = position.asked
    known.answer = position.answer
    known.melded = position.melded[:]
    known.shown = position.shown[:]
    known.penalties = position.penalties[:]
    known.whole = position.whole[:]
    known.end = position.end
    known.out = position.out
    known.concealed = position.concealed
    return known


def seat_view(position: Position, seat: int | None) -> dict[str, Any]:
    """Give what a seat (None: a watcher) sees of a hand, as JSON.

    Holdings are sorted by rank; the order carries no meaning. Buried cards of the pile are
    listed only where ``pile_visible`` says ``all``.
    """
    rules = position.rules
    you: dict[str, Any] | None = None
    if seat is not None:
        holding = _faces(position.holding(seat))
        you = {"seat": seat, "side": position.side_of[seat], "holding": holding}
    return {
        "you": you,
        "seats": [
            {"seat": one, "side": position.side_of[one], "cards": position.sizes[one]}
            for one in range(rules.players)
        ],
        "stock": position.stock_left,
        "pile": {
            "count": len(position.pile),
            "top": cards.FACES[position.pile[-1]] if position.pile else None,
            "cards": _faces(position.pile) if rules.pile_visible == "all" else None,
            "frozen": position.frozen,
        },
        "sides": [_side(position, side) for side in range(len(position.red3))],
        "turn": None if position.end else {"seat": position.turn, "phase": position.phase},
        "end": position.end or None,
    }


def _side(position: Position, side: int) -> dict[str, object]:
    naturals, wilds = position.naturals[side], position.wilds[side]
    return {
        "seats": list(position.rules.side_seats[side]),
        "total": position.totals[side],
        "opened": position.opened(side),
        "minimum": position.minimum(side),
        "canastas": canastas(naturals, wilds)[0],
        "melds": [
            {
                "rank": rank,
                "cards": _faces(position.laid[side][slot]),
                "kind": _kind(naturals[slot], wilds[slot]),
                "canasta": len(position.laid[side][slot]) >= CANASTA and rank != "3",
            }
            for slot, rank in enumerate(GROUP_RANKS)
            if position.laid[side][slot]
        ],
        "red_threes": _faces(position.red3[side]),
    }


def _kind(naturals: int, wilds: int) -> str:
    if not wilds:
        return "natural"
    return "mixed" if naturals else "wild"


def _faces(numbers: Sequence[int]) -> list[str]:
    return [cards.FACES[card] for card in numbers]
