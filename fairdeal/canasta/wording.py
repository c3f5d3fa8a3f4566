"""One formatter for everything a sentence names: numbers, points, cards, ranks, lists.

Sentences are templates in a catalogue (``sentences.py``), keyed by code; what they name are the
values below. A ``Language`` writes both, so another language is another table and no code.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from fairdeal.canasta import cards

LONGEST: Final = 140
"""The most characters of a sentence."""


@dataclass(frozen=True, slots=True)
class Number:
    """A small number, in words: ``three``."""

    n: int


@dataclass(frozen=True, slots=True)
class Points:
    """Points or a long count, in digits: ``1,640``."""

    n: int


@dataclass(frozen=True, slots=True)
class Some:
    """A number of things: ``two nines``; ``what`` is a rank or a noun of the language."""

    what: str
    n: int


@dataclass(frozen=True, slots=True)
class One:
    """One thing of a kind, without a number: ``nine``; with ``article`` ``a nine``."""

    what: str
    article: bool = False


@dataclass(frozen=True, slots=True)
class Many:
    """Things of a kind, without a number: ``nines``."""

    what: str


@dataclass(frozen=True, slots=True)
class Card:
    """A card: ``nine of hearts``."""

    face: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A fixed phrase of the language, by its key."""

    key: str


@dataclass(frozen=True, slots=True)
class Either:
    """Alternatives: ``a pair or a meld``."""

    parts: "tuple[Value, ...]"


@dataclass(frozen=True, slots=True)
class On:
    """Cards laid on a meld that their own faces do not name: ``one deuce on the eights``."""

    cards: "Value"
    rank: str


@dataclass(frozen=True, slots=True)
class Apart:
    """Lists that stand apart: the groups of an act."""

    parts: "tuple[Value, ...]"


Value: TypeAlias = (
    "Number | Points | Some | One | Many | Card | Phrase | Either | Apart | On | tuple[Value, ...]"
)
Facts: TypeAlias = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language.

    Attributes:
        texts: The catalogue: code -> variant -> template.
        numbers: The words for 0, 1, 2 ...; larger numbers are written in digits.
        nouns: Rank letter or noun -> singular, plural.
        suits: Suit letter -> plural.
        card: How rank and suit make a card: a template of ``rank`` and ``suit``.
        last: What stands before the last of a list.
        either: What stands before the last of alternatives.
        on: How cards are said to be laid on a meld: a template of ``cards`` and ``ranks``.
        article: The article before a singular.
        phrases: Fixed phrases.
    """

    texts: Mapping[str, Mapping[str, str]]
    numbers: tuple[str, ...]
    nouns: Mapping[str, tuple[str, str]]
    suits: Mapping[str, str]
    card: str
    last: str
    either: str
    on: str
    article: str
    phrases: Mapping[str, str]

    def say(self, code: str, variant: str = "", facts: Facts | None = None) -> str:
        """Write the sentence of a code in one of its variants."""
        said = {name: self.write(value) for name, value in (facts or {}).items()}
        text = self.texts[code][variant].format_map(said)
        return text[:1].upper() + text[1:]

    def write(self, value: Value) -> str:
        """Write one value."""
        match value:
            case Number(n):
                return self.numbers[n] if 0 <= n < len(self.numbers) else str(n)
            case Points(n):
                return f"{n:,}"
            case Some(what, n):
                one, many = self.nouns[what]
                return f"{self.write(Number(n))} {one if n == 1 else many}"
            case One(what, article):
                one = self.nouns[what][0]
                return self.article.format(one) if article else one
            case Many(what):
                return self.nouns[what][1]
            case Card(face):
                if face == cards.JOKER_FACE:
                    return self.nouns["JK"][0]
                rank = self.nouns["three" if face[0] == "3" else face[0]][0]
                return self.card.format(rank=rank, suit=self.suits[face[1]])
            case Phrase(key):
                return self.phrases[key]
            case Either(parts):
                return self.listed([self.write(one) for one in parts], self.either)
            case On(laid, rank):
                return self.on.format(cards=self.write(laid), ranks=self.nouns[rank][1])
            case Apart(parts):
                return "; ".join(self.write(one) for one in parts)
            case _:
                return self.listed([self.write(one) for one in value], self.last)

    def listed(self, parts: list[str], last: str) -> str:
        """Join parts as the language lists them."""
        if len(parts) < 2:
            return "".join(parts)
        return ", ".join(parts[:-1]) + last + parts[-1]


def plain(value: Value) -> object:
    """Give a value as a program reads it: numbers as integers, cards and ranks as letters."""
    match value:
        case Number(n) | Points(n) | Some(_, n):
            return n
        case One(what) | Many(what):
            return what
        case Card(face):
            return face
        case Phrase(key):
            return key
        case On(laid, _):
            return plain(laid)
        case Apart(parts) | Either(parts):
            return [plain(one) for one in parts]
        case _:
            return [plain(one) for one in value]
