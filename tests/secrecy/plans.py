"""The kinds of games in which worlds are compared, and a table of each with all its tokens."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fairdeal.canasta import presets
from fairdeal.service.callers import SITE_MAIN, digest
from fairdeal.store.ports import Grant, Role, Write
from tests.secrecy.asking import Asked, Who
from tests.secrecy.worlds import World
from tests.table import OPERATOR, Player

HANDS: Final = 6
"""So many hands a game commits to."""

_SIX: Final = {"decks": 3, "jokers": 6, "hand_size": 13, "target": 10_000, "red3_all": 1000}
_FIVE_AND_KITTY: Final = {
    "name": "five, a kitty and a card turned up",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [
        {"op": "deal", "count": 5, "packet": 1},
        {"op": "turn", "until_not": ["2C", "2D", "2H", "2S"]},
        {"op": "set", "name": "kitty", "count": 3},
    ],
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A kind of game.

    Attributes:
        name: Says what is special about it.
        wanted: What is asked of `POST /v1/games`, or of `POST /v1/rooms`.
        kinds: A letter for each seat, `h` for a human.
        in_room: Whether it is started in a room.
    """

    name: str
    wanted: Mapping[str, Any]
    kinds: str

    in_room: bool = False

    @property
    def dealt_only(self) -> bool:
        """Whether the site referees."""
        return "dealt" in self.wanted["rules"]


def plans() -> tuple[Plan, ...]:
    """Return the kinds of games that are looked at: every preset, bots among humans, dealt only."""
    found = []
    for preset in presets.PRESETS:
        overrides = _SIX if presets.missing(preset) else {}
        rules = {"preset": preset, "overrides": overrides}
        seats = presets.build(preset, overrides).players
        found.append(Plan(preset, {"rules": rules}, "h" * seats))
    open_pile = {"preset": "classic@1", "overrides": {"pile_visible": "all", "hints": "off"}}
    found.append(Plan("a pile that all may look through", {"rules": open_pile}, "hhhh"))
    found.append(Plan("bots among humans", {"rules": {"preset": "classic@1"}}, "hbhb"))
    watched = {
        "rules": {"preset": "classic@1"},
        "clock": {
            "turn_s": 3600,
            "answer_s": 60,
            "away_grace_s": 60,
            "between_hands_s": 0,
            "warn_s": 3599,
            "extends": 20,
        },
        "watch": {"open": False, "delay_s": 5},
    }
    found.append(Plan("clocks, and watched by invitation", watched, "hhhh"))
    room = {"rules": {"preset": "partnership@1"}}
    found.append(Plan("in a room", room, "hhhh", in_room=True))
    dealt = {"rules": {"dealt": _FIVE_AND_KITTY}, "first_seat": 0}
    found.append(Plan("dealt only", dealt, "hhh"))
    return tuple(found)


class Table:
    """A game of a plan, known by its tokens, which are the same in all worlds.

    Args:
        plan: The kind of game.
        world: Where it is opened; all have claimed their seats, and all but one given a seed.
    """

    def __init__(self, plan: Plan, world: World) -> None:
        self.plan = plan
        self.room, claims = _in_room(plan, world) if plan.in_room else ("", _outside(plan, world))
        players: list[Player] = [world.seat({"claims": claims}, at) for at in range(len(claims))]
        if plan.in_room:
            players = _started(world, self.room, players)
        self.id: str = players[0].game
        self.path = f"/v1/games/{self.id}"
        self.tokens: dict[int, str] = {player.seat: player.token for player in players}
        other = world.create("hhhh", hands=1)
        stranger = world.seat(other)
        self.others = {
            "game": other["id"],
            "used claim": claims[0]["claim"],
            "room": self.room or "rnosuchroom",
        }
        for player in players[:-1]:
            player.share()
        self._last = players[-1]
        self.without_seat = (
            Who("anyone", None),
            Who("operator", OPERATOR),
            Who("operator who may only read", self._grant(world, "operator", scope="read")),
            Who("operator of another site", self._grant(world, "operator", site="site_other")),
            Who("watcher of the room", self._grant(world, "watch", room=self.room)),
            Who("watcher", self._grant(world, "watch", game=self.id)),
            Who("watcher of another game", self._grant(world, "watch", game=other["id"])),
            Who("seat of another game", stranger.token),
            Who("token nobody gave out", "cd_live_seat_" + "A" * 43),
        )

    def _grant(
        self,
        world: World,
        role: Role,
        *,
        site: str = SITE_MAIN,
        scope: str = "",
        game: str = "",
        room: str = "",
    ) -> str:
        """Give out a token as the store keeps them."""
        prefix = {"operator": "cd_live_op_", "watch": "cd_live_watch_"}[role]
        text = prefix + urlsafe_b64encode(world.entropy(32)).decode().rstrip("=")
        world.store.write(
            Write(
                grants=(
                    Grant(
                        digest=digest(text),
                        role=role,
                        site=site,
                        game=game,
                        room=room,
                        scope=scope,
                    ),
                )
            )
        )
        return text

    def seated(self) -> Iterator[Who]:
        """Give the role of each seat with a human."""
        for seat, token in self.tokens.items():
            yield Who(f"seat {seat}", token, seat)

    def last_seed(self) -> tuple[int, Asked]:
        """Return the seed that the first deal waits for, with its seat."""
        body = json.dumps(self._last.seed_body()).encode()
        path = f"{self.path}/seats/{self._last.seat}/seed"
        return self._last.seat, Asked("PUT", path, body)

    def act(self, seat: int, version: int, text: str) -> tuple[int, Asked]:
        """Return an act as a request, with its seat."""
        body = json.dumps({"expect": version, "act": text}).encode()
        return seat, Asked("POST", f"{self.path}/actions", body)


def _outside(plan: Plan, world: World) -> list[dict[str, Any]]:
    """Open a game; return its claims."""
    created: dict[str, list[dict[str, Any]]] = world.create(plan.kinds, hands=HANDS, **plan.wanted)
    return created["claims"]


def _in_room(plan: Plan, world: World) -> tuple[str, list[dict[str, Any]]]:
    """Open a room; return its name and its claims."""
    body = {
        "seats": [{"kind": "human" if kind == "h" else "bot"} for kind in plan.kinds],
        "hands": HANDS,
        "clock": {"between_hands_s": 0},
        **plan.wanted,
    }
    made = world.call("POST", "/v1/rooms", body, OPERATOR)
    assert made.status_code == 201, made.text
    return made.json["id"], made.json["claims"]


def _started(world: World, room: str, seated: list[Player]) -> list[Player]:
    """Start the game of a room; return its players."""
    for player in seated:
        ready = world.call("POST", f"/v1/rooms/{room}/ready", {"ready": True}, player.token)
        assert ready.status_code == 200, ready.text
    game = world.call("POST", f"/v1/rooms/{room}/start", {}, OPERATOR).json["game"]
    known = {"game": game["id"], "commitment": game["commitment"]}
    return [
        Player(world, {**known, "token": player.token, "seat": player.seat}) for player in seated
    ]
