"""Carrying out an act that passed ``check``: the one place that changes a position.

Says what the act took from the stock and which red threes it showed, as the records need them
(protocol §6.2).
"""

from collections.abc import Sequence
from itertools import compress
from operator import add
from typing import NamedTuple

from fairdeal.canasta import acts, cards, pile
from fairdeal.canasta.endings import (
    LAST_STOCK_RED3,
    STOCK_EXHAUSTED,
    after_last_red3,
    end_if_stuck,
    finish_hand,
    go_out,
    may_leave,
    partner_of,
    take_answer,
)
from fairdeal.canasta.moves import slot_of_rank
from fairdeal.canasta.position import (
    ASKED,
    BLACK3_SLOT,
    CANASTA,
    DRAW,
    PILE,
    PLAY,
    SHOW,
    SLOTS,
    STOCK,
    Position,
)


class Effect(NamedTuple):
    """What an act used and showed: stock positions in order, and faces of red threes."""

    took: tuple[int, ...] = ()
    shown: tuple[str, ...] = ()


def play(position: Position, seat: int, act: acts.Act) -> Effect:
    """Carry out an act that passed ``check``, changing the position in place."""
    match act:
        case acts.Draw():
            return _play_draw(position, seat)
        case acts.Show():
            return _play_show(position, seat)
        case acts.Take():
            return _play_take(position, seat, act)
        case acts.Lay(groups, discard):
            _lay_groups(position, seat, groups)
            if discard is not None:
                _play_discard(position, seat, discard)
            elif not position.sizes[seat]:
                go_out(position, seat)
        case acts.Discard(card):
            _play_discard(position, seat, card)
        case acts.Ask():
            position.asked = True
            position.asker = seat
            position.phase = ASKED
            position.turn = partner_of(position, seat)
        case acts.Answer(yes):
            take_answer(position, yes=yes)
        case acts.End():
            finish_hand(position, LAST_STOCK_RED3 if position.last_red3 else STOCK_EXHAUSTED)
    return Effect()


def gain(position: Position, seat: int, card: int) -> None:
    """Add a card to a holding."""
    position.held[seat][card] += 1
    position.counts[seat][cards.CLASS_OF[card]] += 1
    position.sizes[seat] += 1


def _lose(position: Position, seat: int, card: int) -> None:
    position.held[seat][card] -= 1
    position.counts[seat][cards.CLASS_OF[card]] -= 1
    position.sizes[seat] -= 1


def begin_turn(position: Position, seat: int) -> None:
    """Begin a seat's turn: everything that belongs to one turn is new."""
    side = position.side_of[seat]
    position.turn = seat
    position.drew = ""
    there = map(add, position.naturals[side], position.wilds[side])
    position.began = frozenset(compress(range(SLOTS), there))
    position.touched = position.laid_now = position.asked = False
    position.answer = ""
    position.locked = None
    waits = position.rules.red3_initial_when == "at_own_first_turn" and not position.shown[seat]
    position.shown[seat] = True
    position.phase = SHOW if waits and position.counts[seat][cards.RED3] else DRAW


def _end_turn(position: Position) -> None:
    seat = position.turn
    position.melded[seat] = position.melded[seat] or position.laid_now
    begin_turn(position, (seat + 1) % position.rules.players)


def _from_stock(position: Position, seat: int, wanted: int) -> tuple[int, Effect]:
    """Move cards from the stock until ``wanted`` that are no red threes have come (R-10)."""
    first, got, shown = position.drawn, 0, []
    while got < wanted and position.stock_left:
        card = position.stock[position.drawn]
        position.drawn += 1
        if cards.CLASS_OF[card] == cards.RED3:
            position.red3[position.side_of[seat]] += (card,)
            shown.append(cards.FACES[card])
        else:
            gain(position, seat, card)
            got += 1
    return got, Effect(tuple(range(first, position.drawn)), tuple(shown))


def _play_draw(position: Position, seat: int) -> Effect:
    got, effect = _from_stock(position, seat, position.rules.draw_count)
    position.drew = STOCK
    position.phase = PLAY
    if not got:
        after_last_red3(position)
    return effect


def _play_show(position: Position, seat: int) -> Effect:
    """Lay the red threes of the deal and replace them, chains included (R-9)."""
    red = [card for card in cards.CARDS_OF[cards.RED3] for _ in range(position.held[seat][card])]
    for card in red:
        _lose(position, seat, card)
        position.red3[position.side_of[seat]] += (card,)
    _, effect = _from_stock(position, seat, len(red))
    position.phase = DRAW
    return Effect(effect.took, tuple(cards.FACES[card] for card in red) + effect.shown)


def _play_take(position: Position, seat: int, act: acts.Take) -> Effect:
    rules, side = position.rules, position.side_of[seat]
    top = position.pile[-1]
    keep, red = pile.buried(position)
    own = acts.Group(act.rank, act.own)
    position.drew = PILE
    position.phase = PLAY
    position.pile = []
    position.upcards = 0
    _lay_groups(position, seat, (own, *act.groups), top=top)
    for card in keep:
        gain(position, seat, card)
    if not rules.buried_usable_same_turn:
        position.locked = [0] * cards.CLASSES
        for card in keep:
            position.locked[cards.CLASS_OF[card]] += 1
    position.red3[side] += tuple(red)
    effect, short = Effect(), False
    if rules.red3_from_pile_replaced:
        due = min(len(red), position.stock_left)
        got, effect = _from_stock(position, seat, len(red))
        short = got < due
    if not position.sizes[seat] and (not short or may_leave(position, side)):
        go_out(position, seat)
    elif short:
        # The stock held red threes only: a turn that was judged with a card more may be stuck.
        end_if_stuck(position)
    return Effect(effect.took, tuple(cards.FACES[card] for card in red) + effect.shown)


def _lay_groups(position: Position, seat: int, groups: Sequence[acts.Group], top: int = -1) -> None:
    """Lay groups; the top card of the pile, where one is given, joins the first."""
    side = position.side_of[seat]
    for place, one in enumerate(groups):
        slot = slot_of_rank(one.rank)
        numbers = [cards.NUMBER[face] for face in one.cards]
        for card in numbers:
            _lose(position, seat, card)
        if place == 0 and top >= 0:
            numbers.insert(0, top)
        fresh = not position.naturals[side][slot] + position.wilds[side][slot]
        wilds = sum(cards.is_wild(cards.CLASS_OF[card]) for card in numbers)
        position.naturals[side][slot] += len(numbers) - wilds
        position.wilds[side][slot] += wilds
        position.laid[side][slot] += tuple(numbers)
        position.touched = position.touched or slot in position.began
        if fresh and len(numbers) >= CANASTA and top < 0 and slot != BLACK3_SLOT:
            position.whole[side] += 1
    position.laid_now = True


def _play_discard(position: Position, seat: int, face: str) -> None:
    card = cards.NUMBER[face]
    _lose(position, seat, card)
    position.pile.append(card)
    if position.sizes[seat]:
        _end_turn(position)
    else:
        go_out(position, seat)
