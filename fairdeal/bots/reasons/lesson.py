"""What is taught with a reason: a paragraph, and a position in which the reason is given."""

from typing import NamedTuple

from fairdeal.bots.seen import Seen, see
from fairdeal.canasta import cards
from fairdeal.canasta.acts import GROUP_RANKS, parse
from fairdeal.canasta.describe import counted, describe
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import Move, compose
from fairdeal.canasta.notation import parse_position
from fairdeal.canasta.position import Position
from fairdeal.canasta.wording import Apart, Card, Language, Many, On, Some, Value

Remembered = tuple[tuple[int, str, int], ...]
"""Seat, rank, how often."""


class Advice(NamedTuple):
    """A paragraph, and the position that shows it.

    Attributes:
        title: What it is about.
        text: The paragraph.
        position: What the seat in turn knows, in the notation of ``canasta.notation``.
        act: What it does.
        left, thrown: What it remembers besides (``canasta.memory``).
    """

    title: str
    text: str
    position: str
    act: str
    left: Remembered = ()
    thrown: Remembered = ()

    @property
    def known(self) -> Position:
        """The position."""
        return parse_position(self.position)

    @property
    def seen(self) -> Seen:
        """The position with what is remembered."""
        known = self.known
        blank = Memory.fresh(known.rules.players)
        thrown = _filled(blank.thrown, self.thrown)
        memory = Memory(blank.held, thrown, _filled(blank.left, self.left))
        return see(known, known.turn, memory)

    @property
    def move(self) -> Move:
        """What the seat does, as a move."""
        return compose(parse(self.act))[0]

    def act_told(self, language: Language) -> str:
        """Say what the seat does."""
        return describe(self.known, parse(self.act), language)

    def position_told(self, language: Language) -> tuple[str, ...]:
        """Tell the position, to the seat in turn."""
        known = self.known
        seat = known.turn
        sides = [known.side_of[seat], known.side_of[(seat + 1) % known.rules.players]]
        mine, theirs = (language.write(_melds(known, side)) or "nothing" for side in sides)
        lying = [language.write(Card(cards.FACES[card])) for card in known.pile]
        told = [
            f"You hold {language.write(counted(_faces(known.holding(seat))))}.",
            f"Your side has laid {mine}.",
            f"The next side has laid {theirs}.",
            f"The pile, from the bottom: {', '.join(lying)}." if lying else "The pile is empty.",
            f"The stock holds {language.write(Some('card', known.stock_left))}.",
        ]
        told += [
            f"Seat {one} holds {language.write(Some('card', known.sizes[one]))}."
            for one in range(known.rules.players)
            if one != seat and known.sizes[one] <= cards.ACE // 2
        ]
        told += [
            f"The next seat has drawn while one of the {language.write(Many(rank))} lay on top."
            for _, rank, _ in self.left
        ]
        told += [
            f"The next seat has thrown {language.write(Some(rank, times))}."
            for _, rank, times in self.thrown
        ]
        return tuple(told)


def _filled(rows: tuple[tuple[int, ...], ...], what: Remembered) -> tuple[tuple[int, ...], ...]:
    found = [list(row) for row in rows]
    for seat, rank, times in what:
        found[seat][GROUP_RANKS.index(rank)] = times
    return tuple(map(tuple, found))


def _melds(known: Position, side: int) -> Value:
    """Give the melds of a side; wild cards alone with the rank that they joined."""
    parts: list[Value] = []
    for slot, meld in enumerate(known.laid[side]):
        if meld:
            faces, rank = _faces(meld), GROUP_RANKS[slot]
            named = any(face[0] == rank and face != cards.JOKER_FACE for face in faces)
            parts.append(counted(faces) if named else On(counted(faces), rank))
    return Apart(tuple(parts))


def _faces(numbers: tuple[int, ...] | list[int]) -> list[str]:
    return [cards.FACES[card] for card in numbers]
