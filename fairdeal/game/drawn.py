"""The draw for seats, refereed by the service: one card each, further ones where some are alike.

A small dealt-only game (decisions 18). What its cards mean follows from record 0, which is there
before any seed: its name says whether the two highest play together against the two lowest. The
highest card sits on seat 0 of the game behind the draw, and plays first there.

Aces are high, and suits do not count: seats whose cards are alike in rank draw again, one each in
rising order of their numbers, and that parts them alone. Should the whole pack not part them, the
suits of their first cards do (C, D, H, S rising).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from fairdeal.game.dealt import decide_deal, decide_score
from fairdeal.game.decide import COMPLETE
from fairdeal.game.draft import Draft, closing
from fairdeal.game.opening import DealtRules
from fairdeal.game.state import Game
from fairdeal.records import bodies

FOR_PARTNERS: Final = "draw for partners"
"""The name of a draw in which the two highest play together, and so do the two lowest."""

FOR_SEATS: Final = "draw for seats"
"""The name of a draw that seats everybody in the order of the cards."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
_PARTNERS: Final = (0, 2, 1, 3)
"""Which of the four, the highest being 0, sits on each seat: partners sit opposite."""


def draw_rules(*, partners: bool) -> DealtRules:
    """Return the rules of a draw: 52 cards, one each.

    Args:
        partners: Whether four draw of whom two and two will be partners.
    """
    return DealtRules(
        name=FOR_PARTNERS if partners else FOR_SEATS,
        deck=tuple(rank + suit for suit in SUITS for rank in "A23456789TJQK"),
        steps=({"op": "deal", "count": 1, "packet": 1},),
    )


def draw_due(game: Game) -> bool:
    """Say whether a draw for seats has its seeds, and is not over."""
    return game.epoch is not None and game.epoch.ready and not game.closed


def decide_seats(game: Game) -> tuple[Draft, ...]:
    """Take the next step of a draw: deal; or draw further cards, score and open; or close.

    Returns:
        What to record now, and then to ask again; nothing where no step is due. Where the hand
        was stopped there is no score: then the draw is closed without one.

    Raises:
        LookupError: The master secret is not at hand.
    """
    if not draw_due(game):
        return ()
    if game.hand == 0:
        return decide_deal(game)
    if not game.in_play:
        return closing(game, COMPLETE)
    found = game.deal_of(game.hand)
    first = [game.faces(cards)[0] for cards in found.hands]
    further = draw_on(first, game.faces(found.stock))
    drafts: list[Draft] = [
        ("draw", bodies.draw_body(hand=game.hand, seat=seat, pos=pos))
        for pos, (seat, _) in enumerate(further)
        if pos >= len(game.draws)
    ]
    drew = [[face] for face in first]
    for seat, face in further:
        drew[seat].append(face)
    order = ranked(drew)
    if game.opening["rules"]["name"] == FOR_PARTNERS:
        order = tuple(order[place] for place in _PARTNERS)
    result = {"drew": drew, "order": list(order)}
    return (*drafts, *decide_score(game, game.hand, result))


def draw_on(first: Sequence[str], stock: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return who draws which further card until no two are alike, in this order.

    Args:
        first: The card of each seat.
        stock: The cards that are left, the next one first; where there are too few for all who
            are alike, they are not drawn.
    """
    drew, taken = [[face] for face in first], list[tuple[int, str]]()
    while True:
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for seat, faces in enumerate(drew):
            groups[_heights(faces)].append(seat)
        alike = [group for _, group in sorted(groups.items(), reverse=True) if len(group) > 1]
        if not alike or len(stock) - len(taken) < len(alike[0]):
            return tuple(taken)
        for seat in alike[0]:
            face = stock[len(taken)]
            drew[seat].append(face)
            taken.append((seat, face))


def ranked(drew: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the seats by what they drew, the highest first.

    Args:
        drew: The cards of each seat in the order in which they were drawn, at least one.
    """

    def height(seat: int) -> tuple[tuple[int, ...], int]:
        return _heights(drew[seat]), SUITS.index(drew[seat][0][1])

    return tuple(sorted(range(len(drew)), key=height, reverse=True))


def _heights(faces: Sequence[str]) -> tuple[int, ...]:
    return tuple(RANKS.index(face[0]) for face in faces)
