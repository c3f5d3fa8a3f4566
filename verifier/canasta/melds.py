"""Melds by their numbers of cards: shape, opening minimum, going out (R-18 to R-34, R-55)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from verifier.canasta.faces import BLACK_THREES, THREE_RANK, WILD_RANK, is_red_three, is_wild, rank
from verifier.canasta.ruleset import Ruleset

CANASTA_CARDS = 7


class Count(NamedTuple):
    """How many natural and wild cards lie in a meld, or are added to it."""

    naturals: int
    wilds: int

    @property
    def cards(self) -> int:
        """All cards of it."""
        return self.naturals + self.wilds

    def plus(self, added: "Count") -> "Count":
        """The meld after cards were added to it."""
        return Count(self.naturals + added.naturals, self.wilds + added.wilds)


NONE = Count(0, 0)
Melds = Mapping[str, Count]


def count(faces: Iterable[str]) -> Count:
    """Count naturals and wilds."""
    wilds = [is_wild(face) for face in faces]
    return Count(wilds.count(False), wilds.count(True))


def stranger(meld_rank: str, faces: Iterable[str]) -> tuple[str, str] | None:
    """The rule that a card breaks which cannot lie in a meld of this rank, and the card."""
    for face in faces:
        if meld_rank == THREE_RANK:
            if is_wild(face):
                return "BLACK3_NO_WILDS", face
            if is_red_three(face):
                return "RED3_NOT_MELDABLE", face
            if face not in BLACK_THREES:
                return "RANK_MISMATCH", face
        elif is_red_three(face):
            return "RED3_NOT_MELDABLE", face
        elif rank(face) != meld_rank and not is_wild(face):
            return "RANK_MISMATCH", face
    return None


def shape_fault(rules: Ruleset, meld_rank: str, before: Count, added: Count) -> str | None:
    """The first rule that a meld breaks with the cards added, judged merged (R-18 to R-24, R-47).

    Args:
        rules: The ruleset.
        meld_rank: 4 to A, W for a meld of wilds only, 3 for black threes.
        before: What lies there already; nothing for a new meld.
        added: At least one card, all of a kind that may lie there.
    """
    meld = before.plus(added)
    if meld_rank == WILD_RANK:
        if rules.wild_melds == "never":
            return "ALL_WILD_MELD"
        if meld.cards > CANASTA_CARDS and not rules.wild_meld_extend:
            return "WILD_MELD_FULL"
        if meld.cards < rules.meld_min_size:
            return "MIN_SIZE"
        return "CANASTA_CLOSED" if _is_too_large(rules, meld) else None
    if meld.cards < rules.meld_min_size:
        return "MIN_SIZE"
    if meld_rank == THREE_RANK:
        return None
    if meld.naturals < rules.meld_min_naturals:
        return "MIN_NATURALS"
    if rules.meld_max_wilds is not None and meld.wilds > rules.meld_max_wilds:
        return "MAX_WILDS"
    if rules.wild_ratio == "le_naturals" and meld.wilds > meld.naturals:
        return "WILD_RATIO"
    if rules.wild_ratio == "lt_naturals" and meld.wilds >= meld.naturals:
        return "WILD_RATIO"
    if meld.cards >= CANASTA_CARDS and meld.naturals < rules.canasta_min_naturals:
        return "CANASTA_MIN_NATURALS"
    if _is_too_large(rules, meld):
        return "CANASTA_CLOSED"
    natural_canasta = before.cards >= CANASTA_CARDS and before.wilds == 0
    if rules.wild_on_natural_canasta == "forbidden" and natural_canasta and added.wilds:
        return "CANASTA_CLOSED"
    return None


def _is_too_large(rules: Ruleset, meld: Count) -> bool:
    return rules.meld_max_size is not None and meld.cards > rules.meld_max_size


def is_canasta(meld_rank: str, meld: Count) -> bool:
    """Seven cards or more; black threes never make one (R-26)."""
    return meld_rank != THREE_RANK and meld.cards >= CANASTA_CARDS


def is_natural_canasta(meld_rank: str, meld: Count) -> bool:
    """A canasta without a wild card."""
    return is_canasta(meld_rank, meld) and meld.wilds == 0


def may_go_out(rules: Ruleset, melds: Melds) -> bool:
    """Whether a side with these melds has the canastas to go out (R-55)."""
    if sum(is_canasta(*meld) for meld in melds.items()) < rules.canastas_to_go_out:
        return False
    if not rules.go_out_needs_natural:
        return True
    return any(is_natural_canasta(*meld) for meld in melds.items())


def incomplete(melds: Melds) -> int:
    """Melds short of a canasta; black threes are no part of the limit."""
    return sum(
        1 for name, meld in melds.items() if name != THREE_RANK and not is_canasta(name, meld)
    )


def opening_minimum(rules: Ruleset, total: int) -> int:
    """The minimum of the last band whose lower bound the side's total reaches (R-27, R-28)."""
    minimum = 0
    for bound, points in rules.opening_bands:
        if bound is None or bound <= total:
            minimum = points
    return minimum


def reaches(rules: Ruleset, points: int, minimum: int) -> bool:
    """Whether so many points open (R-29)."""
    return points > minimum if rules.opening_compare == "gt" else points >= minimum


def exempt_canastas(rules: Ruleset, *, drew_stock: bool) -> int | None:
    """How many canastas a first laying needs to be spared its minimum by going out (R-33, R-X3).

    A turn that took the pile can end concealed, and so be exempt, only by `concealed_after_pile`.

    Returns:
        None where no exemption is to be had in this turn.
    """
    mode = rules.opening_concealed_exempt
    through_pile = mode == "always" and rules.concealed_after_pile
    if mode == "never" or not (drew_stock or through_pile):
        return None
    return 1 if rules.concealed_needs_own_canasta else 0
