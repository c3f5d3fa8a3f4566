"""The four steps that a deal is made of, and their reading from `rules.steps` (protocol §2.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from fairdeal.errors import MalformedInput

MAX_COUNT: Final = 1024
MAX_FACE_LENGTH: Final = 8
MAX_TEXT_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class DealOut:
    """Deal rounds of packets until every seat has got `count` further cards.

    Attributes:
        count: Cards a seat, 1 to 1,024.
        packet: Cards taken at a time, 1 to 1,024.
    """

    count: int
    packet: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn cards up until one has none of these faces.

    Attributes:
        until_not: Faces that another card is turned over.
    """

    until_not: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replace:
    """Lay cards of these faces out of the hands and replace them from the stock.

    Attributes:
        faces: The faces that are laid.
    """

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetAside:
    """Put cards aside under a name.

    Attributes:
        name: What the cards are called; each name once in a deal.
        count: How many, 1 to 1,024.
    """

    name: str
    count: int


Step: TypeAlias = DealOut | Turn | Replace | SetAside


def parse_steps(value: object, *, cards: int, seats: int) -> tuple[Step, ...]:
    """Read `rules.steps` and check that the deck is large enough for them (§2.7, §2.10).

    Args:
        value: A list of step objects as record 0 has them.
        cards: The size of the deck.
        seats: How many seats are dealt to.

    Raises:
        MalformedInput: Code `bad_steps`: another shape, a bound passed, a name used twice, or
            `deal` and `set` together need more cards than there are.
    """
    steps = tuple(_step(item, at) for at, item in enumerate(_items(value, "steps")))
    names = [step.name for step in steps if isinstance(step, SetAside)]
    if len(set(names)) != len(names):
        raise _bad("steps", "sets two groups of cards aside under one name")
    needed = sum(
        step.count * seats if isinstance(step, DealOut) else step.count
        for step in steps
        if isinstance(step, DealOut | SetAside)
    )
    if needed > cards:
        raise _bad("steps", f"needs {needed} cards, the deck has {cards}")
    return steps


def _step(item: object, at: int) -> Step:
    where = f"steps[{at}]"
    if not isinstance(item, Mapping):
        raise _bad(where, "is not an object")
    match item.get("op"):
        case "deal":
            _only(item, {"op", "count", "packet"}, where)
            return DealOut(_count(item, "count", where), _count(item, "packet", where))
        case "turn":
            _only(item, {"op", "until_not"}, where)
            return Turn(_faces(item["until_not"], f"{where}.until_not"))
        case "replace":
            _only(item, {"op", "faces"}, where)
            return Replace(_faces(item["faces"], f"{where}.faces"))
        case "set":
            _only(item, {"op", "name", "count"}, where)
            return SetAside(_name(item["name"], f"{where}.name"), _count(item, "count", where))
        case _:
            raise _bad(f"{where}.op", "is not deal, turn, replace or set")


def _only(item: Mapping[object, object], fields: set[str], where: str) -> None:
    if set(item) != fields:
        raise _bad(where, f"has not exactly the fields {', '.join(sorted(fields))}")


def _count(item: Mapping[object, object], field: str, where: str) -> int:
    value = item[field]
    # bool is an int to Python, and a number it is not.
    if type(value) is not int or not 1 <= value <= MAX_COUNT:
        raise _bad(f"{where}.{field}", f"is not an integer from 1 to {MAX_COUNT}")
    return value


def _faces(value: object, where: str) -> tuple[str, ...]:
    return tuple(_face(item, f"{where}[{at}]") for at, item in enumerate(_items(value, where)))


def _face(value: object, where: str) -> str:
    if (
        type(value) is not str
        or not 1 <= len(value) <= MAX_FACE_LENGTH
        or not all("!" <= sign <= "~" for sign in value)
    ):
        raise _bad(where, f"is not a face of 1 to {MAX_FACE_LENGTH} visible ASCII characters")
    return value


def _name(value: object, where: str) -> str:
    if (
        type(value) is not str
        or not 1 <= len(value) <= MAX_TEXT_LENGTH
        or any(sign < " " or "\x7f" <= sign <= "\x9f" for sign in value)
        or any("\ud800" <= sign <= "\udfff" for sign in value)
    ):
        raise _bad(where, f"is not a text of 1 to {MAX_TEXT_LENGTH} characters")
    return value


def _items(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list | tuple):
        raise _bad(where, "is not a list")
    return value


def _bad(field: str, why: str) -> MalformedInput:
    return MalformedInput("bad_steps", f"The field {field} {why}.", {"field": field})
