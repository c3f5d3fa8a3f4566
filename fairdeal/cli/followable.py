"""Whether a transcript's next record can be told after those before it.

The service checks a record before it makes it; a file may say anything. Nothing is judged here:
that is the verifier's. What is refused could not be followed.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from fairdeal.canasta import acts, engine
from fairdeal.errors import MalformedInput
from fairdeal.game import Game
from fairdeal.records import fields
from fairdeal.records.canonical import MAX_INTEGER
from fairdeal.records.chain import Record
from fairdeal.records.opening import PLAY_VERSION

_CODE: Final = re.compile(r"[A-Z0-9_]{1,40}")


def check_next(game: Game | None, record: Record) -> None:
    """Refuse a record that cannot follow.

    Args:
        game: As the records before leave it; None before record 0.
        record: The next one, its body checked (`records.bodies.check_body`).

    Raises:
        MalformedInput: It names a hand that is not in play, or its result has another shape than
            §6.3.
        RuleBroken: It is an act that the rules forbid.
    """
    if (game is None) != (record.type == "open"):
        raise _unfit("a game begins with open, and with no other record")
    if game is None:
        _check_rules(record.body["rules"])
        return
    body, kind = record.body, record.type
    if kind == "deal" and (game.in_play or body["hand"] != game.hand + 1):
        raise _unfit(f"hand {body['hand']} cannot be dealt now")
    if kind in ("act", "draw", "score", "abort"):
        if not game.in_play or body["hand"] != game.hand:
            raise _unfit(f"hand {body['hand']} is not in play")
        if (game.ruleset is None) == (kind == "act") and kind in ("act", "draw"):
            raise _unfit(f"there is no {kind} in a game with these rules")
    if kind == "act":
        act = acts.parse(body["act"])
        if game.position is not None:
            engine.check(game.position, body["seat"], act)
    if kind == "score" and game.ruleset is not None:
        _check_result(body["result"], len(game.ruleset.side_seats))


def _check_rules(rules: Mapping[str, Any]) -> None:
    if "play" in rules and rules["play"]["v"] != PLAY_VERSION:
        raise _unfit("its rules are of a version that is not known here")


def _check_result(result: object, sides: int) -> None:
    """Check as much of a refereed result as is told (§6.3)."""
    if not isinstance(result, Mapping):
        raise fields.bad("result", "is not an object")
    _check_code(result.get("end"), "result.end")
    for at, side in enumerate(
        fields.items(result.get("sides"), "result.sides", _any, sides, sides)
    ):
        where = f"result.sides[{at}]"
        if not isinstance(side, Mapping):
            raise fields.bad(where, "is not an object")
        for name in ("hand", "total"):
            fields.integer(side.get(name), f"{where}.{name}", -MAX_INTEGER)
        fields.items(side.get("lines"), f"{where}.lines", _check_line)


def _check_line(value: object, field: str) -> None:
    code, points = fields.items(value, field, _any, 2, 2)
    _check_code(code, f"{field}[0]")
    fields.integer(points, f"{field}[1]", -MAX_INTEGER)


def _check_code(value: object, field: str) -> None:
    # It is printed: nothing that a terminal would obey.
    if type(value) is not str or _CODE.fullmatch(value) is None:
        raise fields.bad(field, "is no word in capitals")


def _any(value: object, _: str) -> object:
    return value


def _unfit(why: str) -> MalformedInput:
    return MalformedInput("bad_record", f"{why[0].upper()}{why[1:]}.")
