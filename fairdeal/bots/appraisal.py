"""What a hand that still runs is likely to come to: a sum over what lies where.

All holdings are looked at, so this is for the worlds of a search, where they are supposed. Fitted
to two sides of two seats (``weights``); ``fits`` says where it may be asked.
"""

from typing import Final

from fairdeal.bots import fast
from fairdeal.bots.weights import WEIGHTS, Weights
from fairdeal.canasta import cards
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.position import CANASTA
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.ruleset import Ruleset

_SCALE: Final = 8
_DEUCE: Final = cards.DEUCE
_JOKER: Final = cards.JOKER
_BLACK3: Final = cards.BLACK3
_VALUES: Final = cards.VALUES
_MIXED: Final = 8
_DONE: Final = 11
_BANDS: Final = (50, 90, 120)
_LIKE: Final = (4, 2, 2, 11, 1, 1, 500, 300, "never")
"""What ``fits`` asks for, field by field."""


def _state(naturals: int, wilds: int) -> int:
    """Give the state of a meld: 4 to 7 natural of so many less one, 8 to 10 mixed, 11, 12 done."""
    size = naturals + wilds
    if size >= CANASTA:
        return _DONE + (wilds > 0)
    if wilds:
        return _MIXED + max(0, size - 4)
    return 4 + max(0, size - 3)


_STATES: Final = tuple(tuple(_state(n, w) for w in range(64)) for n in range(64))


def fits(rules: Ruleset) -> bool:
    """Say whether the sum was fitted to such a game: four seats, two packs, classic bonuses."""
    return (
        rules.players,
        len(rules.side_seats),
        rules.decks,
        rules.hand_size,
        rules.draw_count,
        rules.canastas_to_go_out,
        rules.natural_canasta,
        rules.mixed_canasta,
        rules.wild_melds,
    ) == _LIKE


def appraise(core: Counts) -> int:
    """Give the points that side 0 is likely to be ahead of side 1 when the hand is over."""
    left = len(core.stock) - core.drawn
    weights = WEIGHTS[0 if left <= 15 else 1 if left <= 29 else 2]
    worth = _side(core, weights, 0) - _side(core, weights, 1)
    always, takes, taken, lies, shut = weights.turn
    turn = always
    if core.phase == DRAWING:
        size = len(core.pile)
        if fast.take(core) is not None:
            turn += takes + taken * size
        else:
            turn += (shut if core.ice else lies) * size
    worth += -turn if core.side_of[core.turn] else turn
    return worth // _SCALE


def _side(core: Counts, weights: Weights, side: int) -> int:
    naturals, wilds, theirs = core.naturals[side], core.wilds[side], core.naturals[1 - side]
    opened = bool(core.standing[side])
    one, two = core.rules.side_seats[side]
    first, second = core.counts[one], core.counts[two]
    held, meld = weights.held, weights.meld
    blank = 2 if opened else 0
    worth = done = points = 0
    table = 20 * sum(wilds) + 30 * sum(core.jokers[side])
    for rank in range(fast.RANKS):
        there, mine, mates = naturals[rank], first[rank], second[rank]
        if there:
            state = _STATES[there][wilds[rank]]
            worth += meld[state]
            table += there * _VALUES[rank]
            if state >= _DONE:
                done += 1
        else:
            state = blank + (theirs[rank] > 0)
        if mine:
            worth += held[state][min(4, mine)]
            points += mine * _VALUES[rank]
        if mates:
            worth += held[state][min(4, mates)]
            points += mates * _VALUES[rank]
    wild, size = weights.wild[opened], weights.size[done > 0]
    for seat, counts in ((one, first), (two, second)):
        deuces, jokers, black = counts[_DEUCE], counts[_JOKER], counts[_BLACK3]
        worth += wild[min(deuces + jokers, 4)] + size[min(core.sizes[seat], 15)]
        worth += weights.black3 * black
        points += 20 * deuces + 50 * jokers + 5 * black
    worth += weights.canastas[min(done, 3)] + weights.red[opened] * core.reds[side]
    worth += weights.point * points + weights.laid * table
    if not opened:
        worth += weights.need[sum(core.needs[side] >= band for band in _BANDS)]
    return worth
