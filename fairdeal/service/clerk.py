"""Keeps the books: gives games as they stand, appends what was decided, signs what was kept.

Nothing is answered before the store has acknowledged it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fairdeal.errors import StaleVersion
from fairdeal.game import (
    BETWEEN_HANDS,
    PLAYING,
    RECORDS_LOST,
    Draft,
    Game,
    draw_due,
    needed_before,
    round_awaited,
)
from fairdeal.records.chain import Record, reread
from fairdeal.records.notes import SigningKey, receipt
from fairdeal.service.answers import Answer, Commitment, Event
from fairdeal.service.batch import Batch, deal_at
from fairdeal.service.callers import Callers
from fairdeal.service.clocks import NO_END, TurnEnd, turn_end
from fairdeal.service.publiclog.watching import AnyOrder
from fairdeal.service.repeats import Once, Repeats
from fairdeal.service.settings import Settings, from_bytes
from fairdeal.service.shelf import Shelf
from fairdeal.service.shown import shown
from fairdeal.store.askport import Asked
from fairdeal.store.ports import KeptAnswer, SeedSignature, Seen, Store
from fairdeal.store.vault import Vault

MOST_MISSED: Final = 100
"""So many records come with the refusal of what was decided on an older version, a page."""

SEEDS: Final = ("seal", "share")
"""What no longer comes in while the public log does not keep up."""

ASKED_MEANWHILE: Final = "asked_meanwhile"
"""The code with which a write is refused that ends a hand and does not count its last hint: it is
decided anew then."""

MOST_REPEATED: Final = 250
"""More records than one request makes. A late repeat of an early one gets no more: it would be
most of the game, signed anew and, under a new idempotency key, kept anew each time."""


class Clerk:
    """Loads and appends; the rest of the service asks and shapes.

    Args:
        store: Keeps the records.
        vault: Opens the master secrets.
        key: Signs the receipts.
        clock: Tells the time in milliseconds since 1970.
        callers: Lets callers through to what is theirs.
        order: What has to be public before a record is made.

    Attributes:
        onward: Told the name of a game that has to go on by itself when an answer was given.
        ended: Told the name of a game that is over.
        repeats: Keeps answers for requests that come twice.
    """

    def __init__(
        self,
        store: Store,
        vault: Vault,
        key: SigningKey,
        clock: Callable[[], int],
        callers: Callers,
        order: AnyOrder = AnyOrder(),  # noqa: B008  has no state
    ) -> None:
        self.store = store
        self.key = key
        self.clock = clock
        self.callers = callers
        self.order = order
        self.onward: Callable[[str], None] = lambda _: None
        self.ended: Callable[[str], None] = lambda _: None
        self.repeats = Repeats(store, vault, clock)
        self._shelf = Shelf(store, vault)

    def game(self, game_id: str, at: int | None = None) -> Game:
        """Return a game as the store has it now (contract: `Shelf.game`)."""
        return self._shelf.game(game_id, at)

    def settings(self, game_id: str) -> Settings:
        """Return what a game has beside its records (raises `NotFound`, `StorageFailure`)."""
        listing = self.callers.places.game(game_id).listing
        return Settings() if listing is None else from_bytes(listing.settings)

    def seen(self, game_id: str) -> tuple[Seen, ...]:
        """Return who was there and when last, in a game and in its room, by seats of the game."""
        place = self.callers.places.game(game_id)
        signs = self.store.seen(place.room) if place.room else ()
        there = tuple(replace(one, seat=place.seat_of(one.seat)) for one in signs)
        return self.store.seen(game_id) + there

    def more_time(self, game: Game) -> tuple[Asked, ...]:
        """Return how often more time was asked for in the hand in play, an entry each time."""
        if not self.settings(game.id).extends:
            return ()
        return self.store.asked(game.id, "time", game.hand)

    def turn_end(self, game: Game, wish: Asked | None = None) -> TurnEnd:
        """Return until when the seat in turn has time, or would, were a wish for more kept too."""
        settings = self.settings(game.id)
        if game.position is None or not settings.ticks:
            return NO_END
        seen, asked = self.seen(game.id), self.more_time(game)
        asked = asked if wish is None else (*asked, wish)
        return turn_end(game, settings, seen, asked, self.clock())

    def next_hand_at(self, game: Game) -> int | None:
        """Return when the next hand is dealt, ms since 1970; None where none follows by itself."""
        if self.draws_seats(game):
            return game.head.t if draw_due(game) else None
        return deal_at(game, 1000 * self.settings(game.id).between_hands_s)

    def draws_seats(self, game: Game) -> bool:
        """Say whether a game is the draw for the seats of a room: the service referees it."""
        return game.ruleset is None and bool(self.callers.places.game(game.id).room)

    def batch(self, game: Game, t: int | None = None) -> Batch:
        """Return an empty batch of a game's records, made now or at the time given."""
        between_ms = 1000 * self.settings(game.id).between_hands_s
        t, draws = self.clock() if t is None else t, self.draws_seats(game)
        return Batch(game, t, between_ms, self.order, draws_seats=draws, hints=self.hints)

    def hints(self, game: Game) -> tuple[int, ...]:
        """Count the hints that were given in the newest hand of a game, a number a seat."""
        asked = self.store.asked(game.id, "hint", game.hand)
        return tuple(sum(one.seat == seat for one in asked) for seat in range(game.seats))

    def first(self, game_id: str) -> Record:
        """Return record 0 of a game that is there."""
        return reread(self.store.lines(game_id, limit=1)[0])

    def append(
        self,
        game: Game,
        drafts: tuple[Draft, ...],
        seat: int | None,
        *,
        t: int | None = None,
        signature: SeedSignature | None = None,
        once: Once | None = None,
    ) -> Answer:
        """Record the drafts and what follows from them; answer once they are durable.

        Args:
            game: As it stood when the drafts were decided.
            drafts: At least one.
            seat: Whose private facts the answer holds; None for nobody's.
            t: The time at which they were decided, where something in them follows from it; then
                `await_order` came before that.
            signature: A player's signature to be kept with them.
            once: The request, where its answer is to be kept.

        Raises:
            StaleVersion: Somebody else wrote first.
            Conflict: `answer_kept`: the same request did it meanwhile; ASKED_MEANWHILE.
            StorageFailure: It could not be kept, or nobody knows whether it was.
            Unprocessable: `record_too_large`.
            Busy: `log_behind`: what has to be public before one of them is not, and did not become
                so within a few seconds.
        """
        if t is None:
            self.await_order(game, drafts)
        batch = self.batch(game, t)
        batch.add(drafts)
        batch.follow()
        if once is None:  # Then nothing has to be signed before it is kept.
            self.keep(batch, signature)
            return self._answer(batch.made, seat)
        answer = self._answer(batch.made, seat)
        self.keep(batch, signature, self.repeats.kept(once, answer, game.id))
        return answer

    def await_order(self, game: Game, drafts: tuple[Draft, ...]) -> None:
        """Wait for what has to be public before the drafts, a few seconds at most.

        Raises:
            Busy: `log_behind`: it did not become so; or seeds came while the log is behind.
        """
        for type_, _ in drafts:
            if type_ in SEEDS:
                self.order.check_pace()
            needed = needed_before(type_)
            # A refereed hand that may not be dealt yet follows by itself.
            if needed == "open" or (needed == "lock" and game.ruleset is None):
                self.order.await_it(game.id, needed)

    def keep(
        self,
        batch: Batch,
        signature: SeedSignature | None = None,
        answer: KeptAnswer | None = None,
    ) -> None:
        """Keep a batch (raises as `append`).

        Where that fails, the records may be there all the same (ports.Store, 4). Nothing of the
        batch is on the shelf then, and the next look compares with the store.
        """
        self.store.write(replace(batch.write(), signature=signature, answer=answer))
        self.settled(batch)

    def settled(self, batch: Batch) -> None:
        """Note a game as it was just kept, and have it gone on with where somebody has to."""
        game = batch.game
        self._shelf.put(game)
        if game.finished:
            self.ended(game.id)
        waits = round_awaited(game) is not None or game.state == BETWEEN_HANDS or batch.draw_due
        if batch.goes_on or waits or (game.in_play and self.settings(game.id).ticks):
            self.onward(game.id)

    def go_on(self, game_id: str) -> None:
        """Have a game gone on with in which something may be due by itself."""
        self.onward(game_id)

    def standing(self, game: Game, after: int) -> Record | None:
        """Return the record that stands behind record ``after``, or None."""
        for line in self.store.lines(game.id, after=after, limit=1):
            return reread(line)
        return None

    def repeated(
        self, game: Game, seat: int, expect: int, text: str, once: Once | None = None
    ) -> Answer:
        """Answer a repeat of the act that stands behind record ``expect``.

        Raises:
            StaleVersion: It is not this seat's act with this text; with the records since.
        """
        record = self.standing(game, expect)
        if record is not None and record.type == "act":
            said = record.body
            if (said["seat"], said["act"], said["by"]) == (seat, text, "seat"):
                return self.again(game, record, seat, once)
        raise self.stale(game, expect, seat)

    def stale(self, game: Game, expect: int, seat: int | None) -> StaleVersion:
        """Return the refusal of what was decided on another version, with the records since.

        Args:
            game: As it stands.
            expect: On which it was decided.
            seat: Who decided; None for whoever may see what everybody may.
        """
        newest = self.public_end(game) if seat is None else game.version
        # How many records a refereed hand in play has is nobody's but the seats'.
        is_hidden = seat is None and game.ruleset is not None and game.in_play
        count = max(0, min(MOST_MISSED, newest - expect))
        lines = self.store.lines(game.id, after=expect, limit=count) if count else ()
        missed = {
            "events": [self.shown(game, reread(line), seat) for line in lines],
            "has_more": expect + count < newest,
        }
        return StaleVersion(expect, newest if is_hidden else game.version, missed)

    def again(
        self, game: Game, first: Record, seat: int | None, once: Once | None = None
    ) -> Answer:
        """Answer with the records from one on, MOST_REPEATED at most, and with fresh receipts."""
        if first.n > game.version:  # It was written after the game was looked at.
            game = self.game(game.id)
        count = min(game.version + 1 - first.n, MOST_REPEATED)
        lines = self.store.lines(game.id, after=first.n - 1, limit=count)
        answer = self._answer([(reread(line), game) for line in lines], seat)
        self.repeats.keep(once, answer, game.id)
        return answer

    def _answer(self, made: Sequence[tuple[Record, Game]], seat: int | None) -> Answer:
        """Shape an answer; each record comes with the game as it stood then, or later."""
        game = made[-1][1]
        if seat is None and game.ruleset is not None and game.in_play:
            # Whoever holds no seat sees nothing of a refereed hand in play (decisions 16).
            made = made[: _dealt_at(made, game.hand)]
        records = [record for record, _ in made]
        return Answer(
            version=records[-1].n,
            events=tuple(self.shown(then, record, seat) for record, then in made),
            receipts=self.receipts(*records),
        )

    def shown(self, game: Game, record: Record, seat: int | None) -> Event:
        """Return a record as a seat is shown it."""
        return shown(self.key, game, record, seat)

    def receipts(self, *records: Record) -> tuple[str, ...]:
        """Return a signed note over each of the records, one a record.

        None of a game that a recovery closed: its last records may have taken the numbers of
        lost ones, and a second signature for a number would prove an honest service false.
        """
        if records and self._was_recovered(records[-1]):
            return ()
        by_number = {record.n: record for record in records}
        return tuple(receipt(self.key, record) for record in by_number.values())

    def _was_recovered(self, newest: Record) -> bool:
        if newest.type != "master":
            return False
        # A game that is over within its first answer has no line in the store yet.
        closings = self.store.lines_of_type(newest.game, "close")
        return any(reread(line).body["reason"] == RECORDS_LOST for line in closings)

    def public_end(self, game: Game) -> int:
        """Return the number of the last record that everybody may see (decisions 16).

        That is the last `reveal`, where the game is watched with a delay the last one that is as
        old; before the first one, the last record before the first deal.
        """
        if game.closed:
            return game.version
        delay_s = self.settings(game.id).watch_delay_s
        if delay_s:
            revealed = self._revealed_before(game.id, self.clock() - 1000 * delay_s)
        else:
            revealed = self.store.last_of_type(game.id, "reveal")
        if revealed is not None:
            return revealed
        dealt = self.store.first_of_type(game.id, "deal")
        return game.version if dealt is None else dealt - 1

    def public_state(self, game: Game, end: int) -> str:
        """Return a game's state as everybody may know it at the public line.

        Where it is watched with a delay, a hand is in play for as long as its end is not public.
        """
        if game.closed or game.in_play or not self.settings(game.id).watch_delay_s:
            return game.state
        return PLAYING if end < (self.store.last_of_type(game.id, "reveal") or 0) else game.state

    def _revealed_before(self, game_id: str, t: int) -> int | None:
        """Return the number of the last `reveal` that is as old, or None."""
        for line in reversed(self.store.lines_of_type(game_id, "reveal")):
            if (record := reread(line)).t <= t:
                return record.n
        return None


def commitment(first: Record) -> Commitment:
    """Return what a record 0 commits to."""
    return Commitment(open_hash=first.hash, master_commit=first.body["master_commit"])


def _dealt_at(made: Sequence[tuple[Record, Game]], hand: int) -> int:
    """Return where the deal of a hand stands among the records; their number if it does not."""
    for at, (record, _) in enumerate(made):
        if record.type == "deal" and record.body["hand"] == hand:
            return at
    return len(made)
