"""What schemathesis loads: it turns requests made at random to games and rooms that there are.

Three of four right requests are about what the run's token is about, and decided on the version
that there is; the others, and all wrong ones, stay as they were made.
"""

import json
import os
import urllib.request
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import schemathesis
from schemathesis import Case, HookContext

WORLD: Final = "FAIRDEAL_SCHEMA_WORLD"
"""The variable that names the file that `benchmarks.schema.world` left."""

_TOLD: Final[dict[str, Any]] = json.loads(Path(os.environ[WORLD]).read_text("utf-8"))
_TURNS: Final = count()
_PATIENT: Final = frozenset(map(str, range(2, 26)))
_LONGEST: Final = 1_900
_CLAIMS: Final[list[str]] = []


@schemathesis.hook
def filter_case(_: HookContext, case: Case[Any]) -> bool:
    """Leave out what is too long for an address: no operation is asked, the server refuses it."""
    parts = [*(case.path_parameters or {}).values(), *(case.query or {}).items()]
    return len(case.path) + sum(len(quote(str(part))) for part in parts) < _LONGEST


@schemathesis.hook
def before_call(_: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:  # noqa: ARG001
    """Turn a request to what there is, and spare what the run stands on."""
    operation = case.operation.definition.raw["operationId"]
    turn = next(_TURNS)
    if turn % 4 and _is_right(case):
        _turn_to_what_there_is(operation, case, turn)
    if operation == "claimSeat" and isinstance(case.body, dict) and _is_right(case):
        case.body["claim"] = _fresh_claim()
    if operation in _TOLD["ending"]:
        for name in _TOLD["spares"]:
            if case.path_parameters.get(name) in _TOLD["kept"]:
                case.path_parameters[name] = _spare(operation, name, turn)
    if str(case.query.get("wait")) in _PATIENT:
        case.query["wait"] = 1  # Who may wait does; a second is enough to see it.


def _is_right(case: Case[Any]) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def _turn_to_what_there_is(operation: str, case: Case[Any], turn: int) -> None:
    own = _TOLD["own"].get(operation)
    for name, value in _TOLD["names"].items():
        if name in case.path_parameters:
            ends = operation in _TOLD["ending"] and name in _TOLD["spares"]
            spare = _spare(operation, name, turn) if ends else value
            case.path_parameters[name] = own if own and name == "game" else spare
    if isinstance(case.body, dict):
        _turn_body(operation, case, case.body, turn)


def _turn_body(operation: str, case: Case[Any], body: dict[str, Any], turn: int) -> None:
    game = case.path_parameters.get("game")
    if operation == "askForRematch":
        body["game"] = _TOLD["own"][operation]
    if "room" in case.path_parameters and turn % 4 != 1:
        body.pop("expect", None)
        if operation == "passHost":
            body["seat"] = 0
    token = _TOLD["readers"].get(game)
    if token is None:
        return
    view = _call(f"/v1/games/{game}/view", token)
    if "expect" in body:
        body["expect"] = view["version"]
    if operation == "act" and turn % 4 != 1:
        can = _call(f"/v1/games/{game}/choices", token)["can"]
        body["act"] = can[turn % len(can)]["act"] if can else "draw"
    if operation == "drawCard":
        body["seat"] = 0
    if operation == "scoreHand":
        case.path_parameters["hand"] = view["hand"]
    if operation == "shareSeed":
        sent = {name: body.get(name) or "1" * 64 for name in ("nonce", "seed_sha256")}
        case.body = {"epoch": 1, "open_hash": view["open_hash"], **sent}


def _spare(operation: str, name: str, turn: int) -> str:
    """Return a spare name; what ends it for good has its own, for others would find it gone."""
    spares, alone = _TOLD["spares"][name], _TOLD["for_good"]
    shared = 1 + max(alone.values())
    return str(spares[alone.get(operation, shared + turn % (len(spares) - shared))])


def _fresh_claim() -> str:
    """Return a claim that nobody has used, for a used one is gone (410), and rightly so."""
    if not _CLAIMS:
        made = _call("/v1/games", _TOLD["operator"], {"seats": [{"kind": "human"}] * 4})
        _CLAIMS.extend(claim["claim"] for claim in made["claims"])
    return _CLAIMS.pop()


def _call(path: str, token: str, body: dict[str, Any] | None = None) -> Any:  # noqa: ANN401
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(_TOLD["url"] + path, data, headers)) as it:
        return json.loads(it.read())
