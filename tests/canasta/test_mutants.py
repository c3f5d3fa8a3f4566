"""Single rules whose reversal no other test noticed (benchmarks/mutants.py, docs/mutants.md)."""

from typing import Any

from fairdeal.canasta import cards, finish
from fairdeal.canasta.counts import Counts
from fairdeal.canasta.moves import LAY, Heap, Move
from fairdeal.canasta.referee import faults
from fairdeal.canasta.scoring import sheet
from tests.canasta.positions import CANASTA, MIXED, at, broken, do, legal

NINES = {"9": "9C 9D 9H"}
FULL = {"9": CANASTA}
REST = "4C 5C 6C 7C"
LAST: dict[str, Any] = {"stock": "3D", "red3_last_stock": "meld_then_end"}


def play(hold, a=None, **changes):
    return at(hold, a=a or NINES, phase="play", **changes)


def test_a_mixed_canasta_is_one_for_the_red_threes():
    position = at("", a={"8": MIXED}, red={"A": "3D"}, red3_negative_if="no_canasta")
    assert dict(sheet(position)[0].lines)["RED_THREES"] == 100


def test_a_single_black_three_is_too_few_and_nothing_else_is_said_of_its_shape():
    assert set(broken(play(f"3C {REST}", FULL), "lay 3:3C")) == {
        "MIN_SIZE",
        "BLACK3_ONLY_GOING_OUT",
    }


def test_the_last_black_three_joins_the_three_that_lie():
    assert do(play("3C 3C 3S 3S", FULL), "lay 3:3C,3C,3S", "lay 3:3S").end == "WENT_OUT"


def test_only_a_natural_canasta_is_closed_to_wilds():
    melds = {"9": "9C 9D 9H", "8": MIXED, "T": "TC TC TD TD TH 2C"}
    position = play(f"2D {REST}", melds, wild_on_natural_canasta="forbidden")
    for rank in "98T":
        assert broken(position, f"lay {rank}:2D") == ()


def test_of_a_forbidden_wild_meld_nothing_else_is_said():
    assert broken(play(f"2C {REST}"), "lay W:2C") == ("ALL_WILD_MELD",)


def test_a_wild_meld_may_reach_its_largest_size():
    changes: dict[str, Any] = {
        "wild_melds": "allowed", "wild_meld_extend": True, "meld_max_size": 7,
    }  # fmt: skip
    melds = {**NINES, "W": "2C 2C 2D JK JK JK"}
    assert broken(play(f"2H 2S {REST}", melds, **changes), "lay W:2H") == ()
    assert broken(play(f"2H 2S {REST}", melds, **changes), "lay W:2H,2S") == ("CANASTA_CLOSED",)
    assert broken(play(f"2C 2D JK {REST}", **changes), "lay W:2C,2D,JK") == ()


def test_only_a_canasta_is_closed_to_the_top_card_and_a_mixed_one_is():
    closed: dict[str, Any] = {"lay_on_completed_canasta": False}
    assert broken(at(REST, a=NINES, pile="6C 9S", **closed), "take 9") == ()
    assert broken(at(REST, a={"8": MIXED}, pile="6C 8S", **closed), "take 8")[0] == (
        "CANASTA_CLOSED"
    )
    assert broken(at(REST, a=NINES, pile="6C 9S", stock=0, **closed), "end") == ("MUST_TAKE_PILE",)
    # The pair would be legal, but a closed canasta is no meld that the top card fits.
    hold = f"8C 8D {REST}"
    assert broken(at(hold, a={"8": MIXED}, pile="6C 8S", stock=0, **closed), "end") == ()


def test_a_partner_who_is_asked_does_not_end_the_hand():
    asked = do(at({0: "9S", 2: "KC KD"}, a=FULL, **LAST), "draw", "ask")
    assert asked.turn == 2
    assert broken(asked, "end") == ("WRONG_PHASE",)
    assert broken(do(asked, "yes"), "end") == ("MUST_GO_OUT",)


def test_a_no_after_the_last_red_three_leaves_the_end_of_the_hand():
    refused = do(at({0: "9S", 2: "KC KD"}, a=FULL, **LAST), "draw", "ask", "no")
    assert (refused.end, legal(refused)) == ("", ["end"])


