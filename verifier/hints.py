"""Says what most likely happened to a seed or to a published hand that does not fit (§3.1)."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

_QUOTES: Final = (
    ("\u201c\u201d\u201e", '"'),
    ("\u2018\u2019\u201a", "'"),
)
MAX_TRIES: Final = 20_000  # hashes of one explanation of a hand


def explain_seed(typed: bytes, seed_sha256: str) -> str:
    """Return a clause that says which form of the typed text has the hash in the share."""
    text = typed.decode()
    for name, form in _forms(text):
        if hashlib.sha256(form.encode()).hexdigest() == seed_sha256:
            return f"that hash fits your text {name}"
    return "that hash fits no usual form of your text"


def _forms(text: str) -> Iterator[tuple[str, str]]:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        yield f"in the normal form {form}", unicodedata.normalize(form, text)
    yield "without the blanks around it", text.strip()
    yield "without the blanks before it", text.lstrip()
    yield "without the blanks after it", text.rstrip()
    yield "with a line end (LF)", text + "\n"
    yield "with a line end (CR LF)", text + "\r\n"
    yield "without its last line end", text.removesuffix("\n").removesuffix("\r")
    yield "without the byte order mark", text.removeprefix("\ufeff")
    yield "with a byte order mark", "\ufeff" + text
    straight = text
    for curly, plain in _QUOTES:
        for mark in curly:
            straight = straight.replace(mark, plain)
    yield "with straight quotation marks", straight
    for double in ("\u201c\u201d", "\u201e\u201c"):
        for single in ("\u2018\u2019", "\u201a\u2018"):
            yield "with typographic quotation marks", _curl(_curl(text, '"', double), "'", single)
    yield "with typographic apostrophes", text.replace("'", "\u2019")


def _curl(text: str, plain: str, pair: str) -> str:
    """Return the text with its straight marks turned into opening and closing ones by turns."""
    parts = text.split(plain)
    made = parts[0]
    for index, part in enumerate(parts[1:]):
        made += pair[index % 2] + part
    return made


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
