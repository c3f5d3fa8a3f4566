"""Any two cards of a published deal change places: hand, place and cards are named."""

import json
from itertools import combinations

import pytest

from scripts.vectors import styles
from scripts.vectors.script import Script
from scripts.vectors.sitting import Sitting
from tests.verifier.refereed import check, signed, written
from verifier.report import to_json, to_text

HAND = 2
STRIDE = 4
"""Of the pairs within and between hands one in so many is tried; all others are tried."""


def played() -> Sitting:
    """A game whose second deal turned several cards up and laid red threes for two seats."""
    for number in range(500):
        sitting = Sitting("swaps", number, seats="pbbb", hands=2, texts={0: ""})
        sitting.seed()
        sitting.play(styles.closed, most=2)
        sitting.abort("on to the next")
        dealt = sitting.dealt(HAND)
        if len(dealt.up) >= 2 and sum(map(len, dealt.laid)) >= 3 and len(dealt.laid[0]) >= 2:
            sitting.close("enough")
            return sitting
    raise LookupError("no such deal")


GAME = played()
DEALT = GAME.dealt(HAND)
DECK = GAME.game.deck
# Every published card: in a seat's hand (by hash), before a seat, or in the pile.
PLACES = [
    *(("hand", seat, at) for seat, cards in enumerate(DEALT.hands) for at in range(len(cards))),
    *(("laid", seat, at) for seat, cards in enumerate(DEALT.laid) for at in range(len(cards))),
    *(("up", 0, at) for at in range(len(DEALT.up))),
]
PAIRS = list(combinations(PLACES, 2))
IN_HANDS = [pair for pair in PAIRS if {place[0] for place in pair} == {"hand"}]
OTHERS = [pair for pair in PAIRS if pair not in IN_HANDS]


def name(card):
    return f"{DECK[card]} (card {card})"


def card_at(place):
    kind, seat, at = place
    rows = {"hand": DEALT.hands, "laid": DEALT.laid, "up": (DEALT.up,)}[kind]
    return rows[seat][at]


def dealt_with(changes):
    """The game with a second deal published otherwise: place -> card."""
    script = Script(GAME)

    def change(hands):
        for (kind, seat, at), card in changes.items():
            if kind == "hand":
                hands[seat][at] = card

    body = script.entries[script.deal_otherwise(HAND, change)].body
    for (kind, seat, at), card in changes.items():
        if kind == "laid":
            body["laid"][seat][at] = card
        elif kind == "up":
            body["up"][at] = card
    return script


def judged(changes):
    """The errors at the deal by code, as JSON gives them; the text names the same."""
    script = dealt_with(changes)
    report = check(written(script), signed(script.write()))
    assert report.verdict == "FRAUD"
    shown = json.loads(to_json(report))
    deal_at = script.at("deal", hand=HAND)
    at_deal = {
        error["code"]: error["detail"]
        for error in shown["errors"]
        if (error["at"], error["hand"]) == (deal_at, HAND)
    }
    assert shown["error"] in at_deal
    text = to_text(report)
    for code, detail in at_deal.items():
        assert f"{code} at record {deal_at}, hand {HAND}: {detail}\n" in text
    return at_deal


def is_named(place, published, errors):
    """Whether an error names a place, the card published there and the one due."""
    kind, seat, at = place
    due = card_at(place)
    if kind == "hand":
        (said,) = [
            part
            for part in ("; " + errors["E_DEAL_HANDS"]).split("; seat ")
            if part.startswith(f"{seat}: ")
        ]
        return f"at position {at} it published {name(published)}, due is {name(due)}" in said
    code, what = {
        "laid": ("E_DEAL_LAID", f"the laid cards of seat {seat}"),
        "up": ("E_DEAL_UPCARD", "the up pile"),
    }[kind]
    said = f"{what}, position {at}: {name(published)} is published, due is {name(due)}"
    return said in errors[code]


def same_list(left, right):
    return left[:2] == right[:2]


def test_the_deal_has_cards_of_every_kind():
    assert {kind for kind, _, _ in PLACES} == {"hand", "laid", "up"}
    assert len(PLACES) == 44 + len(DEALT.up) + sum(map(len, DEALT.laid)) >= 49


def check_pair(left, right):
    first, second = card_at(left), card_at(right)
    errors = judged({left: second, right: first})
    if same_list(left, right) and left[0] == "hand":
        said = f"has the cards at positions {left[2]} and {right[2]} exchanged, due is"
        assert f"{said} {name(first)} before {name(second)}" in errors["E_DEAL_HANDS"]
        return
    assert is_named(left, second, errors)
    assert is_named(right, first, errors)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(STRIDE))
def test_two_cards_of_hands_exchanged_are_named_with_hand_seat_and_position(part):
    pairs = IN_HANDS[part :: STRIDE * STRIDE]
    assert len(pairs) > 50
    for left, right in pairs:
        check_pair(left, right)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_two_cards_of_which_one_lies_open_are_named_with_hand_and_position(part):
    for left, right in OTHERS[part::2]:
        check_pair(left, right)


@pytest.mark.slow
def test_a_card_out_of_the_stock_is_named_wherever_it_is_put():
    for count, place in enumerate(PLACES):
        card = DEALT.stock[count % len(DEALT.stock)]
        assert is_named(place, card, judged({place: card}))


def test_two_hands_exchanged_are_named_with_their_seats():
    changes: dict[tuple[str, int, int], int] = {}
    for left, right in ((0, 2), (2, 0)):
        changes |= {("hand", left, at): card for at, card in enumerate(DEALT.hands[right])}
    said = judged(changes)["E_DEAL_HANDS"]
    assert "seat 0: due are " in said
    assert "; the published hash fits the whole hand of seat 2; seat 2: due are " in said
    assert said.endswith("; the published hash fits the whole hand of seat 0")


def test_two_published_hashes_exchanged_are_named_with_their_seats():
    script = Script(GAME)
    published = script.body("deal", hand=HAND)["hands"]
    published[0], published[2] = published[2], published[0]
    (error,) = check(written(script)).errors
    assert (error.code, error.hand) == ("E_DEAL_HANDS", HAND)
    assert "; the published hash is that of the whole hand of seat 2; seat 2: " in error.detail
    assert error.detail.endswith("; the published hash is that of the whole hand of seat 0")


def test_a_hand_of_other_cards_altogether_is_named_with_its_seat():
    changes = {("hand", 3, at): DEALT.stock[at] for at in range(11)}
    said = judged(changes)["E_DEAL_HANDS"]
    faces = " ".join(DECK[card] for card in DEALT.hands[3])
    assert said.startswith(f"seat 3: due are {faces};")
    assert "fits no single exchange" in said


def test_another_number_of_stock_cards_is_named_with_the_one_due():
    script = Script(GAME)
    script.body("deal", hand=HAND)["stock"] += 1
    report = check(written(script))
    assert [(error.code, error.hand) for error in report.errors] == [("E_DEAL_STOCK", HAND)]
    assert f"due are {len(DEALT.stock)}" in report.errors[0].detail
