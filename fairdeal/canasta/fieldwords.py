"""Every field of a ruleset in plain words: what it is about, and what each value means.

Used for the rules page and for naming what differs between two rulesets. A value is read as it
stands in JSON: lists, null, true and false.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

Reader: TypeAlias = Callable[[object], str]

_KINDS: Final = {"wild": "wild cards", "red3": "red threes", "black3": "black threes"}
_DOORS: Final = {
    "pair": "two natural cards from the hand",
    "natural_wild": "one natural and one wild card from the hand",
    "lay_on_meld": "a meld of the side that the top card fits",
}


@dataclass(frozen=True, slots=True)
class FieldWords:
    """The words for one field.

    Attributes:
        section: The heading under which the rules page has it.
        topic: What the field settles.
        read: Turns a value into a phrase.
    """

    section: str
    topic: str
    read: Reader


def _words(**values: str) -> Reader:
    return lambda value: values[str(value)]


def _flag(yes: str, no: str) -> Reader:
    return lambda value: yes if value else no


def _some(one: str, many: str, none: str = "no limit") -> Reader:
    def read(value: object) -> str:
        if value is None:
            return none
        return f"{value:,} {one if value == 1 else many}" if isinstance(value, int) else str(value)

    return read


def _points(value: object) -> str:
    return f"{value:,} points" if isinstance(value, int) else "to be chosen"


def _listed(words: Mapping[str, str], joined: str, empty: str) -> Reader:
    def read(value: object) -> str:
        found = [words[one] for one in value] if isinstance(value, list) else []
        if not found:
            return empty
        return ", ".join(found[:-1]) + (joined if len(found) > 1 else "") + found[-1]

    return read


def _bands(value: object) -> str:
    assert isinstance(value, list)
    first, *rest = value
    told = [f"{first[1]}"] + [f"{minimum} from a total of {bound:,}" for bound, minimum in rest]
    return ", ".join(told)


def _table(value: object) -> str:
    if not isinstance(value, list):
        return "each at its own value"
    return ", ".join(f"{count}: {points:,}" for count, points in enumerate(value))


_COVER = _listed(_KINDS, " and ", "none")
_TABLE, _RED, _MELDS = "Table and deal", "Red threes", "Melds"
_OPEN, _PILE, _OUT = "The opening", "The pile", "Going out"
_STOCK, _SCORE, _MATCH, _VIEW = "The stock", "Scores", "The game", "What is shown"

FIELD_WORDS: Final[dict[str, FieldWords]] = {
    "players": FieldWords(_TABLE, "Players", _some("player", "players")),
    "sides": FieldWords(
        _TABLE,
        "Sides",
        _words(
            partners="partners sit opposite",
            solo="each for themselves",
            two_teams_of_three="two teams of three, sitting alternately",
        ),
    ),
    "decks": FieldWords(_TABLE, "Packs of 52", _some("pack", "packs", "to be chosen")),
    "jokers": FieldWords(_TABLE, "Jokers", _some("joker", "jokers", "to be chosen")),
    "hand_size": FieldWords(_TABLE, "Cards dealt", _some("card", "cards", "to be chosen")),
    "draw_count": FieldWords(_TABLE, "Cards drawn in a turn", _some("card", "cards")),
    "first_turn": FieldWords(
        _TABLE, "Who begins", _words(left_of_dealer="the seat left of the dealer")
    ),
    "dealer_rotation": FieldWords(
        _MATCH, "The deal passes", _words(clockwise="clockwise after each hand")
    ),
    "upcard_cover": FieldWords(_TABLE, "Turned cards that are covered by another", _COVER),
    "upcard_freeze": FieldWords(_TABLE, "Turned cards that freeze the first pile", _COVER),
    "red3_initial_when": FieldWords(
        _RED,
        "Red threes of the deal are laid",
        _words(
            before_first_turn="before the first turn", at_own_first_turn="at one's own first turn"
        ),
    ),
    "red3_replace_order": FieldWords(
        _RED,
        "Order in which they are replaced",
        _words(after_upcard_seat_order="after the upcard, seat by seat from the dealer's left"),
    ),
    "red3_from_pile_replaced": FieldWords(
        _RED, "Red threes taken with the pile", _flag("are replaced", "are not replaced")
    ),
    "red3_last_stock": FieldWords(
        _RED,
        "A red three as the last stock card",
        _words(
            end_hand="ends the hand at once",
            meld_then_end="lets the player lay and then end the hand, without a discard",
            continue_turn="leaves the turn to go on",
        ),
    ),
    "meld_min_size": FieldWords(_MELDS, "Least cards of a meld", _some("card", "cards")),
    "meld_min_naturals": FieldWords(
        _MELDS, "Least natural cards of a meld", _some("natural card", "natural cards")
    ),
    "meld_max_wilds": FieldWords(
        _MELDS, "Most wild cards of a meld", _some("wild card", "wild cards")
    ),
    "wild_ratio": FieldWords(
        _MELDS,
        "Wild against natural cards",
        _words(
            free="wild cards may outnumber natural ones",
            le_naturals="never more wild than natural cards",
            lt_naturals="always more natural than wild cards",
        ),
    ),
    "canasta_min_naturals": FieldWords(
        _MELDS, "Least natural cards of a canasta", _some("natural card", "natural cards")
    ),
    "meld_max_size": FieldWords(_MELDS, "Most cards of a meld", _some("card", "cards")),
    "one_meld_per_rank": FieldWords(
        _MELDS, "Melds of one rank", _flag("one a side; later cards join it", "several")
    ),
    "wild_melds": FieldWords(
        _MELDS, "Melds of wild cards only", _words(never="never", allowed="allowed")
    ),
    "wild_canasta_bonus": FieldWords(_SCORE, "A canasta of wild cards", _points),
    "wild_meld_extend": FieldWords(
        _MELDS, "A canasta of wild cards", _flag("may grow beyond seven", "stops at seven")
    ),
    "wild_on_natural_canasta": FieldWords(
        _MELDS,
        "A wild card on a natural canasta",
        _words(demotes="makes it a mixed one", forbidden="is forbidden"),
    ),
    "incomplete_meld_limit": FieldWords(
        _MELDS, "Most unfinished melds of a side", _some("meld", "melds")
    ),
    "black3_meld": FieldWords(
        _MELDS, "Black threes are melded", _words(going_out_only="only in going out")
    ),
    "opening_bands": FieldWords(_OPEN, "Minimum count by game total", _bands),
    "opening_compare": FieldWords(
        _OPEN, "The minimum", _words(ge="has to be reached", gt="has to be exceeded")
    ),
    "opening_concealed_exempt": FieldWords(
        _OPEN,
        "Going out concealed without the minimum",
        _words(never="never", stock_draw="allowed after a draw from the stock", always="allowed"),
    ),
    "opening_canasta_satisfies": FieldWords(
        _OPEN, "A whole canasta opens", _flag("whatever it counts", "only if it counts enough")
    ),
    "frozen_before_opening": FieldWords(
        _PILE,
        "For a side that has not opened",
        _flag("the pile counts as frozen", "the pile is as for others"),
    ),
    "frozen_by_contents": FieldWords(_PILE, "Cards that freeze the pile", _COVER),
    "black3_effect": FieldWords(
        _PILE,
        "A black three",
        _words(block="blocks the pile while it is on top", freeze="freezes the pile"),
    ),
    "always_frozen": FieldWords(
        _PILE, "The pile is frozen", _flag("always", "only when a card freezes it")
    ),
    "top_blocks": FieldWords(_PILE, "On top, these cannot be taken", _COVER),
    "take_unfrozen": FieldWords(
        _PILE, "An open pile is taken by", _listed(_DOORS, ", or ", "nothing")
    ),
    "take_frozen": FieldWords(
        _PILE, "A frozen pile is taken by", _listed(_DOORS, ", or ", "nothing")
    ),
    "lay_on_completed_canasta": FieldWords(
        _PILE,
        "The top card onto a complete canasta",
        _flag("takes the pile", "does not take the pile"),
    ),
    "one_card_hand_one_card_pile": FieldWords(
        _PILE,
        "With one card in hand, a pile of one card",
        _words(forbidden="may not be taken", allowed="may be taken"),
    ),
    "buried_usable_same_turn": FieldWords(
        _PILE, "Cards taken with the pile", _flag("may be laid at once", "wait for the next turn")
    ),
    "canastas_to_go_out": FieldWords(
        _OUT, "Canastas needed to go out", _some("canasta", "canastas")
    ),
    "go_out_needs_natural": FieldWords(
        _OUT, "A natural canasta among them", _flag("is needed", "is not needed")
    ),
    "go_out_discard": FieldWords(
        _OUT, "A last discard", _words(optional="may be made", required="has to be made")
    ),
    "keep_card_guard": FieldWords(
        _OUT,
        "Laying down to one card",
        _words(
            strict="needs the canastas for going out first",
            lookahead="is allowed if that card can then go out",
        ),
    ),
    "permission": FieldWords(
        _OUT,
        "Asking the partner",
        _words(
            off="does not exist",
            optional="is allowed before going out",
            required="is needed before going out",
        ),
    ),
    "permission_when": FieldWords(
        _OUT,
        "When one may ask",
        _words(after_draw_before_meld="after a draw from the stock, before laying"),
    ),
    "permission_yes": FieldWords(
        _OUT,
        "After a yes",
        _words(must_go_out="the asker must go out", may="the asker may go out or not"),
    ),
    "permission_precheck": FieldWords(
        _OUT,
        "One may ask",
        _flag("only if one can go out", "even if one cannot go out"),
    ),
    "permission_fail_penalty": FieldWords(_OUT, "Asking in vain costs", _points),
    "concealed_scope": FieldWords(
        _OUT,
        "A concealed finish means that nothing was laid before by",
        _words(player="the player", side="the side"),
    ),
    "concealed_needs_own_canasta": FieldWords(
        _OUT,
        "For a concealed finish, a canasta of one's own",
        _flag("is needed", "is not needed"),
    ),
    "concealed_after_pile": FieldWords(
        _OUT, "A concealed finish after taking the pile", _flag("is possible", "is not possible")
    ),
    "concealed_lay_on_partner": FieldWords(
        _OUT,
        "A concealed finish with cards on the partner's melds",
        _flag("is possible", "is not possible"),
    ),
    "going_out_bonus": FieldWords(_SCORE, "Going out", _points),
    "concealed_extra": FieldWords(_SCORE, "Going out concealed, more", _points),
    "natural_canasta": FieldWords(_SCORE, "A natural canasta", _points),
    "mixed_canasta": FieldWords(_SCORE, "A mixed canasta", _points),
    "concealed_canasta_bonus": FieldWords(_SCORE, "A canasta laid whole from the hand", _points),
    "red3_each": FieldWords(_SCORE, "A red three", _points),
    "red3_all": FieldWords(_SCORE, "All red threes together", _points),
    "red3_negative_if": FieldWords(
        _SCORE,
        "Red threes count against a side",
        _words(no_meld="without a meld", no_canasta="without a canasta"),
    ),
    "red3_unexposed_penalty": FieldWords(_SCORE, "A red three left in the hand costs", _points),
    "stock_empty": FieldWords(
        _STOCK,
        "When the stock is empty",
        _words(
            end="the hand ends",
            optional="the pile may be taken, or the hand ended",
            must_if_fits_meld="the pile must be taken if its top fits an existing meld",
            must_if_any="the pile must be taken if it can be",
        ),
    ),
    "target": FieldWords(_MATCH, "The game is played to", _some("point", "points", "no target")),
    "max_hands": FieldWords(_MATCH, "Hands at most", _some("hand", "hands")),
    "win_rule": FieldWords(_MATCH, "Who wins", _words(higher_total="the higher total")),
    "tie_rule": FieldWords(
        _MATCH,
        "At a tie",
        _words(extra_hand="another hand is played", draw_unless_agreed="the game is a draw"),
    ),
    "pile_visible": FieldWords(
        _VIEW, "Of the pile one sees", _words(top="the top card", all="all cards")
    ),
    "hints": FieldWords(_VIEW, "Hints", _words(on="may be asked for", off="are not given")),
    "red3_table": FieldWords(_SCORE, "Red threes by their number", _table),
}

SECTIONS: Final = (_TABLE, _RED, _MELDS, _OPEN, _PILE, _OUT, _STOCK, _SCORE, _MATCH, _VIEW)
"""The headings in their order."""


def phrase(field: str, value: object) -> str:
    """Say what a value of a field means."""
    return FIELD_WORDS[field].read(value)


def differences(
    one: Mapping[str, object], other: Mapping[str, object]
) -> list[tuple[str, str, str]]:
    """Name what differs between two rulesets: the topic, and what each of them says.

    Args:
        one: A ruleset as its JSON object; a preset that leaves fields open has null there.
        other: Another.
    """
    return [
        (words.topic, words.read(one[field]), words.read(other[field]))
        for field, words in FIELD_WORDS.items()
        if one[field] != other[field]
    ]
