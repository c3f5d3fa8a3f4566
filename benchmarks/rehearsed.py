"""Games that are ready to be played over HTTP, with the acts that will be made in them known.

They are opened, claimed and seeded in this process, before a server runs on the same folder. Their
cards are known here then, so the acts are found out beforehand by playing the games in memory;
nothing has to be asked while acts are timed. What the server deals is the same: neither a time nor
a hash of a record moves a card.
"""

import json
import secrets
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.load import request
from fairdeal.bots import greedy
from fairdeal.canasta.acts import format_act
from fairdeal.fairness.lines import seed_sha256
from fairdeal.game import Game, decide_act, seat_in_turn, seat_knowledge
from fairdeal.service import Database, Dealer, NewGame, NewSeat, Seed, folder, open_premises
from fairdeal.service.batch import Batch
from fairdeal.service.shelf import Shelf

_SEATS: Final = 4
_AT_ONCE: Final = 16


@dataclass(slots=True)
class Rehearsal:
    """A game as it will stand when all acts are made that were told.

    Attributes:
        game: The game.
        tokens: Of its players, by seat.
    """

    game: Game
    tokens: tuple[str, ...]

    def acts(self, *, keys: bool = False) -> Iterator[bytes]:
        """Tell one act after the other, each as a request, until the game is over.

        Args:
            keys: Whether each carries an idempotency key of its own.
        """
        path = f"/v1/games/{self.game.id}/actions"
        while (seat := seat_in_turn(self.game)) is not None:
            expect, text = self.game.version, self._act(seat)
            body = json.dumps({"expect": expect, "act": text}).encode()
            yield request("POST", path, self.tokens[seat], body, f"act-{expect}" if keys else None)

    def look(self, what: str) -> bytes:
        """Return the request of the seat in turn for its view or its choices."""
        seat = seat_in_turn(self.game) or 0
        return request("GET", f"/v1/games/{self.game.id}/{what}", self.tokens[seat])

    def _act(self, seat: int) -> str:
        text = format_act(greedy.choose(seat_knowledge(self.game, seat), seat))
        batch = Batch(self.game, self.game.head.t)
        batch.add(decide_act(self.game, seat, text, deal_on=False))
        batch.follow()
        self.game = batch.game
        return text


def rehearse(home: Path, origin: str, database: Database, games: int) -> tuple[Rehearsal, ...]:
    """Open so many games with four players each, up to their first deal.

    Args:
        home: The folder of the service, made here.
        origin: Its name.
        database: Its database; nobody else may have it open.
        games: How many.
    """
    premises = open_premises(
        home, origin, database=database, entropy=secrets.token_bytes, clock=_now
    )
    try:
        dealer = premises.dealer
        operator = (home / folder.OPERATOR_KEY).read_text("ascii").strip()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            seated = list(pool.map(lambda _: _seat(dealer, operator), range(games)))
    finally:
        premises.close()
    _, _, vault = folder.keys(home, origin, secrets.token_bytes, {}, is_new=False)
    store = database.open_to_read(home)
    try:
        shelf = Shelf(store, vault)
        return tuple(Rehearsal(shelf.game(name), tokens) for name, tokens in seated)
    finally:
        store.close()


def deal_out(rehearsals: tuple[Rehearsal, ...], connections: int) -> list[list[Rehearsal]]:
    """Share games out among connections, so that each game has one."""
    return [list(rehearsals[at::connections]) for at in range(connections)]


def _seat(dealer: Dealer, operator: str) -> tuple[str, tuple[str, ...]]:
    wanted = NewGame(seats=(NewSeat(kind="human"),) * _SEATS, overrides={})
    created = dealer.create_game(dealer.identify(operator), wanted)
    tokens = tuple(dealer.claim(one.claim, secrets.token_hex(16)).token for one in created.claims)
    for seat, token in enumerate(tokens):
        seed = Seed(
            epoch=1,
            open_hash=created.commitment.open_hash,
            nonce=secrets.token_hex(32),
            seed_sha256=seed_sha256(f"bench {seat}"),
        )
        dealer.seeds.share(dealer.identify(token), created.id, seat, seed)
    return created.id, tokens


def _now() -> int:
    return time.time_ns() // 1_000_000
