"""How turns and hands end: stuck, out, answered, or with the last card of the stock.

Counts are all that these look at, so they serve positions and playouts alike.
"""

from typing import Final

from fairdeal.canasta import finish, options
from fairdeal.canasta.judge import can_finish_now, may_go_out
from fairdeal.canasta.legality import ask_faults
from fairdeal.canasta.position import OVER, PLAY, Tally, melds_suffice

WENT_OUT: Final = "WENT_OUT"
STOCK_EXHAUSTED: Final = "STOCK_EXHAUSTED"
LAST_STOCK_RED3: Final = "LAST_STOCK_RED3"
NO_LEGAL_COMPLETION: Final = "NO_LEGAL_COMPLETION"
ENDS: Final = (WENT_OUT, STOCK_EXHAUSTED, LAST_STOCK_RED3, NO_LEGAL_COMPLETION)
"""The codes of all ends of a hand."""


def after_last_red3(position: Tally) -> None:
    """Go on after a draw that gave red threes only, the stock being empty now (R-12, R-X1)."""
    match position.rules.red3_last_stock:
        case "end_hand":
            finish_hand(position, LAST_STOCK_RED3)
        case "meld_then_end":
            position.last_red3 = True
        case _:
            end_if_stuck(position)


def end_if_stuck(position: Tally) -> None:
    """End the hand where the turn has no legal completion (R-12): nothing to lay or discard.

    After the last red three it may be ended; and a question goes on where a yes lets it go out.
    """
    seat = position.turn
    if position.last_red3 or next(options.discards(position), None) is not None:
        return
    if next(options.lays(position), None) is not None:
        return
    asking = next(ask_faults(position, seat), None) is None and can_finish_now(position, seat)
    if not asking:
        finish_hand(position, NO_LEGAL_COMPLETION)


def may_leave(position: Tally, side: int) -> bool:
    """Say whether a side may go out with its melds, by a take without a discard."""
    rules = position.rules
    suffice = melds_suffice(rules, position.naturals[side], position.wilds[side])
    return suffice and may_go_out(position) and rules.go_out_discard == "optional"


def partner_of(position: Tally, seat: int) -> int:
    """Give the other seat of a side of two."""
    seats = position.rules.side_seats[position.side_of[seat]]
    return next(other for other in seats if other != seat)


def take_answer(position: Tally, *, yes: bool) -> None:
    """Give the turn back to the seat that asked, with its partner's answer (R-60, R-61)."""
    rules, seat = position.rules, position.asker
    position.turn, position.asker, position.phase = seat, -1, PLAY
    position.answer = "yes" if yes else "no"
    if yes and not rules.permission_precheck and not can_finish_now(position, seat):
        # Yes, but cannot: the points are off, and the turn goes on unbound.
        position.penalties[position.side_of[seat]] += rules.permission_fail_penalty
        position.answer = ""
    if position.sizes[seat] == 1:
        # After a last red three the only card may be one that the answer now keeps (R-12, R-X6).
        end_if_stuck(position)


def go_out(position: Tally, seat: int) -> None:
    """End the hand by a seat that has no card left (R-55, R-58)."""
    side = position.side_of[seat]
    position.out = seat
    own = finish.has_own_canasta(position.began, position.naturals[side], position.wilds[side])
    position.concealed = finish.concealable(position, seat) and (
        own or not position.rules.concealed_needs_own_canasta
    )
    position.concealed = position.concealed and position.laid_now
    finish_hand(position, WENT_OUT)


def finish_hand(position: Tally, end: str) -> None:
    """End the hand with its code."""
    position.end = end
    position.phase = OVER
