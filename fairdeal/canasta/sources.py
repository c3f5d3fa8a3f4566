"""The rule number of each field of a ruleset, and who says what about it (docs/rules.md).

*partnership*, *basics*, *hoyle*, *glintwick* and *cardems* are the five written descriptions;
pagat, Bicycle, Britannica and others are named where they differ.
"""

from typing import Final, NamedTuple


class Source(NamedTuple):
    """Where a field comes from.

    Attributes:
        rules: Its rule numbers in docs/rules.md.
        words: Who says what.
    """

    rules: tuple[str, ...]
    words: str


_OURS: Final = "our own switch; no text speaks of it"

SOURCES: Final[dict[str, Source]] = {
    "players": Source(
        ("R-2",),
        "four in all texts but basics, which gives no number; partnership "
        "has two, three and six as house rules",
    ),
    "sides": Source(
        ("R-2",),
        "two partnerships opposite in all texts; alone or two teams of three "
        "in partnership's house rules",
    ),
    "decks": Source(("R-1",), "two packs in all texts"),
    "jokers": Source(("R-1",), "four jokers in all texts, 108 cards"),
    "hand_size": Source(
        ("R-4",),
        "eleven in all texts; fifteen for two and thirteen for three players in partnership",
    ),
    "draw_count": Source(
        ("R-16",),
        "one in all texts; two for two players, and for three in one "
        "form, in partnership and pagat",
    ),
    "first_turn": Source(("R-15",), "left of the dealer in partnership and everywhere else"),
    "dealer_rotation": Source(("R-80",), "clockwise in partnership, Bicycle and pagat"),
    "upcard_cover": Source(
        ("R-5", "R-6"),
        "partnership covers wild cards and red threes; basics "
        "and Bicycle black threes too; the others do not say",
    ),
    "upcard_freeze": Source(
        ("R-5", "R-6"),
        "partnership, basics, hoyle and glintwick: wild cards "
        "and red threes; Bicycle black threes too",
    ),
    "red3_initial_when": Source(
        ("R-9",), "partnership before the first turn; Bicycle at the own first turn"
    ),
    "red3_replace_order": Source(("R-9",), "no text fixes it; a deal that can be checked must"),
    "red3_from_pile_replaced": Source(
        ("R-11",), "partnership yes, literally; hoyle, glintwick, pagat and Bicycle no"
    ),
    "red3_last_stock": Source(
        ("R-12", "R-X1"),
        "glintwick and pagat end the hand; Britannica lets "
        "the player lay; partnership says nothing, so the turn goes on",
    ),
    "meld_min_size": Source(("R-18",), "three in all texts"),
    "meld_min_naturals": Source(("R-18",), "two in all texts"),
    "meld_max_wilds": Source(
        ("R-19",),
        "three in all texts but basics, which asks for four natural cards in a canasta instead",
    ),
    "wild_ratio": Source(
        ("R-20",),
        "partnership never more wild than natural; basics, hoyle, "
        "glintwick, cardems and pagat have no such limit",
    ),
    "canasta_min_naturals": Source(("R-19",), "four in basics; no other text needs it"),
    "meld_max_size": Source(("R-24",), "no text closes a meld; a variant"),
    "one_meld_per_rank": Source(("R-22",), "partnership, hoyle and glintwick; implied in basics"),
    "wild_melds": Source(
        ("R-21",),
        "never in hoyle, glintwick, cardems and pagat; a house rule in "
        "partnership; allowed in Uruguay",
    ),
    "wild_canasta_bonus": Source(
        ("R-21",), "1,000 or 2,000 in partnership's house rule; 2,000 in Uruguay"
    ),
    "wild_meld_extend": Source(("R-21",), "to be agreed, says partnership"),
    "wild_on_natural_canasta": Source(
        ("R-24",), "hoyle, glintwick, pagat and Bicycle: it becomes mixed"
    ),
    "incomplete_meld_limit": Source(("R-24",), "three in a house rule of partnership"),
    "black3_meld": Source(("R-26",), "in going out only, in all texts"),
    "opening_bands": Source(
        ("R-27", "R-28"),
        "15, 50, 90, 120 in basics, hoyle, glintwick, cardems "
        "and pagat; partnership gives no figures",
    ),
    "opening_compare": Source(("R-29",), "basics says exceed; all others reach"),
    "opening_concealed_exempt": Source(
        ("R-33", "R-X3"),
        "glintwick and pagat after a draw from the "
        "stock; partnership, basics, hoyle and cardems name no exception",
    ),
    "opening_canasta_satisfies": Source(("R-27",), "a house rule of partnership"),
    "frozen_before_opening": Source(
        ("R-38",),
        "basics, hoyle, glintwick, cardems and pagat; partnership says it can be treated so",
    ),
    "frozen_by_contents": Source(("R-37",), "wild cards and red threes in all texts"),
    "black3_effect": Source(("R-40",), "blocks in all texts; freezes in Bicycle"),
    "always_frozen": Source(("R-50",), "Uruguay; a house rule of partnership comes near it"),
    "top_blocks": Source(
        ("R-41",),
        "wild cards and black threes in all texts; cardems and Bicycle name red threes too",
    ),
    "take_unfrozen": Source(
        ("R-42", "R-43", "R-44"),
        "partnership and basics have no natural with "
        "a wild card; hoyle, glintwick, cardems, pagat and Bicycle do",
    ),
    "take_frozen": Source(("R-46",), "a natural pair in all texts"),
    "lay_on_completed_canasta": Source(
        ("R-45",), "yes in partnership, basics, hoyle, glintwick and cardems; no in Samba"
    ),
    "one_card_hand_one_card_pile": Source(
        ("R-48", "R-X11"),
        "forbidden in Bicycle and Britannica; the five texts are silent, so they allow it",
    ),
    "buried_usable_same_turn": Source(
        ("R-49",), "partnership and pagat; one house sheet makes them wait"
    ),
    "canastas_to_go_out": Source(
        ("R-55",), "one in all texts; two in house rules and for two players"
    ),
    "go_out_needs_natural": Source(("R-55",), "a house rule of partnership"),
    "go_out_discard": Source(("R-56",), "either way in all texts; compulsory in modern American"),
    "keep_card_guard": Source(
        ("R-54", "R-X4"), "hoyle is strict by its wording; glintwick lays and discards in one act"
    ),
    "permission": Source(
        ("R-60", "R-X18"),
        "optional in partnership, cardems, pagat and Bicycle; "
        "absent in basics, hoyle and glintwick",
    ),
    "permission_when": Source(("R-60", "R-X7"), "after drawing and before laying, says pagat"),
    "permission_yes": Source(("R-61", "R-X18"), "binding in partnership, cardems and pagat"),
    "permission_precheck": Source(("R-62",), _OURS),
    "permission_fail_penalty": Source(("R-62",), "100 in a Spanish rule sheet"),
    "concealed_scope": Source(
        ("R-58",), "the player in partnership, hoyle, glintwick and pagat; the team in basics"
    ),
    "concealed_needs_own_canasta": Source(
        ("R-58",), "hoyle, glintwick, pagat and Britannica yes; partnership does not ask for it"
    ),
    "concealed_after_pile": Source(
        ("R-58",), "glintwick and pagat yes; partnership says the pile prevents it"
    ),
    "concealed_lay_on_partner": Source(("R-58",), "pagat: nothing is added to the partner's melds"),
    "going_out_bonus": Source(("R-59",), "100 in all texts that give a figure"),
    "concealed_extra": Source(("R-59",), "100 more in basics, hoyle, glintwick, cardems and pagat"),
    "natural_canasta": Source(("R-68",), "500 in all texts"),
    "mixed_canasta": Source(("R-68",), "300 in all texts"),
    "concealed_canasta_bonus": Source(
        ("R-75",), "100 in the table of basics, which does not explain it"
    ),
    "red3_each": Source(("R-70",), "100 in all texts"),
    "red3_all": Source(("R-70",), "800 for four in basics, hoyle, glintwick, cardems and pagat"),
    "red3_negative_if": Source(
        ("R-71", "R-X14"), "without a meld in all texts; without a canasta in Spanish games"
    ),
    "red3_unexposed_penalty": Source(
        ("R-13",),
        "500 in a German sheet and at strict tables; it cannot arise where the service lays them",
    ),
    "stock_empty": Source(
        ("R-65", "R-X8", "R-X18"),
        "partnership, glintwick and pagat: must take "
        "what fits a meld; hoyle and Britannica: whatever can be taken",
    ),
    "target": Source(("R-76",), "5,000 in all texts; 3,000 in partnership's short game"),
    "max_hands": Source(("R-79",), "a fixed number in partnership's short game"),
    "win_rule": Source(("R-77",), "the higher total in all texts; hoyle says first"),
    "tie_rule": Source(
        ("R-78", "R-X13"),
        "glintwick and cardems play on; partnership calls it a tie unless another hand is agreed",
    ),
    "pile_visible": Source(("R-X16",), _OURS),
    "hints": Source(("R-X16",), _OURS),
    "red3_table": Source(
        ("R-X15",), "for games in which the value of red threes rises with their number"
    ),
}
