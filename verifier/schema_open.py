"""Record 0: its fields one by one, then against each other (§2.4, §2.7, §2.10, §6.1)."""

from collections.abc import Mapping
from typing import Final, Literal

from verifier import shapes
from verifier.bodies import (
    BeaconTerms,
    DealStep,
    Open,
    ReplaceStep,
    SeatInfo,
    SetStep,
    Step,
    TurnStep,
)
from verifier.canasta import play_fault
from verifier.shapes import SchemaFault
from verifier.strictjson import Json

MAX_SEATS: Final = 16
MAX_CARDS: Final = 1024
MAX_HANDS: Final = 512
PLAY_VERSION: Final = 1

_OPEN: Final = frozenset(
    {
        "origin",
        "profile",
        "beacon",
        "seats",
        "rules",
        "first_seat",
        "master_commit",
        "hand_commits",
        "epoch_hands",
        "missing_share",
        "reveal_by",
    }
)
_RULES: Final = frozenset({"deck", "name", "seats", "steps", "v"})
_RULES_VERSION: Final = {"pfd1-rules": None}
_PROFILES: Final[Mapping[str, Literal["open", "sealed"]]] = {"open": "open", "sealed": "sealed"}
_POLICIES: Final[Mapping[str, Literal["void", "drop"]]] = {"void": "void", "drop": "drop"}
_KINDS: Final[Mapping[str, Literal["player", "bot"]]] = {"player": "player", "bot": "bot"}
_STEPS: Final = {
    "deal": frozenset({"op", "count", "packet"}),
    "turn": frozenset({"op", "until_not"}),
    "replace": frozenset({"op", "faces"}),
    "set": frozenset({"op", "name", "count"}),
}


def read_open(value: Json) -> Open:
    """Return the body of an ``open`` record.

    Raises:
        SchemaFault: A field is not of its form, or the fields do not fit one another.
    """
    body = shapes.closed(value, "body", _OPEN)
    rules = _read_rules(body["rules"])
    record = Open(
        origin=shapes.origin(body["origin"], "origin"),
        profile=shapes.word(body["profile"], "profile", _PROFILES),
        beacon=shapes.or_none(_beacon)(body["beacon"], "beacon"),
        seats=shapes.items(body["seats"], "seats", _seat, 1, MAX_SEATS),
        deck=shapes.items(rules["deck"], "rules.deck", shapes.face, 1, MAX_CARDS),
        steps=shapes.items(rules["steps"], "rules.steps", _step),
        rules=rules,
        first_seat=shapes.integer(body["first_seat"], "first_seat"),
        master_commit=shapes.hash_of(body["master_commit"], "master_commit"),
        hand_commits=shapes.items(
            body["hand_commits"], "hand_commits", shapes.hash_of, 1, MAX_HANDS
        ),
        epoch_hands=shapes.integer(body["epoch_hands"], "epoch_hands", 0, MAX_HANDS),
        missing_share=shapes.word(body["missing_share"], "missing_share", _POLICIES),
        reveal_by=shapes.integer(body["reveal_by"], "reveal_by"),
    )
    _check_together(record)
    return record


def play_version(record: Open) -> int | None:
    """Return the version of ``rules.play``, or None in a dealt-only game."""
    play = record.rules.get("play")
    if not isinstance(play, dict):
        return None
    version = play["v"]
    assert isinstance(version, int)  # read_open saw to it
    return version


def _read_rules(value: Json) -> dict[str, Json]:
    has_play = isinstance(value, dict) and "play" in value
    rules = shapes.closed(value, "rules", _RULES | {"play"} if has_play else _RULES)
    shapes.word(rules["v"], "rules.v", _RULES_VERSION)
    shapes.text(rules["name"], "rules.name")
    shapes.integer(rules["seats"], "rules.seats")
    return rules


def _beacon(value: Json, where: str) -> BeaconTerms:
    terms = shapes.closed(value, where, frozenset({"chain", "delay_ms"}))
    return BeaconTerms(
        shapes.hash_of(terms["chain"], f"{where}.chain"),
        shapes.integer(terms["delay_ms"], f"{where}.delay_ms"),
    )


def _seat(value: Json, where: str) -> SeatInfo:
    seat = shapes.closed(value, where, frozenset({"kind", "label"}))
    return SeatInfo(
        shapes.word(seat["kind"], f"{where}.kind", _KINDS),
        shapes.text(seat["label"], f"{where}.label"),
    )


def _step(value: Json, where: str) -> Step:
    if not isinstance(value, dict) or "op" not in value:
        raise SchemaFault(f"{where} is no step")
    step = shapes.closed(value, where, shapes.word(value["op"], f"{where}.op", _STEPS))
    match step["op"]:
        case "deal":
            return DealStep(_count(step, where, "count"), _count(step, where, "packet"))
        case "turn":
            return TurnStep(_faces(step["until_not"], f"{where}.until_not"))
        case "replace":
            return ReplaceStep(_faces(step["faces"], f"{where}.faces"))
        case _:
            name = shapes.text(step["name"], f"{where}.name")
            if not name:
                raise SchemaFault(f"{where}.name is empty")
            return SetStep(name, _count(step, where, "count"))


def _count(step: dict[str, Json], where: str, name: str) -> int:
    return shapes.integer(step[name], f"{where}.{name}", 1, MAX_CARDS)


def _faces(value: Json, where: str) -> frozenset[str]:
    return frozenset(shapes.items(value, where, shapes.face))


def _check_together(record: Open) -> None:
    seats = len(record.seats)
    if record.rules["seats"] != seats:
        raise SchemaFault(f"rules.seats is {record.rules['seats']}, but there are {seats} seats")
    if record.first_seat >= seats:
        raise SchemaFault(f"first_seat is {record.first_seat}, but there are {seats} seats")
    if record.missing_share == "drop" and record.beacon is None:
        raise SchemaFault("missing_share is drop, but there is no beacon")
    names = [step.name for step in record.steps if isinstance(step, SetStep)]
    if len(set(names)) != len(names):
        raise SchemaFault("two set steps have one name")
    needed = sum(
        step.count * (seats if isinstance(step, DealStep) else 1)
        for step in record.steps
        if isinstance(step, DealStep | SetStep)
    )
    if needed > len(record.deck):
        raise SchemaFault(f"the steps need {needed} cards, the deck has {len(record.deck)}")
    if "play" in record.rules:
        _check_play(record)


def _check_play(record: Open) -> None:
    play = record.rules["play"]
    if not isinstance(play, dict) or "v" not in play:
        raise SchemaFault("rules.play is no object with v")
    if shapes.integer(play["v"], "rules.play.v", low=-(2**53 - 1)) != PLAY_VERSION:
        return  # nothing else in it is judged (§6.1)
    seats: list[dict[str, Json]] = [
        {"kind": info.kind, "label": info.label} for info in record.seats
    ]
    fault = play_fault(record.rules, seats)
    if fault is not None:
        raise SchemaFault(f"rules.play: {fault}")
