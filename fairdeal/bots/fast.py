"""Rules of thumb, quickly: what to take, lay and throw, from one's own cards and the table.

``steady@1`` plays so, and searches play hands out so. Of other seats' cards nothing is looked at,
though in a playout they are there. Whatever is meant is put to ``referee.allows``: no ruleset is
known here, so where a wish is not legal a smaller one is tried, and last the list of legal acts.

Keys of the tables are put together as ``tables`` says, six bits a number.
"""

from itertools import chain
from typing import Final

from fairdeal.bots.partner import says_yes
from fairdeal.canasta import cards, legality, options
from fairdeal.canasta.counts import CLASS_OF, Counts
from fairdeal.canasta.judge import is_bound
from fairdeal.canasta.moves import (
    ASK,
    DISCARD,
    DRAW,
    END,
    LAY,
    NO,
    SHOW,
    TAKE,
    YES,
    Heap,
    Move,
)
from fairdeal.canasta.position import ASKED, CANASTA, PLAY, WILD_SLOT
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.referee import allows
from fairdeal.canasta.tables import FROZEN_KEY

RANKS: Final = 11
DRAWS: Final = Move(DRAW)
DISCARDS: Final = tuple(Move(DISCARD, (), klass) for klass in range(cards.CLASSES))
_DEUCE: Final = cards.DEUCE
_JOKER: Final = cards.JOKER
_BLACK3: Final = cards.BLACK3
_VALUES: Final = cards.VALUES
_END: Final = Move(END)

_WILD_PRICE: Final = 1000
_MELD_PRICE: Final = 200
_FEED_PRICE: Final = 60


def move(core: Counts) -> Move:
    """Give the move of the seat in turn of a hand that is not over."""
    phase = core.phase
    if phase == PLAY:
        return play(core)
    if phase == DRAWING:
        return begin(core)
    if phase == ASKED:
        return Move(YES if says_yes(core, core.turn) else NO)
    return Move(SHOW)


def begin(core: Counts) -> Move:
    """Take the pile if that is legal, else draw, else end the hand."""
    found = take(core)
    if found is not None:
        return found
    if core.drawn < len(core.stock):
        return DRAWS
    if legality.must_take(core):
        return next(options.takes(core))
    return _END


def take(core: Counts) -> Move | None:
    """Give the take that costs least wild cards, then least cards; None where there is none."""
    if not core.pile:
        return None
    klass = CLASS_OF[core.pile[-1]]
    if klass >= WILD_SLOT or core.tables.blocks[klass]:
        return None
    seat = core.turn
    side, counts = core.side_of[seat], core.counts[seat]
    opened = bool(core.standing[side])
    held, wild = counts[klass], counts[_DEUCE] + counts[_JOKER]
    key = core.naturals[side][klass] << 18 | core.wilds[side][klass] << 12 | held << 6 | wild
    if core.ice or (core.rules.frozen_before_opening and not opened):
        key |= FROZEN_KEY
    found = core.tables.firsts[key]
    if not found:
        return None
    naturals, wilds = min(found, key=_COST)
    if not opened and naturals < held:
        # An opening counts every card, and what is left of the rank would follow anyway.
        naturals = held if (held, wilds) in found else naturals
    first = _heap(klass, naturals, wilds, counts)
    heaps: tuple[Heap, ...] = (first,)
    need = core.needs[side]
    if not opened:
        points = _VALUES[klass] + heap_value(first)
        if points < need:
            left = counts[:]
            left[klass] -= naturals
            left[_DEUCE] -= first.deuces
            left[_JOKER] -= first.jokers
            heaps += opening(left, need - points, klass)
    wish = Move(TAKE, heaps)
    return wish if allows(core, wish) else None


def _COST(pair: tuple[int, int]) -> tuple[int, int]:  # noqa: N802  a key, like a constant
    return pair[1], pair[0]


