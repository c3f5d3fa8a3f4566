"""Deals an order of cards by the steps of the rules, and hashes each hand (protocol §2.7)."""

from collections.abc import Sequence
from dataclasses import dataclass

from fairdeal.fairness.keys import Secret, card_salt
from fairdeal.fairness.lines import card_line, commit
from fairdeal.fairness.steps import DealOut, Replace, SetAside, Step, Turn


@dataclass(frozen=True, slots=True)
class Deal:
    """Where every card lies once the steps are done; cards are positions in `rules.deck`.

    Attributes:
        hands: One a seat, each in the order of the hand.
        laid: One a seat: the cards that `replace` laid on the table, in order.
        up: The cards turned up, the last one on top.
        sets: Name and cards of each group put aside, in the order of the steps.
        stock: What is left, the next card to draw first.
    """

    hands: tuple[tuple[int, ...], ...]
    laid: tuple[tuple[int, ...], ...]
    up: tuple[int, ...]
    sets: tuple[tuple[str, tuple[int, ...]], ...]
    stock: tuple[int, ...]


def first_seat_of(first_seat: int, hand: int, seats: int) -> int:
    """Return the seat that is dealt first in a hand, ``(first_seat + k - 1) mod n`` (§2.7).

    Args:
        first_seat: That of record 0.
        hand: From 1.
        seats: How many there are.
    """
    return (first_seat + hand - 1) % seats


def deal(
    order: Sequence[int],
    deck: Sequence[str],
    steps: Sequence[Step],
    seats: int,
    first_seat: int,
) -> Deal:
    """Deal an order of cards (§2.7).

    Args:
        order: A permutation of the positions in the deck, the top card first.
        deck: The face of each card.
        steps: Run in turn; a step that finds too few cards takes those that are there.
        seats: How many are dealt to.
        first_seat: Who is dealt first in this hand.

    Raises:
        ValueError: The order is no permutation of the deck, or the first seat is no seat.
    """
    if sorted(order) != list(range(len(deck))):
        raise ValueError(f"the order is no permutation of {len(deck)} cards")
    if not 0 <= first_seat < seats:
        raise ValueError(f"first_seat is 0 to {seats - 1}, got {first_seat}")
    table = _Table(order, deck, seats, first_seat)
    for step in steps:
        table.run(step)
    return table.done()


def card_hashes(game: str, hand: int, secret: Secret, deal: Deal) -> tuple[str, ...]:
    """Return what the `deal` record publishes of each hand, one hash a seat (§2.7).

    Args:
        game: The game's name.
        hand: From 1.
        secret: The secret of that hand.
        deal: The finished deal.
    """
    return tuple(
        commit(card_line(game, hand, seat, card_salt(secret, seat), cards))
        for seat, cards in enumerate(deal.hands)
    )


class _Table:
    """The cards on their way from the deck to a `Deal`; lives for one call of `deal`."""

    def __init__(
        self, order: Sequence[int], deck: Sequence[str], seats: int, first_seat: int
    ) -> None:
        self.stock = list(reversed(order))  # The top card last, so that taking it is a pop.
        self.deck = deck
        self.turns = [(first_seat + i) % seats for i in range(seats)]
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.laid: list[list[int]] = [[] for _ in range(seats)]
        self.up: list[int] = []
        self.sets: list[tuple[str, tuple[int, ...]]] = []

    def run(self, step: Step) -> None:
        match step:
            case DealOut(count, packet):
                self._deal_out(count, packet)
            case Turn(until_not):
                self._turn(frozenset(until_not))
            case Replace(faces):
                self._replace(frozenset(faces))
            case SetAside(name, count):
                self.sets.append((name, tuple(self._take(count))))

    def done(self) -> Deal:
        return Deal(
            hands=tuple(map(tuple, self.hands)),
            laid=tuple(map(tuple, self.laid)),
            up=tuple(self.up),
            sets=tuple(self.sets),
            stock=tuple(reversed(self.stock)),
        )

    def _take(self, count: int) -> list[int]:
        return [self.stock.pop() for _ in range(min(count, len(self.stock)))]

    def _deal_out(self, count: int, packet: int) -> None:
        for dealt in range(0, count, packet):
            for seat in self.turns:
                self.hands[seat] += self._take(min(packet, count - dealt))

    def _turn(self, until_not: frozenset[str]) -> None:
        while self.stock:
            self.up += self._take(1)
            if self.deck[self.up[-1]] not in until_not:
                return

    def _replace(self, faces: frozenset[str]) -> None:
        for seat in self.turns:
            kept: list[int] = []
            waiting = list(reversed(self.hands[seat]))
            while waiting:
                card = waiting.pop()
                if self.deck[card] not in faces:
                    kept.append(card)
                    continue
                self.laid[seat].append(card)
                # At the end of the hand, where it is looked at in its turn.
                waiting[:0] = self._take(1)
            self.hands[seat] = kept
