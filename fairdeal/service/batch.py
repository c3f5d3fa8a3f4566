"""The records of one answer: what was decided, and what follows from it by itself."""

from collections.abc import Iterable
from typing import Final

from fairdeal.canasta.acts import format_act
from fairdeal.errors import Unprocessable
from fairdeal.game import (
    BETWEEN_HANDS,
    SEEDING,
    Draft,
    Game,
    HintCounts,
    bot_turn,
    decide_act,
    decide_next,
    decide_seats,
    decide_start,
    draw_due,
    fold,
    needed_before,
    no_hints,
    start_due,
)
from fairdeal.records.chain import Record, make
from fairdeal.service.botplay import chosen, weight_of
from fairdeal.service.publiclog.watching import AnyOrder, Order, behind
from fairdeal.store.askport import AskedCount
from fairdeal.store.ports import StoredLine, Write
from fairdeal.tlog.leaves import UNLOGGED
from fairdeal.tlog.merkle import leaf_hash
from fairdeal.tlog.tiles import MAX_ENTRY

HAND_WORTH: Final = 100
"""So many acts of quick bots, about a hand, share the transaction of the answer before them."""

MAX_LEAF: Final = MAX_ENTRY
"""Bytes of a record's line that the public log can hold."""


class Batch:
    """Builds records one on the other, folding each, until all of them are kept at once.

    Args:
        game: As it stands.
        t: Now, milliseconds since 1970; a record is never older than the one before.
        between_ms: So long after a hand is opened the next one is dealt; 0 for at once.
        order: What has to be public before a record is made.
        draws_seats: Whether the game draws the seats of a room.
        hints: Counts the hints given in a hand that ends.

    Attributes:
        game: The game with the records built so far.
        made: These records with the game as it stood after each, in order.
        t: As given.
        knows: Of what was asked for, what has to be all there is when the batch is kept.
    """

    def __init__(
        self,
        game: Game,
        t: int,
        between_ms: int = 0,
        order: Order = AnyOrder(),  # noqa: B008  has no state
        *,
        draws_seats: bool = False,
        hints: HintCounts = no_hints,
    ) -> None:
        self._after = game.version
        self._hand = game.hand if game.position is not None else None
        self._hints = hints
        self._draws_seats = draws_seats
        self._between_ms = between_ms
        self._order = order
        self.t = t
        self.game = game
        self.made: list[tuple[Record, Game]] = []
        self.knows: tuple[AskedCount, ...] = ()

    def add(self, drafts: Iterable[Draft]) -> None:
        """Make the next records.

        The deal of a refereed hand is left for later where its lock is not public yet: it follows
        by itself (`follow`).

        Raises:
            Busy: `log_behind`: what has to be public before one of them is not; of a batch that
                was begun nothing may be kept then.
            Unprocessable: As `check_leaf`.
        """
        for type_, body in drafts:
            if not self._may(type_):
                if type_ == "deal" and self.game.ruleset is not None:
                    return
                raise behind()
            head = self.game.head
            record = make(head, head.game, max(self.t, head.t), type_, body)
            check_leaf(record)
            self.game = fold(self.game, record)
            self.made.append((record, self.game))

    def follow(self) -> None:
        """Begin where nobody's seed is awaited, deal the hand that is due, and let the bots act.

        A draw for seats is dealt, scored and closed at once, so that all see all its cards or none.

        They stop at about a hand's worth of acts; `Dealer.advance` goes on from there. Where an
        epoch of a game of bots is spent, the next one begins.
        """
        while self._draw_goes_on:
            self.add(decide_seats(self.game))
        worth = 0
        while worth < HAND_WORTH:
            worth += 1
            if self.game.state == SEEDING:
                self.add(decide_start(self.game, self.t))
            elif self._deal_due:
                self.add(decide_next(self.game))
            seat = bot_turn(self.game)
            if seat is None:
                return
            worth += weight_of(self.game, seat) - 1
            act = chosen(self.game, seat)
            text = format_act(act)
            self.add(decide_act(self.game, seat, text, deal_on=False, hints=self._hints))

    @property
    def goes_on(self) -> bool:
        """Whether `follow` would make further records."""
        follows = start_due(self.game) or self._deal_due or self._draw_goes_on
        return bot_turn(self.game) is not None or follows

    @property
    def draw_due(self) -> bool:
        """Whether the game is a draw for seats that only waits to be dealt."""
        return self._draws_seats and draw_due(self.game)

    def _may(self, type_: str) -> bool:
        """Whether what has to be public before a record of this type is."""
        needed = needed_before(type_)
        if needed is None:
            return True
        # What is made in this batch is not even kept yet.
        is_fresh = any(record.type == needed for record, _ in self.made)
        is_kept = not self.made or self.made[0][0].n > 0
        if not self._order.is_kept:
            return True
        return is_kept and not is_fresh and self._order.permits(self.game.id, needed)

    @property
    def _draw_goes_on(self) -> bool:
        return self.draw_due and self._may("deal")

    @property
    def _deal_due(self) -> bool:
        """Whether the next hand has waited long enough, and may be dealt."""
        due = deal_at(self.game, self._between_ms)
        is_due = due is not None and (self.t >= due or not self._between_ms)
        return is_due and self._may("deal")

    def write(self) -> Write:
        """Return what has to be kept; the master secret goes as it is published (2.12)."""
        return Write(
            game=self.game.head.game,
            after=self._after,
            lines=tuple(stored(record) for record, _ in self.made),
            wipe=any(record.type == "master" for record, _ in self.made),
            asked_before=(*self.knows, *self._counted()),
        )

    def _counted(self) -> tuple[AskedCount, ...]:
        """Return how many hints stand in the score of the hand that was in play before this batch.

        Those dealt in it nobody knows before they are kept.
        """
        for record, _ in self.made:
            if record.type == "score" and record.body["hand"] == self._hand:
                count = sum(record.body["result"]["hints"])
                return (AskedCount(kind="hint", hand=record.body["hand"], count=count),)
        return ()


def deal_at(game: Game, between_ms: int) -> int | None:
    """Return when the next hand is to be dealt, ms since 1970; None where none follows."""
    if game.state != BETWEEN_HANDS:
        return None
    # There is no pause between the seeds and their first hand.
    return game.head.t + (0 if game.head.type in ("lock", "beacon") else between_ms)


def check_leaf(record: Record) -> None:
    """Refuse a record that would be too large as a leaf of the public log (decisions 22).

    Raises:
        Unprocessable: `record_too_large`.
    """
    if record.type != UNLOGGED and len(record.line) > MAX_LEAF:
        raise Unprocessable(
            "record_too_large",
            f"The record would have {len(record.line)} bytes; at most {MAX_LEAF} are kept.",
            {"most": MAX_LEAF},
        )


def stored(record: Record) -> StoredLine:
    """Return a record as the store keeps it."""
    leaf = None if record.type == UNLOGGED else leaf_hash(record.line)
    return StoredLine(
        n=record.n, type=record.type, hand=record.body.get("hand"), text=record.line, leaf=leaf
    )
