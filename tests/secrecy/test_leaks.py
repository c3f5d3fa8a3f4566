"""Leak 10: no sink holds a piece of a secret, or a row of hidden cards, before its release.

A whole game is played and all searched: every answer with its headers, in every role and on every
route; every log line of every logger; what the database keeps, as its files lie on the disk or as
the server of the database dumps them; what a server process says; how objects describe themselves.
Secrets are the master secret and every hand's, and the cards of a hand but to their own seat,
until the record that publishes them is kept; the keys and tokens of the service never.
"""

import json
import logging
import re
import subprocess
from pathlib import Path
from random import Random

import pytest

from fairdeal.canasta import cards
from fairdeal.cli.client import Client
from fairdeal.cli.player import Player as Remote
from fairdeal.cli.server import LOOPBACK, Server
from fairdeal.fairness.keys import Secret, hand_secret
from fairdeal.records.chain import reread
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, Write
from fairdeal.store.sql import SqlStore
from tests.secrecy.asking import Asked, Moment, Who, requests
from tests.secrecy.needles import Needles
from tests.secrecy.noninterference import send
from tests.secrecy.worlds import World, worlds_apart
from tests.suites import find_program
from tests.table import OPERATOR, ORIGIN, Player

HANDS = 64
ENTROPY_OF_A_MASTER = 64
WATCHER = "cd_live_watch_" + "w" * 43


class Watched(World):
    """A service of which every answer and every log line is searched as it is given.

    Args:
        folder: Of the database's files.
        url: Of a database on a server, which is dumped instead.
    """

    def __init__(self, folder, url=""):
        super().__init__(folder, **({"maker": lambda _: SqlStore(url)} if url else {}))
        self.url = url
        self.needles = Needles()
        self.needles.add("vault key", bytes(range(32)))
        self.needles.add_text("operator token", OPERATOR)
        self.needles.add_text("watch token", WATCHER)
        self.game_id = ""
        self.seats = {}
        self.sinks = 0
        self.log = Lines()

    def watch(self, created):
        """Learn the secrets of a game from the entropy that was given out for it."""
        self.game_id = created["id"]
        (raw,) = [made for made in self.entropy.given if len(made) == ENTROPY_OF_A_MASTER]
        master = Secret(raw)
        self.needles.add("master", raw)
        for hand in range(1, HANDS + 1):
            self.needles.add(f"hand {hand}", hand_secret(master, self.game_id, hand).raw)
        for claim in created["claims"]:
            self.needles.add_text("claim", claim["claim"])
        grant = Grant(digest=digest(WATCHER), role="watch", site="site_main", game=self.game_id)
        self.store.write(Write(grants=(grant,)))

    def learn_cards(self):
        """Learn where the cards of the hand in play lie, and what each seat holds by now."""
        game = self.game(self.game_id)
        if not game.in_play:
            return
        hand, found = game.hand, game.deal_of(game.hand)
        rows = [(f"hand {hand}: stock", found.stock), (f"hand {hand}: stock", found.stock[::-1])]
        for seat, held in enumerate(found.hands):
            rows += [(f"hand {hand}: seat {seat}", row) for row in (held, tuple(sorted(held)))]
        for name, row in rows:
            self.needles.add_row(name, row)
            self.needles.add_row(name, game.faces(row))
        if game.position is not None:
            for seat in range(game.seats):
                holding = [cards.FACES[card] for card in game.position.holding(seat)]
                self.needles.add_row(f"hand {hand}: seat {seat}", holding)

    def released(self, name):
        """Say whether a kept record has published what a needle belongs to."""
        if self.store.lines_of_type(self.game_id, "master"):
            return name == "master" or name.startswith("hand ")
        lines = self.store.lines_of_type(self.game_id, "reveal")
        hands = {reread(line).body["hand"] for line in lines}
        return name.startswith("hand ") and int(re.findall("[0-9]+", name)[0]) in hands

    def call(self, method, path, body=None, token=None, **more):
        answer = super().call(method, path, body, token, **more)
        if self.game_id:
            said = answer.data + str(answer.headers).encode() + answer.status.encode()
            self.search_answer(said, token, allowed={"claim"} if path == "/v1/claims" else set())
        return answer

    def ask(self, method, path, token=None, **more):
        reply = super().ask(method, path, token, **more)
        said = reply.body + str(reply.headers).encode() + reply.status.encode()
        self.search_answer(said, token, allowed=set())
        return reply

    def search_answer(self, said, token, allowed):
        own = self.seats.get(token)
        self.search(said, allowed | {f"hand {hand}: seat {own}" for hand in range(1, HANDS + 1)})
        self.search(self.log.taken())

    def search(self, sink, allowed=frozenset()):
        found = {name for name in self.needles.found_in(sink) - allowed if not self.released(name)}
        assert found == set(), found
        self.sinks += 1

    def search_disk(self):
        """Search what the database keeps, as another process would read it."""
        if self.url:
            self.search(dumped(self.url))
        for path in self.folder.iterdir():
            self.search(path.read_bytes())


