"""Says what most likely happened to a published hand that does not fit (§2.7)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

MAX_TRIES: Final = 20_000  # hashes of one explanation of a hand


def explain_hand(
    cards: Sequence[int],
    deck: Sequence[str],
    published: str,
    hash_cards: Callable[[Sequence[int]], str],
    others: Sequence[Sequence[int]],
) -> str:
    """Return a clause that says which change of the derived hand has the published hash.

    Args:
        cards: The derived hand, in order.
        deck: The face of each card.
        published: The hash in the ``deal`` record.
        hash_cards: From cards in order to their hash under this seat's salt.
        others: The derived hands of the other seats.
    """
    for clause, changed in islice(_changes(cards, deck, others), MAX_TRIES):
        if hash_cards(changed) == published:
            return clause
    return "the published hash fits no single exchange of cards"


def _changes(
    cards: Sequence[int], deck: Sequence[str], others: Sequence[Sequence[int]]
) -> Iterator[tuple[str, Sequence[int]]]:
    for other in others:
        yield "the published hash fits another seat's hand", other
    for first in range(len(cards)):
        for second in range(first + 1, len(cards)):
            changed = list(cards)
            changed[first], changed[second] = changed[second], changed[first]
            clause = (
                f"the published hash has the cards at positions {first} and {second}"
                f" exchanged, due is {name_card(cards[first], deck)} before"
                f" {name_card(cards[second], deck)}"
            )
            yield clause, changed
    for place, due in enumerate(cards):
        for card in range(len(deck)):
            if card == due:
                continue
            changed = list(cards)
            changed[place] = card
            clause = (
                f"at position {place} it published {name_card(card, deck)},"
                f" due is {name_card(due, deck)}"
            )
            yield clause, changed


def name_card(card: int, deck: Sequence[str]) -> str:
    """Return a card's face and its position in the deck."""
    return f"{deck[card]} (card {card})" if card < len(deck) else f"card {card}"
