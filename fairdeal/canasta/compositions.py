"""Random compositions of lays and takes, drawn from the tables of what fits.

A try gives a legal move or none. Numbers of cards are put into keys of the tables as ``tables``
says, six bits each; the shifts are written out here, since this is where playouts spend their
time. For words see ``sampling``.
"""

from collections.abc import Iterator
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.judge import judge, used_counts
from fairdeal.canasta.moves import LAY, TAKE, Heap, Move
from fairdeal.canasta.position import BLACK3_SLOT, WILD_SLOT, slot_of
from fairdeal.canasta.tables import BLACK3_KEY, FROZEN_KEY, WILD_KEY

_ORDERS: Final = tuple(
    tuple((first + place) % (WILD_SLOT + 1) for place in range(WILD_SLOT + 1))
    for first in range(WILD_SLOT + 1)
)
"""The slots of ranks and wild cards, from each of them on."""
_SLOT_OF_CLASS: Final = tuple(map(slot_of, range(cards.CLASSES)))
_DEUCE: Final = cards.DEUCE
_JOKER: Final = cards.JOKER
_BLACK3: Final = cards.BLACK3
_VALUE_OF_SLOT: Final = (*cards.VALUES[:BLACK3_SLOT], cards.VALUES[_BLACK3])
_DEUCE_VALUE: Final = cards.VALUES[_DEUCE]
_JOKER_VALUE: Final = cards.VALUES[_JOKER]


def some_class(counts: list[int], words: Iterator[int]) -> int:
    """Give a class of which there is a card, each as likely."""
    klass = next(words) % cards.RED3
    while not counts[klass]:
        klass = next(words) % cards.RED3
    return klass


def _heap(slot: int, naturals: int, wilds: int, counts: list[int], word: int) -> Heap:
    """Make a group, its wild cards split into deuces and jokers at random."""
    if not wilds:
        return Heap(slot, naturals, 0, 0)
    least = max(0, wilds - counts[_JOKER])
    deuces = least + word % (min(wilds, counts[_DEUCE]) - least + 1)
    return Heap(slot, naturals, deuces, wilds - deuces)


def some_lay(core: Counts, words: Iterator[int], word: int) -> Move | None:
    """Give a lay of one group or of several, or none where the first try found none."""
    seat = core.turn
    side = core.side_of[seat]
    counts = core.counts[seat]
    if not core.standing[side] or not word & 31:
        heaps, points = _groups(core, words, word >> 5, counts[:])
        return _lay_of_groups(core, words, heaps, points) if heaps else None
    slot = (word >> 5) % (BLACK3_SLOT + 1)
    wild = counts[_DEUCE] + counts[_JOKER]
    if slot < WILD_SLOT:
        held = counts[slot]
        there = core.naturals[side][slot]
        if not held and not (there and wild):
            return None
        key = there << 18 | core.wilds[side][slot] << 12 | held << 6 | wild
    elif slot == WILD_SLOT:
        key = WILD_KEY | core.wilds[side][slot] << 12 | wild
    elif core.sizes[seat] > counts[_BLACK3] + 1:
        return None
    else:
        key = BLACK3_KEY | core.naturals[side][slot] << 18 | counts[_BLACK3] << 6
    found = core.tables.lays[key]
    if not found:
        return None
    word = next(words)
    naturals, wilds = found[word % len(found)]
    move = Move(LAY, (_heap(slot, naturals, wilds, counts, word >> 8),))
    safe = core.sizes[seat] - naturals - wilds > 1 and slot != BLACK3_SLOT
    return move if (safe and _is_plain(core)) or _is_legal(core, move) else None


def _lay_of_groups(
    core: Counts, words: Iterator[int], heaps: tuple[Heap, ...], points: int
) -> Move | None:
    """Give a lay of groups, perhaps with a discard, if it is legal."""
    seat = core.turn
    side = core.side_of[seat]
    move = Move(LAY, heaps)
    left = core.sizes[seat] - move.used
    if left and not next(words) & 7:
        counts, used = core.counts[seat], used_counts(move)
        move = Move(
            LAY, heaps, some_class([n - m for n, m in zip(counts, used, strict=True)], words)
        )
        left -= 1
    high = bool(core.standing[side]) or points >= core.needs[side]
    if not high and left > 1 and not core.rules.opening_canasta_satisfies:
        return None
    safe = high and left > 1 and heaps[-1].slot != BLACK3_SLOT
    return move if (safe and _is_plain(core)) or _is_legal(core, move) else None


