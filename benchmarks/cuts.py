"""Cuts streams at random bytes and kills what serves them, and counts what was lost or doubled.

python -m benchmarks.cuts --cuts 1000 --kills 20 --database postgres --workers 4

Four players play; each of them and one watcher follow the game twice, from the service and from
the process of streams, a few bytes at a time. Each follower hangs up after some records, wherever
that falls in an event, and resumes with one request behind the last record that it has whole.
Meanwhile the service, one of its workers or the process of streams is killed or stopped again and
again. When the game is over, each follower must hold each record that it may see once, in order,
with the bytes of the pages.
"""

import argparse
import contextlib
import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from benchmarks.kept import BrokenWord
from fairdeal.cli.client import ApiError, Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server, StreamServer
from fairdeal.service import as_json
from tests.api.following import Follower, Refused
from tests.postgres import Cluster

ORIGIN: Final = "fairdeal.localhost/cuts"
PATIENCE_S: Final = 60.0
PAUSE_S: Final = 0.02
BYTES: Final = (7, 64, 700, 65_536)
"""So many at a time are read, by chance."""


@dataclass(slots=True)
class Tally:
    """What happened: streams cut by their clients, kills and stops, games, records that came."""

    cuts: int = 0
    kills: int = 0
    games: int = 0
    records: int = 0


@dataclass(slots=True)
class Viewer:
    """One who follows a game, from connection to connection.

    Attributes:
        port: From where.
        game: The game.
        token: That of a seat, or None.
        chance: Decides when to hang up.
        most: Hangs up after so many records at most.
        got: Number and bytes of each record, in the order in which they came.
        cuts: How often it hung up.
        failure: What broke it, or None.
    """

    port: int
    game: str
    token: str | None
    chance: random.Random
    most: int
    got: list[tuple[int, bytes]] = field(default_factory=list)
    cuts: int = 0
    failure: BaseException | None = None

    def follow(self) -> None:
        """Follow to the end of the game."""
        try:
            while not self._once():
                pass
        except BaseException as failure:
            self.failure = failure
            raise

    def _once(self) -> bool:
        """Follow over one connection; say whether the game is over."""
        point = self.got[-1][0] if self.got else -1
        enough = len(self.got) + self.chance.randrange(1, self.most + 1)
        try:
            with Follower(self.port, self.game, self.token, point) as stream:
                while not stream.over:
                    for one in stream.read(self.chance.choice(BYTES)):
                        if one.kind == "record":
                            self.got.append((one.id or 0, one.data))
                        elif one.kind == "end" and one.json["reason"] == "game_over":
                            return True
                        elif one.kind == "reset":
                            raise BrokenWord(f"{point} could not be resumed")
                    if len(self.got) >= enough:
                        self.cuts += 1
                        return False
        except (ConnectionError, TimeoutError):
            time.sleep(PAUSE_S)
        except Refused as refusal:
            if refusal.status != 503:  # It is being stopped.
                raise
            time.sleep(PAUSE_S)
        return False


def run(
    cuts: int, kills: int, seed: int, *, database: str = "", workers: int = 1, hands: int = 3
) -> Tally:
    """Play games until there were so many cuts, with so many kills spread over them.

    Args:
        cuts: At least so many.
        kills: So many, of the service, its workers and the process of streams.
        seed: Of chance.
        database: A PostgreSQL address; empty for a file.
        workers: Processes of the service.
        hands: Of each game.

    Raises:
        BrokenWord: A record was lost, came twice, or in other bytes.
    """
    chance, tally = random.Random(seed), Tally()
    with ExitStack() as held:
        home = held.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-cuts-"))
        folder = Path(home) / "service"
        server = held.enter_context(Server(folder, ORIGIN, database=database, workers=workers))
        streams = held.enter_context(StreamServer(folder, ORIGIN, database=database))
        while tally.cuts < cuts:
            _play(server, streams, tally, chance, (cuts, kills), hands)
    return tally


