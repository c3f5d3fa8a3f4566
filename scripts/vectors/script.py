"""A transcript taken apart: change its records, then write numbers, links and hashes anew."""

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from fairdeal.canasta.position import Position
from fairdeal.fairness.deal import Deal, card_hashes
from fairdeal.game.dealing import secret_of
from fairdeal.records.canonical import encode
from fairdeal.records.chain import HASH_OF_NOTHING, PROTOCOL, Record
from scripts.vectors.sitting import Sitting

Body = dict[str, Any]


@dataclass(slots=True)
class Entry:
    """One record to be: ``fixed`` fields stand as they are, whatever comes before them."""

    type: str
    body: Body
    t: int
    fixed: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """A transcript as it is published: its lines with their LF, and the hash of each."""

    game: str
    lines: tuple[bytes, ...]

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hash of each line."""
        return tuple(sha256(line).hexdigest() for line in self.lines)


class Script:
    """The records of a game, to be changed.

    Attributes:
        entries: In order.
        sitting: The honest game that they come from.
    """

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.entries = [Entry(one.type, deepcopy(dict(one.body)), one.t) for one in sitting.records]

    def at(self, kind: str, *, hand: int | None = None, nth: int = 0) -> int:
        """Give the place of the nth record of a type, of one hand or of any."""
        places = [
            place
            for place, entry in enumerate(self.entries)
            if entry.type == kind and hand in (None, entry.body.get("hand"))
        ]
        return places[nth]

    def body(self, kind: str, *, hand: int | None = None, nth: int = 0) -> Body:
        """Give the body of the nth record of a type."""
        return self.entries[self.at(kind, hand=hand, nth=nth)].body

    def insert(self, place: int, kind: str, body: Body) -> int:
        """Put a record before the one that stands at a place; give the place."""
        near = self.entries[min(place, len(self.entries) - 1)]
        self.entries.insert(place, Entry(kind, body, near.t))
        return place

    def add(self, kind: str, body: Body) -> int:
        """Put a record at the end; give its place."""
        return self.insert(len(self.entries), kind, body)

    def move(self, source: int, target: int) -> None:
        """Move a record so that it stands at another place, with the time of its neighbours."""
        entry = self.entries.pop(source)
        entry.t = self.entries[min(target, len(self.entries) - 1)].t
        self.entries.insert(target, entry)

    def first_act(self, fits: Callable[[Position, Body], bool]) -> int:
        """Give the place of the first act for which this holds, looking at the hand before it."""
        for place, position in self.sitting.positions.items():
            if fits(position, self.entries[place].body):
                return place
        raise LookupError("no act fits")

    def deal_otherwise(self, hand: int, change: Callable[[list[list[int]]], None]) -> int:
        """Publish the hashes of other hands than were derived; give the deal's place."""
        game = self.sitting.game
        found = self.sitting.dealt(hand)
        hands = [list(cards) for cards in found.hands]
        change(hands)
        other = Deal(tuple(map(tuple, hands)), found.laid, found.up, found.sets, found.stock)
        place = self.at("deal", hand=hand)
        hashes = card_hashes(game.id, hand, secret_of(game, hand), other)
        self.entries[place].body["hands"] = list(hashes)
        return place

    def write(self) -> Written:
        """Number, link and hash everything anew."""
        lines: list[bytes] = []
        prev = HASH_OF_NOTHING
        for n, entry in enumerate(self.entries):
            fields = {
                "v": PROTOCOL,
                "game": self.sitting.game.id,
                "n": n,
                "prev": prev,
                "t": entry.t,
                "type": entry.type,
                "body": entry.body,
                **entry.fixed,
            }
            lines.append(encode(fields) + b"\n")
            prev = sha256(lines[-1]).hexdigest()
        return Written(self.sitting.game.id, tuple(lines))


def as_written(records: Sequence[Record]) -> Written:
    """Give an honest game as it is published."""
    return Written(records[0].game, tuple(one.line for one in records))


def swap(cards: list[Any], left: int, right: int) -> None:
    """Exchange two entries of a list."""
    cards[left], cards[right] = cards[right], cards[left]


def last(places: Iterable[int]) -> int:
    """Give the last of some places."""
    return max(places)
