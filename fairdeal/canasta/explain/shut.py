"""Why a door to the pile is shut (doors.py): the code, the act that came nearest, the values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fairdeal.canasta import acts, cards, pile
from fairdeal.canasta.explain.case import Told, case_of, rank_of_top, ways, wilds_held
from fairdeal.canasta.explain.endings import opening_facts
from fairdeal.canasta.explain.opening import Best, best_take, firsts
from fairdeal.canasta.explain.reasons import told
from fairdeal.canasta.judge import judge
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import TAKE, Heap, Move, to_act
from fairdeal.canasta.position import Position, slot_of
from fairdeal.canasta.wording import Many, Phrase, Some

_EARLY: Final = frozenset(
    {
        *("NOT_YOUR_TURN", "WRONG_PHASE", "PILE_EMPTY", "TOP_WILD", "TOP_BLACK3", "TOP_RED3"),
        *("STOCK_EMPTY", "ONE_CARD_HAND_ONE_CARD_PILE"),
    }
)
"""What shuts every door, whatever the cards."""


@dataclass(frozen=True, slots=True)
class Shut:
    """What shuts a door: ``code`` is empty where ``act`` turns out to be legal."""

    code: str
    act: acts.Act | None
    told: Told
    best: Mapping[str, object] = field(default_factory=dict)


def shut(known: Position, seat: int, name: str) -> Shut:
    """Say what shuts a door for a seat; ``known`` is its knowledge in its own turn."""
    top = cards.FACES[known.pile[-1]] if known.pile else "4C"
    rank = rank_of_top(top)
    bare = acts.Take(rank if rank in cards.MELD_RANKS else "4")
    first = next(iter(faults(known, seat, bare)), "")
    if first in _EARLY:
        act = _smallest(known, seat, name) if known.pile and rank in cards.MELD_RANKS else bare
        return Shut(first, act, told(case_of(known, seat, act), first))
    allowed = pile.doors(known, known.side_of[seat])
    if name not in allowed:
        return _not_allowed(known, seat, name, rank)
    if name == pile.LAY_ON_MELD:
        code = next(pile.door_faults(known, known.side_of[seat], _bare_heap(known)), "")
        if code == "CANASTA_CLOSED":
            return Shut(code, bare, Told("pile", {"ranks": Many(rank)}))
        if code:
            frozen = code != "TAKE_MODE_NOT_ALLOWED"
            doors = Told("doors", {"doors": ways(allowed)})
            return Shut(code, bare, doors if frozen else Told("no_meld", {"ranks": Many(rank)}))
    own = firsts(known, seat, name)
    return _judged(known, seat, own) if own else _lacking(known, seat, name, rank)


def _bare_heap(known: Position) -> Heap:
    return Heap(slot_of(cards.CLASS_OF[known.pile[-1]]), 0, 0, 0)


def _smallest_heap(known: Position, seat: int, name: str) -> Heap:
    """Give the fewest own cards that a door asks for, none where the seat lacks them."""
    fitting = firsts(known, seat, name)
    return min(
        fitting, key=lambda one: (one.size, one.jokers, one.deuces), default=_bare_heap(known)
    )


def _smallest(known: Position, seat: int, name: str) -> acts.Act:
    return to_act(known, seat, Move(TAKE, (_smallest_heap(known, seat, name),)))


def _frozen_code(known: Position, seat: int) -> str:
    """Give the code by which only the frozen pile's doors are open, or nothing."""
    if known.frozen:
        return "FROZEN"
    unopened = not known.opened(known.side_of[seat])
    return "FROZEN_UNOPENED" if unopened and known.rules.frozen_before_opening else ""


def _not_allowed(known: Position, seat: int, name: str, rank: str) -> Shut:
    """The ruleset does not let a pile that lies like this be taken in this way."""
    code = _frozen_code(known, seat)
    side, rules = known.side_of[seat], known.rules
    act: acts.Act | None = _smallest(known, seat, name)
    if next(pile.door_faults(known, side, _smallest_heap(known, seat, name)), None) is None:
        act = None
    if not code:
        doors = ways(rules.take_unfrozen)
        return Shut(
            "TAKE_MODE_NOT_ALLOWED", act, Told("absent", {"door": Phrase(name), "doors": doors})
        )
    if rules.take_frozen == (pile.PAIR,):
        return Shut(code, act, Told("pair", {"ranks": Many(rank), "door": Phrase(name)}))
    return Shut(code, act, Told("doors", {"doors": ways(rules.take_frozen)}))


def _lacking(known: Position, seat: int, name: str, rank: str) -> Shut:
    """The seat lacks a card that the door asks for."""
    code, case = _frozen_code(known, seat), case_of(known, seat, acts.Take(rank))
    held = case.naturals_held(rank)
    if name == pile.PAIR and code and known.rules.take_frozen == (pile.PAIR,):
        act = to_act(known, seat, Move(TAKE, (_bare_heap(known)._replace(naturals=held),)))
        return Shut(code, act, Told("held", {"ranks": Many(rank), "have": Some(rank, held)}))
    wilds = wilds_held(known, seat)
    suits = [face for face in cards.FACES if face[0] == rank]
    if name == pile.PAIR:
        wanted = [suits[0], suits[0]]
        reason = Told("pair", {"ranks": Many(rank), "have": Some(rank, held)})
    else:
        wanted = [suits[0] if not held else _held_face(known, seat, suits), _wild_face(known, seat)]
        facts = {"need": Some(rank, 1), "have": Some(rank, held), "wilds": Some("W", wilds)}
        reason = Told("natural_wild", facts)
    return Shut("NOT_IN_HAND", acts.Take(rank, acts.group(rank, wanted).cards), reason)


def _held_face(known: Position, seat: int, faces: list[str]) -> str:
    return next(face for face in faces if known.held[seat][cards.NUMBER[face]])


def _wild_face(known: Position, seat: int) -> str:
    wild = ["2C", "2D", "2H", "2S", cards.JOKER_FACE]
    return next((face for face in wild if known.held[seat][cards.NUMBER[face]]), "2C")


def _judged(known: Position, seat: int, own: list[Heap]) -> Shut:
    """The cards are there, and what they would make is refused."""
    if not known.opened(known.side_of[seat]):
        best = best_take(known, seat, own)
        if best is not None:
            return _too_small(known, seat, best)
    tried = [Move(TAKE, (heap,)) for heap in own]
    found = [(move, list(judge(known, seat, move))) for move in tried]
    move, codes = min(found, key=lambda item: (len(item[1]), item[0].used, item[0].heaps))
    act = to_act(known, seat, move)
    if not codes:
        return Shut("", act, Told("", {}))
    return Shut(codes[0], act, told(case_of(known, seat, act), codes[0]))


def _too_small(known: Position, seat: int, best: Best) -> Shut:
    """The most that can be laid with the pile does not open."""
    act = to_act(known, seat, best.move)
    code = next(judge(known, seat, best.move), "")
    if not code:
        return Shut("", act, Told("", {}))
    facts = opening_facts(known.rules, known.totals[known.side_of[seat]], best.points)
    over = "best_over" if known.rules.opening_compare == "gt" else "best"
    assert isinstance(act, acts.Take)
    groups = [acts.Group(act.rank, (cards.FACES[known.pile[-1]], *act.own)), *act.groups]
    return Shut(code, act, Told(over, facts), {"best_with": [list(one.cards) for one in groups]})
