"""Kills the server at random moments of games and looks whether it kept its word.

Run it: `python -m benchmarks.kills --kills 50`, or with several workers on PostgreSQL
`python -m benchmarks.kills --database postgres --workers 4 --kills 20`.

Players play whole games over HTTP. Again and again the server, or one of its workers, is killed
with SIGKILL, in the middle of a request or between two; whoever got no answer repeats the request.
Somebody follows each game by a stream, and resumes it where it was cut off. At the end of each
game every record that was ever acknowledged or streamed must stand in the transcript, byte for
byte, each act of a player once, every hand must be dealt once, and the verifier must find the game
VALID, with all receipts.
"""

import argparse
import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Final

from benchmarks.kept import BrokenWord, Told
from benchmarks.struck import PATIENCE_S, Caller, Run, Tally
from fairdeal.cli.player import choose
from fairdeal.cli.server import Server
from tests.postgres import Cluster

ORIGIN: Final = "fairdeal.localhost/kills"
_ROOT: Final = Path(__file__).resolve().parents[1]


def play(run: Run, folder: Path, humans: int, name: str) -> None:
    """Play one game to its end and check it.

    Args:
        run: The server.
        folder: Where the verifier's files go.
        humans: So many seats are players', the others bots'.
        name: Unlike that of any other game.

    Raises:
        BrokenWord: The server did not keep its word.
    """
    site = Caller(run, (run.server.folder / "operator.key").read_text(encoding="ascii").strip())
    seats = [{"kind": "human"}] * humans + [{"kind": "bot"}] * (4 - humans)
    wanted = {
        "seats": seats,
        "clock": {"between_hands_s": 0},
        "rules": {"preset": "classic@1", "overrides": {"target": run.target}},
    }
    created = site.call("POST", "/v1/games", wanted, Idempotency_Key=name)
    told, players = Told(), []
    told.answer(created)
    for claim in created["claims"]:
        body = {"claim": claim["claim"], "key": f"a-key-for-{created['id']}"}
        seating = Caller(run).call("POST", "/v1/claims", body)
        told.answer(seating)
        players.append(Caller(run, seating["token"]))
    game, open_hash = f"/v1/games/{created['id']}", created["commitment"]["open_hash"]
    with _failing(run), ThreadPoolExecutor(1) as pool:
        following = pool.submit(_follow, players[0], game, told)
        for seat, player in enumerate(players):
            seed = {
                "epoch": 1,
                "open_hash": open_hash,
                "nonce": sha256(f"{name} {seat}".encode()).hexdigest(),
                "seed_sha256": sha256(b"a seed").hexdigest(),
            }
            told.answer(player.call("PUT", f"{game}/seats/{seat}/seed", seed))
        _play_out(players, game, told)
        following.result(PATIENCE_S)
    told.check(Caller(run).call("GET", f"{game}/transcript"))
    run.count(games=1, acts=told.acts.total(), records=len(told.lines))
    _verify(folder, run, created["id"], open_hash, told)


@contextlib.contextmanager
def _failing(run: Run) -> Iterator[None]:
    """Tell the others where a word is broken."""
    try:
        yield
    except BaseException:
        run.failed.set()
        raise


def _play_out(players: list[Caller], game: str, told: Told) -> None:
    while True:
        acted = False
        for seat, player in enumerate(players):
            offered = player.call("GET", f"{game}/choices")
            while offered["can"]:
                act = choose([choice["act"] for choice in offered["can"]])
                body = {"expect": offered["version"], "act": act}
                told.answer(player.call("POST", f"{game}/actions", body))
                told.acts[seat] += 1
                acted = True
                offered = player.call("GET", f"{game}/choices")
        if not acted:
            if Caller(players[0].run).call("GET", game)["state"] == "closed":
                return
            time.sleep(0.01)


