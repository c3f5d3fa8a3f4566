"""Reasons about what must be, going out, and the partner's question."""

from typing import Final

from fairdeal.bots.partner import LOOSE, loose_points
from fairdeal.bots.reasons.case import Case, Told
from fairdeal.canasta import legality
from fairdeal.canasta.judge import can_finish_now, is_bound
from fairdeal.canasta.moves import ASK, DISCARD, END, LAY, NO, SHOW, TAKE, YES
from fairdeal.canasta.position import melds_suffice
from fairdeal.canasta.wording import Points, Some

MANY: Final = 5
"""A partner with so many cards may lose much."""
FEW: Final = 3
"""Whoever holds no more cards may be out soon."""
SHORT: Final = 8
"""A stock of no more cards runs out soon."""


def only_move(case: Case) -> Told | None:
    """Nothing else is legal. Lays and takes are left out: others may follow from those listed."""
    return Told("", {}) if not case.lays and case.is_alone else None


def must(case: Case) -> Told | None:
    """The rules ask for it."""
    core, kind = case.core, case.move.kind
    if kind == SHOW:
        return Told("show", {})
    if kind in (LAY, DISCARD) and is_bound(core):
        return Told("bound", {})
    if kind == TAKE and not core.stock_left and legality.must_take(core):
        return Told("take", {})
    return None


def goes_out(case: Case) -> Told | None:
    """The seat goes out, with the move or with the one card that it leaves."""
    if case.ended is None:
        return None
    then = bool(case.core.sizes[case.seen.seat] - case.move.used) and case.move.kind != TAKE
    facts = {"points": Points(case.core.rules.going_out_bonus)}
    return Told("then" if then else "", facts)


def concealed(case: Case) -> Told | None:
    """The seat goes out concealed, and that pays."""
    points = case.core.rules.concealed_extra
    if case.ended is None or not case.ended.concealed or not points:
        return None
    return Told("", {"points": Points(points)})


def partner_may_lose(case: Case) -> Told | None:
    """Going out costs what a partner with many cards holds."""
    core = case.core
    partners = [one for one in core.rules.side_seats[case.side] if one != case.seen.seat]
    most = max((core.sizes[one] for one in partners), default=0)
    if case.ended is None or most < MANY:
        return None
    return Told("", {"cards": Some("card", most)})


def asks_partner(case: Case) -> Told | None:
    """The question before going out."""
    if case.move.kind != ASK:
        return None
    return Told("" if can_finish_now(case.core, case.seen.seat) else "unsure", {})


def answers_partner(case: Case) -> Told | None:
    """What a yes would cost the seat."""
    kind = case.move.kind
    if kind not in (YES, NO):
        return None
    loose = loose_points(case.core, case.seen.seat)
    wanted = YES if loose <= LOOSE else NO
    facts = {"loose": Points(loose), "most": Points(LOOSE)}
    return Told(kind if kind == wanted else f"{kind}_though", facts)


def way_out(case: Case) -> Told | None:
    """With it the side has the canastas that going out takes."""
    before, after = case.suffices
    if not case.lays or before or not after:
        return None
    return Told("", {"canastas": Some("canasta", case.core.rules.canastas_to_go_out)})


def they_may_go_out(case: Case) -> Told | None:
    """Somebody on a side that has its canastas holds few cards."""
    core = case.core
    if not case.lays or case.ended is not None:
        return None
    for seat, size in enumerate(core.sizes):
        side = core.side_of[seat]
        ready = melds_suffice(core.rules, core.naturals[side], core.wilds[side])
        if side != case.side and size <= FEW and ready:
            return Told("", {"seat": Points(seat), "cards": Some("card", size)})
    return None


def stock_runs_out(case: Case) -> Told | None:
    """The hand ends soon, or now, with the stock."""
    core = case.core
    if case.move.kind == END:
        return Told("red3" if core.last_red3 else "end", {})
    if case.lays and case.ended is None and core.stock_left <= SHORT:
        return Told("", {"cards": Some("card", core.stock_left)})
    return None
