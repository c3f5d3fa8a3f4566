"""Count accepted acts against the listed ones: every one splits into listed steps (decisions, 10).

    python -m benchmarks.closure --positions 1000

plays hands, and at positions on the way takes acts that ``check`` accepts: made of random groups
of the holding, of unions of listed acts, and, for small holdings, all that there are. Each must
split, suits aside, into steps of which every one is listed in the position that the former leaves;
a listed minimal set may be a step, a discard is the last.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from benchmarks.players import STYLES, played
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.judge import judge
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, class_of_slot, compose, to_act
from fairdeal.canasta.notation import parse_rules
from fairdeal.canasta.pile import top_fault
from fairdeal.canasta.position import BLACK3_SLOT, DRAW, PLAY, SLOTS, WILD_SLOT, Position, slot_of
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.shape import fits

LARGEST: Final = 12
"""Holdings up to this size are tried in full."""
_MOST_MOVES: Final = 20_000
"""A position with more compositions than this is sampled, however small its holding."""


def accepts(position: Position, move: Move) -> bool:
    """Say whether ``check`` accepts a move of cards that the seat in turn holds."""
    return next(judge(position, position.turn, move), None) is None


def is_closed(position: Position, move: Move) -> bool:
    """Say whether a move splits into listed steps."""
    return _splits(position, move, set())


def _splits(position: Position, move: Move, failed: set[Move]) -> bool:
    if not move.heaps and move.kind == LAY and move.discard < 0:
        return True
    if move in failed:
        return False
    for act in engine.legal_acts(position):
        if not isinstance(act, acts.Take | acts.Lay | acts.Discard):
            continue
        rest = _without(move, compose(act)[0])
        if rest is None:
            continue
        if rest == Move(LAY, ()):
            return True
        after = position.copy()
        engine.play(after, after.turn, act)
        if not after.end and _splits(after, rest, failed):
            return True
    failed.add(move)
    return False


def _without(move: Move, step: Move) -> Move | None:
    """Give what is left of a move after a listed step, or None where the step is no part of it."""
    if step.kind == DISCARD:
        whole = not move.heaps and step.discard == move.discard
        return Move(LAY, ()) if whole else None
    if step.kind != move.kind:
        return None
    left = {heap.slot: heap for heap in move.heaps}
    for heap in step.heaps:
        due = left.get(heap.slot, Heap(heap.slot, 0, 0, 0))
        rest = Heap(heap.slot, *(a - b for a, b in zip(due[1:], heap[1:], strict=True)))
        if min(rest[1:]) < 0:
            return None
        left[heap.slot] = rest
    heaps = tuple(heap for heap in left.values() if heap.size)
    # What a take leaves to do are lays: its top card lies on the table by then.
    return Move(LAY, heaps, move.discard) if heaps or move.discard < 0 else _last(move.discard)


def _last(discard: int) -> Move:
    return Move(LAY, (), discard)


def every_move(position: Position, most: int = _MOST_MOVES) -> list[Move] | None:
    """Give every take or lay of fitting shapes that the holding allows; None if too many."""
    found: list[Move] = []
    for move in _moves(position):
        found.append(move)
        if len(found) > most:
            return None
    return found


def _moves(position: Position) -> Iterator[Move]:
    seat = position.turn
    counts = position.counts[seat]
    taking = position.phase == DRAW
    top = slot_of(cards.CLASS_OF[position.pile[-1]]) if taking and position.pile else -1
    slots = [slot for slot in range(SLOTS) if slot != top]

    def extend(at: int, heaps: tuple[Heap, ...], deuces: int, jokers: int) -> Iterator[Move]:
        if at == len(slots):
            yield from _discards(position, heaps, taking=taking)
            return
        yield from extend(at + 1, heaps, deuces, jokers)
        for heap in _fitting(position, slots[at], deuces, jokers):
            yield from extend(at + 1, (*heaps, heap), deuces - heap.deuces, jokers - heap.jokers)

    deuces, jokers = counts[cards.DEUCE], counts[cards.JOKER]
    if not taking:
        yield from extend(0, (), deuces, jokers)
        return
    if top < 0 or top_fault(position) is not None:
        return
    for own in (Heap(top, 0, 0, 0), *_fitting(position, top, deuces, jokers, top=1)):
        yield from extend(0, (own,), deuces - own.deuces, jokers - own.jokers)


def _fitting(
    position: Position, slot: int, deuces: int, jokers: int, top: int = 0
) -> Iterator[Heap]:
    side = position.side_of[position.turn]
    before = position.naturals[side][slot], position.wilds[side][slot]
    held = 0 if slot == WILD_SLOT else position.counts[position.turn][class_of_slot(slot)]
    wild = slot != BLACK3_SLOT
    for naturals in range(held + 1):
        for twos in range(deuces * wild + 1):
            for jks in range(jokers * wild + 1):
                size = naturals + twos + jks
                if size and fits(position.rules, slot, before, naturals + top, twos + jks):
                    yield Heap(slot, naturals, twos, jks)


def _discards(position: Position, heaps: tuple[Heap, ...], *, taking: bool) -> Iterator[Move]:
    if taking:
        yield Move(TAKE, heaps)
        return
    if heaps:
        yield Move(LAY, heaps)
    left = position.counts[position.turn][:]
    for heap in heaps:
        left[class_of_slot(heap.slot)] -= heap.naturals
        left[cards.DEUCE] -= heap.deuces
        left[cards.JOKER] -= heap.jokers
    for klass in range(cards.RED3):
        if left[klass] > 0:
            yield Move(LAY if heaps else DISCARD, heaps, klass)


def sampled_moves(position: Position, chance: Random, tries: int = 40) -> set[Move]:
    """Give accepted moves of random groups, and of unions of listed acts, suits by chance."""
    listed = [compose(act)[0] for act in engine.legal_acts(position) if acts.groups_of(act)]
    listed += [
        compose(act)[0]
        for act in engine.legal_acts(position)
        if isinstance(act, acts.Take) and not act.groups
    ]
    found = set()
    for number in range(tries):
        move = _union(position, listed, chance) if listed and number % 2 else None
        move = move or _random_move(position, chance)
        if move is not None and _is_held(position, move) and accepts(position, move):
            found.add(move)
    return found


def _union(position: Position, listed: Sequence[Move], chance: Random) -> Move:
    chosen = chance.sample(listed, min(len(listed), chance.randint(1, 4)))
    base = chosen[0]
    heaps = {heap.slot: heap for heap in base.heaps}
    for move in chosen[1:]:
        for heap in move.heaps:
            heaps.setdefault(heap.slot, heap)
    return Move(base.kind, tuple(heaps.values()), _some_discard(position, base.kind, chance))


def _random_move(position: Position, chance: Random) -> Move | None:
    counts = position.counts[position.turn]
    taking = position.phase == DRAW
    slots = [slot for slot in range(SLOTS) if slot == WILD_SLOT or counts[class_of_slot(slot)]]
    heaps: list[Heap] = []
    if taking:
        if not position.pile or top_fault(position) is not None:
            return None
        top = slot_of(cards.CLASS_OF[position.pile[-1]])
        heaps.append(_random_heap(counts, top, chance))
        slots = [slot for slot in slots if slot != top]
    for slot in chance.sample(slots, chance.randint(0, min(4, len(slots)))):
        heap = _random_heap(counts, slot, chance)
        if heap.size:
            heaps.append(heap)
    kind = TAKE if taking else LAY
    discard = _some_discard(position, kind, chance)
    if not heaps:
        return Move(DISCARD, (), discard) if discard >= 0 else None
    return Move(kind, tuple(heaps), discard)


def _random_heap(counts: Sequence[int], slot: int, chance: Random) -> Heap:
    naturals = 0 if slot == WILD_SLOT else counts[class_of_slot(slot)]
    if chance.random() < 0.3:
        naturals = chance.randint(0, naturals)
    wild = slot != BLACK3_SLOT and (slot == WILD_SLOT or chance.random() < 0.4)
    deuces = chance.randint(0, counts[cards.DEUCE]) if wild else 0
    jokers = chance.randint(0, counts[cards.JOKER]) if wild else 0
    return Heap(slot, naturals, deuces, jokers)


def _some_discard(position: Position, kind: str, chance: Random) -> int:
    held = [klass for klass in range(cards.RED3) if position.counts[position.turn][klass]]
    return chance.choice(held) if kind == LAY and held and chance.random() < 0.5 else -1


def _is_held(position: Position, move: Move) -> bool:
    try:
        to_act(position, position.turn, move)
    except ValueError:
        return False
    return True


@dataclass
class Count:
    """What a run has looked at, and each move that does not split: where, and its text."""

    positions: int = 0
    in_full: int = 0
    acts: int = 0
    open: list[str] = field(default_factory=list)


def look(position: Position, chance: Random, count: Count) -> None:
    """Look at one position: in full where its holding is small, else by sampling."""
    moves: set[Move] | None = None
    if position.sizes[position.turn] <= LARGEST:
        every = every_move(position)
        if every is not None:
            moves = {move for move in every if accepts(position, move)}
            count.in_full += 1
    if moves is None:
        moves = sampled_moves(position, chance)
    count.positions += 1
    count.acts += len(moves)
    for move in moves:
        if not is_closed(position, move):
            count.open.append(acts.format_act(to_act(position, position.turn, move)))


def run(rules: Ruleset, positions: int, seed: int, share: float = 0.15) -> Count:
    """Play hands and look at a share of their positions until enough were looked at."""
    count, chance, hand = Count(), Random(seed), 0
    while count.positions < positions:
        style = STYLES[hand % len(STYLES)]
        for position, _, _ in played(rules, seed * 1_000_003 + hand, style):
            if position.phase in (DRAW, PLAY) and chance.random() < share:
                look(position, chance, count)
        hand += 1
    return count


def main() -> int:
    """Run from the command line; 1 where an accepted act does not split."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.closure", description=__doc__)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--preset", default="classic@1", help="NAME@1 or NAME@1;field=value;…")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start = time.process_time()
    count = run(parse_rules(asked.preset), asked.positions, asked.seed)
    print(
        f"{asked.preset}: {count.positions} positions ({count.in_full} in full), "
        f"{count.acts} accepted acts, {len(count.open)} outside the closure, "
        f"{time.process_time() - start:.1f} CPU-s"
    )
    for text in count.open[:20]:
        print("  outside:", text)
    return bool(count.open)


if __name__ == "__main__":
    sys.exit(main())
