"""Rules of thumb, quickly: what to take, lay and throw, from one's own cards and the table.

``steady@1`` plays so, and searches play hands out so. Of other seats' cards nothing is looked at,
though in a playout they are there. Whatever is meant is put to ``referee.allows``: no ruleset is
known here, so where a wish is not legal a smaller one is tried, and last the list of legal acts.

Keys of the tables are put together as ``tables`` says, six bits a number.
"""

from itertools import chain
from typing import Final

from fairdeal.bots.fast_opening import opening
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
_FEED_PRICE: Final = 200
_BARE: Final = 3
"""So many naturals make a meld of their own."""


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
    if opened:
        wish = Move(TAKE, (_heap(klass, naturals, wilds, counts),))
    else:
        own = naturals, wilds
        heaps = opening(core.tables.joins, counts, core.needs[side], klass, own)
        if heaps is None:
            return None
        wish = Move(TAKE, heaps)
    return wish if allows(core, wish) else None


def _COST(pair: tuple[int, int]) -> tuple[int, int]:  # noqa: N802  a key, like a constant
    return pair[1], pair[0]


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
        found = opening(core.tables.joins, core.counts[seat], core.needs[side])
    else:
        found = _additions(core, seat, side)
    return legal_part(core, found) if found else None


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
    standing, left = core.standing[side], core.sizes[seat]
    groups: dict[int, int] = {}
    for rank in range(RANKS):
        held = counts[rank]
        if held and (rank in standing or held >= _BARE):
            key = naturals_there[rank] << 18 | wilds_there[rank] << 12 | held << 6
            if joins[key]:
                groups[rank] = held
                left -= held
    used = _finishing(core, groups, side, counts[_DEUCE] + counts[_JOKER])
    left -= sum(used.values())
    if not _may_end(core, side, groups, used):
        if left <= 1:
            _hold_back(standing, groups, used, 2 - left)
    elif left > 1:
        _shed(core, seat, groups, used)
    deuces, heaps = counts[_DEUCE], []
    for rank in sorted(groups.keys() | used.keys()):
        wilds = used.get(rank, 0)
        twos = min(wilds, deuces)
        deuces -= twos
        heaps.append(Heap(rank, groups.get(rank, 0), twos, wilds - twos))
    return tuple(heaps)


def _finishing(core: Counts, groups: dict[int, int], side: int, wild: int) -> dict[int, int]:
    """Give how many wild cards go where to finish canastas, the fullest melds first."""
    used: dict[int, int] = {}
    if not wild:
        return used
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    lacks = []
    for rank in core.standing[side] | groups.keys():
        lack = CANASTA - naturals_there[rank] - wilds_there[rank] - groups.get(rank, 0)
        if rank < RANKS and 0 < lack <= wild:
            lacks.append((lack, rank))
    for lack, rank in sorted(lacks):
        key = naturals_there[rank] << 18 | wilds_there[rank] << 12 | groups.get(rank, 0) << 6
        if lack <= wild and core.tables.joins[key | lack]:
            used[rank] = lack
            wild -= lack
    return used


def _shed(core: Counts, seat: int, groups: dict[int, int], used: dict[int, int]) -> None:
    """Add to groups what gets rid of all cards but one to throw, if that can be."""
    side, counts, joins = core.side_of[seat], core.counts[seat], core.tables.joins
    naturals_there, wilds_there = core.naturals[side], core.wilds[side]
    wild = counts[_DEUCE] + counts[_JOKER] - sum(used.values())
    alone, pairs = counts[_BLACK3], []
    for rank in range(RANKS):
        held = counts[rank]
        if held and rank not in groups:
            if held == _BARE - 1 and joins[held << 6 | 1]:
                pairs.append(rank)
            else:
                alone += held
    wild -= len(pairs)
    if alone > 1 or wild < 0:
        return
    more = used | dict.fromkeys(pairs, 1)
    if wild:
        # Natural canastas last: a wild card there costs what makes them dear.
        spots = sorted(
            (naturals_there[rank] >= CANASTA and not wilds_there[rank], rank)
            for rank in core.standing[side] | groups.keys()
            if rank < RANKS
        )
        for _, rank in spots:
            key = naturals_there[rank] << 18 | wilds_there[rank] << 12 | groups.get(rank, 0) << 6
            while wild and joins[key | more.get(rank, 0) + 1]:
                more[rank] = more.get(rank, 0) + 1
                wild -= 1
    if alone + wild <= 1:
        used.update(more)
        groups.update(dict.fromkeys(pairs, 2))


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


def _hold_back(
    standing: frozenset[int], groups: dict[int, int], used: dict[int, int], wanted: int
) -> None:
    """Leave out cards or groups, the cheapest first, until so many more stay in the holding."""
    for rank in sorted(groups, key=lambda at: (at in standing, groups[at], _VALUES[at])):
        if wanted <= 0:
            return
        spare = groups[rank] - (0 if rank in standing else _BARE)
        if rank not in used and spare >= wanted:
            groups[rank] -= wanted
            if not groups[rank]:
                del groups[rank]
            return
        wanted -= groups.pop(rank) + used.pop(rank, 0)


def throw(core: Counts) -> Move:
    """Discard the card whose loss costs least and helps the next seat least."""
    seat = core.turn
    counts, side = core.counts[seat], core.side_of[seat]
    next_side = core.side_of[core.tables.next_seat[seat]]
    mine, theirs = core.naturals[side], core.naturals[next_side]
    size, copies, shut = len(core.pile) + 1, 4 * core.rules.decks, core.ice
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
            if theirs[klass] and not shut:
                price += _FEED_PRICE
            else:
                # The more of a rank are out of sight, the likelier is a pair of them.
                away = copies - held - mine[klass] - theirs[klass]
                price += away * (size + 4) // 2
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
