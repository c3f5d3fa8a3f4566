"""What may be played, by composition: takes, lays and discards of the seat in turn.

Single groups are listed in full. Where only several groups together are legal (opening, opening
through the pile, going out under a strict guard) the inclusion-minimal sets are listed, lazily
(decisions, 10): a set of which a part would do is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fairdeal.canasta import cards, pile
from fairdeal.canasta.judge import cards_left, is_plain, judge, worth
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, class_of_slot
from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, SLOTS, WILD_SLOT, Tally, slot_of
from fairdeal.canasta.tables import FIELD, FROZEN_KEY, key_of, tables_of

_LIMIT: Final = "INCOMPLETE_MELD_LIMIT"
_MENDED_BY_MORE: Final = frozenset(("OPENING_MINIMUM", _LIMIT, "KEEP_CARD"))
"""What an act breaks that further groups may mend: points, a canasta, the last card laid."""


def takes(position: Tally) -> Iterator[Move]:
    """List the legal takes: phase draw, by the first heap, then the sets that need more."""
    seat = position.turn
    if not position.pile or pile.top_fault(position) is not None:
        return
    slot = slot_of(cards.CLASS_OF[position.pile[-1]])
    side = position.side_of[seat]
    there = key_of(slot, position.naturals[side][slot], position.wilds[side][slot])
    if pile.is_shut(position, side):
        there |= FROZEN_KEY
    tables = tables_of(position.rules)
    firsts = list(_heaps(position.counts[seat], slot, tables.enters, there))
    for first in firsts:
        move = Move(TAKE, (first,))
        if _is_legal(position, move):
            yield move
    if _sets_matter(position):
        menu = _menu(position)
        menu[slot] = ()
        for first in firsts:
            if not _is_legal(position, Move(TAKE, (first,))):
                yield from _sets(position, Move(TAKE, (first,)), menu)


def lays(position: Tally) -> Iterator[Move]:
    """List the legal lays without a discard: phase play."""
    menu = _menu(position)
    for heaps in menu:
        for heap in heaps:
            move = Move(LAY, (heap,))
            if _is_legal_of_fitting(position, move):
                yield move
    if _sets_matter(position):
        yield from _sets(position, Move(LAY, ()), menu)


def discards(position: Tally) -> Iterator[Move]:
    """List the legal discards, one a class: phase play."""
    counts = position.counts[position.turn]
    for klass in range(cards.CLASSES):
        move = Move(DISCARD, (), klass)
        if counts[klass] and _is_legal_of_fitting(position, move):
            yield move


def _is_legal(position: Tally, move: Move) -> bool:
    return next(judge(position, position.turn, move), None) is None


def _is_legal_of_fitting(position: Tally, move: Move) -> bool:
    """Say whether a lay or discard is legal whose groups are known to fit."""
    seat = position.turn
    left = position.sizes[seat] - move.used
    if left > 1 and position.locked is None and is_plain(position, position.side_of[seat], move):
        return True
    return _is_legal(position, move)


def _sets_matter(position: Tally) -> bool:
    """Say whether groups may be legal together that are not so one by one.

    Once a side has opened, an act of several groups can be played group by group, each step
    leaving enough cards, unless the guard looks at each step alone (R-54) or a wish of the
    ruleset binds groups together.
    """
    rules = position.rules
    return (
        not position.opened(position.side_of[position.turn])
        or rules.keep_card_guard == "strict"
        or rules.go_out_discard == "required"
        or rules.incomplete_meld_limit is not None
    )


def _menu(position: Tally) -> list[tuple[Heap, ...]]:
    """List for each slot the groups of fitting shape that the holding allows."""
    side, counts = position.side_of[position.turn], position.counts[position.turn]
    joins = tables_of(position.rules).joins
    melds = zip(position.naturals[side], position.wilds[side], strict=True)
    return [
        tuple(_heaps(counts, slot, joins, key_of(slot, naturals, wilds)))
        for slot, (naturals, wilds) in enumerate(melds)
    ]


def _heaps(
    counts: Sequence[int], slot: int, table: Mapping[int, bool], there: int
) -> Iterator[Heap]:
    """List the groups for one slot that a holding allows and a table has (tables.py)."""
    held = counts[class_of_slot(slot)] if slot != WILD_SLOT else 0
    wild = slot != BLACK3_SLOT
    for naturals in range(held + 1):
        for deuces in range(counts[cards.DEUCE] + 1 if wild else 1):
            for jokers in range(counts[cards.JOKER] + 1 if wild else 1):
                if table[there | naturals << FIELD | deuces + jokers]:
                    yield Heap(slot, naturals, deuces, jokers)


def _sets(
    position: Tally, base: Move, menu: Sequence[Sequence[Heap]], slot: int = 0
) -> Iterator[Move]:
    """List the minimal legal sets that add groups of a menu to a base, from ``slot`` on."""
    if _cannot_open(position, base, menu, slot) or _begins_too_many(position, base, menu, slot):
        return
    seat = position.turn
    opened = position.opened(position.side_of[seat])
    for place in range(slot, SLOTS):
        for heap in menu[place]:
            move = Move(base.kind, (*base.heaps, heap))
            if not _is_held(position, seat, move):
                continue
            broken = tuple(judge(position, seat, move))
            if broken:
                if broken == (_LIMIT,):
                    if not (opened and _has_less(heap, menu[place])):
                        yield from _sets(position, move, _canastas(position, menu), place + 1)
                elif _MENDED_BY_MORE.issuperset(broken):
                    yield from _sets(position, move, menu, place + 1)
            elif len(move.heaps) > 1 and _is_minimal(position, move):
                yield move


def _cannot_open(position: Tally, base: Move, menu: Sequence[Sequence[Heap]], slot: int) -> bool:
    """Say whether a base can't open however much of a menu is added from ``slot`` on.

    A bound for the search: neither the points of all those cards reach the minimum, nor could
    they leave so few that the opening is exempt.
    """
    seat, rules = position.turn, position.rules
    side = position.side_of[seat]
    if position.opened(side):
        return False
    if rules.opening_canasta_satisfies and (
        any(heap.size >= CANASTA - 1 for heap in base.heaps)
        or any(heap.size >= CANASTA for heaps in menu[slot:] for heap in heaps)
    ):
        return False
    counts = position.counts[seat]
    deuces = counts[cards.DEUCE] - sum(heap.deuces for heap in base.heaps)
    jokers = counts[cards.JOKER] - sum(heap.jokers for heap in base.heaps)
    taken = base.heaps[0].slot if base.kind == TAKE else -1
    open_slots = [at for at in range(slot, SLOTS) if menu[at] and at not in (WILD_SLOT, taken)]
    rest = [Heap(at, counts[class_of_slot(at)], 0, 0) for at in open_slots]
    every = Move(base.kind, (*base.heaps, *rest, Heap(WILD_SLOT, 0, deuces, jokers)))
    exempt = rules.opening_concealed_exempt != "never" and cards_left(position, seat, every) <= 1
    return not exempt and worth(position, every) < position.minimum(side)


def _begins_too_many(
    position: Tally, base: Move, menu: Sequence[Sequence[Heap]], slot: int
) -> bool:
    """Say whether more melds are begun than all canastas made from ``slot`` on could set right."""
    limit, side = position.rules.incomplete_meld_limit, position.side_of[position.turn]
    if limit is None:
        return False
    melds = zip(position.naturals[side], position.wilds[side], strict=True)
    there = [naturals + wilds for naturals, wilds in melds][:BLACK3_SLOT]
    sizes = there[:]
    for place, heap in enumerate(base.heaps):
        if heap.slot < BLACK3_SLOT:
            sizes[heap.slot] += heap.size + (base.kind == TAKE and place == 0)
    begun, stood = (sum(0 < size < CANASTA for size in each) for each in (sizes, there))
    done = sum(0 < sizes[at] < CANASTA and any(menu[at]) for at in range(slot, BLACK3_SLOT))
    return begun - done > max(limit, stood)


def _has_less(heap: Heap, heaps: Sequence[Heap]) -> bool:
    """Say whether a part of a group is on the menu too.

    Where a side has opened and only the limit of melds begun is in the way, a set with the part
    in the group's place is as legal, so no minimal set holds the group.
    """
    return any(
        other != heap and all(few <= many for few, many in zip(other, heap, strict=True))
        for other in heaps
    )


def _canastas(position: Tally, menu: Sequence[Sequence[Heap]]) -> list[tuple[Heap, ...]]:
    """Leave of a menu what makes a meld a canasta: nothing else mends a limit of melds begun."""
    side = position.side_of[position.turn]
    lacks = [
        CANASTA - naturals - wilds
        for naturals, wilds in zip(position.naturals[side], position.wilds[side], strict=True)
    ]
    return [tuple(heap for heap in heaps if heap.size >= lacks[heap.slot] > 0) for heaps in menu]


def _is_held(position: Tally, seat: int, move: Move) -> bool:
    counts = position.counts[seat]
    deuces = sum(heap.deuces for heap in move.heaps)
    jokers = sum(heap.jokers for heap in move.heaps)
    return deuces <= counts[cards.DEUCE] and jokers <= counts[cards.JOKER]


def _is_minimal(position: Tally, move: Move) -> bool:
    """Say whether no set with one group or one card fewer is legal."""
    return not any(_is_legal(position, less) for less in _smaller(move))


def _smaller(move: Move) -> Iterator[Move]:
    for place, heap in enumerate(move.heaps):
        fewer = [
            heap._replace(naturals=heap.naturals - 1),
            heap._replace(deuces=heap.deuces - 1),
            heap._replace(jokers=heap.jokers - 1),
        ]
        own = move.kind == TAKE and place == 0
        if not own:
            rest = move.heaps[:place] + move.heaps[place + 1 :]
            if rest:
                yield Move(move.kind, rest)
        for less in fewer:
            if min(less[1:]) >= 0 and (less.size or own):
                yield Move(move.kind, (*move.heaps[:place], less, *move.heaps[place + 1 :]))
