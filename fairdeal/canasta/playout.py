"""Random play to the end of a hand, and the way back from counts to faces."""

from collections.abc import Iterator

from fairdeal.canasta import cards
from fairdeal.canasta.counts import CARD_OF, CLASS_OF, CLASS_OF_SLOT, Counts
from fairdeal.canasta.position import Position, copy_tally
from fairdeal.canasta.sampling import sample


def playout(core: Counts, words: Iterator[int]) -> int:
    """Play random legal acts to the end of the hand, in place.

    Args:
        core: The hand; ``scoring.sheet`` gives its scores afterwards.
        words: Random integers of 32 bits, as many as it takes (a hand takes a few hundred).

    Returns:
        The number of acts played.
    """
    acts, step = 0, core.step
    while not core.end:
        step(sample(core, words))
        acts += 1
    return acts


def position_of(core: Counts) -> Position:
    """Give a position with the counts of a core, each card the lowest copy that is left.

    The stock keeps its cards; holdings, melds, red threes and pile get faces in suit order.
    """
    rules = core.rules
    position = Position(rules, core.totals)
    copy_tally(core, position)
    left = [list(numbers) * rules.decks for numbers in cards.CARDS_OF]
    for card in core.stock[core.drawn :]:
        if card in left[CLASS_OF[card]]:
            left[CLASS_OF[card]].remove(card)

    def pick(klass: int) -> int:
        # A seat's knowledge stands in for hidden cards, so a class may seem used up.
        return left[klass].pop(0) if left[klass] else CARD_OF[klass]

    for held, counts in zip(position.held, core.counts, strict=True):
        for klass, number in enumerate(counts):
            for _ in range(number):
                held[pick(klass)] += 1
    for side, melds in enumerate(position.laid):
        for slot, klass in enumerate(CLASS_OF_SLOT):
            jokers = core.jokers[side][slot]
            classes = [klass] * core.naturals[side][slot]
            classes += [cards.DEUCE] * (core.wilds[side][slot] - jokers) + [cards.JOKER] * jokers
            melds[slot] = tuple(map(pick, classes))
        position.red3[side] = tuple(pick(cards.RED3) for _ in range(core.reds[side]))
    position.pile = [pick(CLASS_OF[card]) for card in core.pile]
    return position
