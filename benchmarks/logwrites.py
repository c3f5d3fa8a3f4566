"""Measures the public log's layer alone (performance.md T1): ``python -m benchmarks.logwrites``.

On each database, on a disk: writes of three leaves through the store beside a bare loop of the same
inserts, by one caller and by several; then the sequencer's turns beside a bare copy of the same
rows with the same hashing. All take turns in one run. At the end the root over all entries is
computed anew.
"""

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.logbare import LEAVES, TURN, Bare, Turns, leaf_line, names
from benchmarks.processes import cpu_s, tree
from benchmarks.timing import against
from fairdeal.store.opening import open_store
from fairdeal.store.ports import Store, Where, Write
from tests.postgres import Cluster

GOALS: Final = {"postgres": "at least 0.9", "sqlite": "at least 0.6"}
"""Of one caller beside one loop. Several callers of a process share its one writing thread."""

TURN_GOAL: Final = "at least 0.7"
CALLERS: Final = (1, 4)


@dataclass(slots=True)
class Spent:
    """What one way of doing it took.

    Attributes:
        rates: Leaves a second, by round.
        times: Of each commit, ms.
        leaves: How many there were.
        cpu: Processor seconds, of this process and the database server.
    """

    rates: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    leaves: int = 0
    cpu: float = 0.0

    def quantile(self, share: float) -> float:
        """Return the time, ms, within which this share of the commits was done."""
        return sorted(self.times)[int(share * (len(self.times) - 1))]


Case = Callable[[], tuple[int, list[float]]]
"""Does some work; gives how many leaves, and what each commit took, ms."""


def side_by_side(cases: dict[str, Case], rounds: int, server: int | None) -> dict[str, Spent]:
    """Run cases in turn, forth and back; one more run of each before warms up."""
    spent = {name: Spent() for name in cases}
    watched = [os.getpid()] if server is None else [os.getpid(), server]
    for work in cases.values():
        work()
    for number in range(rounds):
        for name in list(cases) if number % 2 == 0 else reversed(list(cases)):
            cpu, began = _cpu(watched), time.perf_counter()
            leaves, times = cases[name]()
            found = spent[name]
            found.rates.append(leaves / (time.perf_counter() - began))
            found.cpu += _cpu(watched) - cpu
            found.leaves += leaves
            found.times += times
    return spent


def share(spent: dict[str, Spent], ours: str, bare: str) -> float:
    """Return our rate as a share of the bare one, the median over the rounds."""
    pairs = zip(spent[ours].rates, spent[bare].rates, strict=True)
    return median(one / other for one, other in pairs)


def show(title: str, spent: dict[str, Spent]) -> None:
    """Print a table: leaves a second, times of a commit, processor time a leaf."""
    print(f"\n{title}")
    for name, one in spent.items():
        print(
            f"  {name:<44} {median(one.rates):>10,.0f} leaves/s   commit p50"
            f" {one.quantile(0.5):.1f}, p99 {one.quantile(0.99):.1f} ms;"
            f" {1e6 * one.cpu / one.leaves:,.0f} CPU us a leaf"
        )


def measure(where: Where, rounds: int, writes: int, server: int | None, goal: str) -> None:
    """Measure one database and print it."""
    with contextlib.closing(open_store(where)) as store:
        bare = Bare(where)
        turns = Turns(where, store, 4 * TURN)
        for callers in CALLERS:
            ours, loop = f"store, {callers} callers", f"bare loop, {callers} callers"
            cases = {
                ours: _writing(lambda game, n: _through(store, game, n), callers, writes, "s"),
                loop: _writing(bare.write, callers, writes, "b"),
            }
            spent = side_by_side(cases, rounds, server)
            show(f"  Writes of {LEAVES} leaves, {callers} callers", spent)
            label, wanted = ("T1: the store", goal) if callers == 1 else ("the store", "none")
            _judge(f"{label} against a bare loop", share(spent, ours, loop), wanted)
        turns.drain()
        _turns(turns, rounds, server)
        print(f"  the root over all {turns.audit():,} entries, from nothing, is the one signed")
        turns.close()


def _turns(turns: Turns, rounds: int, server: int | None) -> None:
    cases = {"the sequencer's turns": turns.ours, "bare copy, and hashing": turns.bare}
    spent = {name: Spent() for name in cases}
    for number in range(rounds + 1):
        turns.fill()
        names = list(cases) if number % 2 else list(reversed(list(cases)))
        # The first round only warms up.
        for name in names:
            watched = [os.getpid()] if server is None else [os.getpid(), server]
            cpu, began = _cpu(watched), time.perf_counter()
            leaves, times = cases[name]()
            if number:
                spent[name].rates.append(leaves / (time.perf_counter() - began))
                spent[name].cpu += _cpu(watched) - cpu
                spent[name].leaves += leaves
                spent[name].times += times
    show(f"  Places for {TURN:,} leaves a turn", spent)
    _judge("T1: the sequencer against a bare copy", share(spent, *cases), TURN_GOAL)


def _writing(write: Callable[[str, int], None], callers: int, writes: int, mark: str) -> Case:
    """Return the case of some callers, each with a game of its own, who write one after another."""
    fresh = names(f"{mark}{callers}")

    def play(game: str) -> list[float]:
        times = list[float]()
        for number in range(writes // callers):
            began = time.perf_counter()
            write(game, number * LEAVES)
            times.append(1000 * (time.perf_counter() - began))
        return times

    def case() -> tuple[int, list[float]]:
        games = [next(fresh) for _ in range(callers)]
        with ThreadPoolExecutor(callers) as pool:
            times = [one for found in pool.map(play, games) for one in found]
        return len(times) * LEAVES, times

    return case


def _through(store: Store, game: str, first: int) -> None:
    lines = tuple(leaf_line(game, first + more) for more in range(LEAVES))
    store.write(Write(game=game, after=first - 1, lines=lines))


def _cpu(roots: Sequence[int]) -> float:
    return sum(cpu_s(tree(root)) for root in roots)


def _judge(label: str, found: float, goal: str) -> None:
    print(f"  {label:<44} {found:>10.2f} times      {against(found, goal)}")


def run(databases: Sequence[str], rounds: int, writes: int, folder: Path | None = None) -> None:
    """Measure databases and print them."""
    for database in databases:
        print(f"\nThe public log's layer alone ({database}, every commit durable, on a disk)")
        if database == "sqlite":
            with tempfile.TemporaryDirectory(dir=folder) as home:
                measure(Path(home) / "games.db", rounds, writes, None, GOALS[database])
            continue
        try:
            cluster = Cluster(on_disk=True)
        except RuntimeError as failure:
            print(f"  not run: {failure}")
            continue
        with cluster:
            url = cluster.url(cluster.create())
            measure(url, rounds, writes, cluster.process_id, GOALS[database])


def main() -> int:
    """Print the tables of the databases that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=sorted(GOALS), nargs="*", default=sorted(GOALS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--writes", type=int, default=400, help="of each case in a round")
    parser.add_argument("--folder", type=Path, help="where SQLite's file goes")
    given = parser.parse_args()
    run(given.database, given.rounds, given.writes, given.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
