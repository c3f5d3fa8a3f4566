"""Opening, keeping a card, going out, concealed (R-27 to R-34, R-52 to R-59, R-X3, R-X4, R-X9)."""

import pytest

from tests.verifier.canasta.positions import do, holding, position, rule
from verifier.canasta.score import score_lines

TENS = {"T": "TC TD TH"}
CANASTA = {"9": "9C 9C 9D 9D 9H 9H 9S"}
SIX_NINES = {"9": "9C 9C 9D 9D 9H 9H"}
FOURS = "4:4C,4C,4D,4D,4H,4H,4S"


def playing(hold, melds=TENS, **changes):
    return position(
        hold={0: hold, 2: "5S"}, melds={0: melds} if melds else {}, phase="play", **changes
    )


def ending(play):
    return play.end, play.went_out, play.concealed


# ------------------------------------------------------------------------------- opening


@pytest.mark.parametrize(
    ("total", "text", "opens"),
    [
        (-5, "lay 5:5C,5D,5H", True),
        (0, "lay 5:5C,5D,5H", False),
        (0, "lay A:AC,AD,AH", True),
        (0, "lay K:KC,KD,2C", False),
        (0, "lay 5:5C,5D,5H;A:AC,AD,AH", True),
        (1495, "lay A:AC,AD,AH", True),
        (1500, "lay 5:5C,5D,5H;A:AC,AD,AH", False),
        (1500, "lay K:KC,KD,2C;A:AC,AD,AH", True),
        (2995, "lay K:KC,KD,2C;A:AC,AD,AH", True),
        (3000, "lay K:KC,KD,2C;A:AC,AD,AH", False),
        (3000, "lay 5:5C,5D,5H;K:KC,KD,2C;A:AC,AD,AH", False),
        (3000, "lay 5:5C,5D,5H;K:KC,KD,JK;A:AC,AD,AH", True),
    ],
)
def test_the_first_melds_reach_the_band_of_the_sides_total(total, text, opens):
    hold = "5C 5D 5H AC AD AH KC KD 2C JK 7C 7D"
    play = playing(hold, None, totals=(total, 9000))
    assert rule(play, text) == (None if opens else "OPENING_MINIMUM")


def test_once_open_nothing_more_is_asked_in_the_same_turn_or_of_the_partner():
    play = playing("AC AD AH 5C 5D 5H 7C 7D", None, stock=20)
    do(play, "lay A:AC,AD,AH", "lay 5:5C,5D,5H", "discard 7C")
    play.turn.seat, play.turn.phase = 2, "play"
    assert play.minimum() is None


def test_the_top_card_counts_for_the_opening_and_buried_cards_do_not():
    hold = {0: "AC AD 5C 5D"}
    assert rule(position(hold=hold, pile="AS 6C AH"), "take A:AC,AD") is None
    hold = {0: "KC KD 5C 5D"}
    assert rule(position(hold=hold, pile="AS AS KH"), "take K:KC,KD") == "OPENING_MINIMUM"


# ---------------------------------------------------------------------- exempt opening


def exempt(hold, text, **changes):
    return rule(playing(hold, None, **{"totals": (3200, 0), **changes}), text)


def test_a_concealed_going_out_after_a_draw_is_spared_the_minimum():
    hold = "4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C"
    assert exempt(hold, f"lay {FOURS};5:5C,5D,5H") is None
    assert exempt(hold, f"lay {FOURS};5:5C,5D,5H x 9C") is None
    assert exempt("4C 4C 4D 4D 4H 4H 4S 5C 5D 5H", f"lay {FOURS};5:5C,5D,5H") is None


def test_the_exemption_needs_the_whole_holding_in_one_act():
    hold = "4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C"
    assert exempt(hold, f"lay {FOURS}") == "OPENING_MINIMUM"
    hold += " 9D"
    assert exempt(hold, f"lay {FOURS};5:5C,5D,5H") == "OPENING_MINIMUM"
    assert exempt(hold, f"lay {FOURS};5:5C,5D,5H x 9C") == "OPENING_MINIMUM"


def test_the_exemption_needs_a_canasta_of_the_act():
    hold = "4C 4C 4D 4D 4H 4H 5C 5D 5H 9C"
    text = "lay 4:4C,4C,4D,4D,4H,4H;5:5C,5D,5H"
    assert exempt(hold, text) == "OPENING_MINIMUM"


def test_the_exemption_needs_a_draw_from_the_stock():
    hold = "4C 4C 4D 4D 4H 4H 4S 5C 5D 5H 9C"
    text = f"lay {FOURS};5:5C,5D,5H"
    assert exempt(hold, text, drew_stock=False) == "OPENING_MINIMUM"
    assert exempt(hold, text, opening_concealed_exempt="never") == "OPENING_MINIMUM"
    taking = position(hold={0: "4C 4D 4D 4H 4H 4S 5C 5D 5H 9C"}, pile="4C", totals=(3200, 0))
    assert rule(taking, "take 4:4C,4D,4D,4H,4H,4S;5:5C,5D,5H") == "OPENING_MINIMUM"


