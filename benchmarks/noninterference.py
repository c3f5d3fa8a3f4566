"""Compare worlds that differ only in hidden cards: ``python -m benchmarks.noninterference``.

Plays games of every kind in pairs of worlds and compares all that each role receives, byte by
byte (tests/secrecy/noninterference.py). Ends with the first difference, or with the count.
"""

import argparse
import itertools
import sys
import time
from collections.abc import Callable

from tests.secrecy.forms import REPLACED, Differs
from tests.secrecy.noninterference import Tally, look_through
from tests.secrecy.plans import plans

SHARE = 0.3


def main() -> int:
    """Compare until there are enough pairs; return 1 where a byte differs."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--pairs", type=int, default=10_000, help="positions times roles")
    wanted.add_argument("--seed", type=int, default=1, help="draws lines, moments and requests")
    given = wanted.parse_args()
    start, cpu, tally = time.perf_counter(), time.process_time(), Tally()
    kinds = plans()
    try:
        for number in itertools.count():
            # An equal part of each kind; what one game lacks, the next of that kind makes up.
            plan, part = kinds[number % len(kinds)], -(-given.pairs // len(kinds))
            goal = min(given.pairs, (number + 1) * part)
            seed = given.seed * 1_000_000 + number
            look_through(plan, seed, tally, share=SHARE, enough=_reached(tally, goal))
            if tally.all_pairs >= given.pairs:
                break
            if sys.stderr.isatty():
                print(f"\r{plan.name}: {tally.all_pairs} pairs", end="\x1b[K", file=sys.stderr)
    except Differs as difference:
        print(f"DIFFERS after {tally.all_pairs} pairs: {difference}")
        return 1
    report(tally, time.process_time() - cpu, time.perf_counter() - start)
    return 0


def _reached(tally: Tally, pairs: int) -> Callable[[], bool]:
    return lambda: tally.all_pairs >= pairs


def report(tally: Tally, cpu: float, wall: float) -> None:
    """Print what was compared."""
    print(f"{tally.all_pairs:,} pairs of a position and a role, 0 differing bytes")
    for role, pairs in sorted(tally.pairs.items()):
        print(f"  {role:28} {pairs:6,}")
    print(f"{tally.hands:,} hands; {tally.alone} roles of a hand without another world")
    print(f"{tally.answers:,} answers, {tally.size:,} bytes in each world")
    print(
        "  by status: " + ", ".join(f"{code} {n:,}" for code, n in sorted(tally.statuses.items()))
    )
    print(f"  in {tally.replaced:,} of them these were left out, their lengths compared:")
    for name, why in REPLACED.items():
        print(f"    {name}: {why}")
    print(f"{cpu:.0f} CPU-s, {wall:.0f} s in all")


if __name__ == "__main__":
    sys.exit(main())
