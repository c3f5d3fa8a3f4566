"""The ruleset of record 0: every field and its values (rules.md, the field table)."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple


class Field(NamedTuple):
    """One line of the field table."""

    fits: Callable[[object], bool]
    values: str
    classic: object


def is_int(value: object) -> bool:
    """Whether this is a JSON integer; true and false are none."""
    return type(value) is int


def _whole(low: int, high: int, classic: int) -> Field:
    return Field(lambda value: _within(value, low, high), f"{low} to {high}", classic)


def _null_or_whole(low: int, high: int, classic: int | None) -> Field:
    return Field(
        lambda value: value is None or _within(value, low, high),
        f"null or {low} to {high}",
        classic,
    )


def _within(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and is_int(value) and low <= value <= high


def _words(classic: str, *others: str) -> Field:
    allowed = (classic, *others)
    return Field(lambda value: isinstance(value, str) and value in allowed, str(allowed), classic)


def _flag(classic: bool) -> Field:
    return Field(lambda value: isinstance(value, bool), "true or false", classic)


def _subset(allowed: Sequence[str], classic: Sequence[str], *, least: int = 0) -> Field:
    def fits(value: object) -> bool:
        if not isinstance(value, list) or len(value) < least:
            return False
        return value == [word for word in allowed if word in value]

    return Field(fits, f"different words of {allowed} in this order", list(classic))


def _are_bands(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= 8:
        return False
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        return False
    bounds, minimums = [pair[0] for pair in value], [pair[1] for pair in value]
    if bounds[0] is not None or not all(map(is_int, bounds[1:])):
        return False
    if any(low >= high for low, high in pairwise(bounds[1:])):
        return False
    if not all(_within(minimum, 0, 1000) for minimum in minimums):
        return False
    return all(low <= high for low, high in pairwise(minimums))


def _is_red3_table(value: object) -> bool:
    # Its length depends on `decks` and is judged with it in field_fault.
    if value is None:
        return True
    if not isinstance(value, list) or not all(_within(total, 0, 100_000) for total in value):
        return False
    return bool(value) and value[0] == 0


_KINDS: Final = ("wild", "red3", "black3")
_DOORS: Final = ("pair", "natural_wild", "lay_on_meld")

FIELDS: Final[Mapping[str, Field]] = {
    "players": Field(lambda value: is_int(value) and value in (2, 3, 4, 6), "2, 3, 4 or 6", 4),
    "sides": _words("partners", "solo", "two_teams_of_three"),
    "decks": _whole(1, 6, 2),
    "jokers": _whole(0, 24, 4),
    "hand_size": _whole(1, 25, 11),
    "draw_count": _whole(1, 4, 1),
    "first_turn": _words("left_of_dealer"),
    "dealer_rotation": _words("clockwise"),
    "upcard_cover": _subset(_KINDS, ("wild", "red3")),
    "upcard_freeze": _subset(_KINDS, ("wild", "red3")),
    "red3_initial_when": _words("before_first_turn", "at_own_first_turn"),
    "red3_replace_order": _words("after_upcard_seat_order"),
    "red3_from_pile_replaced": _flag(False),
    "red3_last_stock": _words("end_hand", "meld_then_end", "continue_turn"),
    "meld_min_size": _whole(3, 7, 3),
    "meld_min_naturals": _whole(1, 7, 2),
    "meld_max_wilds": _null_or_whole(0, 24, 3),
    "wild_ratio": _words("free", "le_naturals", "lt_naturals"),
    "canasta_min_naturals": _whole(0, 7, 0),
    "meld_max_size": _null_or_whole(7, 48, None),
    "one_meld_per_rank": Field(lambda value: value is True, "true", True),
    "wild_melds": _words("never", "allowed"),
    "wild_canasta_bonus": _whole(0, 10_000, 0),
    "wild_meld_extend": _flag(False),
    "wild_on_natural_canasta": _words("demotes", "forbidden"),
    "incomplete_meld_limit": _null_or_whole(1, 12, None),
    "black3_meld": _words("going_out_only"),
    "opening_bands": Field(
        _are_bands,
        "1 to 8 pairs [lower bound, minimum], the first bound null, the others rising, "
        "minimums 0 to 1000 and not falling",
        [[None, 15], [0, 50], [1500, 90], [3000, 120]],
    ),
    "opening_compare": _words("ge", "gt"),
    "opening_concealed_exempt": _words("stock_draw", "never", "always"),
    "opening_canasta_satisfies": _flag(False),
    "frozen_before_opening": _flag(True),
    "frozen_by_contents": _subset(_KINDS, ("wild", "red3")),
    "black3_effect": _words("block", "freeze"),
    "always_frozen": _flag(False),
    "top_blocks": _subset(("wild", "black3", "red3"), ("wild", "black3", "red3")),
    "take_unfrozen": _subset(_DOORS, _DOORS, least=1),
    "take_frozen": _subset(_DOORS, ("pair",), least=1),
    "lay_on_completed_canasta": _flag(True),
    "one_card_hand_one_card_pile": _words("forbidden", "allowed"),
    "buried_usable_same_turn": _flag(True),
    "canastas_to_go_out": _whole(0, 5, 1),
    "go_out_needs_natural": _flag(False),
    "go_out_discard": _words("optional", "required"),
    "keep_card_guard": _words("lookahead", "strict"),
    "permission": _words("optional", "off", "required"),
    "permission_when": _words("after_draw_before_meld"),
    "permission_yes": _words("must_go_out", "may"),
    "permission_precheck": _flag(True),
    "permission_fail_penalty": _whole(0, 1000, 100),
    "concealed_scope": _words("player", "side"),
    "concealed_needs_own_canasta": _flag(True),
    "concealed_after_pile": _flag(True),
    "concealed_lay_on_partner": _flag(False),
    "going_out_bonus": _whole(0, 10_000, 100),
    "concealed_extra": _whole(0, 10_000, 100),
    "natural_canasta": _whole(0, 10_000, 500),
    "mixed_canasta": _whole(0, 10_000, 300),
    "concealed_canasta_bonus": _whole(0, 10_000, 0),
    "red3_each": _whole(0, 10_000, 100),
    "red3_all": _whole(0, 10_000, 800),
    "red3_negative_if": _words("no_meld", "no_canasta"),
    "red3_unexposed_penalty": _whole(0, 10_000, 0),
    "stock_empty": _words("must_if_fits_meld", "end", "optional", "must_if_any"),
    "target": _null_or_whole(5, 1_000_000, 5000),
    "max_hands": _null_or_whole(1, 512, None),
    "win_rule": _words("higher_total"),
    "tie_rule": _words("extra_hand", "draw_unless_agreed"),
    "pile_visible": _words("top", "all"),
    "hints": _words("on", "off"),
    "red3_table": Field(_is_red3_table, "null, or totals by count, the first 0", None),
}

CLASSIC_1: Final[Mapping[str, object]] = {name: field.classic for name, field in FIELDS.items()}


def field_fault(ruleset: object) -> str | None:
    """Name the first field of a ruleset that is missing, unknown or out of its values.

    Args:
        ruleset: Any JSON value.
    """
    if not isinstance(ruleset, dict):
        return "rules.play.ruleset is not an object"
    for name in ruleset:
        if name not in FIELDS:
            return f"rules.play.ruleset has a field {name!r} that the rules do not know"
    for name, field in FIELDS.items():
        if name not in ruleset:
            return f"rules.play.ruleset lacks the field {name!r}"
        if not field.fits(ruleset[name]):
            return f"rules.play.ruleset.{name} must be {field.values}"
    red3_table, decks = ruleset["red3_table"], ruleset["decks"]
    if red3_table is not None and len(red3_table) != 2 * decks + 1:
        return f"rules.play.ruleset.red3_table must be null or {2 * decks + 1} totals"
    return None
