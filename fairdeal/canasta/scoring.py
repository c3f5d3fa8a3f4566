"""The score sheet of a hand (R-67 to R-75, protocol §6.3)."""

from dataclasses import dataclass
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.position import BLACK3_SLOT, CANASTA, WILD_SLOT, Position

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


def sheet(position: Position) -> tuple[SideScore, ...]:
    """Give each side's score as the hand stands; final once the hand is over."""
    return tuple(_side(position, side) for side in range(len(position.red3)))


def _side(position: Position, side: int) -> SideScore:
    points = dict.fromkeys(LINES, 0)
    rules = position.rules
    for slot, meld in enumerate(position.laid[side]):
        points["CARDS"] += sum(cards.VALUES[cards.CLASS_OF[card]] for card in meld)
        if slot < BLACK3_SLOT and len(meld) >= CANASTA:
            if slot == WILD_SLOT:
                points["WILD_CANASTA"] += rules.wild_canasta_bonus
            elif position.wilds[side][slot]:
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


def _red_threes(position: Position, side: int) -> int:
    """Book the red threes on the table (R-70, R-71, R-X14, R-X15)."""
    rules, count = position.rules, len(position.red3[side])
    every = 2 * rules.decks
    if rules.red3_table is not None:
        points = rules.red3_table[count]
    else:
        points = rules.red3_all if count == every else count * rules.red3_each
    if rules.red3_negative_if == "no_canasta":
        melds = [meld for meld in position.laid[side][:BLACK3_SLOT] if len(meld) >= CANASTA]
        negative = not melds
    else:
        negative = not position.opened(side)
    return -points if negative else points


def _holding(position: Position, seat: int) -> int:
    return sum(number * cards.VALUES[klass] for klass, number in enumerate(position.counts[seat]))


def _unexposed(position: Position, side: int) -> int:
    """Count the points off for red threes that never were laid (R-13)."""
    seats = position.rules.side_seats[side]
    held = sum(position.counts[seat][cards.RED3] for seat in seats)
    return held * position.rules.red3_unexposed_penalty
