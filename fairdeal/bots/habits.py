"""What seats are likely to hold: players lay what fits, throw what they do not need, keep pairs.

The numbers say how much likelier than by blind chance a seat takes in a card of a class of which
it holds none, one, or more; 16 is as likely. They were counted in hands that bots played, by what
everybody could see: whether the seat's side has opened, whose meld the rank is, whether the seat
threw such a card, and whether it left one lying on the pile (``Memory``).
"""

from typing import Final, TypeAlias

from fairdeal.bots.seen import Seen
from fairdeal.canasta import cards

Row: TypeAlias = tuple[int, int, int]
EVEN: Final = 16
MOST: Final = 64
BLIND: Final[tuple[Row, ...]] = ((EVEN, EVEN, EVEN),) * cards.RED3

_BLACK3: Final[Row] = (1, 8, 8)
_WILD: Final[dict[bool, Row]] = {False: (9, 12, 2), True: (14, 21, 6)}
_MINE: Final[Row] = (1, 16, 16)
_NOBODYS: Final[dict[tuple[bool, bool, bool], Row]] = {
    (False, False, False): (16, 24, 14),
    (False, False, True): (9, 48, 26),
    (False, True, False): (1, 14, 2),
    (False, True, True): (1, 14, 2),
    (True, False, False): (32, 35, 1),
    (True, False, True): (11, 30, 2),
    (True, True, False): (4, 1, 1),
    (True, True, True): (2, 1, 1),
}
_THEIRS: Final[dict[tuple[bool, bool, bool], Row]] = {
    (False, False, False): (16, 27, 14),
    (False, False, True): (16, 27, 14),
    (False, True, False): (3, 16, 3),
    (False, True, True): (3, 16, 3),
    (True, False, False): (38, 38, 1),
    (True, False, True): (15, 64, 1),
    (True, True, False): (13, 12, 1),
    (True, True, True): (8, 8, 1),
}


def likely(seen: Seen) -> tuple[tuple[Row, ...], ...]:
    """Give for each seat and class how likely it takes in a first, second and further card."""
    return tuple(
        BLIND if seat == seen.seat or not any(thrown) else _rows(seen, seat)
        for seat, thrown in enumerate(seen.memory.thrown)
    )


def _rows(seen: Seen, seat: int) -> tuple[Row, ...]:
    core, memory = seen.core, seen.memory
    side = core.side_of[seat]
    mine = core.standing[side]
    theirs = frozenset[int]().union(
        *(melds for other, melds in enumerate(core.standing) if other != side)
    )
    opened = bool(mine)
    rows = []
    for klass in range(cards.RED3):
        if klass == cards.BLACK3:
            rows.append(_BLACK3)
        elif cards.is_wild(klass):
            rows.append(_WILD[opened])
        elif klass in mine:
            rows.append(_MINE)
        else:
            past = opened, memory.thrown[seat][klass] > 0, memory.left[seat][klass] > 0
            rows.append((_THEIRS if klass in theirs else _NOBODYS)[past])
    return tuple(rows)
