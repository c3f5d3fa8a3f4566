"""The presets of docs/rules.md, the verifier's own table: what a named base would have (6.1).

What binds in a game is the ruleset that its record 0 holds; a preset's name is only said.
"""

from collections.abc import Mapping
from typing import Final

from verifier.canasta.fields import CLASSIC_1, FIELDS
from verifier.canasta.table import same_json

Fields = Mapping[str, object]

_ALL_KINDS: Final = ["wild", "red3", "black3"]
_TWO_PLAYERS: Final[Fields] = {
    "players": 2,
    "sides": "solo",
    "hand_size": 15,
    "draw_count": 2,
    "canastas_to_go_out": 2,
    "permission": "off",
}
_THREE_PLAYERS: Final[Fields] = {
    "players": 3,
    "sides": "solo",
    "hand_size": 13,
    "permission": "off",
}

# Each with its base; a question needs one partner (CL-2), so those without have none.
_CHANGES: Final[Mapping[str, tuple[str, Fields]]] = {
    "partnership": (
        "classic",
        {
            "wild_ratio": "le_naturals",
            "red3_from_pile_replaced": True,
            "red3_last_stock": "continue_turn",
            "take_unfrozen": ["pair", "lay_on_meld"],
            "one_card_hand_one_card_pile": "allowed",
            "opening_concealed_exempt": "never",
            "concealed_needs_own_canasta": False,
            "concealed_after_pile": False,
            "tie_rule": "draw_unless_agreed",
        },
    ),
    "basics": (
        "classic",
        {
            "upcard_cover": _ALL_KINDS,
            "meld_max_wilds": None,
            "canasta_min_naturals": 4,
            "opening_compare": "gt",
            "opening_concealed_exempt": "never",
            "take_unfrozen": ["pair", "lay_on_meld"],
            "one_card_hand_one_card_pile": "allowed",
            "permission": "off",
            "concealed_scope": "side",
        },
    ),
    "hoyle": (
        "classic",
        {
            "opening_concealed_exempt": "never",
            "one_card_hand_one_card_pile": "allowed",
            "keep_card_guard": "strict",
            "permission": "off",
            "stock_empty": "must_if_any",
        },
    ),
    "glintwick": ("classic", {"one_card_hand_one_card_pile": "allowed", "permission": "off"}),
    "cardems": (
        "classic",
        {"one_card_hand_one_card_pile": "allowed", "opening_concealed_exempt": "never"},
    ),
    "pagat": ("classic", {"one_card_hand_one_card_pile": "allowed"}),
    "bicycle": (
        "classic",
        {
            "upcard_cover": _ALL_KINDS,
            "upcard_freeze": _ALL_KINDS,
            "black3_effect": "freeze",
            "red3_initial_when": "at_own_first_turn",
        },
    ),
    "britannica": ("classic", {"red3_last_stock": "meld_then_end", "stock_empty": "must_if_any"}),
    "two-player-pagat": ("pagat", _TWO_PLAYERS),
    "two-player": ("partnership", _TWO_PLAYERS),
    "three-player-draw-two": (
        "partnership",
        {**_THREE_PLAYERS, "draw_count": 2, "canastas_to_go_out": 2},
    ),
    "three-player-draw-one": (
        "partnership",
        {**_THREE_PLAYERS, "draw_count": 1, "canastas_to_go_out": 1},
    ),
    "six-player": (
        "partnership",
        {
            "players": 6,
            "sides": "two_teams_of_three",
            "decks": 3,
            "jokers": 6,
            "permission": "off",
        },
    ),
    "uruguay": (
        "classic",
        {"wild_melds": "allowed", "wild_canasta_bonus": 2000, "always_frozen": True},
    ),
}
# What a text leaves to the table: nothing there differs from the preset.
_OPEN: Final = {"six-player": {"hand_size", "red3_all", "target"}}
_VERSION: Final = "@1"


def preset_names() -> list[str]:
    """The names of all presets with their version."""
    return ["classic" + _VERSION, *(name + _VERSION for name in _CHANGES)]


def preset_fields(name: str) -> dict[str, object] | None:
    """The fields that a preset fixes, or None where the table has no such preset.

    Args:
        name: With its version, as ``classic@1``.
    """
    base = name.removesuffix(_VERSION)
    if name not in preset_names():
        return None
    steps: list[Fields] = []
    while base != "classic":
        steps.append(_CHANGES[base][1])
        base = _CHANGES[base][0]
    fields = dict(CLASSIC_1)
    for changes in reversed(steps):
        fields.update(changes)
    left_open = _OPEN.get(name.removesuffix(_VERSION), set())
    return {field: fields[field] for field in FIELDS if field not in left_open}


def preset_choices(name: str, ruleset: Fields) -> list[tuple[str, object]]:
    """What a ruleset has where its preset leaves the value to the table: field and value.

    Args:
        name: One that the table has.
        ruleset: A valid one.
    """
    left_open = _OPEN.get(name.removesuffix(_VERSION), set())
    return [(field, ruleset[field]) for field in FIELDS if field in left_open]


def preset_differences(name: str, ruleset: Fields) -> list[tuple[str, object, object]] | None:
    """Where a ruleset is not what its preset has: the field, its value, and the preset's.

    Returns:
        None where the table has no such preset.
    """
    fields = preset_fields(name)
    if fields is None:
        return None
    return [
        (field, ruleset[field], due)
        for field, due in fields.items()
        if not same_json(ruleset[field], due)
    ]
