"""The named rulesets, each a base plus what it changes (docs/rules.md, presets)."""

from collections.abc import Mapping
from typing import Final

from fairdeal.canasta.ruleset import Ruleset, from_json
from fairdeal.errors import Unprocessable

_CLASSIC: Final[dict[str, object]] = {
    "players": 4,
    "sides": "partners",
    "decks": 2,
    "jokers": 4,
    "hand_size": 11,
    "draw_count": 1,
    "first_turn": "left_of_dealer",
    "dealer_rotation": "clockwise",
    "upcard_cover": ["wild", "red3"],
    "upcard_freeze": ["wild", "red3"],
    "red3_initial_when": "before_first_turn",
    "red3_replace_order": "after_upcard_seat_order",
    "red3_from_pile_replaced": False,
    "red3_last_stock": "end_hand",
    "meld_min_size": 3,
    "meld_min_naturals": 2,
    "meld_max_wilds": 3,
    "wild_ratio": "free",
    "canasta_min_naturals": 0,
    "meld_max_size": None,
    "one_meld_per_rank": True,
    "wild_melds": "never",
    "wild_canasta_bonus": 0,
    "wild_meld_extend": False,
    "wild_on_natural_canasta": "demotes",
    "incomplete_meld_limit": None,
    "black3_meld": "going_out_only",
    "opening_bands": [[None, 15], [0, 50], [1500, 90], [3000, 120]],
    "opening_compare": "ge",
    "opening_concealed_exempt": "stock_draw",
    "opening_canasta_satisfies": False,
    "frozen_before_opening": True,
    "frozen_by_contents": ["wild", "red3"],
    "black3_effect": "block",
    "always_frozen": False,
    "top_blocks": ["wild", "black3", "red3"],
    "take_unfrozen": ["pair", "natural_wild", "lay_on_meld"],
    "take_frozen": ["pair"],
    "lay_on_completed_canasta": True,
    "one_card_hand_one_card_pile": "forbidden",
    "buried_usable_same_turn": True,
    "canastas_to_go_out": 1,
    "go_out_needs_natural": False,
    "go_out_discard": "optional",
    "keep_card_guard": "lookahead",
    "permission": "optional",
    "permission_when": "after_draw_before_meld",
    "permission_yes": "must_go_out",
    "permission_precheck": True,
    "permission_fail_penalty": 100,
    "concealed_scope": "player",
    "concealed_needs_own_canasta": True,
    "concealed_after_pile": True,
    "concealed_lay_on_partner": False,
    "going_out_bonus": 100,
    "concealed_extra": 100,
    "natural_canasta": 500,
    "mixed_canasta": 300,
    "concealed_canasta_bonus": 0,
    "red3_each": 100,
    "red3_all": 800,
    "red3_negative_if": "no_meld",
    "red3_unexposed_penalty": 0,
    "stock_empty": "must_if_fits_meld",
    "target": 5000,
    "max_hands": None,
    "win_rule": "higher_total",
    "tie_rule": "extra_hand",
    "pile_visible": "top",
    "hints": "on",
    "red3_table": None,
}

_PARTNERSHIP: Final[dict[str, object]] = {
    **_CLASSIC,
    "wild_ratio": "le_naturals",
    "red3_from_pile_replaced": True,
    "red3_last_stock": "continue_turn",
    "take_unfrozen": ["pair", "lay_on_meld"],
    "one_card_hand_one_card_pile": "allowed",
    "opening_concealed_exempt": "never",
    "concealed_needs_own_canasta": False,
    "concealed_after_pile": False,
    "tie_rule": "draw_unless_agreed",
}
_PAGAT: Final[dict[str, object]] = {**_CLASSIC, "one_card_hand_one_card_pile": "allowed"}
_TWO_PLAYERS: Final[dict[str, object]] = {
    "players": 2,
    "sides": "solo",
    "hand_size": 15,
    "draw_count": 2,
    "canastas_to_go_out": 2,
    "permission": "off",
}
_THREE_PLAYERS: Final[dict[str, object]] = {
    "players": 3,
    "sides": "solo",
    "hand_size": 13,
    "permission": "off",
}
_UNSAID: Final = ("decks", "jokers", "hand_size", "red3_all", "target")
"""What the text for six players leaves to the table: to be chosen, never assumed (R-2)."""

