"""Logs of ours, in folders and behind a real server, to be read by programs of other people."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fairdeal.cli.server import Server
from fairdeal.records.notes import SigningKey
from fairdeal.tlog.cosignature import WitnessKey
from tests.suites import GO_PATH
from tests.tlog.logmaker import make_log, numbered

SIZES = (0, 1, 2, 255, 256, 257, 511, 65_536, 70_000)
ORIGIN = "fairdeal.localhost/live"
KEY = SigningKey(ORIGIN, bytes(range(32)))
SEEDS = [("witness.example.net/w1", bytes([1]) * 32), ("witness.example.net/w2", bytes([2]) * 32)]
WITNESSES = [WitnessKey(name, SigningKey(name, seed).verifying_key.public) for name, seed in SEEDS]
ENTRIES = [b"", *numbered(70_000)[1:]]


@pytest.fixture(scope="session")
def logs(tmp_path_factory):
    """Give the folder of a log of so many entries, with the checkpoints of all smaller sizes."""
    made: dict[int, Path] = {}

    def folder(size):
        if size not in made:
            made[size] = tmp_path_factory.mktemp(f"log-{size}-")
            make_log(made[size], ENTRIES[:size], key=KEY, witnesses=SEEDS, sizes=SIZES)
        return made[size]

    return folder


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """Give the address at which a real server serves a folder as its log."""
    log = tmp_path_factory.mktemp("served") / "log"
    with Server(log.parent, ORIGIN) as server:
        log.mkdir(exist_ok=True)

        def at(folder):
            (log / "next").symlink_to(folder)
            (log / "next").replace(log / "public")
            return f"{server.url}/live"

        yield at


@pytest.fixture(scope="session")
def gocheck(tmp_path_factory, worker_id):
    """Build our Go program once a session, without a network."""
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    source = Path(__file__).parent / "gocheck" / "main.go"
    program = shared / f"gocheck-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}"
    with (shared / "gocheck.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            go = shutil.which("go")
            assert go is not None
            environment = {
                **os.environ, "GO111MODULE": "off", "GOPATH": str(GO_PATH), "GOFLAGS": "",
                "GOCACHE": str(shared / "gocache"), "GOPROXY": "off", "CGO_ENABLED": "0",
            }  # fmt: skip
            command = [go, "build", "-o", str(program), str(source)]
            built = subprocess.run(command, env=environment, capture_output=True, text=True)
            assert built.returncode == 0, built.stderr
    return program
