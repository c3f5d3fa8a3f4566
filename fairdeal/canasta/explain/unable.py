"""What is shut beside the pile: drawing, laying, discarding, asking, ending, going out.

For each kind of act that is not listed, the act that came nearest and the first rule that it
breaks. Melds are told by rank, for each rank of which the seat holds a card.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from fairdeal.canasta import acts, cards, finish
from fairdeal.canasta.explain.asif import in_turn
from fairdeal.canasta.explain.case import Told, case_of
from fairdeal.canasta.explain.endings import opening_facts
from fairdeal.canasta.explain.opening import best_lay
from fairdeal.canasta.explain.reasons import told
from fairdeal.canasta.explain.refusals import Refusal, refusal
from fairdeal.canasta.explain.remedies import remedy
from fairdeal.canasta.judge import judge
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import DISCARD, LAY, Heap, Move, class_of_slot, slot_of_rank, to_act
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    PLAY,
    SLOTS,
    WILD_SLOT,
    Position,
    canastas,
    melds_suffice,
)
from fairdeal.canasta.wording import Language, Some

Unable: TypeAlias = tuple[str, str, Refusal, str | None]
"""The kind of an act, the nearest one, the reason, the remedy."""


def unable(
    known: Position, seat: int, listed: tuple[acts.Act, ...], language: Language
) -> Iterator[Unable]:
    """Give kind, nearest act, reason and remedy of everything beside the pile that is shut."""
    for kind, act in (("draw", acts.Draw()), ("ask", acts.Ask()), ("end", acts.End())):
        code = next(faults(known, seat, act), None)
        if code is not None:
            yield _told(known, seat, kind, act, code, listed, language)
    if not in_turn(known, seat) or known.phase != PLAY:
        yield from _not_playing(known, seat, listed, language)
        return
    yield from _lays(known, seat, listed, language)
    yield from _discards(known, seat, listed, language)
    yield from _going_out(known, seat, language)


def _told(
    known: Position,
    seat: int,
    kind: str,
    act: acts.Act,
    code: str,
    listed: tuple[acts.Act, ...],
    language: Language,
) -> Unable:
    case = case_of(known, seat, act)
    why = refusal(case, code, told(case, code), language)
    return kind, acts.format_act(act), why, remedy(known, seat, act, listed)


def _not_playing(
    known: Position, seat: int, listed: tuple[acts.Act, ...], language: Language
) -> Iterator[Unable]:
    """Before the draw, and out of turn: one act of each kind stands for all."""
    held = [klass for klass in range(cards.CLASSES) if known.counts[seat][klass]]
    if not held:
        return
    slots = [slot for slot in range(SLOTS) if known.counts[seat][class_of_slot(slot)]]
    most = max(slots, key=lambda slot: known.counts[seat][class_of_slot(slot)], default=None)
    wanted: list[tuple[str, Move]] = [("discard", Move(DISCARD, (), held[0]))]
    if most is not None:
        heap = Heap(most, known.counts[seat][class_of_slot(most)], 0, 0)
        wanted.insert(0, ("lay", Move(LAY, (heap,))))
    for kind, move in wanted:
        act = to_act(known, seat, move)
        code = next(faults(known, seat, act), None)
        if code is not None:
            yield _told(known, seat, kind, act, code, listed, language)


def _lays(
    known: Position, seat: int, listed: tuple[acts.Act, ...], language: Language
) -> Iterator[Unable]:
    """Tell for each rank held why it cannot be laid; the opening is told once for all."""
    open_slots = {
        slot_of_rank(one.rank) for act in listed if isinstance(act, acts.Lay) for one in act.groups
    }
    short = False
    for slot in range(SLOTS):
        move = None if slot in open_slots else _nearest(known, seat, slot)
        if move is None:
            continue
        act = to_act(known, seat, move)
        codes = list(judge(known, seat, move))
        if not codes:
            continue
        if codes[0] == "OPENING_MINIMUM":
            short = True
            continue
        yield _told(known, seat, "lay", act, codes[0], listed, language)
    if short and not any(isinstance(act, acts.Lay) for act in listed):
        yield from _opening(known, seat, listed, language)


def _opening(
    known: Position, seat: int, listed: tuple[acts.Act, ...], language: Language
) -> Iterator[Unable]:
    best = best_lay(known, seat)
    if best is None:
        return
    act = to_act(known, seat, best.move)
    code = next(faults(known, seat, act), None)
    if code is None:
        return
    case = case_of(known, seat, act)
    total = known.totals[case.side]
    facts = opening_facts(known.rules, total, best.points)
    over = "best_over" if known.rules.opening_compare == "gt" else "best"
    why = refusal(case, code, Told(over, facts), language)
    why = replace(why, facts={**why.facts, "best_with": _groups(act)})
    yield "lay", acts.format_act(act), why, remedy(known, seat, act, listed)


def _groups(act: acts.Act) -> list[list[str]]:
    return [list(one.cards) for one in acts.groups_of(act)]


def _nearest(known: Position, seat: int, slot: int) -> Move | None:
    """Give the lay of one rank that breaks fewest rules, or None where the seat holds none."""
    counts = known.counts[seat]
    held = 0 if slot == WILD_SLOT else counts[class_of_slot(slot)]
    wild = slot != BLACK3_SLOT
    if not held and not (slot == WILD_SLOT and known.rules.wild_melds == "allowed"):
        return None
    heaps = [
        Heap(slot, *one)
        for one in product(
            range(min(1, held), held + 1),
            range(counts[cards.DEUCE] + 1 if wild else 1),
            range(counts[cards.JOKER] + 1 if wild else 1),
        )
    ]
    moves = [Move(LAY, (heap,)) for heap in heaps if heap.size]
    return min(
        moves,
        key=lambda move: (len(list(judge(known, seat, move))), -move.heaps[0].naturals, move),
        default=None,
    )


def _discards(
    known: Position, seat: int, listed: tuple[acts.Act, ...], language: Language
) -> Iterator[Unable]:
    for klass in range(cards.CLASSES):
        if known.counts[seat][klass]:
            act = to_act(known, seat, Move(DISCARD, (), klass))
            code = next(faults(known, seat, act), None)
            if code is not None:
                yield _told(known, seat, "discard", act, code, listed, language)


def _going_out(known: Position, seat: int, language: Language) -> Iterator[Unable]:
    """Say why the turn cannot go out: an exact search over all that is held (R-X5, R-X7)."""
    rules, side = known.rules, known.side_of[seat]
    view, counts = finish.table(known, seat), known.counts[seat]
    reason: Told | None = None
    if known.answer == "no":
        reason = Told("said_no", {})
    elif finish.can_finish(view, counts):
        if rules.permission == "required" and known.answer != "yes":
            reason = Told("asking", {})
    else:
        free = replace(rules, canastas_to_go_out=0, go_out_needs_natural=False)
        every, _ = canastas(known.naturals[side], known.wilds[side])
        needed = rules.canastas_to_go_out
        facts = {"need": Some("canasta", needed), "have": Some("canasta", every)}
        enough = melds_suffice(rules, known.naturals[side], known.wilds[side])
        opens = finish.can_finish(view._replace(rules=free), counts)
        if enough or not opens:
            reason = Told("cards", facts)
        else:
            reason = Told("canastas" if every < needed else "natural", facts)
    if reason is not None:
        case = case_of(known, seat, acts.Ask())
        yield "go_out", "", refusal(case, "CANNOT_GO_OUT", reason, language), None
