"""Each code: a position and an act that break it, and the same without the cause, which do not."""

import pytest

from fairdeal.canasta import acts, explain
from fairdeal.canasta.sentences import CODES
from tests.canasta.positions import CANASTA, MIXED, at, broken, do

OPEN = {"K": "KC KD KH"}


def after_draw(hold, **more):
    return at(hold, phase="play", pile="6C", **more)


def late(**more):
    """The turn after a draw whose only card was the stock's last, a red three."""
    return do(at("4C 4D 4H", stock="3D", a=OPEN, red3_last_stock="meld_then_end", **more), "draw")


# code -> (position, act, position without the cause, act without the cause)
CAUSES = {
    "NOT_YOUR_TURN": lambda: (
        at({0: "4C 5C", 1: "6C 7C"}, situation={"seat": 1}),
        "draw",
        at({0: "4C 5C", 1: "6C 7C"}),
        "draw",
    ),
    "NOT_PARTNER": lambda: (
        do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask"),
        "yes",
        do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask", "yes"),
        "lay K:KD,KH,KS",
    ),
    "WRONG_PHASE": lambda: (at("4C 5C"), "discard 4C", after_draw("4C 5C"), "discard 4C"),
    "STOCK_EMPTY": lambda: (at("4C 5C", stock=0), "draw", at("4C 5C", stock=1), "draw"),
    "MUST_TAKE_PILE": lambda: (
        at("4C 5C", stock=0, a=OPEN, pile="6C KS"),
        "end",
        at("4C 5C", stock=0, a=OPEN, pile="6C QS"),
        "end",
    ),
    "PILE_EMPTY": lambda: (
        at("9C 9D 5C 4C", a=OPEN),
        "take 9:9C,9D",
        at("9C 9D 5C 4C", a=OPEN, pile="9H"),
        "take 9:9C,9D",
    ),
    "TOP_WILD": lambda: (
        at("9C 9D 5C", a=OPEN, pile="9H JK"),
        "take 9:9C,9D",
        at("9C 9D 5C", a=OPEN, pile="JK 9H"),
        "take 9:9C,9D",
    ),
    "TOP_BLACK3": lambda: (
        at("9C 9D 5C", a=OPEN, pile="9H 3C"),
        "take 9:9C,9D",
        at("9C 9D 5C", a=OPEN, pile="3C 9H"),
        "take 9:9C,9D",
    ),
    "TOP_RED3": lambda: (
        at("9C 9D 5C 4C", a=OPEN, pile="9H 3D"),
        "take 9:9C,9D",
        at("9C 9D 5C 4C", a=OPEN, pile="3D 9H"),
        "take 9:9C,9D",
    ),
    "ONE_CARD_HAND_ONE_CARD_PILE": lambda: (
        at("5C", a={"9": CANASTA}, pile="9H"),
        "take 9",
        at("5C", a={"9": CANASTA}, pile="9H", one_card_hand_one_card_pile="allowed"),
        "take 9",
    ),
    "NOT_IN_HAND": lambda: (
        after_draw("4C 5C 6C"),
        "discard 7C",
        after_draw("4C 5C 6C 7C"),
        "discard 7C",
    ),
    "TOP_CARD_NOT_USED": lambda: (
        at("8C 8D 5C", a=OPEN, pile="6C 9H"),
        "take 8:8C,8D",
        at("8C 8D 5C", a=OPEN, pile="6C 8H"),
        "take 8:8C,8D",
    ),
    "FROZEN": lambda: (
        at("9C 2S 5C", a=OPEN, pile="JK 9H"),
        "take 9:9C,2S",
        at("9C 2S 5C", a=OPEN, pile="6C 9H"),
        "take 9:9C,2S",
    ),
    "FROZEN_UNOPENED": lambda: (
        at("AC 2S 5C 5D", pile="6C AH"),
        "take A:AC,2S",
        at("AC 2S 5C 5D", pile="6C AH", a=OPEN),
        "take A:AC,2S",
    ),
    "TAKE_MODE_NOT_ALLOWED": lambda: (
        at("9C 2S 5C", a=OPEN, pile="6C 9H", take_unfrozen=["pair", "lay_on_meld"]),
        "take 9:9C,2S",
        at("9C 2S 5C", a=OPEN, pile="6C 9H"),
        "take 9:9C,2S",
    ),
    "RANK_MISMATCH": lambda: (
        after_draw("9C 9D 8H 5C 4C", a=OPEN),
        "lay 9:9C,9D,8H",
        after_draw("9C 9D 9H 5C 4C", a=OPEN),
        "lay 9:9C,9D,9H",
    ),
    "MIN_SIZE": lambda: (
        after_draw("9C 9D 9H 5C 4C", a=OPEN),
        "lay 9:9C,9D",
        after_draw("9C 9D 9H 5C 4C", a=OPEN),
        "lay 9:9C,9D,9H",
    ),
    "MIN_NATURALS": lambda: (
        after_draw("9C 9D 2S JK 5C 4C", a=OPEN),
        "lay 9:9C,2S,JK",
        after_draw("9C 9D 2S JK 5C 4C", a=OPEN),
        "lay 9:9C,9D,2S",
    ),
    "MAX_WILDS": lambda: (
        after_draw("KS 2C 2D 2H 2S 5C 4C", a=OPEN),
        "lay K:2C,2D,2H,2S",
        after_draw("KS 2C 2D 2H 2S 5C 4C", a=OPEN, meld_max_wilds=4),
        "lay K:2C,2D,2H,2S",
    ),
    "WILD_RATIO": lambda: (
        after_draw("9C 9D 2C 2D 2H 5C 4C", a=OPEN, wild_ratio="le_naturals"),
        "lay 9:9C,9D,2C,2D,2H",
        after_draw("9C 9D 2C 2D 2H 5C 4C", a=OPEN, wild_ratio="le_naturals"),
        "lay 9:9C,9D,2C,2D",
    ),
    "CANASTA_MIN_NATURALS": lambda: (
        after_draw("2C 2D 2H 2S 5C 4C", a=OPEN, meld_max_wilds=None, canasta_min_naturals=4),
        "lay K:2C,2D,2H,2S",
        after_draw("2C 2D 2H 2S 5C 4C", a=OPEN, meld_max_wilds=None, canasta_min_naturals=3),
        "lay K:2C,2D,2H,2S",
    ),
    "CANASTA_CLOSED": lambda: (
        after_draw("9S 5C 4C", a={"9": CANASTA}, meld_max_size=7),
        "lay 9:9S",
        after_draw("9S 5C 4C", a={"9": CANASTA}, meld_max_size=8),
        "lay 9:9S",
    ),
    "ALL_WILD_MELD": lambda: (
        after_draw("2C 2D JK 5C 4C", a=OPEN),
        "lay W:2C,2D,JK",
        after_draw("2C 2D JK 5C 4C", a=OPEN, wild_melds="allowed"),
        "lay W:2C,2D,JK",
    ),
    "WILD_MELD_FULL": lambda: (
        after_draw("2C 5C 4C", a={"WILD": "2C 2D 2H 2S JK JK 2D"}, wild_melds="allowed"),
        "lay W:2C",
        after_draw("2C 5C 4C", a={"WILD": "2C 2D 2H 2S JK JK"}, wild_melds="allowed"),
        "lay W:2C",
    ),
    "RED3_NOT_MELDABLE": lambda: (
        after_draw("3C 3S 3D 5C", a={"9": CANASTA}),
        "lay 3:3C,3D,3S",
        after_draw("3C 3S 3S 5C", a={"9": CANASTA}),
        "lay 3:3C,3S,3S",
    ),
    "BLACK3_NO_WILDS": lambda: (
        after_draw("3C 3S 2C 5C", a={"9": CANASTA}),
        "lay 3:3C,3S,2C",
        after_draw("3C 3S 3S 5C", a={"9": CANASTA}),
        "lay 3:3C,3S,3S",
    ),
    "BLACK3_ONLY_GOING_OUT": lambda: (
        after_draw("3C 3S 3S 5C 4C", a={"9": CANASTA}),
        "lay 3:3C,3S,3S",
        after_draw("3C 3S 3S 5C", a={"9": CANASTA}),
        "lay 3:3C,3S,3S",
    ),
    "OPENING_MINIMUM": lambda: (
        after_draw("9C 9D 9H 5C 4C", totals=(0, 0)),
        "lay 9:9C,9D,9H",
        after_draw("9C 9D 9H 5C 4C", totals=(-5, 0)),
        "lay 9:9C,9D,9H",
    ),
    "INCOMPLETE_MELD_LIMIT": lambda: (
        after_draw("9C 9D 9H 5C 4C", a=OPEN, incomplete_meld_limit=1),
        "lay 9:9C,9D,9H",
        after_draw("9C 9D 9H 5C 4C", a=OPEN, incomplete_meld_limit=2),
        "lay 9:9C,9D,9H",
    ),
    "KEEP_CARD": lambda: (
        after_draw("9C 9D 9H 5C", a=OPEN),
        "lay 9:9C,9D,9H",
        after_draw("9C 9D 9H 5C", a={**OPEN, "8": MIXED}),
        "lay 9:9C,9D,9H",
    ),
    "DISCARD_REQUIRED": lambda: (
        after_draw("9C 9D 9H", a={"8": MIXED}, go_out_discard="required"),
        "lay 9:9C,9D,9H",
        after_draw("9C 9D 9H", a={"8": MIXED}),
        "lay 9:9C,9D,9H",
    ),
    "ASK_TOO_LATE": lambda: (
        do(after_draw("9C 9D 9H KS 5C", a={**OPEN, "8": MIXED}), "lay K:KS"),
        "ask",
        after_draw("9C 9D 9H KS 5C", a={**OPEN, "8": MIXED}),
        "ask",
    ),
    "CANNOT_GO_OUT": lambda: (
        after_draw("9C 9D 9H 5C 4C", a={"8": MIXED}),
        "ask",
        after_draw("9C 9D 9H 5C", a={"8": MIXED}),
        "ask",
    ),
    "PERMISSION_NOT_IN_RULES": lambda: (
        after_draw("9C 9D 9H 5C", a={"8": MIXED}, permission="off"),
        "ask",
        after_draw("9C 9D 9H 5C", a={"8": MIXED}),
        "ask",
    ),
    "MUST_GO_OUT": lambda: (
        do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask", "yes"),
        "discard 4H",
        after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}),
        "discard 4H",
    ),
    "PARTNER_SAID_NO": lambda: (
        do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask", "no"),
        "lay K:KD,KH,KS",
        after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}),
        "lay K:KD,KH,KS",
    ),
    "RED3_NOT_DISCARDABLE": lambda: (
        after_draw("3D 4C 5C", red3_initial_when="at_own_first_turn"),
        "discard 3D",
        after_draw("3S 4C 5C", red3_initial_when="at_own_first_turn"),
        "discard 3S",
    ),
    "OPPONENT_MELD": lambda: (
        after_draw("9S 5C 4C", a=OPEN, b={"9": "9C 9D 9H"}),
        "lay 9:9S",
        after_draw("9S 5C 4C", a={**OPEN, "9": "9C 9D 9H"}),
        "lay 9:9S",
    ),
    "NO_DISCARD_AFTER_LAST_RED3": lambda: (
        late(),
        "discard 4C",
        after_draw("4C 4D 4H", a=OPEN),
        "discard 4C",
    ),
}


