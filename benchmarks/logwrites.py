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
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.processes import cpu_s, tree
from benchmarks.timing import against
from fairdeal.records.notes import SigningKey
from fairdeal.store.driving import Driven, drive
from fairdeal.store.engines import writing_engine
from fairdeal.store.logport import LogHead, SignedHead
from fairdeal.store.opening import open_logbook, open_store
from fairdeal.store.ports import Store, StoredLine, Where, Write
from fairdeal.tlog.checkpoint import Checkpoint
from fairdeal.tlog.growth import Edge, grow
from fairdeal.tlog.merkle import leaf_hash
from tests.postgres import Cluster

LEAVES: Final = 3
"""Of one write."""

TURN: Final = 5000
"""Leaves that a turn of the sequencer takes."""

GOALS: Final = {"postgres": "at least 0.9", "sqlite": "at least 0.6"}
"""Of one caller beside one loop. Several callers of a process share its one writing thread."""

TURN_GOAL: Final = "at least 0.7"
CALLERS: Final = (1, 4)

_KEY: Final = SigningKey("fairdeal.localhost/bench", bytes(range(32)))
_PADDING: Final = b"x" * 380
_RECORD: Final = (
    "INSERT INTO bare_records VALUES (?, ?, ?, ?, ?)",
    """
    INSERT INTO bare_records
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[], %s::bytea[])
    """,
)
_LEAF: Final = (
    "INSERT INTO bare_queue (game, n, entry, leaf) VALUES (?, ?, ?, ?)",
    """
    INSERT INTO bare_queue (game, n, entry, leaf)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bytea[], %s::bytea[])
    """,
)


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


class Bare:
    """The same inserts in a loop, each three leaves in a transaction of their own.

    Its tables have the columns and the keys of the store's, and no guards.

    Args:
        where: A database of the newest schema.
    """

    def __init__(self, where: Where) -> None:
        self._engine = writing_engine(where)
        self._idle: deque[Driven] = deque()
        # One at a time on SQLite, which is unfair to those who wait for each other there.
        self._turn: contextlib.AbstractContextManager[object] = contextlib.nullcontext()
        if isinstance(where, Path):
            self._turn = threading.Lock()
        with self._lent() as driven:
            self._make(driven)

    def write(self, game: str, first: int) -> None:
        """Insert three leaves."""
        made = [_line(game, first + more) for more in range(LEAVES)]
        with self._turn, self._lent() as driven:
            driven.begin()
            _insert(driven, _RECORD, [(game, x.n, x.type, x.hand, x.text) for x in made])
            _insert(driven, _LEAF, [(game, x.n, x.text, x.leaf) for x in made])
            driven.commit()

    @contextlib.contextmanager
    def _lent(self) -> Iterator[Driven]:
        driven = self._idle.pop() if self._idle else drive(self._engine)
        yield driven
        self._idle.append(driven)

    def _make(self, driven: Driven) -> None:
        number, blob = ("bigint", "bytea") if driven.is_postgresql else ("INTEGER", "BLOB")
        own = (
            "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
            if driven.is_postgresql
            else "INTEGER PRIMARY KEY"
        )
        driven.text(
            f"CREATE TABLE bare_records (game text, n {number}, type text, hand {number},"
            f" line {blob}, PRIMARY KEY (game, n))"
        )
        driven.text(
            f"CREATE TABLE bare_queue (id {own}, game text, n {number}, entry {blob}, leaf {blob})"
        )
        driven.text(
            f"CREATE TABLE bare_entries (idx {number} PRIMARY KEY, game text, n {number},"
            f" entry {blob}, leaf {blob}, UNIQUE (game, n))"
        )


