"""Acts as text: the grammar of protocol §6.2 and §6.7, exact both ways."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fairdeal.canasta import acts, cards
from fairdeal.canasta.moves import Heap, Move, compose, to_act
from fairdeal.errors import MalformedInput
from tests.canasta.positions import at

RANKS = "456789TJQKAW3"
# The order of §6.7 written out: naturals by suit, within a suit by rank, then deuces, then JK.
ORDER = [rank + suit for suit in "CDHS" for rank in "3456789TJQKA"] + [
    *("2C", "2D", "2H", "2S", "JK")
]

CARD = r"(?:[A2-9TJQK][CDHS]|JK)"
GROUP = rf"[456789TJQKAW3]:{CARD}(?:,{CARD})*"
FORM = re.compile(
    rf"draw|show|ask|yes|no|end|discard {CARD}"
    rf"|lay {GROUP}(?:;{GROUP})*(?: x {CARD})?"
    rf"|take (?:[456789TJQKA]|{GROUP})(?:;{GROUP})*"
)


def is_canonical(text):
    """The grammar by itself, written from the protocol alone."""
    if len(text) > 400 or not FORM.fullmatch(text):
        return False
    word, _, rest = text.partition(" ")
    if word not in ("lay", "take"):
        return True
    groups = rest.split(" x ")[0].split(";")
    ranks = [group[0] for group in groups]
    ordered = ranks if word == "lay" else ranks[1:]
    cards_in_order = all(
        [*faces] == sorted(faces, key=ORDER.index)
        for faces in (group[2:].split(",") for group in groups if ":" in group)
    )
    return (
        len(set(ranks)) == len(ranks)
        and [*ordered] == sorted(ordered, key=RANKS.index)
        and cards_in_order
    )


faces = st.sampled_from(cards.FACES)
some_cards = st.lists(faces, min_size=1, max_size=12)


def group_of(rank):
    return some_cards.map(lambda cards: acts.group(rank, cards))


def groups_of(ranks):
    return st.tuples(*map(group_of, ranks))


def ordered(ranks):
    return sorted(ranks, key=RANKS.index)


rank_sets = st.sets(st.sampled_from(RANKS), min_size=1, max_size=5)
lays = rank_sets.flatmap(
    lambda ranks: st.builds(acts.Lay, groups_of(ordered(ranks)), st.none() | faces)
)


@st.composite
def takes(draw):
    first, *rest = draw(st.lists(st.sampled_from(RANKS), min_size=1, max_size=4, unique=True))
    own = draw(some_cards) if first in "W3" or draw(st.booleans()) else []
    return acts.Take(first, acts.group(first, own).cards, draw(groups_of(ordered(rest))))


words = st.sampled_from(
    [acts.Draw(), acts.Show(), acts.Ask(), acts.Answer(True), acts.Answer(False), acts.End()]
)
any_act = st.one_of(words, lays, takes(), faces.map(acts.Discard))
tokens = ["lay ", "take ", "discard ", "draw", "end", " x ", ";", ",", ":", "K", "W", "3", "A:"]
tokens += ["K:", "4:", "KC", "KD", "3C", "3D", "2C", "2S", "JK", "AS", "4H", " ", "\n", "10H", "kc"]
pieces = st.lists(st.sampled_from(tokens), max_size=12).map("".join)


def read(text):
    """The act of a text, or None; nothing but a ``bad_act`` may be raised."""
    try:
        return acts.parse(text)
    except MalformedInput as refusal:
        codes.append(refusal.code)
        lengths.append(len(refusal.sentence))
        return None


codes: list[str] = []
lengths: list[int] = []


@given(pieces)
@example("lay K:KC,KD,KH x 4C")
@example("take K;4:4C,4D,4H")
@example("take K:KC,KD;4:4C")
@example("take 4:4C;4:4D")
@example("lay 4:4D,4C,4H")
@example("lay K:KC;4:4C")
@example("take W")
@example("take 3")
@example("take 2:2C")
@example("discard ")
@example("discard  4C")
@example("lay 4:4C  x 4D")
@example("lay 4:4C x 4D x 4D")
@example("lay x 4C")
@example("take 4:4C x 4D")
@example("draw ")
@example("Draw")
@example("take K;W:2C,JK;3:3C")
@example("take K;3:3C;W:2C,JK")
@example("lay W:2C,JK,2D")
@example("lay 3:3D,4C,3C")
def test_exactly_the_canonical_texts_are_read(text):
    act = read(text)
    assert (act is not None) == is_canonical(text)
    assert act is None or acts.format_act(act) == text


@given(lays, st.randoms(use_true_random=False))
def test_cards_or_groups_in_another_order_are_refused(act, chance):
    groups = [
        f"{one.rank}:{','.join(chance.sample(one.cards, len(one.cards)))}" for one in act.groups
    ]
    chance.shuffle(groups)
    text = "lay " + ";".join(groups)
    if text == acts.format_act(acts.Lay(act.groups)) or len(text) > 400:
        return
    with pytest.raises(MalformedInput, match="another order"):
        acts.parse(text)


@given(st.text(max_size=1000))
@example("lay K:" + "KC," * 300)
@example("discard ⅡC")
@example("discard K\N{FULLWIDTH LATIN CAPITAL LETTER C}")
@example("take ４")
@example("yes\x00")
@example("no\n")
@example("end ")
@example("\ud800")
def test_hostile_text_raises_nothing_but_a_malformed_input(text):
    act = read(text)
    assert act is None or acts.format_act(act) == text
    assert set(codes) <= {"bad_act"}
    assert max(lengths, default=0) < 300


@given(st.sampled_from(["lay ", "take ", "discard "]), st.text(max_size=990))
def test_a_known_word_before_hostile_text_changes_nothing_about_that(word, text):
    act = read(word + text)
    assert (act is not None) == is_canonical(word + text)


def test_an_act_of_four_hundred_characters_is_read_and_a_longer_one_is_not():
    text = "lay K:" + ",".join(["KC"] * 130) + " x KC"
    assert len(text) == 400
    assert acts.format_act(acts.parse(text)) == text
    with pytest.raises(MalformedInput, match="longer"):
        acts.parse(text.replace("K:", "K:KC,", 1))


def test_cards_of_an_act_are_those_that_leave_the_holding():
    assert acts.cards_of(acts.parse("take K:KC,KD;4:4C,4D,4H")) == ("KC", "KD", "4C", "4D", "4H")
    assert acts.cards_of(acts.parse("lay 4:4C,4D,4H x 5S")) == ("4C", "4D", "4H", "5S")
    assert acts.cards_of(acts.parse("discard JK")) == ("JK",)
    assert acts.cards_of(acts.parse("draw")) == ()


def test_groups_of_a_take_leave_its_first_out():
    assert acts.groups_of(acts.parse("take K:KC,KD;4:4C,4D,4H")) == (
        acts.Group("4", ("4C", "4D", "4H")),
    )
    assert acts.groups_of(acts.parse("discard 4C")) == ()


def test_two_groups_of_one_rank_are_refused():
    with pytest.raises(MalformedInput, match="two groups of one rank"):
        acts.parse("lay 4:4C,4D;4:4H")
    with pytest.raises(MalformedInput, match="two groups of rank 4"):
        acts.parse("take 4:4C;4:4D")


def test_an_act_that_moves_no_card_is_its_kind():
    for word in ("draw", "show", "ask", "yes", "no", "end"):
        assert compose(acts.parse(word)) == (Move(word), ())


def test_a_move_of_cards_that_are_not_held_has_no_faces():
    with pytest.raises(ValueError, match="no card of class 9"):
        to_act(at("KC"), 0, Move("lay", (Heap(9, 2, 0, 0),)))
