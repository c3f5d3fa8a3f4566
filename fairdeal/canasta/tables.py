"""What a ruleset allows, by number: worked out once, then looked up.

A group that may be laid depends on six small numbers alone: what lies in the slot, what the seat
holds for it, and through which door a top card comes. So every list of allowed groups is made
once, by the same predicates that judge an act (``shape``, ``pile``), and kept by its number.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias, TypeVar

from fairdeal.canasta import cards
from fairdeal.canasta.pile import LAY_ON_MELD, NATURAL_WILD, PAIR
from fairdeal.canasta.position import (
    BLACK3_SLOT,
    CANASTA,
    WILD_SLOT,
    minimum_at,
)
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.shape import fits

Additions: TypeAlias = tuple[tuple[int, int], ...]
"""Groups that may be laid, as pairs (naturals, wilds)."""

FIELD: Final = 6
"""Bits of one number in a key: no deck has 64 cards of a rank, or 64 wild ones (CL-4, R-1)."""
_MASK: Final = (1 << FIELD) - 1
KINDS_SHIFT: Final = 4 * FIELD
RANK_KEY: Final = 0
WILD_KEY: Final = 1 << KINDS_SHIFT
BLACK3_KEY: Final = 2 << KINDS_SHIFT
FROZEN_KEY: Final = 4 << KINDS_SHIFT
_SLOTS: Final = (0, WILD_SLOT, BLACK3_SLOT)
_Entry = TypeVar("_Entry")


class Tables:
    """The tables of one ruleset.

    Attributes:
        rules: The ruleset.
        lays: Key to the groups that may be laid from the holding.
        firsts: Key to the own cards that may join the top card of the pile; none of them where a
            bare rank will do. The key has ``FROZEN_KEY`` where only ``take_frozen`` counts.
        joins, enters: Key to whether all that is held may be laid, or join the top card.
        freezes: Whether a discard of each class freezes the pile.
        blocks: Whether a top card of each class bars the pile.
        plain: Whether a lay that leaves two cards is judged by its shape alone, the side having
            opened (no limit of incomplete melds).
        next_seat: The seat after each.
        red3_waits: Whether red threes wait for the first turn (R-9).
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.lays: dict[int, Additions] = _Lazy(self._lays)
        self.firsts: dict[int, Additions] = _Lazy(self._firsts)
        self.joins: dict[int, bool] = _Lazy(self._joins)
        self.enters: dict[int, bool] = _Lazy(lambda key: _held(key) in self.firsts[key])
        frozen_by = set(rules.frozen_by_contents)
        if rules.black3_effect == "freeze":
            frozen_by.add("black3")
        words = [cards.class_word(klass) for klass in range(cards.CLASSES)]
        self.freezes = tuple(word in frozen_by for word in words)
        self.blocks = tuple(word in rules.top_blocks for word in words)
        self.plain = rules.incomplete_meld_limit is None
        self.next_seat = tuple((seat + 1) % rules.players for seat in range(rules.players))
        self.red3_waits = rules.red3_initial_when == "at_own_first_turn"

    def need(self, total: int) -> int:
        """Give the points at which an opening is high enough at a game total (R-27 to R-29)."""
        return minimum_at(self.rules, total) + (self.rules.opening_compare == "gt")

    def _joins(self, key: int) -> bool:
        slot, before, naturals, wilds = _unpack(key)
        return naturals + wilds > 0 and fits(self.rules, slot, before, naturals, wilds)

    def _lays(self, key: int) -> Additions:
        _, _, naturals, wilds = _unpack(key)
        there = key >> 2 * FIELD << 2 * FIELD
        return tuple(
            (n, w)
            for n in range(naturals + 1)
            for w in range(wilds + 1)
            if self.joins[there | n << FIELD | w]
        )

    def _firsts(self, key: int) -> Additions:
        slot, before, naturals, wilds = _unpack(key & (FROZEN_KEY - 1))
        doors = self.rules.take_frozen if key & FROZEN_KEY else self.rules.take_unfrozen
        # A wild top has no bare rank to stand for it (protocol §6.2).
        least = slot == WILD_SLOT
        return tuple(
            (n, w)
            for n in range(naturals + 1)
            for w in range(least, wilds + 1)
            if self._enters(doors, before, n, w) and fits(self.rules, slot, before, n + 1, w)
        )

    def _enters(self, doors: tuple[str, ...], before: tuple[int, int], n: int, w: int) -> bool:
        """Say whether own cards come in through one of the doors (R-42 to R-46)."""
        if (PAIR in doors and n >= 2) or (NATURAL_WILD in doors and n >= 1 and w >= 1):
            return True
        closed = sum(before) >= CANASTA and not self.rules.lay_on_completed_canasta
        return LAY_ON_MELD in doors and sum(before) > 0 and not closed


class _Lazy(dict[int, _Entry]):
    """A table that works out an entry when it is first asked for."""

    def __init__(self, work_out: Callable[[int], _Entry]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, key: int) -> _Entry:
        found = self[key] = self._work_out(key)
        return found


def key_of(slot: int, naturals: int, wilds: int) -> int:
    """Give the key of a slot in which cards lie, nothing being held for it yet."""
    kind = WILD_KEY if slot == WILD_SLOT else BLACK3_KEY if slot == BLACK3_SLOT else RANK_KEY
    return kind | naturals << 3 * FIELD | wilds << 2 * FIELD


def _unpack(key: int) -> tuple[int, tuple[int, int], int, int]:
    """Give slot, what lies there, and what is held, from a key.

    A key is kind, naturals there, wilds there, naturals held, wilds held, ``FIELD`` bits each.
    """
    there = key >> 3 * FIELD & _MASK, key >> 2 * FIELD & _MASK
    return _SLOTS[key >> KINDS_SHIFT], there, key >> FIELD & _MASK, key & _MASK


def _held(key: int) -> tuple[int, int]:
    return key >> FIELD & _MASK, key & _MASK


@lru_cache(maxsize=64)
def tables_of(rules: Ruleset) -> Tables:
    """Give the tables of a ruleset, made once."""
    return Tables(rules)