class Turns:
    """Turns of the sequencer, and a bare copy of the same rows with the same hashing.

    Args:
        where: A database of the newest schema.
        store: On it.
        each: So many leaves are made ready for a run.
    """

    def __init__(self, where: Where, store: Store, each: int) -> None:
        self._store = store
        self._each = each
        self._book = open_logbook(where)
        self._driven = drive(writing_engine(where))
        self._copied = 0
        self._games = _names("t")
        self._rows: list[tuple[str, int, bytes]] = []

    def fill(self) -> None:
        """Have leaves wait, outside of what is timed."""
        self._rows = []
        while len(self._rows) < self._each:
            game = next(self._games)
            made = tuple(_line(game, n) for n in range(250))
            self._store.write(Write(game=game, lines=made))
            self._rows += [(game, one.n, one.text) for one in made]

    def drain(self) -> None:
        """Give places to whatever waits."""
        while self._book.advance(TURN, _sign) is not None:
            pass

    def ours(self) -> tuple[int, list[float]]:
        """Give places to all that waits."""
        times, before = list[float](), self._book.head().size
        while True:
            began = time.perf_counter()
            if self._book.advance(TURN, _sign) is None:
                break
            times.append(1000 * (time.perf_counter() - began))
        return self._book.head().size - before, times

    def bare(self) -> tuple[int, list[float]]:
        """Hash and copy rows, as many in a transaction."""
        times = list[float]()
        edge = Edge()
        for at in range(0, len(self._rows), TURN):
            began = time.perf_counter()
            rows = self._rows[at : at + TURN]
            leaves = [leaf_hash(text) for _, _, text in rows]
            edge, _ = grow(edge, leaves)
            edge.root  # noqa: B018  hashed, as ours is
            first, self._copied = self._copied, self._copied + len(rows)
            made = [
                (first + more, *row, leaf)
                for more, (row, leaf) in enumerate(zip(rows, leaves, strict=True))
            ]
            self._driven.begin()
            self._copy(made)
            self._driven.commit()
            times.append(1000 * (time.perf_counter() - began))
        return len(self._rows), times

    def audit(self) -> int:
        """Compute the root over all entries from nothing; return how many there are."""
        head, edge = self._book.head(), Edge()
        while edge.size < head.size:
            entries = self._book.entries(edge.size, head.size)
            assert [one.index for one in entries] == list(
                range(edge.size, edge.size + len(entries))
            )
            assert all(leaf_hash(one.entry) == one.leaf for one in entries)
            edge, _ = grow(edge, [one.leaf for one in entries])
        assert (edge.root, edge.text) == (head.root, head.edge)
        return head.size

    def close(self) -> None:
        """Let go of the database."""
        self._book.close()
        self._driven.drop()

    def _copy(self, rows: Sequence[tuple[object, ...]]) -> None:
        if not self._driven.is_postgresql:
            self._driven.many("INSERT INTO bare_entries VALUES (?, ?, ?, ?, ?)", rows)
            return
        cursor = self._driven.text("SELECT 1")
        with cursor.copy("COPY bare_entries FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int8", "text", "int8", "bytea", "bytea"])
            for row in rows:
                copy.write_row(row)


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
    names = _names(f"{mark}{callers}")

    def play(game: str) -> list[float]:
        times = list[float]()
        for number in range(writes // callers):
            began = time.perf_counter()
            write(game, number * LEAVES)
            times.append(1000 * (time.perf_counter() - began))
        return times

    def case() -> tuple[int, list[float]]:
        games = [next(names) for _ in range(callers)]
        with ThreadPoolExecutor(callers) as pool:
            times = [one for found in pool.map(play, games) for one in found]
        return len(times) * LEAVES, times

    return case


def _insert(
    driven: Driven, statements: tuple[str, str], rows: Sequence[tuple[object, ...]]
) -> None:
    """Insert rows as each database does it fastest: one statement for all."""
    on_sqlite, on_postgresql = statements
    if driven.is_postgresql:
        driven.text(on_postgresql, [list(column) for column in zip(*rows, strict=True)])
    else:
        driven.many(on_sqlite, rows)


def _through(store: Store, game: str, first: int) -> None:
    lines = tuple(_line(game, first + more) for more in range(LEAVES))
    store.write(Write(game=game, after=first - 1, lines=lines))


def _line(game: str, n: int) -> StoredLine:
    text = b'{"game":"%s","n":%d,"text":"%s"}\n' % (game.encode(), n, _PADDING)
    return StoredLine(n=n, type="share", hand=None, text=text, leaf=leaf_hash(text))


def _sign(head: LogHead, leaves: tuple[bytes, ...]) -> SignedHead:
    edge, _ = grow(Edge.read(head.size, head.edge), leaves)
    note = Checkpoint(_KEY.name, edge.size, edge.root).sign(_KEY)
    return SignedHead(edge.size, edge.root, edge.text, note)


def _names(mark: str) -> Iterator[str]:
    return (f"g{mark}n{number:08d}" for number in count())


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
