"""What is no HTTP is refused by the server itself, and as a problem all the same."""

import json
import socket

import pytest

from api.codes import CODES
from fairdeal.cli.client import Client
from fairdeal.cli.server import LOOPBACK, Server
from tests.table import quick_folder

TOKEN = "cd_live_op_" + "s" * 43
UNREAD = {
    "address_too_long": b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "headers_too_large": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    "malformed": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
}
MALFORMED = {
    "no request": b"hello\r\n\r\n",
    "no version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "a token as a method": f"{TOKEN} / HTTP/1.1\r\n\r\n".encode(),
    "a token in a broken header": f"GET / HTTP/1.1\r\nAuthorization : {TOKEN}\r\n\r\n".encode(),
    "two lengths": UNREAD["malformed"],
    "an unknown coding": b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    "a length and chunks": b"POST /v1/claims HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@pytest.fixture(scope="module")
def server():
    with quick_folder() as folder, Server(folder / "service", "fairdeal.localhost/unread") as one:
        yield one


def exchange(port, sent):
    """Send bytes; return the status line, the headers and the body of what comes back."""
    with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), body


def check(answer, code):
    first, headers, body = answer
    known = CODES[code]
    problem = json.loads(body)
    assert first.split()[1] == str(known.status)
    assert headers["Content-Type"] == "application/problem+json"
    assert int(headers["Content-Length"]) == len(body)
    assert headers["Request-Id"] == problem["request_id"]
    assert (problem["code"], problem["sentence"]) == (code, known.sentence)
    assert problem["retry"] == "never"
    assert headers["Connection"] == "close"
    assert TOKEN not in str(answer)


@pytest.mark.slow
@pytest.mark.parametrize("code", UNREAD)
def test_what_the_server_cannot_read_is_refused_with_its_code(server, code):
    check(exchange(server.port, UNREAD[code]), code)
    page = Client(LOOPBACK, server.port)
    assert page.get("/healthz")["status"] == "ok"
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("sent", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_http_is_malformed_and_not_quoted(server, sent):
    check(exchange(server.port, sent), "malformed")
