"""Streams over real sockets from a server process: many, slow, cut, and at its stop."""

import importlib
import random
import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest

from api.turnstile import EACH
from api.views.events import PLACES
from fairdeal.cli.client import ApiError, Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server, StreamServer
from tests.api.following import PATIENCE_S, Follower, Refused
from tests.api.reading import Got

pytestmark = pytest.mark.slow


class HoldingServer(Server):
    """A server with the connections to it that a test has to close.

    Attributes:
        streaming: What streams: the server itself, or the process of streams beside it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.held = ExitStack()
        self.streaming: Server = self


@pytest.fixture
def server(folder, monkeypatch):
    """A service that streams itself, from threads."""
    make_hasty(monkeypatch)
    started = HoldingServer(folder / "service", "fairdeal.localhost/streams")
    with started, started.held:
        yield started


@pytest.fixture(params=["threads", "loop"])
def either(request, server):
    """The same, and one that has a process of streams beside it."""
    if request.param == "loop":
        server.streaming = StreamServer(server.folder, "fairdeal.localhost/streams")
        server.held.enter_context(server.streaming)
    return server


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


def finish(players):
    while any(player.play_on() for player in players):
        pass


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_with_all_places_taken_the_service_is_quick_and_refuses_one_more(server):
    tables = [opened(server, "hhhh"), opened(server, "hhhh")]
    every = [(game, token_of(player)) for game, players in tables for player in players] * 8
    assert len(every) == PLACES
    game, players = tables[0]
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
    finish(players)
    # Hang-ups are noticed by the next beat; then the places are free.
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
        assert refusal.status == (429 if token else 503)  # noqa: PT017
        return False


def test_a_client_that_reads_nothing_is_ended_and_told_so(either):
    server, port = either, either.streaming.port
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


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost:"])
def test_a_connection_on_which_no_request_comes_is_ended_by_the_process_of_streams(server, sent):
    streaming = StreamServer(server.folder, "fairdeal.localhost/streams")
    server.held.enter_context(streaming)
    with socket.create_connection((LOOPBACK, streaming.port), timeout=PATIENCE_S) as idle:
        idle.sendall(sent)
        with suppress(ConnectionResetError):
            assert idle.recv(100) == b""


def test_a_stop_gives_every_stream_its_end_within_the_time_it_has(either):
    game, players = opened(either, "hhbb")
    port = either.streaming.port
    with ExitStack() as held:
        tokens = [None, *map(token_of, players)] * 4
        streams = [held.enter_context(Follower(port, game, token)) for token in tokens]
        for stream in streams:
            stream.until("snapshot")
        began = time.monotonic()
        stopping = threading.Thread(target=either.streaming.stop)
        stopping.start()
        ends = [stream.until("end")[-1].json for stream in streams]
        took = time.monotonic() - began
        stopping.join()
    assert ends == [{"reason": "stopping"}] * len(streams)
    assert took < 5


def test_fifty_cuts_and_restarts_lose_no_event_and_double_none(either):
    server, streaming = either, either.streaming
    chance = random.Random(50)
    game, players = opened(server, "hhbb", hands=3)
    followed = [None, *map(token_of, players)]
    done = threading.Event()
    got: dict[str | None, list[Got]] = {token: [] for token in followed}
    cuts = dict.fromkeys(followed, 0)
    failures = []

    def follow(token, chance):
        try:
            while not done.is_set():
                ids = got[token]
                point = ids[-1].id if ids else -1
                try:
                    if follow_once(token, point, chance):
                        return
                except (ConnectionError, TimeoutError):
                    time.sleep(0.05)
                except Refused as refusal:
                    assert refusal.status == 503, refusal  # noqa: PT017  it is being stopped
        except BaseException as error:
            failures.append(error)
            raise

    def follow_once(token, point, chance):
        """Follow for a while; say whether the game was over."""
        enough = chance.randrange(1, 7)
        with Follower(streaming.port, game, token, point) as stream:
            seen = 0
            while not stream.over:
                # A few bytes at a time: a cut may fall anywhere in an event.
                for one in stream.read(chance.choice((7, 64, 700, 65_536))):
                    if one.kind == "record":
                        got[token].append(one)
                        seen += 1
                    if one.kind == "end" and one.json["reason"] == "game_over":
                        return True
                if seen >= enough:
                    cuts[token] += 1
                    return False
        return False

    threads = [
        threading.Thread(target=follow, args=(token, random.Random(number)), daemon=True)
        for number, token in enumerate(followed)
    ]
    for thread in threads:
        thread.start()
    restarts = acts = 0
    while acts < 75:
        for player in players:
            try:
                acts += player.play_on()
            except (OSError, ApiError):
                player.client.close()
        if acts // 15 > restarts:
            ended = (server, streaming)[restarts % 2]
            (ended.stop, ended.kill)[chance.randrange(2)]()
            ended.start()
            restarts += 1
    site = operator(server)
    site.send("POST", f"/v1/games/{game}/close", {"reason": "enough"})
    for thread in threads:
        thread.join(2 * PATIENCE_S)
        assert not thread.is_alive()
    done.set()
    assert failures == []
    assert restarts >= 5
    assert sum(cuts.values()) >= 50
    newest = site.get(f"/v1/games/{game}")["version"]
    for token in followed:
        assert [one.id for one in got[token]] == list(range(newest + 1)), token
