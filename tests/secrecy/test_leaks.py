"""No sink holds a piece of a secret before its release: a whole game is played and all searched.

Sinks are every answer with its headers, every log line of every logger, and the database's files
as they lie on the disk. Secrets are the master secret and every hand's, until the record that
publishes them is kept; the keys and tokens of the service never.
"""

import logging

import pytest

from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.records.chain import reread
from tests.secrecy.needles import Needles
from tests.table import OPERATOR, Player, Service

HANDS = 64
ENTROPY_OF_A_MASTER = 64


class Watched(Service):
    """A service of which every answer and every log line is searched as it is given."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder = folder
        self.needles = Needles()
        self.needles.add("vault key", bytes(range(32)))
        self.needles.add_text("operator token", OPERATOR)
        self.game = ""
        self.sinks = 0
        self.log = Lines()

    def watch(self, created):
        """Learn the secrets of a game from the entropy that was given out for it."""
        self.game = created["id"]
        (raw,) = [made for made in self.entropy.given if len(made) == ENTROPY_OF_A_MASTER]
        master = Secret(raw)
        self.needles.add("master", raw)
        for hand in range(1, HANDS + 1):
            self.needles.add(f"hand {hand}", hand_secret(master, self.game, hand).raw)
        for claim in created["claims"]:
            self.needles.add_text("claim", claim["claim"])

    def released(self):
        """Return the names of the secrets that the kept records have published."""
        lines = self.store.lines_of_type(self.game, "reveal")
        names = {f"hand {reread(line).body['hand']}" for line in lines}
        if self.store.lines_of_type(self.game, "master"):
            names |= {"master"} | {f"hand {hand}" for hand in range(1, HANDS + 1)}
        return names

    def call(self, method, path, body=None, token=None, **more):
        answer = super().call(method, path, body, token, **more)
        if self.game:
            said = answer.data + str(answer.headers).encode() + answer.status.encode()
            self.search(said, allowed={"claim"} if path == "/v1/claims" else set())
            self.search(self.log.taken())
        return answer

    def search(self, sink, allowed=frozenset()):
        found = self.needles.found_in(sink) - self.released() - allowed
        assert found == set(), found
        self.sinks += 1

    def search_disk(self):
        """Search the database's files as another process would read them."""
        for path in self.folder.iterdir():
            self.search(path.read_bytes())


