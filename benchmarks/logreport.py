"""How large is the report of many games, and how long does it take (G28)?

    python -m benchmarks.logreport --games 10000

Bots play that many games of one hand each, which takes most of the time and is not counted. Printed
are games, deals, the page's bytes, the seconds of the report, and the most memory that its own
process took. The page has to come out the same twice.
"""

import argparse
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.games import play
from fairdeal.cli.report.folder import FolderSource, from_folder
from fairdeal.cli.report.page import write_page

_MOST_BYTES = 1_000_000


def write_game(folder: Path, seed: int) -> None:
    """Play the game of a seed into a folder of a hundred."""
    path = folder / f"{seed // 100:04d}" / f"{seed:06d}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(play(seed, hands=1).transcript)


def reported(folder: Path, *, is_fast: bool, jobs: int) -> tuple[FolderSource, bytes]:
    """Return what was found in a folder, and the page."""
    source = from_folder(folder, now=None, is_fast=is_fast, jobs=jobs)
    assert source is not None, "no games"
    return source, write_page(source).encode()


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.logreport", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--full", action="store_true", help="verify every game, not 1 %%")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        start = time.monotonic()
        with ProcessPoolExecutor(asked.jobs) as pool:
            for _ in pool.map(partial(write_game, folder), range(asked.games), chunksize=20):
                pass
        print(f"played {asked.games:,} games in {time.monotonic() - start:.0f} s", flush=True)
        pages = []
        for jobs in (asked.jobs, 1):
            start = time.monotonic()
            source, page = reported(folder, is_fast=not asked.full, jobs=jobs)
            pages.append(page)
            print(
                f"{asked.games:,} games, {source.subject.figures['hands']:,} deals,"
                f" {source.subject.verdict}: {len(page):,} bytes in"
                f" {time.monotonic() - start:.1f} s with {jobs} processes",
                flush=True,
            )
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory {most:.0f} MB; the same bytes twice: {pages[0] == pages[1]}")
    return 0 if pages[0] == pages[1] and len(pages[0]) < _MOST_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
