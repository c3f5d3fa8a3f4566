"""The count core plays as the engine does: every act, every ruleset, every end."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from benchmarks.hands import cards_of, dealt
from benchmarks.players import LAYING, played
from benchmarks.rulesets import by_chance, preset
from benchmarks.shadow import (
    any_move,
    assert_alike,
    assert_judged_alike,
    shadow,
    shadow_from,
    words_of,
)
from fairdeal.canasta import acts, cards, engine, legality, options, presets, scoring
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.moves import DISCARD, LAY, TAKE, Heap, Move, compose, to_act
from fairdeal.canasta.playout import playout, position_of
from fairdeal.canasta.position import BLACK3_SLOT, DRAW, PLAY, WILD_SLOT, Position
from fairdeal.canasta.referee import allows, faults
from fairdeal.canasta.sampling import sample
from fairdeal.canasta.shape import fits
from fairdeal.canasta.tables import BLACK3_KEY, WILD_KEY, tables_of
from fairdeal.canasta.view import knowledge
from tests.canasta.positions import CANASTA, CLASSIC, at, do, rules

ACE, KING, NINE = 10, 9, 5


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(presets.PRESETS))
def test_a_preset_is_played_as_the_engine_plays_it(name):
    for seed in range(12):
        shadow(preset(name), seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_a_ruleset_by_chance_is_played_as_the_engine_plays_it(block):
    for seed in range(40 * block, 40 * block + 40):
        shadow(by_chance(Random(seed)), seed)


@pytest.mark.slow
def test_hands_end_in_every_way_and_use_every_kind_of_act():
    ends, kinds = Counter[str](), Counter[str]()
    base = {"red3_last_stock": "continue_turn", "permission_precheck": False}
    for seed in range(70):
        asking = rules(**base, stock_empty="optional") if seed % 2 else preset("bicycle@1")
        end, moves = shadow(asking, seed)
        ends[end] += 1
        kinds.update(move.kind for move in moves)
        kinds["sets"] += any(len(move.heaps) > 1 for move in moves)
    assert set(ends) >= {"WENT_OUT", "STOCK_EXHAUSTED", "LAST_STOCK_RED3"}
    due = {"draw", "take", "lay", "discard", "show", "ask", "yes", "no", "end", "sets"}
    assert set(kinds) == due


def test_a_playout_says_how_many_acts_it_played_and_leaves_the_scores_of_the_hand():
    for seed in range(10):
        position = dealt(CLASSIC, Random(seed))
        core, words, twin = Counts.from_position(position), words_of(Random(seed)), position.copy()
        stepped, number = core.copy(), 0
        other = words_of(Random(seed))
        while not stepped.end:
            move = sample(stepped, other)
            engine.play(twin, twin.turn, to_act(twin, twin.turn, move))
            stepped.step(move)
            number += 1
        assert playout(core, words) == number
        assert scoring.sheet(core) == scoring.sheet(twin)
        assert core.end == twin.end


def test_a_copy_goes_its_own_way():
    core = Counts.from_position(dealt(preset("partnership@1"), Random(3)))
    words = words_of(Random(3))
    for _ in range(40):
        core.step(sample(core, words))
    twin, kept = core.copy(), position_of(core)
    playout(twin, words)
    assert_alike(core, kept)
    assert twin.end
    assert not core.end


@pytest.mark.parametrize("seed", range(8))
def test_counts_become_faces_of_the_same_deck(seed):
    position = dealt(CLASSIC, Random(seed))
    core, words = Counts.from_position(position), words_of(Random(seed))
    for _ in range(15 * seed):
        if not core.end:
            core.step(sample(core, words))
    again = position_of(core)
    assert cards_of(again) == cards_of(position)
    assert_alike(core, again)


def test_what_a_seat_knows_is_enough_for_its_counts():
    for position, seat, act in played(CLASSIC, 5, LAYING):
        known = Counts.from_position(knowledge(position, seat))
        if known.phase in (DRAW, PLAY):
            assert allows(known, compose(act)[0])
        if known.phase == PLAY:
            lays = list(options.lays(position))
            assert list(options.lays(known)) == lays
        assert position_of(known).sizes == position.sizes


SITUATIONS = [
    at("4C 4D 4H 5C 9D 2S JK KC", a={"9": CANASTA, "K": "KC KD 2C"}, phase="play"),
    at("4C 4D 5C 9D 2S KC", a={"K": "KC KD 2C"}, pile="8C KH", wild_melds="allowed"),
    at("KC KD KH KS AC AD 4C 4D 4H 9S", phase="play"),
    at("KC KD 7C 7D 7H AC AD 2C", pile="5C KH", totals=(1500, 0)),
    at("9D 9C", a={"9": CANASTA}, phase="play"),
    at("3C 3S 3C 9D", a={"9": CANASTA}, phase="play"),
    at("9D 4C", a={"9": "9C 9C 9S"}, pile="8C 9H", stock=0),
    at(
        "4C 4D 4H 4S 4C 4D 4H 9S 8D",
        phase="play",
        opening_canasta_satisfies=True,
        totals=(3000, 0),
    ),
]


@pytest.mark.parametrize("number", range(len(SITUATIONS)))
def test_every_listed_act_is_sampled_sooner_or_later(number):
    position = SITUATIONS[number]
    words = words_of(Random(number))
    core = Counts.from_position(position)
    seen = {_ordered(sample(core, words)) for _ in range(30_000)}
    listed = {_ordered(compose(act)[0]) for act in engine.legal_acts(position)}
    assert listed - seen <= {Move("ask")}
    assert all(allows(core, move) for move in seen)


def _ordered(move: Move) -> Move:
    first = 1 if move.kind == TAKE else 0
    return move._replace(heaps=(*move.heaps[:first], *sorted(move.heaps[first:])))


MIXED = "8C 8C 8D 8D 8H 8H 2S"
WILD: dict[str, Any] = {
    "wild_melds": "allowed",
    "top_blocks": ["black3", "red3"],
    "take_frozen": ["pair", "lay_on_meld"],
}
MELD_THEN_END: dict[str, Any] = {"red3_last_stock": "meld_then_end"}
GO_ON: dict[str, Any] = {"red3_last_stock": "continue_turn"}
OTHERS = {1: "4S 5S 6S 7S", 2: "TS JS QS KS", 3: "4H 5H 6H 7H"}


def corner(hold: str, **given: Any) -> Position:
    """A position in which the other seats have cards too, so that the hand can go on."""
    return at({0: hold, **OTHERS}, **given)


CORNERS = {
    "a joker on the pile joins a wild meld": corner(
        "2C 2D JK 9D 4C 5C",
        a={"WILD": "2C 2D JK"},
        pile="4C JK",
        **WILD,
    ),
    "a deuce on the pile joins a wild meld": corner(
        "2C 2D JK 9D 4C 5C",
        a={"WILD": "2C 2D JK"},
        pile="4C 2D",
        **WILD,
    ),
    "red threes of the pile find only red threes": corner(
        "9D 9C", a={"9": CANASTA}, pile="3D 3H 9H", stock="3D 3H", red3_from_pile_replaced=True
    ),
    "the same, with nothing to go out with": corner(
        "9D 9C", a={"9": "9C 9D 9H"}, pile="3D 9H", stock="3D", red3_from_pile_replaced=True
    ),
    "the same, and a turn that was judged with two cards more is stuck": corner(
        "9D 9C", a={"9": "9S 9D 9H"}, pile="3D 3H 9H", stock="3D 3H", red3_from_pile_replaced=True
    ),
    "the partner said no": do(
        corner("9D 9C 9H 4C", a={"9": CANASTA, "K": "KC KD KH"}, phase="play"), "ask", "no"
    ),
    "the partner said yes": do(
        corner("9D 9C 9H KS 4C", a={"9": CANASTA, "K": "KC KD KH"}, phase="play"), "ask", "yes"
    ),
    "the way out needs a natural canasta": corner(
        "9D 8C", a={"8": MIXED, "9": "9C 9D 9H"}, phase="play", go_out_needs_natural=True
    ),
    "the way out needs a yes": corner(
        "9D 8C", a={"9": CANASTA}, phase="play", permission="required"
    ),
    "the way out needs a discard": corner(
        "9D 9C 8C", a={"9": CANASTA}, phase="play", go_out_discard="required"
    ),
    "the same through the pile": corner(
        "9D 9C", a={"9": CANASTA}, pile="9H", go_out_discard="required"
    ),
    "the hand ends with the stock": corner(
        "9D 9C 4C 5D", a={"9": CANASTA}, pile="5C 9H", stock=0, stock_empty="end"
    ),
    "a take is compulsory": corner("9D 4C 5D", a={"9": CANASTA}, pile="5C 9H", stock=0),
    "any take is compulsory": corner(
        "KD KC 5D 4C 7D", a={"9": CANASTA}, pile="5C KH", stock=0, stock_empty="must_if_any"
    ),
    "black threes are held": corner("3C 3C 3S 3S 9D", a={"9": CANASTA}, phase="play"),
    "a canasta opens by itself": corner(
        "4C 4D 4H 4S 4C 4D 4H 9S 8D", phase="play", opening_canasta_satisfies=True, totals=(3000, 0)
    ),
    "a concealed hand needs no minimum": corner(
        "4C 4D 4H 4S 4C 4D 4H 9S", phase="play", totals=(3000, 0)
    ),
    "the last card of the stock is a red three": corner(
        "9D 4C 4D", a={"9": CANASTA}, stock="3D", **MELD_THEN_END
    ),
    "the same, and the turn goes on": corner("9D", a={"9": "9C 9D 9H"}, stock="3D", **GO_ON),
}


def ended(core: Counts) -> str:
    """How the hand ended; empty while it runs."""
    return core.end


@pytest.mark.parametrize("name", CORNERS)
def test_in_a_corner_of_the_rules_counts_and_faces_part_nowhere(name):
    position, chance = CORNERS[name], Random(name)
    for _ in range(15):
        shadow_from(position.copy(), chance)
    core = Counts.from_position(position)
    for _ in range(1500):
        assert_judged_alike(core, position, any_move(core, chance))


def test_a_red_three_in_a_holding_is_no_discard():
    position, chance = at("3H 9D 9C", a={"9": CANASTA}, phase="play"), Random(1)
    core = Counts.from_position(position)
    assert list(faults(core, Move(DISCARD, (), cards.RED3))) == ["RED3_NOT_DISCARDABLE"]
    assert not allows(core, Move(DISCARD, (), cards.RED3))
    for _ in range(500):
        assert_judged_alike(core, position, any_move(core, chance))


def test_after_the_last_red_three_the_hand_may_be_ended_at_once():
    core = Counts.from_position(CORNERS["the last card of the stock is a red three"])
    core.step(Move("draw"))
    words = words_of(Random(2))
    assert Move("end") in {sample(core, words) for _ in range(100)}
    assert allows(core, Move("end"))
    assert not allows(core, Move(DISCARD, (), NINE))
    assert not allows(core, Move(LAY, (Heap(NINE, 1, 0, 0),), 0))


@pytest.mark.parametrize("permission", ["off", "optional", "required"])
def test_a_hand_ends_where_only_a_question_is_left_that_no_yes_helps(permission):
    position = at(
        "JK",
        stock="3D",
        permission=permission,
        permission_precheck=False,
        **GO_ON,
    )
    core = Counts.from_position(position)
    core.step(Move("draw"))
    assert ended(core) == "NO_LEGAL_COMPLETION"
    assert engine.apply(position, 0, acts.Draw()).position.end == core.end


def test_a_hand_goes_on_where_a_yes_lets_the_last_card_go_out():
    position = at(
        "9D",
        a={"9": CANASTA},
        stock="3D",
        permission="required",
        **GO_ON,
    )
    core, words = Counts.from_position(position), words_of(Random(0))
    core.step(Move("draw"))
    assert not ended(core)
    assert {sample(core, words) for _ in range(50)} == {Move("ask")}
    core.step(Move("ask"))
    core.step(Move("no"))
    assert ended(core) == "NO_LEGAL_COMPLETION"


def test_a_wild_top_card_is_never_taken_with_no_card_beside_it():
    tables = tables_of(rules(**WILD))
    there = WILD_KEY | 3 << 12
    assert set(tables.firsts[there | 2]) == {(0, 1), (0, 2)}


def test_a_lay_with_its_discard_and_more_than_a_minimal_set_are_sampled():
    position = SITUATIONS[2]
    words = words_of(Random(1))
    core = Counts.from_position(position)
    seen = {_ordered(sample(core, words)) for _ in range(30_000)}
    kings, aces, fours = Heap(KING, 4, 0, 0), Heap(ACE, 2, 0, 0), Heap(0, 3, 0, 0)
    assert Move(LAY, (fours, kings)) in seen
    assert Move(LAY, (fours, kings), NINE) in seen
    assert not any(aces in move.heaps for move in seen)


def test_a_question_is_put_where_it_may_be():
    position = at("9D 9C 9H 4C", a={"9": CANASTA}, phase="play")
    core, words = Counts.from_position(position), words_of(Random(0))
    assert Move("ask") in {sample(core, words) for _ in range(5000)}
    shut = Counts.from_position(at("9D 8C 7H 4C", a={"9": CANASTA}, phase="play"))
    assert Move("ask") not in {sample(shut, words) for _ in range(5000)}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move(DISCARD, (), KING), "NOT_IN_HAND"),
        (Move(DISCARD, (), cards.RED3), "NOT_IN_HAND"),
        (Move(LAY, (Heap(NINE, 2, 0, 0),)), "NOT_IN_HAND"),
        (Move(LAY, (Heap(0, 1, 1, 1),)), "MIN_NATURALS"),
        (Move(LAY, (Heap(WILD_SLOT, 0, 1, 1),)), "ALL_WILD_MELD"),
        (Move(LAY, (Heap(BLACK3_SLOT, 1, 0, 0),)), "MIN_SIZE"),
        (Move(TAKE, (Heap(NINE, 1, 0, 0),)), "WRONG_PHASE"),
        (Move("draw"), "WRONG_PHASE"),
        (Move("show"), "WRONG_PHASE"),
        (Move("yes"), "WRONG_PHASE"),
        (Move("end"), "WRONG_PHASE"),
        (Move("ask"), "CANNOT_GO_OUT"),
    ],
)
def test_an_illegal_move_is_refused_as_the_act_is(move, code):
    position = at("9D 4C 2C JK 3C 8H", a={"9": CANASTA}, phase="play")
    core = Counts.from_position(position)
    assert not allows(core, move)
    assert next(faults(core, move)) == code
    if move.kind in (LAY, DISCARD):
        assert_judged_alike(core, position, move)


def test_nothing_is_legal_once_the_hand_is_over():
    core = Counts.from_position(at("9D", a={"9": CANASTA}, phase="play"))
    core.step(Move(DISCARD, (), NINE))
    assert core.end == "WENT_OUT"
    for move in (Move("draw"), Move("end"), Move(DISCARD, (), NINE)):
        assert list(faults(core, move)) == ["NOT_YOUR_TURN"]
        assert not allows(core, move)


@pytest.mark.parametrize("seed", range(5))
def test_the_tables_hold_what_the_predicates_say(seed):
    chance = Random(seed)
    ruleset = by_chance(chance)
    tables = tables_of(ruleset)
    for _ in range(200):
        there = chance.randint(0, 8), chance.randint(0, 4)
        held, wild = chance.randint(0, 8), chance.randint(0, 4)
        kind, slot = chance.choice([(0, KING), (WILD_KEY, WILD_SLOT), (BLACK3_KEY, BLACK3_SLOT)])
        if slot == WILD_SLOT:
            there, held = (0, there[1]), 0
        if slot == BLACK3_SLOT:
            there, wild = (there[0], 0), 0
        key = kind | there[0] << 18 | there[1] << 12 | held << 6 | wild
        due = {
            (n, w)
            for n in range(held + 1)
            for w in range(wild + 1)
            if n + w and fits(ruleset, slot, there, n, w)
        }
        assert set(tables.lays[key]) == due
        assert tables.joins[key] == ((held, wild) in due)


def test_a_pickup_uses_the_door_that_is_open():
    closed = at("KC 2C 8C 7D", a={"Q": "QC QD QH"}, pile="2D 4C KH")
    pair = at("KC KD 8C 7D", a={"Q": "QC QD QH"}, pile="2D 4C KH")
    assert Move(TAKE, (Heap(KING, 1, 1, 0),)) not in _sampled(closed)
    assert Move(TAKE, (Heap(KING, 2, 0, 0),)) in _sampled(pair)
    opened = at("KC 2C 8C 7D", a={"Q": "QC QD QH"}, pile="5D 4C KH")
    assert Move(TAKE, (Heap(KING, 1, 1, 0),)) in _sampled(opened)


def _sampled(position, times=2000):
    core, words = Counts.from_position(position), words_of(Random(9))
    return {sample(core, words) for _ in range(times)}


def test_an_act_and_its_move_are_judged_alike_in_every_phase():
    for name in ("classic@1", "bicycle@1", "two-player-pagat@1"):
        for position, seat, act in played(preset(name), 11, LAYING):
            core = Counts.from_position(position)
            for text in ("draw", "end", "ask", "yes", "no", "show"):
                word = acts.parse(text)
                due = list(legality.faults(position, seat, word))
                assert list(faults(core, compose(word)[0])) == due
                assert allows(core, compose(word)[0]) == (not due)
            assert allows(core, compose(act)[0])


def test_a_take_that_opens_high_enough_with_its_top_card_must_still_lay_fitting_groups():
    position = at("AC AD 2C JK JK KC 8H", pile="5C AH")
    core = Counts.from_position(position)
    good = Heap(ACE, 2, 0, 0)
    assert allows(core, Move(TAKE, (good,)))
    assert not allows(core, Move(TAKE, (good, Heap(KING, 1, 1, 2))))
    assert not allows(core, Move(TAKE, (good, Heap(KING, 1, 0, 0))))
