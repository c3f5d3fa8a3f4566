"""Fields that do nothing at their ``classic@1`` value, read all the same for presets to come."""

import pytest

from tests.verifier.canasta.positions import do, position, rule

CANASTA = {"9": "9C 9C 9D 9D 9H 9H 9S"}


def playing(hold, melds, **changes):
    return position(hold={0: hold, 2: "4C"}, melds={0: melds}, phase="play", melded=[2], **changes)


def test_a_required_permission_must_be_had_in_the_turn():
    play = playing("KC KD KH 4H", CANASTA, permission="required")
    assert rule(play, "lay K:KC,KD,KH x 4H") == "PARTNER_SAID_NO"
    assert rule(play, "lay K:KC,KD,KH") == "PARTNER_SAID_NO"
    assert rule(play, "discard 4H") is None
    do(play, "ask", "yes", "lay K:KC,KD,KH x 4H")
    assert play.went_out == 0


def test_a_yes_that_only_allows_does_not_oblige():
    play = playing("KC KD KH 4H", CANASTA, permission_yes="may")
    do(play, "ask", "yes", "discard 4H")
    assert play.end is None


def test_a_canasta_may_be_closed_at_its_largest_size():
    play = playing("9S 2C 4C 5C", CANASTA, meld_max_size=8)
    assert rule(play, "lay 9:9S") is None
    assert rule(play, "lay 9:9S,2C") == "CANASTA_CLOSED"


def test_wilds_may_be_kept_off_natural_canastas():
    fields = {"wild_on_natural_canasta": "forbidden"}
    melds = {**CANASTA, "K": "KC KD KH", "Q": "QC QC QD QD QH QS 2C"}
    play = playing("2C 9S KS 4C 5C QS", melds, **fields)
    assert rule(play, "lay 9:2C") == "CANASTA_CLOSED"
    assert rule(play, "lay 9:9S") is None
    assert rule(play, "lay K:2C") is None
    assert rule(play, "lay Q:2C") is None


def test_only_so_many_melds_may_be_short_of_a_canasta():
    melds = {**CANASTA, "K": "KC KD KH"}
    play = playing("QC QD QH TC TD TH 4C 5C", melds, incomplete_meld_limit=2)
    assert rule(play, "lay Q:QC,QD,QH") is None
    assert rule(play, "lay T:TC,TD,TH;Q:QC,QD,QH") == "INCOMPLETE_MELD_LIMIT"
    assert rule(play, "ask") == "CANNOT_GO_OUT"


@pytest.mark.parametrize(("limit", "answer"), [(1, "CANNOT_GO_OUT"), (2, None), (3, None)])
def test_the_precheck_knows_the_limit_of_melds(limit, answer):
    play = playing("QC QD QH TC TD TH 4C", CANASTA, incomplete_meld_limit=limit)
    assert rule(play, "ask") == answer


def test_an_opening_may_have_to_exceed_its_minimum():
    hold, text = "KC KC KD KD KH 4C 5C", "lay K:KC,KC,KD,KD,KH"
    assert rule(playing(hold, {}), text) is None
    assert rule(playing(hold, {}, opening_compare="gt"), text) == "OPENING_MINIMUM"


def test_a_canasta_may_satisfy_any_minimum():
    hold, text = "4C 4C 4D 4D 4H 4H 4S 5C 6C", "lay 4:4C,4C,4D,4D,4H,4H,4S"
    fields = {"totals": (3200, 0), "opening_concealed_exempt": "never"}
    assert rule(playing(hold, {}, **fields), text) == "OPENING_MINIMUM"
    assert rule(playing(hold, {}, **fields, opening_canasta_satisfies=True), text) is None
    ask = playing("4C 4C 4D 4D 4H 4H 4S 5C", {}, **fields, opening_canasta_satisfies=True)
    assert rule(ask, "ask") is None
    ask = playing("4C 4C 4D 4D 4H 4H 4S 5C", {}, **fields)
    assert rule(ask, "ask") == "CANNOT_GO_OUT"


def test_wild_melds_have_seven_cards_unless_they_may_grow():
    fields = {"wild_melds": "allowed"}
    melds = {**CANASTA, "W": "2C 2C 2D 2D 2H 2H"}
    assert rule(playing("JK 4C 5C", melds, **fields), "lay W:JK") is None
    play = playing("JK JK 4C 5C", melds, **fields)
    assert rule(play, "lay W:JK,JK") == "WILD_MELD_FULL"
    play = playing("JK JK 4C 5C", melds, **fields, wild_meld_extend=True)
    assert rule(play, "lay W:JK,JK") is None


def test_a_wild_top_card_may_be_takable():
    play = position(
        hold={0: "2C 4C 5C"},
        melds={0: {**CANASTA, "W": "2C 2D JK"}},
        pile="6C 2H",
        wild_melds="allowed",
        top_blocks=["black3", "red3"],
        frozen_by_contents=[],
    )
    assert rule(play, "take W:2C") is None


def empty(hold, melds, pile, **changes):
    return position(hold={0: hold}, melds={0: melds}, pile=pile, stock="", **changes)


@pytest.mark.parametrize(
    ("given", "due"),
    [
        (empty("8H", {"Q": "QC QD QS"}, "6C QH"), "MUST_TAKE_PILE"),  # exactly two cards left
        (empty("8H 7H", {"Q": "QC QD 2C 2D JK"}, "6C QH"), "MUST_TAKE_PILE"),  # three wilds there
        (empty("8H 7H", {"Q": "QC QC QD QD QS QS QH"}, "6C QH", meld_max_size=7), None),
        (empty("8H 7H", {"Q": "QC QD QS"}, "6C QH", incomplete_meld_limit=1), "MUST_TAKE_PILE"),
        (
            empty("8H 7H", {"Q": "QC QD QS", "K": "KC KD KS"}, "6C QH", incomplete_meld_limit=1),
            None,
        ),
    ],
)
def test_a_take_is_compulsory_exactly_when_the_bare_take_is_lawful(given, due):
    assert rule(given, "take Q") in (None, "CANASTA_CLOSED", "INCOMPLETE_MELD_LIMIT")
    assert (rule(given, "take Q") is None) == (due is not None)
    assert rule(given, "end") == due
