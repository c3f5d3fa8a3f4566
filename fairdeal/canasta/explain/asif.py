"""Positions that are not there: a seat's own turn before it has come, a draw before it is made.

Explanations work at any time, so they need a position in which the seat may act. Cards that
nobody can know are counted and have no face: the size of the holding is larger than its counts.
"""

from fairdeal.canasta import cards
from fairdeal.canasta.acts import Act, Draw, Show, Take
from fairdeal.canasta.pile import buried
from fairdeal.canasta.play import begin_turn, play
from fairdeal.canasta.position import ASKED, DRAW, OVER, PLAY, STOCK, Position
from fairdeal.canasta.view import knowledge


def in_turn(position: Position, seat: int) -> bool:
    """Say whether a seat must act now."""
    return position.phase != OVER and position.turn == seat


def own_turn(position: Position, seat: int) -> Position:
    """Give what the seat knows, as if its turn began now, unless it is in turn already.

    A seat that has asked stays in its turn: only its partner's answer is outstanding.
    """
    known = knowledge(position, seat)
    if in_turn(known, seat):
        return known
    if known.phase == ASKED and known.asker == seat:
        known.turn, known.phase = seat, PLAY
        return known
    known.end = ""
    begin_turn(known, seat)
    return known


def drawn(known: Position, seat: int) -> Position:
    """Give the position after a draw whose cards nobody knows; others than DRAW stay as they are.

    The seat is taken to get as many cards as the stock allows.
    """
    if known.phase != DRAW:
        return known
    after = known.copy()
    wanted = min(known.rules.draw_count, known.stock_left)
    after.drawn += wanted
    after.sizes[seat] += wanted
    after.drew, after.phase = STOCK, PLAY
    return after


def unseen_red_threes(known: Position, seat: int) -> int:
    """Count the red threes that may still lie in the stock, as far as the seat knows."""
    seen = sum(len(row) for row in known.red3) + known.counts[seat][cards.RED3]
    seen += sum(cards.CLASS_OF[card] == cards.RED3 for card in known.pile)
    return 2 * known.rules.decks - seen


def after(known: Position, seat: int, act: Act) -> Position | None:
    """Give the position after a legal act, cards from the stock without a face.

    None where the act could end the hand or where what it does hangs on the stock's faces.
    """
    left = known.stock_left - unseen_red_threes(known, seat)
    match act:
        case Draw():
            return drawn(known, seat) if left >= known.rules.draw_count else None
        case Show():
            red = known.counts[seat][cards.RED3]
            if left < red + known.rules.draw_count:
                return None
            then = known.copy()
            for card in cards.CARDS_OF[cards.RED3]:
                then.held[seat][card] = 0
            then.counts[seat][cards.RED3] = 0
            then.drawn += red
            then.phase = DRAW
            return then
        case Take() if known.rules.red3_from_pile_replaced and buried(known)[1]:
            return None
        case _:
            then = known.copy()
            play(then, seat, act)
            return None if then.end else then
