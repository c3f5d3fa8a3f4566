"""Measures acts a second over HTTP: durable, refereed, with bots answering in the same commit.

python -m benchmarks.http_acts --players 8 --seconds 5
"""

import argparse
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fairdeal.cli.client import Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server

ORIGIN: Final = "fairdeal.localhost/bench"
SEATS: Final = [{"kind": "human"}, {"kind": "bot"}, {"kind": "bot"}, {"kind": "bot"}]


@dataclass(frozen=True, slots=True)
class Rates:
    """What was measured.

    Attributes:
        acts: Acts of players acknowledged a second; each asked for its choices before.
        records: Records made durable a second, those of the bots included.
        slowest_ms: The slowest of a hundred acts, milliseconds.
    """

    acts: float
    records: float
    slowest_ms: float


def measure(players: int, seconds: float) -> Rates:
    """Let so many players play, a game each, for so long."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        folder = Path(home) / "service"
        with Server(folder, ORIGIN) as server:
            operator = (folder / "operator.key").read_text(encoding="ascii").strip()
            began = time.monotonic()
            told: list[tuple[list[float], int]] = []
            threads = [
                threading.Thread(target=_play, args=(server.port, operator, began + seconds, told))
                for _ in range(players)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            spent = time.monotonic() - began
    times = sorted(took for one, _ in told for took in one)
    return Rates(
        acts=len(times) / spent,
        records=sum(records for _, records in told) / spent,
        slowest_ms=1000 * times[-1 - len(times) // 100],
    )


def _play(port: int, operator: str, until: float, told: list[tuple[list[float], int]]) -> None:
    times: list[float] = []
    records = 0
    while time.monotonic() < until:
        site = Client(LOOPBACK, port, operator)
        wanted = {"seats": SEATS, "clock": {"between_hands_s": 0}}
        created: dict[str, Any] = site.send("POST", "/v1/games", wanted)
        site.close()
        player = Player.sit_down(LOOPBACK, port, created["claims"][0]["claim"])
        player.give_seed("bench")
        while time.monotonic() < until:
            sent = time.monotonic()
            if not player.play_on():
                break
            times.append(time.monotonic() - sent)
        records += player.version + 1
        player.client.close()
    told.append((times, records))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    wanted = parser.parse_args()
    rates = measure(wanted.players, wanted.seconds)
    print(
        f"{wanted.players} players: {rates.acts:.0f} acts/s, {rates.records:.0f} records/s, "
        f"99 % of turns within {rates.slowest_ms:.0f} ms"
    )


if __name__ == "__main__":
    main()
