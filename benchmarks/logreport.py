"""How large is the report of many games, and how long does it take (G28)?

    python -m benchmarks.logreport --games 10000
    python -m benchmarks.logreport --games 10000 --played

The games are those of a log that `benchmarks.logaudit` writes: dealt only, ten hands each. With
`--played` they are a folder of canasta between bots, one hand each. Making them is not counted.
Printed are games, the page's bytes, the seconds of audit and page, and the most memory of the
process that counts. The page has to come out the same from two processes and from one.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import logaudit
from benchmarks.games import play
from fairdeal.cli.audit.log.trust import Trust
from fairdeal.cli.report.folder import from_folder
from fairdeal.cli.report.mirrored import from_mirror
from fairdeal.cli.report.page import write_page
from fairdeal.cli.report.subject import Source
from fairdeal.tlog.policy import Policy

_MOST_BYTES: Final = 1_000_000
_TRUST: Final = Trust(Policy((logaudit.KEY.verifying_key,)), is_pinned=True)


def write_game(folder: Path, seed: int) -> None:
    """Play the game of a seed into a folder of a hundred."""
    path = folder / f"{seed // 100:04d}" / f"{seed:06d}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(play(seed, hands=1).transcript)


def of_folder(folder: Path, jobs: int, *, is_fast: bool) -> Source:
    """Return a folder of transcripts, audited."""
    source = from_folder(folder, now=None, is_fast=is_fast, jobs=jobs)
    assert source is not None, "no games"
    return source


def of_log(folder: Path, jobs: int, *, is_fast: bool) -> Source:
    """Return a log, audited."""
    with ProcessPoolExecutor(jobs) as pool:
        return from_mirror(
            folder, trust=_TRUST, now=None, is_fast=is_fast, executor=pool, options=()
        )


def measured(games: int, audited: Callable[[int], Source]) -> bool:
    """Make the report from two processes and from one; say whether it is as it should be."""
    pages = []
    for jobs in (2, 1):
        start = time.monotonic()
        source = audited(jobs)
        between = time.monotonic()
        pages.append(write_page(source).encode())
        end = time.monotonic()
        print(
            f"{games:,} games, {source.subject.figures['hands']:,} deals,"
            f" {source.subject.verdict}: {len(pages[-1]):,} bytes; audit {between - start:.1f} s"
            f" with {jobs} processes, page {end - between:.1f} s",
            flush=True,
        )
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory {most:.0f} MB; the same bytes twice: {pages[0] == pages[1]}")
    return pages[0] == pages[1] and len(pages[0]) < _MOST_BYTES


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.logreport", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--played", action="store_true", help="a folder of canasta, not a log")
    parser.add_argument("--full", action="store_true", help="verify every game, not 1 %%")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        start = time.monotonic()
        if asked.played:
            with ProcessPoolExecutor(2) as pool:
                for _ in pool.map(partial(write_game, folder), range(asked.games), chunksize=20):
                    pass
        else:
            logaudit.write(folder, asked.games)
        print(f"made {asked.games:,} games in {time.monotonic() - start:.0f} s", flush=True)
        audited = of_folder if asked.played else of_log
        is_good = measured(asked.games, partial(audited, folder, is_fast=not asked.full))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
