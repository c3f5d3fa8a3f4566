"""The records of one answer: what was decided, and what follows from it by itself."""

from collections.abc import Iterable
from typing import Final

from fairdeal.bots import greedy
from fairdeal.canasta.acts import format_act
from fairdeal.game import (
    SEEDING,
    Draft,
    Game,
    bot_turn,
    decide_act,
    decide_start,
    fold,
    seat_knowledge,
)
from fairdeal.records.chain import Record, make
from fairdeal.store.ports import StoredLine, Write

HAND_WORTH: Final = 100
"""So many acts of bots, about a hand, share the transaction of the answer they follow from."""


class Batch:
    """Builds records one on the other, folding each, until all of them are kept at once.

    Args:
        game: As it stands.
        t: Now, milliseconds since 1970; a record is never older than the one before.

    Attributes:
        game: The game with the records built so far.
        made: These records with the game as it stood after each, in order.
    """

    def __init__(self, game: Game, t: int) -> None:
        self._after = game.version
        self._t = t
        self.game = game
        self.made: list[tuple[Record, Game]] = []

    def add(self, drafts: Iterable[Draft]) -> None:
        """Make the next records."""
        for type_, body in drafts:
            head = self.game.head
            record = make(head, head.game, max(self._t, head.t), type_, body)
            self.game = fold(self.game, record)
            self.made.append((record, self.game))

    def follow(self) -> None:
        """Begin where nobody's seed is awaited, and let the bots act that have to.

        They stop at about a hand's worth of acts; `Dealer.advance` goes on from there.
        """
        if self.game.state == SEEDING:
            self.add(decide_start(self.game))
        for _ in range(HAND_WORTH):
            seat = bot_turn(self.game)
            if seat is None:
                return
            act = greedy.choose(seat_knowledge(self.game, seat), seat)
            self.add(decide_act(self.game, seat, format_act(act)))

    def write(self) -> Write:
        """Return what has to be kept; the master secret goes as it is published (2.12)."""
        return Write(
            game=self.game.head.game,
            after=self._after,
            lines=tuple(stored(record) for record, _ in self.made),
            wipe=any(record.type == "master" for record, _ in self.made),
        )


def stored(record: Record) -> StoredLine:
    """Return a record as the store keeps it."""
    return StoredLine(n=record.n, type=record.type, hand=record.body.get("hand"), text=record.line)
