"""The case and the values of each code of turn, pile and shape: what its sentence names.

Each reader is handed a ``Case`` and gives the catalogue's variant and its values, all of it read
off the seat's knowledge (product §8). Those of opening and going out are in ``endings``.
"""

from collections.abc import Callable
from typing import Final

from fairdeal.canasta import acts, cards, pile
from fairdeal.canasta.explain.case import Case, Merged, Told, rank_of_top, ways
from fairdeal.canasta.explain.endings import ENDINGS
from fairdeal.canasta.position import ASKED, DRAW, OVER, SHOW, WILD_SLOT
from fairdeal.canasta.shape import shape_faults
from fairdeal.canasta.wording import Card, Facts, Many, Number, One, Points, Some

Reader = Callable[[Case], Told]


def told(case: Case, code: str) -> Told:
    """Give the variant and the values of a code that the case's act breaks."""
    return READERS[code](case)


def _plain(_: Case) -> Told:
    return Told("", {})


def _not_your_turn(case: Case) -> Told:
    known = case.known
    if known.phase == OVER:
        return Told("over", {})
    return Told("asked" if known.phase == ASKED else "", {"seat": Points(known.turn)})


def _not_partner(case: Case) -> Told:
    return Told("", {"seat": Points(case.known.turn)})


def _wrong_phase(case: Case) -> Told:
    known, act = case.known, case.act
    if known.phase == ASKED:
        return Told("asked", {})
    if isinstance(act, acts.Answer):
        return Told("no_question", {})
    if isinstance(act, acts.Show):
        return Told("nothing_to_show", {})
    if known.phase == SHOW:
        return Told("show", {"cards": Some("red3", known.counts[case.seat][cards.RED3])})
    if isinstance(act, acts.End) and known.phase == DRAW:
        return Told("stock_left", {"cards": Some("card", known.stock_left)})
    return Told("begin" if known.phase == DRAW else "begun", {})


def _stock_empty(case: Case) -> Told:
    return Told("take" if isinstance(case.act, acts.Take) else "", {})


def _must_take(case: Case) -> Told:
    rank = rank_of_top(case.top or "4C")
    if case.known.rules.stock_empty == "must_if_any":
        return Told("any", {"rank": One(rank)})
    return Told("fits", {"ranks": Many(rank)})


def _top_wild(case: Case) -> Told:
    top = case.top or cards.JOKER_FACE
    return Told("", {"top": One("JK" if top == cards.JOKER_FACE else "2", article=True)})


def _not_in_hand(case: Case) -> Told:
    used = acts.cards_of(case.act)
    held = case.known.held[case.seat]
    for face in dict.fromkeys(used):
        have, need = held[cards.NUMBER[face]], used.count(face)
        if need > have:
            facts: Facts = {"card": Card(face), "need": Number(need), "have": Number(have)}
            return Told("fewer" if have else "", facts)
    return Told("locked", {})


def _top_not_used(case: Case) -> Told:
    top = case.top or "4C"
    return Told("", {"card": Card(top), "ranks": Many(rank_of_top(top))})


def _frozen(case: Case) -> Told:
    allowed = case.known.rules.take_frozen
    if allowed != (pile.PAIR,):
        return Told("doors", {"doors": ways(allowed)})
    rank = rank_of_top(case.top or "4C")
    held = case.naturals_held(rank)
    laid = case.move.heaps[0].naturals if case.move else 0
    have = held if held < 2 else laid
    return Told("held" if held < 2 else "laid", {"ranks": Many(rank), "have": Some(rank, have)})


def _take_mode(case: Case) -> Told:
    allowed = case.known.rules.take_unfrozen
    rank = rank_of_top(case.top or "4C")
    lone = case.move is not None and not case.move.heaps[0].size
    if lone and pile.LAY_ON_MELD in allowed:
        return Told("no_meld", {"ranks": Many(rank)})
    return Told("", {"doors": ways(allowed)})


def _guilty(case: Case, code: str) -> Merged:
    """Find the first group whose meld breaks a rule of shape."""
    rules = case.known.rules
    for one in case.merged():
        found = shape_faults(rules, one.heap.slot, one.before, one.added, one.heap.wilds)
        if code in found:
            return one
    return next(case.merged())


