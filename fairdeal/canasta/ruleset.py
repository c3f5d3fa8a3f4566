"""A ruleset: every option of the game as frozen data (docs/rules.md, the field table).

Variants change data here, never code by subclass. ``from_json`` and ``to_json`` are exact
both ways; a ruleset that contradicts itself is refused with a sentence for each clash.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from fairdeal.canasta import fields as allowed
from fairdeal.errors import Unprocessable

Band: TypeAlias = tuple[int | None, int]
MOST_CARDS: Final = 1024
"""The largest deck (protocol §2.10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The 71 fields of docs/rules.md, in its order; null is None, lists are tuples."""

    players: int
    sides: str
    decks: int
    jokers: int
    hand_size: int
    draw_count: int
    first_turn: str
    dealer_rotation: str
    upcard_cover: tuple[str, ...]
    upcard_freeze: tuple[str, ...]
    red3_initial_when: str
    red3_replace_order: str
    red3_from_pile_replaced: bool
    red3_last_stock: str
    meld_min_size: int
    meld_min_naturals: int
    meld_max_wilds: int | None
    wild_ratio: str
    canasta_min_naturals: int
    meld_max_size: int | None
    one_meld_per_rank: bool
    wild_melds: str
    wild_canasta_bonus: int
    wild_meld_extend: bool
    wild_on_natural_canasta: str
    incomplete_meld_limit: int | None
    black3_meld: str
    opening_bands: tuple[Band, ...]
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
    permission_when: str
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
    stock_empty: str
    target: int | None
    max_hands: int | None
    win_rule: str
    tie_rule: str
    pile_visible: str
    hints: str
    red3_table: tuple[int, ...] | None

    @property
    def side_seats(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side, as ``play.sides`` has them (docs/rules.md, clashes)."""
        n = self.players
        match self.sides:
            case "partners":
                return tuple((seat, seat + n // 2) for seat in range(n // 2))
            case "two_teams_of_three":
                return ((0, 2, 4), (1, 3, 5))
            case _:
                return tuple((seat,) for seat in range(n))

    @property
    def cards(self) -> int:
        """The number of cards in the deck."""
        return 52 * self.decks + self.jokers


def to_json(ruleset: Ruleset) -> dict[str, object]:
    """Give the object that stands in record 0 (protocol §6.1)."""
    return {field.name: _thaw(getattr(ruleset, field.name)) for field in fields(ruleset)}


def from_json(value: Mapping[str, object]) -> Ruleset:
    """Read a whole ruleset strictly.

    Raises:
        Unprocessable: ``ruleset_field`` for a missing, unknown or bad field,
            ``rules_conflict`` with one sentence for each clash.
    """
    names = [field.name for field in fields(Ruleset)]
    missing = [name for name in names if name not in value]
    unknown = sorted(name for name in value if name not in names)
    wrong = [name for name in names if name in value and not allowed.fits(name, value[name])]
    if not wrong and not missing and _table_misfits(value):
        wrong = ["red3_table"]
    if missing or unknown or wrong:
        told = [f"{name} is missing" for name in missing]
        told += [f"{name} is no field" for name in unknown]
        told += [f"{name} must be {allowed.describe(name)}" for name in wrong]
        raise Unprocessable(
            "ruleset_field",
            "The ruleset does not fit the table of fields: " + "; ".join(told) + ".",
            {"missing": missing, "unknown": unknown, "wrong": wrong},
        )
    frozen = {name: _freeze(value[name]) for name in names}
    ruleset = Ruleset(**frozen)  # type: ignore[arg-type]  # every field was checked just above
    found = clashes(ruleset)
    if found:
        raise Unprocessable("rules_conflict", " ".join(found), {"clashes": list(found)})
    return ruleset


def _table_misfits(value: Mapping[str, object]) -> bool:
    """Say whether a table of red threes has not one total for each count of the deck (R-X15)."""
    table, decks = value["red3_table"], value["decks"]
    assert isinstance(decks, int)
    return isinstance(table, list) and len(table) != 2 * decks + 1


def clashes(rules: Ruleset) -> tuple[str, ...]:
    """Name every contradiction in a ruleset, a sentence each (CL-1 to CL-8)."""
    told = []
    needed = {"partners": (4, 6), "two_teams_of_three": (6,)}.get(rules.sides)
    if needed and rules.players not in needed:
        seats = " or ".join(map(str, needed))
        told.append(f"Sides {rules.sides!r} need {seats} players, not {rules.players} (CL-1).")
    if rules.permission != "off" and (rules.sides, rules.players) != ("partners", 4):
        told.append("Asking needs exactly one partner for each seat; set permission off (CL-2).")
    if rules.target is None and rules.max_hands is None:
        told.append("The game has no end: give it a target or a number of hands (CL-3).")
    needs = rules.players * rules.hand_size + 1
    if rules.cards < needs:
        told.append(f"The deal takes {needs} cards and the deck has {rules.cards} (CL-4).")
    if rules.cards > MOST_CARDS:
        told.append(f"A deck may have {MOST_CARDS:,} cards, not {rules.cards:,} (CL-4).")
    if rules.wild_melds == "never" and rules.wild_canasta_bonus:
        told.append("Wild canastas have a bonus, but wild melds are never laid (CL-5).")
    if rules.wild_melds == "never" and rules.wild_meld_extend:
        told.append("Wild canastas may grow, but wild melds are never laid (CL-5).")
    if rules.meld_min_naturals > rules.meld_min_size:
        told.append(
            f"A meld would need {rules.meld_min_naturals} natural cards and only "
            f"{rules.meld_min_size} cards (CL-6)."
        )
    if rules.go_out_needs_natural and rules.canastas_to_go_out == 0:
        told.append("Going out needs a natural canasta, but no canasta at all (CL-7).")
    blocked = ["black3", "red3"] + (["wild"] if rules.wild_melds == "never" else [])
    unblocked = [kind for kind in blocked if kind not in rules.top_blocks]
    if unblocked:
        kinds = " and ".join(unblocked)
        told.append(f"A top card that can never be melded must block the pile: {kinds} (CL-8).")
    return tuple(told)


def _freeze(value: object) -> object:
    return tuple(_freeze(item) for item in value) if isinstance(value, list) else value


def _thaw(value: object) -> object:
    return [_thaw(item) for item in value] if isinstance(value, tuple) else value