def codes(position, text):
    return [one.code for one in explain.judge_cards(position, 0, acts.parse(text))]


def test_every_code_of_the_catalogue_has_a_cause_here():
    assert set(CAUSES) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_cause_breaks_its_code_and_removing_it_removes_the_code(code):
    position, act, without, act_without = CAUSES[code]()
    assert code in codes(position, act)
    assert code not in codes(without, act_without)


@pytest.mark.parametrize("code", [code for code in CODES if code != "NOT_PARTNER"])
def test_what_is_left_without_the_cause_is_legal(code):
    _, _, without, act = CAUSES[code]()
    assert broken(without, act) == ()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("NOT_YOUR_TURN", "It is not your turn: seat 1 is to act."),
        ("NOT_PARTNER", "Only seat 2, the asker's partner, may answer the question."),
        ("WRONG_PHASE", "Draw a card or take the pile before you lay or discard."),
        ("STOCK_EMPTY", "The stock has no card left: take the pile or end the hand."),
        (
            "MUST_TAKE_PILE",
            "The stock is empty and the top card fits your kings, so you must take the pile.",
        ),
        ("TOP_WILD", "A joker is on top, and a wild card can never be taken."),
        ("NOT_IN_HAND", "You do not hold the seven of clubs."),
        (
            "TOP_CARD_NOT_USED",
            "The top card is the nine of hearts, so the first group must be nines.",
        ),
        (
            "FROZEN",
            "The pile is frozen: only two nines from your hand take it, and you hold one nine.",
        ),
        (
            "FROZEN_UNOPENED",
            (
                "Your side has not opened: only two aces from your hand take the pile; "
                "you hold one ace."
            ),
        ),
        ("RANK_MISMATCH", "The eight of hearts does not belong in a meld of nines."),
        ("MIN_SIZE", "A meld of nines needs three cards; that makes two."),
        (
            "MIN_NATURALS",
            "A meld of nines needs two nines beside its wild cards; that makes one.",
        ),
        ("MAX_WILDS", "A meld of kings holds three wild cards at most; that makes four."),
        (
            "WILD_RATIO",
            "A meld may not have more wild than natural cards; that makes three to two.",
        ),
        ("CANASTA_CLOSED", "A meld of nines holds seven cards at most; that makes eight."),
        ("WILD_MELD_FULL", "A meld of wild cards is full with seven; that makes eight."),
        (
            "BLACK3_ONLY_GOING_OUT",
            "Black threes may be laid only in going out, and that leaves you two cards.",
        ),
        (
            "OPENING_MINIMUM",
            "That makes 30. Your side must open with 50, so 20 are missing.",
        ),
        (
            "INCOMPLETE_MELD_LIMIT",
            "Your side may have one unfinished meld at most; that makes two. Finish one first.",
        ),
        (
            "KEEP_CARD",
            "You would be left with one card, and your side still needs one canasta to go out.",
        ),
        (
            "PARTNER_SAID_NO",
            "You asked and your partner said no: keep two cards; that leaves one card.",
        ),
        (
            "OPPONENT_MELD",
            "The meld of nines belongs to another side; yours has none to add to.",
        ),
    ],
)
def test_the_sentence_names_what_is_missing(code, sentence):
    position, act, _, _ = CAUSES[code]()
    found = explain.judge_cards(position, 0, acts.parse(act))
    assert [one.sentence for one in found if one.code == code] == [sentence]