class Lines(logging.Handler):
    """Collects what any logger says, tracebacks included."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))
        self._lines = []

    def emit(self, record):
        self._lines.append(self.format(record))

    def taken(self):
        lines, self._lines = self._lines, []
        return "\n".join(lines).encode()


@pytest.fixture
def watched(folder):
    service = Watched(folder)
    root = logging.getLogger()
    level = root.level
    root.addHandler(service.log)
    root.setLevel(logging.DEBUG)
    yield service
    root.removeHandler(service.log)
    root.setLevel(level)
    service.close()


def begin(service, kinds, hands=HANDS, **more):
    headers = {"Idempotency-Key": "kept-and-sealed"}
    seats = [{"kind": "human" if kind == "h" else "bot"} for kind in kinds]
    body = {"seats": seats, "hands": hands, "clock": {"between_hands_s": 0}, **more}
    created = service.call("POST", "/v1/games", body, OPERATOR, headers=headers).json
    service.watch(created)
    service.search_disk()
    players = []
    for claim in created["claims"]:
        body = {"claim": claim["claim"], "key": "a-random-key-of-mine"}
        players.append(Player(service, service.call("POST", "/v1/claims", body).json))
        service.needles.add_text("seat token", players[-1].token)
    return created, players


def ask_everything(service, player):
    """Ask every route, rightly and wrongly, for whatever it gives."""
    game, token = f"/v1/games/{service.game}", player.token
    for who in (None, token, OPERATOR):
        for what in (
            "", "/events", "/events?after=3&limit=2", "/transcript", "/view", "/choices",
            "/my-record", "/seed-signatures",
        ):  # fmt: skip
            service.call("GET", game + what, token=who)
    for path in ("/healthz", "/docs", "/nowhere", "/.well-known/canasta-dealer.json"):
        service.call("GET", path)
    version = player.get("view")["version"]
    for act in ("draw", "end", "yes", "discard 4C", "lay 4:4C,4D,4H", "nonsense", "take 9"):
        # On a version that is past: whatever they would do, they are refused.
        player.try_act(max(version - 1, 0), act)
    seed = {**player.seed_body(), "open_hash": "f" * 64}
    service.call("PUT", f"{game}/seats/{player.seat}/seed", seed, token)
    service.call("POST", f"{game}/actions", data=b"{", token=token)
    service.call("POST", f"{game}/close", {"reason": ""}, OPERATOR)


@pytest.mark.slow
@pytest.mark.parametrize(("kinds", "hands"), [("hbbb", HANDS), ("hhbb", 2)])
def test_no_sink_of_a_whole_game_holds_a_secret_before_its_release(watched, kinds, hands):
    _, players = begin(watched, kinds, hands)
    for player in players:
        ask_everything(watched, player)
        player.share()
    rounds = 0
    while True:
        acted = next((p for p in players if (c := p.choose()) is not None and p.act(*c)), None)
        if acted is None:
            break
        rounds += 1
        if rounds % 20 == 0:
            watched.search_disk()
            ask_everything(watched, acted)
    watched.search_disk()
    assert {"master", "hand 1", "hand 2"} <= watched.released()
    assert watched.sinks > 300


DEALT = {
    "name": "two and a draw",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 2, "packet": 1}, {"op": "turn", "until_not": []}],
}


def test_no_sink_of_a_sealed_dealt_only_game_holds_a_secret_before_its_release(watched):
    _, players = begin(
        watched, "hh", 4, rules={"dealt": DEALT}, profile="sealed", epoch_hands=2, first_seat=0
    )
    site = f"/v1/games/{watched.game}"

    def do(what, body, token=OPERATOR):
        answer = watched.call("POST", f"{site}/{what}", body, token)
        assert answer.status_code == 200, answer.text
        watched.search_disk()
        ask_everything(watched, players[0])
        return answer.json["version"]

    def seeded(epoch):
        for step in ("seal", "share"):
            for player in players:
                version = getattr(player, step)(epoch=epoch)["version"]
        return version

    version = 0
    for hand in (1, 2, 3):
        if hand in (1, 3):
            version = seeded((hand + 1) // 2)
        version = do("hands", {"expect": version})
        for player in players:
            body = {"seat": player.seat, "expect": version}
            version = do(f"hands/{hand}/draws", body, player.token)
            refused = watched.call("POST", f"{site}/hands/{hand}/draws", body, OPERATOR)
            assert refused.status_code == 403
        if hand == 1:
            version = do("hands/1/score", {"result": {"winner": 0}})
            assert "hand 1" in watched.released()
        if hand == 2:
            version = do("hands/2/abort", {"reason": "a card fell"})
    do("close", {"reason": "enough"})
    assert {"master", "hand 1", "hand 2", "hand 3"} <= watched.released()
    assert watched.sinks > 300


def test_the_search_would_find_a_secret_in_each_sink(watched):
    """Each kind of sink is searched: a planted secret is found there."""
    begin(watched, "hbbb")
    (raw,) = [made for made in watched.entropy.given if len(made) == ENTROPY_OF_A_MASTER]
    watched.search_disk()
    dump = watched.folder / "core"
    dump.write_bytes(b"core" + raw[5:30])
    with pytest.raises(AssertionError):
        watched.search_disk()
    dump.unlink()
    logging.getLogger("anything").debug("the secret is %s", raw.hex())
    with pytest.raises(AssertionError):
        watched.call("GET", "/healthz")
    with pytest.raises(AssertionError):
        # This refusal quotes what is there twice; here that is the leak.
        watched.call("GET", "/v1/games/x/events?{0}=1&{0}=2".format(raw[16:40].hex()))


@pytest.mark.parametrize(
    ("part", "where", "path"),
    [
        ("looks", "view", "view"),
        ("looks", "choices", "choices"),
        ("feed", "page", "events"),
        ("", "act", "actions"),
    ],
)
def test_an_accident_that_quotes_a_secret_shows_it_neither_to_callers_nor_in_logs(
    watched, part, where, path
):
    _, (player,) = begin(watched, "hbbb")
    player.share()
    (raw,) = [made for made in watched.entropy.given if len(made) == ENTROPY_OF_A_MASTER]

    def fail(*_, **__):
        raise RuntimeError(f"an assertion about {raw.hex()} and {raw!r}")

    setattr(getattr(watched.dealer, part) if part else watched.dealer, where, fail)
    body = {"expect": 0, "act": "draw"} if where == "act" else None
    answer = watched.call(
        "POST" if body else "GET", f"{player.path}/{path}", body, token=player.token
    )
    assert answer.status_code == 500


def test_the_master_secret_is_wiped_once_it_is_published(watched):
    created, (player,) = begin(watched, "hbbb")
    player.share()
    sealed = watched.store.secret(created["id"])
    assert sealed in watched.path.with_name("games.db-wal").read_bytes()
    watched.call("POST", f"{player.path}/close", {"reason": "rain"}, OPERATOR)
    watched.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    for path in watched.folder.iterdir():
        assert sealed not in path.read_bytes()
