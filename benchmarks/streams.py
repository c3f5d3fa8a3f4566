"""Measures streams: many open from `fairdeal streams`, acts through the service beside it.

python -m benchmarks.streams --games 200 --acts-per-second 20 --seconds 30

Four processes on one machine: the service, the process of streams, one with all clients, and this
one, which plays. Each game has four players; each of them and one watcher follow it. Delay is from
when the player's own client has the answer to an act until the record is there at each player who
follows; what is negative came before the answer.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fairdeal.cli.client import Client
from fairdeal.cli.player import Player, choose
from fairdeal.cli.server import LOOPBACK, Server, StreamServer

ORIGIN: Final = "fairdeal.localhost/bench"
HANDS: Final = 8
_THREADS: Final = 4
_SETTLE_S: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What was measured.

    Attributes:
        streams, games: How many there were.
        acts: Acts made while they were followed; ``wall`` the seconds that took.
        arrived: Records that arrived at some stream.
        lost, doubled: Records that did not, or twice.
        delays: From answer to arrival, each record at each player's stream, ms, sorted.
        open_s: Seconds until all streams were open and had all that was there before.
        idle_mb, open_mb: Resident memory of the process of streams, before and with them.
        cpu: CPU seconds of the process of streams while acts were made.
    """

    streams: int
    games: int
    acts: int
    wall: float
    arrived: int
    lost: int
    doubled: int
    delays: list[float]
    open_s: float
    idle_mb: float
    open_mb: float
    cpu: float