def test_the_exemption_ends_concealed_and_out():
    play = playing("4C 4C 4D 4D 4H 4H 4S 3C 3C 3S 9C", None, totals=(3200, 0))
    do(play, f"lay {FOURS};3:3C,3C,3S")
    assert play.went_out is None
    do(play, "discard 9C")
    assert ending(play) == ("WENT_OUT", 0, True)


# ------------------------------------------------------------------------- keep a card


def test_two_cards_always_suffice_while_the_turn_goes_on():
    assert rule(playing("KC KD KH 4C 5C"), "lay K:KC,KD,KH") is None


def test_one_card_must_be_able_to_go_out():
    assert rule(playing("KC KD KH 4C"), "lay K:KC,KD,KH") == "KEEP_CARD"
    assert rule(playing("KC KD KH 4C", CANASTA), "lay K:KC,KD,KH") is None


def test_one_card_may_go_out_by_making_the_canasta_itself():
    assert rule(playing("KC KD KH 9S", SIX_NINES), "lay K:KC,KD,KH") is None
    assert rule(playing("KC KD KH 2S", SIX_NINES), "lay K:KC,KD,KH") is None
    assert rule(playing("KC KD KH 8S", SIX_NINES), "lay K:KC,KD,KH") == "KEEP_CARD"
    five = {"9": "9C 9C 9D 9D 9H"}
    assert rule(playing("KC KD KH 2S", five), "lay K:KC,KD,KH") == "KEEP_CARD"
    wilds = {"9": "9C 9C 9D 2C 2D JK"}
    assert rule(playing("KC KD KH 2S", wilds), "lay K:KC,KD,KH") == "KEEP_CARD"
    assert rule(playing("KC KD KH 9S", wilds), "lay K:KC,KD,KH") is None


def test_no_card_left_is_a_going_out():
    assert rule(playing("KC KD KH"), "lay K:KC,KD,KH") == "KEEP_CARD"
    assert rule(playing("9S", SIX_NINES), "lay 9:9S") is None
    play = playing("KC KD KH", CANASTA)
    do(play, "lay K:KC,KD,KH")
    assert (play.end, play.went_out, play.concealed) == ("WENT_OUT", 0, False)


def test_a_discard_keeps_a_card_unless_the_side_may_go_out():
    assert rule(playing("4C"), "discard 4C") == "KEEP_CARD"
    assert rule(playing("4C 5C"), "discard 4C") is None
    assert rule(playing("4C", CANASTA), "discard 4C") is None
    assert rule(playing("KC KD KH 4C"), "lay K:KC,KD,KH x 4C") == "KEEP_CARD"
    assert rule(playing("KC KD KH 4C 5C"), "lay K:KC,KD,KH x 4C") is None
    assert rule(playing("KC KD KH 4C", CANASTA), "lay K:KC,KD,KH x 4C") is None


def test_buried_cards_count_as_kept_and_buried_red_threes_do_not():
    hold = {0: "KC KD 7C"}
    melds = {0: TENS}
    assert rule(position(hold=hold, melds=melds, pile="KH"), "take K:KC,KD") == "KEEP_CARD"
    assert rule(position(hold=hold, melds=melds, pile="4S KH"), "take K:KC,KD") is None
    assert rule(position(hold=hold, melds=melds, pile="3H KH"), "take K:KC,KD") == "KEEP_CARD"
    play = position(hold=hold, melds=melds, pile="3D 4S 3H KH", stock=20)
    assert do(play, "take K:KC,KD") == ([], ["3D", "3H"])
    assert holding(play, 0) == ["4S", "7C"]


def test_a_take_may_go_out():
    play = position(hold={0: "KC KD"}, melds={0: CANASTA}, pile="KH")
    do(play, "take K:KC,KD")
    assert (play.end, play.went_out) == ("WENT_OUT", 0)


def test_a_discard_where_one_is_required():
    play = playing("KC KD KH", CANASTA, go_out_discard="required")
    assert rule(play, "lay K:KC,KD,KH") in ("KEEP_CARD", "DISCARD_REQUIRED")


# ------------------------------------------------------------------------ black threes


def test_black_threes_go_only_with_the_last_cards():
    threes = "lay 3:3C,3C,3S"
    assert rule(playing("3C 3C 3S", CANASTA), threes) is None
    assert rule(playing("3C 3C 3S 4C", CANASTA), threes) is None
    assert rule(playing("3C 3C 3S 4C", CANASTA), f"{threes} x 4C") is None
    assert rule(playing("3C 3C 3S 4C 5C", CANASTA), threes) == "BLACK3_ONLY_GOING_OUT"
    assert rule(playing("3C 3C 3S 4C 5C", CANASTA), f"{threes} x 4C") == "BLACK3_ONLY_GOING_OUT"
    assert rule(playing("3C 3C 3S"), threes) == "KEEP_CARD"
    assert rule(playing("3C 3S", CANASTA), "lay 3:3C,3S") == "MIN_SIZE"
    assert rule(playing("3C 3S 2C", CANASTA), "lay 3:3C,3S,2C") == "BLACK3_NO_WILDS"


