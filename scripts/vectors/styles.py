"""Styles of play, made so that a game shows what a vector is to show."""

from itertools import cycle

from fairdeal.bots import greedy as greedy_bot
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.judge import can_finish_now
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import ASKED, DRAW, PLAY, Position
from fairdeal.canasta.view import knowledge
from scripts.vectors.sitting import Style


def greedy(position: Position, seat: int) -> acts.Act:
    """Play as the service's bot does."""
    return greedy_bot.choose(knowledge(position, seat), seat)


def freezing(position: Position, seat: int) -> acts.Act:
    """Play as the bot does, but throw a wild card on a pile of six or more that is not frozen."""
    act = greedy(position, seat)
    if isinstance(act, acts.Discard) and len(position.pile) >= 6 and not position.frozen:
        for face in ("2C", "2D", "2H", "2S", "JK"):
            if position.held[seat][cards.NUMBER[face]]:
                return acts.Discard(face)
    return act


def patient(position: Position, seat: int) -> acts.Act:
    """Open as the bot does, then lay nothing more and take the pile only where one must."""
    side = position.side_of[seat]
    if not position.opened(side) and position.phase != ASKED:
        return greedy(position, seat)
    if position.phase == DRAW:
        return _draw_or_end(position, seat)
    return cheapest_discard(position, seat)


def closed(position: Position, seat: int) -> acts.Act:
    """Never lay anything: draw and discard until the stock is gone."""
    if position.phase == DRAW:
        return _draw_or_end(position, seat)
    return cheapest_discard(position, seat)


def finisher(position: Position, seat: int) -> acts.Act:
    """Draw and discard until the seat can go out in one turn, then do so."""
    if position.phase == PLAY and can_finish_now(position, seat):
        return finishing(position, seat)
    return closed(position, seat)


def concealing(position: Position, seat: int) -> acts.Act:
    """Lay nothing until the seat can go out by an opening below the minimum (R-33)."""
    if position.phase == PLAY and can_finish_now(position, seat):
        least = position.minimum(position.side_of[seat])
        for act in engine.legal_acts(position):
            if isinstance(act, acts.Lay) and points(act) < least:
                return act
    if position.phase == PLAY and position.laid_now:
        return finishing(position, seat)
    if position.phase == PLAY:
        return cheapest_discard(position, seat, dear_first=True)
    return closed(position, seat)


def points(act: acts.Act) -> int:
    """Give the value of the cards that an act lays from the holding."""
    faces = [face for one in acts.groups_of(act) for face in one.cards]
    return sum(cards.VALUES[cards.CLASS_OF[cards.NUMBER[face]]] for face in faces)


def asking() -> Style:
    """Play as the bot does, but ask the partner whenever one may: first no, then yes in turn."""
    answers = cycle((False, True))

    def style(position: Position, seat: int) -> acts.Act:
        if position.phase == ASKED:
            return acts.Answer(next(answers))
        if position.answer == "yes":
            return finishing(position, seat)
        if position.answer == "no":
            return cheapest_discard(position, seat)
        if position.phase == PLAY and is_legal(position, seat, acts.Ask()):
            return acts.Ask()
        return greedy(position, seat)

    return style


def black_threes(position: Position, seat: int) -> acts.Act:
    """Lay nothing and keep black threes until the seat can go out with three of them."""
    if position.phase == PLAY:
        threes = position.counts[seat][cards.BLACK3] >= 3
        if threes and can_finish_now(position, seat):
            return finishing(position, seat)
        return cheapest_discard(position, seat, keep=cards.BLACK3)
    return closed(position, seat)


def finishing(position: Position, seat: int) -> acts.Act:
    """Give an act after which the seat is out, or can still go out this turn.

    Raises:
        LookupError: There is none.
    """
    for act in engine.legal_acts(position):
        if isinstance(act, acts.Lay | acts.Discard):
            after = position.copy()
            engine.play(after, seat, act)
            if after.out == seat or (after.phase == PLAY and can_finish_now(after, seat)):
                return act
    raise LookupError(f"seat {seat} cannot go out")


def cheapest_discard(
    position: Position, seat: int, *, keep: int = -1, dear_first: bool = False
) -> acts.Act:
    """Give a legal discard: single cards before pairs, wild cards late, ``keep`` last.

    Among equals the card of the lowest value goes, or of the highest with ``dear_first``.
    """
    found = [act for act in engine.legal_acts(position) if isinstance(act, acts.Discard)]
    if not found:
        return next(engine.legal_acts(position))
    counts = position.counts[seat]

    def price(act: acts.Discard) -> tuple[bool, bool, int, int, int]:
        klass = cards.CLASS_OF[cards.NUMBER[act.card]]
        value = -cards.VALUES[klass] if dear_first else cards.VALUES[klass]
        return (klass == keep, cards.is_wild(klass), counts[klass], value, klass)

    return min(found, key=price)


def is_legal(position: Position, seat: int, act: acts.Act) -> bool:
    """Say whether a seat may do this now."""
    return next(faults(position, seat, act), None) is None


def _draw_or_end(position: Position, seat: int) -> acts.Act:
    wishes: tuple[acts.Act, ...] = (acts.Draw(), acts.End())
    for act in wishes:
        if is_legal(position, seat, act):
            return act
    return next(engine.legal_acts(position))
