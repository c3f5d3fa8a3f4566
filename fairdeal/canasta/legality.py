"""Which rules forbid an act: the one place that says no (docs/rules.md, how an act is judged).

``faults`` names every rule that an act breaks, most specific first: it looks at turn, phase, top
card and faces, and leaves the rest to ``judge``.
"""

from collections.abc import Iterator

from fairdeal.canasta import acts, cards, options, pile
from fairdeal.canasta.judge import can_finish_now, judge
from fairdeal.canasta.moves import compose
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
    match act:
        case acts.Draw():
            yield from _draw_faults(position)
        case acts.End():
            yield from _end_faults(position)
        case acts.Ask():
            yield from ask_faults(position, seat)
        case acts.Answer():
            if position.phase != ASKED:
                yield "WRONG_PHASE"
        case acts.Show():
            if position.phase != SHOW:
                yield "WRONG_PHASE"
        case _:
            yield from _move_faults(position, seat, act)


def _draw_faults(position: Tally) -> Iterator[str]:
    if position.phase != DRAW:
        yield "WRONG_PHASE"
    elif not position.stock_left:
        yield "STOCK_EMPTY"
        if must_take(position):
            yield "MUST_TAKE_PILE"


def _end_faults(position: Tally) -> Iterator[str]:
    if position.phase == PLAY and position.last_red3:
        return
    if position.phase != DRAW or position.stock_left:
        yield "WRONG_PHASE"
    elif must_take(position):
        yield "MUST_TAKE_PILE"


def ask_faults(position: Tally, seat: int) -> Iterator[str]:
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


def _move_faults(position: Position, seat: int, act: acts.Act) -> Iterator[str]:
    """Judge a take, lay or discard by its faces, then by its composition."""
    if position.phase != (DRAW if isinstance(act, acts.Take) else PLAY):
        yield "WRONG_PHASE"
    if isinstance(act, acts.Take):
        if not position.pile:
            yield "PILE_EMPTY"
            return
        top = pile.top_fault(position)
        if top is not None:
            yield top
    move, misfits = compose(act)
    missing = not _holds(position, seat, acts.cards_of(act))
    if missing:
        yield "NOT_IN_HAND"
    if isinstance(act, acts.Take):
        if top is not None:
            return
        if move.heaps[0].slot != slot_of(cards.CLASS_OF[position.pile[-1]]):
            yield "TOP_CARD_NOT_USED"
            return
    yield from judge(position, seat, move, held=not missing, misfits=misfits)


def _holds(position: Position, seat: int, faces: tuple[str, ...]) -> bool:
    held = position.held[seat]
    return all(held[cards.NUMBER[face]] >= faces.count(face) for face in set(faces))
