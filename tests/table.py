"""A service in a folder of a test, with fixed entropy and a clock that counts, and its players."""

import contextlib
import functools
import hashlib
import itertools
import json
import sqlite3
import tempfile
from pathlib import Path

from api import auth
from api.app import create_app
from fairdeal.records.notes import SigningKey
from fairdeal.service import Dealer
from fairdeal.service.callers import digest, prefix
from fairdeal.store.beacons import RecordedRounds
from fairdeal.store.ports import Grant, Write
from fairdeal.store.sql import SqlStore
from fairdeal.store.vault import Vault

ORIGIN = "fairdeal.localhost/demo"
OPERATOR = prefix("operator") + "t" * 43
START_MS = 1_796_000_000_000
FIRST_KEY = Grant(
    digest=digest(OPERATOR), role="operator", site="site_main", scope="full", made=START_MS
)
NOBODY = "0" * 64
_PUBLISHED = json.loads(
    (Path(__file__).parent / "vectors" / "pfd1-vectors.json").read_text("utf-8")
)["beacon"]
QUICKNET = _PUBLISHED["chain"]
ROUNDS = RecordedRounds({QUICKNET: {one["round"]: one["signature"] for one in _PUBLISHED["valid"]}})
"""Rounds that the beacon has published."""


def time_of(round_number):
    """Return when a round of the beacon came out, in ms."""
    return (_PUBLISHED["genesis_time"] + (round_number - 1) * _PUBLISHED["period_s"]) * 1000


class Entropy:
    """The same bytes in each run, all of them remembered."""

    def __init__(self, seed="tests"):
        self._seed = seed.encode()
        self._count = itertools.count()
        self.given = []

    def __call__(self, size):
        made = b""
        while len(made) < size:
            counter = next(self._count).to_bytes(8, "big")
            made += hashlib.sha512(self._seed + counter).digest()
        self.given.append(made[:size])
        return made[:size]


class Clock:
    """A millisecond later at each look, until it is set."""

    def __init__(self):
        self.set(START_MS)

    def set(self, ms):
        """Go on from another time."""
        self._ticks = itertools.count(ms)

    def __call__(self):
        return next(self._ticks)


@contextlib.contextmanager
def quick_folder():
    """Give a folder in memory where the machine has one; a busy disk makes commits slow."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as path:
        yield Path(path)


@functools.cache
def application():
    """Return the one application; describing its routes takes longer than most tests."""
    return create_app(None, entropy=Entropy("requests"))


class Service:
    """A dealer with its store, and the application in front of it."""

    def __init__(self, folder: Path, seed="tests", maker=SqlStore, origin=ORIGIN, **more):
        self.path = folder / "games.db"
        self.entropy = Entropy(seed)
        self.store = maker(self.path)
        if not self.store.operators():
            self.store.write(Write(grants=(FIRST_KEY,)))
        self.key = SigningKey(origin, bytes(32))
        self.clock = Clock()
        self.dealer = Dealer(
            store=self.store,
            vault=Vault(bytes(range(32)), self.entropy),
            key=self.key,
            entropy=self.entropy,
            clock=self.clock,
            beacons=ROUNDS,
            **more,
        )
        self.app = application()
        self.client = self.app.test_client()

    def close(self):
        self.store.close()

    def sql(self, script):
        """Do to the database, past the service, what somebody with its file could do."""
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as file:
            file.executescript(script)

    def call(self, method, path, body=None, token=None, **more):
        """Send a request; a token goes into its header."""
        self.app.extensions[auth.EXTENSION] = self.dealer
        headers = dict(more.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            more["json"] = body
        return self.client.open(path, method=method, headers=headers, **more)

    def create(self, kinds="hbbb", **more):
        """Create a game as the operator; h is a human seat, b a bot's."""
        seats = [{"kind": "human" if kind == "h" else "bot"} for kind in kinds]
        more = {"clock": {"between_hands_s": 0}, **more}
        answer = self.call("POST", "/v1/games", {"seats": seats, **more}, OPERATOR)
        assert answer.status_code == 201, answer.text
        return answer.json

    def seat(self, created, index=0):
        """Claim a seat of a game that was created."""
        answer = self.call("POST", "/v1/claims", {"claim": created["claims"][index]["claim"]})
        assert answer.status_code == 200, answer.text
        return Player(self, answer.json)

    def started(self, kinds="hbbb", **more):
        """Create a game, claim its human seats and share their seeds."""
        created = self.create(kinds, **more)
        players = [self.seat(created, i) for i in range(kinds.count("h"))]
        for player in players:
            player.share()
        return created, players


class Player:
    """Holds the token of a seat."""

    def __init__(self, service, seating):
        self.service = service
        self.seating = seating
        self.token = seating["token"]
        self.seat = seating["seat"]
        self.game = seating["game"]
        self.path = f"/v1/games/{self.game}"

    def get(self, what):
        answer = self.service.call("GET", f"{self.path}/{what}", token=self.token)
        assert answer.status_code == 200, answer.text
        return answer.json

    def seed_body(self, text="a typed seed", nonce=NOBODY, epoch=1):
        return {
            "epoch": epoch,
            "open_hash": self.seating["commitment"]["open_hash"],
            "nonce": nonce,
            "seed_sha256": hashlib.sha256(text.encode()).hexdigest(),
        }

    def share(self, **more):
        path = f"{self.path}/seats/{self.seat}/seed"
        answer = self.service.call("PUT", path, self.seed_body(**more), self.token)
        assert answer.status_code == 200, answer.text
        return answer.json

    def line(self, text="a typed seed", nonce=NOBODY, epoch=1):
        """Return the seat's line of protocol 2.4."""
        seed = self.seed_body(text, nonce, epoch)
        return (
            f"pfd1:seat:{self.game}:{epoch}:{self.seat}:{seed['open_hash']}:{nonce}"
            f":{seed['seed_sha256']}\n"
        ).encode()

    def try_seal(self, seal=None, **more):
        """Send the seal of a line, or the one given."""
        body = {
            "epoch": more.get("epoch", 1),
            "open_hash": self.seating["commitment"]["open_hash"],
            "seal": seal or hashlib.sha256(self.line(**more)).hexdigest(),
        }
        path = f"{self.path}/seats/{self.seat}/seed"
        return self.service.call("PUT", path, body, self.token)

    def seal(self, **more):
        answer = self.try_seal(**more)
        assert answer.status_code == 200, answer.text
        return answer.json

    def try_act(self, expect, act):
        body = {"expect": expect, "act": act}
        return self.service.call("POST", f"{self.path}/actions", body, self.token)

    def act(self, expect, act):
        answer = self.try_act(expect, act)
        assert answer.status_code == 200, answer.text
        return answer.json

    def choose(self):
        """Return the version and the act that a simple player would choose, or None."""
        listed = self.get("choices")
        order = ("take", "lay", "yes", "draw", "discard", "end")
        acts = [choice["act"] for choice in listed["can"]]
        for word in order:
            fitting = sorted(act for act in acts if act.split()[0] == word)
            if fitting:
                return listed["version"], fitting[-1]
        return None


def play_out(players):
    """Let the players act until nobody can; return how many acts they made."""
    made = 0
    while True:
        for player in players:
            if (chosen := player.choose()) is not None:
                player.act(*chosen)
                made += 1
                break
        else:
            return made