def test_a_lay_alone_keeps_the_turn_going_without_a_question():
    changes: dict[str, Any] = {"red3_last_stock": "continue_turn", "permission": "off"}
    six = {"9": "9C 9C 9D 9D 9H 9H"}
    position = do(at("9S", a=six, stock="3D", **changes), "draw")
    assert (position.end, legal(position)) == ("", ["lay 9:9S"])


def test_a_no_costs_nothing_and_an_unkept_yes_leaves_no_answer():
    position = at({0: f"KC KD {REST}", 2: "5C AS"}, a=FULL, phase="play", permission_precheck=False)
    refused = do(position, "ask", "no")
    assert (refused.penalties, refused.answer, refused.asker) == ([0, 0], "no", -1)
    failed = do(position, "ask", "yes")
    assert (failed.penalties, failed.answer, failed.asker) == ([100, 0], "", -1)


def test_of_an_act_with_cards_not_held_what_it_would_leave_is_not_judged():
    assert broken(play("KC KD 4C"), "lay K:KC,KD,KH") == ("NOT_IN_HAND",)


def test_a_blocked_top_card_ends_the_judging():
    position = at("QC QD", a=NINES, pile="6C 2S")
    assert broken(position, "take Q:QC,QD") == ("TOP_WILD",)


def test_a_joker_of_the_pile_waits_a_turn_where_buried_cards_do():
    changes: dict[str, Any] = {"buried_usable_same_turn": False}
    for wild in ("JK", "2C"):
        position = at(f"KH KD QD QH {REST}", a=NINES, pile=f"{wild} KS", **changes)
        position = do(position, "take K:KD,KH")
        assert broken(position, f"lay Q:QD,QH,{wild}") == ("NOT_IN_HAND",)
        free = do(at(f"KH KD QD QH {REST}", a=NINES, pile=f"{wild} KS"), "take K:KD,KH")
        assert broken(free, f"lay Q:QD,QH,{wild}") == ()


def test_a_side_above_the_limit_of_incomplete_melds_may_add_to_them():
    melds = {"9": "9C 9D 9H", "8": "8C 8D 8H", "K": "KC KD 2C 2D", "T": "TC TD TH"}
    position = play(f"TS {REST}", melds, incomplete_meld_limit=3)
    assert broken(position, "lay T:TS") == ()


def test_the_top_card_makes_a_whole_canasta_of_the_first_group_only():
    changes: dict[str, Any] = {"totals": (3000, 0), "opening_canasta_satisfies": True}
    fours = "4C 4C 4D 4D 4H 4H"
    own = at(f"{fours} 9C 8C 7C", pile="4S", **changes)
    assert broken(own, "take 4:4C,4C,4D,4D,4H,4H") == ()
    beside = at(f"{fours} 6C 6D 9C 8C 7C", pile="6S", **changes)
    assert broken(beside, "take 6:6C,6D;4:4C,4C,4D,4D,4H,4H") == ("OPENING_MINIMUM",)


def test_only_buried_cards_wait_after_a_take_and_a_wrong_rank_is_no_lack_of_cards():
    hold = f"KH KD QC QD QH {REST}"
    position = at(hold, a=NINES, pile="QS KS", buried_usable_same_turn=False)
    position = do(position, "take K:KD,KH")
    assert broken(position, "lay Q:QC,QD,QH") == ()
    assert broken(position, "lay Q:QC,QD,QH,QS") == ("NOT_IN_HAND",)
    assert broken(position, "lay Q:4C,5C,QC,QD,QH") == ("RANK_MISMATCH",)


def may_ask(hold, a=None, **changes):
    """Whether the search finds a going out."""
    changes.setdefault("situation", {"melded_seats": []})
    found = broken(at({0: hold, 2: "5C AS"}, a=a or {}, phase="play", **changes), "ask")
    assert found in ((), ("CANNOT_GO_OUT",))
    return not found


def test_the_search_knows_that_a_concealed_opening_may_need_a_canasta_of_its_own():
    changes: dict[str, Any] = {"totals": (3200, 0), "canastas_to_go_out": 0}
    assert not may_ask("KC KD KH 4C", **changes)
    assert may_ask("KC KD KH 4C", concealed_needs_own_canasta=False, **changes)


