"""Says what most likely happened to a published hand that does not fit (§2.7)."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

MAX_TRIES: Final = 20_000  # hashes of one explanation of a hand


class OtherHand(NamedTuple):
    """The derived hand of another seat, and its hash under that seat's salt."""

    seat: int
    cards: Sequence[int]
    digest: str


def explain_hand(
    cards: Sequence[int],
    deck: Sequence[str],
    published: str,
    hash_cards: Callable[[Sequence[int]], str],
    others: Sequence[OtherHand],
) -> str:
    """Return a clause that says which change of the derived hand has the published hash.

    Args:
        cards: The derived hand, in order.
        deck: The face of each card.
        published: The hash in the ``deal`` record.
        hash_cards: From cards in order to their hash under this seat's salt.
        others: The derived hands of the other seats.
    """
    for other in others:
        if other.digest == published:
            return f"the published hash is that of the whole hand of seat {other.seat}"
    for clause, changed in islice(_changes(cards, deck, others), MAX_TRIES):
        if hash_cards(changed) == published:
            return clause
    return "the published hash fits no single exchange of cards"


def _changes(
    cards: Sequence[int], deck: Sequence[str], others: Sequence[OtherHand]
) -> Iterator[tuple[str, Sequence[int]]]:
    for other in others:
        yield f"the published hash fits the whole hand of seat {other.seat}", other.cards
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
