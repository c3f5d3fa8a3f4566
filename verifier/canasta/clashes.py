"""Fields of a ruleset that contradict one another, CL-1 to CL-8 (rules.md, "Clashes")."""

from collections.abc import Callable, Mapping
from typing import Final

Ruleset = Mapping[str, object]


def _whole(ruleset: Ruleset, name: str) -> int:
    value = ruleset[name]
    assert isinstance(value, int)
    return value


def _sides_and_players(ruleset: Ruleset) -> bool:
    allowed = {"partners": (4, 6), "two_teams_of_three": (6,)}.get(str(ruleset["sides"]))
    return allowed is not None and ruleset["players"] not in allowed


def _question_needs_one_partner(ruleset: Ruleset) -> bool:
    one_partner = ruleset["sides"] == "partners" and ruleset["players"] == 4
    return ruleset["permission"] != "off" and not one_partner


def _no_end(ruleset: Ruleset) -> bool:
    return ruleset["target"] is None and ruleset["max_hands"] is None


def _deck_too_small_or_large(ruleset: Ruleset) -> bool:
    cards = 52 * _whole(ruleset, "decks") + _whole(ruleset, "jokers")
    return not _whole(ruleset, "players") * _whole(ruleset, "hand_size") < cards <= 1024


def _wild_fields_without_wild_melds(ruleset: Ruleset) -> bool:
    used = ruleset["wild_canasta_bonus"] != 0 or ruleset["wild_meld_extend"] is True
    return ruleset["wild_melds"] == "never" and used


def _naturals_beyond_the_meld(ruleset: Ruleset) -> bool:
    too_many = _whole(ruleset, "meld_min_naturals") > _whole(ruleset, "meld_min_size")
    return too_many or _whole(ruleset, "canasta_min_naturals") > 7


def _natural_of_no_canasta(ruleset: Ruleset) -> bool:
    return ruleset["go_out_needs_natural"] is True and ruleset["canastas_to_go_out"] == 0


def _top_card_without_a_meld(ruleset: Ruleset) -> bool:
    blocks = ruleset["top_blocks"]
    assert isinstance(blocks, list)
    needed = {"black3", "red3"} | ({"wild"} if ruleset["wild_melds"] == "never" else set())
    return not needed <= set(blocks)


CLASHES: Final[tuple[tuple[str, Callable[[Ruleset], bool], str], ...]] = (
    ("CL-1", _sides_and_players, "`sides` does not go with so many `players`"),
    ("CL-2", _question_needs_one_partner, "a question needs exactly one partner a seat"),
    ("CL-3", _no_end, "`target` and `max_hands` are both null, so the game has no end"),
    ("CL-4", _deck_too_small_or_large, "the deck does not hold the deal, or more than 1024 cards"),
    ("CL-5", _wild_fields_without_wild_melds, "a wild canasta is priced where none can be melded"),
    ("CL-6", _naturals_beyond_the_meld, "more naturals are asked than a meld has cards"),
    ("CL-7", _natural_of_no_canasta, "a natural canasta is asked where none is needed"),
    ("CL-8", _top_card_without_a_meld, "`top_blocks` lets through a card that nobody can meld"),
)


def clash_fault(ruleset: Ruleset) -> str | None:
    """Name the first clash of a ruleset.

    Args:
        ruleset: Every field with a value of its own line in the field table.
    """
    for name, holds, sentence in CLASHES:
        if holds(ruleset):
            return f"the ruleset contradicts itself ({name}): {sentence}"
    return None
