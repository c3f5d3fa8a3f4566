"""Builds the body of record 0: what is fixed before anyone contributes (protocol §2.4, §2.10)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from fairdeal.records import fields
from fairdeal.records.canonical import MAX_INTEGER, encode

RULES_VERSION: Final = "pfd1-rules"
PLAY_VERSION: Final = 1
#: Custody words of a refereed game, by the kind of the seat (§6.1).
CUSTODY: Final[Mapping[str, frozenset[str]]] = {
    "player": frozenset({"player", "site"}),
    "bot": frozenset({"service-bot", "site-bot"}),
}

_PLAY: Final = ("custody", "game", "preset", "ruleset", "seating", "sides", "v")

_count = partial(fields.integer, least=1, most=fields.MAX_CARDS)
_faces = partial(fields.items, check=fields.face)


def open_body(
    *,
    origin: str,
    profile: str,
    beacon: Mapping[str, object] | None,
    seats: Sequence[Mapping[str, object]],
    rules: Mapping[str, object],
    first_seat: int,
    master_commit: str,
    hand_commits: Sequence[str],
    epoch_hands: int,
    missing_share: str,
    reveal_by: int,
) -> dict[str, Any]:
    """Return the body of an `open` record (§2.10; `rules.play` §6.1).

    What the ruleset in `rules.play` says is not looked at, and neither are deck, steps and sides
    compared with it: that is the engine's to know.

    Args:
        origin: The name of the service's log and key.
        profile: `open` or `sealed`.
        beacon: None or ``{chain, delay_ms}``.
        seats: ``{kind, label}`` each, 1 to 16.
        rules: ``{deck, name, seats, steps, v}``, refereed also `play`.
        first_seat: Who is dealt first in hand 1.
        master_commit: 64 hex digits.
        hand_commits: 64 hex digits each, hands 1 to N, 1 to 512.
        epoch_hands: 0 to 512; 0 means one epoch for all hands.
        missing_share: `void`, or with a beacon `drop`.
        reveal_by: Milliseconds since 1970.

    Raises:
        MalformedInput: Code `bad_field`, naming the field.
    """
    kinds = fields.items(seats, "seats", _seat, 1, fields.MAX_SEATS)
    body: dict[str, Any] = {
        "origin": fields.origin(origin, "origin"),
        "profile": fields.one_of(profile, "profile", ("open", "sealed")),
        "beacon": _beacon(beacon),
        "seats": kinds,
        "rules": _rules(rules, [seat["kind"] for seat in kinds]),
        "first_seat": fields.integer(first_seat, "first_seat", 0, len(kinds) - 1),
        "master_commit": fields.hash_hex(master_commit, "master_commit"),
        "hand_commits": fields.items(
            hand_commits, "hand_commits", fields.hash_hex, 1, fields.MAX_HANDS
        ),
        "epoch_hands": fields.integer(epoch_hands, "epoch_hands", 0, fields.MAX_HANDS),
        "missing_share": fields.one_of(missing_share, "missing_share", ("void", "drop")),
        "reveal_by": fields.integer(reveal_by, "reveal_by"),
    }
    if missing_share == "drop" and beacon is None:
        raise fields.bad("missing_share", "is drop, which needs a beacon")
    return body


def _beacon(value: object) -> dict[str, Any] | None:
    if value is None:
        return None
    beacon = fields.members(value, "beacon", ("chain", "delay_ms"))
    return {
        "chain": fields.hash_hex(beacon["chain"], "beacon.chain"),
        "delay_ms": fields.integer(beacon["delay_ms"], "beacon.delay_ms"),
    }


def _seat(value: object, field: str) -> dict[str, str]:
    seat = fields.members(value, field, ("kind", "label"))
    return {
        "kind": fields.one_of(seat["kind"], f"{field}.kind", ("player", "bot")),
        "label": fields.text(seat["label"], f"{field}.label"),
    }


def _rules(value: object, kinds: Sequence[str]) -> dict[str, Any]:
    names = ["deck", "name", "seats", "steps", "v"]
    if isinstance(value, Mapping) and "play" in value:
        names.append("play")
    rules = fields.members(value, "rules", names)
    checked: dict[str, Any] = {
        "deck": fields.items(rules["deck"], "rules.deck", fields.face, 1, fields.MAX_CARDS),
        "name": fields.text(rules["name"], "rules.name"),
        "seats": fields.integer(rules["seats"], "rules.seats", len(kinds), len(kinds)),
        "steps": fields.items(rules["steps"], "rules.steps", _step),
        "v": fields.one_of(rules["v"], "rules.v", (RULES_VERSION,)),
    }
    if "play" in rules:
        checked["play"] = _play(rules["play"], kinds)
    _check_steps(checked["steps"], cards=len(checked["deck"]), seats=len(kinds))
    return checked


def _step(value: object, field: str) -> dict[str, Any]:
    op = fields.one_of(
        value.get("op") if isinstance(value, Mapping) else None,
        f"{field}.op",
        ("deal", "turn", "replace", "set"),
    )
    names = {
        "deal": ("count", "packet"),
        "turn": ("until_not",),
        "replace": ("faces",),
        "set": ("name", "count"),
    }[op]
    step = fields.members(value, field, ("op", *names))
    checks: dict[str, Callable[[object, str], object]] = {
        "count": _count,
        "packet": _count,
        "until_not": _faces,
        "faces": _faces,
        "name": partial(fields.text, least=1),
    }
    return {"op": op, **{name: checks[name](step[name], f"{field}.{name}") for name in names}}


def _check_steps(steps: Sequence[Mapping[str, Any]], *, cards: int, seats: int) -> None:
    names = [step["name"] for step in steps if step["op"] == "set"]
    if len(set(names)) != len(names):
        raise fields.bad("rules.steps", "sets two groups of cards aside under one name")
    needed = sum(
        step["count"] * (seats if step["op"] == "deal" else 1) for step in steps if "count" in step
    )
    if needed > cards:
        raise fields.bad("rules.steps", f"needs {needed} cards, the deck has {cards}")


def _play(value: object, kinds: Sequence[str]) -> dict[str, Any]:
    where = "rules.play"
    version = fields.integer(
        value.get("v") if isinstance(value, Mapping) else None, f"{where}.v", -MAX_INTEGER
    )
    if version != PLAY_VERSION:
        # Nothing else of another version is known (§6.1), only that it is JSON.
        encode(value)
        return dict(fields.members(value, where, tuple(value)))  # type: ignore[arg-type]
    play = fields.members(value, where, _PLAY)
    seats = len(kinds)
    if not isinstance(play["ruleset"], Mapping):
        raise fields.bad(f"{where}.ruleset", "is not an object")
    encode(play["ruleset"])
    custody = fields.items(play["custody"], f"{where}.custody", _any_custody, seats, seats)
    for seat, (word, kind) in enumerate(zip(custody, kinds, strict=True)):
        fields.one_of(word, f"{where}.custody[{seat}]", CUSTODY[kind])
    return {
        "custody": custody,
        "game": fields.one_of(play["game"], f"{where}.game", ("canasta",)),
        "preset": fields.text(play["preset"], f"{where}.preset", 1),
        "ruleset": dict(play["ruleset"]),
        "seating": _seating(play["seating"], f"{where}.seating"),
        "sides": fields.items(play["sides"], f"{where}.sides", partial(_side, seats=seats), 1),
        "v": version,
    }


def _any_custody(value: object, field: str) -> str:
    return fields.one_of(value, field, frozenset().union(*CUSTODY.values()))


def _side(value: object, field: str, seats: int) -> list[int]:
    return fields.items(value, field, partial(fields.integer, most=seats - 1), 1, seats)


def _seating(value: object, where: str) -> dict[str, str]:
    how = fields.one_of(
        value.get("how") if isinstance(value, Mapping) else None, f"{where}.how", ("given", "draw")
    )
    if how == "given":
        fields.members(value, where, ("how",))
        return {"how": how}
    drawn = fields.members(value, where, ("how", "game", "master_record"))
    return {
        "how": how,
        "game": fields.game_id(drawn["game"], f"{where}.game"),
        "master_record": fields.hash_hex(drawn["master_record"], f"{where}.master_record"),
    }
