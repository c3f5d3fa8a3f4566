"""What holds at every act of every hand, whoever plays it."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hands import cards_of, dealt, points_of
from benchmarks.players import STYLES, played
from fairdeal.bots import greedy
from fairdeal.canasta import acts, cards, engine, presets
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import Position, Tally
from fairdeal.canasta.ruleset import clashes
from fairdeal.canasta.view import knowledge, seat_view
from fairdeal.errors import RuleBroken
from tests.canasta.positions import CLASSIC
from tests.published import VECTORS

seeds = st.integers(0, 2**32)
styles = st.sampled_from(STYLES)
few = settings(max_examples=12)

DOCUMENT = json.loads((VECTORS.parent / "cases" / "canasta-scenarios.json").read_text("utf-8"))
CODES = set(DOCUMENT["conventions"]["codes"]["reasons"])


def state(position: Position) -> dict[str, object]:
    """Everything that a position holds, by value."""
    names = (*Tally.__slots__, *Position.__slots__)
    return {name: _frozen(getattr(position, name)) for name in names}


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


@few
@given(seeds, styles)
def test_every_act_keeps_the_108_cards_and_1580_points(seed, style):
    full = None
    for position, seat, act in played(CLASSIC, seed, style):
        after = engine.apply(position, seat, act).position
        full = full or cards_of(position)
        assert cards_of(after) == full
        assert points_of(after) == 1580
        assert sum(full) == 108
        check_counts(after)


def check_counts(position: Position) -> None:
    """The counts by class are those of the cards, on every holding and meld."""
    for held, counts, size in zip(position.held, position.counts, position.sizes, strict=True):
        by_class = [sum(held[card] for card in numbers) for numbers in cards.CARDS_OF]
        assert (by_class, sum(held)) == (counts, size)
        assert min(held) >= 0
    for side, melds in enumerate(position.laid):
        for slot, meld in enumerate(melds):
            wilds = sum(cards.is_wild(cards.CLASS_OF[card]) for card in meld)
            assert position.wilds[side][slot] == wilds
            assert position.naturals[side][slot] == len(meld) - wilds


@few
@given(seeds, styles)
def test_there_is_a_legal_act_until_the_end_and_every_listed_one_passes(seed, style):
    for position, seat, _ in played(CLASSIC, seed, style):
        listed = list(engine.legal_acts(position))
        assert listed
        assert len(set(listed)) == len(listed)
        for act in listed:
            engine.check(position, seat, act)
            assert acts.parse(acts.format_act(act)) == act


@few
@given(seeds, styles)
def test_every_hand_ends(seed, style):
    *_, (position, seat, act) = played(CLASSIC, seed, style)
    after = engine.apply(position, seat, act).position
    assert after.end in ("WENT_OUT", "STOCK_EXHAUSTED", "LAST_STOCK_RED3")
    assert list(engine.legal_acts(after)) == []


@few
@given(seeds, styles)
def test_an_act_leaves_the_position_that_it_is_applied_to_alone(seed, style):
    for position, seat, act in played(CLASSIC, seed, style):
        before = state(position)
        after = engine.apply(position, seat, act).position
        assert state(position) == before
        again = engine.apply(position, seat, act).position
        assert state(after) == state(again)


@few
@given(seeds, styles)
def test_listing_judging_and_showing_change_nothing(seed, style):
    for position, seat, act in played(CLASSIC, seed, style):
        before = state(position)
        list(engine.legal_acts(position))
        for other in range(4):
            list(faults(position, other, act))
            seat_view(position, other)
            knowledge(position, other)
        greedy.choose(knowledge(position, seat), seat)
        assert state(position) == before


hostile_acts = st.lists(
    st.sampled_from(
        [acts.Draw(), acts.End(), acts.Ask(), acts.Answer(True), acts.Answer(False), acts.Show()]
        + [acts.Discard(face) for face in ("JK", "3D", "3C", "4C", "KS")]
        + [acts.Take(rank) for rank in "4K"]
        + [acts.Take("K", ("KC", "KD")), acts.Lay((acts.Group("A", ("AC", "AD", "2C")),))]
        + [acts.Lay((acts.Group("3", ("3C", "3S", "3D")),), "4C")]
    ),
    min_size=1,
    max_size=4,
)


@few
@given(seeds, styles, hostile_acts)
def test_a_refused_act_changes_nothing_and_names_known_rules(seed, style, tried):
    for position, _, _ in played(CLASSIC, seed, style):
        before = state(position)
        for seat in range(4):
            for act in tried:
                refused(position, seat, act)
        assert state(position) == before


def refused(position, seat, act):
    codes = tuple(dict.fromkeys(faults(position, seat, act)))
    assert set(codes) <= CODES
    if not codes:
        return
    with pytest.raises(RuleBroken) as refusal:
        engine.apply(position, seat, act)
    assert refusal.value.codes == codes


@few
@given(seeds, styles)
def test_a_seat_knows_all_that_its_legal_acts_depend_on(seed, style):
    for position, seat, _ in played(CLASSIC, seed, style):
        known = knowledge(position, seat)
        assert list(engine.legal_acts(known)) == list(engine.legal_acts(position))


def swapped(position: Position, seat: int, chance: Random) -> Position:
    """The same position with all cards that a seat has not seen dealt out anew."""
    other = position.copy()
    seats = [one for one in range(position.rules.players) if one != seat]
    hidden = list(position.stock[position.drawn :])
    for one in seats:
        hidden += [card for card, n in enumerate(position.held[one]) for _ in range(n)]
    chance.shuffle(hidden)
    # Red threes stay in the stock: no holding ever has one.
    red = [card for card in hidden if cards.CLASS_OF[card] == cards.RED3]
    plain = [card for card in hidden if cards.CLASS_OF[card] != cards.RED3]
    for one in seats:
        other.held[one] = [0] * cards.CARD_KINDS
        other.counts[one] = [0] * cards.CLASSES
        for card in [plain.pop() for _ in range(position.sizes[one])]:
            other.held[one][card] += 1
            other.counts[one][cards.CLASS_OF[card]] += 1
    rest = red + plain
    chance.shuffle(rest)
    other.stock = position.stock[: position.drawn] + tuple(rest)
    return other


@few
@given(seeds, styles)
def test_hidden_cards_change_nothing_that_a_seat_sees_or_a_bot_does(seed, style):
    chance = Random(seed)
    for position, seat, _ in played(CLASSIC, seed, style):
        other = swapped(position, seat, chance)
        assert cards_of(other) == cards_of(position)
        assert seat_view(other, seat) == seat_view(position, seat)
        assert list(engine.legal_acts(other)) == list(engine.legal_acts(position))
        mine = knowledge(position, seat)
        assert state(knowledge(other, seat)) == state(mine)
        assert greedy.choose(knowledge(other, seat), seat) == greedy.choose(mine, seat)


@few
@given(seeds, styles)
def test_the_texts_of_the_acts_replay_to_the_same_states(seed, style):
    twin = dealt(CLASSIC, Random(seed))
    for position, seat, act in played(CLASSIC, seed, style):
        assert state(twin) == state(position)
        engine.play(twin, seat, acts.parse(acts.format_act(act)))


@few
@given(seeds)
def test_a_bot_acts_legally_and_alike(seed):
    for position, seat, act in played(CLASSIC, seed, "greedy"):
        assert next(faults(position, seat, act), None) is None
        assert greedy.choose(knowledge(position, seat), seat) == act


def test_a_bot_out_of_turn_has_nothing_to_choose():
    position = dealt(CLASSIC, Random(0))
    with pytest.raises(ValueError, match="not in turn"):
        greedy.choose(knowledge(position, 0), (position.turn + 1) % 4)


# Rulesets that differ in many fields at once: what the engine promises holds for all of them.


@st.composite
def rulesets(draw):
    names = [name for name in presets.PRESETS if not presets.missing(name)]
    base = presets.build(draw(st.sampled_from(names)))
    alone = base.sides != "partners"
    changes = {
        "draw_count": st.integers(1, 3),
        "red3_initial_when": st.sampled_from(["before_first_turn", "at_own_first_turn"]),
        "red3_from_pile_replaced": st.booleans(),
        "red3_last_stock": st.sampled_from(["end_hand", "meld_then_end", "continue_turn"]),
        "wild_ratio": st.sampled_from(["free", "le_naturals", "lt_naturals"]),
        "meld_max_wilds": st.sampled_from([None, 0, 2, 3]),
        "meld_max_size": st.sampled_from([None, 7, 8]),
        "canasta_min_naturals": st.sampled_from([0, 4, 5]),
        "wild_melds": st.just("allowed"),
        "wild_on_natural_canasta": st.sampled_from(["demotes", "forbidden"]),
        "incomplete_meld_limit": st.sampled_from([None, 1, 2, 3]),
        "opening_compare": st.sampled_from(["ge", "gt"]),
        "opening_concealed_exempt": st.sampled_from(["never", "stock_draw", "always"]),
        "opening_canasta_satisfies": st.booleans(),
        "frozen_before_opening": st.booleans(),
        "black3_effect": st.sampled_from(["block", "freeze"]),
        "always_frozen": st.booleans(),
        "take_unfrozen": st.sampled_from(
            [["pair"], ["pair", "lay_on_meld"], ["natural_wild", "lay_on_meld"], ["lay_on_meld"]]
        ),
        "take_frozen": st.sampled_from([["pair"], ["lay_on_meld"], ["pair", "natural_wild"]]),
        "lay_on_completed_canasta": st.booleans(),
        "one_card_hand_one_card_pile": st.sampled_from(["forbidden", "allowed"]),
        "buried_usable_same_turn": st.booleans(),
        "canastas_to_go_out": st.integers(0, 3),
        "go_out_discard": st.sampled_from(["optional", "required"]),
        "keep_card_guard": st.sampled_from(["strict", "lookahead"]),
        "permission": st.just("off") if alone else st.sampled_from(["off", "optional", "required"]),
        "permission_yes": st.sampled_from(["must_go_out", "may"]),
        "permission_precheck": st.booleans(),
        "concealed_scope": st.sampled_from(["player", "side"]),
        "concealed_needs_own_canasta": st.booleans(),
        "concealed_after_pile": st.booleans(),
        "concealed_lay_on_partner": st.booleans(),
        "stock_empty": st.sampled_from(["end", "optional", "must_if_fits_meld", "must_if_any"]),
    }
    names = draw(st.sets(st.sampled_from(sorted(changes)), max_size=8))
    chosen = {name: draw(changes[name]) for name in sorted(names)}
    frozen: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in chosen.items()}
    made = replace(base, **frozen)
    return made if not clashes(made) else base


@settings(max_examples=60)
@given(rulesets(), seeds, styles)
def test_under_any_ruleset_no_hand_gets_stuck_and_nothing_listed_is_refused(rules, seed, style):
    full = None
    for number, (position, seat, act) in enumerate(played(rules, seed, style)):
        full = full or cards_of(position)
        assert cards_of(position) == full
        listed = list(engine.legal_acts(position))
        assert listed
        for one in listed:
            assert next(faults(position, seat, one), None) is None, acts.format_act(one)
            assert acts.parse(acts.format_act(one)) == one
        assert listed == list(engine.legal_acts(knowledge(position, seat)))
        assert next(faults(position, seat, act), None) is None
        assert number < 2000
