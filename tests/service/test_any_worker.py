"""Two server processes on one PostgreSQL database: each request goes to the other one."""

import io
import itertools
import json
from contextlib import ExitStack, closing
from hashlib import sha256
from http.client import HTTPConnection

import pytest

from benchmarks.kept import Told
from benchmarks.kills import run_worker_kills
from fairdeal.cli.player import choose
from fairdeal.cli.server import LOOPBACK, Server
from verifier.held import Held
from verifier.verify import verify

pytestmark = [pytest.mark.suite("postgres"), pytest.mark.slow]

ORIGIN = "fairdeal.localhost/any"


class Either:
    """Sends each request to the server behind the one that had the last."""

    def __init__(self, servers):
        self._ports = itertools.cycle(server.port for server in servers)
        self.folder = servers[0].folder

    def __call__(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body)
        with closing(HTTPConnection(LOOPBACK, next(self._ports), timeout=60)) as connection:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            said = answer.read()
            assert answer.status < 400, said
            return said if path.endswith("transcript") else json.loads(said)


@pytest.fixture
def either(folder, postgres_url):
    with ExitStack() as stack:
        yield Either([
            stack.enter_context(Server(folder / "service", ORIGIN, database=postgres_url))
            for _ in range(2)
        ])  # fmt: skip


def test_a_game_begun_by_one_process_is_played_by_both_and_is_valid(either):
    key = (either.folder / "operator.key").read_text("ascii").strip()
    wanted = {"seats": [{"kind": "human"}] * 4, "clock": {"between_hands_s": 0},
              "rules": {"preset": "classic@1", "overrides": {"target": 1500}}}  # fmt: skip
    created = either("POST", "/v1/games", wanted, key)
    told, game = Told(), f"/v1/games/{created['id']}"
    told.answer(created)
    tokens = []
    for claim in created["claims"]:
        seating = either("POST", "/v1/claims", {"claim": claim["claim"]})
        told.answer(seating)
        tokens.append(seating["token"])
    for seat, token in enumerate(tokens):
        seed = {
            "epoch": 1,
            "open_hash": created["commitment"]["open_hash"],
            "nonce": f"{seat:064x}",
            "seed_sha256": sha256(b"a seed").hexdigest(),
        }
        told.answer(either("PUT", f"{game}/seats/{seat}/seed", seed, token))
    while either("GET", game)["state"] != "closed":
        for seat, token in enumerate(tokens):
            while (offered := either("GET", f"{game}/choices", token=token))["can"]:
                act = choose([choice["act"] for choice in offered["can"]])
                body = {"expect": offered["version"], "act": act}
                told.answer(either("POST", f"{game}/actions", body, token))
                told.acts[seat] += 1
    transcript = either("GET", f"{game}/transcript")
    told.check(transcript)
    assert told.acts.total() > 50
    held = Held(commit=created["commitment"]["open_hash"])
    assert verify(io.BytesIO(transcript), held).verdict == "VALID"


def test_killed_workers_lose_nothing_they_acknowledged_and_no_stream_loses_or_doubles(
    postgres_url, tmp_path
):
    """At length: `python -m benchmarks.kills --database postgres --workers 4 --kills 20`."""
    tally = run_worker_kills(
        kills=4, seed=5, url=postgres_url, workers=2, tables=2, log=tmp_path / "log", target=1500
    )
    assert tally.kills == 4
    assert tally.games >= 2
    assert tally.streamed == tally.records > 100
