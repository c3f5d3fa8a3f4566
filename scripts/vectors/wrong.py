"""Acts that the rules forbid: what a seat might try, and which one rule it would break."""

from collections.abc import Iterator, Mapping

from fairdeal.canasta import acts, cards
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, class_of_slot, to_act
from fairdeal.canasta.position import BLACK3_SLOT, SLOTS, WILD_SLOT, Position, slot_of

_MOST = 4
"""Naturals and wilds of one group: more show no other rule."""


def attempts(position: Position) -> Iterator[acts.Act]:
    """List what the seat in turn might try: lawful and unlawful, in a fixed order."""
    yield from (acts.Draw(), acts.End(), acts.Ask(), acts.Answer(True), acts.Answer(False))
    seat = position.turn
    if position.pile:
        slot = slot_of(cards.CLASS_OF[position.pile[-1]])
        for heap in (Heap(slot, 0, 0, 0), *_heaps(position, slot)):
            if heap.size or slot < WILD_SLOT:
                yield to_act(position, seat, Move(TAKE, (heap,)))
    for slot in range(SLOTS):
        for heap in _heaps(position, slot):
            yield to_act(position, seat, Move(LAY, (heap,)))
    yield from _mixed(position)
    for klass in range(cards.CLASSES):
        if position.counts[seat][klass]:
            yield to_act(position, seat, Move(DISCARD, (), klass))


def breaking(
    positions: Mapping[int, Position], code: str, word: str = "", *, alone: bool = True
) -> tuple[int, str]:
    """Find the first act that breaks this rule.

    Args:
        positions: The hand before each act, by the number of its record.
        code: The rule.
        word: What the text of the act must begin with.
        alone: Whether it may break no other rule; else this one must come first.

    Returns:
        The number of the record and the text of the act.

    Raises:
        LookupError: There is none.
    """
    for n, position in positions.items():
        for act in attempts(position):
            text = acts.format_act(act)
            if not text.startswith(word):
                continue
            broken = faults(position, position.turn, act)
            if next(broken, None) == code and not (alone and any(one != code for one in broken)):
                return n, text
    raise LookupError(f"no act breaks {code} alone")


def _heaps(position: Position, slot: int) -> Iterator[Heap]:
    """List groups for a slot, whatever their shape."""
    counts = position.counts[position.turn]
    naturals = 0 if slot == WILD_SLOT else min(_MOST, counts[class_of_slot(slot)])
    for number in range(naturals + 1):
        for deuces in range(min(_MOST, counts[cards.DEUCE]) + 1):
            for jokers in range(min(_MOST, counts[cards.JOKER]) + 1):
                if number + deuces + jokers:
                    yield Heap(slot, number, deuces, jokers)


def _mixed(position: Position) -> Iterator[acts.Act]:
    """List groups of two naturals of a rank and one of another."""
    held = position.held[position.turn]
    naturals = [card for card in range(4 * BLACK3_SLOT) if held[card] and card < 44]
    for first, second, third in zip(naturals, naturals[1:], naturals[2:], strict=False):
        faces = [cards.FACES[card] for card in (first, second, third)]
        if faces[0][0] == faces[1][0] != faces[2][0]:
            yield acts.Lay((acts.group(faces[0][0], faces),))
