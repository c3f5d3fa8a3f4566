"""What is taught with a reason: a position that has it, and one without the fact that has not."""

from pathlib import Path

import pytest

from fairdeal.bots.reasons import ORDER, reasons
from fairdeal.bots.reasons.strategy import ADVICE, page
from fairdeal.bots.reasons.texts import WORDS
from fairdeal.bots.seen import see
from fairdeal.canasta import acts, engine
from fairdeal.canasta.memory import Memory
from fairdeal.canasta.moves import compose
from fairdeal.canasta.view import knowledge
from fairdeal.canasta.wording import LONGEST
from tests.canasta.positions import CANASTA, at

DOCS = Path(__file__).resolve().parents[2] / "docs"
KINGS = {"K": "KC KD KH"}
OUT = {**KINGS, "9": CANASTA}
FIVE_KINGS = {"K": "KC KC KD KD KH"}
SEVENS = {"7": "7C 7D 7H"}
QUEENS = "lay Q:QC,QD,QS"


def playing(hold, **more):
    return at(hold, phase="play", **more)


WITHOUT = {
    "only_move": (lambda: at("4C 9D 9H QS", a={"9": "9C 9D 9S"}, pile="9C"), "draw"),
    "must": (lambda: at("5C 7D 8H", a={"5": "5D 5H 5S"}, pile="9C 5C", stock=3), "take 5"),
    "goes_out": (lambda: playing("KS 4C 7D", a=OUT), "lay K:KS x 4C"),
    "concealed": (
        lambda: playing("9C 9C 9D 9D 9H 9H 9S KC KD KH 4C", a={"Q": "QC QD QH"}),
        "lay 9:9C,9C,9D,9D,9H,9H,9S;K:KC,KD,KH x 4C",
    ),
    "partner_may_lose": (lambda: playing({0: "KS 4C", 2: "4C 5C 6C 7C"}, a=OUT), "lay K:KS x 4C"),
    "asks_partner": (lambda: playing("KS 4C", a=OUT), "lay K:KS x 4C"),
    "answers_partner": (lambda: playing("KS 4C 5D", a=OUT), "discard 4C"),
    "opens_now": (lambda: playing("KC KD KH 4H 7D", a={"9": "9C 9D 9S"}), "lay K:KC,KD,KH"),
    "opens_cheaply": (
        lambda: playing("KC KD KH 9C 9D 9S 4H 7D"),
        "lay 9:9C,9D,9S;K:KC,KD,KH",
    ),
    "natural_canasta": (lambda: playing("KS 4H 7C", a=FIVE_KINGS), "lay K:KS"),
    "completes_canasta": (lambda: playing("2C 4H 7C", a=FIVE_KINGS), "lay K:2C"),
    "way_out": (lambda: playing("KS 4H 7C", a={**FIVE_KINGS, "9": CANASTA}), "lay K:KS"),
    "nearly_canasta": (lambda: playing("KS 4H 7C", a=KINGS), "lay K:KS"),
    "fat_pile": (lambda: at("9C 9D 4H", a=KINGS, pile="6S QH JD 9S"), "take 9:9C,9D"),
    "saves_wild": (lambda: playing("QC QD QS 5C 8D", a=KINGS), QUEENS),
    "they_may_go_out": (
        lambda: playing(
            {0: "QC QD QS 5C 8D", 1: "4C 4D 5D 6D", 3: "4C 4D 5D 6D"}, a=KINGS, b={"9": CANASTA}
        ),
        QUEENS,
    ),
    "stock_runs_out": (lambda: playing("QC QD QS 5C 8D", a=KINGS, stock=9), QUEENS),
    "lays_points": (lambda: playing("AC AD AS 5C 8D", a=KINGS), "discard 5C"),
    "pile_too_small": (lambda: at("9C 9D 4H QS", a=KINGS, pile="4C 6D 8S 9S"), "draw"),
    "pile_costs_wild": (lambda: at("9C 9D 2D 4H QS", a=KINGS, pile="4C 7D QH 6S 9S"), "draw"),
    "pile_blocked": (lambda: at("9C 9D 4H QS", a=KINGS, pile="3C 9S"), "draw"),
    "frozen_needs_pair": (lambda: at("9C 9D 4H QS", a=KINGS, pile="4C JK 6S 9S"), "draw"),
    "new_card": (lambda: at("9C 9D 4H QS", a=KINGS, pile="4C 9S"), "draw"),
    "black_three_safe": (lambda: playing("3C 9D 9S", a=KINGS, pile="4C 7D"), "discard 9D"),
    "freeze_pile": (lambda: playing("2C 9D 9S", a=KINGS, pile="4C JK TD"), "discard 2C"),
    "feeds_them": (lambda: playing("7S 9D 9S", b={"8": "8C 8D 8H"}, pile="4C"), "discard 7S"),
    "all_copies_seen": (
        lambda: playing("4S 9D 9S", a={"4": "4C 4C 4D 4D"}, b=KINGS, pile="4S TD"),
        "discard 4S",
    ),
    "few_unseen": (lambda: playing("4S 9D 9S", b=SEVENS, pile="4H 4D 4C 6C"), "discard 4S"),
    "frozen_shields": (lambda: playing("7S 9D 9S", b=SEVENS, pile="4C 5C"), "discard 7S"),
    "not_their_meld": (lambda: playing("7S 9D 9S", b=SEVENS, pile="4C"), "discard 7S"),
    "left_before": (lambda: playing("6S 9D 9S", b=SEVENS, pile="4C TD"), "discard 6S"),
    "thrown_before": (lambda: playing("6S 9D 9S", b=SEVENS, pile="4C TD"), "discard 6S"),
    "keeps_pair": (lambda: playing("6S 9D QS", b=SEVENS, pile="4C TD"), "discard 6S"),
    "sheds_points": (lambda: playing("9D 9S 2C", b=SEVENS, pile="4C TD"), "discard 2C"),
}
"""Code -> the example with the one fact changed on which the reason rests."""


