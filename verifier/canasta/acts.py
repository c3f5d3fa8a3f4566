"""What a lawful act does to a hand, and which stock and red threes it uses (6.2, 6.7)."""

from collections import Counter
from typing import assert_never

from verifier.canasta.faces import sort
from verifier.canasta.grammar import Act, Verb
from verifier.canasta.laying import can_finish
from verifier.canasta.melds import count, is_canasta
from verifier.canasta.pile import buried
from verifier.canasta.stuck import is_stuck, take_goes_out
from verifier.canasta.turn import Play


def apply_act(play: Play, act: Act) -> tuple[list[int], list[str]]:
    """Carry out an act that broke no rule.

    Args:
        play: The hand; changed.
        act: What the seat in turn, or for an answer its partner, does.

    Returns:
        The stock positions that the act uses and the faces of the red threes that it shows.
    """
    turn, position, rules = play.turn, play.position, play.rules
    took: list[int] = []
    shown: list[str] = []
    match act.verb:
        case Verb.DRAW:
            took, shown = position.draw(turn.seat, rules.draw_count)
            turn.phase, turn.drew_stock = "play", True
            turn.got_no_card = not position.stock_left and len(shown) == len(took)
            if turn.got_no_card and rules.red3_last_stock == "end_hand":
                play.end = "LAST_STOCK_RED3"  # R-X1: this draw gave the seat no card
        case Verb.SHOW:
            took, shown = position.show(turn.seat)
        case Verb.END:
            play.end = "STOCK_EXHAUSTED" if turn.phase == "draw" else "LAST_STOCK_RED3"
        case Verb.ASK:
            turn.phase, turn.asked = "question", True
        case Verb.YES:
            turn.phase, turn.answer = "play", "yes"
            _bind(play)
        case Verb.NO:
            turn.phase, turn.answer = "play", "no"
        case Verb.TAKE:
            _note_laying(play, act)
            if not rules.buried_usable_same_turn:
                turn.waiting = Counter(map(sort, buried(play)))
            took, shown = position.take(
                turn.seat,
                play.side(turn.seat),
                act.groups,
                replaces=rules.red3_from_pile_replaced,
            )
            turn.phase = "play"
        case Verb.LAY:
            _note_laying(play, act)
            position.lay(turn.seat, play.side(turn.seat), act.groups)
        case Verb.DISCARD:
            pass  # the discard is common to all
        case _:
            assert_never(act.verb)
    if act.card is not None:
        position.discard(turn.seat, act.card)
    _end(play, act)
    return took, shown


def _end(play: Play, act: Act) -> None:
    """End the hand where the seat in turn went out or is stuck, or pass the turn."""
    if play.end is not None:
        return
    turn = play.turn
    holds_none = not play.position.holdings[turn.seat]
    if holds_none and (act.verb is not Verb.TAKE or take_goes_out(play)):
        play.end, play.went_out = "WENT_OUT", turn.seat
        play.concealed = _is_concealed(play)
    elif act.card is not None:
        play.next_turn()
    elif turn.phase == "play" and is_stuck(play):
        play.end = "NO_LEGAL_COMPLETION"


def _bind(play: Play) -> None:
    """Make a *yes* binding, or book what it costs that it cannot be followed (R-61, R-62)."""
    if can_finish(play, play.held(), play.melds()):
        play.turn.bound = play.rules.permission_yes == "must_go_out"
    else:
        play.failed[play.side(play.turn.seat)] += 1


def _note_laying(play: Play, act: Act) -> None:
    turn = play.turn
    turn.laid = True
    turn.laid_on_old |= any(group.rank in turn.old_melds for group in act.groups)
    melds, side = play.melds(), play.side(turn.seat)
    from_holding = act.groups if act.verb is Verb.LAY else ()
    play.whole_canastas[side] += sum(
        group.rank not in melds and is_canasta(group.rank, count(group.cards))
        for group in from_holding
    )


def _is_concealed(play: Play) -> bool:
    """Whether the seat in turn, having gone out, did so concealed (R-58, R-X9)."""
    rules, turn = play.rules, play.turn
    side = play.side(turn.seat)
    scope = set(play.sides[side]) if rules.concealed_scope == "side" else {turn.seat}
    if scope & play.melded or not turn.laid:
        return False
    if turn.laid_on_old and not rules.concealed_lay_on_partner:
        return False
    if not turn.drew_stock and not rules.concealed_after_pile:
        return False
    own_canasta = any(
        is_canasta(name, meld) and name not in turn.old_melds for name, meld in play.melds().items()
    )
    return own_canasta or not rules.concealed_needs_own_canasta