def _rank_mismatch(case: Case) -> Told:
    groups = acts.groups_of(case.act)
    if isinstance(case.act, acts.Take):
        groups = (acts.Group(case.act.rank, case.act.own), *groups)
    for one in groups:
        for face in one.cards:
            passes = face == cards.JOKER_FACE or face[0] == "2" or face in ("3D", "3H")
            if not passes and (face[0] != one.rank or one.rank == "W"):
                return Told("", {"card": Card(face), "ranks": Many(one.rank)})
    raise AssertionError("no card of another rank")


def _min_size(case: Case) -> Told:
    one = _guilty(case, "MIN_SIZE")
    need = case.known.rules.meld_min_size
    have = Number(one.naturals + one.wilds)
    return Told("", {"ranks": Many(one.rank), "need": Some("card", need), "have": have})


def _min_naturals(case: Case) -> Told:
    one = _guilty(case, "MIN_NATURALS")
    need = Some(one.rank, case.known.rules.meld_min_naturals)
    return Told("", {"ranks": Many(one.rank), "need": need, "have": Number(one.naturals)})


def _max_wilds(case: Case) -> Told:
    one = _guilty(case, "MAX_WILDS")
    limit = Some("W", case.known.rules.meld_max_wilds or 0)
    return Told("", {"ranks": Many(one.rank), "limit": limit, "have": Number(one.wilds)})


def _wild_ratio(case: Case) -> Told:
    one = _guilty(case, "WILD_RATIO")
    variant = "le" if case.known.rules.wild_ratio == "le_naturals" else "lt"
    return Told(variant, {"wilds": Number(one.wilds), "naturals": Number(one.naturals)})


def _canasta_min_naturals(case: Case) -> Told:
    one = _guilty(case, "CANASTA_MIN_NATURALS")
    need = Some("natural", case.known.rules.canasta_min_naturals)
    return Told("", {"ranks": Many(one.rank), "need": need, "have": Number(one.naturals)})


def _closed(case: Case) -> Told:
    rules = case.known.rules
    first = next(case.merged())
    found = [
        one
        for one in case.merged()
        if "CANASTA_CLOSED"
        in shape_faults(rules, one.heap.slot, one.before, one.added, one.heap.wilds)
    ]
    if not found:
        return Told("pile", {"ranks": Many(first.rank)})
    one = found[0]
    size = one.naturals + one.wilds
    if rules.meld_max_size is not None and size > rules.meld_max_size:
        limit = Some("card", rules.meld_max_size)
        return Told("full", {"ranks": Many(one.rank), "limit": limit, "have": Number(size)})
    return Told("spoil", {"ranks": Many(one.rank)})


def _all_wild(case: Case) -> Told:
    return Told("", {"need": Some("natural", case.known.rules.meld_min_naturals)})


def _wild_full(case: Case) -> Told:
    one = next(one for one in case.merged() if one.heap.slot == WILD_SLOT)
    return Told("", {"have": Number(one.wilds)})


def _black3_wilds(case: Case) -> Told:
    return Told("", {"have": Some("W", _guilty(case, "BLACK3_NO_WILDS").wilds)})


READERS: Final[dict[str, Reader]] = {
    "NOT_YOUR_TURN": _not_your_turn,
    "NOT_PARTNER": _not_partner,
    "WRONG_PHASE": _wrong_phase,
    "STOCK_EMPTY": _stock_empty,
    "MUST_TAKE_PILE": _must_take,
    "PILE_EMPTY": _plain,
    "TOP_WILD": _top_wild,
    "TOP_BLACK3": _plain,
    "TOP_RED3": _plain,
    "ONE_CARD_HAND_ONE_CARD_PILE": _plain,
    "NOT_IN_HAND": _not_in_hand,
    "TOP_CARD_NOT_USED": _top_not_used,
    "FROZEN": _frozen,
    "FROZEN_UNOPENED": _frozen,
    "TAKE_MODE_NOT_ALLOWED": _take_mode,
    "RANK_MISMATCH": _rank_mismatch,
    "MIN_SIZE": _min_size,
    "MIN_NATURALS": _min_naturals,
    "MAX_WILDS": _max_wilds,
    "WILD_RATIO": _wild_ratio,
    "CANASTA_MIN_NATURALS": _canasta_min_naturals,
    "CANASTA_CLOSED": _closed,
    "ALL_WILD_MELD": _all_wild,
    "WILD_MELD_FULL": _wild_full,
    "RED3_NOT_MELDABLE": _plain,
    "BLACK3_NO_WILDS": _black3_wilds,
    "RED3_NOT_DISCARDABLE": _plain,
    "NO_DISCARD_AFTER_LAST_RED3": _plain,
    **ENDINGS,
}
