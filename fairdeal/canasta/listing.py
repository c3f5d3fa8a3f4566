"""What the seat in turn may do, listed (decisions, 10)."""

from collections.abc import Iterator

from fairdeal.canasta import acts, options
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import to_act
from fairdeal.canasta.position import ASKED, DRAW, PLAY, SHOW, Position


def legal_acts(position: Position) -> Iterator[acts.Act]:
    """List what the seat in turn may do, by composition, lazily.

    Empty only when the hand is over; every act listed passes ``engine.check``.
    """
    seat = position.turn
    if position.phase == SHOW:
        yield acts.Show()
    elif position.phase == ASKED:
        yield acts.Answer(True)
        yield acts.Answer(False)
    elif position.phase == DRAW:
        yield from _if_legal(position, acts.Draw(), acts.End())
        for move in options.takes(position):
            yield to_act(position, seat, move)
    elif position.phase == PLAY:
        yield from _if_legal(position, acts.Ask(), acts.End())
        for move in options.lays(position):
            yield to_act(position, seat, move)
        for move in options.discards(position):
            yield to_act(position, seat, move)


def _if_legal(position: Position, *wanted: acts.Act) -> Iterator[acts.Act]:
    for act in wanted:
        if next(faults(position, position.turn, act), None) is None:
            yield act
