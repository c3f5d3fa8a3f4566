"""The three doors to the pile, each open or shut with its own reason (R-42 to R-50).

The reason is the first rule, in the order of docs/rules.md, that stands between the seat and its
nearest way through that door. Out of turn the doors are those of the seat's own turn, were the
pile to stay as it lies.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import acts, cards, options, pile
from fairdeal.canasta.explain.asif import in_turn, own_turn
from fairdeal.canasta.explain.case import Told, case_of
from fairdeal.canasta.explain.opening import opens_door
from fairdeal.canasta.explain.refusals import Refusal, pile_facts, refusal
from fairdeal.canasta.explain.remedies import remedy
from fairdeal.canasta.explain.shut import Shut, shut
from fairdeal.canasta.moves import compose, to_act
from fairdeal.canasta.position import DRAW, OVER, Position, slot_of
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import Facts, Language, Many, One

DOORS: Final = (pile.PAIR, pile.NATURAL_WILD, pile.LAY_ON_MELD)
"""The doors in the order in which they are told."""
_ORDER: Final = (
    *("WRONG_PHASE", "PILE_EMPTY", "TOP_WILD", "TOP_BLACK3", "TOP_RED3", "STOCK_EMPTY"),
    *("ONE_CARD_HAND_ONE_CARD_PILE", "CANASTA_CLOSED", "TAKE_MODE_NOT_ALLOWED", "FROZEN"),
    *("FROZEN_UNOPENED", "NOT_IN_HAND", "BLACK3_NO_WILDS", "ALL_WILD_MELD", "WILD_MELD_FULL"),
    *("MIN_SIZE", "MIN_NATURALS", "MAX_WILDS", "WILD_RATIO", "CANASTA_MIN_NATURALS"),
    *("OPENING_MINIMUM", "INCOMPLETE_MELD_LIMIT", "BLACK3_ONLY_GOING_OUT", "PARTNER_SAID_NO"),
    *("KEEP_CARD", "DISCARD_REQUIRED", "NOT_YOUR_TURN"),
)
"""How near a shut door is: the later its reason stands here, the less is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """One way to take the pile.

    Attributes:
        name: ``pair``, ``natural_wild`` or ``lay_on_meld``.
        act: The cheapest act that goes through it, or the refused one that came nearest; empty
            where the cards of this door take the pile only through another one.
        sentence: What opens it, or what shuts it.
        refusal: Why it is shut; of a door that is open but for the turn NOT_YOUR_TURN.
        facts: Frozen, opened, top, hand.
        counts: The numbers of the sentence; of an opening need, total, missing and best_with.
        remedy: A legal act after which the refused one is legal.
    """

    name: str
    act: str
    sentence: str
    refusal: Refusal | None
    facts: Mapping[str, object]
    counts: Mapping[str, object]
    remedy: str | None = None

    @property
    def open(self) -> bool:
        """Whether a legal act goes through it now."""
        return self.refusal is None


def doors(
    position: Position,
    seat: int,
    listed: Iterable[acts.Act] | None = None,
    language: Language = ENGLISH,
) -> tuple[Door, ...]:
    """Give the three doors, in the order pair, natural and wild, existing meld.

    Args:
        position: The hand, or what the seat knows of it.
        seat: The seat.
        listed: The legal acts of the seat in turn, if they have been listed already.
        language: The language of the sentences.
    """
    now = in_turn(position, seat)
    over = position.phase == OVER
    known = knowledge(position, seat) if over else own_turn(position, seat)
    if listed is None or not now:
        ready = known.phase == DRAW and bool(known.pile)
        listed = [to_act(known, seat, move) for move in options.takes(known)] if ready else []
    takes = [act for act in listed if isinstance(act, acts.Take)]
    return tuple(_door(known, seat, name, takes, now, language) for name in DOORS)


def nearest(found: Iterable[Door]) -> Door:
    """Give the best open door, or the nearest shut one: the one to name first."""
    return max(found, key=_nearness)


def _nearness(door: Door) -> tuple[bool, int]:
    if door.refusal is None:
        return True, -_price(acts.parse(door.act))
    return False, _ORDER.index(door.refusal.code)


def _price(act: acts.Act) -> int:
    """Give what an act costs: each wild card as much as many others."""
    used = acts.cards_of(act)
    return len(used) + 40 * sum(face[0] in "2J" and face != "JC" for face in used)


def _door(
    known: Position, seat: int, name: str, takes: list[acts.Take], now: bool, language: Language
) -> Door:
    fitting = [act for act in takes if _goes_through(known, seat, name, act)]
    way = min(fitting, key=lambda act: (_price(act), acts.format_act(act)), default=None)
    found = Shut("", way, Told("", {})) if way else shut(known, seat, name)
    if found.code:
        return _closed(known, seat, name, found, now, language)
    assert isinstance(found.act, acts.Take)
    case = case_of(known, seat, found.act)
    ranks: Facts = {"ranks": Many(found.act.rank), "rank": One(found.act.rank)}
    why = None if now else refusal(case, "NOT_YOUR_TURN", Told(name, ranks), language)
    return Door(
        name=name,
        act=acts.format_act(found.act),
        sentence=why.sentence if why else language.say("open", name, ranks),
        refusal=why,
        facts=pile_facts(case),
        counts={},
    )


def _closed(
    known: Position, seat: int, name: str, found: Shut, now: bool, language: Language
) -> Door:
    act = found.act or acts.Take("4")
    why = refusal(case_of(known, seat, act), found.code, found.told, language)
    return Door(
        name=name,
        act=acts.format_act(act) if found.act else "",
        sentence=why.sentence,
        refusal=why,
        facts=why.facts,
        counts={**why.counts, **found.best},
        remedy=remedy(known, seat, act) if now and found.act else None,
    )


def _goes_through(known: Position, seat: int, name: str, act: acts.Take) -> bool:
    """Say whether a legal take goes through a door."""
    side = known.side_of[seat]
    own = compose(act)[0].heaps[0]
    if name not in pile.doors(known, side):
        return False
    if name == pile.LAY_ON_MELD:
        slot = slot_of(cards.CLASS_OF[known.pile[-1]])
        open_to_pile = known.rules.lay_on_completed_canasta
        closed = pile.is_complete(known, side, slot) and not open_to_pile
        return pile.meld_stands(known, side, slot) and not closed
    return opens_door(name, own)
