"""What a meld may look like: one function, used for laying, taking, listing and searching.

The merged meld is judged, never the group alone (R-47).
"""

from collections.abc import Iterator

from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, WILD_SLOT
from fairdeal.canasta.ruleset import Ruleset


def shape_faults(
    rules: Ruleset, slot: int, before: tuple[int, int], naturals: int, wilds: int
) -> Iterator[str]:
    """Name every rule that laying a group in a slot breaks, most specific first.

    Args:
        rules: The ruleset in force.
        slot: Which meld of the side (position.py).
        before: Naturals and wilds that lie there already.
        naturals: Naturals added.
        wilds: Wilds added.
    """
    if slot == BLACK3_SLOT:
        if wilds:
            yield "BLACK3_NO_WILDS"
        if before[0] + naturals < rules.meld_min_size:
            yield "MIN_SIZE"
        return
    all_naturals, all_wilds = before[0] + naturals, before[1] + wilds
    size = all_naturals + all_wilds
    if slot == WILD_SLOT:
        yield from _wild_meld_faults(rules, size)
        return
    if size < rules.meld_min_size:
        yield "MIN_SIZE"
    if all_naturals < rules.meld_min_naturals:
        yield "MIN_NATURALS"
    if rules.meld_max_wilds is not None and all_wilds > rules.meld_max_wilds:
        yield "MAX_WILDS"
    if rules.wild_ratio == "le_naturals" and all_wilds > all_naturals:
        yield "WILD_RATIO"
    if rules.wild_ratio == "lt_naturals" and all_wilds >= all_naturals:
        yield "WILD_RATIO"
    if size >= CANASTA and all_naturals < rules.canasta_min_naturals:
        yield "CANASTA_MIN_NATURALS"
    spoils = wilds > 0 and before[0] >= CANASTA and before[1] == 0
    full = rules.meld_max_size is not None and size > rules.meld_max_size
    if full or (spoils and rules.wild_on_natural_canasta == "forbidden"):
        yield "CANASTA_CLOSED"


def _wild_meld_faults(rules: Ruleset, size: int) -> Iterator[str]:
    """Judge an all-wild meld (R-21)."""
    if rules.wild_melds == "never":
        yield "ALL_WILD_MELD"
        return
    if size < rules.meld_min_size:
        yield "MIN_SIZE"
    if size > CANASTA and not rules.wild_meld_extend:
        yield "WILD_MELD_FULL"
    elif rules.meld_max_size is not None and size > rules.meld_max_size:
        yield "CANASTA_CLOSED"


def fits(rules: Ruleset, slot: int, before: tuple[int, int], naturals: int, wilds: int) -> bool:
    """Say whether a group may be laid in a slot, as far as shape goes."""
    return next(shape_faults(rules, slot, before, naturals, wilds), None) is None
