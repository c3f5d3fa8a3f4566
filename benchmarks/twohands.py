"""One hand in the hands of two readings: the engine's and the verifier's, dealt alike.

Cards are dealt by the steps of the rules, or rigged: seats that love a few ranks and hold wilds,
a short stock, red threes at its end. So openings, canastas, takes and ends are met often.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.hands import TOTALS
from fairdeal.canasta import cards, engine
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset, to_json
from fairdeal.fairness.deal import deal
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import steps
from verifier.canasta import HandInput
from verifier.canasta.judge import start_play
from verifier.canasta.table import sides_of
from verifier.canasta.turn import Play

RED_THREES: Final = ("3D", "3H")
_KINDS: Final = {
    "wild": ("2C", "2D", "2H", "2S", "JK"),
    "red3": RED_THREES,
    "black3": ("3C", "3S"),
}
_LOVED: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Cards by their index in the deck: for each seat its holding and its red threes laid."""

    deck: Sequence[str]
    hands: Sequence[Sequence[int]]
    laid: Sequence[Sequence[int]]
    up: Sequence[int]
    stock: Sequence[int]
    first_seat: int
    totals: Sequence[int]


def deal_fair(rules: Ruleset, chance: Random) -> Dealt:
    """Deal a shuffled deck by the steps of the rules."""
    deck = cards.deck(rules.decks, rules.jokers)
    order = list(range(len(deck)))
    chance.shuffle(order)
    first = chance.randrange(rules.players)
    parsed = parse_steps(steps(rules), cards=len(deck), seats=rules.players)
    found = deal(order, deck, parsed, rules.players, first)
    return Dealt(
        deck=deck,
        hands=found.hands,
        laid=found.laid,
        up=found.up,
        stock=found.stock,
        first_seat=first,
        totals=_totals(rules, chance),
    )


def deal_rigged(rules: Ruleset, chance: Random) -> Dealt:
    """Deal so that much happens; not every card of the deck takes part."""
    deck = cards.deck(rules.decks, rules.jokers)
    heap = _heap(rules, deck, chance)
    waits = rules.red3_initial_when == "at_own_first_turn"
    size = chance.randint(1, max(1, min(14, (len(heap) - 8) // (rules.players + 1))))
    hands = []
    for _ in range(rules.players):
        ranks = chance.sample("456789TJQKA", chance.randint(1, 3))
        loved = {*ranks, *chance.choice(((), "2", "2J", "2J3"))}
        hand = [card for card in heap if deck[card][0] in loved and deck[card] not in RED_THREES]
        hand = hand[: min(size, _LOVED)]
        rest = [card for card in heap if card not in hand]
        hand += [card for card in rest if waits or deck[card] not in RED_THREES][: size - len(hand)]
        heap = [card for card in heap if card not in hand]
        hands.append(hand)
    covers = {face for word in rules.upcard_cover for face in _KINDS[word]}
    up = [heap.pop()]
    while deck[up[-1]] in covers and heap:
        up.append(heap.pop())
    reds = [card for card in heap if deck[card] in RED_THREES]
    others = [card for card in heap if deck[card] not in RED_THREES]
    stock = others[: chance.choice((0, 1, 2, 3, 5, 8, 13, 21, 34))] + reds
    if chance.random() < 0.5:
        chance.shuffle(stock)
    return Dealt(
        deck=deck,
        hands=hands,
        laid=[[] for _ in hands],
        up=up,
        stock=stock,
        first_seat=chance.randrange(rules.players),
        totals=_totals(rules, chance),
    )


def _heap(rules: Ruleset, deck: Sequence[str], chance: Random) -> list[int]:
    """Give the cards that take part, shuffled: the whole deck, or few ranks and the wilds."""
    heap = list(range(len(deck)))
    chance.shuffle(heap)
    if chance.random() < 0.5:
        return heap
    ranks = {
        *chance.sample("456789TJQKA", chance.randint(3, 6)),
        "2",
        "3",
        "J" if rules.jokers else "2",
    }
    narrow = [card for card in heap if deck[card][0] in ranks]
    return narrow if len(narrow) >= 5 * rules.players else heap


def _totals(rules: Ruleset, chance: Random) -> list[int]:
    return [chance.choice(TOTALS) for _ in rules.side_seats]


def start_engine(rules: Ruleset, dealt: Dealt) -> Position:
    """Give the engine's position after a deal."""

    def faces(held: Sequence[int]) -> list[str]:
        return [dealt.deck[card] for card in held]

    return engine.start(
        rules,
        holdings=[faces(hand) for hand in dealt.hands],
        laid=[faces(laid) for laid in dealt.laid],
        up=faces(dealt.up),
        stock=faces(dealt.stock),
        first_seat=dealt.first_seat,
        totals=dealt.totals,
    )


def start_verifier(rules: Ruleset, dealt: Dealt) -> Play:
    """Give the verifier's hand after a deal."""
    ruleset = to_json(rules)
    return start_play(
        HandInput(
            ruleset=ruleset,
            sides=sides_of(rules.sides, rules.players),
            seats=rules.players,
            first_seat=dealt.first_seat,
            deck=dealt.deck,
            hands=dealt.hands,
            laid=dealt.laid,
            up=dealt.up,
            stock=dealt.stock,
            acts=[],
            ending=(0, "score", {}),
            totals=dealt.totals,
        )
    )
