"""Streams over real sockets from a server process: many, slow, cut, and at its stop."""

import importlib
import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest

from api.turnstile import EACH
from api.waiting import PLACES
from benchmarks.cuts import run
from fairdeal.cli.client import Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server, StreamServer
from tests.api.following import PATIENCE_S, Follower, Refused

pytestmark = pytest.mark.slow


class HoldingServer(Server):
    """A server with the connections to it that a test has to close, and a process of streams."""

    def __init__(self, *about):
        super().__init__(*about)
        self.held = ExitStack()
        self.streams = StreamServer(*about)


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """A service, and the process of streams beside it, both with little patience."""
    folder = tmp_path_factory.mktemp("streams") / "service"
    with pytest.MonkeyPatch.context() as patched:
        make_hasty(patched)
        with HoldingServer(folder, "fairdeal.localhost/streams") as started, started.streams:
            yield started


@pytest.fixture
def server(servers):
    """The service, which streams itself, from threads."""
    with servers.held:
        yield servers


@pytest.fixture(params=["threads", "loop"])
def streaming(request, server):
    """What streams: the service itself, or the process of streams."""
    return server if request.param == "threads" else server.streams


def make_hasty(monkeypatch):
    hasty = {
        "api.patience.PatientWorker": "tests.api.hasty_streams.HastyStreams",
        "api.loop.StreamWorker": "tests.api.hasty_streams.HastyLoop",
    }
    for arguments in ("fairdeal.cli.server.GUNICORN", "api.streams.GUNICORN"):
        module, _, name = arguments.rpartition(".")
        words = getattr(importlib.import_module(module), name)
        assert set(hasty) & set(words)
        monkeypatch.setattr(arguments, tuple(hasty.get(word, word) for word in words))


def operator(server):
    key = (server.folder / "operator.key").read_text("ascii").strip()
    client = Client(LOOPBACK, server.port, key)
    server.held.callback(client.close)
    return client


def opened(server, kinds="hbbb", **more):
    """Open a game; return it and its players, whose seeds are given."""
    seats = [{"kind": "human" if kind == "h" else "bot"} for kind in kinds]
    clock = {"between_hands_s": 0}
    body = {"seats": seats, "clock": clock, **more}
    created = operator(server).send("POST", "/v1/games", body)
    players = [Player.sit_down(LOOPBACK, server.port, one["claim"]) for one in created["claims"]]
    for player in players:
        server.held.callback(player.client.close)
        player.give_seed(f"seat {player.seat}")
    return created["id"], players


def token_of(who):
    return getattr(who, "client", who).token


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_with_all_places_taken_the_service_is_quick_and_refuses_one_more(server):
    tables = [opened(server, "hhhh"), opened(server, "hhhh")]
    every = [(game, token_of(player)) for game, players in tables for player in players] * 8
    assert len(every) == PLACES
    game, _ = tables[0]
    with ExitStack() as held:
        streams = [held.enter_context(Follower(server.port, *one)) for one in every]
        for stream in streams:
            stream.until("beat")
        client = operator(server)
        began = time.monotonic()
        for _ in range(20):
            assert client.get("/healthz")["status"] == "ok"
            assert client.get(f"/v1/games/{game}/events?wait=25")["has_more"] is False
        assert time.monotonic() - began < 4
        assert not can_follow(server.port, game)
    # Hang-ups are noticed in a moment; then the places are free.
    wait_for(lambda: can_follow(server.port, game))


def can_follow(port, game, token=None):
    with ExitStack() as held:
        return keeps_following(held, port, game, token)


def keeps_following(held, port, game, token=None):
    """Begin to follow; say whether that could be, or all places are taken."""
    stream = Follower(port, game, token)
    held.callback(stream.close)
    try:
        return bool(stream.until("snapshot"))
    except Refused as refusal:
        assert refusal.status == (429 if token else 503)  # noqa: PT017  or nothing is raised
        return False


def test_a_client_that_reads_nothing_is_ended_and_told_so(server, streaming):
    port = streaming.port
    game, _ = opened(server, "bbbb", hands=60, rules={"overrides": {"target": 50_000}})
    site = operator(server)
    wait_for(lambda: site.get(f"/v1/games/{game}")["state"] == "closed")
    events = site.get(f"/v1/games/{game}")["version"]
    with ExitStack() as held:
        slow = [
            held.enter_context(Follower(port, game, token_of(site), small=True))
            for _ in range(EACH)
        ]
        for stream in slow:
            while not stream.head:
                stream.read(100)
        # One token has no more of them, until those that do not read are let go.
        assert not can_follow(port, game, token_of(site))
        for _ in slow:
            wait_for(lambda: keeps_following(held, port, game, token_of(site)))
        for stream in slow:
            got = stream.drained()
            records = [one.id for one in got if one.kind == "record"]
            assert records == list(range(len(records)))
            assert 0 < len(records) < events
            assert (got[-1].kind, got[-1].json) == ("end", {"reason": "too_slow"})


def test_a_connection_on_which_no_request_comes_is_ended_by_the_process_of_streams(server):
    address = (LOOPBACK, server.streams.port)
    with ExitStack() as held:
        for sent in (b"", b"GET /healthz HTTP/1.1\r\nHost:"):
            idle = held.enter_context(socket.create_connection(address, timeout=PATIENCE_S))
            idle.sendall(sent)
            with suppress(ConnectionResetError):
                assert idle.recv(100) == b""


def test_a_stop_gives_every_stream_its_end_within_the_time_it_has(server, streaming):
    game, players = opened(server, "hhbb")
    port = streaming.port
    with ExitStack() as held:
        tokens = [None, *map(token_of, players)] * 4
        streams = [held.enter_context(Follower(port, game, token)) for token in tokens]
        for stream in streams:
            stream.until("snapshot")
        began = time.monotonic()
        stopping = threading.Thread(target=streaming.stop)
        stopping.start()
        ends = [stream.until("end")[-1].json for stream in streams]
        took = time.monotonic() - began
        stopping.join()
    streaming.start()
    assert ends == [{"reason": "stopping"}] * len(streams)
    assert took < 5


def test_fifty_cuts_and_restarts_lose_no_event_and_double_none():
    tally = run(cuts=50, kills=3, seed=50, hands=1)
    assert tally.cuts >= 50
    assert tally.kills == 3
    assert tally.records > 100


@pytest.mark.suite("postgres")
def test_cuts_and_killed_workers_on_postgresql_lose_no_event_and_double_none(postgres_url):
    tally = run(cuts=50, kills=3, seed=51, hands=1, database=postgres_url, workers=2)
    assert tally.cuts >= 50
    assert tally.kills == 3
    assert tally.records > 100
