"""The search for a going out finds exactly what trying every act of the turn finds (R-X4, R-X7)."""

import copy
import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.canasta.positions import position, refused
from verifier.canasta.acts import apply_act
from verifier.canasta.faces import is_wild, rank
from verifier.canasta.grammar import Act, Group, Verb, format_act, parse_act
from verifier.canasta.laying import can_finish

RANKS = "479K"
POOL = [name + suit for name in RANKS for suit in "CH"] + ["3C", "3S", "2C", "JK"]


def lays(faces, ranks):
    """Every way to lay these cards, each on its rank and the wilds anywhere."""
    wilds = [face for face in faces if is_wild(face)]
    for places in itertools.product(ranks, repeat=len(wilds)):
        groups: dict[str, list[str]] = {}
        for face in faces:
            if not is_wild(face):
                groups.setdefault(rank(face), []).append(face)
        for place, face in zip(places, wilds, strict=True):
            groups.setdefault(place, []).append(face)
        yield tuple(Group(name, tuple(cards)) for name, cards in groups.items())


def every_act(play):
    """Every lay, with and without a discard, and every discard of the seat in turn."""
    held = list(play.held().elements())
    ranks = sorted({rank(face) for face in held if not is_wild(face)} | set(play.melds()))
    texts = {f"discard {face}" for face in held}
    for size in range(1, len(held) + 1):
        for chosen in set(itertools.combinations(sorted(held), size)):
            rest = list(held)
            for face in chosen:
                rest.remove(face)
            for groups in lays(chosen, ranks):
                for card in (None, *rest):
                    texts.add(format_act(Act(Verb.LAY, groups, card)))
    return sorted(texts)


def goes_out_by_trying(play):
    """Whether some sequence of lawful acts of this turn goes out, by trying them all."""
    for text in every_act(play):
        if refused(play, text) is not None:
            continue
        after = copy.deepcopy(play)
        apply_act(after, parse_act(text))
        if after.went_out is not None:
            return True
        if after.end is None and after.turn.seat == play.turn.seat and goes_out_by_trying(after):
            return True
    return False


def goes_out_by_search(play):
    return can_finish(play, play.held(), play.melds())


holdings = st.lists(st.sampled_from(POOL), min_size=1, max_size=5)
melds = st.dictionaries(
    st.sampled_from(RANKS),
    st.tuples(st.integers(2, 7), st.integers(0, 3)).filter(lambda meld: sum(meld) >= 3),
    max_size=2,
)


@settings(max_examples=150)
@given(holdings, melds, st.booleans(), st.sampled_from([0, 1, 2]), st.booleans())
def test_the_search_finds_what_trying_every_act_finds(hold, sizes, drew_stock, canastas, required):
    play = position(
        hold={0: hold},
        melds={
            0: {
                name: [name + "S"] * naturals + ["2D"] * wilds
                for name, (naturals, wilds) in sizes.items()
            }
        },
        phase="play",
        drew_stock=drew_stock,
        canastas_to_go_out=canastas,
        go_out_discard="required" if required else "optional",
    )
    assert goes_out_by_search(play) == goes_out_by_trying(play)


big = st.lists(st.sampled_from(["4C", "4D", "5C", "5D", "2C"]), min_size=7, max_size=12)


@settings(max_examples=100)
@given(big, st.sampled_from([0, 1500, 3000]), st.booleans())
def test_a_first_laying_that_goes_out_is_found_exactly_when_one_act_of_it_is_lawful(
    hold, total, drew_stock
):
    play = position(hold={0: hold}, phase="play", drew_stock=drew_stock, totals=(total, 0))
    found = False
    for discard in {None, *hold}:
        rest = list(hold)
        if discard is not None:
            rest.remove(discard)
        for groups in lays(rest, sorted({rank(face) for face in rest if not is_wild(face)})):
            text = format_act(Act(Verb.LAY, groups, discard))
            found = found or refused(play, text) is None
    assert goes_out_by_search(play) == found


def test_both_answers_occur_on_hand_made_positions():
    canasta = {0: {"9": ["9S"] * 7}}
    assert goes_out_by_search(position(hold={0: "KC KD KH 4C"}, melds=canasta, phase="play"))
    assert not goes_out_by_search(position(hold={0: "KC KD 4C"}, melds=canasta, phase="play"))
    six = {0: {"9": ["9S"] * 4 + ["2C"] * 2}}
    assert goes_out_by_search(position(hold={0: "JK KC"}, melds=six, phase="play"))
    assert not goes_out_by_search(position(hold={0: "JK KC 4C"}, melds=six, phase="play"))
