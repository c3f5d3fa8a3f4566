"""Mixed levels over all presets and rulesets by chance: no act that is not legal, no hand stuck.

    python -m benchmarks.bots --hands 20000 --seed 2026

Every act goes through `engine.check`. One hand in three is of a preset, six-player@1 with a choice
of what it leaves open, the others of rulesets by chance; in one hand in ten a level that searches,
with a small budget, sits among the others. What is done is kept, so that a stopped run goes on.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.hands import dealt
from benchmarks.rulesets import by_chance, preset
from fairdeal.bots import greedy
from fairdeal.bots.levels import LEVELS
from fairdeal.canasta import presets
from fairdeal.canasta.acts import Act, Answer
from fairdeal.canasta.position import Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.cli.bots.code import code_hash
from fairdeal.cli.bots.finished import kept, spread
from fairdeal.cli.bots.table import play

PART: Final = 50
ITERATIONS: Final = 5
_SEARCHED: Final = 10


def quick_levels() -> list[str]:
    """Return the levels that do not search."""
    return [greedy.NAME, *(name for name, level in LEVELS.items() if level.weight == 1)]


def searching_levels() -> list[str]:
    """Return the levels that search, with a small budget."""
    return [f"{name}:{ITERATIONS}" for name, level in LEVELS.items() if level.weight > 1]


def hand(seed: int, number: int) -> tuple[Ruleset, Position, list[str]]:
    """Return a hand by its number: its rules, the deal, and the bot of each seat."""
    chance = Random(f"bots {seed} {number}")
    names = sorted(presets.PRESETS)
    rules = by_chance(chance) if number % 3 else preset(names[number // 3 % len(names)])
    bots = [chance.choice(quick_levels()) for _ in range(rules.players)]
    if number % _SEARCHED == 0 and searching_levels():
        bots[chance.randrange(rules.players)] = chance.choice(searching_levels())
    return rules, dealt(rules, chance), bots


def _word(act: Act) -> str:
    if isinstance(act, Answer):
        return f"answer {'yes' if act.yes else 'no'}"
    return type(act).__name__.lower()


def work(part: tuple[int, int, int]) -> dict[str, Any]:
    """Play some hands; what breaks is named with its hand, and the others go on.

    Args:
        part: The seed, the first hand and how many.
    """
    seed, first, count = part
    ends, acts, by = Counter[str](), Counter[str](), Counter[str]()
    failures = []
    began = time.process_time_ns()
    for number in range(first, first + count):
        rules, position, bots = hand(seed, number)

        def look(_: Position, seat: int, act: Act, bots: list[str] = bots) -> None:
            acts[_word(act)] += 1
            by[bots[seat]] += 1

        try:
            ends[play(position, bots, f"{seed}", number, look).end] += 1
        except Exception as wrong:  # noqa: BLE001  whatever it is, it is what is looked for
            failures.append({"hand": number, "why": f"{type(wrong).__name__}: {wrong}"})
            continue
        by["presets" if number % 3 == 0 else "rulesets by chance"] += 1
        by[f"{rules.players} players"] += 1
    return {
        "code": code_hash(),
        "hands": count,
        "ends": dict(ends),
        "acts": dict(acts),
        "by": dict(by),
        "failures": failures,
        "cpu_ms": (time.process_time_ns() - began) // 10**6,
    }


def main() -> int:
    """Run from the command line; 1 where an act was not legal or a hand was stuck."""
    wanted = argparse.ArgumentParser(prog="python -m benchmarks.bots", description=__doc__)
    wanted.add_argument("--hands", type=int, default=20_000)
    wanted.add_argument("--seed", type=int, default=2026)
    wanted.add_argument("--jobs", type=int, default=2)
    wanted.add_argument("--out", type=Path, default=Path("var/bots"))
    given = wanted.parse_args()
    parts = []
    for first in range(0, given.hands, PART):
        count = min(PART, given.hands - first)
        parts.append((f"{first}+{count}", (given.seed, first, count)))
    heading = {"v": "fairdeal-soak-1", "seed": given.seed, "code": code_hash()}
    with kept(given.out / f"soak-{given.seed}-{code_hash()}.jsonl", heading) as finished:
        done = 0

        def tell(number: int) -> None:
            nonlocal done
            done += number
            if sys.stderr.isatty():
                print(f"\r{done * PART} hands", end="\x1b[K", file=sys.stderr)

        spread(parts, work, finished, jobs=given.jobs, tell=tell)
        return report([finished.known[name] for name, _ in parts])


def report(found: list[dict[str, Any]]) -> int:
    """Print what came of all parts; 1 where something failed."""
    sums = {name: Counter[str]() for name in ("ends", "acts", "by")}
    for part in found:
        for name, counter in sums.items():
            counter.update(part[name])
    failures = [one for part in found for one in part["failures"]]
    hands = sum(part["hands"] for part in found)
    acts = sums["acts"].total()
    cpu = sum(part["cpu_ms"] for part in found) / 1000
    print(f"{hands:,} hands, {acts:,} acts, {cpu:,.0f} CPU-s: {len(failures)} hands failed")
    for name, counter in sums.items():
        print(f"  {name}:", ", ".join(f"{one} {count:,}" for one, count in counter.most_common()))
    for one in failures[:20]:
        print(f"  hand {one['hand']}: {one['why']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
