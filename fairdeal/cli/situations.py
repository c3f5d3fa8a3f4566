"""From a scenario's words to the engine's values: rulesets, positions, acts (decisions, 2).

Scenario files write 10 for T and WILD for W, name sides A to F and give only what matters;
``conventions`` in the file itself says what stands for the rest.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from fairdeal.canasta import acts, cards, engine
from fairdeal.canasta.moves import slot_of_rank
from fairdeal.canasta.play import begin_turn
from fairdeal.canasta.position import PILE, PLAY, STOCK, Position, slot_of
from fairdeal.canasta.ruleset import Ruleset, from_json

SIDES: Final = "ABCDEF"
_STOCK_FACES: Final = ("4C", "5C", "6C", "7C")
"""What stands for a stock that a scenario only counts."""


def face_of(text: str) -> str:
    """Give a face as the engine writes it."""
    return text.replace("10", "T")


def rank_of(text: str) -> str:
    """Give the rank of a group as the engine writes it."""
    return {"10": "T", "WILD": acts.WILD_RANK}.get(text, text)


def ruleset_of(document: Mapping[str, Any], scenario: Mapping[str, Any]) -> Ruleset:
    """Give the ruleset of a scenario from the file's own tables and its overrides.

    Raises:
        Unprocessable: As ``ruleset.from_json``.
    """
    fields = dict(document["rule_fields_default_classic"])
    fields.update(_changes(document["presets"], scenario["preset"]))
    fields.update(scenario.get("overrides", {}))
    return from_json(fields)


def _changes(presets: Mapping[str, Any], name: str) -> dict[str, Any]:
    if name == "classic":
        return {}
    return {**_changes(presets, presets[name]["base"]), **presets[name]["changes"]}


def position_of(rules: Ruleset, situation: Mapping[str, Any]) -> Position:
    """Give the position that a situation describes, with the file's defaults for the rest."""
    seat = situation.get("seat", 0)
    stock = situation.get("stock", 20)
    if isinstance(stock, int):
        stock = [_STOCK_FACES[place % len(_STOCK_FACES)] for place in range(stock)]
    hands, scores = situation.get("hands", {}), situation.get("scores", {})
    sides = len(rules.side_seats)
    position = engine.start(
        rules,
        holdings=[[face_of(one) for one in hands.get(str(at), [])] for at in range(rules.players)],
        laid=[[] for _ in range(rules.players)],
        up=[],
        stock=[face_of(one) for one in stock],
        first_seat=seat,
        totals=[scores.get(SIDES[side], 0) for side in range(sides)],
    )
    position.pile = [cards.NUMBER[face_of(one)] for one in situation.get("pile", [])]
    for name, melds in situation.get("melds", {}).items():
        for rank, faces in melds.items():
            _put(position, SIDES.index(name), slot_of_rank(rank_of(rank)), map(face_of, faces))
    for name, faces in situation.get("red_threes", {}).items():
        position.red3[SIDES.index(name)] = tuple(cards.NUMBER[one] for one in faces)
    opened = position.opened(position.side_of[seat])
    for melded in situation.get("melded_seats", [seat] if opened else []):
        position.melded[melded] = True
    # Seats of a hand in progress have had their own first turn; those of a deal have not.
    position.shown = [situation.get("phase") != "deal"] * rules.players
    begin_turn(position, seat)
    if situation.get("phase") == "play":
        position.phase = PLAY
        position.drew = STOCK if situation.get("drew", "stock") == "stock" else PILE
    return position


def _put(position: Position, side: int, slot: int, faces: Iterable[str]) -> None:
    numbers = tuple(cards.NUMBER[face] for face in faces)
    wilds = sum(cards.is_wild(cards.CLASS_OF[card]) for card in numbers)
    position.naturals[side][slot] += len(numbers) - wilds
    position.wilds[side][slot] += wilds
    position.laid[side][slot] += numbers


def act_of(position: Position, action: Mapping[str, Any]) -> acts.Act:
    """Give the act of an action; what has no act of its own raises KeyError."""
    match action["type"]:
        case "draw":
            # A draw from an empty stock is how the file ends a hand (decisions, 2).
            return acts.Draw() if position.stock_left else acts.End()
        case "take_pile":
            own = acts.group(_top_rank(position, action), [face_of(one) for one in action["with"]])
            return acts.Take(own.rank, own.cards, _groups(action.get("also", [])))
        case "meld":
            return acts.Lay(_groups(action["groups"]))
        case "discard":
            return acts.Discard(face_of(action["card"]))
        case "ask":
            return acts.Ask()
        case "answer":
            return acts.Answer(action["yes"])
        case "end_turn_without_discard":
            return acts.End()
        case other:
            raise KeyError(other)


def _top_rank(position: Position, action: Mapping[str, Any]) -> str:
    """Give the rank of the first group of a take: that of the top card, if there is one."""
    if position.pile:
        return acts.GROUP_RANKS[slot_of(cards.CLASS_OF[position.pile[-1]])]
    own = [
        acts.GROUP_RANKS[slot_of(cards.CLASS_OF[cards.NUMBER[face_of(one)]])]
        for one in action["with"]
    ]
    return (own or [cards.MELD_RANKS[0]])[0]


def _groups(groups: Iterable[Mapping[str, Any]]) -> tuple[acts.Group, ...]:
    made = [acts.group(rank_of(one["rank"]), [face_of(f) for f in one["cards"]]) for one in groups]
    return tuple(sorted(made, key=acts.group_order))
