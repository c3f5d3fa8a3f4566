"""Reasons are true: each is given exactly where what it says is so, in one order."""

import random
from collections import Counter
from itertools import islice

import pytest

from fairdeal.bots.reasons import ORDER, reasons
from fairdeal.bots.reasons.texts import TEXTS
from fairdeal.bots.seen import see
from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import compose
from fairdeal.canasta.notation import format_position
from fairdeal.canasta.position import Position
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import LONGEST
from tests.bots import truths
from tests.bots.truths import World
from tests.explain.games import pick, rulesets, walk

LAST = ("new_card", "sheds_points")


def worlds(seed, rules):
    """Give legal acts before positions of random play, with all that was played before."""
    rng = random.Random(seed)
    memory = Memory.fresh(rules.players)
    played: list[tuple[int, acts.Act]] = []
    before: list[Position] = []
    up: list[str] | None = None
    for position, seat, act in walk(rules, rng):
        if act is None:
            return
        if up is None:
            up = [cards.FACES[card] for card in position.pile]
        listed = list(islice(engine.legal_acts(position), 60))
        tried = {
            acts.format_act(one): one for one in (act, pick(position, rng), rng.choice(listed))
        }
        for one in tried.values():
            yield World(position, one, up, tuple(played), tuple(before)), memory
        memory = memory.after(position, seat, act)
        played.append((seat, act))
        before.append(position)


def given(world, memory):
    seat = world.seat
    return reasons(see(knowledge(world.position, seat), seat, memory), compose(world.act)[0])


def due(world):
    """Give the facts of each reason that has to be given, or those of which one has to be."""
    found = {
        code: facts
        for code in ORDER
        if code not in LAST and (facts := getattr(truths, code)(world)) is not None
    }
    if found:
        return found
    return {code: facts for code in LAST if (facts := getattr(truths, code)(world)) is not None}


def check(world, memory):
    told = given(world, memory)
    where = (format_position(world.position), acts.format_act(world.act))
    wanted = due(world)
    assert [one.code for one in told] == list(wanted), where
    for one in told:
        facts = wanted[one.code]
        assert one.facts in (facts if isinstance(facts, list) else [facts]), (one, where)
        assert 0 < len(one.sentence) <= LONGEST
        assert one.sentence.endswith(".")
    return told


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_a_reason_is_given_exactly_where_it_is_true_and_every_move_has_one(part):
    met: Counter[str] = Counter()
    for number, rules in enumerate(rulesets()):
        for world, memory in worlds(100 * part + number, rules):
            found = check(world, memory)
            assert found
            met.update(one.code for one in found)
    assert len(met) > 25


def test_a_few_moves_of_each_ruleset_have_true_reasons():
    for number, rules in enumerate(rulesets()):
        for world, memory in islice(worlds(number, rules), 0, 60, 3):
            assert check(world, memory)


def test_each_code_has_its_truth_and_its_sentences():
    assert set(TEXTS) == set(ORDER)
    assert all(callable(getattr(truths, code)) for code in ORDER)


def test_a_question_says_whether_the_seat_could_go_out():
    seen = 0
    for number in range(40):
        rules = rulesets()[number % 14]
        for world, memory in worlds(1000 + number, rules):
            if isinstance(world.act, acts.Ask):
                (told,) = [one for one in given(world, memory) if one.code == "asks_partner"]
                assert told.sentence.startswith("You can go out") == truths.can_go_out(world)
                seen += 1
    assert seen > 5