@dataclass(slots=True)
class Table:
    """A game with its players."""

    game: str
    players: list[Player]
    made: dict[int, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def act(self) -> bool:
        """Let whoever is in turn act; note when the answer was there for each record in it."""
        with self.lock:
            turn = self._get("view")["table"]["turn"]
            player = self.players[turn["seat"]]
            offered = player.client.get(f"/v1/games/{self.game}/choices")
            act = choose([choice["act"] for choice in offered["can"]])
            body = {"expect": offered["version"], "act": act}
            answer = player.client.send("POST", f"/v1/games/{self.game}/actions", body)
            now = time.monotonic()
            self.made.update((event["n"], now) for event in answer["events"])
            return True

    def _get(self, what: str) -> Any:  # noqa: ANN401  the shape depends on the path
        return self.players[0].client.get(f"/v1/games/{self.game}/{what}")


def measure(games: int, acts_per_second: float, seconds: float, *, database: str = "") -> Followed:
    """Open five streams a game, play for some seconds, and count what arrived.

    Raises:
        RuntimeError: A process did not start.
        ApiError: The service refused something.
    """
    with ExitStack() as held:
        home = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-bench-")))
        folder = home / "service"
        server = held.enter_context(Server(folder, ORIGIN, database=database))
        streams = held.enter_context(StreamServer(folder, ORIGIN, database=database))
        tables = [_seated(server, held) for _ in range(games)]
        idle = _memory(streams)
        followed: list[tuple[str, str | None]] = [
            (table.game, token)
            for table in tables
            for token in (*(player.client.token for player in table.players), None)
        ]
        began = time.monotonic()
        process = held.enter_context(_listeners(streams.port, followed))
        assert process.stdin is not None
        assert process.stdout is not None
        if process.stdout.readline() != b"open\n":
            raise RuntimeError("not all streams could be opened")
        opened, cpu = time.monotonic() - began, _cpu(streams)
        wall = _play(tables, acts_per_second, seconds)
        time.sleep(min(_SETTLE_S, 1 + 0.002 * len(followed)))
        used, memory = _cpu(streams) - cpu, _memory(streams)
        process.stdin.write(b"tell\n")
        process.stdin.flush()
        came: list[list[tuple[int, float]]] = json.loads(process.stdout.readline())
        lost, doubled = _missing(server, followed, came)
    made = {table.game: table.made for table in tables}
    return Followed(
        streams=len(followed),
        games=games,
        acts=sum(len(table.made) for table in tables),
        wall=wall,
        arrived=sum(map(len, came)),
        lost=lost,
        doubled=doubled,
        delays=sorted(
            1000 * (at - made[game][number])
            for (game, token), events in zip(followed, came, strict=True)
            for number, at in events
            if token is not None and number in made[game]
        ),
        open_s=opened,
        idle_mb=idle,
        open_mb=memory,
        cpu=used,
    )


def _seated(server: Server, held: ExitStack) -> Table:
    operator = (server.folder / "operator.key").read_text(encoding="ascii").strip()
    site = Client(LOOPBACK, server.port, operator)
    created = site.send("POST", "/v1/games", {
        "seats": [{"kind": "human"}] * 4, "hands": HANDS, "clock": {"between_hands_s": 0},
    })  # fmt: skip
    site.close()
    claims = [one["claim"] for one in created["claims"]]
    players = [Player.sit_down(LOOPBACK, server.port, claim) for claim in claims]
    for player in players:
        held.callback(player.client.close)
        player.give_seed(f"bench {player.seat}")
    return Table(created["id"], players)


def _listeners(port: int, followed: list[tuple[str, str | None]]) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.listeners"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps({"port": port, "streams": followed}).encode() + b"\n")
    process.stdin.flush()
    return process


def _play(tables: list[Table], acts_per_second: float, seconds: float) -> float:
    """Make acts in even steps, a game after the other; return the seconds that took."""
    numbers, began = itertools.count(), time.monotonic()
    failures: list[BaseException] = []

    def play() -> None:
        try:
            while not failures and (number := next(numbers)) < acts_per_second * seconds:
                time.sleep(max(0.0, began + number / acts_per_second - time.monotonic()))
                tables[number % len(tables)].act()
        except BaseException as failure:
            failures.append(failure)
            raise

    threads = [threading.Thread(target=play) for _ in range(_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return time.monotonic() - began


def _missing(
    server: Server,
    followed: list[tuple[str, str | None]],
    came: list[list[tuple[int, float]]],
) -> tuple[int, int]:
    """Return how many records did not arrive, and how many arrived twice, over all streams."""
    lost = doubled = 0
    for (game, token), events in zip(followed, came, strict=True):
        client = Client(LOOPBACK, server.port, token)
        newest = client.get(f"/v1/games/{game}/events?limit=1")["version"]
        client.close()
        numbers = [number for number, _ in events]
        lost += len(set(range(newest + 1)) - set(numbers))
        doubled += len(numbers) - len(set(numbers))
    return lost, doubled


def _worker(server: Server) -> Path:
    """Return where the system tells of the process that serves, a child of the one started."""
    assert server.process is not None
    (child,) = (
        Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    )
    return Path("/proc") / child


def _memory(server: Server) -> float:
    status = (_worker(server) / "status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def _cpu(server: Server) -> float:
    fields = (_worker(server) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[int(share * (len(ordered) - 1))]


def show(seen: Followed) -> None:
    """Print what was measured."""
    print(
        f"  {seen.streams} streams over {seen.games} games, open after {seen.open_s:.1f} s; "
        f"{seen.acts / seen.wall:.1f} records/s made, {seen.arrived} arrived"
    )
    half, most = _quantile(seen.delays, 0.5), _quantile(seen.delays, 0.99)
    print(
        f"  from answer to arrival: p50 {half:.1f} ms, p99 {most:.1f} ms, "
        f"most {seen.delays[-1]:.1f} ms over {len(seen.delays)}"
    )
    print(f"  lost {seen.lost}, doubled {seen.doubled}")
    each = 1024 * (seen.open_mb - seen.idle_mb) / seen.streams
    print(
        f"  process of streams: {seen.idle_mb:.0f} MB before, {seen.open_mb:.0f} MB with them "
        f"({each:.0f} kB each), {100 * seen.cpu / seen.wall:.0f} % of a processor"
    )


def main() -> int:
    """Run from the command line; 1 where a record was lost or came twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--acts-per-second", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--database", default="", help="a PostgreSQL address; else SQLite")
    wanted = parser.parse_args()
    seen = measure(wanted.games, wanted.acts_per_second, wanted.seconds, database=wanted.database)
    show(seen)
    return 1 if seen.lost or seen.doubled else 0


if __name__ == "__main__":
    sys.exit(main())
