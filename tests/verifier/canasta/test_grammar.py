"""An act has exactly one text (protocol.md 6.2, 6.7 points 1 to 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.canasta.faces import FACES, GROUP_RANKS, MELD_RANKS
from verifier.canasta.grammar import (
    PLAIN_VERBS,
    Act,
    ActFormError,
    Group,
    Verb,
    format_act,
    parse_act,
)

ORDER = [rank + suit for suit in "CDHS" for rank in "3456789TJQKA"]
ORDER += ["2C", "2D", "2H", "2S", "JK"]

faces = st.sampled_from(sorted(FACES))
card_lists = st.lists(faces, min_size=1, max_size=12).map(
    lambda cards: tuple(sorted(cards, key=ORDER.index))
)


def groups(ranks: str, least: int = 0):
    chosen = st.lists(st.sampled_from(ranks), unique=True, min_size=least, max_size=5)
    return chosen.map(lambda found: sorted(found, key=ranks.index)).flatmap(
        lambda found: st.tuples(*(st.builds(Group, st.just(r), card_lists) for r in found))
    )


plain = st.sampled_from(sorted(PLAIN_VERBS)).map(Act)
discards = faces.map(lambda face: Act(Verb.DISCARD, card=face))
lays = st.builds(Act, st.just(Verb.LAY), groups(GROUP_RANKS, 1), st.none() | faces)


@st.composite
def takes(draw):
    bare = draw(st.booleans())
    rank = draw(st.sampled_from(MELD_RANKS if bare else GROUP_RANKS))
    first = Group(rank, () if bare else draw(card_lists))
    further = draw(groups(GROUP_RANKS.replace(rank, "")))
    return Act(Verb.TAKE, (first, *further))


acts = plain | discards | lays | takes()


@given(acts)
def test_every_act_reads_back_from_its_text(act):
    assert parse_act(format_act(act)) == act


@given(acts, st.data())
def test_a_text_with_one_change_is_another_act_or_none(act, data):
    text = format_act(act)
    place = data.draw(st.integers(0, len(text)))
    letter = data.draw(st.sampled_from(" ,;:x\n23479TJQKAWCDHSdtyk") | st.just(""))
    changed = text[:place] + letter + text[place + data.draw(st.integers(0, 1)) :]
    try:
        found = parse_act(changed)
    except ActFormError:
        return
    assert format_act(found) == changed
    assert (found == act) == (changed == text)


@given(st.text(max_size=40))
def test_no_text_is_read_that_would_not_be_written(text):
    try:
        act = parse_act(text)
    except ActFormError:
        return
    assert format_act(act) == text


@given(lays, st.randoms(use_true_random=False))
def test_cards_of_a_group_in_another_order_are_refused(act, random):
    shuffled = []
    for group in act.groups:
        cards = list(group.cards)
        random.shuffle(cards)
        shuffled.append(f"{group.rank}:{','.join(cards)}")
    text = f"lay {';'.join(shuffled)}" + (f" x {act.card}" if act.card else "")
    if text == format_act(act):
        assert parse_act(text) == act
    else:
        with pytest.raises(ActFormError, match="must be written"):
            parse_act(text)


@pytest.mark.parametrize(
    "text",
    [
        "draw",
        "take Q",
        "take Q:QS,2C",
        "take Q;5:5C,5D,5D,2H,JK;A:AC,AD,AH",
        "take W:2C,JK",
        "take 3:3C,3S",
        "take K:KC,KD;5:5C,5D,5H;W:2C,2D,JK;3:3C,3C,3S",
        "lay 5:5C;T:TC,TD,TH x 3D",
        "lay 9:9C,TC,8D,9D,2C,2S,JK,JK",
        "lay 3:3D,3H,2S",
        "discard JK",
        "show",
        "ask",
        "yes",
        "no",
        "end",
    ],
)
def test_these_texts_are_acts(text):
    assert format_act(parse_act(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Draw",
        "draw ",
        " draw",
        "draw\n",
        "draw 1",
        "take",
        "take ",
        "take 3",
        "take W",
        "take 2",
        "take QQ",
        "take Q:",
        "take :QS",
        "take Q:QS,",
        "take Q:QS;",
        "take Q;Q:QS",
        "take Q;5",
        "take Q:QS x 5C",
        "take Q;A:AC,AD,AH;5:5C,5D,5H",
        "take 10:TC,TD",
        "lay",
        "lay x 5C",
        "lay Q",
        "lay Q:QC,QD,QH x",
        "lay Q:QC,QD,QH x ",
        "lay Q:QC,QD,QH  x 5C",
        "lay Q:QC,QD,QH x  5C",
        "lay Q:QC,QD,QH x 5C x 5C",
        "lay Q:QC,QD,QHx5C",
        "lay Q:QD,QC,QH",
        "lay Q:2C,QC,QD",
        "lay Q:QC,QD,JK,2C",
        "lay Q:QC, QD,QH",
        "lay K:KC,KD,KH;Q:QC,QD,QH",
        "lay 3:3C,3C,3S;Q:QC,QD,QH",
        "lay 3:3C,3C,3S;W:2C,2D,JK",
        "lay Q:QC,QD,QH;Q:QS",
        "lay 2:2C,2D,JK",
        "lay 8:TC,9C,8D",
        "discard",
        "discard ",
        "discard 10C",
        "discard jk",
        "discard 1C",
        "discard JKC",
        "discard 5C,5D",
        "yes no",
        "YES",
        "pass",
        "discard 5Ⅽ",
    ],
)
def test_these_texts_are_no_acts(text):
    with pytest.raises(ActFormError):
        parse_act(text)