def _follow(player: Caller, game: str, told: Told) -> None:
    """Follow a game by streams to its end; each goes on where the one before it was cut off."""
    after = -1
    for attempt in itertools.count():
        player.run.check()
        player.run.count(resumed=1 if attempt else 0)
        with contextlib.suppress(OSError, HTTPException, ValueError):
            connection = player.open(
                f"{game}/events", Accept="application/x-ndjson", Last_Event_ID=str(after)
            )
            with contextlib.closing(connection):
                answer = connection.getresponse()
                for line in answer if answer.status == 200 else ():
                    said = json.loads(line)  # a line that was cut off is none
                    if said["event"] == "record":
                        if said["id"] != after + 1:
                            raise BrokenWord(f"a stream gave {said['id']} behind {after}")
                        told.event(said["data"])
                        player.run.count(streamed=1)
                        after += 1
                    if said["event"] == "end" and said["data"]["reason"] == "game_over":
                        return
        time.sleep(0.02)


def _verify(folder: Path, run: Run, game: str, open_hash: str, told: Told) -> None:
    file, receipts = folder / f"{game}.jsonl", folder / f"{game}.receipts"
    file.write_bytes(Caller(run).call("GET", f"/v1/games/{game}/transcript"))
    receipts.write_text("".join(told.notes), encoding="utf-8")
    vkey = (run.server.folder / "receipt.vkey").read_text(encoding="ascii").strip()
    ended = subprocess.run(
        [sys.executable, "-m", "verifier", str(file), "--log-key", vkey,
         "--commit", open_hash, "--receipts", str(receipts)],
        cwd=_ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode != 0:
        raise BrokenWord(f"the verifier says: {ended.stdout}{ended.stderr}")


def run_kills(kills: int, seed: int, target: int = 5000) -> Tally:
    """Play games on SQLite until the server was killed so many times and the last game has ended.

    Raises:
        BrokenWord: The server did not keep its word.
    """
    with tempfile.TemporaryDirectory(prefix="fairdeal-kills-") as home:
        folder = Path(home)
        with Server(folder / "service", ORIGIN) as server:
            run = Run(server, kills, random.Random(seed), target=target)
            while not run.is_over:
                play(run, folder, 1, f"game-{run.tally.games}")
    return run.tally


def run_worker_kills(
    kills: int,
    seed: int,
    url: str,
    workers: int,
    tables: int,
    log: Path | None = None,
    target: int = 5000,
) -> Tally:
    """Play games at several tables until so many workers were killed and the last game has ended.

    Args:
        kills: So many workers.
        seed: Of chance.
        url: The address of a PostgreSQL database.
        workers: So many there are at a time.
        tables: So many games are played at a time, every other one with three bots.
        log: Where the server's output goes.
        target: So many points end a game.

    Raises:
        BrokenWord: The server did not keep its word.
    """
    with (
        tempfile.TemporaryDirectory(prefix="fairdeal-kills-") as home,
        (log or Path(os.devnull)).open("ab") as sink,
    ):
        folder = Path(home)
        with Server(folder / "service", ORIGIN, sink, database=url, workers=workers) as server:
            run = Run(server, kills, random.Random(seed), by_worker=True, target=target)

            def sit(table: int) -> None:
                count = 0
                while not run.is_over:
                    play(run, folder, 1 if table % 2 else 4, f"game-{table}-{count}")
                    count += 1

            with ThreadPoolExecutor(tables) as pool:
                list(pool.map(sit, range(tables)))
    return run.tally


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgres, or an address")
    parser.add_argument("--workers", type=int, default=4, help="on PostgreSQL")
    parser.add_argument("--tables", type=int, default=4, help="on PostgreSQL")
    parser.add_argument("--log", type=Path, help="append the output of the workers to this file")
    wanted = parser.parse_args()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        if wanted.database == "sqlite":
            tally = run_kills(wanted.kills, wanted.seed)
        else:
            url = wanted.database
            if url == "postgres":
                cluster = stack.enter_context(Cluster())
                url = cluster.url(cluster.create())
            tally = run_worker_kills(
                wanted.kills, wanted.seed, url, wanted.workers, wanted.tables, wanted.log
            )
    print(
        f"{tally.kills} kills in {tally.games} games: {tally.interrupted} requests sent again, "
        f"{tally.resumed} streams resumed, {tally.acts} acts and {tally.records} records "
        f"acknowledged, {tally.streamed} of them streamed; none lost, none twice, every game VALID "
        f"({time.monotonic() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
