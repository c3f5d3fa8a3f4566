"""The process of streams says what the service says, byte for byte, and nothing else."""

import json
import socket
import threading
import time
from http.client import HTTPConnection

import pytest

from api.turnstile import EACH
from fairdeal.cli.client import Client
from fairdeal.cli.player import Player
from fairdeal.cli.server import LOOPBACK, Server, StreamServer
from tests.api.following import PATIENCE_S, Follower, Refused
from tests.api.reading import read_lines, read_sse

pytestmark = pytest.mark.slow

VARYING = {"Server", "Date", "Request-Id", "Connection", "Vary", "Allow"}


class Both:
    """A service with a process of streams beside it, and a game of theirs."""

    def __init__(self, folder):
        self.server = Server(folder, "fairdeal.localhost/both")
        self.server.start()
        self.streams = StreamServer(folder, "fairdeal.localhost/both")
        self.streams.start()
        key = (folder / "operator.key").read_text("ascii").strip()
        self.site = Client(LOOPBACK, self.server.port, key)
        seats = [{"kind": "human"}] * 2 + [{"kind": "bot"}] * 2
        created = self.site.send("POST", "/v1/games", {"seats": seats})
        self.game = created["id"]
        self.players = [
            Player.sit_down(LOOPBACK, self.server.port, one["claim"]) for one in created["claims"]
        ]
        for player in self.players:
            player.give_seed(f"seat {player.seat}")
        self.tokens = [None, key, *(player.client.token for player in self.players)]

    def close(self):
        self.site.close()
        for player in self.players:
            player.client.close()
        for server in (self.streams, self.server):
            server.__exit__(None, None, None)

    def ask(self, path, port, method="GET", token=None, **headers):
        """Return status, headers that do not vary, and body."""
        connection = HTTPConnection(LOOPBACK, port, timeout=PATIENCE_S)
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            told = {name.title(): value for name, value in answer.getheaders()}
            same = {name: value for name, value in told.items() if name not in VARYING}
            return answer.status, same, answer.read()
        finally:
            connection.close()

    def ask_both(self, path, **about):
        return [self.ask(path, server.port, **about) for server in (self.server, self.streams)]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    opened = Both(tmp_path_factory.mktemp("both") / "service")
    yield opened
    opened.close()


def without_request(body):
    return {name: value for name, value in json.loads(body).items() if name != "request_id"}


@pytest.mark.parametrize("role", range(4), ids=["nobody", "operator", "seat 0", "seat 1"])
def test_pages_and_polls_are_the_same_bytes_with_the_same_headers(both, role):
    for query in ("", "?after=2&limit=2", "?after=1&wait=25", "?after=999"):
        path = f"/v1/games/{both.game}/events{query}"
        one, other = both.ask_both(path, token=both.tokens[role])
        assert one == other
        assert one[0] == 200


@pytest.mark.parametrize("role", range(4), ids=["nobody", "operator", "seat 0", "seat 1"])
@pytest.mark.parametrize("point", ["-1", "2", "9999", "nonsense"])
def test_streams_send_the_same_records_in_the_same_bytes(both, role, point):
    sent = []
    for server in (both.server, both.streams):
        with Follower(server.port, both.game, both.tokens[role], point) as stream:
            got = stream.until("snapshot")
            newest = next(one.json["version"] for one in got if one.kind == "snapshot")
            while point in ("-1", "2") and newest not in [one.id for one in got]:
                got += stream.read()
        sent.append(got)
    one, other = ([(e.kind, e.id, e.data) for e in got if e.kind != "snapshot"] for got in sent)
    assert one == other
    views = [e.json["view"] for got in sent for e in got if e.kind == "snapshot"]
    assert views[0] == views[1]


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/nowhere", "GET"), ("/v1/games/gaaaaaaaa/events", "GET"),
        ("/v1/games/{}/events?after=-7", "GET"), ("/v1/games/{}/events?wait=26", "GET"),
        ("/v1/games/{}/events?until=3", "GET"), ("/v1/games/{}/events?after=1&after=2", "GET"),
        ("/v1/games/{}/events?x=cd_live_seat_aaaa", "GET"), ("/healthz", "DELETE"),
        ("/v1/games/{}/events", "POST"),
    ],
)  # fmt: skip
def test_refusals_are_the_same(both, path, method):
    path = path.format(both.game)
    (one, headers, body), (other, other_headers, other_body) = both.ask_both(path, method=method)
    assert one == other >= 400
    assert without_request(body) == without_request(other_body)
    for name in ("Content-Type", "Cache-Control", "X-Content-Type-Options"):
        assert headers[name] == other_headers[name]