def test_the_fourth_black_three_may_follow_the_three():
    play = playing("3C 3C 3S 3S", CANASTA)
    do(play, "lay 3:3C,3C,3S", "lay 3:3S")
    assert (play.end, play.went_out) == ("WENT_OUT", 0)


def test_black_threes_may_go_with_a_take_that_goes_out():
    text = "take K:KC,KD;3:3C,3C,3S"
    melds = {0: CANASTA}
    assert rule(position(hold={0: "KC KD 3C 3C 3S"}, melds=melds, pile="KH"), text) is None
    assert rule(position(hold={0: "KC KD 3C 3C 3S"}, melds=melds, pile="5C KH"), text) is None
    deep = position(hold={0: "KC KD 3C 3C 3S"}, melds=melds, pile="5C 6C KH")
    assert rule(deep, text) == "BLACK3_ONLY_GOING_OUT"


# --------------------------------------------------------------------------- concealed


def lines(play):
    return dict(score_lines(play, 0))


KINGS_AND_ACES = "KC KC KD KD KH KH KS AC AD AH 4H"


def test_a_whole_holding_laid_in_one_turn_is_concealed():
    play = playing(KINGS_AND_ACES, None)
    do(play, "lay K:KC,KC,KD,KD,KH,KH,KS", "lay A:AC,AD,AH", "discard 4H")
    assert play.concealed
    assert (lines(play)["OUT"], lines(play)["CONCEALED"]) == (100, 100)


def test_a_canasta_begun_and_grown_in_the_turn_is_an_own_one():
    play = playing("KC KC KD KD KH KH KS AC AD AH 4H", None)
    do(play, "lay A:AC,AD,AH", "lay K:KC,KC,KD", "lay K:KD,KH,KH,KS x 4H")
    assert play.concealed


def test_the_partners_melds_do_not_spoil_it_unless_laid_on():
    play = playing(KINGS_AND_ACES + " TS", TENS, melded=[2])
    do(play, "lay K:KC,KC,KD,KD,KH,KH,KS;A:AC,AD,AH", "lay T:TS x 4H")
    assert play.end == "WENT_OUT"
    assert not play.concealed
    play = playing(KINGS_AND_ACES, TENS, melded=[2])
    do(play, "lay K:KC,KC,KD,KD,KH,KH,KS;A:AC,AD,AH x 4H")
    assert play.concealed


def test_laying_twice_on_a_partners_meld_spoils_it_too():
    play = playing(KINGS_AND_ACES + " TS TC", TENS, melded=[2])
    do(play, "lay T:TS", "lay T:TC", "lay K:KC,KC,KD,KD,KH,KH,KS;A:AC,AD,AH x 4H")
    assert ending(play) == ("WENT_OUT", 0, False)


def test_a_seat_that_melded_in_an_earlier_turn_is_not_concealed():
    play = playing(KINGS_AND_ACES, TENS, melded=[0])
    do(play, "lay K:KC,KC,KD,KD,KH,KH,KS;A:AC,AD,AH x 4H")
    assert not play.concealed
    assert "CONCEALED" not in lines(play)


def test_a_lay_in_an_earlier_turn_is_remembered():
    play = position(
        hold={0: "TS KC KC KD KD KH KH KS 5H", 1: "7D", 2: "7H", 3: "7S"},
        melds={0: TENS},
        phase="play",
        stock="6C 6D 6H 6S",
        melded=[2],
    )
    do(play, "lay T:TS x 5H")
    for face in ("6C", "6D", "6H"):
        do(play, "draw", f"discard {face}")
    do(play, "draw", "lay K:KC,KC,KD,KD,KH,KH,KS x 6S")
    assert (play.end, play.went_out, play.concealed) == ("WENT_OUT", 0, False)


def test_without_an_own_canasta_it_is_not_concealed():
    play = playing("KC KD KH AC AD AH 4H", CANASTA, melded=[2])
    do(play, "lay K:KC,KD,KH;A:AC,AD,AH x 4H")
    assert (play.end, play.concealed) == ("WENT_OUT", False)


def test_a_concealed_going_out_through_the_pile_counts():
    play = position(hold={0: "KC KC KD KD KH KH AC AD AH 4H"}, pile="KS")
    do(play, "take K:KC,KC,KD,KD,KH,KH;A:AC,AD,AH", "discard 4H")
    assert play.concealed


def test_a_pair_that_joins_the_partners_meld_spoils_it():
    hold = {0: "TS TC KC KC KD KD KH KH KS 4H"}
    play = position(hold=hold, melds={0: TENS}, pile="TD", melded=[2])
    do(play, "take T:TC,TS", "lay K:KC,KC,KD,KD,KH,KH,KS x 4H")
    assert (play.end, play.concealed) == ("WENT_OUT", False)