def test_all_broken_rules_are_given_and_the_most_specific_comes_first():
    position = at("9C 2S 5C", pile="9D", totals=(1500, 0))
    found = explain.judge_cards(position, 0, acts.parse("take 9:9C,2S"))
    assert [one.code for one in found] == ["FROZEN_UNOPENED", "OPENING_MINIMUM", "KEEP_CARD"]


def test_a_take_rests_on_exactly_four_facts():
    position = at("9C 2S 5C", a=OPEN, pile="JK 9H")
    first = explain.judge_cards(position, 0, acts.parse("take 9:9C,2S"))[0]
    assert first.facts == {
        "frozen": True,
        "opened": True,
        "top": "9H",
        "hand": {"naturals": 1, "wilds": 1},
    }
    assert (first.rule, first.help) == ("R-46", "/help/frozen")


def test_a_legal_act_breaks_nothing():
    assert explain.judge_cards(after_draw("4C 5C"), 0, acts.parse("discard 4C")) == ()


def test_out_of_turn_the_rules_of_the_own_turn_follow():
    position = at({0: "4C 5C 6C", 1: "6C 7C"}, situation={"seat": 1})
    assert codes(position, "lay 4:4C") == [
        "NOT_YOUR_TURN",
        "MIN_SIZE",
        "MIN_NATURALS",
        "OPENING_MINIMUM",
    ]


