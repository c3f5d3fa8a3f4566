"""Where every card of a hand lies, and how acts move them (protocol.md 6.2, 6.7).

Cards are indices into ``rules.deck``; an act names faces, and the card meant is always the copy
with the lowest index that is there. Every card of the deck is at one place at any time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier.canasta.faces import is_red_three, kind
from verifier.canasta.grammar import Group
from verifier.canasta.melds import Count, count


@dataclass(slots=True)
class Position:
    """The table of one hand in play.

    Attributes:
        deck: The face of each card.
        holdings: For each seat the cards held, in rising order.
        melds: For each side its melds by rank (W: wilds only, 3: black threes).
        red_threes: For each seat the red threes that it laid on the table.
        pile: The discard pile, bottom to top.
        stock: The stock as dealt, the next card first.
        drawn: How many cards of the stock are gone.
        upcard_freezes: Whether the upcard froze the pile and nobody took it since.
    """

    deck: Sequence[str]
    holdings: list[list[int]]
    melds: list[dict[str, list[int]]]
    red_threes: list[list[int]]
    pile: list[int]
    stock: Sequence[int]
    upcard_freezes: bool = False
    drawn: int = field(default=0)

    @property
    def stock_left(self) -> int:
        """How many cards can still be drawn."""
        return len(self.stock) - self.drawn

    def cards(self) -> list[int]:
        """Every card of the hand, wherever it lies, in rising order."""
        melded = [card for side in self.melds for meld in side.values() for card in meld]
        held = [card for holding in self.holdings for card in holding]
        laid = [card for seat in self.red_threes for card in seat]
        return sorted([*melded, *held, *laid, *self.pile, *self.stock[self.drawn :]])

    def held(self, seat: int) -> Counter[str]:
        """The faces that a seat holds."""
        return Counter(self.deck[card] for card in self.holdings[seat])

    def counts(self, side: int) -> dict[str, Count]:
        """Naturals and wilds in each meld of a side."""
        return {
            name: count(self.deck[card] for card in meld) for name, meld in self.melds[side].items()
        }

    def top(self) -> str | None:
        """The face of the pile's top card."""
        return self.deck[self.pile[-1]] if self.pile else None

    def kinds_in_pile(self) -> set[str | None]:
        """The kinds of the cards in the pile."""
        return {kind(self.deck[card]) for card in self.pile}

    def draw(self, seat: int, number: int) -> tuple[list[int], list[str]]:
        """Take so many cards of the stock, or those that are left (6.7 point 6).

        A red three goes to the table and is followed by the next card.

        Returns:
            The stock positions used and the red threes shown, both in order.
        """
        took: list[int] = []
        shown: list[str] = []
        while number and self.stock_left:
            card = self.stock[self.drawn]
            took.append(self.drawn)
            self.drawn += 1
            if is_red_three(self.deck[card]):
                self.red_threes[seat].append(card)
                shown.append(self.deck[card])
            else:
                self._receive(seat, card)
                number -= 1
        return took, shown

    def show(self, seat: int) -> tuple[list[int], list[str]]:
        """Lay the red threes of a dealt holding, and replace each from the stock (R-9).

        Returns:
            The stock positions used; the red threes shown, those held by face, then those met.
        """
        held = [card for card in self.holdings[seat] if is_red_three(self.deck[card])]
        self.holdings[seat] = [card for card in self.holdings[seat] if card not in held]
        self.red_threes[seat].extend(held)
        took, met = self.draw(seat, len(held))
        return took, sorted(self.deck[card] for card in held) + met

    def lay(self, seat: int, side: int, groups: Sequence[Group]) -> None:
        """Move own cards into melds of the side, new ones or those that stand."""
        for group in groups:
            meld = self.melds[side].setdefault(group.rank, [])
            meld.extend(self._give(seat, face) for face in group.cards)

    def take(
        self, seat: int, side: int, groups: Sequence[Group], *, replaces: bool
    ) -> tuple[list[int], list[str]]:
        """Lay the top card with the first group, and take the rest of the pile (6.7 point 7).

        Args:
            seat: Who takes it.
            side: The seat's side.
            groups: The first one is that of the top card.
            replaces: Whether each red three of the pile is replaced from the stock (R-11).

        Returns:
            The stock positions used; the red threes of the pile, bottom to top, then those met.
        """
        self.lay(seat, side, groups)
        *buried, top = self.pile
        self.melds[side][groups[0].rank].append(top)
        red_threes = [card for card in buried if is_red_three(self.deck[card])]
        self.red_threes[seat].extend(red_threes)
        for card in buried:
            if card not in red_threes:
                self._receive(seat, card)
        self.pile = []
        self.upcard_freezes = False
        took, met = self.draw(seat, len(red_threes) if replaces else 0)
        return took, [self.deck[card] for card in red_threes] + met

    def discard(self, seat: int, face: str) -> None:
        """Put a card held on top of the pile."""
        self.pile.append(self._give(seat, face))

    def _give(self, seat: int, face: str) -> int:
        """Take the lowest copy of a face out of a holding that has one (6.7 point 8)."""
        holding = self.holdings[seat]
        card = next(card for card in holding if self.deck[card] == face)
        holding.remove(card)
        return card

    def _receive(self, seat: int, card: int) -> None:
        self.holdings[seat].append(card)
        self.holdings[seat].sort()
