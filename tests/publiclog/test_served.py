"""Served with a sequencer: what a game rests on was public in the log before the game went on."""

import contextlib
import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from api.config import LOG, LOG_FOLDER
from fairdeal.cli import beside
from fairdeal.cli.client import ApiError, Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server
from fairdeal.records.notes import parse_vkey
from tests.publiclog.reading import audited
from tests.table import quick_folder

pytestmark = pytest.mark.slow

ORIGIN = "fairdeal.localhost/ordered"
PATIENCE_S = 60.0
RESTS_ON = {"share": "open", "deal": "lock", "close": "open", "master": "open"}


def eventually(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
    return found


@pytest.fixture
def folder():
    with quick_folder() as path:
        yield path / "service"


def operator(server):
    key = (server.folder / "operator.key").read_text("ascii").strip()
    return Client(LOOPBACK, server.port, key)


def create(server, hands=1):
    seats = [{"kind": "human"}] + [{"kind": "bot"}] * 3
    body = {"seats": seats, "clock": {"between_hands_s": 0}, "hands": hands}
    with contextlib.closing(operator(server)) as site:
        return site.send("POST", "/v1/games", body)


def play(server, hands=1):
    """Play a whole game, without waiting for anything but what the events tell."""
    player = Player.sit_down(LOOPBACK, server.port, create(server, hands)["claims"][0]["claim"])
    player.give_seed("a seed")

    def over():
        while player.play_on():
            pass
        player.catch_up()
        return any(event["type"] == "master" for event in player.news)

    eventually(over)
    player.client.close()
    return player.game


def read_log(log_folder):
    """Return the sizes of the published checkpoints, and the game and type of each entry."""
    public = log_folder / "public"

    def read(path):
        with contextlib.suppress(FileNotFoundError):
            return (public / path).read_bytes()
        return None

    vkey = parse_vkey((log_folder / "log.vkey").read_text("ascii").strip())
    _, entries = audited(read, vkey)
    sizes = sorted(int(one.name) for one in (public / "checkpoints").iterdir())
    said = [json.loads(entry) for entry in entries]
    return sizes, [(one.get("game"), one["type"]) for one in said]


def check_order(sizes, leaves, game):
    """Find a published checkpoint between each record and what it rests on."""
    newest: dict[str, int] = {}
    for index, (of, type_) in enumerate(leaves):
        if of == game:
            if (needed := RESTS_ON.get(type_)) is not None:
                assert any(newest[needed] < size <= index for size in sizes), (index, type_)
            newest[type_] = index
    assert {"open", "share", "lock", "deal", "close", "master"} <= set(newest)


def is_in(log_folder, game):
    return lambda: (game, "master") in read_log(log_folder)[1]


@pytest.mark.parametrize(
    "workers",
    [pytest.param(1, id="sqlite"),
     pytest.param(2, id="postgresql", marks=pytest.mark.suite("postgres"))],
)  # fmt: skip
def test_a_published_checkpoint_lies_between_each_record_and_what_it_rests_on(
    folder, workers, request
):
    database = request.getfixturevalue("postgres_url") if workers > 1 else ""
    with Server(folder, ORIGIN, database=database, workers=workers, has_log=True) as server:
        games = [play(server, hands) for hands in (1, 2)]
        eventually(is_in(folder / "log", games[-1]))
        sizes, leaves = read_log(folder / "log")
    for game in games:
        check_order(sizes, leaves, game)
    assert all(before < after for before, after in pairwise(sizes))


def test_a_whole_game_is_served_by_processes_that_have_no_log_key(folder):
    log_folder = folder.parent / "of-the-sequencer"
    server = Server(folder, ORIGIN)
    server._environment |= {LOG: "1", LOG_FOLDER: str(folder.parent / "empty")}
    with server, sequencer(folder, log_folder):
        game = play(server)
        eventually(is_in(log_folder, game))
        sizes, leaves = read_log(log_folder)
        check_order(sizes, leaves, game)
    assert (log_folder / "log.key").exists()
    assert not list(folder.rglob("log.key"))


@contextlib.contextmanager
def sequencer(folder, log_folder):
    read, write = os.pipe()
    command = beside.command(folder, ORIGIN, log_folder=log_folder, pipe=read)
    process = subprocess.Popen(command, pass_fds=(read,), stderr=subprocess.DEVNULL)
    os.close(read)
    try:
        yield process
    finally:
        os.close(write)
        assert process.wait(PATIENCE_S) == 0


def test_without_its_sequencer_a_service_says_that_it_is_not_ready_and_takes_no_game(folder):
    with Server(folder, ORIGIN, has_log=True) as server:
        assert server.sequencer is not None
        server.sequencer.kill()
        server.sequencer.wait()
        create(server)
        with contextlib.closing(Client(LOOPBACK, server.port)) as public:
            eventually(lambda: refusal(lambda: public.get("/readyz")) == "log_behind")
        assert refusal(lambda: create(server)) == "log_behind"


def refusal(ask):
    try:
        ask()
    except ApiError as refused:
        return refused.code
    return None


@pytest.mark.parametrize("ends", ["terminate", "kill"])
def test_a_service_that_ends_leaves_no_sequencer_behind(folder, ends):
    command = [sys.executable, "-m", "fairdeal.cli", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--folder", str(folder)], stderr=subprocess.DEVNULL, start_new_session=True
    )
    eventually((folder / "log" / "public" / "checkpoint").exists)
    eventually((folder / "games.db").exists)
    assert sequencers_of(folder)
    getattr(process, ends)()
    process.wait(PATIENCE_S)
    eventually(lambda: not sequencers_of(folder))


def sequencers_of(folder):
    """Return the processes that sign the log of a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if b"log" in words and str(folder).encode() in words:
                found.append(path)
    return found
