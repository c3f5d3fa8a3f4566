"""The values of the codes about opening, limits, going out and the question (reasons.py)."""

from collections.abc import Callable
from typing import Final

from fairdeal.canasta.explain.case import Case, Told
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    CANASTA,
    DRAW,
    PILE,
    SHOW,
    canastas,
    minimum_at,
)
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.wording import Facts, Many, Number, Points, Some

STEP: Final = 5
"""All points are multiples of five, so *more than 50* is 55 at least (R-28)."""


def opening_facts(rules: Ruleset, total: int, points: int) -> Facts:
    """Give what an opening of some points lacks at a game total (R-27 to R-29)."""
    need = minimum_at(rules, total)
    least = need + STEP if rules.opening_compare == "gt" else need
    return {"total": Points(points), "need": Points(need), "missing": Points(least - points)}


def _opening(case: Case) -> Told:
    known = case.known
    facts = opening_facts(known.rules, known.totals[case.side], case.points())
    return Told("over" if known.rules.opening_compare == "gt" else "", facts)


def _melds_after(case: Case) -> tuple[list[int], list[int]]:
    naturals, wilds = case.known.naturals[case.side][:], case.known.wilds[case.side][:]
    for one in case.merged():
        naturals[one.heap.slot], wilds[one.heap.slot] = one.naturals, one.wilds
    return naturals, wilds


def _incomplete(case: Case) -> Told:
    naturals, wilds = _melds_after(case)
    have = sum(0 < naturals[slot] + wilds[slot] < CANASTA for slot in range(BLACK3_SLOT))
    limit = Some("unfinished", case.known.rules.incomplete_meld_limit or 0)
    return Told("", {"limit": limit, "have": Number(have)})


def _keep_card(case: Case) -> Told:
    rules, left = case.known.rules, case.left()
    naturals, wilds = _melds_after(case)
    every, _ = canastas(naturals, wilds)
    facts: Facts = {
        "left": Number(left),
        "canastas": Some("canasta", rules.canastas_to_go_out - every),
    }
    tail = "one" if left else "none"
    if every < rules.canastas_to_go_out:
        return Told(tail, facts)
    return Told(f"natural_{tail}", facts)


def _black3(case: Case) -> Told:
    return Told("", {"left": Some("card", case.left())})


def _ask_too_late(case: Case) -> Told:
    known = case.known
    if known.phase in (DRAW, SHOW):
        return Told("early", {})
    if known.drew == PILE:
        return Told("pile", {})
    return Told("laid" if known.laid_now else "again", {})


def _must_go_out(case: Case) -> Told:
    return Told("turn" if case.ends_turn else "", {"left": Some("card", case.left())})


def _said_no(case: Case) -> Told:
    variant = "" if case.known.answer == "no" else "unasked"
    need = Some("card", 1 if case.ends_turn else 2)
    return Told(variant, {"need": need, "left": Some("card", case.left())})


def _opponent(case: Case) -> Told:
    return Told("", {"ranks": Many(next(case.merged()).rank)})


def _plain(_: Case) -> Told:
    return Told("", {})


ENDINGS: Final[dict[str, Callable[[Case], Told]]] = {
    "OPENING_MINIMUM": _opening,
    "INCOMPLETE_MELD_LIMIT": _incomplete,
    "KEEP_CARD": _keep_card,
    "DISCARD_REQUIRED": _plain,
    "BLACK3_ONLY_GOING_OUT": _black3,
    "ASK_TOO_LATE": _ask_too_late,
    "CANNOT_GO_OUT": _plain,
    "PERMISSION_NOT_IN_RULES": _plain,
    "MUST_GO_OUT": _must_go_out,
    "PARTNER_SAID_NO": _said_no,
    "OPPONENT_MELD": _opponent,
}