@pytest.mark.parametrize(
    ("position", "act", "sentence"),
    [
        (
            lambda: after_draw("9C 9D 9H 5C 4C", opening_compare="gt", opening_bands=[[None, 30]]),
            "lay 9:9C,9D,9H",
            "That makes 30. Your side must open with more than 30: 5 are missing.",
        ),
        (
            lambda: after_draw("KH KS KD", a={"8": MIXED}, go_out_needs_natural=True),
            "lay K:KD,KH,KS",
            "You would have no card left, and your side needs a natural canasta to go out.",
        ),
        (
            lambda: after_draw("KH KS KD 4C", a={"8": MIXED}, canastas_to_go_out=3),
            "lay K:KD,KH,KS",
            "You would be left with one card, and your side still needs two canastas to go out.",
        ),
        (
            lambda: after_draw("KH KS KD", a={"8": MIXED}, permission="required"),
            "lay K:KD,KH,KS",
            "Your partner has not said yes to going out: keep two cards; that leaves no cards.",
        ),
        (
            lambda: do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask", "yes"),
            "lay K:KD,KH",
            "A meld of kings needs three cards; that makes two.",
        ),
        (
            lambda: do(
                after_draw({0: "KH KS KD QH QS QD 4H", 2: "4C"}, a={"9": CANASTA, "4": "4D 4S 4D"}),
                "ask",
                "yes",
            ),
            "discard 4H",
            "Your partner said yes, so you must go out; ending the turn leaves you six cards.",
        ),
        (
            lambda: do(
                after_draw({0: "KH KS QC QD 2H 2D 4C", 2: "4C"}, a={"9": CANASTA, "8": "8C 8D 8H"}),
                "ask",
                "yes",
            ),
            "lay 8:2H",
            "Your partner said yes, so you must go out; after that you could not any more.",
        ),
        (
            lambda: do(after_draw({0: "KH KS KD 4H", 2: "4C"}, a={"9": CANASTA}), "ask", "no"),
            "ask",
            "You may ask once a turn, and you have asked already.",
        ),
        (
            lambda: at("4C 6C 6H", stock=0, pile="5C 6D", stock_empty="must_if_any", a=OPEN),
            "end",
            "The stock is empty and you can take the pile with its top six, so you must.",
        ),
        (
            lambda: at("9C 9D 4C", pile="5C 9S", take_frozen=["natural_wild"]),
            "take 9:9C,9D",
            (
                "Your side has not opened: only a natural and a wild card can take the pile, "
                "and that does not fit."
            ),
        ),
        (
            lambda: after_draw("4C 5C 9S", a={"9": "9C 9C 9D 9D 9H 9H 9S"}),
            "lay 9:9S,9S",
            "That takes two copies of the nine of spades, and you hold one.",
        ),
        (
            lambda: do(
                at("9C 9D 5C 4C", pile="9S 9H", buried_usable_same_turn=False, a=OPEN),
                "take 9:9C,9D",
            ),
            "lay 9:9S",
            "Cards that came with this pile may not be laid before your next turn.",
        ),
        (
            lambda: at("4C 5C", stock=0, pile="6C 6D", stock_empty="end", a=OPEN),
            "take 6",
            "The stock has no card left, and in this game that ends the hand.",
        ),
        (
            lambda: at("9C 9D 2H", a={"9": CANASTA}, pile="9S", lay_on_completed_canasta=False),
            "take 9",
            "Your canasta of nines is complete, and the pile may not be laid on it here.",
        ),
        (
            lambda: after_draw("2H 5C 4C", a={"9": CANASTA}, wild_on_natural_canasta="forbidden"),
            "lay 9:2H",
            "Your natural canasta of nines takes no wild card in this game.",
        ),
    ],
)
def test_a_code_has_a_sentence_for_each_of_its_cases(position, act, sentence):
    made = position()
    assert sentence in [one.sentence for one in explain.judge_cards(made, 0, acts.parse(act))]
