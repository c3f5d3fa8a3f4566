"""Games as everybody may know them: folded from the public records, without any secret.

Such a fold knows no card that is not public, so nothing that is built on it can tell one.
"""

from typing import Final

from fairdeal.game import Game, fold, replay
from fairdeal.records.chain import reread
from fairdeal.service.recent import Recent
from fairdeal.store.ports import Store

SIZE: Final = 256
"""So many games are kept at hand."""


class Publicly:
    """Gives a game as it stood at one of its public records.

    Args:
        store: Where the lines are.
        size: How many games are kept at hand.
    """

    def __init__(self, store: Store, size: int = SIZE) -> None:
        self._store = store
        self._games: Recent[str, Game] = Recent(size)

    def game(self, game_id: str, end: int) -> Game:
        """Return a game that is there as it stood at record ``end``, a public one.

        Args:
            game_id: The game.
            end: As `Clerk.public_end` gives it.

        Raises:
            StorageFailure: The store cannot be read.
        """
        known = self._games.get(game_id)
        if known is not None and known.version <= end:
            lines = self._store.lines(game_id, after=known.version, limit=end - known.version)
            for line in lines:
                known = fold(known, reread(line))
        else:
            lines = self._store.lines(game_id, limit=end + 1)
            known = replay(map(reread, lines), None)
        self._games.put(game_id, known)
        return known
