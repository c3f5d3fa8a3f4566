"""Rare corners of the rules on hands made for them: what is due, of both readings.

``draw`` in a script is carried out; ``draw?`` or ``lay ...?CODE`` is only tried, and refused by
the code where one is given. Of an act that ends the hand the end stands behind ``=``.
"""

import pytest

from benchmarks.twohands import Dealt, start_engine, start_verifier
from fairdeal.canasta import acts, cards, engine, scoring
from fairdeal.canasta.legality import faults
from fairdeal.canasta.ruleset import from_json
from verifier.canasta.acts import apply_act
from verifier.canasta.fields import CLASSIC_1
from verifier.canasta.grammar import parse_act
from verifier.canasta.refusal import refusal
from verifier.canasta.score import score_lines

KINGS = "KC KC KD KD KH KH KS"
FOURS = "4C 4C 4D 4D 4H 4H 4S"
LAY_KINGS = "lay K:KC,KC,KD,KD,KH,KH,KS"
LAY_FOURS = "lay 4:4C,4C,4D,4D,4H,4H,4S"
LOW = {"totals": [-50, 0]}  # an opening minimum of 15
HIGH = {"totals": [3000, 0]}  # of 120
LAST_RED = {"red3_last_stock": "meld_then_end"}
REPLACED = {"red3_from_pile_replaced": True, **LOW}


class Two:
    """A hand in both readings; seat 0 is first, all others hold one card."""

    def __init__(self, hold, up, stock, *, totals=(0, 0), others=("5C", "6C", "7C"), **changes):
        rules = from_json({**CLASSIC_1, **changes})
        deck = cards.deck(rules.decks, rules.jokers)
        free = list(range(len(deck)))

        def pick(words):
            picked = []
            for face in words.split():
                picked.append(next(card for card in free if deck[card] == face))
                free.remove(picked[-1])
            return picked

        dealt = Dealt(
            deck=deck,
            hands=[pick(hold), *map(pick, others)],
            laid=[[]] * 4,
            up=pick(up),
            stock=pick(stock),
            first_seat=0,
            totals=list(totals),
        )
        self.engine, self.verifier = start_engine(rules, dealt), start_verifier(rules, dealt)

    def codes(self, text):
        seat = self.engine.turn
        theirs = list(faults(self.engine, seat, acts.parse(text)))
        refused = refusal(self.verifier, seat, parse_act(text))
        return theirs, (refused.rule or refused.code) if refused else None

    def do(self, script):
        for line in script:
            text, tried, code = line.partition("?")
            text, _, end = text.partition(" = ")
            theirs, ours = self.codes(text)
            if code:
                assert ours == code, (text, ours)
                assert code in theirs, (text, theirs)
                continue
            assert (theirs, ours) == ([], None), (text, theirs, ours)
            if tried:
                continue
            effect = engine.play(self.engine, self.engine.turn, acts.parse(text))
            assert (list(effect.took), list(effect.shown)) == apply_act(
                self.verifier, parse_act(text)
            )
            assert (self.verifier.end or "", self.engine.end) == (end, end), text
            assert self.engine.concealed == self.verifier.concealed
        return self

    def lines(self):
        theirs = [list(score.lines) for score in scoring.sheet(self.engine)]
        assert theirs == [score_lines(self.verifier, side) for side in range(2)]
        return dict(theirs[0])


