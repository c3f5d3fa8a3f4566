"""A hand in progress without faces: for playouts, searches and replays at speed.

Which copy or suit a card has never matters to a rule, so ``Counts`` keeps numbers of cards only
and changes them in place; what a ``Position`` works out on demand (frozen, opened) it keeps up to
date. ``step`` carries out a move that is legal; ``sampling`` picks one and ``referee`` judges
one. A property test holds it to ``engine`` act by act.
"""

from typing import Final

from fairdeal.canasta import cards, endings
from fairdeal.canasta.moves import (
    ASK,
    DISCARD,
    DRAW,
    END,
    LAY,
    NO,
    TAKE,
    YES,
    Heap,
    Move,
)
from fairdeal.canasta.position import (
    ASKED,
    BLACK3_SLOT,
    CANASTA,
    PILE,
    PLAY,
    SHOW,
    SLOTS,
    STOCK,
    Position,
    Tally,
    canastas,
    copy_tally,
)
from fairdeal.canasta.position import DRAW as DRAWING
from fairdeal.canasta.tables import Tables, tables_of

CLASS_OF: Final = cards.CLASS_OF
CARD_OF: Final = tuple(numbers[0] for numbers in cards.CARDS_OF)
"""The card that stands for a class on the pile."""
CLASS_OF_SLOT: Final = (*range(SLOTS - 1), cards.BLACK3)


