"""Warnings before legal but costly acts. They are advice: each can be switched off by its name."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import acts, cards
from fairdeal.canasta.explain.case import Case, case_of, wilds_held
from fairdeal.canasta.position import CANASTA, Position, melds_suffice
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Facts, Language, Many, Points

WARNINGS: Final = frozenset(
    {"natural_becomes_mixed", "last_wild", "next_side_melded", "cannot_go_out"}
)
"""The names of all warnings."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning: its name and its sentence."""

    name: str
    sentence: str


def warnings(
    known: Position,
    seat: int,
    act: acts.Act,
    on: Collection[str] = WARNINGS,
    language: Language = ENGLISH,
) -> tuple[Warned, ...]:
    """Give the warnings before a legal act of a seat.

    Args:
        known: What the seat knows.
        seat: The seat in turn.
        act: A legal act.
        on: The names of the warnings that are switched on.
        language: The language of the sentences.
    """
    case = case_of(known, seat, act)
    return tuple(
        Warned(name, language.say(f"warn.{name}", "", facts))
        for name, facts in _all(case)
        if name in on
    )


def _all(case: Case) -> Iterator[tuple[str, Facts]]:
    known, rules, side = case.known, case.known.rules, case.side
    naturals, wilds = known.naturals[side][:], known.wilds[side][:]
    for one in case.merged():
        slot = one.heap.slot
        naturals[slot], wilds[slot] = one.naturals, one.wilds
        if one.before[0] >= CANASTA and not one.before[1] and one.heap.wilds:
            points = {
                "mixed": Points(rules.mixed_canasta),
                "natural": Points(rules.natural_canasta),
            }
            yield "natural_becomes_mixed", {"ranks": Many(one.rank), **points}
    used = sum(
        cards.is_wild(cards.CLASS_OF[cards.NUMBER[face]]) for face in acts.cards_of(case.act)
    )
    if used and used == wilds_held(known, case.seat):
        yield "last_wild", {}
    suffices = melds_suffice(rules, known.naturals[side], known.wilds[side])
    if suffices and not melds_suffice(rules, naturals, wilds):
        yield "cannot_go_out", {}
    face = case.act.card if isinstance(case.act, acts.Discard) else None
    face = case.act.discard if isinstance(case.act, acts.Lay) else face
    if face is not None:
        yield from _gift(case, face)


def _gift(case: Case, face: str) -> Iterator[tuple[str, Facts]]:
    """Warn before a discard that fits a meld of the side that plays next."""
    known, klass = case.known, cards.CLASS_OF[cards.NUMBER[face]]
    other = known.side_of[(case.seat + 1) % known.rules.players]
    if klass > cards.ACE or other == case.side:
        return
    if known.naturals[other][klass] + known.wilds[other][klass]:
        yield "next_side_melded", {"ranks": Many(face[0])}
