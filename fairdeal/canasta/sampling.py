"""A random legal act, without listing them all.

First the kind of the act is drawn, then its composition from a table of what fits. Whatever two
cards in hand make legal by its shape alone is taken at once; all else is judged by ``judge``,
the same lines that judge a player. Where nothing was found that way the acts are listed.

Reach: every legal act has a chance above zero, but for these turns, in which an act is drawn from
the head of the list of single groups and minimal sets (decisions, 10): while a yes binds, after
the last red three of the stock (R-12, meld_then_end), with one card in the holding. The acts are
not equally likely: what is cheap to find comes more often, openings stop more often than not once
they are high enough, and a question is put in one of sixty-four turns that allow it.

Words are random integers of 32 bits; a choice among n takes a word modulo n.
"""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from fairdeal.canasta import cards, legality, options
from fairdeal.canasta.compositions import some_class, some_lay, some_take
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.judge import is_bound
from fairdeal.canasta.moves import ASK, DISCARD, DRAW, END, NO, SHOW, YES, Move
from fairdeal.canasta.position import ASKED, PLAY, STOCK
from fairdeal.canasta.position import DRAW as DRAWING

_FEW: Final = 40
_TRIES: Final = 4
_DRAW: Final = Move(DRAW)
_DISCARDS: Final = tuple(Move(DISCARD, (), klass) for klass in range(cards.CLASSES))


def sample(core: Counts, words: Iterator[int]) -> Move:
    """Give a random legal act of the seat in turn of a hand that is not over."""
    phase = core.phase
    if phase == PLAY:
        if core.answer == YES or core.last_red3:
            return _listed(core, words)
        word = next(words)
        if word & 3:
            move = some_lay(core, words, word >> 2)
            if move is not None:
                return move
        elif not word & 60 and core.drew == STOCK and _may_ask(core):
            return Move(ASK)
        seat = core.turn
        if core.sizes[seat] < 2:
            return _listed(core, words)
        return _DISCARDS[some_class(core.counts[seat], words)]
    if phase == DRAWING:
        if core.drawn == len(core.stock):
            return _without_stock(core, words)
        word = next(words)
        if word & 1 and core.pile:
            return some_take(core, words, word >> 1) or _DRAW
        return _DRAW
    if phase == ASKED:
        return Move(YES if next(words) & 1 else NO)
    return Move(SHOW)


def _listed(core: Counts, words: Iterator[int]) -> Move:
    """Draw one of the first acts of the list, for turns in which few are legal."""
    moves = chain(options.lays(core), options.discards(core))
    found = [Move(END)] if core.last_red3 and not is_bound(core) else []
    found += islice(moves, _FEW)
    # A last card that goes out only with a yes leaves nothing but the question.
    return found[next(words) % len(found)] if found else Move(ASK)


def _without_stock(core: Counts, words: Iterator[int]) -> Move:
    """Take the pile or end the hand; whether a take is compulsory is searched in full (R-65)."""
    if core.pile and core.rules.stock_empty != "end":
        for _ in range(_TRIES):
            word = next(words)
            move = some_take(core, words, word >> 1)
            if move is not None and (word & 1 or legality.must_take(core)):
                return move
        if legality.must_take(core):
            return next(options.takes(core))
    return Move(END)


def _may_ask(core: Counts) -> bool:
    return (
        core.rules.permission != "off" and next(legality.ask_faults(core, core.turn), None) is None
    )
