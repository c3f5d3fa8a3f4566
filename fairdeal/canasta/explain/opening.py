"""The most that a seat can lay in one act while its side has not opened: an exact search.

On counts, slot by slot; nothing is guessed and nothing sampled. The result is the greatest total
of an act that breaks no rule but the opening minimum: shapes, the limit of unfinished melds,
black threes, keeping a card and the partner's answer all bind it.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from fairdeal.canasta import cards, pile
from fairdeal.canasta.judge import cards_left, is_bound, judge, may_go_out
from fairdeal.canasta.moves import LAY, TAKE, Heap, Move, class_of_slot
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    CANASTA,
    SLOTS,
    WILD_SLOT,
    Position,
    slot_of,
)
from fairdeal.canasta.shape import fits


class Best(NamedTuple):
    """The greatest total and an act that has it."""

    points: int
    move: Move


class _State(NamedTuple):
    """What the rest of the search must know of the slots so far.

    ``left`` counts cards that stay in the holding, two standing for more; ``canastas`` stops
    where more make no difference; ``trail`` is empty unless the act itself has to be judged.
    """

    deuces: int
    jokers: int
    left: int
    canastas: int = 0
    pure: bool = False
    unfinished: int = 0
    black3: bool = False
    trail: tuple[Heap, ...] = ()


class _Sum(NamedTuple):
    points: int
    heaps: tuple[Heap, ...]


def best_lay(known: Position, seat: int) -> Best | None:
    """Give the most that a lay of new melds can count, or None if no meld can be laid.

    Args:
        known: A position in phase PLAY in which the side of the seat has not opened; cards
            drawn that nobody knows may be counted in the size of the holding.
        seat: The seat.
    """
    unknown = known.sizes[seat] - sum(known.counts[seat])
    return _search(known, seat, unknown, None, Heap(0, 0, 0, 0))


def best_take(known: Position, seat: int, firsts: Sequence[Heap]) -> Best | None:
    """Give the most that a take can count, its own cards beside the top card being one of some.

    Args:
        known: A position in phase DRAW in which the side has not opened, with a pile whose top
            card is not blocked.
        seat: The seat.
        firsts: The own cards that may lie with the top card: those that open one door.
    """
    slot = slot_of(cards.CLASS_OF[known.pile[-1]])
    came = cards_left(known, seat, Move(TAKE, (Heap(slot, 0, 0, 0),))) - known.sizes[seat]
    found: list[Best] = []
    for first in firsts:
        if fits(known.rules, slot, (0, 0), first.naturals + 1, first.wilds):
            best = _search(known, seat, came, slot, first)
            if best is not None:
                found.append(best)
    return max(found, key=lambda best: (best.points, -best.move.used), default=None)


def firsts(known: Position, seat: int, door: str) -> list[Heap]:
    """Give the own cards that a seat could lay beside the top card to open a door."""
    slot = slot_of(cards.CLASS_OF[known.pile[-1]])
    counts = known.counts[seat]
    naturals = 0 if slot == WILD_SLOT else counts[class_of_slot(slot)]
    chosen = product(
        range(naturals + 1), range(counts[cards.DEUCE] + 1), range(counts[cards.JOKER] + 1)
    )
    return [heap for heap in (Heap(slot, *one) for one in chosen) if opens_door(door, heap)]


def opens_door(door: str, own: Heap) -> bool:
    """Say whether own cards are what a door asks for."""
    if door == pile.PAIR:
        return own.naturals >= 2
    if door == pile.NATURAL_WILD:
        return own.naturals >= 1 and own.wilds >= 1
    return True


def _search(known: Position, seat: int, came: int, top: int | None, first: Heap) -> Best | None:
    """Search all acts; ``came`` cards join the holding, ``first`` lies with the ``top`` slot's."""
    counts = known.counts[seat]
    begin = _State(
        counts[cards.DEUCE] - first.deuces,
        counts[cards.JOKER] - first.jokers,
        min(2, came + counts[cards.RED3]),
    )
    precise = top is not None and came == 1
    states = {begin: _Sum(0, ())}
    for slot in range(SLOTS):
        held = 0 if slot == WILD_SLOT else counts[class_of_slot(slot)]
        if slot != top and not held and slot != WILD_SLOT:
            continue
        found: dict[_State, _Sum] = {}
        for state, so_far in states.items():
            if slot == top:
                nexts = iter([_first(known, state, so_far, first, held - first.naturals)])
            else:
                nexts = _fill(known, slot, held, state, so_far)
            for after, total in nexts:
                key = after._replace(trail=total.heaps) if precise else after
                if key not in found or _better(total, found[key]):
                    found[key] = total
        states = found
    best: Best | None = None
    for state, total in sorted(states.items(), key=lambda item: _order(item[1])):
        move = _move(total, top, first)
        if total.heaps and _stands(known, seat, state, move):
            best = Best(total.points, move)
            break
    return best


