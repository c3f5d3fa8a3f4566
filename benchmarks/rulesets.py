"""Rulesets by chance: valid ones, with many fields changed at once."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from fairdeal.canasta import presets
from fairdeal.canasta.ruleset import Ruleset, from_json
from fairdeal.errors import Unprocessable

_KINDS: Final = ("wild", "red3", "black3")
_DOORS: Final = ("pair", "natural_wild", "lay_on_meld")
SIX: Final[Mapping[str, object]] = {
    "decks": 3,
    "jokers": 6,
    "hand_size": 13,
    "red3_all": 1000,
    "target": 5000,
}
"""One choice of what six-player@1 leaves open."""

_VALUES: Final[Mapping[str, Sequence[object]]] = {
    "players": (2, 3, 4, 6),
    "sides": ("partners", "solo", "two_teams_of_three"),
    "decks": (1, 2, 2, 3, 6),
    "jokers": (0, 1, 4, 4, 6, 24),
    "hand_size": (1, 2, 3, 7, 11, 15, 25),
    "draw_count": (1, 1, 2, 4),
    "red3_initial_when": ("before_first_turn", "at_own_first_turn"),
    "red3_from_pile_replaced": (False, True),
    "red3_last_stock": ("end_hand", "meld_then_end", "continue_turn"),
    "meld_min_size": (3, 3, 3, 4, 7),
    "meld_min_naturals": (1, 2, 2, 3),
    "meld_max_wilds": (None, 0, 2, 3, 5),
    "wild_ratio": ("free", "le_naturals", "lt_naturals"),
    "canasta_min_naturals": (0, 4, 5, 7),
    "meld_max_size": (None, None, 7, 8),
    "wild_melds": ("never", "allowed"),
    "wild_canasta_bonus": (0, 1000),
    "wild_meld_extend": (False, True),
    "wild_on_natural_canasta": ("demotes", "forbidden"),
    "incomplete_meld_limit": (None, None, 1, 2, 3),
    "opening_bands": (
        [[None, 15], [0, 50], [1500, 90], [3000, 120]],
        [[None, 0]],
        [[None, 30], [1000, 200]],
    ),
    "opening_compare": ("ge", "gt"),
    "opening_concealed_exempt": ("never", "stock_draw", "always"),
    "opening_canasta_satisfies": (False, True),
    "frozen_before_opening": (True, True, False),
    "black3_effect": ("block", "freeze"),
    "always_frozen": (False, False, True),
    "lay_on_completed_canasta": (True, False),
    "one_card_hand_one_card_pile": ("forbidden", "allowed"),
    "buried_usable_same_turn": (True, False),
    "canastas_to_go_out": (0, 1, 1, 2, 5),
    "go_out_needs_natural": (False, False, True),
    "go_out_discard": ("optional", "required"),
    "keep_card_guard": ("strict", "lookahead"),
    "permission": ("off", "optional", "required"),
    "permission_yes": ("must_go_out", "may"),
    "permission_precheck": (True, False),
    "concealed_scope": ("player", "side"),
    "concealed_needs_own_canasta": (True, False),
    "concealed_after_pile": (True, False),
    "concealed_lay_on_partner": (False, True),
    "concealed_canasta_bonus": (0, 100),
    "red3_negative_if": ("no_meld", "no_canasta"),
    "red3_unexposed_penalty": (0, 500),
    "stock_empty": ("end", "optional", "must_if_fits_meld", "must_if_any"),
}
_SUBSETS: Final[Mapping[str, tuple[tuple[str, ...], int]]] = {
    "upcard_cover": (_KINDS, 0),
    "upcard_freeze": (_KINDS, 0),
    "frozen_by_contents": (_KINDS, 0),
    "take_unfrozen": (_DOORS, 1),
    "take_frozen": (_DOORS, 1),
}


def preset(name: str) -> Ruleset:
    """Give a named ruleset, with one choice of what it leaves open."""
    return presets.build(name, SIX if presets.missing(name) else None)


def by_chance(chance: Random) -> Ruleset:
    """Give a valid ruleset: a preset with up to twenty fields changed, the clashing thrown away."""
    while True:
        base = chance.choice(sorted(presets.PRESETS))
        fields = {**presets.PRESETS[base], **(SIX if presets.missing(base) else {})}
        names = sorted([*_VALUES, *_SUBSETS])
        for name in chance.sample(names, chance.randint(1, 20)):
            fields[name] = _some(name, chance)
        if fields["wild_melds"] == "allowed" and chance.random() < 0.5:
            fields["top_blocks"] = ["black3", "red3"]
        if fields["wild_melds"] == "never":
            fields |= {"wild_canasta_bonus": 0, "wild_meld_extend": False}
        if chance.random() < 0.1:
            fields["red3_table"] = [0, *sorted(chance.choices((50, 100, 300, 900), k=4))]
        try:
            return from_json(fields)
        except Unprocessable:
            continue


def _some(name: str, chance: Random) -> object:
    if name in _VALUES:
        return chance.choice(_VALUES[name])
    words, least = _SUBSETS[name]
    chosen = chance.sample(words, chance.randint(least, len(words)))
    return [word for word in words if word in chosen]
