"""Whether a composition may be played: takes, lays and discards on counts.

The one place that says no to a move. Listing, checking and searching all ask here, so they
cannot disagree (docs/rules.md, how an act is judged).
"""

from collections.abc import Iterator, Sequence

from fairdeal.canasta import cards, finish, pile
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, class_of_slot
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    CANASTA,
    PILE,
    Tally,
    melds_suffice,
)
from fairdeal.canasta.shape import shape_faults


def judge(
    position: Tally,
    seat: int,
    move: Move,
    *,
    held: bool = True,
    misfits: Sequence[str] = (),
) -> Iterator[str]:
    """Name every rule that a move of the seat in turn breaks, lazily and in order.

    The phase is taken to be right, and a take to have a pile whose top card is not blocked.
    With ``held`` false the seat lacks a card of the move, with ``misfits`` a card is of a wrong
    rank (``moves.compose``): then what the move would leave is not judged.
    """
    rules, side = position.rules, position.side_of[seat]
    if move.kind == TAKE:
        if rules.stock_empty == "end" and not position.stock_left:
            yield "STOCK_EMPTY"
        alone = position.sizes[seat] == 1 and len(position.pile) == 1
        if alone and rules.one_card_hand_one_card_pile == "forbidden":
            yield "ONE_CARD_HAND_ONE_CARD_PILE"
        yield from pile.door_faults(position, side, move.heaps[0])
    locked = position.locked is not None and move.kind == LAY and held and not misfits
    if locked and _uses_locked(position, seat, move):
        yield "NOT_IN_HAND"
    yield from misfits
    naturals, wilds = position.naturals[side], position.wilds[side]
    if move.heaps:
        naturals, wilds = naturals[:], wilds[:]
        for place, heap in enumerate(move.heaps):
            slot, added = heap.slot, heap.naturals
            if move.kind == TAKE and place == 0:
                added += 1
            yield from shape_faults(rules, slot, (naturals[slot], wilds[slot]), added, heap.wilds)
            naturals[slot] += added
            wilds[slot] += heap.wilds
    if misfits or not held:
        return
    left = cards_left(position, seat, move)
    if left > 1 and is_plain(position, side, move):
        return
    if move.heaps:
        yield from _laying_faults(position, seat, move, naturals, wilds, left)
    yield from _keeping_faults(position, seat, move, naturals, wilds, left)


def is_plain(position: Tally, side: int, move: Move) -> bool:
    """Say whether a move that leaves two cards breaks no rule but those of shapes and doors.

    So it is with most acts of a hand: this only spares what would find nothing.
    """
    if position.answer or position.last_red3 or move.discard == cards.RED3:
        return False
    if not move.heaps:
        return True
    if position.rules.incomplete_meld_limit is not None or not position.opened(side):
        return False
    return BLACK3_SLOT not in [heap.slot for heap in move.heaps]


def cards_left(position: Tally, seat: int, move: Move) -> int:
    """Count the cards that a move leaves in the holding, what a take brings in counted.

    Every red three of a taken pile counts as replaced while there is stock (R-11): the seat
    cannot know better, and what nobody can know makes no act legal or illegal.
    """
    left = position.sizes[seat] - move.used
    if move.kind == TAKE:
        keep, red = pile.buried(position)
        left += len(keep)
        if position.rules.red3_from_pile_replaced:
            left += min(len(red), position.stock_left)
    return left


def _uses_locked(position: Tally, seat: int, move: Move) -> bool:
    """Say whether a lay needs cards that came in with this turn's pile (R-49)."""
    locked, counts = position.locked or [], position.counts[seat]
    used = used_counts(move._replace(discard=-1))
    return any(used[klass] > counts[klass] - locked[klass] for klass in range(cards.CLASSES))


def used_counts(move: Move) -> list[int]:
    """Give the class counts of the cards that a move takes from the holding."""
    used = [0] * cards.CLASSES
    for heap in move.heaps:
        used[class_of_slot(heap.slot)] += heap.naturals
        used[cards.DEUCE] += heap.deuces
        used[cards.JOKER] += heap.jokers
    if move.discard >= 0:
        used[move.discard] += 1
    return used


def _laying_faults(
    position: Tally,
    seat: int,
    move: Move,
    naturals: list[int],
    wilds: list[int],
    left: int,
) -> Iterator[str]:
    """Judge the opening, the limit of incomplete melds and the black threes."""
    rules, side = position.rules, position.side_of[seat]
    # After the last red three no discard follows: going out is leaving nothing.
    goes_out = left == 0 or (left == 1 and move.discard < 0 and not position.last_red3)
    if not position.opened(side):
        own = not rules.concealed_needs_own_canasta or finish.has_own_canasta(
            position.began, naturals, wilds
        )
        view = finish.table(position, seat)
        if move.kind == TAKE:
            view = view._replace(
                drew=PILE, concealable=view.concealable and rules.concealed_after_pile
            )
        whole = any(
            _size(move, place) >= CANASTA and heap.slot != BLACK3_SLOT
            for place, heap in enumerate(move.heaps)
        )
        if not finish.opens(view, worth(position, move), whole=whole, concealed=own and goes_out):
            yield "OPENING_MINIMUM"
    limit = rules.incomplete_meld_limit
    if limit is not None:
        sizes = [naturals[slot] + wilds[slot] for slot in range(BLACK3_SLOT)]
        begun = sum(0 < size < CANASTA for size in sizes)
        stood = sum(
            0 < position.naturals[side][slot] + position.wilds[side][slot] < CANASTA
            for slot in range(BLACK3_SLOT)
        )
        if begun > limit and begun > stood:
            yield "INCOMPLETE_MELD_LIMIT"
    if any(heap.slot == BLACK3_SLOT for heap in move.heaps) and not goes_out:
        yield "BLACK3_ONLY_GOING_OUT"