def _play(
    server: Server,
    streams: Server,
    tally: Tally,
    chance: random.Random,
    wanted: tuple[int, int],
    hands: int,
) -> None:
    operator = (server.folder / "operator.key").read_text(encoding="ascii").strip()
    seats = [{"kind": "human"}] * 4
    body = {"seats": seats, "hands": hands, "clock": {"between_hands_s": 0}}
    created = _insist(lambda site: site.send("POST", "/v1/games", body), server, operator)
    players = [Player.sit_down(LOOPBACK, server.port, c["claim"]) for c in created["claims"]]
    for player in players:
        player.give_seed(f"cuts {player.seat}")
    tokens = [None, *(player.client.token for player in players)]
    viewers = [
        Viewer(port, created["id"], token, random.Random(chance.random()), most=6)
        for port in (server.port, streams.port)
        for token in tokens
    ]
    threads = [threading.Thread(target=one.follow, daemon=True) for one in viewers]
    for thread in threads:
        thread.start()
    before, done = tally.cuts, False
    while not done:
        done = _act(players)
        if not done and tally.cuts >= wanted[0] and tally.kills >= wanted[1]:
            _close(server, operator, created["id"])
        tally.cuts = before + sum(one.cuts for one in viewers)
        if tally.kills < wanted[1] and tally.kills * wanted[0] <= tally.cuts * wanted[1]:
            _kill(server, streams, chance)
            tally.kills += 1
        if failed := next((one for one in viewers if one.failure is not None), None):
            raise BrokenWord(f"a stream broke: {failed.failure}") from failed.failure
    for thread in threads:
        thread.join(PATIENCE_S)
    _check(server, viewers, players)
    for player in players:
        player.client.close()
    tally.cuts = before + sum(one.cuts for one in viewers)
    tally.games += 1
    tally.records += sum(len(one.got) for one in viewers)


def _act(players: list[Player]) -> bool:
    """Let whoever is in turn act; say whether nobody will ever be again."""
    for player in players:
        try:
            if player.play_on():
                return False
            if player.client.get(f"/v1/games/{player.game}")["state"] == "closed":
                return True
        except (OSError, HTTPException):
            player.client.close()
        except ApiError as refusal:
            if refusal.status != 503:
                raise
    return False


def _close(server: Server, operator: str, game: str) -> None:
    """End a game of which nobody needs more."""
    with contextlib.suppress(ApiError):  # It is over already.
        path, body = f"/v1/games/{game}/close", {"reason": "enough"}
        _insist(lambda site: site.send("POST", path, body), server, operator)


def _kill(server: Server, streams: Server, chance: random.Random) -> None:
    """Kill or stop the process of streams, or a worker of the service, or all of it."""
    ended = chance.choice((server, streams))
    process = ended.process
    assert process is not None
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split()
    if len(workers) > 1:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(chance.choice(workers)), signal.SIGKILL)
        return
    chance.choice((ended.stop, ended.kill))()
    ended.start()


def _check(server: Server, viewers: list[Viewer], players: list[Player]) -> None:
    """Compare what came with the pages (raises `BrokenWord`)."""
    pages: dict[str | None, list[tuple[int, bytes]]] = {}
    for one in viewers:
        if one.token not in pages:
            pages[one.token] = _pages(server, players[0].game, one.token)
        numbers = [number for number, _ in one.got]
        if numbers != list(range(len(pages[one.token]))):
            raise BrokenWord(f"{len(numbers)} of {len(pages[one.token])} records came: {numbers}")
        if one.got != pages[one.token]:
            raise BrokenWord("a record came in other bytes than in its page")


def _pages(server: Server, game: str, token: str | None) -> list[tuple[int, bytes]]:
    made: list[tuple[int, bytes]] = []
    more = True
    while more:
        path = f"/v1/games/{game}/events?after={len(made) - 1}"
        page = _insist(partial(Client.get, path=path), server, token)
        made += [(event["n"], as_json(event)) for event in page["events"]]
        more = page["has_more"]
    return made


def _insist(ask: Callable[[Client], Any], server: Server, token: str | None) -> Any:  # noqa: ANN401  JSON
    """Ask until there is an answer."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        client = Client(LOOPBACK, server.port, token)
        try:
            return ask(client)
        except (OSError, HTTPException):
            if time.monotonic() > deadline:
                raise
            time.sleep(PAUSE_S)
        finally:
            client.close()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or an address")
    wanted = parser.parse_args()
    with ExitStack() as held:
        database = {"sqlite": ""}.get(wanted.database, wanted.database)
        if database == "postgres":
            cluster = held.enter_context(Cluster())
            database = cluster.url(cluster.create())
        tally = run(
            wanted.cuts, wanted.kills, wanted.seed, database=database, workers=wanted.workers
        )
    print(
        f"{tally.cuts} cuts and {tally.kills} kills or stops over {tally.games} games:"
        f" {tally.records} records came, none lost, none doubled"
    )


if __name__ == "__main__":
    main()
