"""Where the cards are, as far as somebody at the table can know it: counted by face.

A card is *seen* while it lies on the table or in the pile, or is one's own. Cards that a seat took
with the pile were seen too: until that seat lays or discards such a face, it holds it. All the
rest is *unseen*: the stock, and what others drew or were dealt. Nothing here looks at it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fairdeal.canasta import acts, cards
from fairdeal.canasta.position import Position


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """How many copies of one face are where.

    Attributes:
        face: The face.
        copies: In the deck.
        own: In the own holding; 0 for somebody who watches.
        table: In melds and laid red threes of all sides.
        pile: In the discard pile.
        held: Held for sure by others, who took them with the pile.
        unseen: All others.
    """

    face: str
    copies: int
    own: int
    table: int
    pile: int
    held: int
    unseen: int


def held_for_sure(
    players: int, up: Sequence[str], played: Iterable[tuple[int, acts.Act]]
) -> tuple[Counter[str], ...]:
    """Give for each seat the faces that all have seen come into its hand and not leave it.

    At least so many of each face it holds: which of two equal cards it laid, nobody can tell.

    Args:
        players: The number of seats.
        up: The turned cards of the deal, bottom first.
        played: Seat and act, in order, from the deal on.
    """
    held: tuple[Counter[str], ...] = tuple(Counter() for _ in range(players))
    pile = list(up)
    for seat, act in played:
        if isinstance(act, acts.Take):
            # The top card is melded at once, and red threes are laid.
            held[seat].update(face for face in pile[:-1] if face not in ("3D", "3H"))
            pile = []
        used = Counter(acts.cards_of(act))
        for face, number in used.items():
            held[seat][face] = max(0, held[seat][face] - number)
        if isinstance(act, acts.Discard):
            pile.append(act.card)
        elif isinstance(act, acts.Lay) and act.discard is not None:
            pile.append(act.discard)
    return held


def whereabouts(
    position: Position, seat: int | None, held: Sequence[Counter[str]]
) -> tuple[Whereabouts, ...]:
    """Count where the cards are, for a seat or for somebody who watches; faces in their order.

    Args:
        position: The hand, or what the seat knows of it: no more is used.
        seat: Whose knowledge; None for what all know.
        held: As ``held_for_sure`` gives it.
    """
    rules = position.rules
    own = Counter(position.holding(seat) if seat is not None else ())
    table: Counter[int] = Counter()
    for side, melds in enumerate(position.laid):
        table.update(card for meld in melds for card in meld)
        table.update(position.red3[side])
    pile = Counter(position.pile)
    found = []
    for card, face in enumerate(cards.FACES):
        copies = rules.jokers if face == cards.JOKER_FACE else rules.decks
        sure = sum(held[other][face] for other in range(rules.players) if other != seat)
        seen = own[card] + table[card] + pile[card] + sure
        found.append(
            Whereabouts(face, copies, own[card], table[card], pile[card], sure, copies - seen)
        )
    return tuple(found)
