"""Explanations hold on positions of random play over every preset: codes, remedies, lengths."""

import pytest

from fairdeal.canasta import acts, engine, explain
from fairdeal.canasta.describe import describe
from fairdeal.canasta.legality import faults
from fairdeal.canasta.notation import format_position
from fairdeal.canasta.sentences import CODES
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import LONGEST
from fairdeal.errors import RuleBroken
from tests.explain.games import hidden_permuted, positions, random_act

# What a shut turn cannot break: these codes have no witness to try.
NO_WITNESS = {"CANNOT_GO_OUT"}


def sentences(found):
    yield found.headline
    for can in found.can:
        yield can.sentence
        yield from (one.sentence for one in can.warnings)
    for cannot in found.cannot:
        yield cannot.refusal.sentence
    for door in found.doors:
        yield door.sentence


@pytest.mark.slow
def test_choices_agree_with_the_rules_and_stay_short():
    remedies = 0
    for position, _ in positions(350, seed=41):
        for seat in range(position.rules.players):
            found = explain.choices(position, seat)
            assert all(0 < len(one) <= LONGEST for one in sentences(found))
            assert [door.name for door in found.doors] == ["pair", "natural_wild", "lay_on_meld"]
            if seat != position.turn or position.end:
                assert not found.can
                continue
            assert [one.act for one in found.can] == [
                acts.format_act(act) for act in engine.legal_acts(position)
            ]
            for door in found.doors:
                if door.open:
                    engine.check(position, seat, acts.parse(door.act))
            for one in found.cannot:
                if one.act and one.refusal.code not in NO_WITNESS:
                    act = acts.parse(one.act)
                    assert one.refusal.code in set(faults(position, seat, act)), one
                if one.remedy:
                    remedies += 1
                    after = engine.apply(position, seat, acts.parse(one.remedy)).position
                    engine.check(after, seat, acts.parse(one.act))
    assert remedies > 20


@pytest.mark.slow
def test_what_is_refused_is_explained_whole_and_a_remedy_makes_it_legal():
    remedies, met = 0, set()
    for position, rng in positions(1500, seed=42):
        seat = rng.randrange(position.rules.players) if rng.random() < 0.3 else position.turn
        act = random_act(position, seat, rng)
        found = explain.judge_cards(position, seat, act)
        broken = list(dict.fromkeys(faults(position, seat, act)))
        assert [one.code for one in found][: len(broken)] == broken
        assert all(0 < len(one.sentence) <= LONGEST for one in found)
        assert len(describe(position, act)) <= LONGEST
        met |= set(broken)
        if not broken:
            engine.check(position, seat, act)
            continue
        with pytest.raises(RuleBroken) as refused:
            engine.check(position, seat, act)
        assert refused.value.sentence == found[0].sentence
        assert refused.value.facts == {
            "broken": broken,
            "rule": found[0].rule,
            **found[0].facts,
            **found[0].counts,
        }
        remedy = explain.remedy(knowledge(position, seat), seat, act)
        if remedy:
            remedies += 1
            after = engine.apply(position, seat, acts.parse(remedy)).position
            assert list(faults(after, seat, act)) == [], (format_position(position), remedy)
    assert remedies > 20
    assert len(met) > 20
    assert met <= set(CODES)


@pytest.mark.slow
def test_no_sentence_or_fact_uses_what_the_seat_cannot_see():
    changed = 0
    for position, rng in positions(120, seed=43):
        for seat in range(position.rules.players):
            twin = hidden_permuted(position, seat, rng)
            changed += format_position(twin) != format_position(position)
            assert explain.choices(twin, seat) == explain.choices(position, seat)
            for _ in range(4):
                act = random_act(position, seat, rng)
                here = explain.judge_cards(position, seat, act)
                assert explain.judge_cards(twin, seat, act) == here
                known, other = knowledge(position, seat), knowledge(twin, seat)
                assert explain.remedy(known, seat, act) == explain.remedy(other, seat, act)
    assert changed > 200


def test_what_a_seat_knows_explains_as_the_whole_position_does():
    for position, _ in positions(40, seed=44):
        seat = position.turn
        known = knowledge(position, seat)
        assert explain.choices(known, seat) == explain.choices(position, seat)
