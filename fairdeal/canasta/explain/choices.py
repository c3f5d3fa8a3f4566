"""What a seat can do and what it cannot, each in a sentence (product §8).

Works at any time. Out of turn nothing can be done; the doors and the opening are then told as
for the seat's own turn, were it to begin now.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from fairdeal.canasta import acts
from fairdeal.canasta.describe import describe
from fairdeal.canasta.explain.asif import drawn, in_turn, own_turn
from fairdeal.canasta.explain.costs import WARNINGS, Warned, warnings
from fairdeal.canasta.explain.doors import Door, doors, nearest
from fairdeal.canasta.explain.opening import best_lay
from fairdeal.canasta.explain.refusals import Refusal
from fairdeal.canasta.explain.unable import unable
from fairdeal.canasta.listing import legal_acts
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import ASKED, OVER, PLAY, Position
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import Facts, Language, Points


@dataclass(frozen=True, slots=True)
class Can:
    """A legal act: its text, what it does, and what to mind."""

    act: str
    sentence: str
    warnings: tuple[Warned, ...]


@dataclass(frozen=True, slots=True)
class Cannot:
    """Something that cannot be done.

    Attributes:
        kind: ``draw``, ``take``, ``lay``, ``discard``, ``ask``, ``end`` or ``go_out``.
        door: Of a take, which door.
        act: The refused act that came nearest; empty where there is none to name.
        refusal: Why.
        remedy: A legal act after which that act is legal, where the own hand has one.
    """

    kind: str
    door: str | None
    act: str
    refusal: Refusal
    remedy: str | None


@dataclass(frozen=True, slots=True)
class Opening:
    """What a side that has not opened needs, and the most that the seat can lay for it.

    Attributes:
        need: The minimum count of the side.
        best: The greatest total of one act with the cards held, 0 if no meld can be laid; cards
            yet to be drawn are not counted, the pile is not taken.
        act: An act with that total; empty if there is none.
    """

    need: int
    best: int
    act: str


@dataclass(frozen=True, slots=True)
class Choices:
    """All that a seat can and cannot do.

    Attributes:
        seat: The seat.
        now: Whether it must act now.
        headline: One sentence. Before a turn begins it is about the pile: the best open door,
            or the nearest shut one; later about what is left to do.
        can: Every legal act, as it is listed.
        cannot: Every kind of act that is shut, and each shut door.
        doors: The three doors, open or shut.
        opening: Of a side that has not opened, else None.
    """

    seat: int
    now: bool
    headline: str
    can: tuple[Can, ...]
    cannot: tuple[Cannot, ...]
    doors: tuple[Door, ...]
    opening: Opening | None


def choices(
    position: Position,
    seat: int,
    *,
    warn: Collection[str] = WARNINGS,
    language: Language = ENGLISH,
) -> Choices:
    """Give what a seat can and cannot do.

    Args:
        position: The hand, or what the seat knows of it: no more is used.
        seat: The seat.
        warn: The names of the warnings that are switched on.
        language: The language of the sentences.
    """
    known = knowledge(position, seat)
    now = in_turn(known, seat)
    listed = tuple(legal_acts(known)) if now else ()
    three = doors(known, seat, listed, language)
    first = opening(known, seat)
    return Choices(
        seat=seat,
        now=now,
        headline=_headline(known, now, three, first, language),
        can=tuple(
            Can(
                acts.format_act(act),
                describe(known, act, language),
                warnings(known, seat, act, warn, language),
            )
            for act in listed
        ),
        cannot=tuple(_cannot(known, seat, listed, three, language)),
        doors=three,
        opening=first,
    )


def _headline(
    known: Position, now: bool, three: tuple[Door, ...], found: Opening | None, language: Language
) -> str:
    if now and known.phase == ASKED:
        return language.say("headline", "asked")
    if not now or known.phase != PLAY:
        return nearest(three).sentence
    if known.last_red3:
        return language.say("NO_DISCARD_AFTER_LAST_RED3")
    if found is None or not found.best:
        return language.say("headline", "play")
    facts: Facts = {"best": Points(found.best), "need": Points(found.need)}
    return language.say("headline", "open", facts)


def opening(position: Position, seat: int) -> Opening | None:
    """Give what the side of a seat needs to open, and the most that the seat can lay."""
    known = position
    side = known.side_of[seat]
    if known.opened(side):
        return None
    need = known.minimum(side)
    if known.phase == OVER:
        return Opening(need, 0, "")
    then = drawn(own_turn(known, seat), seat)
    best = best_lay(then, seat) if then.phase == PLAY else None
    if best is None:
        return Opening(need, 0, "")
    return Opening(need, best.points, acts.format_act(to_act(then, seat, best.move)))


def _cannot(
    known: Position,
    seat: int,
    listed: tuple[acts.Act, ...],
    three: tuple[Door, ...],
    language: Language,
) -> Iterator[Cannot]:
    for door in three:
        if door.refusal is not None:
            yield Cannot("take", door.name, door.act, door.refusal, door.remedy)
    for kind, act, refused, remedy in unable(known, seat, listed, language):
        yield Cannot(kind, None, act, refused, remedy)


def as_json(found: Choices) -> dict[str, object]:
    """Give choices as JSON, as the API writes them."""
    return {
        "headline": found.headline,
        "can": [
            {
                "act": one.act,
                "sentence": one.sentence,
                "warnings": [{"name": w.name, "sentence": w.sentence} for w in one.warnings],
            }
            for one in found.can
        ],
        "cannot": [
            {
                "kind": one.kind,
                "door": one.door,
                "act": one.act,
                **_refusal(one.refusal),
                "remedy": one.remedy,
            }
            for one in found.cannot
        ],
        "opening": None
        if found.opening is None
        else {
            "need": found.opening.need,
            "best": found.opening.best,
            "act": found.opening.act,
        },
    }


def _refusal(one: Refusal) -> Mapping[str, object]:
    return {
        "code": one.code.lower(),
        "sentence": one.sentence,
        "facts": dict(one.facts),
        "counts": dict(one.counts),
        "rule": one.rule,
        "help": one.help,
    }
