"""Kills the server at random moments of games and looks whether it kept its word.

Run it: `python -m benchmarks.kills --kills 50`.

A player plays whole games over HTTP against three bots. Again and again the server is killed with
SIGKILL, in the middle of a request or between two, and started again; the player repeats the
request that got no answer. At the end of each game every record that was ever acknowledged must
stand in the transcript, byte for byte, every hand must be dealt once, and the verifier must find
the game VALID, with all receipts.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from fairdeal.cli.player import choose
from fairdeal.cli.server import LOOPBACK, Server
from fairdeal.records.canonical import encode

ORIGIN: Final = "fairdeal.localhost/kills"
LONGEST_DELAY_S: Final = 0.012
"""A request takes a few milliseconds: kills fall before, into and behind its commit."""
KILL_SHARE: Final = 0.5
AT_ONCE: Final = {"between_hands_s": 0}
_ROOT: Final = Path(__file__).resolve().parents[1]


class BrokenWord(Exception):
    """Something that was acknowledged is not there, or is there otherwise."""


@dataclass(slots=True)
class Tally:
    """What happened.

    Attributes:
        kills: How often the server was killed.
        interrupted: How many requests lost their answer and were sent again.
        games: Games played to the end.
        acts: Acts acknowledged to the player.
        records: Records acknowledged.
    """

    kills: int = 0
    interrupted: int = 0
    games: int = 0
    acts: int = 0
    records: int = 0


@dataclass(slots=True)
class Run:
    """One server that is killed, and one player who does not give up.

    Attributes:
        server: The server.
        wanted: How often it is to be killed.
        chance: Decides when.
        tally: What happened so far.
        token: The token that is shown.
    """

    server: Server
    wanted: int
    chance: random.Random
    tally: Tally = field(default_factory=Tally)
    token: str = ""

    def call(self, method: str, path: str, body: object = None, *, kill: bool = True) -> Any:  # noqa: ANN401
        """Send a request until it is answered, killing the server meanwhile if chance says so."""
        killer = self._killer() if kill else None
        try:
            while True:
                try:
                    return self._send(method, path, body)
                except (OSError, HTTPException):
                    self.tally.interrupted += 1
        finally:
            if killer is not None:
                killer.join()

    def _killer(self) -> threading.Thread | None:
        if self.tally.kills >= self.wanted or self.chance.random() > KILL_SHARE:
            return None
        self.tally.kills += 1
        delay = self.chance.random() * LONGEST_DELAY_S

        def strike() -> None:
            time.sleep(delay)
            self.server.kill()
            self.server.start()

        thread = threading.Thread(target=strike)
        thread.start()
        return thread

    def _send(self, method: str, path: str, body: object) -> Any:  # noqa: ANN401
        connection = HTTPConnection(LOOPBACK, self.server.port, timeout=30.0)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        if not self.token:
            del headers["Authorization"]
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            said = answer.read()
        finally:
            connection.close()
        if answer.status >= 400:
            raise BrokenWord(f"{method} {path}: {answer.status} {said.decode()}")
        return said if path.endswith("transcript") else json.loads(said)


def play(run: Run, folder: Path) -> None:
    """Play one game to its end and check it.

    Raises:
        BrokenWord: The server did not keep its word.
    """
    run.token = (run.server.folder / "operator.key").read_text(encoding="ascii").strip()
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    created = run.call("POST", "/v1/games", {"seats": seats, "clock": AT_ONCE}, kill=False)
    run.token = ""
    claim = {"claim": created["claims"][0]["claim"], "key": f"a-key-for-{created['id']}"}
    seating = run.call("POST", "/v1/claims", claim)
    run.token = seating["token"]
    game = f"/v1/games/{seating['game']}"
    told: dict[int, bytes] = {}
    notes: list[str] = [*created["receipts"], *seating["receipts"]]

    def note(answer: dict[str, Any]) -> None:
        notes.extend(answer.get("receipts", ()))
        for event in answer["events"]:
            line = encode({key: event[key] for key in event if key != "private"}) + b"\n"
            if told.setdefault(event["n"], line) != line:
                raise BrokenWord(f"record {event['n']} was told in two ways")

    seed = {
        "epoch": 1,
        "open_hash": seating["commitment"]["open_hash"],
        "nonce": run.chance.randbytes(32).hex(),
        "seed_sha256": sha256(b"a seed").hexdigest(),
    }
    note(run.call("PUT", f"{game}/seats/{seating['seat']}/seed", seed))
    while (offered := run.call("GET", f"{game}/choices"))["can"]:
        act = choose([choice["act"] for choice in offered["can"]])
        note(run.call("POST", f"{game}/actions", {"expect": offered["version"], "act": act}))
        run.tally.acts += 1
    _check(run.call("GET", f"{game}/transcript"), told)
    run.tally.records += len(told)
    run.tally.games += 1
    _verify(folder, run, seating, notes)


def _check(transcript: bytes, told: dict[int, bytes]) -> None:
    lines = transcript.splitlines(keepends=True)
    for n, line in told.items():
        if n >= len(lines) or lines[n] != line:
            raise BrokenWord(f"record {n} was acknowledged and is not in the transcript")
    records = [json.loads(line) for line in lines]
    if records[-1]["type"] != "master":
        raise BrokenWord("the game has no end")
    hands = [record["body"]["hand"] for record in records if record["type"] == "deal"]
    if hands != list(range(1, len(hands) + 1)):
        raise BrokenWord(f"hands were dealt as {hands}")


def _verify(folder: Path, run: Run, seating: dict[str, Any], notes: list[str]) -> None:
    file, receipts = folder / f"{seating['game']}.jsonl", folder / "receipts.txt"
    file.write_bytes(run.call("GET", f"/v1/games/{seating['game']}/transcript", kill=False))
    receipts.write_text("".join(notes), encoding="utf-8")
    vkey = (run.server.folder / "receipt.vkey").read_text(encoding="ascii").strip()
    ended = subprocess.run(
        [sys.executable, "-m", "verifier", str(file), "--log-key", vkey,
         "--commit", seating["commitment"]["open_hash"], "--receipts", str(receipts)],
        cwd=_ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode != 0:
        raise BrokenWord(f"the verifier says: {ended.stdout}{ended.stderr}")


def run_kills(kills: int, seed: int) -> Tally:
    """Play games until the server was killed so many times and the last game has ended.

    Raises:
        BrokenWord: The server did not keep its word.
    """
    with tempfile.TemporaryDirectory(prefix="fairdeal-kills-") as home:
        folder = Path(home)
        with Server(folder / "service", ORIGIN) as server:
            run = Run(server, kills, random.Random(seed))
            while run.tally.kills < kills:
                play(run, folder)
    return run.tally


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    began = time.monotonic()
    tally = run_kills(wanted.kills, wanted.seed)
    print(
        f"{tally.kills} kills in {tally.games} games: {tally.interrupted} requests sent again, "
        f"{tally.acts} acts and {tally.records} records acknowledged, none lost, no hand dealt "
        f"twice, every game VALID ({time.monotonic() - began:.0f} s)"
    )


if __name__ == "__main__":
    main()