def dumped(url):
    """Return all that a database on a server holds, as its own program writes it down."""
    address = url.replace("postgresql+psycopg", "postgresql")
    program = find_program("pg_dump") or "pg_dump"
    run = subprocess.run([program, "--inserts", address], capture_output=True)
    assert run.returncode == 0, run.stderr
    assert b"INSERT INTO" in run.stdout
    return run.stdout


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


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.suite("postgres"))])
def anywhere(request, folder):
    """A service on each kind of database."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    yield from opened(Watched(folder, url))


@pytest.fixture
def watched(folder):
    yield from opened(Watched(folder))


def opened(service):
    root = logging.getLogger()
    level = root.level
    root.addHandler(service.log)
    root.setLevel(logging.DEBUG)
    # What the tools of the database say of themselves is searched too, but not at every step.
    logging.getLogger("sqlalchemy.engine").setLevel(logging.INFO)
    with worlds_apart():
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
        service.seats[players[-1].token] = players[-1].seat
    return created, players


def ask_everything(service, player, chance):
    """Ask every route, rightly and wrongly, in every role, for whatever it gives."""
    service.learn_cards()
    game = service.game(service.game_id)
    others = {"game": service.game_id, "used claim": "cd_live_claim_x", "room": "rnone"}
    for who in (
        Who("seat", player.token, player.seat),
        Who("anyone", None),
        Who("operator", OPERATOR),
        Who("watcher", WATCHER),
    ):
        for asked in requests(Moment(game, who, others, chance, all=chance.random() < 0.3)):
            send(service, asked, who.token)
    send(service, Asked("POST", f"/v1/games/{game.id}/close", b'{"reason": ""}'), OPERATOR)
    service.settle()


@pytest.mark.slow
@pytest.mark.parametrize(("kinds", "hands"), [("hbbb", 3), ("hhbb", 2)])
def test_leak_10_logs_metrics_and_dumps(anywhere, kinds, hands):
    """No sink of a whole game holds a secret before its release."""
    watched, chance = anywhere, Random(7)
    _, players = begin(watched, kinds, hands)
    for player in players:
        ask_everything(watched, player, chance)
        player.share()
    rounds = 0
    while True:
        acted = next((p for p in players if (c := p.choose()) is not None and p.act(*c)), None)
        if acted is None:
            break
        rounds += 1
        if rounds % 20 == 0:
            ask_everything(watched, acted, chance)
            watched.search_disk()
    watched.search_disk()
    assert all(watched.released(name) for name in ("master", "hand 1", "hand 2"))
    assert watched.sinks > 500


DEALT = {
    "name": "two and a draw",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 2, "packet": 1}, {"op": "turn", "until_not": []}],
}


def test_leak_10_no_sink_of_a_sealed_dealt_only_game_holds_a_secret_before_its_release(watched):
    _, players = begin(
        watched, "hh", 4, rules={"dealt": DEALT}, profile="sealed", epoch_hands=2, first_seat=0
    )
    site, chance = f"/v1/games/{watched.game_id}", Random(8)

    def do(what, body, token=OPERATOR):
        answer = watched.call("POST", f"{site}/{what}", body, token)
        assert answer.status_code == 200, answer.text
        watched.search_disk()
        ask_everything(watched, players[0], chance)
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
            assert watched.released("hand 1")
        if hand == 2:
            version = do("hands/2/abort", {"reason": "a card fell"})
    do("close", {"reason": "enough"})
    assert all(watched.released(name) for name in ("master", "hand 1", "hand 3"))
    assert watched.sinks > 300


def test_leak_10_the_search_would_find_a_secret_in_each_sink(watched):
    """Each kind of sink is searched: a planted secret is found there."""
    _, (player,) = begin(watched, "hbbb")
    player.share()
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
    watched.learn_cards()
    game = watched.game(watched.game_id)
    logging.getLogger("anything").debug("next come %s", game.deal_of(1).stock[20:30])
    with pytest.raises(AssertionError, match="stock"):
        player.get("view")
    assert game.position is not None
    held = json.dumps([cards.FACES[card] for card in game.position.holding(2)]).encode()
    with pytest.raises(AssertionError, match="seat 2"):
        watched.search_answer(held, player.token, set())
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
def test_leak_10_an_accident_that_quotes_a_secret_shows_it_neither_to_callers_nor_in_logs(
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


def test_leak_10_a_room_keeps_no_secret_and_tells_none(anywhere):
    """Claims and tokens of a room, and the secrets and cards of the game that is played in it."""
    watched, chance = anywhere, Random(9)
    body = {"seats": [{"kind": "human"}] * 4, "hands": 2}
    room = watched.call("POST", "/v1/rooms", body, OPERATOR).json
    path = f"/v1/rooms/{room['id']}"
    tokens = [watched.call("POST", "/v1/claims", one).json["token"] for one in asked_for(room)]
    for token in tokens:
        watched.call("POST", f"{path}/ready", {"ready": True}, token)
    game = watched.call("POST", f"{path}/start", {}, OPERATOR).json["game"]
    watched.watch({**game, "claims": room["claims"]})
    players = []
    for seat, token in enumerate(tokens):
        watched.needles.add_text("seat token", token)
        watched.seats[token] = seat
        players.append(Player(watched, {**game, "game": game["id"], "token": token, "seat": seat}))
    for player in players:
        player.share()
    for _ in range(12):
        next(p for p in players if (c := p.choose()) is not None and p.act(*c))
    for player in players:
        ask_everything(watched, player, chance)
        for who in (*tokens, OPERATOR):
            watched.call("GET", path, token=who)
    watched.search_disk()
    reissued = watched.call("POST", f"{path}/seats/1/reissue", {}, OPERATOR).json
    watched.needles.add_text("new claim", reissued["claims"][0]["claim"])
    for token in tokens:
        watched.call("GET", path, token=token)
    watched.search_disk()
    assert watched.sinks > 200


def asked_for(room):
    """Return the claims of a room as they are sent."""
    return [{"claim": one["claim"]} for one in room["claims"]]


def described(thing, depth=4):
    """Yield how a thing of ours and all that hangs on it describe themselves."""
    yield repr(thing) + str(thing)
    if depth and type(thing).__module__.startswith("fairdeal"):
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        for name in (*getattr(thing, "__dict__", ()), *slots):
            held = getattr(thing, name, None)
            # What holds a secret as bytes has it; that its owner does not show it is looked at.
            if type(held).__module__.startswith("fairdeal"):
                yield from described(held, depth - 1)


def test_leak_10_no_object_of_the_service_describes_a_secret(watched):
    created, (player,) = begin(watched, "hbbb")
    player.share()
    watched.learn_cards()
    shown = list(described(watched.dealer))
    shown += list(described(watched.game(created["id"]), depth=1))
    shown += [repr(watched.store.grants(role="seat", game=created["id"]))]
    assert len(shown) > 20
    for text in shown:
        watched.search(text.encode())


def test_leak_10_what_a_server_process_says_and_keeps_holds_no_secret(folder):
    """The real server, as it is started by `fairdeal serve`: its output and its files."""
    home, log = folder / "service", folder / "log"
    with log.open("wb") as out, Server(home, ORIGIN, out) as server:
        operator = (home / "operator.key").read_text("ascii").strip()
        site = Client(LOOPBACK, server.port, operator)
        seats = [{"kind": "human"}, *[{"kind": "bot"}] * 3]
        wanted = {"seats": seats, "hands": 2, "clock": {"between_hands_s": 0}}
        created = site.send("POST", "/v1/games", wanted)
        claim = created["claims"][0]["claim"]
        player = Remote.sit_down(LOOPBACK, server.port, claim)
        player.give_seed("what I typed")
        for _ in range(12):
            player.play_on()
        worker = server.process
        assert worker is not None
        limits = [Path(f"/proc/{pid}/limits").read_text() for pid in children(worker.pid)]
        kept = {path.name: path.read_bytes() for path in [*home.iterdir(), log]}
        site.send("POST", f"/v1/games/{created['id']}/close", {"reason": "enough"})
        page = site.get(f"/v1/games/{created['id']}/events")
        token = player.client.token
        site.close()
        player.client.close()
    master = Secret.from_hex(page["events"][-1]["body"]["secret"])
    needles = Needles()
    needles.add("master", master.raw)
    # The last are those of the close; a hand that was over before them had its secret out.
    events = page["events"][:-4]
    over = {one["body"]["hand"] for one in events if one["type"] == "reveal"}
    for hand in {1, 2} - over:
        needles.add(f"hand {hand}", hand_secret(master, created["id"], hand).raw)
    for name, text in (("claim", claim), ("operator", operator), ("seat", token)):
        needles.add_text(name, text)
    keys = {name for name in kept if name.endswith(".key")}
    assert keys == {"operator.key", "receipt.key", "vault.key"}
    for name in kept.keys() - keys:
        assert needles.found_in(kept[name]) == set(), name
    assert kept["log"].count(b"POST /v1/games/<game>/actions") >= 12
    assert LOOPBACK.encode() not in kept["log"], "nor who asks, nor with what"
    assert limits
    for limit in limits:
        # A dump of the process would hold every secret, so none is written.
        assert re.search(r"Max core file size +0 +0 ", limit)


def children(pid):
    """Return a process's children."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
