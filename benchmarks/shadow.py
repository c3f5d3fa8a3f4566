"""Playouts with a shadow: every act of the count core is done on a position beside it.

``shadow`` plays one hand and raises ``AssertionError`` where core and position part.
"""

from collections.abc import Iterator
from random import Random

from benchmarks.hands import dealt
from fairdeal.canasta import acts, cards, engine, legality, scoring
from fairdeal.canasta.counts import CLASS_OF_SLOT, Counts
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, to_act
from fairdeal.canasta.playout import position_of
from fairdeal.canasta.position import BLACK3_SLOT, SLOTS, WILD_SLOT, Position, Tally, slot_of
from fairdeal.canasta.referee import allows, faults
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.canasta.sampling import sample

_BY_VALUE = tuple(name for name in Tally.__slots__ if name != "pile")
_OWN = ("ice", "jokers", "needs", "reds", "standing")
WILD = (cards.DEUCE, cards.JOKER)
_TRIED = 0.5
_LONGEST = 5000
"""No hand of these rulesets takes as many acts: a longer one does not end."""


def words_of(chance: Random) -> Iterator[int]:
    """Give words for playouts, 32 bits each."""
    while True:
        yield chance.getrandbits(32)


def shadow(rules: Ruleset, seed: int) -> tuple[str, list[Move]]:
    """Deal one hand and play it on counts and on faces; give its end and its moves."""
    chance = Random(seed)
    return shadow_from(dealt(rules, chance), chance)


def shadow_from(position: Position, chance: Random) -> tuple[str, list[Move]]:
    """Play on from a position, which is changed, and on counts; give the end and the moves."""
    core, words, moves = Counts.from_position(position), words_of(chance), []
    while not core.end:
        move = sample(core, words)
        moves.append(move)
        assert allows(core, move)
        if chance.random() < _TRIED:
            assert_judged_alike(core, position, any_move(core, chance))
        act = to_act(position, position.turn, move)
        assert acts.parse(acts.format_act(act)) == act
        engine.check(position, position.turn, act)
        engine.play(position, position.turn, act)
        twin = core.copy() if chance.random() < 0.05 else None
        core.step(move)
        assert_alike(core, position)
        assert len(moves) < _LONGEST
        if twin is not None:
            twin.step(move)
            assert_same(twin, core)
            assert_same(Counts.from_position(position_of(core)), core)
    assert scoring.sheet(core) == scoring.sheet(position)
    return core.end, moves


def any_move(core: Counts, chance: Random) -> Move:
    """Give a move of cards that the seat in turn holds, or nearly so; most are illegal."""
    counts, kind = core.counts[core.turn], chance.choice((TAKE, LAY, LAY, DISCARD))
    left = [number + (chance.random() < 0.01) for number in counts]
    heaps: list[Heap] = []
    slots = chance.sample(range(SLOTS), SLOTS)
    top = slot_of(cards.CLASS_OF[core.pile[-1]]) if core.pile else 0
    if kind == TAKE and chance.random() < 0.95:
        slots = [top, *(slot for slot in slots if slot != top)]
    for slot in slots[: chance.choice((1, 1, 1, 2, 3))]:
        naturals = chance.randint(0, left[CLASS_OF_SLOT[slot]]) if slot != WILD_SLOT else 0
        wild = slot != BLACK3_SLOT and chance.random() < 0.5
        deuces, jokers = (chance.randint(0, left[klass] * wild) for klass in WILD)
        left[cards.DEUCE] -= deuces
        left[cards.JOKER] -= jokers
        left[CLASS_OF_SLOT[slot]] -= naturals if slot != WILD_SLOT else 0
        bare = kind == TAKE and not heaps and slot < WILD_SLOT
        if naturals + deuces + jokers or bare:
            heaps.append(Heap(slot, naturals, deuces, jokers))
    discard = -1
    held = [klass for klass, number in enumerate(left) if number > 0]
    if held and (kind == DISCARD or (kind == LAY and chance.random() < 0.2)):
        discard = chance.choice(held)
    if kind == DISCARD or not heaps:
        return Move(DISCARD, (), max(discard, 0))
    first = heaps[: kind == TAKE]
    return Move(kind, (*first, *sorted(heaps[len(first) :])), discard)


def assert_judged_alike(core: Counts, position: Position, move: Move) -> None:
    """Hold the two ways of judging on counts to each other, and to the judging of the act."""
    broken = tuple(faults(core, move))
    assert allows(core, move) == (not broken), move
    try:
        act = to_act(position, position.turn, move)
    except ValueError:
        assert "NOT_IN_HAND" in broken or "PILE_EMPTY" in broken
        return
    assert tuple(legality.faults(position, position.turn, act)) == broken, move


def assert_alike(core: Counts, position: Position) -> None:
    """Hold a core to a position: all that rules and scores look at."""
    for name in _BY_VALUE:
        assert getattr(core, name) == getattr(position, name), name
    assert classes(core.pile) == classes(position.pile)
    assert core.frozen == position.frozen
    for side in range(len(core.naturals)):
        assert core.opened(side) == position.opened(side)
        assert core.red_threes(side) == position.red_threes(side)
        assert core.laid_points(side) == position.laid_points(side)


def assert_same(one: Counts, other: Counts) -> None:
    """Hold one core to another."""
    for name in (*_BY_VALUE, *_OWN):
        assert getattr(one, name) == getattr(other, name), name
    assert classes(one.pile) == classes(other.pile)


def classes(pile: list[int]) -> list[int]:
    """Give the classes of a pile's cards."""
    return [cards.CLASS_OF[card] for card in pile]
