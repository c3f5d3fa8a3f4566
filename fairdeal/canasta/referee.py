"""Judging a move on counts: a quick yes where shape is all that matters, else the full reading.

``faults`` names every broken rule, as ``legality`` does for an act; ``allows`` answers the same
question with yes or no, and is what a replay asks for every act.
"""

from collections.abc import Iterator
from typing import Final

from fairdeal.canasta import cards, legality
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.judge import used_counts
from fairdeal.canasta.moves import DISCARD, DRAW, LAY, TAKE, Heap, Move
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.position import PLAY, WILD_SLOT
from fairdeal.canasta.tables import FROZEN_KEY

_DEUCE: Final = cards.DEUCE
_JOKER: Final = cards.JOKER
_VALUES: Final = cards.VALUES


def faults(core: Counts, move: Move) -> Iterator[str]:
    """Name every rule that a move of the seat in turn breaks, lazily and in order."""
    if core.end:
        yield "NOT_YOUR_TURN"
        return
    held = core.counts[core.turn]
    enough = all(have >= used for have, used in zip(held, used_counts(move), strict=True))
    yield from legality.move_faults(core, move, held=enough)


def allows(core: Counts, move: Move) -> bool:
    """Say whether a move of the seat in turn is legal."""
    kind, heaps, klass = move
    if kind == DISCARD:
        seat = core.turn
        bound = core.last_red3 or core.answer or klass == cards.RED3
        if core.sizes[seat] > 1 and core.phase == PLAY and not bound:
            return core.counts[seat][klass] > 0
    elif kind == DRAW:
        return core.phase == DRAWING and core.drawn < len(core.stock)
    elif klass < 0 and (
        (kind == LAY and _is_plain_lay(core, heaps))
        or (kind == TAKE and _is_plain_take(core, heaps))
    ):
        return True
    return next(faults(core, move), None) is None


def _is_plain_lay(core: Counts, heaps: tuple[Heap, ...]) -> bool:
    """Say whether a lay is legal for sure: by shapes and points, two cards being left (R-X4)."""
    if core.phase != PLAY or core.answer or core.last_red3 or core.locked is not None:
        return False
    return _suffices(core, heaps, 0)


def _is_plain_take(core: Counts, heaps: tuple[Heap, ...]) -> bool:
    """Say whether a take is legal for sure: through a door, with two own cards left."""
    tables, rules, slot = core.tables, core.rules, heaps[0].slot
    if core.phase != DRAWING or not core.pile or slot >= WILD_SLOT:
        return False
    if core.drawn == len(core.stock) and rules.stock_empty == "end":
        return False
    top = CLASS_OF[core.pile[-1]]
    if top != slot or tables.blocks[top]:
        return False
    side = core.side_of[core.turn]
    shut = core.ice or (rules.frozen_before_opening and not core.standing[side])
    _, naturals, deuces, jokers = heaps[0]
    wilds = deuces + jokers
    key = core.naturals[side][slot] << 18 | core.wilds[side][slot] << 12 | naturals << 6 | wilds
    found = tables.firsts[key | FROZEN_KEY if shut else key]
    return (naturals, wilds) in found and _suffices(core, heaps, 1)


def _suffices(core: Counts, heaps: tuple[Heap, ...], judged: int) -> bool:
    """Say whether groups are held, fit and open, and leave two cards; the first ones may be judged.

    Where anything else could matter (black threes, wild melds, a limit) the answer is no.
    """
    seat = core.turn
    side, counts, lays = core.side_of[seat], core.counts[seat], core.tables.lays
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    left, twos, jks = core.sizes[seat], counts[_DEUCE], counts[_JOKER]
    points = _VALUES[heaps[0].slot] if judged else 0
    for slot, naturals, deuces, jokers in heaps:
        wilds = deuces + jokers
        twos -= deuces
        jks -= jokers
        left -= naturals + wilds
        if slot >= WILD_SLOT or counts[slot] < naturals or twos < 0 or jks < 0 or left < 2:
            return False
        if judged:
            judged -= 1
        else:
            key = naturals_there[slot] << 18 | wilds_there[slot] << 12 | naturals << 6 | wilds
            if (naturals, wilds) not in lays[key]:
                return False
        points += naturals * _VALUES[slot] + deuces * _VALUES[_DEUCE] + jokers * _VALUES[_JOKER]
    return core.tables.plain and (bool(core.standing[side]) or points >= core.needs[side])
