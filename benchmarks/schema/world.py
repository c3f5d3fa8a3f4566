"""The games, rooms and tokens that requests made at random are about, so that they reach deep."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fairdeal.cli.client import Client
from fairdeal.cli.server import LOOPBACK, Server

CLOCK: Final = {"between_hands_s": 0, "turn_s": 86_400, "extend_s": 60, "extends": 20}
"""Turns as long as any run, and more time for whoever asks."""
FOUR: Final = {"seats": [{"kind": "human"}] * 4, "clock": CLOCK}
DEALT: Final = {
    "name": "one each",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 1, "packet": 1}],
}
SPARES: Final = 5

ENDING: Final = (
    "closeGame", "voidGame", "inviteToSeat", "reissueSeat", "releaseSeat", "removeWatcher",
    "closeRoom", "inviteToRoom", "reissueRoomSeat", "releaseRoomSeat", "putBot", "leaveRoom",
    "deleteKey", "rollKey",
)  # fmt: skip
"""Operations that would take away what the others are about; they are sent to the spares."""

FOR_GOOD: Final = {"closeGame": 0, "closeRoom": 0, "deleteKey": 0, "voidGame": 1, "rollKey": 1}
"""Those after which nothing more can be done with it: which of the spares is theirs alone."""


@dataclass(frozen=True, slots=True)
class World:
    """What there is.

    Attributes:
        schemes: A token of each kind, by the name of the kind in the description.
        tokens: Tokens that open different things, by what they are.
        stages: For each of these tokens: the game and the room that it is about, or empty.
        kept: Names that no ending may be about.
        spares: Names for the endings, by parameter.
        own: For some operations the game that they are about, whatever the stage.
        readers: For each game a token that sees its newest version.
    """

    schemes: Mapping[str, str]
    tokens: Mapping[str, str]
    stages: Mapping[str, tuple[str, str]]
    kept: Sequence[str]
    spares: Mapping[str, Sequence[str]]
    own: Mapping[str, str]
    readers: Mapping[str, str]

    def write(self, path: Path, stage: str, url: str) -> None:
        """Leave in a file what the hooks read, for one run.

        Args:
            path: The file.
            stage: The name of the token that is shown everywhere, or empty.
            url: Where the service is.
        """
        game, room = self.stages.get(stage) or self.stages["seat"]
        told = {
            "url": url, "operator": self.schemes["operator"],
            "kept": list(self.kept), "readers": dict(self.readers),
            "ending": list(ENDING), "for_good": FOR_GOOD, "own": dict(self.own),
            "spares": {name: list(values) for name, values in self.spares.items()},
            "names": {"game": game, "room": room, "seat": 0, "hand": 1, "preset": "classic@1",
                      "key": "", "watcher": "", "code": "no_key"},
        }  # fmt: skip
        path.write_text(json.dumps(told), "utf-8")


class Maker:
    """Makes games and rooms over HTTP."""

    def __init__(self, server: Server) -> None:
        self.operator = (server.folder / "operator.key").read_text("ascii").strip()
        self._port = server.port

    def post(self, path: str, body: Mapping[str, Any], token: str | None = None) -> dict[str, Any]:
        """Send a request with a token, or as the site."""
        with closing(Client(LOOPBACK, self._port, token or self.operator)) as client:
            answer: dict[str, Any] = client.send("POST", path, dict(body))
        return answer

    def get(self, path: str, token: str) -> dict[str, Any]:
        """Ask with a token."""
        with closing(Client(LOOPBACK, self._port, token)) as client:
            answer: dict[str, Any] = client.get(path)
        return answer

    def take(self, claims: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Exchange claims."""
        return [self.post("/v1/claims", {"claim": claim["claim"]}) for claim in claims]

    def share(self, token: str, seat: int, game: Mapping[str, Any]) -> None:
        """Contribute for a seat."""
        body = {
            "epoch": 1,
            "open_hash": game["commitment"]["open_hash"],
            "nonce": "0" * 64,
            "seed_sha256": hashlib.sha256(b"seat %d" % seat).hexdigest(),
        }
        with closing(Client(LOOPBACK, self._port, token)) as holder:
            holder.send("PUT", f"/v1/games/{game['id']}/seats/{seat}/seed", body)

    def game(self, *, shared: bool, **more: Any) -> tuple[dict[str, Any], list[str]]:  # noqa: ANN401
        """Open a game whose seats are taken; return it and their tokens."""
        made = self.post("/v1/games", {**FOUR, **more})
        tokens = [seat["token"] for seat in self.take(made["claims"])]
        for seat, token in enumerate(tokens if shared else []):
            self.share(token, seat, made)
        return made, tokens

    def version(self, game: Mapping[str, Any], token: str) -> int:
        """Return the number of a game's newest record."""
        newest: int = self.get(f"/v1/games/{game['id']}/view", token)["version"]
        return newest

    def room(self, humans: int) -> tuple[dict[str, Any], list[str]]:
        """Start a game in a room; return the room and the tokens of its seats."""
        kinds = ["human"] * humans + ["bot"] * (4 - humans)
        made = self.post("/v1/rooms", {**FOUR, "seats": [{"kind": kind} for kind in kinds]})
        tokens = [seat["token"] for seat in self.take(made["claims"])]
        path = f"/v1/rooms/{made['id']}"
        for token in tokens:
            self.post(f"{path}/ready", {"ready": True}, token)
        made = self.post(f"{path}/start", {}, tokens[0])
        for seat, token in enumerate(tokens):
            self.share(token, seat, made["game"])
        return made, tokens