def codes(position, text):
    act = acts.parse(text)
    engine.check(position, position.turn, act)
    known = knowledge(position, position.turn)
    seen = see(known, position.turn, Memory.fresh(position.rules.players))
    return [one.code for one in reasons(seen, compose(act)[0])]


@pytest.mark.parametrize("code", ORDER)
def test_the_position_of_a_reason_has_it_and_the_same_without_the_fact_has_it_not(code):
    advice = ADVICE[code]
    engine.check(advice.known, advice.known.turn, acts.parse(advice.act))
    assert code in [one.code for one in reasons(advice.seen, advice.move)]
    make, act = WITHOUT[code]
    assert code not in codes(make(), act)


@pytest.mark.parametrize(("stock", "is_near"), [(0, True), (8, True), (9, False)])
def test_the_end_of_the_stock_is_near_with_eight_cards(stock, is_near):
    position = playing("QC QD QS 5C 8D", a=KINGS, stock=stock)
    assert ("stock_runs_out" in codes(position, QUEENS)) == is_near


@pytest.mark.parametrize("code", ORDER)
def test_what_is_taught_is_a_title_a_paragraph_and_a_position_in_sentences(code):
    advice = ADVICE[code]
    assert 0 < len(advice.title) <= 40
    assert 100 < len(advice.text) < 600
    assert advice.text.endswith(".")
    assert all(one.endswith(".") for one in advice.position_told(WORDS))
    assert advice.act_told(WORDS)
    assert len(advice.act_told(WORDS)) <= LONGEST


def test_the_page_is_as_the_code_writes_it_and_has_each_reason_once():
    written = (DOCS / "strategy.md").read_text("utf-8")
    assert written == page(), "run: fairdeal rules page"
    assert [line[1:-1] for line in written.splitlines() if line[1:-1] in ORDER] == list(ORDER)


def test_the_position_of_a_page_says_what_is_held_laid_and_lying():
    said = ADVICE["left_before"].position_told(WORDS)
    assert said == (
        "You hold one six, two nines and two queens.",
        "Your side has laid three kings.",
        "The next side has laid three sevens.",
        "The pile, from the bottom: four of clubs, ten of diamonds.",
        "The stock holds 20 cards.",
        "The next seat has drawn while one of the sixes lay on top.",
    )
