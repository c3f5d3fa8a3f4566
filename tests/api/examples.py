"""Write the examples of the interface: what was asked and answered in games that were played.

``python -m tests.api.examples api/examples.json`` plays them on a service in memory with fixed
entropy and a clock that counts, so the same code gives the same bytes. Of each operation the
exchange that shows it best is kept. Tokens are replaced, long lists cut off; what is left is what
was sent.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api.auth import path_of
from api.openapi import description
from api.refusals import operations
from tests.table import OPERATOR, Service, quick_folder
from tests.tlog.publishing import publish

LONG: Final = {"/openapi.json"}
MOST_ITEMS: Final = 4
LONGEST_LINE: Final = 1_500
HUMAN: Final = {"kind": "human"}
SHORT: Final = {"preset": "classic@1", "overrides": {"target": 500}}
NAMES: Final = ("Ruth", "Omar", "Edith", "Sam")
DRAW: Final = {
    "name": "draw for seats",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 1, "packet": 1}],
}
_TOKEN: Final = re.compile(r"(cd_(?:live|test)_[a-z]+_)[A-Za-z0-9_-]+")


class Recorder:
    """Asks a service, and keeps what was asked and answered.

    Attributes:
        service: That is asked.
        kept: By the operation's name.
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self._routes = service.app.url_map.bind("localhost")
        self._names = {
            (path, method.upper()): said["operationId"]
            for path, method, said in operations(description(service.app))
        }
        self.kept: dict[str, dict[str, Any]] = {}

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = None,
        *,
        show: bool = False,
        **headers: str,
    ) -> Any:
        """Ask and return the JSON of the answer, or its text.

        Args:
            method: Of the request.
            path: Of the request, with its query.
            body: Of the request, or None.
            token: What is shown, or None.
            show: Whether this exchange shows the operation better than an earlier one.
            headers: Further ones, named with underscores.

        Raises:
            AssertionError: It was refused.
        """
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.service.call(method, path, body, token, headers=named)
        assert answer.status_code < 300, answer.text
        rule, _ = self._routes.match(path.partition("?")[0], method, return_rule=True)
        name = self._names[path_of(rule.rule), method]
        told = answer.json if answer.is_json else answer.text
        known = self.kept.setdefault(name, {})
        form = answer.mimetype or "none"
        if show or not known:
            known |= {"method": method, "path": path, "status": answer.status_code}
            known |= {"token": token is not None, "headers": named}
            if body is not None:
                known["request"] = body
        answers = known.setdefault("answers", {})
        shown = answer.data and path not in LONG and form != "text/html"
        if shown and (show or form not in answers):
            answers[form] = told
        return told

    def site(self, method: str, path: str, body: object = None, **more: Any) -> Any:
        """Ask as the operator."""
        return self.ask(method, path, body, OPERATOR, **more)


class Seat:
    """Somebody who plays."""

    def __init__(self, asks: Recorder, claim: str) -> None:
        self._asks = asks
        body = {"claim": claim, "key": "a-random-key-of-your-own"}
        self.seating = asks.ask("POST", "/v1/claims", body)
        self.token = self.seating["token"]
        self.number = self.seating["seat"]

    def share(self, game: dict[str, Any], *, show: bool = False, signed: bool = False) -> Any:
        """Contribute to a game's first epoch; return the answer."""
        text = f"{NAMES[self.number]}'s lucky words"
        nonce = hashlib.sha256(f"{text}, and a nonce".encode()).hexdigest()
        body = {
            "epoch": 1,
            "open_hash": game["commitment"]["open_hash"],
            "nonce": nonce,
            "seed_sha256": hashlib.sha256(text.encode()).hexdigest(),
        }
        if signed:
            key = Ed25519PrivateKey.from_private_bytes(bytes(32))
            line = f"pfd1:seat:{game['id']}:1:{self.number}:{body['open_hash']}:{nonce}"
            line += f":{body['seed_sha256']}\n"
            body |= {
                "pk": key.public_key().public_bytes_raw().hex(),
                "signature": key.sign(line.encode()).hex(),
            }
        path = f"/v1/games/{game['id']}/seats/{self.number}/seed"
        return self._asks.ask("PUT", path, body, self.token, show=show)


def recorded() -> dict[str, Any]:
    """Return the examples, by the operation's name."""
    with quick_folder() as folder:
        service = Service(folder, seed="examples")
        asks = Recorder(service)
        for story in (the_service, a_game, other_ends, a_draw, a_room, a_match, the_site):
            story(asks)
        service.close()
    return {name: _told(one) for name, one in sorted(asks.kept.items())}


