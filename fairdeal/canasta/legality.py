"""Which rules forbid an act, all of them in order (docs/rules.md, how an act is judged).

``faults`` names every rule that an act breaks, most specific first: it looks at turn, phase, top
card and faces, and leaves the rest to ``judge``.
"""

from collections.abc import Iterator, Sequence

from fairdeal.canasta import acts, cards, moves, options, pile
from fairdeal.canasta.judge import can_finish_now, is_bound, judge
from fairdeal.canasta.moves import Move, compose
from fairdeal.canasta.position import (
    ASKED,
    DRAW,
    OVER,
    PLAY,
    SHOW,
    STOCK,
    Position,
    Tally,
    slot_of,
)


def faults(position: Position, seat: int, act: acts.Act) -> Iterator[str]:
    """Name every rule that an act by a seat breaks, lazily and in order."""
    if position.phase == OVER or seat != position.turn:
        yield "NOT_YOUR_TURN"
        if isinstance(act, acts.Answer) and position.phase == ASKED:
            yield "NOT_PARTNER"
        return
    move, misfits = compose(act)
    held = _holds(position, seat, acts.cards_of(act))
    yield from move_faults(position, move, held=held, misfits=misfits)


def move_faults(
    position: Tally, move: Move, *, held: bool = True, misfits: Sequence[str] = ()
) -> Iterator[str]:
    """Name every rule that a move of the seat in turn breaks, lazily and in order.

    ``held`` says whether the seat holds the cards, ``misfits`` which ranks are wrong (``judge``).
    """
    match move.kind:
        case moves.DRAW:
            yield from _draw_faults(position)
        case moves.END:
            yield from _end_faults(position)
        case moves.ASK:
            yield from ask_faults(position, position.turn)
        case moves.YES | moves.NO:
            if position.phase != ASKED:
                yield "WRONG_PHASE"
        case moves.SHOW:
            if position.phase != SHOW:
                yield "WRONG_PHASE"
        case _:
            yield from _card_faults(position, move, held=held, misfits=misfits)


def _draw_faults(position: Tally) -> Iterator[str]:
    if position.phase != DRAW:
        yield "WRONG_PHASE"
    elif not position.stock_left:
        yield "STOCK_EMPTY"
        if must_take(position):
            yield "MUST_TAKE_PILE"


def _end_faults(position: Tally) -> Iterator[str]:
    if position.phase == PLAY and position.last_red3:
        if is_bound(position):
            yield "MUST_GO_OUT"
        return
    if position.phase != DRAW or position.stock_left:
        yield "WRONG_PHASE"
    elif must_take(position):
        yield "MUST_TAKE_PILE"


def ask_faults(position: Tally, seat: int) -> Iterator[str]:
    """Name why the seat in turn may not ask its partner (R-60, R-62)."""
    if position.rules.permission == "off":
        yield "PERMISSION_NOT_IN_RULES"
    elif position.phase in (DRAW, SHOW):
        yield "ASK_TOO_LATE"
    elif position.phase != PLAY:
        yield "WRONG_PHASE"
    else:
        if position.drew != STOCK or position.laid_now or position.asked:
            yield "ASK_TOO_LATE"
        if position.rules.permission_precheck and not can_finish_now(position, seat):
            yield "CANNOT_GO_OUT"


def must_take(position: Tally) -> bool:
    """Say whether, with the stock empty, the seat in turn must take the pile (R-65, R-X8)."""
    seat = position.turn
    match position.rules.stock_empty:
        case "must_if_any":
            wanted = True
        case "must_if_fits_meld":
            wanted = pile.fits_meld(position, position.side_of[seat])
        case _:
            wanted = False
    return wanted and next(options.takes(position), None) is not None


def _card_faults(
    position: Tally, move: Move, *, held: bool, misfits: Sequence[str]
) -> Iterator[str]:
    """Judge a take, lay or discard by phase, pile and top card, then by its composition."""
    taking = move.kind == moves.TAKE
    if position.phase != (DRAW if taking else PLAY):
        yield "WRONG_PHASE"
    if taking and not position.pile:
        yield "PILE_EMPTY"
        return
    top = pile.top_fault(position) if taking else None
    if top is not None:
        yield top
    if not held:
        yield "NOT_IN_HAND"
    if top is not None:
        return
    if taking and move.heaps[0].slot != slot_of(cards.CLASS_OF[position.pile[-1]]):
        yield "TOP_CARD_NOT_USED"
        return
    yield from judge(position, position.turn, move, held=held, misfits=misfits)


def _holds(position: Position, seat: int, faces: tuple[str, ...]) -> bool:
    held = position.held[seat]
    return all(held[cards.NUMBER[face]] >= faces.count(face) for face in set(faces))
