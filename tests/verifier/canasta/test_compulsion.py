"""A take is compulsory exactly when trying every take finds a lawful one (R-65, R-X8)."""

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.canasta.positions import position, refused, rule
from tests.verifier.canasta.test_finish import lays
from verifier.canasta.compulsion import must_take
from verifier.canasta.faces import is_wild, rank
from verifier.canasta.grammar import Act, Group, Verb, format_act
from verifier.canasta.melds import Count
from verifier.canasta.spread import Top, takes_top

RANKS = "47K"
POOL = [name + suit for name in RANKS for suit in "CH"] + ["3C", "2C", "JK"]


def every_take(play):
    """Every take of own cards: the first group of the top card's rank, others beside it."""
    top = rank(play.position.top())
    held = sorted(play.held().elements())
    names = sorted({rank(face) for face in held if not is_wild(face)} | {top} | set(play.melds()))
    texts = set()
    for size in range(len(held) + 1):
        for chosen in set(itertools.combinations(held, size)):
            for groups in lays(chosen, names) if chosen else ((),):
                first = [group for group in groups if group.rank == top] or [Group(top, ())]
                others = [group for group in groups if group.rank != top]
                texts.add(format_act(Act(Verb.TAKE, (*first, *others))))
    return sorted(texts)


sizes = st.dictionaries(
    st.sampled_from(RANKS),
    st.tuples(st.integers(2, 7), st.integers(0, 3)).filter(lambda meld: sum(meld) >= 3),
    max_size=2,
)
changes = st.fixed_dictionaries(
    {
        "stock_empty": st.sampled_from(["must_if_any", "must_if_any", "must_if_fits_meld"]),
        "one_card_hand_one_card_pile": st.just("allowed"),
        "take_frozen": st.sampled_from([["pair"], ["pair", "natural_wild", "lay_on_meld"]]),
        "take_unfrozen": st.sampled_from([["pair", "natural_wild", "lay_on_meld"], ["pair"]]),
        "lay_on_completed_canasta": st.booleans(),
        "canastas_to_go_out": st.sampled_from([0, 1, 1, 2]),
        "go_out_discard": st.sampled_from(["optional", "required"]),
        "keep_card_guard": st.sampled_from(["lookahead", "strict"]),
        "permission": st.sampled_from(["optional", "required"]),
        "incomplete_meld_limit": st.sampled_from([None, 1, 2]),
        "canasta_min_naturals": st.sampled_from([0, 5]),
        "opening_concealed_exempt": st.sampled_from(["never", "always"]),
        "concealed_needs_own_canasta": st.booleans(),
        "opening_canasta_satisfies": st.booleans(),
        "buried_usable_same_turn": st.booleans(),
        "opening_bands": st.sampled_from([[[None, 0]], [[None, 30]], [[None, 60]], [[None, 500]]]),
    }
)


@settings(max_examples=400)
@given(
    st.lists(st.sampled_from(POOL), min_size=1, max_size=6),
    sizes,
    st.lists(st.sampled_from(["5C", "9C", "KS", "2D", "4S", "3H"]), max_size=2),
    st.sampled_from(["4S", "7S", "KS"]),
    changes,
)
def test_a_take_is_compulsory_exactly_when_one_is_lawful(hold, melds, under, top, fields):
    play = position(
        hold={0: hold},
        melds={
            0: {
                name: [name + "S"] * naturals + ["2D"] * wilds
                for name, (naturals, wilds) in melds.items()
            }
        },
        pile=[*under, top],
        stock="",
        **fields,
    )
    lawful = [text for text in every_take(play) if refused(play, text) is None]
    if fields["stock_empty"] == "must_if_fits_meld":
        allowed = "take_frozen" if frozen(play) else "take_unfrozen"
        fits = "lay_on_meld" in fields[allowed] and takes_top(
            play.rules, rank(top), play.melds().get(rank(top))
        )
        lawful = lawful if fits else []
    assert must_take(play) == bool(lawful), lawful


def frozen(play):
    return bool({"wild", "red3"} & play.position.kinds_in_pile()) or not play.melds()


def test_a_bare_take_of_wilds_fits_no_door():
    top = Top("2C", frozenset({"pair", "natural_wild", "lay_on_meld"}))
    assert not top.fits(Count(0, 0), has_meld=True)
    assert top.fits(Count(0, 1), has_meld=True)
    assert not top.fits(Count(0, 2), has_meld=False)


SIX = {"Q": "QC QC QD QD QS QH"}
FREE: dict[str, Any] = {
    "stock": "",
    "stock_empty": "must_if_any",
    "one_card_hand_one_card_pile": "allowed",
}


@pytest.mark.parametrize(
    ("under", "fields", "due"),
    [
        ("QH", {}, "MUST_TAKE_PILE"),
        ("2H", {}, "MUST_TAKE_PILE"),
        ("9H", {}, None),
        ("QH", {"canastas_to_go_out": 2}, None),
        ("QH", {"keep_card_guard": "strict"}, None),
        ("QH", {"go_out_discard": "required"}, None),
        ("QH", {"buried_usable_same_turn": False}, None),
        ("QH", {"permission": "required"}, None),
    ],
)
def test_the_buried_card_may_be_what_goes_out(under, fields, due):
    play = position(hold={0: "KC KD"}, melds={0: SIX}, pile=f"{under} KS", **FREE, **fields)
    assert rule(play, "end") == due
    assert (rule(play, "take K:KC,KD") is None) == (due is not None)


@pytest.mark.parametrize(
    ("minimum", "exempt", "due"),
    [(50, "always", "MUST_TAKE_PILE"), (90, "always", None), (50, "never", "MUST_TAKE_PILE")],
)
def test_a_canasta_that_the_buried_card_completes_comes_too_late_for_an_opening(
    minimum, exempt, due
):
    bands: dict[str, Any] = {"opening_bands": [[None, minimum]], "opening_concealed_exempt": exempt}
    play = position(hold={0: "KC KC KD KD KH"}, pile="KH KS", **FREE, **bands)
    assert rule(play, "end") == due
    assert (rule(play, "take K:KC,KC,KD,KD,KH") is None) == (due is not None)
