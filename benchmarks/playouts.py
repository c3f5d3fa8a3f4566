"""Random hands and replays on counts, measured beside OpenSpiel's and RLCard's gin rummy.

    python -m benchmarks.playouts               the figures R1 and R2, copies, explanations
    python -m benchmarks.playouts --check 5000  hands of all presets and of rulesets by chance,
                                                every act of the core repeated on a position

Peers belong to the optional dependency group ``bench`` of pyproject.toml; one that is not there
is named as not run. Ratios count CPU time of one interleaved run.
"""

import argparse
import platform
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from random import Random
from typing import Final

from benchmarks import peers
from benchmarks.hands import dealt
from benchmarks.players import EVEN, played
from benchmarks.rulesets import by_chance, preset
from benchmarks.shadow import shadow
from benchmarks.timing import ROUNDS, against, ratio, show, side_by_side
from fairdeal.canasta import acts, engine, presets
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.explain.choices import choices
from fairdeal.canasta.explain.doors import doors
from fairdeal.canasta.moves import Move, compose
from fairdeal.canasta.playout import playout
from fairdeal.canasta.position import Position
from fairdeal.canasta.referee import allows

CLASSIC: Final = presets.build("classic@1")
_OURS: Final = "playouts on counts"
_DEALT: Final = "the same, each hand dealt anew"
_BY_COUNTS: Final = "counts: check and apply"
_BY_CHECK: Final = "positions: check and play"
_BY_TEXT: Final = "positions: parse, check and play"
_BY_LIST: Final = "positions: list, find and play"


def words_of(chance: Random) -> Iterator[int]:
    """Give words of 32 bits without end, made a block at a time."""
    blocks = (array("I", chance.randbytes(4096)) for _ in repeat(None))
    return chain.from_iterable(blocks)


