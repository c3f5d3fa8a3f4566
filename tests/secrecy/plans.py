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
    """A kind of game: its name, what is asked of `POST /v1/games`, a letter for each seat."""

    name: str
    wanted: Mapping[str, Any]
    kinds: str

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
        "clock": {"turn_s": 3600, "answer_s": 60, "away_grace_s": 60, "between_hands_s": 0},
        "watch": {"open": False, "delay_s": 5},
    }
    found.append(Plan("clocks, and watched by invitation", watched, "hhhh"))
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
        created = world.create(plan.kinds, hands=HANDS, **plan.wanted)
        self.id: str = created["id"]
        self.path = f"/v1/games/{self.id}"
        players: list[Player] = [
            world.seat(created, index) for index in range(len(created["claims"]))
        ]
        self.tokens: dict[int, str] = {player.seat: player.token for player in players}
        other = world.create("hhhh", hands=1)
        stranger = world.seat(other)
        self.others = {"game": other["id"], "used claim": created["claims"][0]["claim"]}
        for player in players[:-1]:
            player.share()
        self._last = players[-1]
        self.without_seat = (
            Who("anyone", None),
            Who("operator", OPERATOR),
            Who("operator who may only read", self._grant(world, "operator", scope="read")),
            Who("operator of another site", self._grant(world, "operator", site="site_other")),
            Who("watcher", self._grant(world, "watch", game=self.id)),
            Who("watcher of another game", self._grant(world, "watch", game=other["id"])),
            Who("seat of another game", stranger.token),
            Who("token nobody gave out", "cd_live_seat_" + "A" * 43),
        )

    def _grant(
        self, world: World, role: Role, *, site: str = SITE_MAIN, scope: str = "", game: str = ""
    ) -> str:
        """Give out a token as the store keeps them."""
        prefix = {"operator": "cd_live_op_", "watch": "cd_live_watch_"}[role]
        text = prefix + urlsafe_b64encode(world.entropy(32)).decode().rstrip("=")
        world.store.write(
            Write(
                grants=(Grant(digest=digest(text), role=role, site=site, game=game, scope=scope),)
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
