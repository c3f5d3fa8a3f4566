"""The fields of a ruleset that the judging of a hand reads, with their types (rules.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A ruleset whose fields were checked; names and values are those of the field table."""

    draw_count: int
    upcard_freeze: tuple[str, ...]
    red3_initial_when: str
    red3_from_pile_replaced: bool
    red3_last_stock: str
    meld_min_size: int
    meld_min_naturals: int
    meld_max_wilds: int | None
    wild_ratio: str
    canasta_min_naturals: int
    meld_max_size: int | None
    wild_melds: str
    wild_canasta_bonus: int
    wild_meld_extend: bool
    wild_on_natural_canasta: str
    incomplete_meld_limit: int | None
    opening_bands: tuple[tuple[int | None, int], ...]
    opening_compare: str
    opening_concealed_exempt: str
    opening_canasta_satisfies: bool
    frozen_before_opening: bool
    frozen_by_contents: tuple[str, ...]
    black3_effect: str
    always_frozen: bool
    top_blocks: tuple[str, ...]
    take_unfrozen: tuple[str, ...]
    take_frozen: tuple[str, ...]
    lay_on_completed_canasta: bool
    one_card_hand_one_card_pile: str
    buried_usable_same_turn: bool
    canastas_to_go_out: int
    go_out_needs_natural: bool
    go_out_discard: str
    keep_card_guard: str
    permission: str
    permission_yes: str
    permission_precheck: bool
    permission_fail_penalty: int
    concealed_scope: str
    concealed_needs_own_canasta: bool
    concealed_after_pile: bool
    concealed_lay_on_partner: bool
    going_out_bonus: int
    concealed_extra: int
    natural_canasta: int
    mixed_canasta: int
    concealed_canasta_bonus: int
    red3_each: int
    red3_all: int
    red3_negative_if: str
    red3_unexposed_penalty: int
    red3_table: tuple[int, ...] | None
    decks: int
    stock_empty: str
    target: int | None
    max_hands: int | None
    tie_rule: str


def read_ruleset(ruleset: Mapping[str, Any]) -> Ruleset:
    """Take the fields from record 0's object, lists as tuples."""
    return Ruleset(**{field.name: _frozen(ruleset[field.name]) for field in fields(Ruleset)})


def _frozen(value: Any) -> Any:  # noqa: ANN401  # any JSON value of the field table
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
