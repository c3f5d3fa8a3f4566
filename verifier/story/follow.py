"""Follows every card of one hand from the deal to its end (§2.7, §6.2, §6.7)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from verifier.canasta.faces import RED_THREES
from verifier.canasta.grammar import Act, Group, Verb, parse_act
from verifier.dealing import Table
from verifier.replay.state import Hand, State
from verifier.strictjson import Json

STOCK: Final = "stock"
PILE: Final = "pile"


@dataclass(frozen=True, slots=True)
class Step:
    """What happened to a card at a record."""

    at: int
    words: str


@dataclass(slots=True)
class Story:
    """A hand as its cards went.

    Attributes:
        deck: One face a card.
        table: As it was dealt.
        steps: By card, in order.
        places: By card, where it lies at the end.
        drawn: By stock position, the seat that drew it.
    """

    deck: Sequence[str]
    table: Table
    steps: dict[int, list[Step]] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    drawn: dict[int, int] = field(default_factory=dict)

    def at(self, place: str) -> list[int]:
        """Return the cards at a place, in the order in which they came there."""
        return [card for card, lies in self.places.items() if lies == place]

    def move(self, card: int, place: str, at: int, words: str) -> None:
        """Put a card somewhere, as its newest one."""
        self.places.pop(card, None)
        self.places[card] = place
        self.steps.setdefault(card, []).append(Step(at, words))


def holding(seat: int) -> str:
    """Return the name of a seat's holding."""
    return f"held by seat {seat}"


def laid(seat: int) -> str:
    """Return the name of the red threes, or other laid cards, of a seat."""
    return f"laid by seat {seat}"


def meld(side: int, rank: str) -> str:
    """Return the name of a side's meld."""
    return f"meld of {_RANKS.get(rank, rank)} of side {side}"


_RANKS: Final = {"W": "wild cards", "3": "black threes", "T": "tens"}


def follow(state: State, hand: Hand) -> Story:
    """Return the story of a hand whose secret is out.

    Acts are followed where the replay found nothing wrong with the hand; otherwise the story ends
    with the deal, since acts made with other cards tell nothing about these.
    """
    assert hand.table is not None
    story = Story(state.terms.deck, hand.table)
    _deal(story, hand.at)
    if hand.is_wrong:
        return story
    for position, (at, seat) in hand.drawn.items():
        _draw(story, seat, [position], at, show=False)
    if state.judges_rules:
        sides = _sides(state)
        for at, body in hand.acts:
            _act(story, at, body, sides)
    return story


def _deal(story: Story, at: int) -> None:
    table = story.table
    for seat, cards in enumerate(table.hands):
        for place, card in enumerate(cards, 1):
            story.move(card, holding(seat), at, f"dealt to seat {seat}, card {place} of its hand")
    for seat, cards in enumerate(table.laid):
        for card in cards:
            story.move(card, laid(seat), at, f"dealt to seat {seat}, laid and replaced")
    for place, card in enumerate(table.up, 1):
        story.move(card, PILE, at, f"turned up, card {place} of the pile")
    for name, cards in table.sets.items():
        for card in cards:
            story.move(card, f"put aside as {name!a}", at, f"put aside as {name!a}")
    for position, card in enumerate(table.stock):
        story.move(card, STOCK, at, f"in the stock, position {position}")


def _act(story: Story, at: int, body: dict[str, Json], sides: dict[int, int]) -> None:
    seat, text, took = body["seat"], body["act"], body["took"]
    assert isinstance(seat, int)
    assert isinstance(text, str)
    assert isinstance(took, list)
    act, side = parse_act(text), sides[seat]
    match act.verb:
        case Verb.SHOW:
            for card in [card for card in story.at(holding(seat)) if _is_red_three(story, card)]:
                story.move(card, laid(seat), at, f"seat {seat} shows it")
        case Verb.TAKE:
            _take(story, at, seat, side, act)
        case Verb.LAY:
            _lay(story, at, seat, side, act.groups)
        case _:
            pass
    _draw(story, seat, [place for place in took if isinstance(place, int)], at, show=True)
    if act.card is not None:
        card = _copy(story, seat, act.card)
        story.move(card, PILE, at, f"seat {seat} discards it")


def _take(story: Story, at: int, seat: int, side: int, act: Act) -> None:
    _lay(story, at, seat, side, act.groups)
    *buried, top = story.at(PILE)
    rank = act.groups[0].rank
    story.move(top, meld(side, rank), at, f"seat {seat} takes it from the pile and melds it")
    for card in buried:
        red = _is_red_three(story, card)
        words = f"seat {seat} takes it with the pile" + (" and lays it" if red else "")
        story.move(card, laid(seat) if red else holding(seat), at, words)


def _lay(story: Story, at: int, seat: int, side: int, groups: Sequence[Group]) -> None:
    for group in groups:
        for face in group.cards:
            words = f"seat {seat} lays it: {meld(side, group.rank)}"
            story.move(_copy(story, seat, face), meld(side, group.rank), at, words)


def _draw(story: Story, seat: int, took: Sequence[int], at: int, *, show: bool) -> None:
    for position in took:
        card = story.table.stock[position]
        story.drawn[position] = seat
        red = show and _is_red_three(story, card)
        words = f"seat {seat} draws it" + (" and lays it" if red else "")
        story.move(card, laid(seat) if red else holding(seat), at, words)


def _copy(story: Story, seat: int, face: str) -> int:
    """Return the copy meant: the lowest that the seat holds (§6.7, 8)."""
    return min(card for card in story.at(holding(seat)) if story.deck[card] == face)


def _is_red_three(story: Story, card: int) -> bool:
    return story.deck[card] in RED_THREES


def _sides(state: State) -> dict[int, int]:
    play = state.terms.rules["play"]
    assert isinstance(play, dict)
    sides = play["sides"]
    assert isinstance(sides, list)
    return {
        seat: side
        for side, seats in enumerate(sides)
        if isinstance(seats, list)
        for seat in seats
        if isinstance(seat, int)
    }
