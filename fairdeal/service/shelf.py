"""Games as they stand, folded from their records and kept at hand while they are played.

The store's lines are the only truth. What is kept here is a fold of them, looked at only while
its newest record is still the store's newest.
"""

from typing import Final

from fairdeal.errors import FairdealError, NotFound, StorageFailure
from fairdeal.fairness.keys import Secret
from fairdeal.game import Game, fold, replay
from fairdeal.records.chain import Record, parse
from fairdeal.service.recent import Recent
from fairdeal.store.ports import NEW_GAME, Store
from fairdeal.store.vault import Vault

SIZE: Final = 256
"""So many games are kept at hand."""


class Shelf:
    """Gives any game as it stands, folding what is new since the last look.

    Args:
        store: Where the lines are.
        vault: Opens the master secrets.
        size: How many games are kept at hand.
    """

    def __init__(self, store: Store, vault: Vault, size: int = SIZE) -> None:
        self._store = store
        self._vault = vault
        self._games: Recent[str, Game] = Recent(size)

    def game(self, game_id: str, at: int | None = None) -> Game:
        """Return the game as the store has it now.

        Args:
            game_id: The game.
            at: The version that somebody knew. Where the game at hand has that one, the store is
                not asked, so it may have gone on: whoever appends is told so by the store, and
                whoever refuses has to look again.

        Raises:
            NotFound: `no_such_game`.
            StorageFailure: `records_damaged`: the lines do not follow from each other, or break
                a rule; nothing may be built on them.
        """
        known = self._games.get(game_id)
        if known is not None and known.version == at:
            return known
        newest = self._store.newest(game_id)
        if newest is None:
            raise NotFound("no_such_game", "There is no such game here.")
        if known is None or known.version > newest:
            known = self._fold(game_id, None)
        elif known.version < newest:
            known = self._fold(game_id, known)
        self.put(known)
        return known

    def put(self, game: Game) -> None:
        """Keep a game at hand; only after its records are durable."""
        self._games.put(game.id, game, unless=lambda known: known.version > game.version)

    def _fold(self, game_id: str, known: Game | None) -> Game:
        try:
            if known is None:
                return self._whole(game_id)
            for record in self._records(game_id, known.head):
                known = fold(known, record)
        except StorageFailure:
            raise
        except FairdealError as error:
            raise StorageFailure(
                "records_damaged", "The stored records of this game contradict themselves."
            ) from error
        return known

    def _whole(self, game_id: str) -> Game:
        records = self._records(game_id, None)
        master = self._master(game_id, records[-1])
        if master is None:
            # The game may have closed since its records were read: then the newest of them has it.
            records += self._records(game_id, records[-1])
            master = self._master(game_id, records[-1])
        if master is None:
            raise StorageFailure("records_damaged", "The secret of this game is missing.")
        return replay(records, master)

    def _records(self, game_id: str, head: Record | None) -> tuple[Record, ...]:
        after = NEW_GAME if head is None else head.n
        records: list[Record] = []
        for line in self._store.lines(game_id, after=after):
            head = parse(line, head)
            records.append(head)
        return tuple(records)

    def _master(self, game_id: str, newest: Record) -> Secret | None:
        """Return the master secret: sealed while the game runs, in its last record afterwards.

        None where it is in neither place.
        """
        if newest.type == "master":
            return Secret.from_hex(newest.body["secret"])
        sealed = self._store.secret(game_id)
        if sealed is None:
            return None
        return Secret(self._vault.open(purpose(game_id), sealed))


def purpose(game_id: str) -> str:
    """Return what a game's master secret is sealed for."""
    return f"master/{game_id}"