def opening(counts: list[int], need: int, taken: int = -1) -> tuple[Heap, ...]:
    """Give groups that reach so many points, or as many as there are; naturals first.

    Args:
        counts: What may be used.
        need: Points still wanted.
        taken: A rank that has its group already.
    """
    naturals: dict[int, int] = {}
    pairs: list[int] = []
    for rank in _BY_VALUE:
        if rank == taken:
            continue
        held = counts[rank]
        if held >= 3:
            naturals[rank] = held
            need -= held * _VALUES[rank]
            if need <= 0:
                break
        elif held == 2:
            pairs.append(rank)
    added: dict[int, int] = {}
    if need > 0:
        # Wild cards go to pairs first: each makes a meld, and its points count.
        wilds = [_DEUCE] * counts[_DEUCE] + [_JOKER] * counts[_JOKER]
        spots = [*pairs, *naturals]
        for spot, wild in zip(spots, wilds, strict=False):
            added[spot] = wild
            need -= _VALUES[wild] + (2 * _VALUES[spot] if spot in pairs else 0)
            if spot in pairs:
                naturals[spot] = 2
            if need <= 0:
                break
    return tuple(
        Heap(rank, held, int(added.get(rank) == _DEUCE), int(added.get(rank) == _JOKER))
        for rank, held in sorted(naturals.items())
    )


_BY_VALUE: Final = (10, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3)


def play(core: Counts) -> Move:
    """Lay what is worth it, else throw."""
    found = lay(core)
    if found is not None:
        return found
    return throw(core)


def lay(core: Counts) -> Move | None:
    """Give a lay of all that goes onto the table, or None where nothing should or may."""
    seat = core.turn
    side = core.side_of[seat]
    if not core.standing[side]:
        counts = core.counts[seat]
        heaps = opening(counts, core.needs[side])
        if sum(map(heap_value, heaps)) < core.needs[side]:
            return None
    else:
        heaps = _additions(core, seat, side)
    if not heaps:
        return None
    return legal_part(core, heaps)


def legal_part(core: Counts, heaps: tuple[Heap, ...]) -> Move | None:
    """Give the lay of these groups, or the first legal one of fewer; None where there is none."""
    wish = Move(LAY, heaps)
    if allows(core, wish):
        return wish
    for cut in range(len(heaps) - 1, 0, -1):
        wish = Move(LAY, heaps[:cut])
        if allows(core, wish):
            return wish
    for heap in heaps[1:]:
        wish = Move(LAY, (heap,))
        if allows(core, wish):
            return wish
    return None


def _additions(core: Counts, seat: int, side: int) -> tuple[Heap, ...]:
    """Give the groups of an opened side: naturals, wild cards that finish canastas or the hand."""
    counts, joins = core.counts[seat], core.tables.joins
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    standing = core.standing[side]
    left, wild = core.sizes[seat], counts[_DEUCE] + counts[_JOKER]
    groups: dict[int, int] = {}
    for rank in range(RANKS):
        held = counts[rank]
        if held and (rank in standing or held >= 3):
            key = naturals_there[rank] << 18 | wilds_there[rank] << 12 | held << 6
            if joins[key]:
                groups[rank] = held
                left -= held
    used = _wild_uses(core, groups, side, left, wild)
    left -= sum(used.values())
    if left <= 1 and not _may_end(core, side, groups, used):
        _hold_back(groups, used, 2 - left)
    deuces = counts[_DEUCE]
    heaps = []
    for rank in sorted(groups.keys() | used.keys()):
        twos = min(used.get(rank, 0), deuces)
        deuces -= twos
        heap = Heap(rank, groups.get(rank, 0), twos, used.get(rank, 0) - twos)
        if heap.size:
            heaps.append(heap)
    return tuple(heaps)


