"""Keeps the books: gives games as they stand, appends what was decided, signs what was kept.

Nothing is answered before the store has acknowledged it.
"""

from collections.abc import Callable

from fairdeal.errors import StaleVersion
from fairdeal.game import Draft, Game, bot_turn, event
from fairdeal.records.chain import Record
from fairdeal.records.notes import SigningKey, receipt
from fairdeal.service.answers import Answer, Commitment
from fairdeal.service.batch import Batch
from fairdeal.service.past import past_record
from fairdeal.service.shelf import Shelf
from fairdeal.store.ports import Store
from fairdeal.store.vault import Vault


class Clerk:
    """Loads and appends; the rest of the service asks and shapes.

    Args:
        store: Keeps the records.
        vault: Opens the master secrets.
        key: Signs the receipts.
        clock: Tells the time in milliseconds since 1970.

    Attributes:
        onward: Told the name of a game in which bots still have to act when an answer was given.
    """

    def __init__(
        self, store: Store, vault: Vault, key: SigningKey, clock: Callable[[], int]
    ) -> None:
        self.store = store
        self.key = key
        self.clock = clock
        self.onward: Callable[[str], None] = lambda _: None
        self._shelf = Shelf(store, vault)

    def game(self, game_id: str) -> Game:
        """Return a game as the store has it now (raises `NotFound`, `StorageFailure`)."""
        return self._shelf.game(game_id)

    def first(self, game_id: str) -> Record:
        """Return record 0 of a game that is there."""
        return past_record(self.store.lines(game_id, limit=1)[0])

    def append(
        self, game: Game, drafts: tuple[Draft, ...], seat: int | None, *, name_first: bool = False
    ) -> Answer:
        """Record the drafts and what follows from them; answer once they are durable.

        Args:
            game: As it stood when the drafts were decided.
            drafts: At least one.
            seat: Whose private facts the answer holds; None for nobody's.
            name_first: Whether the answer has a receipt of the first record too.

        Raises:
            StaleVersion: Somebody else wrote first.
            StorageFailure: It could not be kept, or nobody knows whether it was.
        """
        batch = Batch(game, self.clock())
        batch.add(drafts)
        batch.follow()
        self.keep(batch)
        first = batch.made[0][0] if name_first else batch.game.head
        return Answer(
            version=batch.game.version,
            # Each record with the game as it stood then: a hand may have ended since.
            events=tuple(event(then, record, seat) for record, then in batch.made),
            receipts=self.receipts(first, batch.game.head),
        )

    def keep(self, batch: Batch) -> None:
        """Keep a batch (raises as `append`).

        Where that fails, the records may be there all the same (ports.Store, 4). Nothing of the
        batch is on the shelf then, and the next look compares with the store.
        """
        self.store.write(batch.write())
        self.settled(batch.game)

    def settled(self, game: Game) -> None:
        """Note a game as it was just kept, and have it gone on with where bots are in turn."""
        self._shelf.put(game)
        if bot_turn(game) is not None:
            self.onward(game.id)

    def repeated(self, game: Game, seat: int, expect: int, text: str) -> Answer:
        """Answer a repeat of the act that stands behind record ``expect``.

        Raises:
            StaleVersion: It is not this seat's act with this text.
        """
        for line in self.store.lines(game.id, after=expect, limit=1):
            record = past_record(line)
            said = record.body
            if record.type == "act" and (said["seat"], said["act"], said["by"]) == (
                seat, text, "seat",
            ):  # fmt: skip
                return self.again(game, record, seat)
        raise StaleVersion(expect, game.version)

    def again(
        self, game: Game, first: Record, seat: int | None, *, name_first: bool = False
    ) -> Answer:
        """Answer with the records from one on, and with fresh receipts."""
        count = game.version + 1 - first.n
        lines = self.store.lines(game.id, after=first.n - 1, limit=count)
        return Answer(
            version=game.version,
            events=tuple(event(game, past_record(line), seat) for line in lines),
            receipts=self.receipts(first if name_first else game.head, game.head),
        )

    def receipts(self, *records: Record) -> tuple[str, ...]:
        """Return a signed note over each of the records, one a record."""
        by_number = {record.n: record for record in records}
        return tuple(receipt(self.key, record) for record in by_number.values())

    def public_end(self, game: Game) -> int:
        """Return the number of the last record that everybody may see (decisions 16).

        That is the last `reveal`; before the first one, the last record before the first deal.
        """
        if game.state == "closed":
            return game.version
        revealed = self.store.last_of_type(game.id, "reveal")
        if revealed is not None:
            return revealed
        dealt = self.store.first_of_type(game.id, "deal")
        return game.version if dealt is None else dealt - 1


def commitment(first: Record) -> Commitment:
    """Return what a record 0 commits to."""
    return Commitment(open_hash=first.hash, master_commit=first.body["master_commit"])
