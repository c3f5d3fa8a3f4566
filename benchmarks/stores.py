"""Measures one store alone: durable writes a second, and what a write costs in processor time.

python -m benchmarks.stores --threads 16 --writes 4000 [--folder /dev/shm | --url postgresql://...]
"""

import argparse
import tempfile
import threading
import time
from pathlib import Path

from fairdeal.store.opening import open_store
from fairdeal.store.ports import Store, StoredLine, Write

LINES = 3
"""Records of one write: an act, and two of bots."""


def measure(store: Store, threads: int, writes: int) -> tuple[float, float, float]:
    """Return writes a second, CPU microseconds of this process a write, and writes a commit."""
    games = [f"g{time.time_ns()}{index}" for index in range(threads)]
    for game in games:
        store.write(Write(game=game, lines=(_line(0),)))
    each = writes // threads
    commits, cpu, began = store.commits, time.process_time(), time.monotonic()
    players = [threading.Thread(target=_play, args=(store, game, each)) for game in games]
    for player in players:
        player.start()
    for player in players:
        player.join()
    spent, used, done = time.monotonic() - began, time.process_time() - cpu, each * threads
    return done / spent, 1e6 * used / done, done / (store.commits - commits)


def _play(store: Store, game: str, writes: int) -> None:
    for count in range(writes):
        after = count * LINES
        lines = tuple(_line(after + 1 + more) for more in range(LINES))
        store.write(Write(game=game, after=after, lines=lines))
        assert store.newest(game) == after + LINES
        store.lines(game, after=after)


def _line(n: int) -> StoredLine:
    return StoredLine(n=n, type="act" if n else "open", hand=None, text=b"x" * 400 + b"\n")


def main() -> None:
    """Print one line for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 16])
    parser.add_argument("--writes", type=int, default=4000)
    parser.add_argument("--folder", type=Path, help="where the database goes; /dev/shm, say")
    parser.add_argument("--url", help="an empty PostgreSQL database, instead of a folder")
    given = parser.parse_args()
    for threads in given.threads:
        with tempfile.TemporaryDirectory(dir=given.folder) as home:
            store = open_store(given.url or Path(home) / "games.db")
            rate, cpu, group = measure(store, threads, given.writes)
            store.close()
        print(
            f"{threads} threads: {rate:,.0f} writes/s of {LINES} records and a page read,"
            f" {cpu:.0f} CPU us each, {group:.1f} writes a commit"
        )


if __name__ == "__main__":
    main()