@pytest.mark.parametrize("token", ["cd_live_seat_guess", "cd_test_seat_guess", "not ascii: é"])
def test_who_is_not_known_is_refused_in_the_same_way(both, token):
    path = f"/v1/games/{both.game}/events"
    for accept in ("application/json", "text/event-stream"):
        one, other = both.ask_both(path, token=token, Accept=accept)
        assert one[0] == other[0] in (401, 403)
        assert without_request(one[2]) == without_request(other[2])
        assert one[1].get("Www-Authenticate") == other[1].get("Www-Authenticate")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "malformed"),
        (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 3000), 414, "address_too_long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: %s\r\n\r\n" % (b"a" * 9000), 431, "headers_too_large"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "malformed"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400, "malformed"),
    ],
)
def test_what_cannot_be_read_is_refused_as_a_problem_that_quotes_nothing(both, sent, status, code):
    for server in (both.server, both.streams):
        with socket.create_connection((LOOPBACK, server.port), timeout=PATIENCE_S) as connection:
            connection.sendall(sent)
            head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
        assert int(head.split()[1]) == status
        assert b"application/problem+json" in head
        assert json.loads(body)["code"] == code
        assert b"aaaa" not in body


def test_it_tells_whether_it_works_and_answers_no_other_address(both):
    for path in ("/healthz", "/readyz"):
        one, other = both.ask_both(path)
        assert one == other
    for path in (f"/v1/games/{both.game}", f"/v1/games/{both.game}/view", "/openapi.json"):
        status, _, body = both.ask(path, both.streams.port, token=both.tokens[2])
        assert (status, json.loads(body)["code"]) == (404, "no_such_page")


def test_a_page_of_another_site_may_ask_with_a_token_and_a_point(both):
    path = f"/v1/games/{both.game}/events"
    status, headers, _ = both.ask(
        path, both.streams.port, method="OPTIONS", Origin="https://cards.example",
        **{"Access-Control-Request-Method": "GET"},
    )  # fmt: skip
    assert status == 200
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "Authorization" in headers["Access-Control-Allow-Headers"]
    assert "Last-Event-Id" in headers["Access-Control-Allow-Headers"].title()


def test_the_head_of_a_stream_comes_without_it(both):
    status, headers, body = both.ask(
        f"/v1/games/{both.game}/events", both.streams.port, method="HEAD",
        Accept="text/event-stream",
    )  # fmt: skip
    assert (status, headers["Content-Type"], body) == (200, "text/event-stream", b"")


def test_an_act_through_the_service_reaches_streams_lines_and_polls_of_the_process(both):
    token = both.players[0].client.token
    newest = both.players[0].client.get(f"/v1/games/{both.game}/view")["version"]
    path = f"/v1/games/{both.game}/events?after={newest}&wait=25"
    polled = []
    waiting = threading.Thread(
        target=lambda: polled.append(both.ask(path, both.streams.port, token=token))
    )
    with Follower(both.streams.port, both.game, token, newest) as stream:
        stream.until("snapshot")
        waiting.start()
        while not any(player.play_on() for player in both.players):
            pass
        records = [one for one in stream.until("record") if one.kind == "record"]
        waiting.join(PATIENCE_S)
    assert records[0].id == newest + 1
    events = json.loads(polled[0][2])["events"]
    assert records[0].json == events[0]


def test_lines_end_as_the_game_ends(both):
    seats = [{"kind": "bot"}] * 4
    clock = {"between_hands_s": 0}
    game = both.site.send("POST", "/v1/games", {"seats": seats, "hands": 1, "clock": clock})["id"]
    for accept, read in (
        ("application/x-ndjson", read_lines),
        ("text/event-stream", read_sse),
    ):
        status, _, body = both.ask(f"/v1/games/{game}/events", both.streams.port, Accept=accept)
        got = read(body)
        assert status == 200
        assert got[-1].json == {"reason": "game_over"}
        assert [one.id for one in got if one.kind == "record"] == list(range(len(got) - 2))


def test_one_token_has_eight_streams_and_a_hang_up_frees_its_place_at_once(both):
    token = both.players[1].client.token
    streams = [Follower(both.streams.port, both.game, token) for _ in range(EACH)]
    try:
        for stream in streams:
            stream.until("snapshot")
        with (
            Follower(both.streams.port, both.game, token) as refused,
            pytest.raises(Refused, match="429"),
        ):
            refused.until("snapshot")
        streams.pop().close()
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with Follower(both.streams.port, both.game, token) as one_more:
                try:
                    assert one_more.until("snapshot")
                    break
                except Refused:
                    assert time.monotonic() < deadline
    finally:
        for stream in streams:
            stream.close()


def test_a_sign_of_who_follows_there_is_seen_by_the_service(both):
    game = both.site.send(
        "POST", "/v1/games", {"seats": [{"kind": "human"}] * 2 + [{"kind": "bot"}] * 2}
    )  # fmt: skip
    player = Player.sit_down(LOOPBACK, both.server.port, game["claims"][0]["claim"])
    path = f"/v1/games/{game['id']}"
    try:
        with Follower(both.streams.port, game["id"], player.client.token) as stream:
            stream.until("snapshot")
            deadline = time.monotonic() + PATIENCE_S
            while both.site.get(path)["seats"][0]["presence"] != "here":
                assert time.monotonic() < deadline
                time.sleep(0.05)
    finally:
        player.client.close()