def test_the_search_counts_the_points_of_an_opening_that_is_not_exempt():
    kings = "KC KC KD KD KH KH KS"
    assert not may_ask(f"{kings} 4C", totals=(3000, 0), opening_concealed_exempt="never")
    assert may_ask(f"{kings} 4C", totals=(0, 0), opening_concealed_exempt="never")


def test_the_search_takes_only_a_natural_canasta_for_one():
    six = {"K": "KC KC KD KD KH 2C"}
    assert not may_ask("KC KD KH 4C", {"8": MIXED}, go_out_needs_natural=True)
    assert not may_ask("2D 4C", six, go_out_needs_natural=True)
    assert may_ask("2D 4C", six)


def test_the_search_leaves_no_black_three_over():
    assert not may_ask("KC KD KH 3C 4C", FULL)
    assert not may_ask("KC KD KH 3C 3S 4C", FULL)
    assert may_ask("KC KD KH 3C", FULL)


def test_the_search_keeps_to_the_limit_of_incomplete_melds():
    assert may_ask("KC KD KH 4C", FULL, incomplete_meld_limit=1)
    assert not may_ask("KC KD KH QC QD QH 4C", FULL, incomplete_meld_limit=1)


def test_without_a_pile_taken_a_concealed_finish_needs_no_leave_for_piles():
    position = at(
        "KC KC KD KD KH KH KS 4C",
        phase="play",
        situation={"melded_seats": []},
        concealed_after_pile=False,
    )
    assert do(position, "lay K:KC,KC,KD,KD,KH,KH,KS x 4C").concealed


def test_of_an_act_with_a_wrong_rank_what_it_would_leave_is_not_judged():
    assert broken(play("KC KD QH 4C"), "lay K:KC,KD,QH") == ("RANK_MISMATCH",)


def test_the_last_card_kept_for_a_meld_needs_the_answer_that_is_required():
    six = {"K": "KC KC KD KD KH 2C", "T": "TC TD TH"}
    position = play("TS KS", six, permission="required")
    assert broken(position, "lay T:TS") == ("KEEP_CARD", "PARTNER_SAID_NO")


def test_who_holds_nothing_has_nothing_to_go_out_with():
    position = play("4C", FULL)
    assert not finish.can_finish(finish.table(position, 0), [0] * cards.CLASSES)


def test_black_threes_with_a_four_thrown_off_and_a_card_left_do_not_go_out():
    position = play("3C 3C 3S 4C 9S", FULL)
    assert broken(position, "lay 3:3C,3C,3S x 4C") == ("BLACK3_ONLY_GOING_OUT",)


def test_a_meld_of_as_many_wilds_as_naturals_counts_toward_the_limit():
    position = play(f"QC QD 2C 2D {REST}", incomplete_meld_limit=1)
    assert broken(position, "lay Q:QC,QD,2C,2D") == ("INCOMPLETE_MELD_LIMIT",)


SIX = {"K": "KC KC KD KD KH 2C", "T": "TC TD TH", "9": "9C 9D 9H"}


def test_a_yes_that_is_required_lets_the_last_card_wait_for_its_meld():
    position = at({0: "TS KS", 2: "5C AS"}, a=SIX, phase="play", permission="required")
    assert broken(do(position, "ask", "yes"), "lay T:TS") == ()


def test_a_card_that_waits_a_turn_is_not_the_last_one_to_be_laid():
    for usable in (True, False):
        position = at("TS 9S", a=SIX, pile="KS TD", buried_usable_same_turn=usable)
        position = do(position, "take T:TS")
        assert broken(position, "lay 9:9S") == (() if usable else ("KEEP_CARD",))


def test_the_pile_of_others_makes_no_card_of_the_holding_wait():
    position = play("TS KS", SIX, pile="KD 4C", buried_usable_same_turn=False)
    assert broken(position, "lay T:TS") == ()


def test_a_take_whose_replacements_are_red_threes_too_goes_out_only_where_it_may():
    def end(red, a, **changes):
        position = at(
            "KC KD", a=a, pile="3H " * red + "KS", stock=" ".join(["3D"] * red),
            red3_from_pile_replaced=True, **changes,
        )  # fmt: skip
        after = do(position, "take K:KC,KD")
        return after.end, after.out

    stuck = ("NO_LEGAL_COMPLETION", -1)
    assert end(1, FULL) == ("WENT_OUT", 0)
    assert end(1, FULL, go_out_discard="required") == stuck
    assert end(2, FULL) == ("WENT_OUT", 0)
    assert end(2, NINES) == stuck
    assert end(2, FULL, permission="required") == stuck


