"""Whether a seat can still go out in this turn: an exact search (R-X4, R-X5, R-X7).

One act may lay any number of groups and discard, and every sequence of legal acts that goes out
can be laid as one such act: melds are judged merged, and an opening counts all its cards. So the
question is whether the holding, less one discard, can be spread over melds. What matters of a
spread is how many wilds it used and which canastas it made; suits never matter.
"""

from collections import Counter
from typing import NamedTuple

from verifier.canasta.faces import MELD_RANKS, THREE_RANK, WILD_RANK, is_red_three, rank, value
from verifier.canasta.melds import (
    NONE,
    Count,
    Melds,
    exempt_canastas,
    is_canasta,
    is_natural_canasta,
    reaches,
    shape_fault,
)
from verifier.canasta.ruleset import Ruleset


class Spread(NamedTuple):
    """What matters of the melds chosen so far."""

    wilds_used: int = 0
    canastas: int = 0
    natural: bool = False
    incomplete: int = 0


def can_go_out(
    rules: Ruleset,
    holding: Counter[str],
    melds: Melds,
    *,
    minimum: int | None,
    drew_stock: bool,
) -> bool:
    """Whether some legal acts of this turn leave the seat no card.

    Args:
        rules: The ruleset.
        holding: The cards held, by face.
        melds: The side's melds on the table.
        minimum: What the side's first melds must count; None once it has opened.
        drew_stock: Whether the turn began with a draw from the stock.
    """
    if any(map(is_red_three, holding)):
        return False
    discards: list[str | None] = [None] if rules.go_out_discard == "optional" else []
    for discard in (*discards, *holding):
        laid = holding.copy()
        if discard is not None:
            laid[discard] -= 1
        needed = _canastas_needed(rules, laid, minimum, drew_stock=drew_stock)
        if needed is not None and _can_lay_all(rules, laid, melds, needed):
            return True
    return False


def _canastas_needed(
    rules: Ruleset, laid: Counter[str], minimum: int | None, *, drew_stock: bool
) -> int | None:
    """How many canastas the side needs when it lays these cards; None: it may not lay them."""
    needed = rules.canastas_to_go_out
    points = sum(value(face) * number for face, number in laid.items())
    lays_nothing = not any(laid.values())
    if minimum is None or lays_nothing or reaches(rules, points, minimum):
        return needed
    exempt = exempt_canastas(rules, drew_stock=drew_stock)
    if exempt is not None:
        return max(needed, exempt)
    return max(needed, 1) if rules.opening_canasta_satisfies else None


def _can_lay_all(rules: Ruleset, laid: Counter[str], melds: Melds, needed: int) -> bool:
    naturals: Counter[str] = Counter()
    for face, number in laid.items():
        naturals[rank(face)] += number
    wilds = naturals.pop(WILD_RANK, 0)
    threes = naturals.pop(THREE_RANK, 0)
    three_meld = melds.get(THREE_RANK, NONE)
    if threes and shape_fault(rules, THREE_RANK, three_meld, Count(threes, 0)):
        return False
    spreads = {Spread()}
    for name in (*MELD_RANKS, WILD_RANK):
        if naturals[name] or name in melds or name == WILD_RANK:
            before = melds.get(name, NONE)
            spreads = _extend(rules, spreads, name, before, naturals[name], wilds)
    limit = rules.incomplete_meld_limit
    return any(
        spread.wilds_used == wilds
        and spread.canastas >= needed
        and (spread.natural or not rules.go_out_needs_natural)
        and (limit is None or spread.incomplete <= limit)
        for spread in spreads
    )


def _extend(
    rules: Ruleset, spreads: set[Spread], name: str, before: Count, naturals: int, wilds: int
) -> set[Spread]:
    """All spreads that follow when this meld takes its naturals and some of the wilds."""
    extended: set[Spread] = set()
    limited = rules.incomplete_meld_limit is not None
    for added_wilds in range(wilds + 1):
        added = Count(naturals, added_wilds)
        if added.cards and shape_fault(rules, name, before, added):
            continue
        meld = before.plus(added)
        canasta = is_canasta(name, meld)
        extended.update(
            Spread(
                spread.wilds_used + added_wilds,
                spread.canastas + canasta,
                spread.natural or is_natural_canasta(name, meld),
                spread.incomplete + (limited and not canasta and meld.cards > 0),
            )
            for spread in spreads
            if spread.wilds_used + added_wilds <= wilds
        )
    return extended
