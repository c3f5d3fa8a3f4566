"""Judging a move on counts: a quick yes where shape is all that matters, else the full reading.

``faults`` names every broken rule, as ``legality`` does for an act; ``allows`` answers the same
question with yes or no, and is what a replay asks for every act.
"""

from collections.abc import Iterator
from typing import Final

from fairdeal.canasta import cards, legality
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.judge import used_counts
from fairdeal.canasta.moves import DISCARD, DRAW, LAY, NO, TAKE, YES, Heap, Move
from fairdeal.canasta.position import ASKED, PLAY, WILD_SLOT
from fairdeal.canasta.position import DRAW as DRAWING
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
    phase = core.phase
    if kind == DISCARD:
        seat = core.turn
        bound = core.last_red3 or core.answer or klass == cards.RED3
        if (
            phase == PLAY
            and not bound
            and (core.sizes[seat] > 1 or core.is_free(core.side_of[seat]))
        ):
            return core.counts[seat][klass] > 0
    elif kind == DRAW:
        return phase == DRAWING and core.drawn < len(core.stock)
    elif kind == LAY:
        if phase == PLAY and not core.answer and klass < 0 and _is_plain_lay(core, heaps):
            return True
    elif kind == TAKE:
        if phase == DRAWING and core.pile and _is_plain_take(core, heaps):
            return True
    elif kind in (YES, NO):
        return phase == ASKED
    return next(faults(core, move), None) is None


def _is_plain_lay(core: Counts, heaps: tuple[Heap, ...]) -> bool:
    """Say whether a lay is legal for sure: by shapes, points and what is left (R-X4)."""
    if core.locked is not None:
        return False
    side = core.side_of[core.turn]
    points = _adds(core, heaps, 0)
    return points >= 0 and (bool(core.standing[side]) or points >= core.needs[side])


def _is_plain_take(core: Counts, heaps: tuple[Heap, ...]) -> bool:
    """Say whether a take is legal for sure: by door, shapes, points and what is left."""
    tables, rules = core.tables, core.rules
    slot, naturals, deuces, jokers = heaps[0]
    top = CLASS_OF[core.pile[-1]]
    if top != slot or slot >= WILD_SLOT:
        # Ranks 4 to A have the slot of their class, and none of them can block a pile.
        return False
    if rules.stock_empty == "end" and core.drawn == len(core.stock):
        return False
    if len(core.pile) == 1 and core.sizes[core.turn] == 1:
        return False
    side = core.side_of[core.turn]
    opened = bool(core.standing[side])
    key = core.naturals[side][slot] << 18 | core.wilds[side][slot] << 12
    key |= naturals << 6 | deuces + jokers
    if core.ice or (rules.frozen_before_opening and not opened):
        key |= FROZEN_KEY
    if not tables.enters[key]:
        return False
    points = _adds(core, heaps, 1)
    return points >= 0 and (opened or points + _VALUES[top] >= core.needs[side])


def _adds(core: Counts, heaps: tuple[Heap, ...], judged: int) -> int:
    """Give the points of groups that are held, fit and leave enough cards; else -1.

    The first ones may be judged already. Where anything else could matter (black threes, wild
    melds, a limit of melds begun) the answer is -1 too.
    """
    seat, tables = core.turn, core.tables
    side, counts = core.side_of[seat], core.counts[seat]
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    left, twos, jks = core.sizes[seat], counts[_DEUCE], counts[_JOKER]
    points = 0
    for slot, naturals, deuces, jokers in heaps:
        wilds = deuces + jokers
        left -= naturals + wilds
        if slot >= WILD_SLOT or counts[slot] < naturals:
            return -1
        if judged:
            judged = 0
        else:
            key = naturals_there[slot] << 18 | wilds_there[slot] << 12 | naturals << 6 | wilds
            if not tables.joins[key]:
                return -1
        points += naturals * _VALUES[slot]
        if wilds:
            twos -= deuces
            jks -= jokers
            points += deuces * _VALUES[_DEUCE] + jokers * _VALUES[_JOKER]
    held = twos >= 0 and jks >= 0 and left >= 0
    enough = held and (left > 1 or _keeps_enough(core, left))
    return points if enough and tables.plain else -1


def _keeps_enough(core: Counts, left: int) -> bool:
    """Say whether so few own cards are enough for sure, with those that a take brings in."""
    side = core.side_of[core.turn]
    if core.phase == DRAWING:
        left += sum(CLASS_OF[card] != cards.RED3 for card in core.pile[:-1])
    if left > 1:
        return True
    return core.is_free(side) and (left == 1 or core.rules.go_out_discard == "optional")
