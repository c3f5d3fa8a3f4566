"""A service with its sequencer, whose games are being played: what others read of its log."""

import json
import subprocess
import time
from http.client import HTTPConnection

import pytest
from tlog_scales.backend import make_backend
from tlog_scales.reader import TilesReader
from tlog_scales.signing import Vkey
from tlog_scales.tiles import leaf_hash

from fairdeal.cli.server import LOOPBACK, Server
from fairdeal.tlog.prooffile import parse_proof
from tests.third_party.conftest import ORIGIN

pytestmark = pytest.mark.slow
PATIENCE_S = 60
BOTS = {"seats": [{"kind": "bot"}] * 4, "clock": {"between_hands_s": 0}}


class Live:
    """A service at work."""

    def __init__(self, server):
        self.server = server
        self.operator = (server.folder / "operator.key").read_text().strip()
        self.log = f"{server.url}/live"

    def ask(self, method, path, body=None):
        """Return status and body of an answer."""
        connection = HTTPConnection(LOOPBACK, self.server.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.operator}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text

    def until(self, path, wanted=200):
        """Ask until the answer has this status."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, text = self.ask("GET", path)
            if status == wanted:
                return text
            time.sleep(0.1)
        raise AssertionError((path, status, text))


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("live"), ORIGIN, has_log=True) as server:
        yield Live(server)


@pytest.fixture(scope="module")
def game(live):
    """The lines of a game of bots that was given up, its last record public."""
    status, text = live.ask("POST", "/v1/games", BOTS)
    assert status == 201, text
    path = f"/v1/games/{json.loads(text)['id']}"
    status, text = live.ask("POST", f"{path}/close", {"reason": "supper"})
    assert status == 200, text
    _, told = live.ask("GET", path)
    live.until(f"{path}/proofs/{json.loads(told)['version']}")
    _, lines = live.ask("GET", f"{path}/transcript")
    return path, lines.splitlines(keepends=True)


def test_tlog_scales_finds_every_record_but_the_acts_in_it_in_order(live, game):
    _, lines = game
    reader = TilesReader(make_backend(live.log))
    checkpoint = reader.get_checkpoint()
    (key,) = [line for line in live.until("/live/policy").decode().split() if "+" in line]
    checkpoint.verify(Vkey.from_string(key))
    assert reader.calculate_root_hash() == checkpoint.root_hash
    entries = [reader.get_entry(at) for at in range(checkpoint.size)]
    logged = [line for line in lines if json.loads(line)["type"] != "act"]
    assert [entry for entry in entries if b'"v":"pfd1"' in entry] == logged
    for at, entry in enumerate(entries):
        proof = reader.get_inclusion_proof(at, checkpoint.size)
        proof.check(leaf_hash(entry), checkpoint.root_hash)


@pytest.mark.suite("go")
def test_the_go_program_accepts_it(live, game, gocheck):
    (key,) = [line for line in live.until("/live/policy").decode().split() if "+" in line]
    command = [str(gocheck), live.log, key]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")
    logged = [line for line in game[1] if json.loads(line)["type"] != "act"]
    assert int(run.stdout.split()[1]) >= len(logged) > 2


def test_each_record_of_a_game_has_its_proof(live, game):
    path, lines = game
    for n, line in enumerate(lines):
        if json.loads(line)["type"] != "act":
            proof = parse_proof(live.until(f"{path}/proofs/{n}").decode())
            reader = TilesReader(make_backend(live.log))
            reader.get_checkpoint()
            assert reader.get_entry(proof.index) == line


def test_every_checkpoint_that_it_published_is_consistent_with_the_newest(live, game):
    reader = TilesReader(make_backend(live.log))
    newest = reader.get_checkpoint()
    found = 0
    for size in range(1, newest.size + 1):
        note = reader.backend.get("checkpoints", str(size))
        if note is not None:
            found += 1
            older = newest.from_text(note.decode())
            proof = reader.get_consistency_proof(size, newest.size)
            proof.check(older.root_hash, newest.root_hash)
    assert found
