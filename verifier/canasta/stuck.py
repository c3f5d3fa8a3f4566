"""Whether a turn can still be completed: a hand in which it cannot is over (R-12, 6.2)."""

from verifier.canasta.laying import can_finish
from verifier.canasta.melds import may_go_out
from verifier.canasta.turn import Play


def take_goes_out(play: Play) -> bool:
    """Whether the seat in turn, left without a card by a take, went out with it.

    A take is judged before anybody knows that the stock has no replacement for a red three of
    the pile; so it can leave fewer cards than it was judged by.
    """
    rules = play.rules
    free = rules.go_out_discard == "optional" and rules.permission != "required"
    return free and may_go_out(rules, play.melds())


def is_stuck(play: Play) -> bool:
    """Whether the seat in turn, in its play phase, can neither lay nor discard.

    Two cards can always be parted with by a discard, unless a *yes* binds: then a way to go out
    was left at each act.
    """
    held, turn = play.held(), play.turn
    if held.total() >= 2 or turn.bound or not play.may_discard():
        return False
    if not held or not can_finish(play, held, play.melds()):
        return True
    if turn.answer == "no":
        return True
    may_still_ask = turn.drew_stock and not turn.laid and not turn.asked
    return play.rules.permission == "required" and turn.answer is None and not may_still_ask
