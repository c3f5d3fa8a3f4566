"""Whether the seat in turn must take the pile, the stock being gone (R-65, R-X8).

It must where a legal take exists: any, or one by the door `lay_on_meld`, as the ruleset says.
A take either keeps two cards or goes out, so the two are looked for apart.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from verifier.canasta.faces import (
    JOKER,
    MELD_RANKS,
    WILD_RANK,
    is_wild,
    rank,
    value,
)
from verifier.canasta.finish import Way, canastas_needed, opening_canastas
from verifier.canasta.melds import (
    CANASTA_CARDS,
    NONE,
    Count,
    Melds,
    count,
    exempt_canastas,
    incomplete,
    reaches,
    shape_fault,
)
from verifier.canasta.pile import blocked, buried, doors
from verifier.canasta.ruleset import Ruleset
from verifier.canasta.spread import Top, can_spread, takes_top
from verifier.canasta.turn import Play

_ENOUGH: Final = 1_000_000  # points of a group that opens by itself
_DEUCE, _JOKER = value("2C"), value(JOKER)


def must_take(play: Play) -> bool:
    """Whether a take is compulsory, so that the hand may not be ended.

    Args:
        play: The hand, its stock empty, in the draw phase of a turn.
    """
    wanted = play.rules.stock_empty
    if wanted not in ("must_if_fits_meld", "must_if_any") or blocked(play):
        return False
    allowed = frozenset(doors(play)[0])
    if wanted == "must_if_fits_meld":
        allowed &= {"lay_on_meld"}
    search = _Search(
        rules=play.rules,
        own=play.held(),
        melds=play.melds(),
        top=Top(str(play.position.top()), allowed),
        buried=Counter(buried(play)),
        minimum=play.minimum(),
    )
    return keeps_two(search) or (play.rules.permission != "required" and goes_out(search))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """What a take is made of: the cards held, the top card, and what lies under it."""

    rules: Ruleset
    own: Counter[str]
    melds: Melds
    top: Top
    buried: Counter[str]
    minimum: int | None


class _Used(NamedTuple):
    """What the groups chosen so far used up; the points they count are kept beside it."""

    deuces: int = 0
    jokers: int = 0
    cards: int = 0
    incomplete: int = 0


def keeps_two(search: _Search) -> bool:
    """Whether some legal take leaves the seat two cards or more."""
    spare = search.own.total() + search.buried.total() - 2
    if spare < 0:
        return False
    limit = search.rules.incomplete_meld_limit
    best = {_Used(): 0}
    first = rank(search.top.face)
    # Once the side has opened, further groups serve only to complete melds for the limit.
    others = (*MELD_RANKS, WILD_RANK) if search.minimum is not None or limit is not None else ()
    for name in (first, *(name for name in others if name != first)):
        best = _extend(search, best, name, spare)
    standing = 0 if limit is None else incomplete(search.melds)
    return any(
        (limit is None or standing + used.incomplete <= limit)
        and (search.minimum is None or reaches(search.rules, points, search.minimum))
        for used, points in best.items()
    )


def _extend(search: _Search, best: dict[_Used, int], name: str, spare: int) -> dict[_Used, int]:
    """The best points for all that can be used up when a group of this rank may be laid too."""
    groups = list(_groups(search, name))
    wilds = _wilds(search)
    extended = {} if name == rank(search.top.face) else dict(best)
    for used, points in best.items():
        for group, worth in groups:
            both = _Used(*map(sum, zip(used, group, strict=True)))
            if both.deuces > wilds[0] or both.jokers > wilds[1] or both.cards > spare:
                continue
            extended[both] = max(extended.get(both, 0), points + worth)
    return extended


def _wilds(search: _Search) -> tuple[int, int]:
    jokers = search.own[JOKER]
    wilds = sum(number for face, number in search.own.items() if is_wild(face))
    if search.minimum is None:
        return wilds, 0  # which wild is laid matters to the opening points alone
    return wilds - jokers, jokers


def _groups(search: _Search, name: str) -> Iterator[tuple[_Used, int]]:
    """Every legal group of a rank, the first of the take where it is the top card's."""
    rules, old = search.rules, search.melds.get(name)
    before = old or NONE
    top = search.top if rank(search.top.face) == name else None
    naturals = [f for f in search.own.elements() if not is_wild(f) and rank(f) == name]
    deuces, jokers = _wilds(search)
    each = value(top.face if top else naturals[0]) if top or naturals else 0
    for number in range(len(naturals) + 1):
        for wilds in ((d, j) for d in range(deuces + 1) for j in range(jokers + 1)):
            own = added = Count(number, sum(wilds))
            if top:
                if not top.fits(own, has_meld=takes_top(rules, name, old)):
                    continue
                added = own.plus(count([top.face]))
            if not added.cards or shape_fault(rules, name, before, added):
                continue
            worth = number * each + wilds[0] * _DEUCE + wilds[1] * _JOKER
            worth += value(top.face) if top else 0
            whole = added.cards >= CANASTA_CARDS and rules.opening_canasta_satisfies
            yield (
                _Used(*wilds, own.cards, _more_incomplete(rules, name, old, added)),
                _ENOUGH if whole else worth,
            )


def _more_incomplete(rules: Ruleset, name: str, old: Count | None, added: Count) -> int:
    """By how much a group changes the number of melds short of a canasta."""
    if rules.incomplete_meld_limit is None:
        return 0
    after = (old or NONE).plus(added)
    return incomplete({name: after}) - (incomplete({name: old}) if old else 0)


def goes_out(search: _Search) -> bool:
    """Whether some legal take leaves nothing, or one card that can go out at once (R-X4)."""
    rules, own, buried_cards = search.rules, search.own, search.buried
    exempt = exempt_canastas(rules, drew_stock=False)
    way = Way(minimum=search.minimum, exempt=exempt)
    if buried_cards.total() > 1:
        return False
    if buried_cards:
        (last,) = buried_cards
        return _lays(search, way, own) or _lays_last(search, way, last)
    if rules.go_out_discard == "optional" and _lays(search, way, own):
        return True
    return any(_lays(search, way, own - Counter([face])) for face in own)


def _lays(search: _Search, way: Way, laid: Counter[str]) -> bool:
    needed = canastas_needed(search.rules, laid + Counter([search.top.face]), way)
    if needed is None:
        return False
    return can_spread(search.rules, laid, search.melds, needed, top=search.top)


def _lays_last(search: _Search, way: Way, last: str) -> bool:
    """Whether all own cards can be laid, and then the one buried card as an act of its own."""
    rules = search.rules
    by_itself = rules.go_out_discard == "optional" and rules.keep_card_guard == "lookahead"
    first_needed = opening_canastas(rules, search.own + Counter([search.top.face]), way)
    if first_needed is None or not by_itself or not rules.buried_usable_same_turn:
        return False
    return can_spread(
        rules,
        search.own,
        search.melds,
        rules.canastas_to_go_out,
        top=search.top,
        last=last,
        first_needed=first_needed,
    )
