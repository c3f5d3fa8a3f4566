"""Measures the service over HTTP: acts, views and choices, beside a bare endpoint in one run.

python -m benchmarks.http --database sqlite --seconds 10

The service is a process of its own (two workers on PostgreSQL), as `fairdeal serve` starts it;
this one sends, over 32 connections to 64 games, requests that were made beforehand. The bare
endpoint (`benchmarks.bare`) is the floor of the same framework, server and database. All cases
take turns of a second or two, forth and back, so that whatever else the machine does hits all of
them: the ratios are what counts.
"""

import argparse
import contextlib
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.bare import BareServer
from benchmarks.load import request, send
from benchmarks.processes import children, cpu_s, memory_mb, tree
from benchmarks.rehearsed import Rehearsal, deal_out, rehearse
from benchmarks.timing import against
from fairdeal.cli.server import Server
from fairdeal.service import Database

ORIGIN: Final = "fairdeal.localhost/bench"
GAMES: Final = 64
CONNECTIONS: Final = 32
ROUNDS: Final = 5
GOAL: Final = "at least 0.5"
WORKERS: Final = {"sqlite": 1, "postgres": 2}

ACT: Final = "act"
EACH: Final = "bare, a commit each"
GROUP: Final = "bare, group commit"
VIEW: Final = "view"
CHOICES: Final = "choices"

_WARM: Final = 10
_PATIENCE_S: Final = 30.0


@dataclass(slots=True)
class Case:
    """What is sent, and what came of it.

    Attributes:
        port: Of the server.
        workers: Its processes.
        fill: Returns the queues of all connections with at least so many requests in each.
        rates: Requests a second, by round.
        times: Until the answer, ms, over all rounds.
        sent: How many requests there were.
        cpu: Processor seconds of the workers; ``database_cpu`` of the database server.
    """

    port: int
    workers: tuple[int, ...]
    fill: Callable[[int], Sequence[deque[bytes]]]
    rates: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    sent: int = 0
    cpu: float = 0.0
    database_cpu: float = 0.0

    def quantile(self, share: float) -> float:
        """Return the time, ms, within which this share of the answers was there."""
        ordered = sorted(self.times)
        return ordered[int(share * (len(ordered) - 1))]

    @property
    def cpu_ms(self) -> float:
        """Processor time of the workers a request, ms."""
        return 1000 * self.cpu / max(1, self.sent)

    @property
    def database_cpu_ms(self) -> float:
        """Processor time of the database server a request, ms."""
        return 1000 * self.database_cpu / max(1, self.sent)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run gave.

    Attributes:
        cases: By name.
        games: How many were open.
        before_mb, after_mb: Memory of the service's workers before the first act, and at the end.
    """

    cases: dict[str, Case]
    games: int
    before_mb: float
    after_mb: float

    def ratio(self, floor: str) -> float:
        """Return the rate of acts as a share of a floor's, the median over the rounds."""
        pairs = zip(self.cases[ACT].rates, self.cases[floor].rates, strict=True)
        return median(act / bare for act, bare in pairs)


class Acts:
    """The acts of all connections, made ready as they are needed.

    Args:
        shares: The games of each connection.
        keys: Whether each act carries an idempotency key.
    """

    def __init__(self, shares: list[list[Rehearsal]], *, keys: bool) -> None:
        self._queues: list[deque[bytes]] = [deque() for _ in shares]
        self._sources = [_in_turn([game.acts(keys=keys) for game in share]) for share in shares]

    def fill(self, most: int) -> list[deque[bytes]]:
        """Have at least so many acts wait at each connection, as long as its games go on."""
        for queue, source in zip(self._queues, self._sources, strict=True):
            queue.extend(islice(source, max(0, most - len(queue))))
        return self._queues


def _in_turn(games: list[Iterator[bytes]]) -> Iterator[bytes]:
    waiting = deque(games)
    while waiting:
        game = waiting.popleft()
        with contextlib.suppress(StopIteration):
            yield next(game)
            waiting.append(game)


def _same(requests: Sequence[bytes], connections: int) -> Callable[[int], list[deque[bytes]]]:
    """Return what fills queues with the same requests again and again, dealt out in turn."""

    def fill(most: int) -> list[deque[bytes]]:
        shares = [requests[at::connections] or requests for at in range(connections)]
        return [deque(islice(cycle(share), most)) for share in shares]

    return fill


