"""The allowed values of each field of a ruleset (docs/rules.md, the field table)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class _Values:
    """What a field may hold: a test of a JSON value, and the words for it."""

    fits: Callable[[object], bool]
    words: str


def _is_int(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _number(low: int, high: int) -> _Values:
    return _Values(lambda value: _is_int(value, low, high), f"{low} to {high}")


def _optional(low: int, high: int) -> _Values:
    return _Values(
        lambda value: value is None or _is_int(value, low, high), f"null or {low} to {high}"
    )


def _one_of(*words: str) -> _Values:
    return _Values(
        lambda value: isinstance(value, str) and value in words, "one of " + ", ".join(words)
    )


def _flag(*only: bool) -> _Values:
    values = only or (True, False)
    return _Values(
        lambda value: isinstance(value, bool) and value in values,
        " or ".join(str(value).lower() for value in values),
    )


def _subset(*words: str, empty: bool = True) -> _Values:
    def fits(value: object) -> bool:
        if not isinstance(value, list) or not (value or empty):
            return False
        return value == [word for word in words if word in value]

    return _Values(fits, "a subset, in this order, of " + ", ".join(words))


_LARGEST: Final = 2**53 - 1
"""The largest integer that a record holds (protocol §2.2)."""


def _is_bands(value: object) -> bool:
    """Bands: the first bound null, the others rising; minimums not falling (R-27, R-28)."""
    if not isinstance(value, list) or not 1 <= len(value) <= 8:
        return False
    last_bound: int | None = None
    last_minimum = 0
    for position, band in enumerate(value):
        if not isinstance(band, list) or len(band) != 2:
            return False
        bound, minimum = band
        if (bound is None) != (position == 0) or not _is_int(minimum, last_minimum, 1000):
            return False
        if position:
            if not _is_int(bound, -_LARGEST, _LARGEST):
                return False
            if last_bound is not None and bound <= last_bound:
                return False
            last_bound = bound
        last_minimum = minimum
    return True


def _is_table(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, list) or not 1 <= len(value) <= 13:
        return False
    return all(_is_int(item, 0, 100_000) for item in value) and value[0] == 0


_KINDS: Final = ("wild", "red3", "black3")
_DOORS: Final = ("pair", "natural_wild", "lay_on_meld")
_POINTS: Final = _number(0, 10_000)

FIELDS: Final[dict[str, _Values]] = {
    "players": _Values(lambda value: _is_int(value, 2, 6) and value != 5, "2, 3, 4 or 6"),
    "sides": _one_of("partners", "solo", "two_teams_of_three"),
    "decks": _number(1, 6),
    "jokers": _number(0, 24),
    "hand_size": _number(1, 25),
    "draw_count": _number(1, 4),
    "first_turn": _one_of("left_of_dealer"),
    "dealer_rotation": _one_of("clockwise"),
    "upcard_cover": _subset(*_KINDS),
    "upcard_freeze": _subset(*_KINDS),
    "red3_initial_when": _one_of("before_first_turn", "at_own_first_turn"),
    "red3_replace_order": _one_of("after_upcard_seat_order"),
    "red3_from_pile_replaced": _flag(),
    "red3_last_stock": _one_of("end_hand", "meld_then_end", "continue_turn"),
    "meld_min_size": _number(3, 7),
    "meld_min_naturals": _number(1, 7),
    "meld_max_wilds": _optional(0, 24),
    "wild_ratio": _one_of("free", "le_naturals", "lt_naturals"),
    "canasta_min_naturals": _number(0, 7),
    "meld_max_size": _optional(7, 48),
    "one_meld_per_rank": _flag(True),
    "wild_melds": _one_of("never", "allowed"),
    "wild_canasta_bonus": _POINTS,
    "wild_meld_extend": _flag(),
    "wild_on_natural_canasta": _one_of("demotes", "forbidden"),
    "incomplete_meld_limit": _optional(1, 12),
    "black3_meld": _one_of("going_out_only"),
    "opening_bands": _Values(_is_bands, "a ladder of [lower bound, minimum] pairs"),
    "opening_compare": _one_of("ge", "gt"),
    "opening_concealed_exempt": _one_of("never", "stock_draw", "always"),
    "opening_canasta_satisfies": _flag(),
    "frozen_before_opening": _flag(),
    "frozen_by_contents": _subset(*_KINDS),
    "black3_effect": _one_of("block", "freeze"),
    "always_frozen": _flag(),
    "top_blocks": _subset("wild", "black3", "red3"),
    "take_unfrozen": _subset(*_DOORS, empty=False),
    "take_frozen": _subset(*_DOORS, empty=False),
    "lay_on_completed_canasta": _flag(),
    "one_card_hand_one_card_pile": _one_of("forbidden", "allowed"),
    "buried_usable_same_turn": _flag(),
    "canastas_to_go_out": _number(0, 5),
    "go_out_needs_natural": _flag(),
    "go_out_discard": _one_of("optional", "required"),
    "keep_card_guard": _one_of("strict", "lookahead"),
    "permission": _one_of("off", "optional", "required"),
    "permission_when": _one_of("after_draw_before_meld"),
    "permission_yes": _one_of("must_go_out", "may"),
    "permission_precheck": _flag(),
    "permission_fail_penalty": _number(0, 1000),
    "concealed_scope": _one_of("player", "side"),
    "concealed_needs_own_canasta": _flag(),
    "concealed_after_pile": _flag(),
    "concealed_lay_on_partner": _flag(),
    "going_out_bonus": _POINTS,
    "concealed_extra": _POINTS,
    "natural_canasta": _POINTS,
    "mixed_canasta": _POINTS,
    "concealed_canasta_bonus": _POINTS,
    "red3_each": _POINTS,
    "red3_all": _POINTS,
    "red3_negative_if": _one_of("no_meld", "no_canasta"),
    "red3_unexposed_penalty": _POINTS,
    "stock_empty": _one_of("end", "optional", "must_if_fits_meld", "must_if_any"),
    "target": _optional(5, 10**6),
    "max_hands": _optional(1, 512),
    "win_rule": _one_of("higher_total"),
    "tie_rule": _one_of("extra_hand", "draw_unless_agreed"),
    "pile_visible": _one_of("top", "all"),
    "hints": _one_of("on", "off"),
    "red3_table": _Values(_is_table, "null or a total for each count of red threes, the first 0"),
}


def fits(name: str, value: object) -> bool:
    """Say whether a JSON value is allowed for a field."""
    return FIELDS[name].fits(value)


def describe(name: str) -> str:
    """Say in words what a field may hold."""
    return FIELDS[name].words
