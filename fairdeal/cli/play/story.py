"""Tells what happens at the table in sentences, from the records as they come."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from fairdeal.canasta import acts, cards
from fairdeal.canasta.gametext import tell_act
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset, from_json
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import Card, Some

_ENDS: Final = {
    "STOCK_EXHAUSTED": "The stock is used up.",
    "LAST_STOCK_RED3": "The last card of the stock was a red three.",
    "NO_LEGAL_COMPLETION": "The turn had no legal end.",
}
_LONGEST: Final = 24
_BY: Final = {"clock": " (the time was over)", "stand-in": " (a stand-in)"}


@dataclass(frozen=True, slots=True)
class Names:
    """What the seats are called, as seen from one of them.

    Attributes:
        short: In sentences: *You*, *Partner*, *Left*, *Right*.
        full: With what they are: *Partner, computer (steady)*.
    """

    short: tuple[str, ...]
    full: tuple[str, ...]

    @classmethod
    def of(
        cls, seats: Sequence[Mapping[str, Any]], sides: Sequence[Sequence[int]], me: int
    ) -> Self:
        """Name the seats of a game, given as record 0 has them."""
        side = next((side for side in sides if me in side), (me,))
        short, full = [], []
        for seat, told in enumerate(seats):
            place = _place(seat, me, len(seats), seat in side)
            label = "".join(char for char in str(told["label"]) if char.isprintable())[:_LONGEST]
            kind = _kind(label) if told["kind"] == "bot" else ""
            name = "You" if seat == me else place if kind or not label else label
            short.append(name)
            full.append(f"{name}, {kind}" if kind else name)
        return cls(tuple(short), tuple(full))

    def side(self, seats: Iterable[int]) -> str:
        """Name a side: *You and Partner*."""
        called = sorted((self.short[seat] for seat in seats), key=lambda name: name != "You")
        return " and ".join(called)


def _place(seat: int, me: int, seats: int, is_partner: bool) -> str:
    if seats == 2:
        return "Opponent"
    if seats > 4:
        return f"Partner {seat}" if is_partner else f"Seat {seat}"
    if is_partner:
        return "Partner"
    return {1: "Left", seats - 1: "Right"}.get((seat - me) % seats, f"Seat {seat}")


def _kind(label: str) -> str:
    """Say of a bot that it is a computer, and its level."""
    name = label.removeprefix("bot:").partition("@")[0]
    return f"computer ({name})" if name else "computer"


class Story:
    """The game so far, as far as everybody at the table follows it.

    Args:
        me: The seat that is told.
    """

    def __init__(self, me: int) -> None:
        self.me = me
        self.version = -1
        self.names = Names((), ())
        self.rules: Ruleset | None = None
        self.deck: tuple[str, ...] = ()
        self.sides: tuple[tuple[int, ...], ...] = ()
        self.scores: list[Mapping[str, Any]] = []
        self.is_sealed = False
        self._epoch_hands = self._first_hand = self._hand = 0
        # Only pile and stock of it are kept up, all that the sentences look at.
        self._table: Position | None = None

    @property
    def pile(self) -> tuple[str, ...]:
        """The faces of the pile, bottom to top: everybody saw each of them come."""
        return tuple(cards.FACES[card] for card in self._table.pile) if self._table else ()

    @property
    def freezing(self) -> tuple[str, ...]:
        """The cards of the pile that freeze it for everybody."""
        if self._table is None or not self._table.frozen:
            return ()
        alone, found = self._table.copy(), []
        for place, card in enumerate(self._table.pile):
            alone.pile, alone.upcards = [card], int(place < self._table.upcards)
            if alone.frozen:
                found.append(cards.FACES[card])
        return tuple(found)

    @property
    def is_spent(self) -> bool:
        """Whether all hands of the newest epoch are over, so that cuts are due anew."""
        last = self._first_hand + self._epoch_hands - 1
        return self._epoch_hands > 0 and self._hand == last

    def tell(self, events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        """Take the next records, and give a line for each turn and whatever else happened.

        Records that are known already are passed over.
        """
        whose, said = -1, list[str]()
        for event in events:
            if event["n"] <= self.version:
                continue
            self.version = event["n"]
            if event["type"] != "act":
                yield from self._turn(whose, said)
                whose, said = -1, []
                yield from self._other(event)
                continue
            body = event["body"]
            seat, act = body["seat"], acts.parse(body["act"])
            if seat != whose or isinstance(act, acts.Answer):
                yield from self._turn(whose, said)
                whose, said = seat, []
            said += self._act(body, act, event.get("private", {}))
        yield from self._turn(whose, said)

    def _turn(self, seat: int, said: Sequence[str]) -> Iterator[str]:
        if said:
            yield f"{self.names.short[seat]}: {', '.join(said)}."

    def _act(
        self, body: Mapping[str, Any], act: acts.Act, private: Mapping[str, Any]
    ) -> Iterator[str]:
        table = self._table
        if table is None:  # the records begin in the middle; they never do
            return
        seat = body["seat"]
        by = _BY.get(body["by"], "")
        if seat != self.me or by:
            yield tell_act(table, act) + by
        if drawn := [card["face"] for card in private.get("drawn", ())]:
            listed = ENGLISH.listed([f"the {ENGLISH.write(Card(face))}" for face in drawn], " and ")
            yield f"the new card is {listed}" if len(drawn) == 1 else f"the new cards are {listed}"
        if body["shown"]:
            verb = "lay" if seat == self.me and not by else "lays"
            yield f"{verb} {ENGLISH.write(Some('red3', len(body['shown'])))}"
        table.drawn += len(body["took"])
        match act:
            case acts.Take():
                table.pile, table.upcards = [], 0
            case acts.Discard(card) | acts.Lay(_, str(card)):
                table.pile.append(cards.NUMBER[card])
            case _:
                pass

    def _other(self, event: Mapping[str, Any]) -> Iterator[str]:
        body = event["body"]
        match event["type"]:
            case "open":
                self._open(body)
            case "share" if body["seat"] != self.me:
                yield f"{self.names.short[body['seat']]} gives a cut."
            case "void":
                yield "A cut is missing, so all give a cut anew."
            case "lock":
                self._first_hand = body["first_hand"]
                yield "All cuts are in. Nothing can change the order of the cards any more."
            case "deal":
                yield from self._deal(body)
            case "score":
                self.scores.append(body)
                yield from self._score(body["result"])
            case "abort":
                yield f"Hand {body['hand']} is given up: {body['reason']}."
            case "reveal":
                self._hand = body["hand"]
            case "close":
                yield "The game is over."
            case _:
                pass

    def _open(self, body: Mapping[str, Any]) -> None:
        rules = body["rules"]
        self.is_sealed = body["profile"] == "sealed"
        self._epoch_hands = body["epoch_hands"]
        self.deck = tuple(rules["deck"])
        play = rules.get("play")
        if play is None:
            return
        self.rules = from_json(play["ruleset"])
        self.sides = tuple(map(tuple, play["sides"]))
        self.names = Names.of(body["seats"], self.sides, self.me)

    def _deal(self, body: Mapping[str, Any]) -> Iterator[str]:
        if self.rules is None:
            return
        table = self._table = Position(self.rules, [0] * len(self.sides))
        up = [self.deck[place] for place in body["up"]]
        table.pile = [cards.NUMBER[face] for face in up]
        table.upcards = len(up)
        table.stock = (0,) * body["stock"]
        turned = ENGLISH.listed([f"the {ENGLISH.write(Card(face))}" for face in up], " and ")
        yield f"Hand {body['hand']} is dealt. Turned up: {turned}."
        for seat, laid in enumerate(body["laid"]):
            if laid:
                verb = "lay" if seat == self.me else "lays"
                told = ENGLISH.write(Some("red3", len(laid)))
                yield f"{self.names.short[seat]} {verb} {told}."

    def _score(self, result: Mapping[str, Any]) -> Iterator[str]:
        seat = result["seat"]
        if result["end"] == "WENT_OUT" and seat is not None:
            verb = "go" if seat == self.me else "goes"
            how = " concealed" if result["concealed"] else ""
            yield f"{self.names.short[seat]} {verb} out{how}."
        else:
            yield _ENDS.get(result["end"], "The hand is over.")


def fresh(before: Sequence[str], now: Sequence[str]) -> list[bool]:
    """Say of each card held now whether it is new; of equal cards the last ones are."""
    old = Counter(before)
    marks = []
    for face in now:
        marks.append(old[face] <= 0)
        old[face] -= 1
    return marks
