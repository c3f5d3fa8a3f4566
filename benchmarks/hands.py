"""Hands to play with: dealt from a seed, by the steps of the rules, without records or secrets."""

from random import Random
from typing import Final

from fairdeal.canasta import cards, engine
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.fairness.deal import deal
from fairdeal.fairness.steps import parse_steps
from fairdeal.game.table import steps

TOTALS: Final = (-50, 0, 1500, 3000)
"""One game total in each band of the opening ladder (R-27)."""
_RED3_POINTS: Final = 100


def dealt(rules: Ruleset, chance: Random) -> Position:
    """Deal a hand: a shuffled deck, a first seat, and totals from the bands of the ladder."""
    deck = cards.deck(rules.decks, rules.jokers)
    order = list(range(len(deck)))
    chance.shuffle(order)
    first = chance.randrange(rules.players)
    parsed = parse_steps(steps(rules), cards=len(deck), seats=rules.players)
    found = deal(order, deck, parsed, rules.players, first)
    return engine.start(
        rules,
        holdings=[[deck[card] for card in hand] for hand in found.hands],
        laid=[[deck[card] for card in laid] for laid in found.laid],
        up=[deck[card] for card in found.up],
        stock=[deck[card] for card in found.stock],
        first_seat=first,
        totals=[chance.choice(TOTALS) for _ in rules.side_seats],
    )


def cards_of(position: Position) -> list[int]:
    """Count the cards of each card number, wherever they lie."""
    found = [sum(held) for held in zip(*position.held, strict=True)]
    places = [position.pile, position.stock[position.drawn :], *position.red3]
    places += [meld for side in position.laid for meld in side]
    for place in places:
        for card in place:
            found[card] += 1
    return found


def points_of(position: Position) -> int:
    """Give the points of all cards, red threes at 100: 1,580 for two packs (R-88)."""
    found = cards_of(position)
    points = sum(n * cards.VALUES[cards.CLASS_OF[card]] for card, n in enumerate(found))
    return points + _RED3_POINTS * sum(found[card] for card in cards.CARDS_OF[cards.RED3])