def main() -> int:
    """Run from the command line; 1 where core and position part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.playouts", description=__doc__)
    parser.add_argument("--check", type=int, metavar="N", help="check N hands instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    if asked.check is not None:
        return check(asked.check, asked.seed)
    run(asked.rounds, asked.seed)
    return 0


def check(hands: int, seed: int) -> int:
    """Play hands on counts and faces side by side, one in three of a preset, the rest by chance."""
    ends, kinds, start = Counter[str](), Counter[str](), time.process_time()
    for number in range(hands):
        chance = Random(seed * 1_000_003 + number)
        names = sorted(presets.PRESETS)
        by_name = number % 3 == 0
        rules = preset(names[number // 3 % len(names)]) if by_name else by_chance(chance)
        try:
            end, moves = shadow(rules, seed * 1_000_003 + number)
        except Exception:
            print(f"hand {number} of seed {seed} parts:", rules)
            raise
        ends[end] += 1
        kinds.update(_kind(move) for move in moves)
    print(
        f"{hands} hands, {kinds.total()} acts, {time.process_time() - start:.0f} CPU-s: all alike"
    )
    print("  ends:", ", ".join(f"{name} {count}" for name, count in ends.most_common()))
    print("  acts:", ", ".join(f"{name} {count}" for name, count in kinds.most_common()))
    return 0


def _kind(move: Move) -> str:
    several = " of several groups" if len(move.heaps) > 1 else ""
    return move.kind + several + (" with a discard" if move.heaps and move.discard >= 0 else "")


def run(rounds: int = ROUNDS, seed: int = 1) -> None:
    """Measure and print everything."""
    chance = Random(seed)
    print(f"\nPlayouts and replays, {rounds} rounds each, Python {platform.python_version()}")
    playing, replaying, missing = peers.found(chance)
    random_play(chance, playing, rounds)
    replays(replaying, rounds)
    for name in missing:
        print(f"  not run: {name} is not installed ({peers.HOW})")
    states(rounds)
    explanations(rounds)


def random_play(chance: Random, playing: dict[str, peers.Case], rounds: int) -> None:
    """R1: random legal acts to the end of the hand."""
    words = words_of(chance)
    hands = [dealt(CLASSIC, chance) for _ in range(40)]

    def ours() -> int:
        return sum(playout(Counts.from_position(hand), words) for hand in hands)

    def dealt_anew() -> int:
        return sum(playout(Counts.from_position(dealt(CLASSIC, chance)), words) for _ in range(20))

    timed = side_by_side({_OURS: ours, _DEALT: dealt_anew, **playing}, rounds)
    show("R1: random play, classic@1, full law", timed, "acts")
    a_hand = sum(ours() for _ in range(5)) / (5 * len(hands))
    print(
        f"  {a_hand:.0f} acts a hand: {timed[_OURS].rate / a_hand:,.0f} hands/CPU-s "
        + against(timed[_OURS].rate / a_hand, "at least 1,000")
    )
    goals = {peers.OPEN_SPIEL: 3, peers.RLCARD_GAME: 5, peers.RLCARD_ENV: 20}
    for name, goal in goals.items():
        if name in timed:
            ratio(f"against {name}", timed[name], timed[_OURS], f"at least {goal}")


def replays(replaying: dict[str, peers.Case], rounds: int) -> None:
    """R2: recorded hands again, every act judged first."""
    recorded = [list(played(CLASSIC, seed, EVEN)) for seed in range(6)]
    starts = [hand[0][0] for hand in recorded]
    done = [[act for _, _, act in hand] for hand in recorded]
    texts = [[acts.format_act(act) for act in hand] for hand in done]
    moves = [[compose(act)[0] for act in hand] for hand in done]

    def by_counts() -> int:
        for start, hand in zip(starts * 10, moves * 10, strict=True):
            core = Counts.from_position(start)
            step = core.step
            for move in hand:
                if not allows(core, move):
                    raise AssertionError(move)
                step(move)
        return 10 * sum(map(len, moves))

    def on_positions(look: Callable[[Position, acts.Act], None]) -> Callable[[], int]:
        def case() -> int:
            for start, hand in zip(starts, done, strict=True):
                position = start.copy()
                for act in hand:
                    look(position, act)
                    engine.play(position, position.turn, act)
            return sum(map(len, done))

        return case

    def by_text() -> int:
        for start, hand in zip(starts, texts, strict=True):
            position = start.copy()
            for text in hand:
                act = acts.parse(text)
                engine.check(position, position.turn, act)
                engine.play(position, position.turn, act)
        return sum(map(len, texts))

    cases = {
        _BY_COUNTS: by_counts,
        _BY_CHECK: on_positions(lambda position, act: engine.check(position, position.turn, act)),
        _BY_TEXT: by_text,
        _BY_LIST: on_positions(_find),
        **replaying,
    }
    timed = side_by_side(cases, rounds)
    show("R2: replay of random hands, classic@1", timed, "acts")
    ratio("listing against checking, positions", timed[_BY_LIST], timed[_BY_CHECK], "at least 2.5")
    ratio("listing against checking on counts", timed[_BY_LIST], timed[_BY_COUNTS], "at least 2.5")
    if peers.OPEN_SPIEL_APPLY in timed:
        peer = timed[peers.OPEN_SPIEL_APPLY]
        ratio("open_spiel against counts", peer, timed[_BY_COUNTS], "at least 10")
        ratio("open_spiel against positions", peer, timed[_BY_CHECK], "at least 10")


def _find(position: Position, act: acts.Act) -> None:
    assert act in list(engine.legal_acts(position))


def states(rounds: int) -> None:
    """Copies of the working state against an act carried out on it."""
    seen = [(position, seat, act) for position, seat, act in played(CLASSIC, 1, EVEN)]
    cores = [(Counts.from_position(position), compose(act)[0]) for position, _, act in seen]

    def each(work: Callable[[int], object]) -> Callable[[], int]:
        def case() -> int:
            for number in range(len(seen)):
                work(number)
            return len(seen)

        return case

    cases: dict[str, Callable[[], int]] = {
        "position: copy": each(lambda at: seen[at][0].copy()),
        "position: apply": each(lambda at: engine.apply(*seen[at])),
        "counts: copy": each(lambda at: cores[at][0].copy()),
        "counts: copy, check and step": each(lambda at: _applied(*cores[at])),
    }
    timed = side_by_side(cases, rounds)
    show("States in the course of a hand", timed, "times")
    copy, apply, core_copy, core_apply = timed.values()
    ratio("copy against apply, positions", copy, apply, "at most 5")
    ratio("copy against apply, counts", core_copy, core_apply, "at most 5")


def _applied(core: Counts, move: Move) -> None:
    after = core.copy()
    assert allows(after, move)
    after.step(move)


def explanations(rounds: int) -> None:
    """The list with the reasons of the closed doors, for 15 cards, against one check."""
    rules = presets.build("two-player@1")
    asked = [
        (position, seat, act)
        for seed in range(3)
        for position, seat, act in played(rules, seed, EVEN)
        if position.sizes[seat] == 15
    ][:20]

    def each(work: Callable[[Position, int, acts.Act], object], times: int) -> Callable[[], int]:
        def case() -> int:
            for one in asked * times:
                work(*one)
            return len(asked) * times

        return case

    timed = side_by_side(
        {
            "legal acts, and the doors with reasons": each(_listed_with_doors, 2),
            "choices: all of it, warnings too": each(lambda at, seat, _: choices(at, seat), 1),
            "check": each(engine.check, 20),
        },
        rounds,
    )
    show(f"Explanations, {len(asked)} holdings of 15 cards, two-player@1", timed, "times")
    listing, whole, check_one = timed.values()
    ratio("listing with reasons against one check", listing, check_one, "at most 50")
    ratio("choices against one check", whole, check_one, "none set")


def _listed_with_doors(position: Position, seat: int, _act: acts.Act) -> object:
    return doors(position, seat, tuple(engine.legal_acts(position)))


if __name__ == "__main__":
    sys.exit(main())