def test_a_count_core_lacks_the_discard_that_its_seat_does_not_hold():
    core = Counts.from_position(play("5C 6C 7C 8C KC KD KH", FULL))
    kings = Heap(9, 3, 0, 0)
    for klass, lacking in ((0, ("NOT_IN_HAND",)), (1, ()), (4, ()), (9, ("NOT_IN_HAND",))):
        assert tuple(faults(core, Move(LAY, (kings,), klass))) == lacking


def test_a_lay_that_discards_goes_out_where_a_discard_is_required():
    position = play("KC KD KH 4C", FULL, go_out_discard="required")
    assert broken(position, "lay K:KC,KD,KH x 4C") == ()


def test_a_canasta_that_stands_makes_no_room_beyond_the_limit():
    melds = {"9": CANASTA, "8": "8C 8D 8H", "K": "KC KD KH", "T": "TC TD TH"}
    position = play(f"QC QD QH {REST}", melds, incomplete_meld_limit=3)
    assert broken(position, "lay Q:QC,QD,QH") == ("INCOMPLETE_MELD_LIMIT",)


def test_cards_that_wait_hinder_no_lay_of_others_whatever_else_is_held():
    position = at("KH KD QC QD QH AC", a=NINES, pile="AD KS", buried_usable_same_turn=False)
    assert broken(do(position, "take K:KD,KH"), "lay Q:QC,QD,QH") == ()


def test_an_opening_through_the_pile_counts_the_top_card_and_no_other():
    for pile, code in (("4C AS", ()), ("JK 4C AS", ()), ("AH 9S", ("OPENING_MINIMUM",))):
        rank = pile[-2]
        hold = f"{rank}C {rank}D {REST}"
        position = at(hold, pile=pile, frozen_before_opening=True)
        assert broken(position, f"take {rank}:{rank}C,{rank}D") == code


def test_the_search_knows_a_natural_canasta_that_stands_or_is_laid():
    assert may_ask("KC KD KH 4C", FULL, go_out_needs_natural=True)
    assert may_ask("KC KC KD KD KH KH KS 4C", NINES, go_out_needs_natural=True)


def test_the_search_opens_with_a_whole_canasta_only_where_there_is_one():
    changes: dict[str, Any] = {
        "totals": (3200, 0), "opening_canasta_satisfies": True,
        "opening_concealed_exempt": "never", "canastas_to_go_out": 0,
    }  # fmt: skip
    assert not may_ask("KC KD KH 4C", **changes)
    assert may_ask("KC KC KD KD KH KH KS 4C", **changes)


def test_the_search_leaves_no_red_three_over():
    assert not may_ask("KC KD KH 3H 4C", FULL)


def test_a_take_for_another_rank_than_the_top_card_is_judged_no_further():
    position = at("QC QD", a=NINES, pile="6C KS")
    assert broken(position, "take Q:QC") == ("TOP_CARD_NOT_USED",)


def test_the_search_lays_no_last_card_where_a_discard_is_required():
    assert may_ask("KC KD KH", FULL)
    assert not may_ask("KC KD KH", FULL, go_out_discard="required")


def test_a_mixed_canasta_laid_this_turn_is_an_own_canasta():
    position = at("KC KD KH KS KC 2C 2D AC AD AH", stock="4C 5C")
    out = do(position, "draw", "lay K:KC,KC,KD,KH,KS,2C,2D;A:AC,AD,AH", "discard 4C")
    assert (out.end, out.concealed) == ("WENT_OUT", True)


def test_a_side_with_nothing_but_a_wild_meld_has_opened():
    wilds = {"W": "2C 2C 2D 2D 2H JK JK"}
    position = at(
        {0: "4C 4D 4H", 2: "AS"}, a=wilds, stock="5C 6C", totals=(3000, 0), wild_melds="allowed"
    )
    position = do(position, "draw")
    assert broken(position, "ask") == ()
    assert do(position, "ask", "yes", "lay 4:4C,4D,4H x 5C").end == "WENT_OUT"
