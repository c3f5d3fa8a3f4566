"""Reasons about how a turn begins: taking the pile, or drawing."""

from typing import Final

from fairdeal.bots.reasons.case import RANKS, Case, Told
from fairdeal.canasta import cards, options, pile
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.counts import CLASS_OF
from fairdeal.canasta.moves import DRAW, TAKE
from fairdeal.canasta.wording import Facts, Many, Points, Some

FAT: Final = 5
"""A pile of so many cards is worth having."""
THIN: Final = 3
"""One of no more cards can wait."""
_NAMES: Final = {"TOP_WILD": "wild", "TOP_BLACK3": "black3", "TOP_RED3": "red3"}


def fat_pile(case: Case) -> Told | None:
    """Much is taken."""
    lying = case.core.pile
    if case.move.kind != TAKE or len(lying) < FAT:
        return None
    points = sum(cards.VALUES[CLASS_OF[card]] for card in lying)
    return Told("", {"cards": Some("card", len(lying)), "points": Points(points)})


def pile_too_small(case: Case) -> Told | None:
    """The pile could be taken, and is small."""
    count = len(case.core.pile)
    if case.move.kind != DRAW or not 0 < count <= THIN:
        return None
    if next(options.takes(case.core), None) is None:
        return None
    return Told("", {"cards": Some("card", count)})


def pile_costs_wild(case: Case) -> Told | None:
    """The pile could be taken, but not without a wild card."""
    if case.move.kind != DRAW:
        return None
    costs = [sum(heap.wilds for heap in take.heaps) for take in options.takes(case.core)]
    least = min(costs, default=0)
    return Told("", {"wilds": Some("W", least)}) if least else None


def pile_blocked(case: Case) -> Told | None:
    """The top card bars the pile."""
    if case.move.kind != DRAW or case.top < 0:
        return None
    fault = pile.top_fault(case.core)
    return None if fault is None else Told(_NAMES[fault], {})


def frozen_needs_pair(case: Case) -> Told | None:
    """Only a pair takes the pile, and the seat has none."""
    core, top = case.core, case.top
    if case.move.kind != DRAW or not 0 <= top < RANKS or case.seen.own[top] > 1:
        return None
    if not pile.is_shut(core, case.side) or core.rules.take_frozen != (pile.PAIR,):
        return None
    rank = GROUP_RANKS[top]
    facts: Facts = {"ranks": Many(rank), "have": Some(rank, case.seen.own[top])}
    return Told("" if core.frozen else "unopened", facts)


def new_card(case: Case) -> Told | None:
    """What drawing gives."""
    core = case.core
    if case.move.kind != DRAW:
        return None
    draw = min(core.rules.draw_count, core.stock_left)
    return Told("", {"draw": Some("card", draw), "cards": Some("card", core.stock_left)})
