"""Acts that the rules forbid, each breaking one rule alone (docs/rules.md)."""

from typing import Final

from fairdeal.canasta import acts
from scripts.vectors import styles
from scripts.vectors.lies import Lie, Tell
from scripts.vectors.lies_acts import says
from scripts.vectors.script import Script
from scripts.vectors.wrong import breaking


def _breaks(code: str, word: str = "", *, alone: bool = True) -> Tell:
    """Put the first act that breaks a rule in the place of the one that was made."""

    def tell(script: Script) -> int:
        place, text = breaking(script.sitting.positions, code, word, alone=alone)
        return says(script, place, text)

    return tell


def _opening_in_two_steps(script: Script) -> int:
    """Lay only the canasta of an exempt opening, the rest to follow (R-X3)."""
    hand = script.sitting.game.hand
    place = next(
        place
        for place, entry in enumerate(script.entries)
        if entry.type == "act"
        and entry.body["hand"] == hand
        and entry.body["act"].startswith("lay")
    )
    act = acts.parse(script.entries[place].body["act"])
    whole = max(acts.groups_of(act), key=lambda one: len(one.cards))
    part = acts.Lay((whole,))
    assert part != act
    assert styles.points(part) <= styles.points(act)
    return says(script, place, acts.format_act(part))


def _lie(of: str, slug: str, title: str, rule: str, word: str = "") -> Lie:
    alone = rule != "TAKE_MODE_NOT_ALLOWED"  # Such a take has a wrong shape too.
    tell = _breaks(rule, word, alone=alone)
    return Lie(of=of, slug=slug, title=title, error="E_ACT_RULE", rule=rule, tell=tell)


LIES: Final = (
    _lie("V02a", "end-with-stock", "the hand is ended with a full stock", "WRONG_PHASE", "end"),
    _lie("V07a", "no-draw", "a discard without a draw", "WRONG_PHASE", "discard"),
    _lie("V03a", "second-draw", "a second draw in one turn", "WRONG_PHASE", "draw"),
    _lie("V06a", "empty-stock", "a draw from the empty stock", "STOCK_EMPTY"),
    _lie("V06a", "pile-left", "the hand is ended where the pile must be taken", "MUST_TAKE_PILE"),
    _lie("V04a", "top-wild", "the pile is taken under a wild card", "TOP_WILD"),
    _lie("V02a", "top-black-three", "the pile is taken under a black three", "TOP_BLACK3"),
    _lie(
        "V05a",
        "one-card-each",
        "a seat with one card takes a pile of one card",
        "ONE_CARD_HAND_ONE_CARD_PILE",
    ),
    _lie("V04a", "frozen", "a frozen pile is taken without a pair", "FROZEN"),
    _lie(
        "V03a",
        "frozen-unopened",
        "a side that has not opened takes the pile without a pair",
        "FROZEN_UNOPENED",
    ),
    _lie("V10a", "wild-on-black-threes", "a wild among black threes", "BLACK3_NO_WILDS"),
    _lie("V05a", "no-door", "an open pile is taken in no way there is", "TAKE_MODE_NOT_ALLOWED"),
    _lie("V03a", "other-rank", "a card of another rank in a meld", "RANK_MISMATCH"),
    _lie("V02a", "two-cards", "a meld of two cards", "MIN_SIZE"),
    _lie("V02a", "one-natural", "a meld with one natural", "MIN_NATURALS"),
    _lie("V02a", "four-wilds", "a meld with four wilds", "MAX_WILDS"),
    _lie("V02a", "wilds-alone", "a meld of wilds alone", "ALL_WILD_MELD"),
    _lie(
        "V03a",
        "black-threes-early",
        "black threes are laid and the turn goes on",
        "BLACK3_ONLY_GOING_OUT",
    ),
    _lie("V02a", "opening-short", "the opening is below the minimum", "OPENING_MINIMUM", "lay"),
    _lie("V03a", "take-short", "an opening take is below the minimum", "OPENING_MINIMUM", "take"),
    Lie(
        of="V08a",
        slug="opening-in-two-steps",
        title="a concealed opening below the minimum, laid in two acts",
        error="E_ACT_RULE",
        rule="OPENING_MINIMUM",
        tell=_opening_in_two_steps,
    ),
    _lie("V03a", "no-card-kept", "a take leaves too few cards", "KEEP_CARD"),
    _lie("V06a", "too-few-left", "a lay leaves one card, no canasta", "KEEP_CARD", "lay"),
    _lie("V10a", "ask-before-draw", "the question before the draw", "ASK_TOO_LATE", "ask"),
    _lie("V03a", "cannot-go-out", "a question by a seat that cannot go out", "CANNOT_GO_OUT"),
    _lie("V09a", "stays-in", "the partner said yes, the seat stays in", "MUST_GO_OUT"),
    _lie("V09a", "goes-out", "the partner said no, the seat goes out", "PARTNER_SAID_NO"),
)
