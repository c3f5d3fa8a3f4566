"""Positions written by hand: a ``Play`` in the middle of a hand, and acts tried on it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from verifier.canasta.acts import apply_act
from verifier.canasta.fields import CLASSIC_1
from verifier.canasta.grammar import parse_act
from verifier.canasta.position import Position
from verifier.canasta.refusal import Refusal, refusal
from verifier.canasta.ruleset import read_ruleset
from verifier.canasta.turn import Play, Turn

FILLER = ("4C", "5C", "6C", "7C")  # what stands in for a stock that a test only counts


class Shoe:
    """Gives every card that a position names an index of its own, in a deck made to fit."""

    def __init__(self) -> None:
        self.deck: list[str] = []

    def cards(self, faces: Iterable[str]) -> list[int]:
        start = len(self.deck)
        self.deck.extend(faces)
        return list(range(start, len(self.deck)))


def words(text: str | Iterable[str]) -> list[str]:
    """Faces from a text with blanks, or as they are."""
    return text.split() if isinstance(text, str) else list(text)


def position(
    *,
    hold: Mapping[int, str | Iterable[str]],
    melds: Mapping[int, Mapping[str, str | Iterable[str]]] | None = None,
    pile: str | Iterable[str] = "",
    stock: str | Iterable[str] | int = 20,
    red_threes: Mapping[int, str | Iterable[str]] | None = None,
    seat: int = 0,
    phase: str = "draw",
    drew_stock: bool = True,
    melded: Iterable[int] = (),
    totals: Iterable[int] = (0, 0),
    **changes: Any,
) -> Play:
    """A hand in the turn of ``seat``; ``changes`` are fields that differ from ``classic@1``."""
    shoe = Shoe()
    sides = [[0, 2], [1, 3]]
    if isinstance(stock, int):
        stock = [FILLER[index % len(FILLER)] for index in range(stock)]
    table = Position(
        deck=shoe.deck,
        holdings=[shoe.cards(words(hold.get(index, ""))) for index in range(4)],
        melds=[
            {rank: shoe.cards(words(faces)) for rank, faces in (melds or {}).get(side, {}).items()}
            for side in range(2)
        ],
        red_threes=[shoe.cards(words((red_threes or {}).get(index, ""))) for index in range(4)],
        pile=shoe.cards(words(pile)),
        stock=shoe.cards(words(stock)),
    )
    side = next(index for index, seats in enumerate(sides) if seat in seats)
    turn = Turn(seat, frozenset(table.melds[side]))
    if phase == "play":
        turn.phase, turn.drew_stock = "play", drew_stock
    rules = read_ruleset({**CLASSIC_1, **changes})
    return Play(rules, sides, list(totals), table, turn, melded=set(melded))


def refused(play: Play, text: str, seat: int | None = None) -> Refusal | None:
    """What is wrong with an act, tried and not carried out."""
    return refusal(play, play.turn.seat if seat is None else seat, parse_act(text))


def rule(play: Play, text: str) -> str | None:
    """The rule that an act of the seat in turn breaks; None where it is lawful."""
    answer = refused(play, text)
    assert answer is None or answer.code == "E_ACT_RULE", answer
    return answer.rule if answer else None


def do(play: Play, *texts: str) -> tuple[list[int], list[str]]:
    """Carry out lawful acts of whoever must act; what the last of them took and showed."""
    took_shown: tuple[list[int], list[str]] = ([], [])
    before = play.position.cards()
    for text in texts:
        seat = play.partner() if play.turn.phase == "question" else play.turn.seat
        assert refused(play, text, seat) is None, (text, refused(play, text, seat))
        took_shown = apply_act(play, parse_act(text))
        assert play.position.cards() == before, "a card was lost or doubled"
    return took_shown


def holding(play: Play, seat: int) -> list[str]:
    """The faces a seat holds, sorted."""
    return sorted(play.position.held(seat).elements())


def meld_sizes(play: Play, side: int) -> dict[str, int]:
    """How many cards lie in each meld of a side."""
    return {rank: len(cards) for rank, cards in play.position.melds[side].items()}


def same_faces(left: Iterable[str], right: Iterable[str]) -> bool:
    """Whether two lists hold the same faces, order apart."""
    return Counter(left) == Counter(right)
