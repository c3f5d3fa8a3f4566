"""Scenarios: positions with the answers that are due, held against the engine.

``legal`` and every key of ``state`` are compared strictly; a refusal passes where the expected
reason is in the engine's complete list of broken rules (decisions, 5).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.legality import faults
from fairdeal.canasta.position import ASKED, SLOTS, Position
from fairdeal.canasta.ruleset import Ruleset
from fairdeal.cli.questions import answer, hand_scores
from fairdeal.cli.situations import SIDES, act_of, face_of, position_of, rank_of, ruleset_of
from fairdeal.errors import MalformedInput

ACTS: Final = frozenset(
    ("draw", "take_pile", "meld", "discard", "ask", "answer", "end_turn_without_discard")
)
"""Action types that a seat does; the others ask something (``questions``)."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One difference: which scenario and step (from 1), what, the value due and the one found."""

    scenario: str
    step: int
    what: str
    due: object
    found: object

    def __str__(self) -> str:
        return f"{self.scenario} step {self.step}: {self.what} is {self.found}, due {self.due}"


def run(path: Path) -> list[Mismatch]:
    """Run every scenario of a file.

    Raises:
        MalformedInput: ``bad_scenarios``: the file is no such file, or a scenario uses a word
            that the format does not have.
        Unprocessable: A scenario's ruleset does not fit the table of fields.
    """
    document = _read(path)
    return [one for scenario in document["scenarios"] for one in run_one(document, scenario)]


def count(path: Path) -> int:
    """Count the scenarios of a file (raises `MalformedInput`)."""
    return len(_read(path)["scenarios"])


def _read(path: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise MalformedInput("bad_scenarios", f"{path.name} is no JSON text: {error}.") from error
    if not isinstance(document, dict) or "scenarios" not in document:
        raise MalformedInput("bad_scenarios", f"{path.name} holds no scenarios.")
    return document


def run_one(document: Mapping[str, Any], scenario: Mapping[str, Any]) -> list[Mismatch]:
    """Run one scenario of a document; its steps share one position.

    Raises:
        MalformedInput: ``bad_scenarios``, naming the scenario.
    """
    name = scenario.get("id", "a scenario without an id")
    try:
        return list(_steps(document, scenario, name))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        if isinstance(error, MalformedInput):
            raise
        raise MalformedInput("bad_scenarios", f"{name} cannot be read: {error!r}.") from error


def _steps(
    document: Mapping[str, Any], scenario: Mapping[str, Any], name: str
) -> Iterator[Mismatch]:
    rules = ruleset_of(document, scenario)
    situation = scenario["situation"]
    position = position_of(rules, situation)
    for number, step in enumerate(scenario.get("steps", [scenario]), 1):
        action, expected = step["action"], step["expected"]
        if action["type"] in ACTS:
            told = _act(position, action, expected)
        else:
            told = _question(rules, situation, position, action, expected)
        for what, due, found in told:
            yield Mismatch(name, number, what, due, found)


def _question(
    rules: Ruleset,
    situation: Mapping[str, Any],
    position: Position,
    action: Mapping[str, Any],
    expected: Mapping[str, Any],
) -> Iterator[tuple[str, object, object]]:
    found = answer(rules, situation, position, action)
    for key, due in expected["state"].items():
        value = found[key]
        if isinstance(due, dict):
            value = {one: value[one] for one in due}
        wanted, got = _plain(key, due), _plain(key, value)
        if wanted != got:
            yield key, wanted, got


def _act(
    position: Position, action: Mapping[str, Any], expected: Mapping[str, Any]
) -> Iterator[tuple[str, object, object]]:
    seat = action.get("seat", position.turn)
    act = act_of(position, action)
    broken = _broken(position, seat, act, action)
    if broken or not expected["legal"]:
        if expected["legal"] or not broken:
            yield "legal", expected["legal"], broken or True
        elif expected.get("reason", broken[0]) not in broken:
            yield "reason", expected["reason"], broken
        return
    engine.play(position, seat, act)
    for key, due in expected.get("state", {}).items():
        wanted, found = _plain(key, due), _plain(key, _state(position, seat, key, due))
        if wanted != found:
            yield key, wanted, found


def _broken(
    position: Position, seat: int, act: acts.Act, action: Mapping[str, Any]
) -> tuple[str, ...]:
    """Give every rule that an action breaks, also where no act could be written for it."""
    own = SIDES[position.side_of[seat]]
    if any(group.get("side", own) != own for group in action.get("groups", [])):
        # An act names no side: melds are laid on one's own (protocol 6.2, R-23).
        return ("OPPONENT_MELD",)
    broken = tuple(dict.fromkeys(faults(position, seat, act)))
    if broken and action["type"] == "end_turn_without_discard":
        return ("DISCARD_REQUIRED", *broken)
    if broken and isinstance(act, acts.Take):
        # The file's take names no rank: its own cards may be meant as a meld of their own.
        other = [face[0] for face in act.own if face[0] in cards.MELD_RANKS and face != "JK"]
        if other and other[0] != act.rank:
            meant = acts.Take(other[0], act.own, act.groups)
            return (*broken, *faults(position, seat, meant))
    return broken


def _plain(key: str, value: object) -> object:
    """Put a value of a state into the form in which two of them compare."""
    if isinstance(value, dict):
        return {one: _plain(key, item) for one, item in value.items()}
    if key == "pile" and isinstance(value, list):
        return [face_of(face) for face in value]
    if key in ("hand", "hands", "red_threes") and isinstance(value, list):
        return sorted(face_of(face) for face in value)
    return value


def _state(position: Position, seat: int, key: str, due: object) -> object:
    """Give what a position has under a key, for the sides that are asked about."""
    if isinstance(due, dict):
        return {side: _of_side(position, side, key, due[side]) for side in due}
    values: dict[str, object] = {
        "hand": [cards.FACES[card] for card in position.holding(seat)],
        "pile": [cards.FACES[card] for card in position.pile],
        "frozen": position.frozen,
        "stock_left": position.stock_left,
        "phase": "ask" if position.phase == ASKED else position.phase,
        "next_seat": position.turn,
        "end": position.end or None,
        "went_out": position.out if position.out >= 0 else None,
        "concealed": position.concealed,
    }
    return values[key]


def _of_side(position: Position, name: str, key: str, due: Any) -> object:  # noqa: ANN401
    side = SIDES.index(name)
    match key:
        case "melds":
            return _sizes(position, side, due)
        case "meld_kind":
            return _kinds(position, side, due)
        case "red_threes":
            return [cards.FACES[card] for card in position.red3[side]]
        case "penalty":
            return -position.penalties[side]
        case "opened":
            return position.opened(side)
        case "hand_scores":
            return hand_scores(position)[name]
        case _:
            raise KeyError(key)


def _sizes(position: Position, side: int, due: Mapping[str, int]) -> dict[str, int]:
    """Give the size of each meld of a side, by the rank names that the file uses for them."""
    names = {rank_of(rank): rank for rank in due}
    laid = position.laid[side]
    sizes = {acts.GROUP_RANKS[slot]: len(laid[slot]) for slot in range(SLOTS) if laid[slot]}
    return {names.get(rank, rank): size for rank, size in sizes.items()}


def _kinds(position: Position, side: int, due: Mapping[str, str]) -> dict[str, str]:
    kinds = {}
    for rank in due:
        slot = acts.GROUP_RANKS.index(rank_of(rank))
        natural, wild = position.naturals[side][slot], position.wilds[side][slot]
        kinds[rank] = "natural" if not wild else "mixed" if natural else "wild"
    return kinds
