"""Hidden cards permuted, the same act: ``python -m benchmarks.honesty --positions 10000``.

Positions of hands that are played by chance, under all presets and rulesets by chance. Of each,
another world is made that differs in what the seat in turn cannot know: others' holdings and the
stock are dealt anew, but for cards that others hold for sure because all saw them take them; red
threes stay out of hands that have shown theirs. Every level has to choose the same act in both;
one that searches does so with few iterations.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.hands import dealt
from benchmarks.players import ASKING, LAYING, choose
from benchmarks.rulesets import by_chance, preset
from fairdeal.bots import greedy, levels
from fairdeal.canasta import cards, engine, presets
from fairdeal.canasta.acts import Act, format_act
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.position import Position
from fairdeal.canasta.view import knowledge
from fairdeal.cli.bots.code import code_hash
from fairdeal.cli.bots.finished import kept, spread

PART: Final = 100
ITERATIONS: Final = 20
_STRIDE: Final = 7

Chooser = Callable[[str, Position, int, Memory, int], Act]
Look = Callable[[Position, int], Position]


def every_level() -> list[str]:
    """Return all bots, those that search with few iterations."""
    found = [
        name if level.weight == 1 else f"{name}:{ITERATIONS}"
        for name, level in levels.LEVELS.items()
    ]
    return [*found, greedy.NAME]


def positions(seed: int, part: int) -> Iterator[tuple[Position, int, Memory]]:
    """Give positions with the seat in turn and what all remember, without end."""
    for number in range(10**9):
        chance = Random(f"honesty {seed} {part} {number}")
        names = sorted(presets.PRESETS)
        kind = number % 3
        rules = by_chance(chance) if kind == 2 else preset("classic@1")
        if kind == 1:
            rules = preset(chance.choice(names))
        style = ASKING if number % 2 else LAYING
        position, memory = dealt(rules, chance), Memory.fresh(rules.players)
        ply, first = 0, chance.randrange(_STRIDE)
        while not position.end:
            seat, act = position.turn, choose(position, style, chance)
            if ply % _STRIDE == first:
                yield position, seat, memory
            memory = memory.after(position, seat, act)
            position = engine.apply(position, seat, act).position
            ply += 1


def twin(position: Position, seat: int, memory: Memory, chance: Random) -> Position:
    """Return a world that the seat cannot tell from this one."""
    others = [one for one in range(position.rules.players) if one != seat]
    loose = list(position.stock[position.drawn :])
    wanted = {}
    for other in others:
        sure = memory.held[other]
        spare = [
            card
            for card, number in enumerate(position.held[other])
            for _ in range(number - sure[card])
        ]
        wanted[other] = len(spare)
        loose += spare
    red = [card for card in loose if cards.CLASS_OF[card] == cards.RED3]
    plain = [card for card in loose if cards.CLASS_OF[card] != cards.RED3]
    chance.shuffle(plain)
    after = position.copy()
    # Before its first turn a seat may hold red threes, where the rules wait for it.
    waits = position.rules.red3_initial_when == "at_own_first_turn"
    others.sort(key=lambda other: waits and not position.shown[other])
    for other in others:
        if waits and not position.shown[other] and red:
            plain += red
            red = []
            chance.shuffle(plain)
        held = list(memory.held[other])
        for card in plain[: wanted[other]]:
            held[card] += 1
        del plain[: wanted[other]]
        after.held[other] = held
        counts = [0] * cards.CLASSES
        for card, number in enumerate(held):
            counts[cards.CLASS_OF[card]] += number
        after.counts[other] = counts
    rest = plain + red
    chance.shuffle(rest)
    after.stock = (*position.stock[: position.drawn], *rest)
    return after


def difference(
    name: str,
    worlds: tuple[Position, Position],
    seat: int,
    memory: Memory,
    seed: int,
    *,
    look: Look = knowledge,
    chooser: Chooser = levels.choose,
) -> str | None:
    """Return how a bot's acts differ in two worlds that its seat cannot tell apart, or None.

    Args:
        name: The bot.
        worlds: Both.
        seat: The seat in turn.
        memory: What all could have noticed; the same in both.
        seed: Of the choice.
        look: What the bot is handed of a world.
        chooser: What lets a bot choose.
    """
    acts = [format_act(chooser(name, look(one, seat), seat, memory, seed)) for one in worlds]
    return None if acts[0] == acts[1] else f"{name}: `{acts[0]}` or `{acts[1]}`"


def work(part: tuple[int, int, int]) -> dict[str, Any]:
    """Hold every level to some positions.

    Args:
        part: The seed, the part's number and how many positions.
    """
    seed, number, count = part
    found = positions(seed, number)
    chance = Random(f"honesty worlds {seed} {number}")
    differences, alone = [], 0
    began = time.process_time_ns()
    for at in range(count):
        position, seat, memory = next(found)
        other = twin(position, seat, memory, chance)
        alone += (position.held, position.stock) == (other.held, other.stock)
        for name in every_level():
            told = difference(name, (position, other), seat, memory, chance.getrandbits(64))
            if told is not None:
                differences.append(f"part {number}, position {at}, {told}")
    return {
        "positions": count,
        "alone": alone,
        "levels": every_level(),
        "differences": differences,
        "cpu_ms": (time.process_time_ns() - began) // 10**6,
    }


def main() -> int:
    """Run from the command line; 1 where a level chose otherwise."""
    wanted = argparse.ArgumentParser(prog="python -m benchmarks.honesty", description=__doc__)
    wanted.add_argument("--positions", type=int, default=10_000, help="for each level")
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--jobs", type=int, default=2)
    wanted.add_argument("--out", type=Path, default=Path("var/bots"))
    given = wanted.parse_args()
    parts = []
    for first in range(0, given.positions, PART):
        count = min(PART, given.positions - first)
        parts.append((f"{first}+{count}", (given.seed, first, count)))
    heading = {"v": "fairdeal-honesty-1", "seed": given.seed, "code": code_hash()}
    with kept(given.out / f"honesty-{given.seed}-{code_hash()}.jsonl", heading) as finished:
        spread(parts, work, finished, jobs=given.jobs)
        found = [finished.known[name] for name, _ in parts]
    differences = [one for part in found for one in part["differences"]]
    total, alone = (sum(part[name] for part in found) for name in ("positions", "alone"))
    cpu = sum(part["cpu_ms"] for part in found) / 1000
    print(
        f"{total:,} positions a level, {alone:,} of them without another world, "
        f"{cpu:,.0f} CPU-s: {len(differences)} differences"
    )
    print("  levels:", ", ".join(found[0]["levels"]))
    for one in differences[:20]:
        print(f"  {one}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
