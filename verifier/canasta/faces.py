"""What a face says by itself: rank, kind and value of a card (rules.md, "Card values", R-67).

A face is two characters, rank and suit (``TH`` is the ten of hearts), or ``JK``.
"""

from typing import Final

SUITS: Final = "CDHS"
DECK_RANKS: Final = "A23456789TJQK"
MELD_RANKS: Final = "456789TJQKA"
GROUP_RANKS: Final = MELD_RANKS + "W3"
NATURAL_RANKS: Final = "3" + MELD_RANKS
JOKER: Final = "JK"
WILD_RANK: Final = "W"
THREE_RANK: Final = "3"
RED_THREES: Final = ("3D", "3H")
BLACK_THREES: Final = ("3C", "3S")
WILD_FACES: Final = ("2C", "2D", "2H", "2S", JOKER)
FACES: Final = frozenset({JOKER} | {rank + suit for rank in DECK_RANKS for suit in SUITS})

KIND_FACES: Final = {"wild": WILD_FACES, "red3": RED_THREES, "black3": BLACK_THREES}
_KINDS: Final = {face: kind for kind, faces in KIND_FACES.items() for face in faces}


def is_wild(face: str) -> bool:
    """Whether the card is a deuce or a joker."""
    return face in WILD_FACES


def is_red_three(face: str) -> bool:
    """Whether the card is a red three, which no seat ever keeps."""
    return face in RED_THREES


def kind(face: str) -> str | None:
    """The kind by which rulesets name a card: wild, red3, black3; None for all others."""
    return _KINDS.get(face)


def rank(face: str) -> str:
    """The rank by which a meld takes the card: 3 to A, or W for every wild card."""
    return WILD_RANK if is_wild(face) else face[0]


def sort(face: str) -> str:
    """What a card is but for its suit: its rank, ``JK`` for a joker; red threes are not asked."""
    return face if face == JOKER else face[0]


def _value(face: str) -> int:
    if face == JOKER:
        return 50
    if face[0] in "A2":
        return 20
    if is_red_three(face):
        return 0
    return 10 if face[0] in "89TJQK" else 5


_VALUES: Final = {face: _value(face) for face in FACES}


def value(face: str) -> int:
    """The points of a card in a meld or in a holding; a red three is booked elsewhere (R-70)."""
    return _VALUES[face]
