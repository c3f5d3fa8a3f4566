"""A bot that melds when it may and takes the pile when it may.

It sees the knowledge of its seat (``canasta.view.knowledge``) and nothing else, and for the same
knowledge it always acts alike. It never asks its partner, and always answers *yes*.
"""

from typing import Final

from fairdeal.canasta import acts, cards, engine, options
from fairdeal.canasta.legality import faults
from fairdeal.canasta.moves import Move, to_act
from fairdeal.canasta.position import ASKED, CANASTA, DRAW, PLAY, Position

NAME: Final = "greedy@1"


def choose(known: Position, seat: int) -> acts.Act:
    """Choose an act for the seat in turn, from what that seat knows.

    Raises:
        ValueError: The seat is not in turn, so there is nothing to choose.
    """
    if known.end or known.turn != seat:
        raise ValueError(f"seat {seat} is not in turn")
    if known.phase == ASKED:
        return acts.Answer(True)
    if known.phase == DRAW:
        return _begin(known, seat)
    if known.phase == PLAY:
        return _play(known, seat)
    return next(engine.legal_acts(known))


def _begin(known: Position, seat: int) -> acts.Act:
    """Take the pile in the cheapest way that is legal, else draw, else end the hand."""
    takes = list(options.takes(known))
    if takes:
        return to_act(known, seat, min(takes, key=_cost))
    return acts.Draw() if known.stock_left else acts.End()


def _cost(move: Move) -> tuple[int, int, Move]:
    wilds = sum(heap.wilds for heap in move.heaps)
    return (wilds, move.used, move)


def _play(known: Position, seat: int) -> acts.Act:
    """Lay what may be laid, then discard, all in one act where that is legal."""
    after = known.copy()
    laid: dict[str, list[str]] = {}
    first: acts.Act | None = None
    while not after.end:
        move = _best_lay(after, seat)
        if move is None:
            break
        act = to_act(after, seat, move)
        first = first or act
        for one in acts.groups_of(act):
            laid.setdefault(one.rank, []).extend(one.cards)
        engine.play(after, seat, act)
    discard = None if after.end else _discard(after, seat)
    groups = [acts.group(rank, faces) for rank, faces in laid.items()]
    wishes: list[acts.Act] = []
    if groups:
        wishes.append(acts.Lay(tuple(sorted(groups, key=acts.group_order)), discard))
    elif discard is not None:
        wishes.append(acts.Discard(discard))
    if first is not None:
        wishes.append(first)
    for act in wishes:
        if next(faults(known, seat, act), None) is None:
            return act
    return next(engine.legal_acts(known))


def _best_lay(known: Position, seat: int) -> Move | None:
    """Choose the lay with the most naturals for the fewest wilds, if one is worth it."""
    side = known.side_of[seat]
    worth = []
    for move in options.lays(known):
        wilds = sum(heap.wilds for heap in move.heaps)
        naturals = move.used - wilds
        completes = sum(
            known.naturals[side][heap.slot] + known.wilds[side][heap.slot] < CANASTA
            and known.naturals[side][heap.slot] + known.wilds[side][heap.slot] + heap.size
            >= CANASTA
            for heap in move.heaps
        )
        goes_out = known.sizes[seat] - move.used <= 1
        spoils = any(
            heap.wilds and known.naturals[side][heap.slot] >= CANASTA for heap in move.heaps
        )
        if (wilds and not (completes or goes_out or not known.opened(side))) or spoils:
            continue
        worth.append(((completes, -wilds, naturals, move), move))
    return max(worth)[1] if worth else None


def _discard(known: Position, seat: int) -> str | None:
    """Choose the card whose loss costs least and helps the next seat least."""
    moves = list(options.discards(known))
    if not moves:
        return None
    best = min(moves, key=lambda move: (_price(known, seat, move.discard), move.discard))
    act = to_act(known, seat, best)
    return act.card if isinstance(act, acts.Discard) else None


def _price(known: Position, seat: int, klass: int) -> int:
    if klass == cards.BLACK3:
        return 0
    if cards.is_wild(klass):
        return 1000
    price = 10 * known.counts[seat][klass] ** 2 + cards.VALUES[klass]
    next_side = known.side_of[(seat + 1) % known.rules.players]
    if known.naturals[next_side][klass]:
        price += 60
    return price
