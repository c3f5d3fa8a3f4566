"""Cards as faces, their classes and their values (R-1, R-67).

A face is text: rank and suit (``KS``, ``TD``) or ``JK``. Inside the engine a card is a small
integer, its *card number* 0 to 52, one a face; its *class* 0 to 14 is all that the rules look
at: ranks 4 to A are 0 to 10, then deuce, joker, black three, red three.
"""

from typing import Final

SUITS: Final = "CDHS"
MELD_RANKS: Final = "456789TJQKA"
"""The eleven ranks that are melded in the ordinary way, in the order of protocol §6.2."""
PACK_RANKS: Final = "A23456789TJQK"
"""The ranks in the order of a fresh pack (protocol §6.1)."""

ACE: Final = 10
DEUCE: Final = 11
JOKER: Final = 12
BLACK3: Final = 13
RED3: Final = 14
CLASSES: Final = 15

JOKER_FACE: Final = "JK"
FACES: Final[tuple[str, ...]] = (
    *(rank + suit for rank in MELD_RANKS for suit in SUITS),
    *("2" + suit for suit in SUITS),
    "3C",
    "3S",
    "3D",
    "3H",
    JOKER_FACE,
)
NUMBER: Final[dict[str, int]] = {face: number for number, face in enumerate(FACES)}
CARD_KINDS: Final = len(FACES)

CLASS_OF: Final[tuple[int, ...]] = (
    *(number // 4 for number in range(48)),
    BLACK3,
    BLACK3,
    RED3,
    RED3,
    JOKER,
)
CARDS_OF: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(card for card in range(CARD_KINDS) if CLASS_OF[card] == klass) for klass in range(CLASSES)
)
"""The card numbers of each class, by suit C D H S: the fixed order in which suits are chosen."""

VALUES: Final[tuple[int, ...]] = (5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50, 5, 0)
"""Points of a card by class (R-67); red threes are booked by the ruleset, not here."""


def is_wild(klass: int) -> bool:
    """Say whether a class is wild: deuces and jokers are."""
    return klass in (DEUCE, JOKER)


def class_word(klass: int) -> str:
    """Name the kinds that rulesets speak of: ``wild``, ``red3``, ``black3``, else empty."""
    return _WORDS[klass]


_WORDS: Final = ("",) * 11 + ("wild", "wild", "black3", "red3")


def pack(jokers: int) -> tuple[str, ...]:
    """Give one fresh pack of 52 with its jokers last (protocol §6.1)."""
    cards = tuple(rank + suit for suit in SUITS for rank in PACK_RANKS)
    return cards + (JOKER_FACE,) * jokers


def deck(decks: int, jokers: int) -> tuple[str, ...]:
    """Give the whole deck: packs in turn, each with its share of jokers, the remainder last."""
    share = jokers // decks
    last = jokers - share * (decks - 1)
    return pack(share) * (decks - 1) + pack(last)