def _size(move: Move, place: int) -> int:
    return move.heaps[place].size + (move.kind == TAKE and place == 0)


def worth(position: Tally, move: Move) -> int:
    """Give the points of all cards that a move lays, the top card of a take included (R-30)."""
    points = sum(_value(heap) for heap in move.heaps)
    if move.kind == TAKE:
        points += cards.VALUES[cards.CLASS_OF[position.pile[-1]]]
    return points


def _value(heap: Heap) -> int:
    return (
        heap.naturals * cards.VALUES[class_of_slot(heap.slot)]
        + heap.deuces * cards.VALUES[cards.DEUCE]
        + heap.jokers * cards.VALUES[cards.JOKER]
    )


def _keeping_faults(
    position: Tally,
    seat: int,
    move: Move,
    naturals: list[int],
    wilds: list[int],
    left: int,
) -> Iterator[str]:
    """Judge what the act leaves: going out, keeping a card, the partner's answer."""
    rules = position.rules
    ends_turn = move.kind == DISCARD or move.discard >= 0
    if move.discard == cards.RED3:
        yield "RED3_NOT_DISCARDABLE"
    if ends_turn and position.last_red3:
        yield "NO_DISCARD_AFTER_LAST_RED3"
    may = melds_suffice(rules, naturals, wilds)
    if left == 0:
        if not may:
            yield "KEEP_CARD"
        elif not ends_turn and rules.go_out_discard == "required":
            yield "DISCARD_REQUIRED"
    elif left == 1 and not ends_turn and not position.last_red3 and not may:
        strict = rules.keep_card_guard == "strict"
        if strict or not _last_card_lays(position, seat, move, naturals, wilds):
            yield "KEEP_CARD"
    if not may_go_out(position) and left < (1 if ends_turn else 2):
        yield "PARTNER_SAID_NO"
    if (
        is_bound(position)
        and left
        and (ends_turn or not _finishes(position, seat, move, naturals, wilds))
    ):
        yield "MUST_GO_OUT"


def is_bound(position: Tally) -> bool:
    """Say whether the partner's yes binds the seat to go out this turn (R-61)."""
    return position.answer == "yes" and position.rules.permission_yes == "must_go_out"


def may_go_out(position: Tally) -> bool:
    """Say whether the partner's answer, or its absence, lets the seat go out (R-60, R-61)."""
    if position.rules.permission == "required":
        return position.answer == "yes"
    return position.answer != "no"


def counts_after(position: Tally, seat: int, move: Move) -> list[int]:
    """Give the class counts of the holding after a move, as far as the seat can know them."""
    counts = position.counts[seat][:]
    for klass, number in enumerate(used_counts(move)):
        counts[klass] -= number
    if move.kind == TAKE:
        for card in pile.buried(position)[0]:
            counts[cards.CLASS_OF[card]] += 1
    return counts


def _last_card_lays(
    position: Tally, seat: int, move: Move, naturals: list[int], wilds: list[int]
) -> bool:
    """Say whether the one card left can be laid on a meld and so go out (R-X4)."""
    view = _view_after(position, seat, move, naturals, wilds)._replace(may_discard=False)
    counts, locked = counts_after(position, seat, move), _locked_after(position, move)
    if view.rules.go_out_discard == "required" or sum(counts) != 1:
        return False
    if view.rules.permission == "required" and position.answer != "yes":
        return False
    if any(number and locked[klass] for klass, number in enumerate(counts)):
        return False
    return finish.can_finish(view, counts)


def _locked_after(position: Tally, move: Move) -> list[int]:
    """Give the class counts of what may not be laid this turn once a move is made (R-49)."""
    locked = (position.locked or [0] * cards.CLASSES)[:]
    if move.kind == TAKE and not position.rules.buried_usable_same_turn:
        for card in pile.buried(position)[0]:
            locked[cards.CLASS_OF[card]] += 1
    return locked


def _finishes(
    position: Tally, seat: int, move: Move, naturals: list[int], wilds: list[int]
) -> bool:
    view = _view_after(position, seat, move, naturals, wilds)
    return finish.can_finish(view, counts_after(position, seat, move))


def _view_after(
    position: Tally, seat: int, move: Move, naturals: list[int], wilds: list[int]
) -> finish.Table:
    view = finish.table(position, seat)
    drew = PILE if move.kind == TAKE else view.drew
    return view._replace(naturals=naturals, wilds=wilds, drew=drew)


def can_finish_now(position: Tally, seat: int) -> bool:
    """Say whether the seat could go out this turn from here, were it allowed to."""
    return finish.can_finish(finish.table(position, seat), position.counts[seat])