def some_take(core: Counts, words: Iterator[int], word: int) -> Move | None:
    """Give a take, or none where the first try found none."""
    tables, rules, seat = core.tables, core.rules, core.turn
    klass = CLASS_OF[core.pile[-1]]
    if tables.blocks[klass]:
        return None
    side, counts = core.side_of[seat], core.counts[seat]
    slot = _SLOT_OF_CLASS[klass]
    opened = bool(core.standing[side])
    key = core.naturals[side][slot] << 18 | core.wilds[side][slot] << 12
    key |= counts[_DEUCE] + counts[_JOKER]
    key |= WILD_KEY if slot == WILD_SLOT else counts[slot] << 6
    if core.ice or (rules.frozen_before_opening and not opened):
        key |= FROZEN_KEY
    found = tables.firsts[key]
    if not found:
        return None
    naturals, wilds = found[word % len(found)]
    word = next(words)
    first = _heap(slot, naturals, wilds, counts, word)
    heaps: tuple[Heap, ...] = (first,)
    points, need = cards.VALUES[klass] + _value(first), core.needs[side]
    if not (opened or points >= need) or not word >> 8 & 15:
        left = [n - m for n, m in zip(counts, used_counts(Move(LAY, heaps)), strict=True)]
        heaps, points = _groups(core, words, word >> 12, left, heaps, points)
    move = Move(TAKE, heaps)
    safe = (opened or points >= need) and core.sizes[seat] - move.used > 1
    safe = safe and (heaps[-1].slot != BLACK3_SLOT)
    return move if (safe and _is_plain(core)) or _is_legal(core, move) else None


def _groups(
    core: Counts,
    words: Iterator[int],
    word: int,
    counts: list[int],
    heaps: tuple[Heap, ...] = (),
    points: int = 0,
) -> tuple[tuple[Heap, ...], int]:
    """Add groups from what is held to those given, until they open or no slot is left.

    Gives all groups, and their points; ``counts`` is used up.
    """
    side = core.side_of[core.turn]
    lays, need, least = core.tables.lays, core.needs[side], core.rules.meld_min_naturals
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    taken = heaps[0].slot if heaps else -1
    for slot in _ORDERS[word % (WILD_SLOT + 1)]:
        if slot == taken:
            continue
        wild = counts[_DEUCE] + counts[_JOKER]
        if slot == WILD_SLOT:
            key = WILD_KEY | wilds_there[slot] << 12 | wild
        else:
            there = naturals_there[slot]
            if there + counts[slot] < least:
                continue
            key = there << 18 | wilds_there[slot] << 12 | counts[slot] << 6 | wild
        found = lays[key]
        if not found:
            continue
        word = next(words)
        pick = word % (len(found) + 1)
        if pick == len(found):
            continue
        heap = _heap(slot, *found[pick], counts, word >> 8)
        heaps += (heap,)
        points += _value(heap)
        counts[_DEUCE] -= heap.deuces
        counts[_JOKER] -= heap.jokers
        if slot < WILD_SLOT:
            counts[slot] -= heap.naturals
        if points >= need and word >> 16 & 3:
            return heaps, points
    black = counts[_BLACK3]
    if black and sum(counts) <= black + 1:
        found = lays[BLACK3_KEY | naturals_there[BLACK3_SLOT] << 18 | black << 6]
        if found:
            heap = Heap(BLACK3_SLOT, found[next(words) % len(found)][0], 0, 0)
            heaps += (heap,)
            points += _value(heap)
    return heaps, points


def _is_plain(core: Counts) -> bool:
    """Say whether shape, minimum and two cards left are all that a lay is judged by."""
    return core.tables.plain and core.locked is None


def _value(heap: Heap) -> int:
    slot, naturals, deuces, jokers = heap
    return naturals * _VALUE_OF_SLOT[slot] + deuces * _DEUCE_VALUE + jokers * _JOKER_VALUE


def _is_legal(core: Counts, move: Move) -> bool:
    return next(judge(core, core.turn, move), None) is None
