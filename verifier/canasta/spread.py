"""Whether a set of cards can be laid whole on melds, old and new: an exact search on counts.

What matters of a spread is how many wilds it used and which canastas it made; suits never do.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from verifier.canasta.faces import GROUP_RANKS, THREE_RANK, WILD_RANK, rank
from verifier.canasta.melds import (
    NONE,
    Count,
    Melds,
    count,
    is_canasta,
    is_natural_canasta,
    shape_fault,
)
from verifier.canasta.ruleset import Ruleset


class Spread(NamedTuple):
    """What matters of the melds chosen so far.

    Attributes:
        wilds_used: Wilds that lie in them.
        canastas: How many of them are canastas.
        natural: Whether a natural canasta is among them.
        incomplete: How many are short of a canasta; not counted where there is no limit.
        first_canastas: Canastas before the card was laid that comes in an act of its own.
    """

    wilds_used: int = 0
    canastas: int = 0
    natural: bool = False
    incomplete: int = 0
    first_canastas: int = 0


class Top(NamedTuple):
    """The top card of a pile that is taken with the cards, and the doors that may be used."""

    face: str
    doors: frozenset[str]

    def fits(self, own: Count, *, has_meld: bool) -> bool:
        """Whether a take with so many own cards comes through a door (R-X2).

        Args:
            own: The own cards of its first group.
            has_meld: Whether there is a meld on which the top card may be laid.
        """
        if not own.cards and rank(self.face) == WILD_RANK:
            return False  # a bare take of wilds cannot be written (6.7 point 14)
        return any(
            (
                "pair" in self.doors and own.naturals >= 2,
                "natural_wild" in self.doors and own.naturals >= 1 and own.wilds >= 1,
                "lay_on_meld" in self.doors and has_meld,
            )
        )


def takes_top(rules: Ruleset, name: str, meld: Count | None) -> bool:
    """Whether the top card may be laid on this meld by the door `lay_on_meld` (R-44, R-45)."""
    if meld is None:
        return False
    return rules.lay_on_completed_canasta or not is_canasta(name, meld)


def can_spread(
    rules: Ruleset,
    laid: Counter[str],
    melds: Melds,
    needed: int,
    *,
    top: Top | None = None,
    last: str | None = None,
    first_needed: int = 0,
) -> bool:
    """Whether all these cards can be laid so that the side may go out.

    Args:
        rules: The ruleset.
        laid: The own cards, by face, each with a positive number.
        melds: The side's melds on the table.
        needed: The canastas that the side must have then.
        top: The pile's top card, laid in the same act.
        last: One more card, laid alone after that act.
        first_needed: The canastas that the act without the last card must have made.
    """
    if last is None:
        return any(
            _may_go_out(rules, spread, needed)
            for spread in _spreads(rules, laid, melds, top, None, None)
        )
    joined = GROUP_RANKS if rank(last) == WILD_RANK else rank(last)
    return any(
        _may_go_out(rules, spread, needed) and spread.first_canastas >= first_needed
        for name in joined
        for spread in _spreads(rules, laid, melds, top, name, last)
    )


def _may_go_out(rules: Ruleset, spread: Spread, needed: int) -> bool:
    limit = rules.incomplete_meld_limit
    return (
        spread.canastas >= needed
        and (spread.natural or not rules.go_out_needs_natural)
        and (limit is None or spread.incomplete <= limit)
    )


def _spreads(
    rules: Ruleset,
    laid: Counter[str],
    melds: Melds,
    top: Top | None,
    last_name: str | None,
    last: str | None,
) -> Iterator[Spread]:
    """Every way to lay all the cards; with ``last`` those where it joins the meld named."""
    naturals: Counter[str] = Counter()
    for face, number in laid.items():
        naturals[rank(face)] += number
    wilds = naturals.pop(WILD_RANK, 0)
    top_rank = rank(top.face) if top else None
    spreads = {Spread()}
    for name in GROUP_RANKS:
        used = naturals[name] or name in melds or name in (WILD_RANK, top_rank, last_name)
        if not used:
            continue
        extended: set[Spread] = set()
        for added_wilds in range(1 if name == THREE_RANK else wilds + 1):
            one = _lay(
                rules,
                name,
                melds.get(name),
                Count(naturals[name], added_wilds),
                top if name == top_rank else None,
                last if name == last_name else None,
            )
            if one is None:
                continue
            extended.update(
                Spread(
                    spread.wilds_used + added_wilds,
                    spread.canastas + one.canastas,
                    spread.natural or one.natural,
                    spread.incomplete + one.incomplete,
                    spread.first_canastas + one.first_canastas,
                )
                for spread in spreads
                if spread.wilds_used + added_wilds <= wilds
            )
        spreads = extended
    return (spread for spread in spreads if spread.wilds_used == wilds)


def _lay(
    rules: Ruleset, name: str, old: Count | None, own: Count, top: Top | None, last: str | None
) -> Spread | None:
    """What one meld adds to a spread, or None where it would break a rule."""
    before, added = old or NONE, own
    if top:
        if not top.fits(own, has_meld=takes_top(rules, name, old)):
            return None
        added = own.plus(count([top.face]))
    if added.cards and shape_fault(rules, name, before, added):
        return None
    meld = before.plus(added)
    first_canastas = int(is_canasta(name, meld))
    counts = rules.incomplete_meld_limit is not None and name != THREE_RANK
    incomplete = int(counts and meld.cards > 0 and not first_canastas)
    if last:
        joining = count([last])
        if not meld.cards or shape_fault(rules, name, meld, joining):
            return None
        meld = meld.plus(joining)
    return Spread(
        0,
        int(is_canasta(name, meld)),
        is_natural_canasta(name, meld),
        incomplete,
        first_canastas,
    )
