"""Deals in bulk beside scalar ones and a floor in C; one process beside two, and their memory.

python -m benchmarks.deals
"""

import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha512
from math import inf
from typing import Final

from benchmarks import floor
from benchmarks.timing import Timed, against, ratio, show, side_by_side
from fairdeal.fairness.bulk import HAS_NUMPY, WAY, tables
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import order

CARDS: Final = 108
_HANDS: Final = 1024
_FLAT: Final = 1.1  # so much more memory for eight times as many hands is still none
_SHARED: Final = 24_576  # hands that one process deals alone, then two together


def bulk() -> None:
    """Print scalar against bulk against C, then one process against two."""
    secrets, mixes = drawn(0, _HANDS)

    def scalar() -> int:
        for secret, mix in zip(secrets, mixes, strict=True):
            order(secret, mix, CARDS)
        return _HANDS

    def in_bulk() -> int:
        return sum(table.shape[1] for table in tables(secrets, mixes, CARDS))

    cases: dict[str, Callable[[], int]] = {"one by one (fast path)": scalar}
    if HAS_NUMPY:
        cases["in bulk (numpy)"] = in_bulk
    why = ""
    try:
        compiled = floor.load()
    except RuntimeError as error:
        why = f"{error}"
    else:
        assert [*compiled(secrets, mixes, CARDS)[7]] == order(secrets[7], mixes[7], CARDS)

        def in_c() -> int:
            return len(compiled(secrets, mixes, CARDS))

        cases["the same construction in C"] = in_c
    timed = side_by_side(cases)
    show(f"Deals in bulk ({WAY})", timed, "deals")
    _ratios([*timed.values()], why)
    if HAS_NUMPY:
        _two_processes()


def _ratios(timed: Sequence[Timed], why: str) -> None:
    if HAS_NUMPY:
        ratio("B1: one by one against bulk", timed[0], timed[1], "at least 2.5")
    if why:
        print(f"  C floor: not run, {why}")
    else:
        ratio("D2: one by one against C", timed[0], timed[-1], "at most 40")
        if HAS_NUMPY:
            ratio("bulk against C", timed[1], timed[-1], "at most 2.5 for a compiled tier")
    print("  compiled tier (numba): not offered")


def drawn(first: int, hands: int) -> tuple[list[Secret], list[bytes]]:
    """Return secrets and mixes, the same for the same numbers."""
    numbers = range(first, first + hands)
    return (
        [Secret(sha512(b"secret %d" % number).digest()) for number in numbers],
        [sha512(b"mix %d" % number).digest() for number in numbers],
    )


def _share(first: int, hands: int) -> tuple[float, int]:
    """Deal some hands, a few thousand at a time: CPU seconds, and KiB of memory at the most."""
    start = time.process_time()
    for at in range(first, first + hands, 4096):
        for _ in tables(*drawn(at, min(4096, first + hands - at)), CARDS):
            pass
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _two_processes() -> None:
    """Deal the same hands in one process and in two: CPU time, wall time, memory."""
    half = _SHARED // 2
    walls: list[float] = []
    cpus: list[float] = []
    peaks: list[int] = []
    for processes in (1, 2, 2, 1):
        with ProcessPoolExecutor(processes) as pool:
            list(pool.map(_share, [0] * processes, [4096] * processes))  # started and warm
            start = time.perf_counter()
            size = _SHARED // processes
            done = list(pool.map(_share, [0, half][:processes], [size] * processes))
            walls.append(time.perf_counter() - start)
            cpus.append(sum(cpu for cpu, _ in done))
            peaks.append(max(peak for _, peak in done))
    one, two = cpus[0] + cpus[3], cpus[1] + cpus[2]
    print(
        f"  B2: CPU a hand, two processes against one      {two / one - 1:>+8.0%}   "
        + against(100 * (two / one - 1), "at most 10", " % more")
    )
    gained = (walls[0] + walls[3]) / (walls[1] + walls[2])
    print(
        f"  B2: wall time, one process against two {gained:>15.1f} times   "
        + against(gained, "at least 1.7", " on free cores")
    )
    with ProcessPoolExecutor(1) as pool:
        (_, small) = pool.submit(_share, 0, 4096).result()
        (_, large) = pool.submit(_share, 0, 8 * 4096).result()
    peak = large / 1024 if large <= _FLAT * small else inf
    print(
        f"  B2: memory of the process, 4,096 and 32,768 hands: {small // 1024} and "
        f"{large // 1024} MiB   {against(peak, 'at most 64', ' MiB, and flat')}"
    )


if __name__ == "__main__":
    bulk()
    sys.exit(0)
