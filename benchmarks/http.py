"""Acts over HTTP: a service in its own process on loopback, four scripted players, one game."""

import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from fairdeal.cli.client import ApiError, Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server

__all__ = ["ApiError", "Served", "run"]

ORIGIN = "fairdeal.localhost/test"


@dataclass(frozen=True, slots=True)
class Served:
    """What a run did: acts, all requests, seconds of wall time, CPU seconds of the service."""

    acts: int
    requests: int
    wall: float
    service_cpu: float


def run(seconds: float) -> Served:
    """Play for some seconds or to the end of the game, each seat a client of its own.

    Every act is a request that is durable when it is answered; before it its seat asks what it
    may do.

    Raises:
        RuntimeError: The service did not start.
        ApiError: It refused something.
    """
    before = _children()
    with (
        tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home,
        Server(Path(home) / "service", ORIGIN) as server,
    ):
        players = _seated(server)
        started = _children()
        acts = requests = 0
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            acted = False
            for player in players:
                requests += 1
                if player.play_on():
                    acted, acts, requests = True, acts + 1, requests + 1
            if not acted:
                break
        wall = time.perf_counter() - start
        for player in players:
            player.client.close()
    return Served(acts, requests, wall, _children() - max(before, started))


def _seated(server: Server) -> list[Player]:
    operator = (server.folder / "operator.key").read_text(encoding="ascii").strip()
    site = Client(LOOPBACK, server.port, operator)
    wanted = {"seats": [{"kind": "human"}] * 4, "clock": {"between_hands_s": 0}}
    created = site.send("POST", "/v1/games", wanted)
    site.close()
    claims = [one["claim"] for one in created["claims"]]
    players = [Player.sit_down(LOOPBACK, server.port, claim) for claim in claims]
    for player in players:
        player.give_seed(f"bench {player.seat}")
    return players


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
