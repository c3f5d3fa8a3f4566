"""What the seat in turn may do, listed (decisions, 10)."""

from collections.abc import Iterator

from fairdeal.canasta import acts, moves, options
from fairdeal.canasta.legality import move_faults
from fairdeal.canasta.moves import Move, to_act
from fairdeal.canasta.position import ASKED, DRAW, PLAY, SHOW, Position, Tally


def legal_acts(position: Position) -> Iterator[acts.Act]:
    """List what the seat in turn may do, by composition, lazily.

    Empty only when the hand is over; every act listed passes ``engine.check``.
    """
    seat = position.turn
    for move in legal_moves(position):
        yield to_act(position, seat, move)


def legal_moves(position: Tally) -> Iterator[Move]:
    """List the same as moves, from faces or from numbers of cards."""
    if position.phase == SHOW:
        yield Move(moves.SHOW)
    elif position.phase == ASKED:
        yield Move(moves.YES)
        yield Move(moves.NO)
    elif position.phase == DRAW:
        yield from _if_legal(position, moves.DRAW, moves.END)
        yield from options.takes(position)
    elif position.phase == PLAY:
        yield from _if_legal(position, moves.ASK, moves.END)
        yield from options.lays(position)
        yield from options.discards(position)


def _if_legal(position: Tally, *kinds: str) -> Iterator[Move]:
    for kind in kinds:
        move = Move(kind)
        if next(move_faults(position, move), None) is None:
            yield move
