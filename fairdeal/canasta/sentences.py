"""The catalogue of sentences, keyed by code; each code with its rule.

A code has a general sentence (``help``, for its page) and one template for each case in which
it arises; the values are named in braces and written by ``wording``. No sentence says more than
its seat can see: it is made from the seat's knowledge alone (product §8).
"""

from typing import Final

from fairdeal.canasta.texts import ENGLISH_TEXTS
from fairdeal.canasta.wording import Language

RULES: Final[dict[str, str]] = {
    "NOT_YOUR_TURN": "R-16",
    "NOT_PARTNER": "R-60",
    "WRONG_PHASE": "R-16",
    "STOCK_EMPTY": "R-64",
    "MUST_TAKE_PILE": "R-65",
    "PILE_EMPTY": "R-36",
    "TOP_WILD": "R-41",
    "TOP_BLACK3": "R-41",
    "TOP_RED3": "R-41",
    "ONE_CARD_HAND_ONE_CARD_PILE": "R-48",
    "NOT_IN_HAND": "R-16",
    "TOP_CARD_NOT_USED": "R-36",
    "FROZEN": "R-46",
    "FROZEN_UNOPENED": "R-38",
    "TAKE_MODE_NOT_ALLOWED": "R-43",
    "RANK_MISMATCH": "R-18",
    "MIN_SIZE": "R-18",
    "MIN_NATURALS": "R-18",
    "MAX_WILDS": "R-19",
    "WILD_RATIO": "R-20",
    "CANASTA_MIN_NATURALS": "R-19",
    "CANASTA_CLOSED": "R-24",
    "ALL_WILD_MELD": "R-21",
    "WILD_MELD_FULL": "R-21",
    "RED3_NOT_MELDABLE": "R-26",
    "BLACK3_NO_WILDS": "R-26",
    "BLACK3_ONLY_GOING_OUT": "R-26",
    "OPENING_MINIMUM": "R-27",
    "INCOMPLETE_MELD_LIMIT": "R-24",
    "KEEP_CARD": "R-52",
    "DISCARD_REQUIRED": "R-56",
    "ASK_TOO_LATE": "R-60",
    "CANNOT_GO_OUT": "R-62",
    "PERMISSION_NOT_IN_RULES": "R-60",
    "MUST_GO_OUT": "R-61",
    "PARTNER_SAID_NO": "R-61",
    "RED3_NOT_DISCARDABLE": "R-14",
    "OPPONENT_MELD": "R-23",
    "NO_DISCARD_AFTER_LAST_RED3": "R-12",
}
"""The rule of docs/rules.md behind each code."""

CODES: Final = tuple(RULES)

ENGLISH: Final = Language(
    texts=ENGLISH_TEXTS,
    numbers=(
        *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("eleven", "twelve"),
    ),
    nouns={
        "A": ("ace", "aces"),
        "2": ("deuce", "deuces"),
        "3": ("black three", "black threes"),
        "4": ("four", "fours"),
        "5": ("five", "fives"),
        "6": ("six", "sixes"),
        "7": ("seven", "sevens"),
        "8": ("eight", "eights"),
        "9": ("nine", "nines"),
        "T": ("ten", "tens"),
        "J": ("jack", "jacks"),
        "Q": ("queen", "queens"),
        "K": ("king", "kings"),
        "W": ("wild card", "wild cards"),
        "JK": ("joker", "jokers"),
        "red3": ("red three", "red threes"),
        "three": ("three", "threes"),
        "card": ("card", "cards"),
        "natural": ("natural card", "natural cards"),
        "canasta": ("canasta", "canastas"),
        "unfinished": ("unfinished meld", "unfinished melds"),
        "meld": ("meld", "melds"),
    },
    suits={"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"},
    card="{rank} of {suit}",
    last=" and ",
    either=" or ",
    on="{cards} on the {ranks}",
    article="a {}",
    phrases={
        "pair": "a natural pair",
        "natural_wild": "a natural and a wild card",
        "lay_on_meld": "a meld of your side",
    },
)


def sentence_of(code: str) -> tuple[str, str]:
    """Give the general sentence and the R-number of a code."""
    return ENGLISH.texts[code]["help"], RULES[code]
