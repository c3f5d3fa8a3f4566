"""Why an act cannot stand in a hand: turn, pile, cards held and rules, in the order of 6.4."""

from collections import Counter
from typing import NamedTuple

from verifier.canasta.faces import rank
from verifier.canasta.grammar import Act, Verb
from verifier.canasta.rules import broken_rule
from verifier.canasta.turn import Play


class Refusal(NamedTuple):
    """The error of an act, a sentence on what was due, and with E_ACT_RULE the rule's code."""

    code: str
    sentence: str
    rule: str | None = None


def refusal(play: Play, seat: int, act: Act) -> Refusal | None:
    """The first thing wrong with an act, or None where it is lawful.

    Args:
        play: The hand so far; unchanged.
        seat: Who is said to act; any number.
        act: What it does.
    """
    if play.end is not None:
        return Refusal("E_ACT_TURN", f"the hand has ended ({play.end})")
    question = play.turn.phase == "question"
    due_seat = play.partner() if question else play.turn.seat
    if seat != due_seat:
        asked = ", which is asked" if question else ""
        return Refusal("E_ACT_TURN", f"it is the turn of seat {due_seat}{asked}")
    if question:
        if act.verb in (Verb.YES, Verb.NO):
            return None
        return Refusal("E_ACT_RULE", "the question must be answered first", "WRONG_PHASE")
    pile_fault = _pile_fault(play, act)
    if pile_fault:
        return Refusal("E_ACT_PILE", pile_fault)
    missing = Counter(act.cards()) - play.held()
    if missing:
        faces = ", ".join(sorted(missing.elements()))
        return Refusal("E_ACT_CARD", f"it does not hold {faces}")
    broken = broken_rule(play, act)
    return Refusal("E_ACT_RULE", broken.sentence, broken.code) if broken else None


def _pile_fault(play: Play, act: Act) -> str | None:
    if act.verb is not Verb.TAKE:
        return None
    top = play.position.top()
    if top is None:
        return "the pile is empty"
    if rank(top) != act.groups[0].rank:
        return f"the top card of the pile is {top}"
    return None
