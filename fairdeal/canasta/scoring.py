"""The score sheet of a hand (R-67 to R-75, protocol §6.3)."""

from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, WILD_SLOT, Tally, canastas

LINES: Final = (
    "CARDS",
    "NATURAL_CANASTA",
    "MIXED_CANASTA",
    "WILD_CANASTA",
    "CONCEALED_CANASTA",
    "RED_THREES",
    "OUT",
    "CONCEALED",
    "IN_HAND",
    "PENALTY",
)
"""The codes of score lines in their order."""


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's lines, zero ones left out; ``hand`` is their sum."""

    lines: tuple[tuple[str, int], ...]

    @property
    def hand(self) -> int:
        """The points of the hand."""
        return sum(points for _, points in self.lines)


def sheet(position: Tally) -> tuple[SideScore, ...]:
    """Give each side's score as the hand stands; final once the hand is over."""
    return tuple(_side(position, side) for side in range(len(position.naturals)))


def _side(position: Tally, side: int) -> SideScore:
    points = dict.fromkeys(LINES, 0)
    rules = position.rules
    points["CARDS"] = position.laid_points(side)
    for slot in range(BLACK3_SLOT):
        wilds = position.wilds[side][slot]
        if position.naturals[side][slot] + wilds >= CANASTA:
            if slot == WILD_SLOT:
                points["WILD_CANASTA"] += rules.wild_canasta_bonus
            elif wilds:
                points["MIXED_CANASTA"] += rules.mixed_canasta
            else:
                points["NATURAL_CANASTA"] += rules.natural_canasta
    points["CONCEALED_CANASTA"] = position.whole[side] * rules.concealed_canasta_bonus
    points["RED_THREES"] = _red_threes(position, side)
    if position.out >= 0 and position.side_of[position.out] == side:
        points["OUT"] = rules.going_out_bonus
        points["CONCEALED"] = rules.concealed_extra if position.concealed else 0
    points["IN_HAND"] = -sum(_holding(position, seat) for seat in rules.side_seats[side])
    points["PENALTY"] = -position.penalties[side] - _unexposed(position, side)
    return SideScore(tuple((code, points[code]) for code in LINES if points[code]))


def _red_threes(position: Tally, side: int) -> int:
    """Book the red threes on the table (R-70, R-71, R-X14, R-X15)."""
    rules, count = position.rules, position.red_threes(side)
    every = 2 * rules.decks
    if rules.red3_table is not None:
        points = rules.red3_table[count]
    else:
        points = rules.red3_all if count == every else count * rules.red3_each
    if rules.red3_negative_if == "no_canasta":
        negative = not canastas(position.naturals[side], position.wilds[side])[0]
    else:
        negative = not position.opened(side)
    return -points if negative else points


def _holding(position: Tally, seat: int) -> int:
    return sum(number * cards.VALUES[klass] for klass, number in enumerate(position.counts[seat]))


def _unexposed(position: Tally, side: int) -> int:
    """Count the points off for red threes that never were laid (R-13)."""
    seats = position.rules.side_seats[side]
    held = sum(position.counts[seat][cards.RED3] for seat in seats)
    return held * position.rules.red3_unexposed_penalty