def _wild_uses(
    core: Counts, groups: dict[int, int], side: int, left: int, wild: int
) -> dict[int, int]:
    """Give how many wild cards go where: to finish a canasta, or to get rid of all."""
    used: dict[int, int] = {}
    if not wild:
        return used
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    joins = core.tables.joins
    for rank in sorted(
        core.standing[side] | groups.keys(), key=lambda at: -naturals_there[at % 13]
    ):
        if rank >= RANKS:
            continue
        there = naturals_there[rank] + wilds_there[rank] + groups.get(rank, 0)
        lack = CANASTA - there
        if 0 < lack <= min(wild, 3):
            key = naturals_there[rank] << 18 | wilds_there[rank] << 12
            if joins[key | groups.get(rank, 0) << 6 | lack]:
                used[rank] = lack
                wild -= lack
    if wild and left - sum(used.values()) - wild <= 1 and _may_end(core, side, groups, used):
        # All that is left are wild cards and one to throw: lay them too and go out.
        for rank in sorted(core.standing[side] | groups.keys()):
            if rank >= RANKS:
                continue
            key = naturals_there[rank] << 18 | wilds_there[rank] << 12
            key |= groups.get(rank, 0) << 6
            while wild and joins[key | used.get(rank, 0) + 1]:
                used[rank] = used.get(rank, 0) + 1
                wild -= 1
    return used


def _may_end(core: Counts, side: int, groups: dict[int, int], used: dict[int, int]) -> bool:
    """Say whether the side has the canastas to go out, these groups counted."""
    naturals, wilds = core.naturals[side], core.wilds[side]
    done = pure = 0
    for rank in range(WILD_SLOT + 1):
        more = used.get(rank, 0)
        if naturals[rank] + wilds[rank] + groups.get(rank, 0) + more >= CANASTA:
            done += 1
            pure += not wilds[rank] + more
    rules = core.rules
    return done >= rules.canastas_to_go_out and (pure > 0 or not rules.go_out_needs_natural)


def _hold_back(groups: dict[int, int], used: dict[int, int], cards_wanted: int) -> None:
    """Leave out groups, the cheapest first, until so many cards more stay in the holding."""
    for rank in sorted(groups, key=lambda at: (groups[at], _VALUES[at])):
        if cards_wanted <= 0:
            return
        cards_wanted -= groups.pop(rank) + used.pop(rank, 0)


def throw(core: Counts) -> Move:
    """Discard the card whose loss costs least and helps the next seat least."""
    seat = core.turn
    counts = core.counts[seat]
    next_side = core.side_of[core.tables.next_seat[seat]]
    melds = core.standing[next_side]
    shut = core.ice
    best, least = -1, 1 << 30
    for klass in range(cards.RED3):
        held = counts[klass]
        if not held:
            continue
        if klass == _BLACK3:
            price = 0
        elif klass >= _DEUCE:
            price = _WILD_PRICE + klass
        else:
            price = 10 * held * held + _VALUES[klass]
            if klass in melds:
                price += _FEED_PRICE if shut else _MELD_PRICE
        if price < least:
            best, least = klass, price
    wish = DISCARDS[best]
    if best >= 0 and allows(core, wish):
        return wish
    return any_legal(core)


def any_legal(core: Counts) -> Move:
    """Give a legal move where no wish was: of a bound turn the one that lays most."""
    if core.last_red3 and not is_bound(core):
        return _END
    listed = chain(options.lays(core), options.discards(core))
    first = next(listed, None)
    if first is None:
        return Move(ASK)
    if is_bound(core):
        return max(chain([first], listed), key=lambda one: (one.used, one))
    return first


def _heap(slot: int, naturals: int, wilds: int, counts: list[int]) -> Heap:
    deuces = min(wilds, counts[_DEUCE])
    return Heap(slot, naturals, deuces, wilds - deuces)


def heap_value(heap: Heap) -> int:
    """Give the points of a group's cards."""
    slot, naturals, deuces, jokers = heap
    return naturals * _VALUES[slot] + deuces * _VALUES[_DEUCE] + jokers * _VALUES[_JOKER]
