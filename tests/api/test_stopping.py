"""A service that is being stopped: finishes what was begun, begins nothing, ends in time."""

import json
import signal
import time
from contextlib import ExitStack, closing
from http.client import HTTPConnection

import pytest

from fairdeal.cli.server import LOOPBACK, Server
from tests.stores.failing import FailingStore
from tests.table import Service

IN_TIME_S = 13.0
"""The grace of the server and some more for a busy machine; a long poll waits for 25."""


def test_a_service_that_goes_on_is_ready(service):
    answer = service.call("GET", "/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ready"})


def test_a_service_that_is_being_stopped_lives_and_is_not_ready(service):
    service.dealer.feed.stop()
    assert service.call("GET", "/healthz").status_code == 200
    for path in ("/readyz", "/v1/games/gaaaaaaaa", "/openapi.json", "/nowhere"):
        answer = service.call("GET", path)
        assert answer.status_code == 503
        assert answer.json["code"] == "store_closed"
        assert answer.json["retry"] == "after"
        assert answer.headers["Retry-After"].isdecimal()


def test_looking_costs_a_commit_a_second_at_most_however_often_it_is_asked(service):
    before = service.store.commits
    for _ in range(50):
        assert service.call("GET", "/readyz").status_code == 200
    assert service.store.commits - before == 1
    service.clock.set(service.clock() + 1000)
    service.call("GET", "/readyz")
    assert service.store.commits - before == 2


def test_a_clock_that_is_set_back_makes_no_old_answer_hold_for_longer(folder):
    service = Service(folder, maker=FailingStore)
    assert service.call("GET", "/readyz").status_code == 200
    service.clock.set(service.clock() - 3_600_000)
    service.store.fail = "before"
    assert service.call("GET", "/readyz").json["code"] == "store_failed"
    service.close()


def test_a_service_whose_database_takes_no_write_lives_and_is_not_ready(folder):
    service = Service(folder, maker=FailingStore)
    service.store.fail = "before"
    assert service.call("GET", "/healthz").status_code == 200
    refused = service.call("GET", "/readyz")
    assert (refused.status_code, refused.json["code"]) == (503, "store_failed")
    assert service.call("GET", "/readyz").status_code == 200
    service.close()


def ask(connection, path, token=None):
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    connection.request("GET", path, headers=headers)


@pytest.fixture
def server(folder):
    with Server(folder / "service", "fairdeal.localhost/stopping") as running:
        yield running


def game(server):
    """Open a game of which a seat may be waited for; return its path and the operator's key."""
    key = (server.folder / "operator.key").read_text("ascii").strip()
    with closing(HTTPConnection(LOOPBACK, server.port)) as connection:
        body = json.dumps({"seats": [{"kind": "human"}] * 4})
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        connection.request("POST", "/v1/games", body, headers)
        return f"/v1/games/{json.loads(connection.getresponse().read())['id']}", key


@pytest.mark.slow
def test_whoever_waits_is_answered_and_nothing_new_is_begun_and_the_server_ends_in_time(server):
    path, key = game(server)
    with ExitStack() as stack:
        kept, waiting = (
            [stack.enter_context(closing(HTTPConnection(LOOPBACK, server.port, timeout=20)))
             for _ in range(4)] for _ in range(2)
        )  # fmt: skip
        for connection in kept:
            ask(connection, "/healthz")
            assert connection.getresponse().read()
        for connection in waiting:
            ask(connection, f"{path}/events?after=0&wait=25", key)
        for connection in kept:  # Behind those that wait: these are accepted in turn.
            ask(connection, "/healthz")
            assert connection.getresponse().read()
        began = time.monotonic()
        server.process.terminate()
        answers = [connection.getresponse() for connection in waiting]
        said = {(answer.status, answer.read()) for answer in answers}
        # One that had only just come was not begun.
        assert (200, b'{"events":[],"has_more":false,"version":0}\n') in said
        assert {status for status, _ in said} <= {200, 503}
        for connection in kept:
            ask(connection, f"{path}/events", key)
            refused = connection.getresponse()
            assert (refused.status, json.loads(refused.read())["code"]) == (503, "store_closed")
            assert refused.headers["Connection"] == "close"
        assert server.process.wait(20) == 0
        assert time.monotonic() - began < IN_TIME_S


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_a_stream_is_told_that_the_server_stops_however_it_is_told_to_stop(server, sent):
    path, key = game(server)
    with closing(HTTPConnection(LOOPBACK, server.port, timeout=20)) as connection:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/x-ndjson"}
        connection.request("GET", f"{path}/events", headers=headers)
        stream = connection.getresponse()
        assert json.loads(stream.readline())["event"] == "snapshot"
        began = time.monotonic()
        server.process.send_signal(sent)
        last = json.loads(stream.read().splitlines()[-1])
        assert (last["event"], last["data"]) == ("end", {"reason": "stopping"})
        assert server.process.wait(20) == 0
        assert time.monotonic() - began < IN_TIME_S
