"""The steps of a deal: from an order of cards to hands, piles and stock (§2.7)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.bodies import DealStep, ReplaceStep, SetStep, Step, TurnStep


@dataclass(slots=True)
class Table:
    """Cards by where they lie, as positions in the deck.

    Attributes:
        stock: Top last while the steps run; ``deal_out`` turns it to top first.
        hands: One list a seat, in the order the cards came.
        laid: One list a seat.
        up: In the order they were turned.
        sets: Cards put aside, by name.
    """

    stock: list[int]
    hands: list[list[int]]
    laid: list[list[int]]
    up: list[int] = field(default_factory=list)
    sets: dict[str, list[int]] = field(default_factory=dict)


def deal_out(
    order: Sequence[int], deck: Sequence[str], steps: Sequence[Step], seats: int, first_seat: int
) -> Table:
    """Return the table after all steps.

    Args:
        order: Positions in the deck, top first.
        deck: One face a position.
        steps: Of record 0, in order.
        seats: How many.
        first_seat: Of this hand.
    """
    table = Table(
        stock=list(reversed(order)),
        hands=[[] for _ in range(seats)],
        laid=[[] for _ in range(seats)],
    )
    turns = [(first_seat + offset) % seats for offset in range(seats)]
    for step in steps:
        match step:
            case DealStep():
                _deal(table, step, turns)
            case TurnStep():
                _turn(table, step, deck)
            case ReplaceStep():
                _replace(table, step, turns, deck)
            case SetStep():
                table.sets[step.name] = _take(table, step.count)
    table.stock.reverse()
    return table


def _take(table: Table, count: int) -> list[int]:
    """Take up to ``count`` cards from the top."""
    return [table.stock.pop() for _ in range(min(count, len(table.stock)))]


def _deal(table: Table, step: DealStep, turns: Sequence[int]) -> None:
    missing = step.count
    while missing:
        packet = min(step.packet, missing)
        for seat in turns:
            table.hands[seat] += _take(table, packet)
        missing -= packet


def _turn(table: Table, step: TurnStep, deck: Sequence[str]) -> None:
    while table.stock:
        card = table.stock.pop()
        table.up.append(card)
        if deck[card] not in step.until_not:
            return


def _replace(table: Table, step: ReplaceStep, turns: Sequence[int], deck: Sequence[str]) -> None:
    for seat in turns:
        kept: list[int] = []
        queue = table.hands[seat]
        for card in queue:  # grows while it is walked: replacements come at the end
            if deck[card] in step.faces:
                table.laid[seat].append(card)
                queue += _take(table, 1)
            else:
                kept.append(card)
        table.hands[seat] = kept
