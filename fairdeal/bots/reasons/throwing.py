"""Reasons about the card that ends a turn: what it keeps, and what it gives the next seat."""

from typing import Final

from fairdeal.bots.reasons.case import RANKS, Case, Told
from fairdeal.canasta import cards, pile
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.wording import Facts, Many, Number, Points, Some

FEW_UNSEEN: Final = 3
"""Of a rank of which no more cards are unseen, a pair is seldom in one hand."""


def black_three_safe(case: Case) -> Told | None:
    """A black three bars the pile for the next seat."""
    blocks = case.thrown == cards.BLACK3 and case.core.tables.blocks[cards.BLACK3]
    return Told("", {}) if blocks else None


def freeze_pile(case: Case) -> Told | None:
    """The card freezes a pile that was not frozen."""
    core = case.core
    if case.thrown < 0 or not core.tables.freezes[case.thrown] or core.ice:
        return None
    pair = core.rules.take_frozen == (pile.PAIR,)
    return Told("" if pair else "doors", {"cards": Some("card", len(core.pile) + 1)})


def feeds_them(case: Case) -> Told | None:
    """The next side has a meld for the card, and with it a way to the pile."""
    if not case.feeds:
        return None
    facts = _of(case.thrown_rank)
    return Told("", {**facts, "cards": Some("card", len(case.core.pile) + 1)})


def all_copies_seen(case: Case) -> Told | None:
    """So many cards of the rank are seen that nobody can hold a pair of them."""
    rank = case.thrown_rank
    if rank < 0 or case.feeds:
        return None
    left, total = sum(case.elsewhere(rank)), 4 * case.core.rules.decks
    if left > 1:
        return None
    facts: Facts = {**_of(rank), "seen": Number(total - left), "total": Number(total)}
    return Told("" if left else "every", facts)


def few_unseen(case: Case) -> Told | None:
    """Few cards of the rank are unseen, and nobody is known to hold one."""
    rank = case.thrown_rank
    if rank < 0 or case.feeds:
        return None
    unseen, sure = case.elsewhere(rank)
    if sure or not 1 < unseen <= FEW_UNSEEN:
        return None
    total = Number(4 * case.core.rules.decks)
    return Told("", {**_of(rank), "unseen": Number(unseen), "total": total})


def frozen_shields(case: Case) -> Told | None:
    """The next seat needs a pair of its own."""
    if case.thrown_rank < 0 or case.next_side == case.side or not case.is_shut_for_next:
        return None
    if case.core.rules.take_frozen != (pile.PAIR,):
        return None
    return Told("" if case.core.ice else "unopened", _of(case.thrown_rank))


def not_their_meld(case: Case) -> Told | None:
    """The next side has melds, and none of them takes the card."""
    rank, side = case.thrown_rank, case.next_side
    standing = case.core.standing[side]
    if rank < 0 or side == case.side or not standing or rank in standing:
        return None
    return Told("", _of(rank)) if pile.LAY_ON_MELD in case.next_doors else None


def left_before(case: Case) -> Told | None:
    """The next seat has drawn with such a card on top, and might have taken it."""
    rank, left = case.thrown_rank, case.seen.memory.left[case.next_seat]
    if rank < 0 or not left[rank]:
        return None
    return Told("once" if left[rank] == 1 else "", {**_of(rank), "times": Number(left[rank])})


def thrown_before(case: Case) -> Told | None:
    """The next seat has thrown such a card itself."""
    rank, thrown = case.thrown_rank, case.seen.memory.thrown[case.next_seat]
    if rank < 0 or not thrown[rank]:
        return None
    return Told("", {**_of(rank), "cards": Some(GROUP_RANKS[rank], thrown[rank])})


def keeps_pair(case: Case) -> Told | None:
    """A card without another of its rank is thrown, and pairs are kept."""
    rank = case.thrown_rank
    if rank < 0 or _left(case, rank) != 1:
        return None
    kept = [other for other in range(RANKS) if other != rank and _left(case, other) > 1]
    if not kept:
        return None
    return Told("", {**_of(rank), "kept": tuple(Many(GROUP_RANKS[one]) for one in kept)})


def sheds_points(case: Case) -> Told | None:
    """What is thrown does not count against the side."""
    if case.move.discard < 0:
        return None
    return Told("", {"points": Points(cards.VALUES[case.move.discard])})


def _left(case: Case, rank: int) -> int:
    """Give how many cards of a rank stay in the holding."""
    laid = sum(heap.naturals for heap in case.move.heaps if heap.slot == rank)
    return case.seen.own[rank] - laid


def _of(rank: int) -> Facts:
    return {"ranks": Many(GROUP_RANKS[rank])}