def measure(
    database: str,
    seconds: float,
    *,
    games: int = GAMES,
    connections: int = CONNECTIONS,
    rounds: int = ROUNDS,
    keys: bool = False,
) -> Measured:
    """Run all cases on one database, each for some seconds.

    Args:
        database: `sqlite` or `postgres`.
        seconds: Of each case, over all rounds.
        games: So many are played.
        connections: At most as many as games.
        rounds: So many turns each case has.
        keys: Whether acts carry an idempotency key.

    Raises:
        RuntimeError: A server did not start, or refused something.
    """
    with ExitStack() as held:
        home = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="fairdeal-bench-")))
        urls, backends = _databases(database, held)
        rehearsals = rehearse(home / "service", ORIGIN, Database(urls[0]), games)
        (home / "bare").mkdir()
        service = Server(home / "service", ORIGIN, database=urls[0], workers=WORKERS[database])
        bare = BareServer(home / "bare", ORIGIN, database=urls[1], workers=WORKERS[database])
        mine = _workers(held.enter_context(service))
        floor = _workers(held.enter_context(bare))
        shares = deal_out(rehearsals, connections)
        body = b'{"expect": 17, "act": "discard 4H"}'
        cases = {
            ACT: Case(service.port, mine, Acts(shares, keys=keys).fill),
            **{
                name: Case(
                    bare.port, floor, _same((request("POST", path, "x", body),), connections)
                )
                for name, path in ((EACH, "/each"), (GROUP, "/group"))
            },
        }
        before = memory_mb(mine)
        _take_turns(cases, seconds, rounds, backends)
        looks = {
            name: Case(
                service.port, mine, _same([game.look(name) for game in rehearsals], connections)
            )
            for name in (VIEW, CHOICES)
        }
        _take_turns(looks, seconds / 2, rounds, backends)
        return Measured({**cases, **looks}, games, before, memory_mb(mine))


def _databases(
    database: str, held: ExitStack
) -> tuple[tuple[str, str], Callable[[], tuple[int, ...]]]:
    """Return two empty databases, and what names the processes of their server."""
    if database == "sqlite":
        return ("", ""), tuple
    from tests.postgres import Cluster  # noqa: PLC0415  late: it needs the tools of the tests

    cluster = held.enter_context(Cluster(on_disk=True))
    return (cluster.url(cluster.create()), cluster.url(cluster.create())), lambda: tree(
        cluster.process_id
    )


def _workers(server: Server) -> tuple[int, ...]:
    assert server.process is not None
    return children(server.process.pid)


def _take_turns(
    cases: dict[str, Case],
    seconds: float,
    rounds: int,
    backends: Callable[[], tuple[int, ...]],
) -> None:
    """Let each case warm up, then have its turns, forth and back."""
    rates: dict[str, float] = {}
    for name, case in cases.items():
        warm = send(case.port, case.fill(_WARM), _PATIENCE_S)
        rates[name] = len(warm.times) / warm.wall
    for number in range(rounds):
        for name in cases if number % 2 == 0 else reversed(cases):
            case = cases[name]
            rates[name] = _turn(case, seconds / rounds, rates[name], backends)
            case.rates.append(rates[name])


def _turn(
    case: Case, seconds: float, expected: float, backends: Callable[[], tuple[int, ...]]
) -> float:
    """Let a case have a turn; return its requests a second.

    Args:
        case: The case.
        seconds: How long.
        expected: Requests a second that were seen before; twice as many are made ready.
        backends: Names the processes of the database server.
    """
    waiting = case.fill(0)
    waiting = case.fill(_WARM + int(2 * expected * seconds / len(waiting)))
    others = backends()
    cpu, others_cpu = cpu_s(case.workers), cpu_s(others)
    sent = send(case.port, waiting, seconds)
    case.cpu += cpu_s(case.workers) - cpu
    case.database_cpu += cpu_s(others) - others_cpu
    case.sent += len(sent.times)
    case.times += [1000 * each for each in sent.times]
    return len(sent.times) / sent.wall


def show(measured: Measured) -> None:
    """Print a line a case, and how acts stand to the floors."""
    print(f"  {'':<22}{'a second':>10}{'p50 ms':>9}{'p99 ms':>9}{'CPU ms':>9}  of the database")
    for name, case in measured.cases.items():
        database = f"{case.database_cpu_ms:>10.2f}" if case.database_cpu else ""
        print(
            f"  {name:<22}{median(case.rates):>10,.0f}{case.quantile(0.5):>9.1f}"
            f"{case.quantile(0.99):>9.1f}{case.cpu_ms:>9.2f}{database}"
        )
    for floor in (EACH, GROUP):
        found = measured.ratio(floor)
        print(f"  S1: rate of acts against {floor:<22}{found:>8.2f} times   {against(found, GOAL)}")
    print(
        f"  memory of the service with {measured.games} games: {measured.before_mb:.0f} MB before,"
        f" {measured.after_mb:.0f} MB after {measured.cases[ACT].sent} acts"
    )


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--database", choices=[*WORKERS], nargs="*", default=[*WORKERS])
    parser.add_argument("--seconds", type=float, default=10.0, help="of each case")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--keys", action="store_true", help="acts carry an idempotency key")
    wanted = parser.parse_args()
    for database in wanted.database:
        print(title(database, wanted.games, wanted.connections))
        show(
            measure(
                database,
                wanted.seconds,
                games=wanted.games,
                connections=wanted.connections,
                rounds=wanted.rounds,
                keys=wanted.keys,
            )
        )
    return 0


def title(database: str, games: int = GAMES, connections: int = CONNECTIONS) -> str:
    """Say what is measured."""
    where = {"sqlite": "SQLite, one process", "postgres": "PostgreSQL, two workers"}[database]
    return f"HTTP, every act durable ({where}; {connections} connections, {games} games)"


if __name__ == "__main__":
    sys.exit(main())
