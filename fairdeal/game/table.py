"""A refereed game's table, made from its ruleset: deck, steps, sides (protocol §6.1)."""

from collections.abc import Mapping, Sequence
from typing import Final

from fairdeal.canasta import cards
from fairdeal.canasta.ruleset import Ruleset, to_json
from fairdeal.records.opening import PLAY_VERSION, RULES_VERSION

RULES_NAME: Final = "canasta"
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "wild": ("2C", "2D", "2H", "2S", "JK"),
    "red3": ("3D", "3H"),
    "black3": ("3C", "3S"),
}

GIVEN: Final[Mapping[str, object]] = {"how": "given"}
"""The seating of a table that drew no cards for it."""


def rules_object(
    ruleset: Ruleset,
    preset: str,
    custody: Sequence[str],
    seating: Mapping[str, object] = GIVEN,
) -> dict[str, object]:
    """Give record 0's ``rules`` of a refereed game."""
    return {
        "deck": list(cards.deck(ruleset.decks, ruleset.jokers)),
        "name": RULES_NAME,
        "play": {
            "custody": list(custody),
            "game": "canasta",
            "preset": preset,
            "ruleset": to_json(ruleset),
            "seating": dict(seating),
            "sides": [list(seats) for seats in ruleset.side_seats],
            "v": PLAY_VERSION,
        },
        "seats": ruleset.players,
        "steps": steps(ruleset),
        "v": RULES_VERSION,
    }


def steps(ruleset: Ruleset) -> list[dict[str, object]]:
    """Give the steps of the deal; red threes that wait for a first turn are not replaced."""
    covered = sorted(face for kind in ruleset.upcard_cover for face in _KINDS[kind])
    found: list[dict[str, object]] = [
        {"op": "deal", "count": ruleset.hand_size, "packet": 1},
        {"op": "turn", "until_not": covered},
    ]
    if ruleset.red3_initial_when == "before_first_turn":
        found.append({"op": "replace", "faces": sorted(_KINDS["red3"])})
    return found
