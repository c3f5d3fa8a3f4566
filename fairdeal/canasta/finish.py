"""Whether a seat can still go out this turn: an exact search on counts (R-X5, R-X7).

One act with everything in it is the most that a turn can do: the opening minimum counts the
cards of one act, an exempt opening must be one act, and canastas are judged after the act. So
it is enough to ask whether the whole holding, but for at most one discard, can be laid at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

from fairdeal.canasta import cards
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    CANASTA,
    STOCK,
    WILD_SLOT,
    Tally,
    minimum_at,
)
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.shape import fits


class Table(NamedTuple):
    """What the search looks at: the side's melds and the turn so far.

    ``concealable`` says whether a concealed finish is still possible for the seat; ``began``
    the slots that stood when the turn began.
    """

    rules: Ruleset
    naturals: Sequence[int]
    wilds: Sequence[int]
    total: int
    drew: str
    began: frozenset[int]
    concealable: bool
    may_discard: bool


class _Partial(NamedTuple):
    """Where the search stands after some slots: what later slots and the end must know."""

    wilds_left: int
    canastas: int
    pure: bool
    own: bool
    incomplete: int
    whole: bool


def table(position: Tally, seat: int) -> Table:
    """Give the search its view of a position."""
    side = position.side_of[seat]
    return Table(
        position.rules,
        position.naturals[side],
        position.wilds[side],
        position.totals[side],
        position.drew,
        position.began,
        concealable(position, seat),
        not position.last_red3,
    )


def concealable(position: Tally, seat: int) -> bool:
    """Say whether nothing so far rules out a concealed finish by this seat (R-58, R-X9)."""
    rules = position.rules
    by_player = rules.concealed_scope == "player"
    earlier = position.melded[seat] if by_player else bool(position.began)
    if earlier or (position.drew != STOCK and not rules.concealed_after_pile):
        return False
    return not position.touched or rules.concealed_lay_on_partner


def has_own_canasta(began: frozenset[int], naturals: Sequence[int], wilds: Sequence[int]) -> bool:
    """Say whether a meld begun this turn is a canasta (R-X9)."""
    return any(
        slot not in began and naturals[slot] + wilds[slot] >= CANASTA for slot in range(BLACK3_SLOT)
    )


def can_finish(view: Table, counts: Sequence[int]) -> bool:
    """Say whether a holding, by class counts, can be laid so that the seat goes out now."""
    least = view.rules.meld_min_naturals
    # Naturals that no wild card can help: one discard takes one of them.
    alone = [
        slot
        for slot in range(WILD_SLOT)
        if counts[slot] and view.naturals[slot] + counts[slot] < least
    ]
    if sum(counts[slot] for slot in alone) > view.may_discard:
        return False
    discards = [-1] if view.rules.go_out_discard == "optional" else []
    if view.may_discard:
        discards += [klass for klass in range(cards.RED3) if counts[klass]]
    discards = alone or discards
    return any(_lays_all(view, _without(counts, klass), sum(counts)) for klass in discards)


def _without(counts: Sequence[int], klass: int) -> list[int]:
    left = list(counts)
    if klass >= 0:
        left[klass] -= 1
    return left


def _lays_all(view: Table, counts: Sequence[int], held: int) -> bool:
    """Say whether all these cards can be laid in one act that goes out."""
    if not held:
        return False
    rules = view.rules
    if counts[cards.RED3] or 0 < counts[cards.BLACK3] < rules.meld_min_size:
        return False
    wilds = counts[cards.DEUCE] + counts[cards.JOKER]
    states = {_Partial(wilds, 0, False, False, 0, False)}
    for slot in range(BLACK3_SLOT):
        naturals = 0 if slot == WILD_SLOT else counts[slot]
        states = {after for state in states for after in _fill(view, slot, naturals, state)}
    points = sum(cards.VALUES[klass] * number for klass, number in enumerate(counts))
    laid = any(counts)
    return any(_goes_out(view, state, points, laid) for state in states)


def _fill(view: Table, slot: int, naturals: int, state: _Partial) -> list[_Partial]:
    """Give the states after laying a slot's naturals with every fitting number of wilds."""
    before = view.naturals[slot], view.wilds[slot]
    found = []
    for wilds in range(state.wilds_left + 1):
        added = naturals + wilds
        if added and not fits(view.rules, slot, before, naturals, wilds):
            continue
        size = sum(before) + added
        done = size >= CANASTA
        pure = done and before[1] + wilds == 0
        own = done and slot not in view.began and added > 0
        found.append(
            _Partial(
                state.wilds_left - wilds,
                state.canastas + done,
                state.pure or pure,
                state.own or own,
                state.incomplete + (0 < size < CANASTA),
                state.whole or added >= CANASTA,
            )
        )
    return found


def _goes_out(view: Table, state: _Partial, points: int, laid: bool) -> bool:
    rules = view.rules
    if state.wilds_left or state.canastas < rules.canastas_to_go_out:
        return False
    if rules.go_out_needs_natural and not state.pure:
        return False
    limit = rules.incomplete_meld_limit
    if limit is not None and laid and state.incomplete > limit:
        return False
    if any(view.naturals) or any(view.wilds) or not laid:
        return True
    own = state.own or not rules.concealed_needs_own_canasta
    return opens(view, points, whole=state.whole, concealed=own)


def opens(view: Table, points: int, *, whole: bool, concealed: bool) -> bool:
    """Say whether an act opens for a side without melds (R-27 to R-33, R-X3).

    Args:
        view: The table.
        points: Value of all cards laid by the act, the top card of a take included.
        whole: Whether a complete canasta is among them.
        concealed: Whether the act, as far as it goes, finishes concealed.
    """
    rules = view.rules
    least = minimum_at(rules, view.total)
    if points > least or (points == least and rules.opening_compare == "ge"):
        return True
    if whole and rules.opening_canasta_satisfies:
        return True
    exempt = rules.opening_concealed_exempt
    if exempt == "never" or (exempt == "stock_draw" and view.drew != STOCK):
        return False
    return concealed and view.concealable