PRESETS: Final[dict[str, Mapping[str, object]]] = {
    "classic@1": _CLASSIC,
    "partnership@1": _PARTNERSHIP,
    "basics@1": {
        **_CLASSIC,
        "upcard_cover": ["wild", "red3", "black3"],
        "meld_max_wilds": None,
        "canasta_min_naturals": 4,
        "opening_compare": "gt",
        "opening_concealed_exempt": "never",
        "take_unfrozen": ["pair", "lay_on_meld"],
        "one_card_hand_one_card_pile": "allowed",
        "permission": "off",
        "concealed_scope": "side",
    },
    "hoyle@1": {
        **_CLASSIC,
        "opening_concealed_exempt": "never",
        "one_card_hand_one_card_pile": "allowed",
        "keep_card_guard": "strict",
        "permission": "off",
        "stock_empty": "must_if_any",
    },
    "glintwick@1": {
        **_CLASSIC,
        "one_card_hand_one_card_pile": "allowed",
        "permission": "off",
    },
    "cardems@1": {
        **_CLASSIC,
        "one_card_hand_one_card_pile": "allowed",
        "opening_concealed_exempt": "never",
    },
    "pagat@1": _PAGAT,
    "bicycle@1": {
        **_CLASSIC,
        "upcard_cover": ["wild", "red3", "black3"],
        "upcard_freeze": ["wild", "red3", "black3"],
        "black3_effect": "freeze",
        "red3_initial_when": "at_own_first_turn",
    },
    "britannica@1": {
        **_CLASSIC,
        "red3_last_stock": "meld_then_end",
        "stock_empty": "must_if_any",
    },
    "two-player@1": {**_PARTNERSHIP, **_TWO_PLAYERS},
    "two-player-pagat@1": {**_PAGAT, **_TWO_PLAYERS},
    "three-player-draw-two@1": {
        **_PARTNERSHIP,
        **_THREE_PLAYERS,
        "draw_count": 2,
        "canastas_to_go_out": 2,
    },
    "three-player-draw-one@1": {**_PARTNERSHIP, **_THREE_PLAYERS},
    "six-player@1": {
        **_PARTNERSHIP,
        "players": 6,
        "sides": "two_teams_of_three",
        "permission": "off",
        **dict.fromkeys(_UNSAID),
    },
    "uruguay@1": {
        **_CLASSIC,
        "wild_melds": "allowed",
        "wild_canasta_bonus": 2000,
        "always_frozen": True,
    },
}


def missing(preset: str) -> tuple[str, ...]:
    """Name the fields that a preset leaves open, so that the table must choose them."""
    return _UNSAID if preset == "six-player@1" else ()


def build(preset: str, overrides: Mapping[str, object] | None = None) -> Ruleset:
    """Give the ruleset of a preset with single fields changed.

    Raises:
        Unprocessable: ``no_such_preset``, ``ruleset_field``, ``rules_incomplete`` (the preset
            leaves fields open that were not given), or as ``from_json``.
    """
    if preset not in PRESETS:
        raise Unprocessable(
            "no_such_preset",
            f"There is no preset {preset!r}; offered: {', '.join(sorted(PRESETS))}.",
            {"offered": sorted(PRESETS)},
        )
    changes = dict(overrides or {})
    unknown = sorted(set(changes) - set(PRESETS[preset]))
    if unknown:
        raise Unprocessable(
            "ruleset_field",
            f"No field of a ruleset is called {', '.join(unknown)}.",
            {"unknown": unknown, "missing": [], "wrong": []},
        )
    open_fields = [name for name in missing(preset) if changes.get(name) is None]
    if open_fields and not (open_fields == ["target"] and changes.get("max_hands")):
        raise Unprocessable(
            "rules_incomplete",
            f"{preset} leaves open what the table must choose: {', '.join(open_fields)}.",
            {"missing": open_fields},
        )
    return from_json({**PRESETS[preset], **changes})
