"""The engine and the verifier read docs/rules.md apart, and agree on every act that is tried."""

import random
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from fairdeal.canasta import engine
from fairdeal.errors import RuleBroken
from scripts.vectors import styles
from tests.verifier.both import Both, dealt, tries
from tests.verifier.refereed import bytes_of, check, codes, signed, whole

STYLES = (
    styles.greedy,
    styles.freezing,
    styles.patient,
    styles.finisher,
    styles.black_threes,
    styles.concealing,
)
# Both refuse, with one code of two: black threes laid by a side that may not go out at all.
NAMED_APART = {(("E_ACT_RULE", "KEEP_CARD"), ("E_ACT_RULE", "BLACK3_ONLY_GOING_OUT"))}
HANDS = 42
TRIES = 6
"""Acts of either kind tried in each position."""


def lawful(both: Both, chance: random.Random, style):
    """An act to go on with: mostly in a style, else any that is listed."""
    if chance.random() < 0.75:
        # A style may find itself where it would not have come by itself.
        with suppress(LookupError, RuleBroken):
            act = style(both.position, both.seat)
            engine.check(both.position, both.seat, act)
            return act
    return chance.choice(list(engine.legal_acts(both.position)))


def compared(number, most=TRIES):
    """Play a hand in both readings; every disagreement, and how often each answer was given."""
    chance = random.Random(f"two readings {number}")
    both = dealt(chance)
    style = styles.asking() if number % 7 == 6 else STYLES[number % 7]
    apart: list[Any] = []
    answers: Counter[Any] = Counter()
    while not both.position.end:
        for seat, text in tries(both, chance, most):
            engine_says, verifier_says = both.readings(seat, text)
            answers[engine_says] += 1
            said = (engine_says, verifier_says)
            if engine_says != verifier_says and said not in NAMED_APART:
                apart.append((number, seat, text, engine_says, verifier_says))
        both.do(lawful(both, chance, style))
    assert both.readings(both.seat, "draw") == (("E_ACT_TURN", None),) * 2
    mine, theirs = both.scores()
    assert mine == theirs
    answers[both.position.end] += 1
    return apart, answers


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_both_readings_answer_every_act_alike(part):
    answers: Counter[Any] = Counter()
    for number in range(part, HANDS, 6):
        apart, given = compared(number)
        assert apart == []
        answers += given
    assert answers[None] > 100
    assert sum(count for answer, count in answers.items() if answer) > 1000


def test_a_reading_that_differs_is_noticed(monkeypatch):
    says = Both.verifier_says

    def lenient(both, seat, text):
        answer = says(both, seat, text)
        return None if answer == ("E_ACT_RULE", "OPENING_MINIMUM") else answer

    monkeypatch.setattr(Both, "verifier_says", lenient)
    apart = [one for number in range(3) for one in compared(number)[0]]
    assert {(mine, theirs) for *_, mine, theirs in apart} == {
        (("E_ACT_RULE", "OPENING_MINIMUM"), None)
    }


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_a_bot_game_is_valid_pinned_by_its_receipts(number):
    """Games of different seeds and seats, some with all hands used up."""
    seats = ("pbbb", "bbbb", "pbpb", "pppp")[number % 4]
    sitting = whole(number, hands=16 if number % 3 else 2, seats=seats)
    report = check(bytes_of(sitting), signed(sitting))
    assert (report.verdict, codes(report)) == ("VALID", [])
    reason = sitting.records[-2].body["reason"]
    assert reason == ("complete" if number % 3 else "hands_used_up")
    assert {check.status for check in report.checks} <= {"ok", "not-applicable"}
