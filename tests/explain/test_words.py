"""What acts and score lines are called, and how numbers, cards and ranks are written."""

import pytest

from fairdeal.canasta import acts, explain
from fairdeal.canasta.describe import describe
from fairdeal.canasta.sentences import ENGLISH
from fairdeal.canasta.wording import (
    LONGEST,
    Apart,
    Card,
    Either,
    Many,
    Number,
    On,
    One,
    Phrase,
    Points,
    Some,
    plain,
)
from tests.canasta.positions import CANASTA, MIXED, at, do

OPEN = {"K": "KC KD KH"}


@pytest.mark.parametrize(
    ("value", "text", "json"),
    [
        (Number(0), "no", 0),
        (Number(12), "twelve", 12),
        (Number(13), "13", 13),
        (Points(1640), "1,640", 1640),
        (Some("9", 2), "two nines", 2),
        (Some("6", 1), "one six", 1),
        (One("JK", article=True), "a joker", "JK"),
        (One("K"), "king", "K"),
        (Many("6"), "sixes", "6"),
        (Card("9H"), "nine of hearts", "9H"),
        (Card("3D"), "three of diamonds", "3D"),
        (Card("JK"), "joker", "JK"),
        (Card("TS"), "ten of spades", "TS"),
        (Phrase("pair"), "a natural pair", "pair"),
        (Either((Phrase("pair"), Many("9"))), "a natural pair or nines", ["pair", "9"]),
        (On((Some("2", 1),), "8"), "one deuce on the eights", [1]),
        ((Some("K", 2), Some("JK", 1)), "two kings and one joker", [2, 1]),
        (
            (Some("K", 2), Some("2", 1), Some("JK", 1)),
            "two kings, one deuce and one joker",
            [2, 1, 1],
        ),
        (Apart(((Some("K", 2),), (Some("9", 3),))), "two kings; three nines", [[2], [3]]),
    ],
)
def test_a_value_is_written_in_words_and_read_by_programs(value, text, json):
    assert ENGLISH.write(value) == text
    assert plain(value) == json


@pytest.mark.parametrize(
    ("position", "act", "sentence"),
    [
        (lambda: at("4C", stock=44), "draw", "Draw one card from the stock, which holds 44 cards."),
        (
            lambda: at("9C", a={"9": "9D 9H 9S"}, pile="6C 9S"),
            "take 9",
            "Take the pile, two cards, by laying its top nine on your meld.",
        ),
        (
            lambda: at("9C", a={"9": "9D 9H 9S"}, pile="6C 9S"),
            "take 9;K:KC,KD,KH",
            "Take the pile, two cards, by laying its top nine on your meld. Lay three kings.",
        ),
        (
            lambda: at("9C", pile="6C 9S"),
            "take 9:9C,9D;K:KC,KD,2H",
            (
                "Take the pile, two cards, with two nines from your hand. "
                "Lay two kings and one deuce."
            ),
        ),
        (
            lambda: at("9C", phase="play"),
            "lay 8:2H;K:KC,KD,JK x 9C",
            (
                "Lay one deuce on the eights; two kings and one joker. "
                "Then discard the nine of clubs."
            ),
        ),
        (lambda: at("9C", phase="play"), "lay W:2C,2D,JK", "Lay two deuces and one joker."),
        (lambda: at("9C", phase="play"), "lay 3:3C,3S,3S", "Lay three black threes."),
        (lambda: at("9C", phase="play"), "discard TH", "Discard the ten of hearts."),
        (lambda: at("9C"), "ask", "Ask your partner whether to go out."),
        (lambda: at("9C"), "yes", "Answer yes: your partner is to go out."),
        (
            lambda: at("9C", permission_yes="may"),
            "yes",
            "Answer yes: go out or not.",
        ),
        (lambda: at("9C"), "no", "Answer no: your partner is not to go out."),
        (
            lambda: at("9C", stock=0),
            "end",
            "End the hand: the stock is empty and you leave the pile.",
        ),
        (
            lambda: do(at("4C 4D", stock="3D", a=OPEN, red3_last_stock="meld_then_end"), "draw"),
            "end",
            "End the hand: the stock ended with a red three.",
        ),
    ],
)
def test_an_act_is_said_in_words(position, act, sentence):
    assert describe(position(), acts.parse(act)) == sentence


def test_an_act_of_many_groups_is_said_by_its_numbers():
    groups = ";".join(f"{rank}:{rank}C,{rank}D,2H" for rank in "456789TJQKA")
    lay = describe(at("9C", phase="play"), acts.parse(f"lay {groups}"))
    assert lay == "Lay 33 cards in eleven melds."
    out = describe(at("9C", phase="play"), acts.parse(f"lay {groups} x 3S"))
    assert out == "Lay 33 cards in eleven melds. Then discard the three of spades."
    rest = groups.replace("9:9C,9D,2H;", "")
    take = describe(at("9C", pile="6C 9S"), acts.parse(f"take 9:9C,9D;{rest}"))
    assert take == "Take the pile, two cards, and lay 32 cards of yours in eleven melds."
    assert max(map(len, (lay, out, take))) <= LONGEST


def lines(position, side=0):
    return {one.code: (one.points, one.sentence) for one in explain.score_lines(position, side)}


def test_each_line_of_a_score_is_a_sentence():
    position = do(
        at(
            {0: "KH KS KD 4H", 1: "5C", 2: "4C", 3: "6D"},
            a={"9": CANASTA, "8": MIXED, "W": "2C 2D 2H 2S JK JK 2D"},
            red={"A": "3D"},
            phase="play",
            pile="6C",
            wild_melds="allowed",
            wild_canasta_bonus=2000,
        ),
        "lay K:KD,KH,KS x 4H",
    )
    assert lines(position) == {
        "CARDS": (380, "The cards on your side's table count 380."),
        "NATURAL_CANASTA": (500, "Natural canastas bring your side 500."),
        "MIXED_CANASTA": (300, "Mixed canastas bring your side 300."),
        "WILD_CANASTA": (2000, "Canastas of wild cards bring your side 2,000."),
        "RED_THREES": (100, "Your side has one red three on the table: 100."),
        "OUT": (100, "Going out brings your side 100."),
        "IN_HAND": (-5, "Cards left in your side's hands count 5 against it."),
    }
    assert lines(position, 1) == {
        "IN_HAND": (-10, "Cards left in your side's hands count 10 against it.")
    }


def test_bonuses_and_penalties_that_are_rare_have_sentences_too():
    whole = do(
        at("9C 9D 9H 9S 9C 9D 9H 4C", phase="play", pile="6C", concealed_canasta_bonus=100),
        "lay 9:9C,9C,9D,9D,9H,9H,9S x 4C",
    )
    assert lines(whole)["CONCEALED"] == (100, "Going out concealed brings your side 100 more.")
    assert lines(whole)["CONCEALED_CANASTA"] == (
        100,
        "Canastas laid whole from the hand bring your side 100.",
    )
    asked = do(
        at({0: "KH 4H", 2: "4C"}, a=OPEN, phase="play", pile="6C", permission_precheck=False),
        "ask",
        "yes",
    )
    assert lines(asked)["PENALTY"] == (-100, "Penalties count 100 against your side.")
    short = at("4C", a=OPEN, red={"A": "3D 3H"}, red3_negative_if="no_canasta")
    assert lines(short)["RED_THREES"] == (
        -200,
        "Your side has no canasta, so its two red threes count 200 against it.",
    )
