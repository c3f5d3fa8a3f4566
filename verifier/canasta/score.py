"""What a hand that has ended books, and the shape of a score record (R-67 to R-75, 6.3)."""

from collections.abc import Sequence
from typing import Final

from verifier.canasta.faces import WILD_RANK, is_red_three, value
from verifier.canasta.fields import is_int
from verifier.canasta.melds import Melds, is_canasta, is_natural_canasta
from verifier.canasta.ruleset import Ruleset
from verifier.canasta.table import same_json
from verifier.canasta.turn import Play

RESULT_KEYS: Final = {"concealed", "end", "hints", "seat", "sides", "stood_in"}
SIDE_KEYS: Final = {"hand", "lines", "total"}


def due_result(play: Play, stood_in: Sequence[int]) -> dict[str, object]:
    """The whole result that is due, but for ``hints``, which is the server's word (6.7 point 13).

    Args:
        play: A hand that has ended.
        stood_in: How many acts of each seat somebody else made for it.
    """
    sides: list[object] = []
    for index, total in enumerate(play.totals):
        lines = score_lines(play, index)
        hand = sum(points for _, points in lines)
        stated = [[code, points] for code, points in lines]
        sides.append({"hand": hand, "lines": stated, "total": total + hand})
    return {
        "concealed": play.concealed,
        "end": play.end,
        "seat": play.went_out,
        "sides": sides,
        "stood_in": list(stood_in),
    }


def score_lines(play: Play, side: int) -> list[tuple[str, int]]:
    """One summed line a code, in the order of 6.3, those of zero left out."""
    rules, position = play.rules, play.position
    deck, melds = position.deck, position.counts(side)
    melded = [card for meld in position.melds[side].values() for card in meld]
    seats = play.sides[side]
    held = [card for seat in seats for card in position.holdings[seat]]
    naturals = sum(is_natural_canasta(*meld) for meld in melds.items())
    wilds = sum(is_canasta(*meld) for meld in melds.items() if meld[0] == WILD_RANK)
    mixed = sum(is_canasta(*meld) for meld in melds.items()) - naturals - wilds
    out = play.went_out in seats
    lines = [
        ("CARDS", sum(value(deck[card]) for card in melded)),
        ("NATURAL_CANASTA", naturals * rules.natural_canasta),
        ("MIXED_CANASTA", mixed * rules.mixed_canasta),
        ("WILD_CANASTA", wilds * rules.wild_canasta_bonus),
        ("CONCEALED_CANASTA", play.whole_canastas[side] * rules.concealed_canasta_bonus),
        ("RED_THREES", _red_threes(rules, sum(len(position.red_threes[s]) for s in seats), melds)),
        ("OUT", rules.going_out_bonus if out else 0),
        ("CONCEALED", rules.concealed_extra if out and play.concealed else 0),
        ("IN_HAND", -sum(value(deck[card]) for card in held)),
        ("PENALTY", -_penalty(rules, play.failed[side], [deck[card] for card in held])),
    ]
    return [(code, points) for code, points in lines if points]


def _penalty(rules: Ruleset, failed: int, held: Sequence[str]) -> int:
    """What red threes never shown and answers never followed cost (R-13, R-62)."""
    unexposed = sum(map(is_red_three, held))
    return unexposed * rules.red3_unexposed_penalty + failed * rules.permission_fail_penalty


def _red_threes(rules: Ruleset, number: int, melds: Melds) -> int:
    """R-70, R-71, R-X14, R-X15."""
    if rules.red3_table is not None:
        points = rules.red3_table[number]
    else:
        points = rules.red3_all if number == 2 * rules.decks else number * rules.red3_each
    if rules.red3_negative_if == "no_meld":
        return points if melds else -points
    return points if any(is_canasta(*meld) for meld in melds.items()) else -points


def score_fault(play: Play, result: object, stood_in: Sequence[int]) -> tuple[str, str] | None:
    """Compare a stated result with the one that is due.

    Args:
        play: A hand that has ended.
        result: Any JSON value.
        stood_in: As in ``due_result``.

    Returns:
        E_SCORE_TOTAL where only a total differs, else E_SCORE_LINES, and what was due.
    """
    if not has_shape(result, len(play.position.holdings), len(play.sides)):
        return "E_SCORE_LINES", "the result does not have the form of a score"
    assert isinstance(result, dict)
    due = due_result(play, stood_in)
    for key in ("concealed", "seat", "stood_in"):
        if not same_json(result[key], due[key]):
            return "E_SCORE_LINES", f"{key} is {_said(result[key])}, due is {_said(due[key])}"
    stated_sides, due_sides = result["sides"], due["sides"]
    assert isinstance(due_sides, list)
    for side, (stated, sums) in enumerate(zip(stated_sides, due_sides, strict=True)):
        for key in ("lines", "hand"):
            if not same_json(stated[key], sums[key]):
                detail = (
                    f"{key} of side {side}: stated {_said(stated[key])}, due {_said(sums[key])}"
                )
                return "E_SCORE_LINES", detail
    for side, (stated, sums) in enumerate(zip(stated_sides, due_sides, strict=True)):
        if not same_json(stated["total"], sums["total"]):
            detail = f"the total of side {side} is stated as {stated['total']}, due {sums['total']}"
            return "E_SCORE_TOTAL", detail
    return None


def _said(value: object) -> str:
    """Return a part of a result in words: ``CARDS 255, MIXED_CANASTA 300`` for its lines."""
    if isinstance(value, list):
        parts = (
            " ".join(map(str, part)) if isinstance(part, list) else str(part) for part in value
        )
        return ", ".join(parts) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nobody" if value is None else str(value)


def has_shape(result: object, seats: int, sides: int) -> bool:
    """Whether a result has the keys and types of 6.3, whatever it says."""
    if not isinstance(result, dict) or result.keys() != RESULT_KEYS:
        return False
    stated = result["sides"]
    return (
        isinstance(result["concealed"], bool)
        and isinstance(result["end"], str)
        and (result["seat"] is None or is_int(result["seat"]))
        and are_counts(result["hints"], seats)
        and are_counts(result["stood_in"], seats)
        and isinstance(stated, list)
        and len(stated) == sides
        and all(map(_is_side, stated))
    )


def are_counts(value: object, seats: int) -> bool:
    """Whether this is a list of one non-negative integer a seat."""
    if not isinstance(value, list) or len(value) != seats:
        return False
    return all(isinstance(item, int) and is_int(item) and item >= 0 for item in value)


def _is_side(side: object) -> bool:
    if not isinstance(side, dict) or side.keys() != SIDE_KEYS:
        return False
    lines = side["lines"]
    return (
        is_int(side["hand"])
        and is_int(side["total"])
        and isinstance(lines, list)
        and all(
            isinstance(line, list)
            and len(line) == 2
            and isinstance(line[0], str)
            and is_int(line[1])
            for line in lines
        )
    )
