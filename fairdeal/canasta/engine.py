"""Playing a hand: start it from a deal, check an act, apply it, list what is legal.

``apply`` gives a new position and leaves its input alone; ``play`` changes one in place, for
replays and playouts. Both say what the act took from the stock and which red threes it showed,
as the records need them (protocol §6.2).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairdeal.canasta import acts, cards, finish, options, pile
from fairdeal.canasta.judge import can_finish_now
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import slot_of_rank, to_act
from fairdeal.canasta.position import (
    ASKED,
    BLACK3_SLOT,
    CANASTA,
    DRAW,
    OVER,
    PILE,
    PLAY,
    SHOW,
    STOCK,
    Position,
)
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.sentences import sentence_of
from fairdeal.errors import RuleBroken

WENT_OUT = "WENT_OUT"
STOCK_EXHAUSTED = "STOCK_EXHAUSTED"
LAST_STOCK_RED3 = "LAST_STOCK_RED3"
NO_LEGAL_COMPLETION = "NO_LEGAL_COMPLETION"


class Effect(NamedTuple):
    """What an act used and showed: stock positions in order, and faces of red threes."""

    took: tuple[int, ...] = ()
    shown: tuple[str, ...] = ()


class Applied(NamedTuple):
    """A new position and what the act used and showed."""

    position: Position
    effect: Effect


def start(
    rules: Ruleset,
    *,
    holdings: Sequence[Sequence[str]],
    laid: Sequence[Sequence[str]],
    up: Sequence[str],
    stock: Sequence[str],
    first_seat: int,
    totals: Sequence[int],
) -> Position:
    """Give the position after a deal, before the first turn.

    Args:
        rules: The ruleset in force.
        holdings: Faces of each seat's holding.
        laid: Red threes that each seat has laid.
        up: The turned cards, bottom first.
        stock: The stock, next card first.
        first_seat: The seat that plays first (R-15).
        totals: Game total of each side before the hand.
    """
    position = Position(rules, totals)
    position.stock = tuple(cards.NUMBER[face] for face in stock)
    position.pile = [cards.NUMBER[face] for face in up]
    position.upcards = len(up)
    for seat, faces in enumerate(holdings):
        for face in faces:
            _gain(position, seat, cards.NUMBER[face])
    for seat, faces in enumerate(laid):
        position.red3[position.side_of[seat]] += tuple(cards.NUMBER[face] for face in faces)
    _begin_turn(position, first_seat)
    return position


def check(position: Position, seat: int, act: acts.Act) -> None:
    """Refuse an act that the rules forbid.

    Raises:
        RuleBroken: With the complete list of broken rules, most specific first.
    """
    broken = tuple(dict.fromkeys(faults(position, seat, act)))
    if broken:
        raise RuleBroken(broken, *sentence_of(broken[0]))


def apply(position: Position, seat: int, act: acts.Act) -> Applied:
    """Check an act and give the position after it; the one given stays as it was.

    Raises:
        RuleBroken: As ``check``.
    """
    check(position, seat, act)
    after = position.copy()
    return Applied(after, play(after, seat, act))


def legal_acts(position: Position) -> Iterator[acts.Act]:
    """List what the seat in turn may do, by composition, lazily (decisions, 10).

    Empty only when the hand is over; every act listed passes ``check``.
    """
    seat = position.turn
    match position.phase:
        case "show":
            yield acts.Show()
        case "asked":
            yield acts.Answer(True)
            yield acts.Answer(False)
        case "draw":
            yield from _if_legal(position, acts.Draw(), acts.End())
            for move in options.takes(position):
                yield to_act(position, seat, move)
        case "play":
            yield from _if_legal(position, acts.Ask(), acts.End())
            for move in options.lays(position):
                yield to_act(position, seat, move)
            for move in options.discards(position):
                yield to_act(position, seat, move)
        case _:
            return


def _if_legal(position: Position, *wanted: acts.Act) -> Iterator[acts.Act]:
    for act in wanted:
        if next(faults(position, position.turn, act), None) is None:
            yield act


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
                _go_out(position, seat)
        case acts.Discard(card):
            _play_discard(position, seat, card)
        case acts.Ask():
            position.asked = True
            position.asker = seat
            position.phase = ASKED
            position.turn = _partner(position, seat)
        case acts.Answer(yes):
            _play_answer(position, yes=yes)
        case acts.End():
            _finish(position, LAST_STOCK_RED3 if position.last_red3 else STOCK_EXHAUSTED)
    return Effect()


def _gain(position: Position, seat: int, card: int) -> None:
    position.held[seat][card] += 1
    position.counts[seat][cards.CLASS_OF[card]] += 1
    position.sizes[seat] += 1


def _lose(position: Position, seat: int, card: int) -> None:
    position.held[seat][card] -= 1
    position.counts[seat][cards.CLASS_OF[card]] -= 1
    position.sizes[seat] -= 1


def _begin_turn(position: Position, seat: int) -> None:
    side = position.side_of[seat]
    position.turn = seat
    position.drew = ""
    position.began = frozenset(
        slot
        for slot in range(BLACK3_SLOT + 1)
        if position.naturals[side][slot] + position.wilds[side][slot]
    )
    position.touched = position.laid_now = position.asked = False
    position.answer = ""
    position.locked = None
    waits = position.rules.red3_initial_when == "at_own_first_turn" and not position.shown[seat]
    position.shown[seat] = True
    position.phase = SHOW if waits and position.counts[seat][cards.RED3] else DRAW


def _end_turn(position: Position) -> None:
    seat = position.turn
    position.melded[seat] = position.melded[seat] or position.laid_now
    _begin_turn(position, (seat + 1) % position.rules.players)


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
            _gain(position, seat, card)
            got += 1
    return got, Effect(tuple(range(first, position.drawn)), tuple(shown))


def _play_draw(position: Position, seat: int) -> Effect:
    got, effect = _from_stock(position, seat, position.rules.draw_count)
    position.drew = STOCK
    position.phase = PLAY
    if not got:
        _after_last_red3(position)
    return effect


def _after_last_red3(position: Position) -> None:
    """Go on after a draw that gave red threes only, the stock being empty now (R-12, R-X1)."""
    match position.rules.red3_last_stock:
        case "end_hand":
            _finish(position, LAST_STOCK_RED3)
        case "meld_then_end":
            position.last_red3 = True
        case _:
            if next(legal_acts(position), None) is None:
                _finish(position, NO_LEGAL_COMPLETION)


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
        _gain(position, seat, card)
    if not rules.buried_usable_same_turn:
        position.locked = [0] * cards.CLASSES
        for card in keep:
            position.locked[cards.CLASS_OF[card]] += 1
    position.red3[side] += tuple(red)
    effect = Effect()
    if rules.red3_from_pile_replaced:
        _, effect = _from_stock(position, seat, len(red))
    if not position.sizes[seat]:
        _go_out(position, seat)
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
        if fresh and len(numbers) >= CANASTA and top < 0:
            position.whole[side] += 1
    position.laid_now = True


def _play_discard(position: Position, seat: int, face: str) -> None:
    card = cards.NUMBER[face]
    _lose(position, seat, card)
    position.pile.append(card)
    if position.sizes[seat]:
        _end_turn(position)
    else:
        _go_out(position, seat)


def _partner(position: Position, seat: int) -> int:
    seats = position.rules.side_seats[position.side_of[seat]]
    return next(other for other in seats if other != seat)


def _play_answer(position: Position, *, yes: bool) -> None:
    rules, seat = position.rules, position.asker
    position.turn, position.asker, position.phase = seat, -1, PLAY
    position.answer = "yes" if yes else "no"
    if yes and not rules.permission_precheck and not can_finish_now(position, seat):
        # Yes, but cannot: the points are off, and the turn goes on unbound.
        position.penalties[position.side_of[seat]] += rules.permission_fail_penalty
        position.answer = ""


def _go_out(position: Position, seat: int) -> None:
    side = position.side_of[seat]
    position.out = seat
    own = finish.has_own_canasta(position.began, position.naturals[side], position.wilds[side])
    position.concealed = finish.concealable(position, seat) and (
        own or not position.rules.concealed_needs_own_canasta
    )
    position.concealed = position.concealed and position.laid_now
    _finish(position, WENT_OUT)


def _finish(position: Position, end: str) -> None:
    position.end = end
    position.phase = OVER
