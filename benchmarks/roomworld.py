"""A service whose time is made: what its threads do by the clock is done when its time has come.

One database in a folder, one process; nothing here waits, and the same seed gives the same hours.
"""

import heapq
import itertools
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from fairdeal.errors import NotFound, StaleVersion
from fairdeal.game import Game
from fairdeal.records.notes import SigningKey
from fairdeal.service.answers import Answer
from fairdeal.service.callers import Caller, Callers, digest, mode_of, prefix
from fairdeal.service.clerk import Clerk
from fairdeal.service.clocks import Due, due_of
from fairdeal.service.dealer import Dealer
from fairdeal.service.onward import SWEEP_S
from fairdeal.service.presence import PAUSE_S
from fairdeal.store.ports import Grant, Write
from fairdeal.store.sql import SqlStore
from fairdeal.store.vault import Vault
from fairdeal.store.writing import touched

START_MS: Final = 1_796_000_000_000
ORIGIN: Final = "fairdeal.localhost/demo"
OPERATOR: Final = prefix("operator") + "r" * 43


class TellingStore(SqlStore):
    """Tells in the thread that writes to it, and before it goes on, what was touched.

    The bell rings in another thread at whatever moment; with it no two runs would be the same.
    """

    def __init__(self, path: Path, tell: Callable[[Iterable[str]], None]) -> None:
        super().__init__(path)
        self._tell = tell

    def write(self, write: Write) -> None:
        """Keep the whole of it (contract: `ports.Store.write`)."""
        super().write(write)
        self._tell(touched(write))


class World:
    """The service, its time, and what is to happen when.

    Args:
        folder: Where its database lies.
        seed: Of all chance.

    Attributes:
        now: ms since 1970.
        chance: Of everything but secrets.
        dealer: The service.
        clerk: Somebody who looks at games, with a memory of their own.
        hear: Told the names of games and rooms of which something was written.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.now = START_MS
        self.chance = Random(seed)
        self.hear: Callable[[str], None] = lambda _: None
        self._path = folder / "games.db"
        self._secrets = Random(f"secrets {seed}")
        self._order = itertools.count()
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._named: list[str] = []
        self._rung: dict[str, None] = {}
        self._later: dict[str, int] = {}
        self._has_signs = False
        self.dealer, self.clerk, self._store = self._opened()
        self.at(self.now + int(1000 * SWEEP_S), self._sweep)

    def _opened(self) -> tuple[Dealer, Clerk, TellingStore]:
        store = TellingStore(self._path, self._touch)
        if not store.operators():
            grant = Grant(digest=digest(OPERATOR), role="operator", site="site_main", scope="full")
            store.write(Write(grants=(grant,)))
        vault, key = Vault(bytes(range(32)), self._secrets.randbytes), SigningKey(ORIGIN, bytes(32))
        dealer = Dealer(
            store=store, vault=vault, key=key, entropy=self._secrets.randbytes, clock=self.time
        )
        self._named += dealer.go_on_with(self._named.append)
        callers = Callers(store, self.time, mode_of(ORIGIN))
        return dealer, Clerk(store, vault, key, self.time, callers), store

    def time(self) -> int:
        """Tell the time."""
        return self.now

    @property
    def operator(self) -> Caller:
        """Whose rooms they are."""
        return self.dealer.identify(OPERATOR)

    @property
    def store(self) -> TellingStore:
        """Where all is kept."""
        return self._store

    def restart(self) -> None:
        """End the process in good order and begin another one on its database."""
        self.flush()
        self._store.close()
        self._later.clear()
        self._named.clear()
        self.dealer, self.clerk, self._store = self._opened()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    # ------------------------------------------------------------------------------- time

    def at(self, t: int, do: Callable[[], None]) -> None:
        """Have something done when its time has come."""
        heapq.heappush(self._events, (max(t, self.now), next(self._order), do))

    def after(self, seconds: float, do: Callable[[], None]) -> None:
        """Have something done in so many seconds."""
        self.at(self.now + max(1, int(1000 * seconds)), do)

    def run_until(self, end: int) -> None:
        """Let the time pass."""
        while self._events and self._events[0][0] <= end:
            t, _, do = heapq.heappop(self._events)
            self.now = t
            do()
            self._settle()
        self.now = max(self.now, end)

    def sign(self, caller: Caller) -> None:
        """Note that somebody is there, as the web server does with each request."""
        self.dealer.presences.note_caller(caller)
        if not self._has_signs:
            self._has_signs = True
            self.after(PAUSE_S, self.flush)

    def flush(self) -> None:
        """Write down who was there."""
        self._has_signs = False
        self.dealer.presences.flush()

    # ----------------------------------------------------------------------------- games

    def game(self, game_id: str) -> Game:
        """Return a game as it stands."""
        return self.clerk.game(game_id)

    def due(self, game: Game) -> Due | None:
        """Return what will be done for the seat in turn if nobody does anything."""
        settings = self.clerk.settings(game.id)
        if not settings.ticks or game.position is None:
            return None
        return due_of(game, settings, self.clerk.seen(game.id), self.clerk.more_time(game))

    def limit_ms(self, game_id: str) -> int:
        """Return how long a turn may last with all the more time that there is; 0 for no end."""
        settings = self.clerk.settings(game_id)
        longest = max(settings.turn_s or 0, settings.answer_s or 0)
        return 1000 * (longest + settings.extends * settings.extend_s) if longest else 0

    def close_game(self, game_id: str, reason: str) -> Answer:
        """Call a game off."""
        return self.dealer.hands.close(self.operator, game_id, reason)

    # -------------------------------------------------------- what the service's threads do

    def _touch(self, names: Iterable[str]) -> None:
        self._rung.update(dict.fromkeys(names))

    def _settle(self) -> None:
        """Go on with games that were named, and tell who listens, until all is quiet."""
        while self._named or self._rung:
            while self._named:
                self._advance(self._named.pop(0))
            rung, self._rung = self._rung, {}
            for name in rung:
                self.hear(name)

    def _advance(self, game_id: str) -> None:
        """Do as `Onward` does."""
        try:
            self.dealer.advance(game_id)
            wait_s = self.dealer.wakes_in(game_id)
        except StaleVersion:
            self._named.append(game_id)
        except NotFound:
            return
        else:
            if wait_s is not None:
                self._come_back(game_id, self.now + max(1, int(1000 * wait_s)))

    def _come_back(self, game_id: str, at: int) -> None:
        if at < self._later.get(game_id, at + 1):
            self._later[game_id] = at
            self.at(at, partial(self._wake, game_id, at))

    def _wake(self, game_id: str, at: int) -> None:
        if self._later.get(game_id) == at:
            del self._later[game_id]
            self._named.append(game_id)

    def _sweep(self) -> None:
        self._named += self.dealer.due()
        self.after(SWEEP_S, self._sweep)