def the_service(asks: Recorder) -> None:
    """Look at what the service says of itself and of the rules."""
    for path in (
        "/healthz", "/readyz", "/.well-known/canasta-dealer.json", "/v1/rules",
        "/v1/rules/classic@1", "/v1/rules/diff?a=classic@1&b=hoyle@1", "/v1/bots", "/v1/terms",
        "/v1/bots/steady@1/measurements", "/v1/stats/play",
        "/help", "/help/stale_version", "/help/strategy", "/help/strategy/keeps_pair", "/docs",
        "/openapi.json",
    ):  # fmt: skip
        asks.ask("GET", path)
    asks.ask("POST", "/v1/rules/validate", SHORT)


def a_game(asks: Recorder) -> None:
    """Four people play, are watched, and stop."""
    seats = [{**HUMAN, "label": name} for name in NAMES]
    key = {"Idempotency_Key": "table-7-tonight"}
    clock = {"turn_s": 60, "warn_s": 10, "extends": 2}
    wanted = {"rules": SHORT, "seats": seats, "clock": clock}
    game = asks.site("POST", "/v1/games", wanted, **key)
    path = f"/v1/games/{game['id']}"
    players = [Seat(asks, claim["claim"]) for claim in game["claims"]]
    for player in players:
        player.share(game, show=True, signed=player.number == 0)
    asks.ask("GET", path)
    asks.ask("GET", f"{path}/seed-signatures")
    watchers = f"{path}/watchers"
    watcher = asks.site("POST", watchers, {"label": "press"})
    asks.site("GET", watchers)
    asks.site("DELETE", f"{watchers}/{watcher['id']}")
    for turn in range(4):
        view = asks.ask("GET", f"{path}/view", token=players[0].token, show=turn == 0)
        player = players[view["table"]["turn"]["seat"]]
        for what in ("view", "choices", "counts"):
            asks.ask("GET", f"{path}/{what}", token=player.token, show=turn < 2)
        asks.ask("GET", f"{path}/hint", token=player.token, show=turn == 1)
        choices = asks.ask("GET", f"{path}/choices", token=player.token)
        wish = {"expect": choices["version"]}
        asks.ask("POST", f"{path}/more-time", wish, player.token, show=turn == 0)
        act = {"expect": choices["version"], "act": choices["can"][0]["act"]}
        key = {"Idempotency_Key": f"my-act-{turn}"}
        asks.ask("POST", f"{path}/actions", act, player.token, show=turn == 0, **key)
        asks.ask("GET", f"/v1/requests?idempotency_key=my-act-{turn}", token=player.token)
    asks.ask("GET", f"{path}/events?after={view['version']}", token=players[0].token)
    asks.ask("GET", f"{path}/my-record", token=players[0].token)
    asks.site("POST", f"{path}/hands/1/abort", {"reason": "power cut"})
    asks.site("POST", f"{path}/close", {"reason": "players left"})
    asks.site("GET", "/v1/games?limit=10")
    last = asks.ask("GET", path, show=True)["version"]
    asks.ask("GET", f"{path}/transcript")
    asks.ask("GET", f"{path}/transcript", Accept="text/plain")
    publish(asks.service)
    asks.ask("GET", f"{path}/proofs/{last}")
    for form in ("text/event-stream", "application/x-ndjson"):
        asks.ask("GET", f"{path}/events?after={last - 1}", Accept=form)


def other_ends(asks: Recorder) -> None:
    """Give seats out anew, go on without somebody, call a game off."""
    game = asks.site("POST", "/v1/games", {"seats": [HUMAN] * 4})
    path = f"/v1/games/{game['id']}"
    asks.site("POST", f"{path}/seats/0/invite", {})
    version = Seat(asks, game["claims"][1]["claim"]).share(game)["version"]
    asks.site("POST", f"{path}/overdue", {"expect": version})
    asks.site("POST", f"{path}/seats/1/reissue", {})
    asks.site("POST", f"{path}/seats/1/release")
    asks.site("POST", f"{path}/void", {"reason": "players_left"})


def a_draw(asks: Recorder) -> None:
    """Deal cards of the site's own rules: four seats draw for partners."""
    body = {"seats": [HUMAN] * 4, "rules": {"dealt": DRAW}, "hands": 1, "first_seat": 0}
    game = asks.site("POST", "/v1/games", body)
    path = f"/v1/games/{game['id']}"
    players = [Seat(asks, claim["claim"]) for claim in game["claims"]]
    for player in players:
        version = player.share(game)["version"]
    version = asks.site("POST", f"{path}/hands", {"expect": version})["version"]
    draw = {"seat": 0, "expect": version}
    asks.ask("POST", f"{path}/hands/1/draws", draw, players[0].token)
    asks.site("POST", f"{path}/hands/1/score", {"result": {"order": [2, 0, 3, 1]}})
    asks.site("POST", f"{path}/close", {"reason": "complete"})


