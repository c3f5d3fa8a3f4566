"""The sentence and the rule number that belong to each code of a refusal.

Keyed by code, so that another language is another table.
"""

from typing import Final

_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "NOT_YOUR_TURN": ("It is not your turn.", "R-16"),
    "NOT_PARTNER": ("Only the partner of the seat that asked may answer.", "R-60"),
    "WRONG_PHASE": ("That belongs to another part of the turn.", "R-16"),
    "STOCK_EMPTY": ("The stock is empty; take the pile or end the hand.", "R-64"),
    "MUST_TAKE_PILE": ("The stock is empty and you must take the pile.", "R-65"),
    "PILE_EMPTY": ("The pile is empty.", "R-36"),
    "TOP_WILD": ("A wild card on top can never be taken.", "R-41"),
    "TOP_BLACK3": ("A black three on top blocks the pile for you.", "R-41"),
    "TOP_RED3": ("A red three on top cannot be taken.", "R-41"),
    "ONE_CARD_HAND_ONE_CARD_PILE": ("With one card you may not take a pile of one card.", "R-48"),
    "NOT_IN_HAND": ("You do not hold all of these cards.", "R-16"),
    "TOP_CARD_NOT_USED": ("The top card must be melded in the first group.", "R-36"),
    "FROZEN": ("The pile is frozen: you need two natural cards of the top card's rank.", "R-46"),
    "FROZEN_UNOPENED": (
        "Your side has not opened: you need two natural cards of the top card's rank.",
        "R-38",
    ),
    "TAKE_MODE_NOT_ALLOWED": ("The pile cannot be taken with these cards.", "R-43"),
    "RANK_MISMATCH": ("All natural cards of a meld must be of its rank.", "R-18"),
    "MIN_SIZE": ("A meld needs at least three cards.", "R-18"),
    "MIN_NATURALS": ("A meld needs at least two natural cards.", "R-18"),
    "MAX_WILDS": ("That would be too many wild cards in one meld.", "R-19"),
    "WILD_RATIO": ("A meld may not have more wild than natural cards.", "R-20"),
    "CANASTA_MIN_NATURALS": ("A canasta needs more natural cards.", "R-19"),
    "CANASTA_CLOSED": ("That canasta is closed.", "R-24"),
    "ALL_WILD_MELD": ("Wild cards alone are no meld in this game.", "R-21"),
    "WILD_MELD_FULL": ("The wild canasta may not grow.", "R-21"),
    "RED3_NOT_MELDABLE": ("Red threes are never melded.", "R-26"),
    "BLACK3_NO_WILDS": ("Black threes are melded without wild cards.", "R-26"),
    "BLACK3_ONLY_GOING_OUT": ("Black threes may only be melded when going out.", "R-26"),
    "OPENING_MINIMUM": ("These melds do not reach what your side needs to open.", "R-27"),
    "INCOMPLETE_MELD_LIMIT": ("Your side has too many melds that are no canasta yet.", "R-24"),
    "KEEP_CARD": ("Your side may not go out yet, so you must keep a card.", "R-52"),
    "DISCARD_REQUIRED": ("Going out needs a discard.", "R-56"),
    "ASK_TOO_LATE": ("You may ask after drawing and before melding, once a turn.", "R-60"),
    "CANNOT_GO_OUT": ("You cannot go out this turn, so you may not ask.", "R-62"),
    "PERMISSION_NOT_IN_RULES": ("There is no asking in this game.", "R-60"),
    "MUST_GO_OUT": ("Your partner said yes, so you must go out.", "R-61"),
    "PARTNER_SAID_NO": ("Your partner said no, so you may not go out.", "R-61"),
    "RED3_NOT_DISCARDABLE": ("A red three is never discarded.", "R-14"),
    "OPPONENT_MELD": ("You may not add to the other side's melds.", "R-23"),
    "NO_DISCARD_AFTER_LAST_RED3": ("After the last red three there is no discard.", "R-12"),
}

CODES: Final = tuple(_SENTENCES)


def sentence_of(code: str) -> tuple[str, str]:
    """Give the sentence and the R-number of a code."""
    return _SENTENCES[code]