def prepare(server: Server) -> World:
    """Make a world by asking the service for it."""
    maker = Maker(server)
    room, in_room = maker.room(1)
    lobby, in_lobby = maker.room(4)
    maker.post(f"/v1/games/{lobby['game']['id']}/close", {"reason": "supper"})
    seeding, to_share = maker.game(shared=False)
    overdue, to_miss = maker.game(shared=False)
    maker.share(to_miss[0], 0, overdue)
    dealt, to_draw = maker.game(shared=True, rules={"dealt": DEALT}, hands=200, first_seat=0)
    drawn, to_deal = maker.game(shared=True, rules={"dealt": DEALT}, hands=200, first_seat=0)
    maker.post(f"/v1/games/{dealt['id']}/hands", {"expect": maker.version(dealt, to_draw[0])})
    playing = room["game"]["id"]
    watcher = maker.post(f"/v1/games/{playing}/watchers", {})
    looking = maker.post("/v1/keys", {"scope": "read"})
    games = [maker.post("/v1/games", FOUR)["id"] for _ in range(SPARES)]
    spares = {
        "game": games,
        "room": [maker.post("/v1/rooms", FOUR)["id"] for _ in range(SPARES)],
        "key": [maker.post("/v1/keys", {})["id"] for _ in range(SPARES)],
        "watcher": [maker.post(f"/v1/games/{game}/watchers", {})["id"] for game in games],
    }
    keys = [key["id"] for key in maker.get("/v1/keys", maker.operator)["keys"]]
    seat = in_room[0]
    return World(
        schemes={"operator": maker.operator, "seat": seat, "watcher": watcher["token"]},
        tokens={
            "operator": maker.operator, "operator that may only look": looking["token"],
            "seat": seat, "host in the lobby": in_lobby[0], "guest in the lobby": in_lobby[1],
            "seat that shares": to_share[0], "seat that draws": to_draw[0],
            "watcher": watcher["token"],
        },
        stages={
            "operator": (drawn["id"], lobby["id"]),
            "seat": (playing, room["id"]),
            "host in the lobby": (playing, lobby["id"]),
            "guest in the lobby": (playing, lobby["id"]),
            "seat that shares": (seeding["id"], room["id"]),
            "seat that draws": (dealt["id"], room["id"]),
        },
        kept=[playing, seeding["id"], overdue["id"], dealt["id"], drawn["id"], room["id"],
              lobby["id"], watcher["id"], *(key for key in keys if key not in spares["key"])],
        spares=spares,
        own={
            "goOnWithoutSeeds": overdue["id"], "dealHand": drawn["id"], "scoreHand": drawn["id"],
            "askForRematch": lobby["game"]["id"],
        },
        readers={
            playing: seat, seeding["id"]: to_share[0], overdue["id"]: to_miss[0],
            dealt["id"]: to_draw[0], drawn["id"]: to_deal[0],
        },
    )  # fmt: skip