class Counts(Tally):
    """A hand in progress as numbers of cards.

    Attributes:
        tables: What the ruleset allows, by number.
        ice: Whether the pile is frozen for everybody, were there one.
        standing: The meld slots that each side has on the table.
        jokers: For each side the jokers among the wild cards of each meld slot.
        reds: The number of red threes on each side's table.
        needs: The points that each side's opening must have.
    """

    __slots__ = ("ice", "jokers", "needs", "reds", "standing", "tables")

    tables: Tables
    ice: bool
    standing: list[frozenset[int]]
    jokers: list[list[int]]
    reds: list[int]
    needs: tuple[int, ...]

    @classmethod
    def from_position(cls, position: Position) -> "Counts":
        """Leave the faces out of a position."""
        core = cls.__new__(cls)
        copy_tally(position, core)
        sides = range(len(core.naturals))
        core.tables = tables_of(core.rules)
        core.ice = position.frozen or core.rules.always_frozen
        core.standing = [
            frozenset(slot for slot, meld in enumerate(position.laid[side]) if meld)
            for side in sides
        ]
        joker = cards.CARDS_OF[cards.JOKER][0]
        core.jokers = [[meld.count(joker) for meld in position.laid[side]] for side in sides]
        core.reds = [position.red_threes(side) for side in sides]
        core.needs = tuple(map(core.tables.need, core.totals))
        return core

    def copy(self) -> "Counts":
        """Give an independent copy."""
        twin = Counts.__new__(Counts)
        copy_tally(self, twin)
        twin.tables = self.tables
        twin.ice = self.ice
        twin.standing = self.standing[:]
        twin.jokers = [row[:] for row in self.jokers]
        twin.reds = self.reds[:]
        twin.needs = self.needs
        return twin

    @property
    def frozen(self) -> bool:
        """Whether the pile is frozen for everybody (R-37, R-40, R-50)."""
        return self.ice and bool(self.pile)

    def opened(self, side: int) -> bool:
        """Say whether a side has a meld on the table."""
        return bool(self.standing[side])

    def laid_points(self, side: int) -> int:
        """Give the value of a side's cards on the table, red threes left out."""
        return sum(
            naturals * cards.VALUES[klass]
            + (wilds - jokers) * cards.VALUES[cards.DEUCE]
            + jokers * cards.VALUES[cards.JOKER]
            for klass, naturals, wilds, jokers in zip(
                CLASS_OF_SLOT,
                self.naturals[side],
                self.wilds[side],
                self.jokers[side],
                strict=True,
            )
        )

    def red_threes(self, side: int) -> int:
        """Give the number of red threes on a side's table."""
        return self.reds[side]

    def is_free(self, side: int) -> bool:
        """Say whether nothing that a side lays could keep it from going out (R-55, R-60).

        It has the canastas, and neither a natural one nor a partner's yes is asked for.
        """
        rules = self.rules
        if rules.go_out_needs_natural or rules.permission == "required":
            return False
        return canastas(self.naturals[side], self.wilds[side])[0] >= rules.canastas_to_go_out

    def step(self, move: Move) -> None:
        """Carry out a legal move of the seat in turn."""
        kind, heaps, klass = move
        if kind == DRAW:
            got = self._from_stock(self.rules.draw_count)
            self.drew = STOCK
            self.phase = PLAY
            if not got:
                endings.after_last_red3(self)
        elif kind == DISCARD:
            self._discard(klass)
        elif kind == LAY:
            self._lay(heaps)
            if klass >= 0:
                self._discard(klass)
            elif not self.sizes[self.turn]:
                endings.go_out(self, self.turn)
        elif kind == TAKE:
            self._take(heaps)
        elif kind == ASK:
            self.asked = True
            self.asker = self.turn
            self.phase = ASKED
            self.turn = endings.partner_of(self, self.turn)
        elif kind in (YES, NO):
            endings.take_answer(self, yes=kind == YES)
        elif kind == END:
            last = self.last_red3
            endings.finish_hand(self, endings.LAST_STOCK_RED3 if last else endings.STOCK_EXHAUSTED)
        else:
            self._show()

    def _discard(self, klass: int) -> None:
        """Put a card on the pile; the hand ends with the last one, or the next turn begins."""
        seat, sizes = self.turn, self.sizes
        self.counts[seat][klass] -= 1
        self.pile.append(CARD_OF[klass])
        if self.tables.freezes[klass]:
            self.ice = True
        sizes[seat] -= 1
        if not sizes[seat]:
            endings.go_out(self, seat)
            return
        if self.laid_now:
            self.melded[seat] = True
            self.touched = self.laid_now = False
            self.locked = None
        if self.asked:
            self.asked = False
            self.answer = ""
        self.turn = seat = self.tables.next_seat[seat]
        self.began = self.standing[self.side_of[seat]]
        self.drew = ""
        self.phase = DRAWING
        if not self.shown[seat]:
            self.shown[seat] = True
            if self.tables.red3_waits and self.counts[seat][cards.RED3]:
                self.phase = SHOW

    def _from_stock(self, wanted: int) -> int:
        """Move cards from the stock until ``wanted`` that are no red threes have come (R-10)."""
        seat, stock, drawn = self.turn, self.stock, self.drawn
        counts, got = self.counts[seat], 0
        while got < wanted and drawn < len(stock):
            klass = CLASS_OF[stock[drawn]]
            drawn += 1
            if klass == cards.RED3:
                self.reds[self.side_of[seat]] += 1
            else:
                counts[klass] += 1
                got += 1
        self.drawn = drawn
        self.sizes[seat] += got
        return got

    def _lay(self, heaps: tuple[Heap, ...], top: int = -1) -> None:
        """Lay groups; a top card of the pile, given by class, joins the first."""
        seat = self.turn
        side = self.side_of[seat]
        counts, naturals, wilds = self.counts[seat], self.naturals[side], self.wilds[side]
        standing, captured, used = self.standing[side], top >= 0, 0
        for slot, ranked, deuces, jokers in heaps:
            counts[CLASS_OF_SLOT[slot]] -= ranked
            size = ranked + deuces + jokers
            used += size
            if slot not in standing:
                standing |= {slot}
                if size >= CANASTA and not captured and slot != BLACK3_SLOT:
                    self.whole[side] += 1
            elif slot in self.began:
                self.touched = True
            if top >= 0:
                if cards.is_wild(top):
                    wilds[slot] += 1
                    self.jokers[side][slot] += top == cards.JOKER
                else:
                    naturals[slot] += 1
                top = -1
            naturals[slot] += ranked
            if deuces or jokers:
                counts[cards.DEUCE] -= deuces
                counts[cards.JOKER] -= jokers
                wilds[slot] += deuces + jokers
                self.jokers[side][slot] += jokers
        self.standing[side] = standing
        self.sizes[seat] -= used
        self.laid_now = True

    def _take(self, heaps: tuple[Heap, ...]) -> None:
        seat, rules = self.turn, self.rules
        counts = self.counts[seat]
        *under, top = map(CLASS_OF.__getitem__, self.pile)
        self.drew = PILE
        self.phase = PLAY
        self.pile = []
        self.upcards = 0
        self.ice = rules.always_frozen
        self._lay(heaps, top)
        for klass in under:
            counts[klass] += 1
        # Red threes of the pile go to the table; a holding has none after its first turn.
        red = counts[cards.RED3]
        counts[cards.RED3] = 0
        self.sizes[seat] += len(under) - red
        self.reds[self.side_of[seat]] += red
        if not rules.buried_usable_same_turn:
            self.locked = [under.count(klass) for klass in range(cards.RED3)] + [0]
        short = False
        if rules.red3_from_pile_replaced:
            due = min(red, self.stock_left)
            short = self._from_stock(red) < due
        if not self.sizes[seat] and (not short or endings.may_leave(self, self.side_of[seat])):
            endings.go_out(self, seat)
        elif short:
            endings.end_if_stuck(self)

    def _show(self) -> None:
        """Lay the red threes of the deal and replace them, chains included (R-9)."""
        seat = self.turn
        red = self.counts[seat][cards.RED3]
        self.counts[seat][cards.RED3] = 0
        self.sizes[seat] -= red
        self.reds[self.side_of[seat]] += red
        self._from_stock(red)
        self.phase = DRAWING