def a_room(asks: Recorder) -> None:
    """Bring two people together, play, play again, and leave."""
    wanted = {"rules": SHORT, "seats": [{**HUMAN, "label": "Ruth"}, HUMAN, HUMAN, HUMAN]}
    room = asks.site("POST", "/v1/rooms", wanted)
    path = f"/v1/rooms/{room['id']}"
    ruth, omar = (Seat(asks, claim["claim"]) for claim in room["claims"][:2])
    asks.site("POST", f"{path}/seats/2/reissue", {})
    asks.site("POST", f"{path}/seats/2/release", {})
    asks.ask("POST", f"{path}/seats/2/invite", {"label": "Edith"}, ruth.token)
    asks.ask("PUT", f"{path}/seats/3/bot", {"bot": "steady@1"}, ruth.token)
    asks.ask("PUT", f"{path}/game", {"rules": SHORT, "hands": 40}, ruth.token)
    asks.ask("POST", f"{path}/host", {"seat": omar.number}, ruth.token)
    version = asks.ask("GET", path, token=omar.token)["version"]
    for player in (ruth, omar):
        body: dict[str, object] = {"ready": True}
        body |= {"expect": version} if player is ruth else {}
        asks.ask("POST", f"{path}/ready", body, player.token)
    game = asks.ask("POST", f"{path}/start", {}, omar.token)["game"]
    asks.ask("GET", f"{path}?at_least=0&wait=1", token=omar.token, show=True)
    asks.site("POST", f"/v1/games/{game['id']}/close", {"reason": "supper"})
    asks.ask("POST", f"{path}/rematch", {"game": game["id"]}, ruth.token)
    asks.ask("POST", f"{path}/leave", {}, ruth.token)
    asks.site("GET", "/v1/rooms?limit=10")
    asks.site("DELETE", path)


def a_match(asks: Recorder) -> None:
    """Find two players a table, and one withdraws."""
    wanted = {"rules": SHORT, "clock": {"turn_s": 60}, "label": "Ruth"}
    told = asks.site("POST", "/v1/quickmatch", wanted)
    ruth = Seat(asks, told["claim"]["claim"])
    other = asks.site("POST", "/v1/quickmatch", {**wanted, "label": "Omar"})
    asks.site("GET", f"/v1/quickmatch/{other['ticket']}")
    asks.site("DELETE", f"/v1/quickmatch/{other['ticket']}")
    asks.ask("GET", "/v1/me/games", token=ruth.token)
    asks.service.clock.set(told["starts_at"])
    asks.site("GET", f"/v1/quickmatch/{told['ticket']}", show=True)
    asks.ask("GET", "/v1/me/games", token=ruth.token, show=True)


def the_site(asks: Recorder) -> None:
    """Look after the site's keys."""
    asks.site("PATCH", "/v1/site", {"name": "The card room"})
    asks.site("GET", "/v1/site")
    key = asks.site("POST", "/v1/keys", {"label": "nightly", "scope": "read"})
    asks.site("GET", "/v1/keys")
    rolled = asks.site("POST", f"/v1/keys/{key['id']}/roll", {"overlap_s": 3600})
    asks.site("DELETE", f"/v1/keys/{rolled['id']}")


def _told(one: dict[str, Any]) -> dict[str, Any]:
    """Return an exchange with its lists cut off and its tokens replaced."""
    shorter = {**one, "answers": {form: _shorter(told) for form, told in one["answers"].items()}}
    told: dict[str, Any] = json.loads(_TOKEN.sub(r"\1EXAMPLE", json.dumps(shorter)))
    return told


def _shorter(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _shorter(value) for name, value in part.items()}
    if isinstance(part, list):
        kept = part[:MOST_ITEMS] if part and isinstance(part[0], dict) else part
        return [_shorter(item) for item in kept]
    if isinstance(part, str) and part.startswith('{"body"'):  # Records, a line each.
        lines = [one for one in part.splitlines(keepends=True) if len(one) <= LONGEST_LINE]
        return "".join(lines[:MOST_ITEMS])
    return part


def rendered() -> str:
    """Return the examples as they stand in api/examples.json."""
    return json.dumps(recorded(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(rendered(), "utf-8")
