"""Clients that send or read slowly, or not at all, do not keep the service from the others."""

import contextlib
import socket

import pytest

from api.wsgi import GUNICORN
from fairdeal.cli.client import Client
from fairdeal.cli.server import LOOPBACK, Server

FEW_THREADS = {"160": "16"}
MORE_THAN_THREADS = 20
HEAD = b"POST /v1/claims HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW = {
    "half a head": HEAD,
    "half a body": HEAD + b'Content-Length: 100\r\n\r\n{"claim',
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n20\r\n{",
    "answers not read": b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 1000,
}


@pytest.fixture
def port(folder, monkeypatch):
    other = {"api.patience.PatientWorker": "tests.api.hasty.HastyWorker", **FEW_THREADS}
    assert set(other) < set(GUNICORN)
    hasty = tuple(other.get(word, word) for word in GUNICORN)
    monkeypatch.setattr("fairdeal.cli.server.GUNICORN", hasty)
    with Server(folder / "service", "fairdeal.localhost/slow") as server:
        yield server.port


@pytest.mark.slow
@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_slow_clients_do_not_stop_the_service(port, sent):
    with contextlib.ExitStack() as open_still:
        for _ in range(MORE_THAN_THREADS):
            slow = open_still.enter_context(socket.create_connection((LOOPBACK, port), timeout=5))
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.sendall(sent)
        client = Client(LOOPBACK, port)
        assert client.get("/healthz")["status"] == "ok"
        client.close()
