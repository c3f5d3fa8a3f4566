"""Reasons about melds: what is laid, what it makes, what is kept."""

from typing import Final

from fairdeal.bots.reasons.case import Case, Grown, Told
from fairdeal.canasta.acts import GROUP_RANKS
from fairdeal.canasta.judge import worth
from fairdeal.canasta.moves import TAKE
from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, WILD_SLOT
from fairdeal.canasta.wording import Facts, Many, Number, Points, Some

_NEAR: Final = CANASTA - 2


def opens_now(case: Case) -> Told | None:
    """The side's first melds."""
    if not case.opens:
        return None
    points, need = worth(case.core, case.move), case.core.minimum(case.side)
    enough = points >= case.core.needs[case.side]
    over = case.core.rules.opening_compare == "gt"
    variant = ("over" if over else "") if enough else "exempt"
    return Told(variant, {"points": Points(points), "need": Points(need)})


def opens_cheaply(case: Case) -> Told | None:
    """First melds without a wild card, though the seat holds some."""
    if not case.opens or case.wilds_used or not case.wilds_kept or case.ended is not None:
        return None
    return Told("", {"wilds": Some("W", case.wilds_kept)})


def natural_canasta(case: Case) -> Told | None:
    """A canasta without wild cards is made."""
    for one in _completed(case):
        if not one.wilds:
            points = Points(case.core.rules.natural_canasta)
            return Told("", {"ranks": Many(GROUP_RANKS[one.slot]), "points": points})
    return None


def completes_canasta(case: Case) -> Told | None:
    """A canasta with wild cards is made, or of them."""
    rules = case.core.rules
    for one in _completed(case):
        if one.wilds:
            wild = one.slot == WILD_SLOT
            points = Points(rules.wild_canasta_bonus if wild else rules.mixed_canasta)
            facts: Facts = {"ranks": Many(GROUP_RANKS[one.slot]), "points": points}
            return Told("wild" if wild else "", facts)
    return None


def nearly_canasta(case: Case) -> Told | None:
    """A meld is brought within one card or two of a canasta."""
    near = [one for one in case.grown if one.slot != BLACK3_SLOT and _NEAR <= one.size < CANASTA]
    if case.ended is not None or not near:
        return None
    best = max(near, key=lambda one: one.size)
    facts: Facts = {"ranks": Many(GROUP_RANKS[best.slot]), "have": Number(best.size)}
    return Told("one" if best.size == CANASTA - 1 else "two", facts)


def saves_wild(case: Case) -> Told | None:
    """An opened side lays naturals alone, and the seat keeps wild cards."""
    if not case.lays or case.opens or case.wilds_used or not case.wilds_kept:
        return None
    return None if case.ended is not None else Told("", {"wilds": Some("W", case.wilds_kept)})


def lays_points(case: Case) -> Told | None:
    """What is on the table counts for the side."""
    if not case.lays:
        return None
    points = {"points": Points(worth(case.core, case.move))}
    return Told("take" if case.move.kind == TAKE else "", points)


def _completed(case: Case) -> list[Grown]:
    """Give the melds that become canastas."""
    return [
        one for one in case.grown if one.slot != BLACK3_SLOT and one.before < CANASTA <= one.size
    ]
