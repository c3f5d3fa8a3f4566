"""A refereed hand, judged act by act once its secret is open (protocol.md 6.4).

For each act, in this order: form, turn, pile, cards held, rules, stock positions, red threes
shown; then the end of the hand and its score. The first fault ends the checks of the hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.canasta.acts import apply_act
from verifier.canasta.faces import kind
from verifier.canasta.grammar import ActFormError, parse_act
from verifier.canasta.position import Position
from verifier.canasta.refusal import refusal
from verifier.canasta.ruleset import read_ruleset
from verifier.canasta.score import has_shape, score_fault
from verifier.canasta.table import same_json
from verifier.canasta.turn import Play, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInput:
    """One hand: what was derived for it and what its records say.

    Attributes:
        ruleset: Record 0's ruleset, every field checked.
        sides: The seats of each side, as ``rules.play.sides``.
        seats: How many.
        first_seat: The seat that plays first.
        deck: ``rules.deck``, the face of each card.
        hands: For each seat the cards dealt, after all steps, as indices into the deck.
        laid: For each seat the red threes laid at the deal.
        up: The upcards, the top one last.
        stock: The cards that are left, the next one first.
        acts: Number and body of each ``act`` record of the hand, in order.
        ending: Number, type (``score`` or ``abort``) and body of the record that ends it.
        totals: Each side's total before the hand.
    """

    ruleset: Mapping[str, Any]
    sides: Sequence[Sequence[int]]
    seats: int
    first_seat: int
    deck: Sequence[str]
    hands: Sequence[Sequence[int]]
    laid: Sequence[Sequence[int]]
    up: Sequence[int]
    stock: Sequence[int]
    acts: Sequence[tuple[int, Mapping[str, Any]]]
    ending: tuple[int, str, Mapping[str, Any]]
    totals: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The first thing wrong in a hand.

    Attributes:
        code: The error of 6.4.
        at: The number of the record at which it stands.
        rule: With E_ACT_RULE the rule's code.
        detail: One sentence for people that names what was due.
    """

    code: str
    at: int
    rule: str | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOutcome:
    """What the checks of a hand found.

    Attributes:
        faults: Nothing, or the first fault.
        totals: Each side's total after the hand, with which the next one is judged.
        scored: Whether the hand ended in a score, not in an abort.
    """

    faults: list[Fault]
    totals: list[int]
    scored: bool


def judge_hand(hand: HandInput) -> HandOutcome:
    """Judge the acts and the score of one hand.

    Args:
        hand: Its bodies have the shape that the schema of records asks (2.10).
    """
    play = start_play(hand)
    at, ending, body = hand.ending
    scored = ending == "score"
    result = body.get("result")
    stood_in = [0] * hand.seats
    fault: Fault | None = None
    for number, act in hand.acts:
        fault = _act_fault(play, number, act)
        if fault:
            break
        stood_in[act["seat"]] += act["by"] != "seat"
    if fault is None:
        fault = _end_fault(play, at, ending, result)
    if fault is None and scored:
        wrong = score_fault(play, result, stood_in)
        fault = Fault(code=wrong[0], at=at, rule=None, detail=wrong[1]) if wrong else None
    totals = list(hand.totals)
    if scored and isinstance(result, dict) and has_shape(result, hand.seats, len(hand.sides)):
        # With a fault the stated totals, without one they are what is due (6.4).
        totals = [side["total"] for side in result["sides"]]
    return HandOutcome(faults=[fault] if fault else [], totals=totals, scored=scored)


def start_play(hand: HandInput) -> Play:
    """The hand as it was dealt, before the first act."""
    rules = read_ruleset(hand.ruleset)
    position = Position(
        deck=hand.deck,
        holdings=[sorted(cards) for cards in hand.hands],
        melds=[{} for _ in hand.sides],
        red_threes=[list(cards) for cards in hand.laid],
        pile=list(hand.up),
        stock=list(hand.stock),
        upcard_freezes=any(kind(hand.deck[card]) in rules.upcard_freeze for card in hand.up),
    )
    turn = Turn(hand.first_seat, frozenset())
    return Play(rules, hand.sides, hand.totals, position, turn)


def _act_fault(play: Play, at: int, body: Mapping[str, Any]) -> Fault | None:
    """Judge one act, and carry it out where it is lawful."""
    seat, text = body["seat"], body["act"]

    def fault(code: str, detail: str, rule: str | None = None) -> Fault:
        return Fault(code=code, at=at, rule=rule, detail=f"seat {seat}, {text!r}: {detail}")

    try:
        act = parse_act(text)
    except ActFormError as error:
        return fault("E_ACT_FORM", str(error))
    refused = refusal(play, seat, act)
    if refused:
        return fault(refused.code, refused.sentence, refused.rule)
    took, shown = apply_act(play, act)
    if not same_json(body["took"], took):
        return fault("E_DRAW_ORDER", f"it takes {body['took']} of the stock, due is {took}")
    if not same_json(body["shown"], shown):
        return fault("E_ACT_RED_THREE", f"it shows {body['shown']}, due is {shown}")
    return None


def _end_fault(play: Play, at: int, ending: str, result: object) -> Fault | None:
    """E_HAND_END: the hand ended otherwise, or it had not ended, or it had."""

    def fault(detail: str) -> Fault:
        return Fault(code="E_HAND_END", at=at, rule=None, detail=detail)

    if ending != "score":
        return fault(f"an abort of a hand that has ended ({play.end})") if play.end else None
    if play.end is None:
        return fault(f"the hand has not ended: seat {play.turn.seat} is in turn")
    stated = result.get("end") if isinstance(result, dict) else None
    if stated != play.end:
        return fault(f"the score says {stated!r}, the hand ended by {play.end}")
    return None
