"""What a lawful act does to a hand, and which stock and red threes it uses (6.2, 6.7)."""

from typing import assert_never

from verifier.canasta.grammar import Act, Verb
from verifier.canasta.melds import is_canasta
from verifier.canasta.turn import Play


def apply_act(play: Play, act: Act) -> tuple[list[int], list[str]]:
    """Carry out an act that broke no rule.

    Args:
        play: The hand; changed.
        act: What the seat in turn, or for an answer its partner, does.

    Returns:
        The stock positions that the act uses and the faces of the red threes that it shows.
    """
    turn, position = play.turn, play.position
    took: list[int] = []
    shown: list[str] = []
    match act.verb:
        case Verb.DRAW:
            took, shown = position.draw(turn.seat)
            turn.phase, turn.drew_stock = "play", True
            if not position.stock_left and len(shown) == len(took):
                play.end = "LAST_STOCK_RED3"  # R-X1: this draw gave the seat no card
        case Verb.END:
            play.end = "STOCK_EXHAUSTED"
        case Verb.ASK:
            turn.phase, turn.asked = "question", True
        case Verb.YES:
            turn.phase, turn.answer = "play", "yes"
        case Verb.NO:
            turn.phase, turn.answer = "play", "no"
        case Verb.TAKE:
            _note_laying(play, act)
            shown = position.take(turn.seat, play.side(turn.seat), act.groups)
            turn.phase = "play"
        case Verb.LAY:
            _note_laying(play, act)
            position.lay(turn.seat, play.side(turn.seat), act.groups)
        case Verb.DISCARD | Verb.SHOW:
            pass  # the discard is common to all; no ruleset judged here has a show
        case _:
            assert_never(act.verb)
    if act.card is not None:
        position.discard(turn.seat, act.card)
    if not position.holdings[turn.seat] and play.end is None:
        play.end, play.went_out = "WENT_OUT", turn.seat
        play.concealed = _is_concealed(play)
    elif act.card is not None:
        play.next_turn()
    return took, shown


def _note_laying(play: Play, act: Act) -> None:
    turn = play.turn
    turn.laid = True
    turn.laid_on_old |= any(group.rank in turn.old_melds for group in act.groups)


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
