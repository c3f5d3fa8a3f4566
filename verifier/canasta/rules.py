"""Which rule an act breaks first (rules.md, "How an act is judged").

The order is that of the page: phase, question, top card, one-card rule, freeze, way of taking,
meld shape, opening minimum, meld limit, black threes, keep a card, permission. Turn, pile and
cards held were judged before (protocol.md 6.4).
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from verifier.canasta.faces import THREE_RANK, is_red_three, value
from verifier.canasta.finish import can_go_out
from verifier.canasta.grammar import Act, Verb
from verifier.canasta.melds import (
    NONE,
    Count,
    count,
    exempt_canastas,
    incomplete,
    is_canasta,
    may_go_out,
    reaches,
    shape_fault,
    stranger,
)
from verifier.canasta.pile import blocked, buried, door_fault, must_take
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
    if act.verb in _DRAWING and play.turn.phase != "draw":
        yield Broken("WRONG_PHASE", "the seat has drawn or taken already")
    if act.card is not None and is_red_three(act.card):
        yield Broken("RED3_NOT_DISCARDABLE", "a red three is never discarded")
    if act.verb in _PLAYING and play.turn.phase != "play":
        yield Broken("WRONG_PHASE", "the seat must draw or take first")
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
            yield Broken("WRONG_PHASE", "red threes were laid at the deal")
        case Verb.TAKE:
            yield from _take(play, act)
            yield from _laying(play, act)
        case Verb.LAY | Verb.DISCARD:
            yield from _laying(play, act)
        case _:
            assert_never(act.verb)


def _end(play: Play) -> Iterator[Broken]:
    if play.position.stock_left:
        yield Broken("WRONG_PHASE", f"{play.position.stock_left} cards are left in the stock")
    elif must_take(play):
        yield Broken("MUST_TAKE_PILE", f"{play.position.top()} fits a meld and must be taken")


def _ask(play: Play) -> Iterator[Broken]:
    """R-60 to R-62, R-X7."""
    turn, rules = play.turn, play.rules
    if rules.permission == "off":
        yield Broken("PERMISSION_NOT_IN_RULES", "these rules know no question")
    if turn.phase != "play" or not turn.drew_stock or turn.laid or turn.asked:
        yield Broken("ASK_TOO_LATE", "the question is due once, after a draw, before any meld")
    if rules.permission_precheck and not _can_finish(play, play.held(), play.melds()):
        yield Broken("CANNOT_GO_OUT", "the seat cannot go out in this turn")


def _can_finish(play: Play, holding: Counter[str], melds: dict[str, Count]) -> bool:
    minimum = None if melds else play.minimum()
    return can_go_out(play.rules, holding, melds, minimum=minimum, drew_stock=play.turn.drew_stock)


def _take(play: Play, act: Act) -> Iterator[Broken]:
    fault = blocked(play) or door_fault(play, act.groups[0], play.melds())
    if fault:
        yield Broken(*fault)


class _Laying:
    """A take, lay or discard with what it would leave behind."""

    def __init__(self, play: Play, act: Act) -> None:
        self.before = play.melds()
        self.added: list[tuple[str, list[str]]] = [
            (group.rank, list(group.cards)) for group in act.groups
        ]
        self.left = play.held()
        self.left.subtract(face for group in act.groups for face in group.cards)
        if act.verb is Verb.TAKE:
            self.added[0][1].append(str(play.position.top()))
            self.left.update(buried(play))
        self.left = +self.left
        self.left_before_discard = self.left.total()
        if act.card is not None:
            self.left = self.left - Counter([act.card])
        self.after = dict(self.before)
        for name, faces in self.added:
            self.after[name] = self.after.get(name, NONE).plus(count(faces))
        self.points = sum(value(face) for _, faces in self.added for face in faces)
        self.ends_turn = act.card is not None

    def may_go_out(self, play: Play) -> bool:
        """Whether what is left before the discard can go at once (R-X4), the answer apart."""
        if not self.left:
            return may_go_out(play.rules, self.after)
        return _can_finish(play, self.left, self.after)


def _laying(play: Play, act: Act) -> Iterator[Broken]:
    laying = _Laying(play, act)
    yield from _shapes(play, laying)
    if laying.added and not laying.before:
        yield from _opening(play, laying)
    limit = play.rules.incomplete_meld_limit
    if limit is not None and laying.added and incomplete(laying.after) > limit:
        yield Broken("INCOMPLETE_MELD_LIMIT", f"at most {limit} melds may be short of a canasta")
    out = laying.left_before_discard <= 1 and laying.may_go_out(play)
    if THREE_RANK in dict(laying.added) and not out:
        yield Broken("BLACK3_ONLY_GOING_OUT", "black threes are melded only in going out")
    yield from _keeping(play, laying)
    yield from _permission(play, laying)


def _shapes(play: Play, laying: _Laying) -> Iterator[Broken]:
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


def _opening(play: Play, laying: _Laying) -> Iterator[Broken]:
    """R-27 to R-33, R-X3, R-X10."""
    minimum = play.minimum()
    assert minimum is not None
    if reaches(play.rules, laying.points, minimum):
        return
    canastas = sum(is_canasta(*meld) for meld in laying.after.items())
    if play.rules.opening_canasta_satisfies and canastas:
        return
    needed = exempt_canastas(play.rules, drew_stock=play.turn.drew_stock)
    goes_out = laying.left_before_discard <= 1 and laying.may_go_out(play)
    if needed is None or canastas < needed or not goes_out:
        yield Broken(
            "OPENING_MINIMUM",
            f"the first melds count {laying.points}, the side's minimum is {minimum}",
        )


def _keeping(play: Play, laying: _Laying) -> Iterator[Broken]:
    """R-52 to R-56, R-X4; what the partner said is judged after it."""
    left = laying.left.total()
    if left > 1 or (left == 1 and laying.ends_turn):
        return
    strict = play.rules.keep_card_guard == "strict" and not may_go_out(play.rules, laying.after)
    if strict or not laying.may_go_out(play):
        yield Broken("KEEP_CARD", f"{left} cards would be left, and the side may not go out")
    if not left and not laying.ends_turn and play.rules.go_out_discard == "required":
        yield Broken("DISCARD_REQUIRED", "the last card must be discarded")


def _permission(play: Play, laying: _Laying) -> Iterator[Broken]:
    """R-61, R-X5, R-X6, R-X18."""
    goes_out = not laying.left
    answer, rules = play.turn.answer, play.rules
    bound = answer == "yes" and rules.permission_yes == "must_go_out" and not goes_out
    if bound and (laying.ends_turn or not _can_finish(play, laying.left, laying.after)):
        yield Broken("MUST_GO_OUT", "the partner said yes, and the seat would not go out")
    stays = laying.left.total() >= (1 if laying.ends_turn else 2)
    if answer == "no" and not stays:
        yield Broken("PARTNER_SAID_NO", "the partner said no, and the seat would go out")
    if rules.permission == "required" and answer is None and not stays:
        yield Broken("PARTNER_SAID_NO", "a going out needs the partner's yes in this turn")
