"""What each level plays on fixed positions, as digests: a version plays alike for good.

    python -m tests.bots.frozen                      compare all levels
    python -m tests.bots.frozen --write sharp@1      write down those of a level that is new

A change of play is a new version in a module of its own: a digest that is there is never written
anew, or games that run would change their bots, and finished ones would no longer check.
"""

import json
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

from benchmarks.hands import dealt
from benchmarks.players import ASKING, LAYING, choose
from benchmarks.rulesets import by_chance, preset
from fairdeal.bots import levels
from fairdeal.canasta import engine, presets
from fairdeal.canasta.acts import format_act
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.view import knowledge

PLACE = Path(__file__).with_name("frozen.json")
BLOCK = 100
POSITIONS = 2000
SLOW_POSITIONS = 200
ITERATIONS = 20
_SEED = 7


def positions():
    """Give what a seat in turn knows, the seat and the memory, without end; no bot plays here.

    One hand in two is of classic@1, of the others one in two of another preset and the rest of
    rulesets by chance. Of a hand every third position is taken, so that more hands come up.
    """
    number = 0
    while True:
        chance = Random(f"frozen {_SEED} {number}")
        names = sorted(presets.PRESETS)
        rules = (preset("classic@1"), preset(names[number // 4 % len(names)]))[number % 4 == 1]
        if number % 4 == 3:
            rules = by_chance(chance)
        style = ASKING if number % 2 else LAYING
        position, memory, ply = dealt(rules, chance), Memory.fresh(rules.players), 0
        while not position.end:
            seat, act = position.turn, choose(position, style, chance)
            if ply % 3 == number % 3:
                yield knowledge(position, seat), seat, memory
            memory = memory.after(position, seat, act)
            position = engine.apply(position, seat, act).position
            ply += 1
        number += 1


@cache
def fixed():
    """Return the positions that every level is held to."""
    found = positions()
    return tuple(next(found) for _ in range(POSITIONS))


def played_as(name):
    """Return the bot that is asked, and on how many positions: one that searches looks briefly."""
    if name.startswith("expert@"):
        return f"{name}:{ITERATIONS}", SLOW_POSITIONS
    return name, POSITIONS


def digests(name, blocks=None):
    """Return the digests of a level's acts, one for each hundred positions.

    Args:
        name: The level.
        blocks: Only so many, the first ones; None for all.
    """
    bot, count = played_as(name)
    blocks = count // BLOCK if blocks is None else blocks
    starts = range(0, min(blocks * BLOCK, count), BLOCK)
    return [_digest(bot, range(start, start + BLOCK)) for start in starts]


def _digest(bot, numbers):
    whole = sha256()
    for number in numbers:
        known, seat, memory = fixed()[number]
        # Any seed that differs from position to position.
        act = levels.choose(bot, known, seat, memory, number * 0x9E3779B97F4A7C15 % 2**64)
        whole.update(format_act(act).encode() + b"\n")
    return whole.hexdigest()[:16]


def kept():
    """Return the digests that were written down, by level."""
    return json.loads(PLACE.read_text("utf-8"))["levels"]


def main(given):
    """Run from the command line; 1 where a level plays otherwise than it did."""
    found = kept()
    if given[:1] == ["--write"]:
        for name in given[1:]:
            if name in found:
                print(f"{name} is written down already: a change of play is a new version")
                return 1
            found[name] = digests(name)
        text = json.dumps({"about": ABOUT, "levels": found}, indent=1)
        PLACE.write_text(text + "\n", "utf-8")
        return 0
    status = 0
    for name in [*levels.LEVELS, "greedy@1"]:
        if name not in found:
            print(f"{name} is not written down: python -m tests.bots.frozen --write {name}")
            status = 1
        elif digests(name) != found[name]:
            print(f"{name} PLAYS OTHERWISE: a change of play is a new version")
            status = 1
        else:
            print(f"{name} plays as it did")
    return status


ABOUT = (
    "Each level's acts on 2,000 fixed positions (expert: 200, 20 iterations), a digest a hundred. "
    "A change of play is a new version in a module of its own; never change a line here."
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