def _move(total: _Sum, top: int | None, first: Heap) -> Move:
    if top is None:
        return Move(LAY, total.heaps)
    return Move(TAKE, (first, *(heap for heap in total.heaps if heap.slot != top)))


def _order(one: _Sum) -> tuple[int, int, tuple[Heap, ...]]:
    """Prefer more points, then fewer cards, then the lower heaps: always the same answer."""
    return -one.points, sum(heap.size for heap in one.heaps), one.heaps


def _better(one: _Sum, other: _Sum) -> bool:
    return _order(one) < _order(other)


def _first(
    known: Position, state: _State, so_far: _Sum, first: Heap, kept: int
) -> tuple[_State, _Sum]:
    """Lay the top card with the own cards chosen for it, whose wilds are gone already."""
    face = cards.VALUES[cards.CLASS_OF[known.pile[-1]]]
    after = _count(known, state, first.slot, first.size + 1, first.wilds, kept)
    return after, _Sum(so_far.points + face + _value(first), (*so_far.heaps, first))


def _fill(
    known: Position, slot: int, held: int, state: _State, so_far: _Sum
) -> Iterator[tuple[_State, _Sum]]:
    """Lay a slot's naturals with every fitting number of wilds, or leave the slot alone."""
    yield state._replace(left=min(2, state.left + held)), so_far
    wild = slot != BLACK3_SLOT
    deuces = range(state.deuces + 1 if wild else 1)
    jokers = range(state.jokers + 1 if wild else 1)
    for heap in (Heap(slot, *one) for one in product(range(held + 1), deuces, jokers)):
        if heap.size and fits(known.rules, slot, (0, 0), heap.naturals, heap.wilds):
            after = _count(known, state, slot, heap.size, heap.wilds, held - heap.naturals)
            after = after._replace(
                deuces=state.deuces - heap.deuces, jokers=state.jokers - heap.jokers
            )
            yield after, _Sum(so_far.points + _value(heap), (*so_far.heaps, heap))


def _count(known: Position, state: _State, slot: int, size: int, wilds: int, kept: int) -> _State:
    """Add a new meld of a size to a state, ``kept`` naturals of its slot staying in hand."""
    rules, counts = known.rules, slot != BLACK3_SLOT
    done = counts and size >= CANASTA
    limited = rules.incomplete_meld_limit is not None
    return state._replace(
        left=min(2, state.left + kept),
        canastas=min(rules.canastas_to_go_out, state.canastas + done),
        pure=state.pure or (done and not wilds and slot != WILD_SLOT),
        unfinished=state.unfinished + (limited and counts and not done),
        black3=state.black3 or not counts,
    )


def _value(heap: Heap) -> int:
    return (
        heap.naturals * cards.VALUES[class_of_slot(heap.slot)]
        + heap.deuces * cards.VALUES[cards.DEUCE]
        + heap.jokers * cards.VALUES[cards.JOKER]
    )


def _stands(known: Position, seat: int, state: _State, move: Move) -> bool:
    """Say whether an act that ends here breaks no rule but the opening minimum.

    A last card that is laid on its own meld to go out (R-X4) needs no case of its own for a lay:
    laid in the same act it counts more. After a take it may be a buried card, which cannot; then
    the act itself is judged.
    """
    rules, left = known.rules, min(2, state.left + state.deuces + state.jokers)
    limit = rules.incomplete_meld_limit
    if limit is not None and state.unfinished > limit:
        return False
    if state.trail:
        return set(judge(known, seat, move)) <= {"OPENING_MINIMUM"}
    may = state.canastas >= rules.canastas_to_go_out and (
        state.pure or not rules.go_out_needs_natural
    )
    if left == 2:
        return not (is_bound(known) or state.black3)
    if not may_go_out(known):
        return False
    if left == 1:
        return not state.black3 if known.last_red3 else may
    return may and rules.go_out_discard != "required"
