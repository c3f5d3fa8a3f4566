"""Which rule an act breaks first (rules.md, "How an act is judged").

The order is that of the page: phase, question, top card, one-card rule, waiting cards, freeze,
way of taking, meld shape, opening minimum, meld limit, black threes, keep a card, permission.
Turn, pile and cards held were judged before (protocol.md 6.4).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from verifier.canasta.compulsion import must_take
from verifier.canasta.faces import is_red_three
from verifier.canasta.finish import fits_sorts, sorts
from verifier.canasta.grammar import Act, Verb
from verifier.canasta.laying import Laying, can_finish
from verifier.canasta.melds import (
    NONE,
    count,
    exempt_canastas,
    incomplete,
    is_canasta,
    may_go_out,
    reaches,
    shape_fault,
    stranger,
)
from verifier.canasta.pile import blocked, door_fault
from verifier.canasta.turn import Play

_DRAWING: Final = frozenset({Verb.DRAW, Verb.TAKE, Verb.END})
_PLAYING: Final = frozenset({Verb.LAY, Verb.DISCARD})


class Broken(NamedTuple):
    """A rule that an act breaks: its code and a sentence for people."""

    code: str
    sentence: str


def broken_rule(play: Play, act: Act) -> Broken | None:
    """The first rule that the act of the seat in turn breaks, or None.

    Args:
        play: The hand, in the turn of the acting seat; unchanged.
        act: An act whose cards the seat holds and whose pile is there.
    """
    return next(_broken(play, act), None)


def _broken(play: Play, act: Act) -> Iterator[Broken]:
    yield from _phase(play, act)
    if act.card is not None and not play.may_discard():
        yield Broken("NO_DISCARD_AFTER_LAST_RED3", "after the last red three nothing is discarded")
    match act.verb:
        case Verb.DRAW:
            if not play.position.stock_left:
                yield Broken("STOCK_EMPTY", "the stock is empty")
        case Verb.END:
            yield from _end(play)
        case Verb.ASK:
            yield from _ask(play)
        case Verb.YES | Verb.NO:
            yield Broken("WRONG_PHASE", "no question is open")
        case Verb.SHOW:
            if not play.must_show():
                yield Broken("WRONG_PHASE", "the seat holds no red three to show")
        case Verb.TAKE:
            yield from _take(play, act)
            yield from _laying(play, act)
        case Verb.LAY | Verb.DISCARD:
            yield from _waiting(play, act)
            yield from _laying(play, act)
        case _:
            assert_never(act.verb)


def _phase(play: Play, act: Act) -> Iterator[Broken]:
    if act.card is not None and is_red_three(act.card):
        yield Broken("RED3_NOT_DISCARDABLE", "a red three is never discarded")
    if play.must_show() and act.verb is not Verb.SHOW:
        yield Broken("WRONG_PHASE", "the seat must show its red threes first")
    if act.verb in _DRAWING and play.turn.phase != "draw" and not _may_end(play, act):
        yield Broken("WRONG_PHASE", "the seat has drawn or taken already")
    if act.verb in _PLAYING and play.turn.phase != "play":
        yield Broken("WRONG_PHASE", "the seat must draw or take first")


def _may_end(play: Play, act: Act) -> bool:
    """Whether this ends the turn in which the last card of the stock was a red three (R-12)."""
    return act.verb is Verb.END and not play.may_discard()


def _end(play: Play) -> Iterator[Broken]:
    if play.position.stock_left:
        yield Broken("WRONG_PHASE", f"{play.position.stock_left} cards are left in the stock")
    elif play.turn.bound:
        yield Broken("MUST_GO_OUT", "the partner said yes, and the seat would not go out")
    elif play.turn.phase == "draw" and must_take(play):
        yield Broken("MUST_TAKE_PILE", f"{play.position.top()} fits a meld and must be taken")


def _ask(play: Play) -> Iterator[Broken]:
    """R-60 to R-62, R-X7."""
    turn, rules = play.turn, play.rules
    if rules.permission == "off":
        yield Broken("PERMISSION_NOT_IN_RULES", "these rules know no question")
    if turn.phase != "play" or not turn.drew_stock or turn.laid or turn.asked:
        yield Broken("ASK_TOO_LATE", "the question is due once, after a draw, before any meld")
    if rules.permission_precheck and not can_finish(play, play.held(), play.melds()):
        yield Broken("CANNOT_GO_OUT", "the seat cannot go out in this turn")


def _take(play: Play, act: Act) -> Iterator[Broken]:
    fault = blocked(play) or door_fault(play, act.groups[0], play.melds())
    if fault:
        yield Broken(*fault)


def _laying(play: Play, act: Act) -> Iterator[Broken]:
    laying = Laying(play, act)
    yield from _shapes(play, laying)
    if laying.added and not laying.before:
        yield from _opening(play, laying)
    limit = play.rules.incomplete_meld_limit
    if limit is not None and laying.added and incomplete(laying.after) > limit:
        yield Broken("INCOMPLETE_MELD_LIMIT", f"at most {limit} melds may be short of a canasta")
    if laying.lays_threes and not laying.leaves_one_to_go(play):
        yield Broken("BLACK3_ONLY_GOING_OUT", "black threes are melded only in going out")
    yield from _keeping(play, laying)
    yield from _permission(play, laying)


def _waiting(play: Play, act: Act) -> Iterator[Broken]:
    """R-49: what came with the pile this turn is not laid before the next."""
    if not play.turn.waiting:
        return
    laid = Counter(face for group in act.groups for face in group.cards)
    if not fits_sorts(laid, sorts(play.held()) - play.turn.waiting):
        yield Broken("NOT_IN_HAND", "cards that came with the pile must wait for the next turn")


def _shapes(play: Play, laying: Laying) -> Iterator[Broken]:
    for name, faces in laying.added:
        strange = stranger(name, faces)
        if strange:
            code, face = strange
            yield Broken(code, f"{face} cannot lie in a meld of rank {name}")
            continue
        code_or_none = shape_fault(play.rules, name, laying.before.get(name, NONE), count(faces))
        if code_or_none:
            meld = laying.after[name]
            cards = f"{meld.naturals} naturals and {meld.wilds} wilds"
            yield Broken(code_or_none, f"the meld of rank {name} would have {cards}")


def _opening(play: Play, laying: Laying) -> Iterator[Broken]:
    """R-27 to R-33, R-X3, R-X10."""
    minimum = play.minimum()
    assert minimum is not None
    if reaches(play.rules, laying.points, minimum):
        return
    canastas = sum(is_canasta(*meld) for meld in laying.after.items())
    if play.rules.opening_canasta_satisfies and canastas:
        return
    needed = exempt_canastas(play.rules, drew_stock=play.turn.drew_stock)
    if needed is None or canastas < needed or not laying.goes_out(play):
        yield Broken(
            "OPENING_MINIMUM",
            f"the first melds count {laying.points}, the side's minimum is {minimum}",
        )


def _keeping(play: Play, laying: Laying) -> Iterator[Broken]:
    """R-52 to R-56, R-X4; what the partner said is judged after it."""
    if _keeps_enough(play, laying):
        return
    left = laying.cards_left
    strict = play.rules.keep_card_guard == "strict" and not may_go_out(play.rules, laying.after)
    if strict or not laying.can_finish(play):
        yield Broken("KEEP_CARD", f"{left} cards would be left, and the side may not go out")
    if not left and not laying.ends_turn and play.rules.go_out_discard == "required":
        yield Broken("DISCARD_REQUIRED", "the last card must be discarded")


def _keeps_enough(play: Play, laying: Laying) -> bool:
    """Whether it leaves a card for the discard that is still due, and one to hold after it."""
    discard_due = not laying.ends_turn and play.may_discard()
    return laying.cards_left >= (2 if discard_due else 1)


def _permission(play: Play, laying: Laying) -> Iterator[Broken]:
    """R-61, R-X5, R-X6, R-X18."""
    answer, rules = play.turn.answer, play.rules
    if play.turn.bound and laying.cards_left and (laying.ends_turn or not laying.can_finish(play)):
        yield Broken("MUST_GO_OUT", "the partner said yes, and the seat would not go out")
    if laying.cards_left >= (1 if laying.ends_turn else 2):
        return
    if answer == "no":
        yield Broken("PARTNER_SAID_NO", "the partner said no, and the seat would go out")
    if rules.permission == "required" and answer is None:
        yield Broken("PARTNER_SAID_NO", "a going out needs the partner's yes in this turn")
