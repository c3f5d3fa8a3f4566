"""The discard pile: who may take it, and through which door (R-35 to R-50, R-X2)."""

from collections.abc import Iterator
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.moves import Heap
from fairdeal.canasta.position import CANASTA, Tally, slot_of

PAIR: Final = "pair"
NATURAL_WILD: Final = "natural_wild"
LAY_ON_MELD: Final = "lay_on_meld"

_TOP_CODES: Final = {"wild": "TOP_WILD", "black3": "TOP_BLACK3", "red3": "TOP_RED3"}


def top_fault(position: Tally) -> str | None:
    """Name the rule by which the top card cannot be taken at all (R-41), if one does."""
    word = cards.class_word(cards.CLASS_OF[position.pile[-1]])
    return _TOP_CODES[word] if word in position.rules.top_blocks else None


def doors(position: Tally, side: int) -> tuple[str, ...]:
    """Give the ways of taking that are open to a side just now (R-38, R-42 to R-46)."""
    rules = position.rules
    return rules.take_frozen if is_shut(position, side) else rules.take_unfrozen


def is_shut(position: Tally, side: int) -> bool:
    """Say whether the pile is frozen, for everybody or for a side that has not opened."""
    return position.frozen or _frozen_for(position, side)


def _frozen_for(position: Tally, side: int) -> bool:
    return position.rules.frozen_before_opening and not position.opened(side)


def meld_stands(position: Tally, side: int, slot: int) -> bool:
    """Say whether a side has a meld in a slot."""
    return position.naturals[side][slot] + position.wilds[side][slot] > 0


def door_faults(position: Tally, side: int, own: Heap) -> Iterator[str]:
    """Name why no open door fits the own cards laid beside the top card (R-X2)."""
    allowed = doors(position, side)
    if PAIR in allowed and own.naturals >= 2:
        return
    if NATURAL_WILD in allowed and own.naturals >= 1 and own.wilds >= 1:
        return
    stands = meld_stands(position, side, own.slot)
    closed = (
        stands
        and not position.rules.lay_on_completed_canasta
        and is_complete(position, side, own.slot)
    )
    if LAY_ON_MELD in allowed and stands:
        if not closed:
            return
        yield "CANASTA_CLOSED"
    if position.frozen:
        yield "FROZEN"
    elif _frozen_for(position, side):
        yield "FROZEN_UNOPENED"
    else:
        yield "TAKE_MODE_NOT_ALLOWED"


def fits_meld(position: Tally, side: int) -> bool:
    """Say whether the top card's way in is a meld of the side (R-65, R-X8)."""
    if not position.pile or top_fault(position) is not None:
        return False
    slot = slot_of(cards.CLASS_OF[position.pile[-1]])
    if LAY_ON_MELD not in doors(position, side) or not meld_stands(position, side, slot):
        return False
    return position.rules.lay_on_completed_canasta or not is_complete(position, side, slot)


def is_complete(position: Tally, side: int, slot: int) -> bool:
    """Say whether the meld in a slot is a canasta."""
    return position.naturals[side][slot] + position.wilds[side][slot] >= CANASTA


def buried(position: Tally) -> tuple[list[int], list[int]]:
    """Split what lies under the top card into cards for the holding and red threes."""
    under = position.pile[:-1]
    keep = [card for card in under if cards.CLASS_OF[card] != cards.RED3]
    red = [card for card in under if cards.CLASS_OF[card] == cards.RED3]
    return keep, red