CASES = {
    "a draw takes as many as are left": (
        Two("9C 9D", "8H", "3H 8C", draw_count=4),
        ["draw", "discard 8C"],
    ),
    "two cards drawn, the last a red three": (
        Two("9C 9D", "8H", "8C 3H", draw_count=2),
        ["draw", "discard 8C"],
    ),
    "only red threes left end the hand": (
        Two("9C 9D", "8H", "3D 3H", draw_count=2),
        ["draw = LAST_STOCK_RED3"],
    ),
    "one card and no completion": (
        Two("9C", "8H", "3D", red3_last_stock="continue_turn"),
        ["draw = NO_LEGAL_COMPLETION"],
    ),
    "two cards, and the turn goes on": (
        Two("9C 9D", "8H", "3D", red3_last_stock="continue_turn"),
        ["draw", "discard 9C"],
    ),
    "one card that may go out only by a yes": (
        Two(
            f"{KINGS} 9C",
            "8H",
            "8D 8S 8C 9D 3D",
            red3_last_stock="continue_turn",
            permission="required",
        ),
        [
            *("draw", LAY_KINGS, "discard 8D", "draw", "discard 8S", "draw", "discard 8C"),
            *("draw", "discard 9D", "draw", "discard 9C?PARTNER_SAID_NO", "ask", "yes?"),
            "no = NO_LEGAL_COMPLETION",
        ],
    ),
    "after the last red three the turn lays and ends": (
        Two(f"{KINGS} 9C", "8H", "3D", **LAST_RED),
        [
            *("draw", "discard 9C?NO_DISCARD_AFTER_LAST_RED3"),
            *(f"{LAY_KINGS} x 9C?NO_DISCARD_AFTER_LAST_RED3", "end?", LAY_KINGS),
            "end = LAST_STOCK_RED3",
        ],
    ),
    "after the last red three one card may be kept by the strict guard": (
        Two("KC KD KH 9C", "8H", "3D", **LAST_RED, **LOW, keep_card_guard="strict"),
        ["draw", "lay K:KC,KD,KH", "end = LAST_STOCK_RED3"],
    ),
    "after the last red three all may be laid": (
        Two(f"{KINGS} KS", "8H", "3D", **LAST_RED),
        ["draw", "lay K:KC,KC,KD,KD,KH,KH,KS,KS = WENT_OUT"],
    ),
    "after the last red three and a no the turn may end": (
        Two("KC KD", "8H", "3D", **LAST_RED, permission_precheck=False),
        ["draw", "ask", "no", "end = LAST_STOCK_RED3"],
    ),
    "black threes that leave a card that cannot go after the last red three": (
        Two(f"{KINGS} 3C 3S 3C 9D", "8H", "3D", **LAST_RED),
        ["draw", LAY_KINGS, "lay 3:3C,3C,3S?BLACK3_ONLY_GOING_OUT", "end = LAST_STOCK_RED3"],
    ),
    "a replaced red three counts as a card kept": (
        Two("9C 9D 8D", "3H 9H", "3D 8C", **REPLACED),
        ["take 9:9C,9D", "discard 8D"],
    ),
    "a red three is not replaced where the rules do not say so": (
        Two("9C 9D 8D", "3H 9H", "3D 8C", **LOW),
        ["take 9:9C,9D?KEEP_CARD"],
    ),
    "an empty stock replaces nothing": (
        Two("9C 9D 8D", "3H 9H", "", **REPLACED),
        ["take 9:9C,9D?KEEP_CARD"],
    ),
    "a replacement that is a red three leaves one card": (
        Two("9C 9D 8D", "3H 9H", "3D", **REPLACED),
        ["take 9:9C,9D = NO_LEGAL_COMPLETION"],
    ),
    "a replacement that is a red three leaves none, and the side may go out": (
        Two("9C 9D", "3H 9H", "3D", **REPLACED, canastas_to_go_out=0),
        ["take 9:9C,9D = WENT_OUT"],
    ),
    "a replacement that is a red three leaves none, and a discard is required": (
        Two("9C 9D", "3H 9H", "3D", **REPLACED, canastas_to_go_out=0, go_out_discard="required"),
        ["take 9:9C,9D = NO_LEGAL_COMPLETION"],
    ),
    "a first turn shows its red threes": (
        Two("3H 3D 9C 9D", "8H", "3H 3D 8C 8D 7D", red3_initial_when="at_own_first_turn"),
        [
            *("draw?WRONG_PHASE", "end?WRONG_PHASE", "show"),
            *("show?WRONG_PHASE", "draw", "discard 7D"),
        ],
    ),
    "an exempt opening through the pile": (
        Two("4C 4D 4D 4H 4H 4S 5D 5H 5S 9D", "4C", "8C", **HIGH, opening_concealed_exempt="always"),
        [
            "take 4:4C,4D,4D,4H,4H,4S?OPENING_MINIMUM",
            *("take 4:4C,4D,4D,4H,4H,4S;5:5D,5H,5S", "discard 9D = WENT_OUT"),
        ],
    ),
    "no exempt opening through the pile where that is never concealed": (
        Two(
            "4C 4D 4D 4H 4H 4S 5D 5H 5S 9D",
            "4C",
            "8C",
            **HIGH,
            opening_concealed_exempt="always",
            concealed_after_pile=False,
        ),
        ["take 4:4C,4D,4D,4H,4H,4S;5:5D,5H,5S?OPENING_MINIMUM"],
    ),
    "a wild meld has a largest size too": (
        Two(
            "2C 2C 2D 2D 2H 2H 2S 2S JK 9D 9C",
            "8H",
            "8C",
            wild_melds="allowed",
            wild_meld_extend=True,
            meld_max_size=8,
        ),
        [
            *("draw", "lay W:2C,2C,2D,2D,2H,2H,2S,2S,JK?CANASTA_CLOSED"),
            *("lay W:2C,2D?MIN_SIZE", "lay W:2C,2C,2D,2D,2H,2H,2S,2S"),
        ],
    ),
    "black threes have no largest size": (
        Two(
            "3C 3C 3C 3C 3S 3S 3S 3S",
            "8H",
            "9D",
            **LOW,
            decks=4,
            meld_max_size=7,
            canastas_to_go_out=0,
        ),
        ["draw", "lay 3:3C,3C,3C,3C,3S,3S,3S,3S x 9D = WENT_OUT"],
    ),
    "cards of the pile wait": (
        Two("9C 9D 8C 8D", "8H 9H", "9S", **LOW, buried_usable_same_turn=False),
        ["take 9:9C,9D", "lay 8:8C,8D,8H?NOT_IN_HAND", "discard 8H"],
    ),
    "a hand ends with the stock": (
        Two("9C 9D 8C 8D", "8S 9H", "", **LOW, stock_empty="end"),
        ["take 9:9C,9D?STOCK_EMPTY", "draw?STOCK_EMPTY", "end = STOCK_EXHAUSTED"],
    ),
    "any legal take is compulsory": (
        Two("9C 9D 8C 8D", "8S 9H", "", **LOW, stock_empty="must_if_any"),
        ["end?MUST_TAKE_PILE", "take 9:9C,9D"],
    ),
    "a take that opens only with more groups is compulsory": (
        Two("9C 9D TC TD TH 8D 4D", "8S 9H", "", totals=(0, 0), stock_empty="must_if_any"),
        ["take 9:9C,9D?OPENING_MINIMUM", "end?MUST_TAKE_PILE", "take 9:9C,9D;T:TC,TD,TH"],
    ),
    "a take that cannot open is not compulsory": (
        Two("9C 9D TC TD TH 8D 4D", "8S 9H", "", **HIGH, stock_empty="must_if_any"),
        ["end = STOCK_EXHAUSTED"],
    ),
    "a yes that only allows binds nobody": (
        Two(KINGS, "8H", "9D", permission_yes="may"),
        ["draw", "ask", "yes", "discard 9D"],
    ),
    "going out needs its discard": (
        Two(f"{KINGS} KS KS", "8H", "KD", go_out_discard="required", decks=3),
        [
            "draw",
            "lay K:KC,KC,KD,KD,KD,KH,KH,KS,KS,KS?DISCARD_REQUIRED",
            "lay K:KC,KC,KD,KD,KD,KH,KH,KS,KS x KS = WENT_OUT",
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_say_what_is_due(name):
    two, script = CASES[name]
    two.do(script)


def test_a_yes_that_cannot_be_followed_costs_points_and_binds_nobody():
    for word in ("must_go_out", "may"):
        two = Two("9C 9D", "8H", "8D", permission_precheck=False, permission_yes=word)
        assert two.do(["draw", "ask", "yes", "discard 9C"]).lines()["PENALTY"] == -100


def test_red_threes_never_shown_cost_points_and_are_not_booked():
    changes = {"red3_initial_when": "at_own_first_turn", "red3_unexposed_penalty": 500}
    two = Two("9C 9D", "8H", "", **changes, stock_empty="optional", others=("5C", "3H 6C", "3D 7C"))
    two.do(["end = STOCK_EXHAUSTED"])
    assert two.lines() == {"PENALTY": -500, "IN_HAND": -25}
    two = Two("3H 3H 9C 9D", "8H", "", red3_initial_when="at_own_first_turn")
    two.do(["show", "end = STOCK_EXHAUSTED"])
    assert two.lines()["RED_THREES"] == -200


@pytest.mark.parametrize(
    ("hold", "up", "script", "bonus"),
    [
        (f"{KINGS} 9C 9D 8D 7D", "9H", [f"take 9:9C,9D;{LAY_KINGS[4:]}", "discard 8D"], None),
        ("9C 9C 9D 9D 9S 9S 8D 7D", "9H", ["take 9:9C,9C,9D,9D,9S,9S", "discard 8D"], None),
        (f"{KINGS} 8D", "9H", ["draw", LAY_KINGS, "discard 8D"], 100),
        (f"{KINGS} 8D", "9H", ["draw", "lay K:KC,KC,KD,KD,KH,KH", "lay K:KS"], None),
    ],
)
def test_a_canasta_laid_whole_from_the_holding_has_its_bonus(hold, up, script, bonus):
    two = Two(hold, up, "TD TH", concealed_canasta_bonus=100)
    assert two.do(script).lines().get("CONCEALED_CANASTA") == bonus


@pytest.mark.parametrize(
    ("hold", "script"),
    [
        (
            f"{KINGS} 3C 3S 3C KS",
            ["draw", LAY_KINGS, "lay 3:3C,3C,3S?BLACK3_ONLY_GOING_OUT"],
        ),
        (f"{FOURS} 4S", ["draw", f"{LAY_FOURS}?OPENING_MINIMUM"]),
    ],
)
def test_what_must_go_out_leaves_no_card_after_the_last_red_three(hold, script):
    Two(hold, "8H", "3D", **LAST_RED, **HIGH if "4C" in hold else LOW).do(script)


def test_a_question_that_cannot_help_does_not_keep_a_hand_going():
    two = Two("9C", "8H", "3D", red3_last_stock="continue_turn", permission_precheck=False)
    two.do(["draw = NO_LEGAL_COMPLETION"])


def test_a_yes_must_be_followed_after_the_last_red_three():
    lay = "lay K:KC,KC,KD,KD,KH,KH,KS,KS = WENT_OUT"
    Two(f"{KINGS} KS", "8H", "3D", **LAST_RED).do(["draw", "ask", "yes", "end?MUST_GO_OUT", lay])


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_one_card_after_the_last_red_three_and_an_answer_may_still_end(answer):
    two = Two("9C", "8H", "3D", **LAST_RED, permission_precheck=False)
    two.do(["draw", "ask", answer, "end = LAST_STOCK_RED3"])
