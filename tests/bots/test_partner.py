"""The partner's question: when a bot asks, and how it answers (docs/decisions/0012)."""

import pytest

from fairdeal.bots import levels, partner
from fairdeal.canasta import acts, engine
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.view import knowledge
from tests.canasta.positions import CANASTA, at

SHARED = ("steady@1", "sharp@1")
"""The quick levels that answer by the rule; ``expert@1`` has its own test."""
MELDS = {"9": CANASTA, "K": "KC KD KH"}
LOOSE_100 = "AH AS QH QD JS JD TH TS"
"""Cards of 100 points, none of which could be laid."""


def about_to(hold="KS 5H", partner_holds="4C", **more):
    """The turn of seat 0, which has drawn and may lay all but a card."""
    given = {"a": MELDS, "phase": "play", "pile": "4S", "situation": {"drew": "stock"}} | more
    return at({0: hold, 2: partner_holds}, **given)


def does(name, position):
    """What a level does in turn, as text."""
    known = knowledge(position, position.turn)
    blank = Memory.fresh(position.rules.players)
    return acts.format_act(levels.choose(name, known, position.turn, blank, 0))


@pytest.mark.parametrize("name", SHARED)
def test_it_asks_wherever_it_may_and_could_go_out(name):
    assert does(name, about_to()) == "ask"
    assert does(name, about_to("KS 5H 7C 8C")) != "ask"
    assert does(name, about_to(permission="off")) != "ask"


@pytest.mark.parametrize("name", SHARED)
def test_it_goes_out_with_a_yes_and_stays_with_a_no(name):
    asked = engine.apply(about_to(), 0, acts.parse("ask")).position
    after = {
        answer: engine.apply(asked, 2, acts.parse(answer)).position for answer in ("yes", "no")
    }
    went = engine.apply(after["yes"], 0, acts.parse(does(name, after["yes"]))).position
    if not went.end:
        went = engine.apply(went, 0, acts.parse(does(name, went))).position
    assert went.out == 0
    stayed = after["no"]
    while stayed.turn == 0:
        stayed = engine.apply(stayed, 0, acts.parse(does(name, stayed))).position
    assert not stayed.end


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize(
    ("hold", "answer"),
    [
        (LOOSE_100, "yes"),
        (f"{LOOSE_100} 4C", "no"),
        (f"{LOOSE_100} KS KC", "yes"),
        (f"{LOOSE_100} 2C JK", "yes"),
        (f"{LOOSE_100} 7C 7D 7H", "yes"),
        (f"{LOOSE_100} 7C 7D", "no"),
        (f"{LOOSE_100} 3C", "no"),
        ("AH AS QH QD JS JD TH 4S 6H", "yes"),
        ("AH AS QH QD JS JD TH 4S 6H 7C", "no"),
    ],
)
def test_it_answers_yes_unless_more_than_100_points_could_not_be_laid(name, hold, answer):
    asked = engine.apply(about_to(partner_holds=hold), 0, acts.parse("ask")).position
    assert does(name, asked) == answer


def test_wild_cards_without_room_count_as_loose():
    def loose(hold, melds):
        position = at({0: hold}, a=melds, phase="play", pile="4S")
        return partner.loose_points(Counts.from_position(position), 0)

    assert loose("2C 2D JK", {"K": "KC KD KH"}) == 0
    assert loose("2C 2D JK JK", {"K": "KC KD KH"}) == 20
    assert loose("2C 2D JK JK", {"K": "KC KD KH", "9": "9C 9D 9H 2D"}) == 0
    assert loose("JK QH QD QS", {"K": "KC KD 2H 2D 2S"}) == 0
    assert loose("JK QH QD", {"K": "KC KD 2H 2D 2S"}) == 70


def test_random_answers_by_chance():
    asked = engine.apply(about_to(), 0, acts.parse("ask")).position
    known, blank = knowledge(asked, 2), Memory.fresh(4)
    found = {
        acts.format_act(levels.choose("random@1", known, 2, blank, seed)) for seed in range(20)
    }
    assert found == {"yes", "no"}
