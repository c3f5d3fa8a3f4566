"""What each role asks at a moment of a game: every route, rightly and wrongly.

All of it leaves the hand as it is: reads, dry runs, and writes that are refused. (The writes that
play the line are made, and compared, by `tests.secrecy.noninterference`.) The table is held
against the routes of the application, so that a new route cannot be forgotten here.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from fairdeal.game import Game
from tests.secrecy.lines import right_acts, wrong_acts

ACTS_TRIED: Final = 5
STREAMED: Final = 0.4
"""The chance of each of three ways to follow the game at a moment."""
IN_LOOP: Final = 0.2
"""The chance that it is followed from the process of streams as well."""


@dataclass(frozen=True, slots=True)
class Who:
    """A role: what it is called, the token it shows, the seat that it holds in the game."""

    name: str
    token: str | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request.

    Attributes:
        method, path, data, headers: As sent.
        chunks: Of a stream that does not end: so much of it is taken.
        streams: Whether the process of streams is asked.
    """

    method: str
    path: str
    data: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    chunks: int | None = None
    streams: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game.

    Attributes:
        game: The game as it stands; only what the role itself knows of it may shape a request.
        who: Who asks.
        others: Names of other games and claims, to be asked for wrongly.
        chance: Draws what is tried; the same in both worlds, for requests are made once.
        all: Whether what never changes is asked too.
    """

    game: Game
    who: Who
    others: Mapping[str, str]
    chance: Random
    all: bool

    @property
    def path(self) -> str:
        """The address of the game."""
        return f"/v1/games/{self.game.id}"


Maker = Callable[[Moment], Iterator[Asked]]


def requests(moment: Moment) -> list[Asked]:
    """Return everything that the role asks at this moment, in a drawn order."""
    found = [asked for make in ROUTES.values() for asked in make(moment)]
    if moment.all:
        found += list(_nonsense(moment))
    moment.chance.shuffle(found)
    return found


def _get(*ends: str) -> Maker:
    """Ask for what lies under the game, at every moment."""

    def make(at: Moment) -> Iterator[Asked]:
        for end in ends:
            yield Asked("GET", f"{at.path}{end}".replace("{v}", str(at.game.version)))

    return make


def _fixed(*paths: str) -> Maker:
    """Ask for what never changes, now and then."""

    def make(at: Moment) -> Iterator[Asked]:
        if at.all:
            yield from (Asked("GET", path) for path in paths)

    return make


def _body(method: str, path: str, body: object, **headers: str) -> Asked:
    shown = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Asked(method, path, json.dumps(body).encode(), shown)


def _events(at: Moment) -> Iterator[Asked]:
    version = at.game.version
    for query in (f"?after={version - 3}", f"?after={version}", "?after=-1&limit=3", "?after=x"):
        yield Asked("GET", f"{at.path}/events{query}")
    recent = f"{at.path}/events?after={max(-1, version - at.chance.randrange(6))}"
    for form in ("text/event-stream", "application/x-ndjson"):
        if at.chance.random() < STREAMED:
            yield Asked("GET", recent, headers=(("Accept", form),), chunks=5)
    if at.chance.random() < STREAMED:
        yield Asked("GET", recent + "&wait=1")
    yield from _of_the_process(at, recent)
    if at.all:
        yield Asked("GET", f"{at.path}/events?after={max(-1, version - 90)}")
        yield Asked("GET", f"{at.path}/events?after={version}&wait=1")
        for last in (str(version - 2), "0", "99999", "nothing"):
            headers = (("Accept", "text/event-stream"), ("Last-Event-ID", last))
            yield Asked("GET", f"{at.path}/events", headers=headers, chunks=4)


def _of_the_process(at: Moment, recent: str) -> Iterator[Asked]:
    """Ask the process of streams, in which nothing else is to be had."""
    kinds = ("text/event-stream", "application/x-ndjson", "application/json")
    for form in kinds if at.all else kinds[: at.chance.random() < IN_LOOP]:
        chunks = None if form == "application/json" else 5
        yield Asked("GET", recent, headers=(("Accept", form),), chunks=chunks, streams=True)
    if at.all:
        for path in (
            "/healthz",
            "/readyz",
            f"{at.path}/view",
            recent + "&limit=0",
            recent + "&wait=1",
        ):
            yield Asked("GET", path, streams=True)
        yield Asked("POST", recent, streams=True)


def _my_record(at: Moment) -> Iterator[Asked]:
    if at.all or at.chance.random() < 0.2:
        yield Asked("GET", f"{at.path}/my-record")


def _actions(at: Moment) -> Iterator[Asked]:
    path, version = f"{at.path}/actions", at.game.version
    if at.who.seat is None or at.game.position is None:
        yield _body("POST", path, {"expect": version, "act": "draw"})
        return
    wrong = list(wrong_acts(at.game, at.who.seat, at.chance))
    for act in wrong[:ACTS_TRIED]:
        yield _body("POST", path, {"expect": version, "act": act})
    # Tried out: also what is legal, for nothing happens.
    tried = (*wrong[ACTS_TRIED:][:2], *right_acts(at.game, at.who.seat, at.chance, 3))
    for act in tried:
        yield _body("POST", f"{path}?dry_run=true", {"expect": version, "act": act})
    if wrong:
        # Refused by the rules, so it is kept, and found again.
        body = {"expect": version, "act": wrong[0]}
        yield _body("POST", path, body, Idempotency_Key=f"key-{version}")
        yield _body("POST", path, body, Idempotency_Key=f"key-{version}")
        yield _body("POST", path, {**body, "act": wrong[-1]}, Idempotency_Key=f"key-{version}")
    old = max(0, version - at.chance.randrange(1, 30))
    # Not the act that stands there, which would be a repeat: that is asked for elsewhere.
    yield _body("POST", path, {"expect": old, "act": "take 4:4C,4D;5:5C,5D,5H"})
    yield _body("POST", path, {"expect": version + 1, "act": "draw"})
    if at.all:
        yield _body("POST", path, {"expect": version, "act": "draw", "more": 1})
        yield Asked("POST", path, b'{"expect": 1, "expect": 2}')


def _view(at: Moment) -> Iterator[Asked]:
    version = at.game.version
    yield Asked("GET", f"{at.path}/view")
    if at.chance.random() < STREAMED:
        yield Asked("GET", f"{at.path}/view?at_least={version}&wait=1")
    if at.all:
        yield Asked("GET", f"{at.path}/view?at_least={version + 1}&wait=1")
        yield Asked("GET", f"{at.path}/view?at_least=x")


def _kept(at: Moment) -> Iterator[Asked]:
    for key in (f"key-{at.game.version}", f"key-{at.game.version - 1}", "never", ""):
        if key != "never" or at.all:
            yield Asked("GET", f"/v1/requests?idempotency_key={key}")


def _draws(at: Moment) -> Iterator[Asked]:
    hand, version = at.game.hand, at.game.version
    seats = at.game.seats
    for seat, number, expect in ((0, hand, version - 1), (seats - 1, hand + 1, version)):
        if at.game.ruleset is not None or seat != at.who.seat:
            body = {"seat": seat, "expect": max(0, expect)}
            yield _body("POST", f"{at.path}/hands/{number}/draws", body)


def _seed(at: Moment) -> Iterator[Asked]:
    if not at.all:
        return
    # While seeds are awaited, one for another game: it must not be taken.
    open_hash = at.game.open_hash if at.game.hand else "f" * 64
    body = {"epoch": 1, "open_hash": open_hash, "nonce": "0" * 64, "seed_sha256": "1" * 64}
    for seat in range(at.game.seats):
        yield _body("PUT", f"{at.path}/seats/{seat}/seed", body)


def _refused(method: str, end: str, body: Mapping[str, Any]) -> Maker:
    """Send a write of the game's operator as it is refused to everybody while the hand runs."""

    def make(at: Moment) -> Iterator[Asked]:
        if at.all or at.chance.random() < 0.2:
            yield _body(method, at.path + end.replace("{hand}", str(at.game.hand + 5)), body)

    return make


def _guessed(end: str) -> Maker:
    """Send a write that cannot be made now, on versions that are right and on others."""

    def make(at: Moment) -> Iterator[Asked]:
        version = at.game.version
        guesses = (version, version - 1, version + 1, version + 40, 0) if at.all else (version,)
        if not at.game.in_play:
            guesses = (0,)  # A right one would be done.
        if at.all or at.chance.random() < 0.2:
            yield from (_body("POST", at.path + end, {"expect": max(0, one)}) for one in guesses)

    return make


def _only_wrongly(method: str, path: str, *bodies: object) -> Maker:
    """Send bodies that nobody may send."""

    def make(at: Moment) -> Iterator[Asked]:
        if at.all:
            yield from (_body(method, path, body) for body in bodies)

    return make


def _claims(at: Moment) -> Iterator[Asked]:
    if at.all:
        yield _body("POST", "/v1/claims", {"claim": "cd_live_claim_nobody"})
        yield _body("POST", "/v1/claims", {"claim": at.others["used claim"]})


def _of_seats(word: str, body: object, first: int = 0) -> Maker:
    """Send what the operator may do about seats, in a form that is refused to everybody."""

    def make(at: Moment) -> Iterator[Asked]:
        if at.all:
            yield _body("POST", f"{at.path}/seats/{first}/{word}", body)
            yield _body("POST", f"{at.path}/seats/{first + 9}/{word}", body)

    return make


def _room(at: Moment) -> Iterator[Asked]:
    path = f"/v1/rooms/{at.others['room']}"
    yield Asked("GET", path)
    if at.all:
        yield Asked("GET", f"{path}?at_least=99&wait=1")
        yield Asked("GET", "/v1/rooms/rnone")


def _my_games(at: Moment) -> Iterator[Asked]:
    yield Asked("GET", "/v1/me/games")
    if at.all:
        yield Asked("GET", "/v1/me/games?limit=1")
        yield Asked("GET", "/v1/me/games?limit=0")


def _in_room(method: str, end: str, **more: object) -> Maker:
    """Send a step in the room, decided on a version that is long past or never was."""

    def make(at: Moment) -> Iterator[Asked]:
        if at.all:
            path = f"/v1/rooms/{at.others['room']}{end}"
            body = {**more} if method == "DELETE" else {"expect": 99, **more}
            yield _body(method, path, body)

    return make


def _nonsense(at: Moment) -> Iterator[Asked]:
    """Ask for what is not there, and in ways that are not served."""
    yield Asked("GET", f"/v1/games/{at.others['game']}")
    yield Asked("GET", f"/v1/games/{at.others['game']}/view")
    yield Asked("GET", f"/v1/games/{at.others['game']}/events")
    yield Asked("GET", "/v1/games/gnosuchgame")
    yield Asked("GET", "/nowhere")
    yield Asked("DELETE", f"{at.path}/view")
    yield Asked("OPTIONS", f"{at.path}/actions")
    yield Asked("HEAD", f"{at.path}/view")
    yield Asked("HEAD", f"{at.path}/events")
    yield Asked("GET", f"{at.path}/view?x=1")
    yield Asked("GET", f"{at.path}/view", headers=(("Accept", "text/html"),))
    yield Asked("GET", f"{at.path}/events", headers=(("Range", "bytes=0-99"),))
    yield Asked("GET", f"{at.path}/view", headers=(("If-None-Match", '"0"'),))
    yield Asked("POST", f"{at.path}/actions", b"{")


ROUTES: Final[Mapping[tuple[str, str], Maker]] = {
    ("POST", "/v1/games"): _only_wrongly("POST", "/v1/games", {}, {"seats": []}),
    ("GET", "/v1/games"): _fixed("/v1/games", "/v1/games?limit=1"),
    ("POST", "/v1/games/<game>/seats/<int:seat>/invite"): _of_seats("invite", {"expires_at": 0}),
    ("POST", "/v1/games/<game>/seats/<int:seat>/reissue"): _of_seats("reissue", {"expires_at": 0}),
    ("POST", "/v1/games/<game>/seats/<int:seat>/release"): _of_seats("release", {}, first=16),
    ("GET", "/v1/games/<game>/watchers"): _get("/watchers"),
    ("POST", "/v1/games/<game>/watchers"): _refused("POST", "/watchers", {"until": 0}),
    ("DELETE", "/v1/games/<game>/watchers/<watcher>"): _refused("DELETE", "/watchers/none", {}),
    ("GET", "/v1/site"): _fixed("/v1/site"),
    ("PATCH", "/v1/site"): _only_wrongly("PATCH", "/v1/site", {}, {"name": ""}),
    ("GET", "/v1/keys"): _fixed("/v1/keys"),
    ("POST", "/v1/keys"): _only_wrongly("POST", "/v1/keys", {"scope": "all"}),
    ("POST", "/v1/keys/<key>/roll"): _only_wrongly("POST", "/v1/keys/key_none/roll", {}),
    ("DELETE", "/v1/keys/<key>"): _only_wrongly("DELETE", "/v1/keys/key_none", {}),
    ("POST", "/v1/rooms"): _only_wrongly("POST", "/v1/rooms", {}, {"seats": []}),
    ("GET", "/v1/rooms"): _fixed("/v1/rooms"),
    ("GET", "/v1/rooms/<room>"): _room,
    ("DELETE", "/v1/rooms/<room>"): _in_room("DELETE", ""),
    ("PUT", "/v1/rooms/<room>/game"): _in_room("PUT", "/game"),
    ("POST", "/v1/rooms/<room>/host"): _in_room("POST", "/host", seat=9),
    ("POST", "/v1/rooms/<room>/leave"): _in_room("POST", "/leave"),
    ("POST", "/v1/rooms/<room>/ready"): _in_room("POST", "/ready", ready=True),
    ("POST", "/v1/rooms/<room>/rematch"): _in_room("POST", "/rematch", game="gnone"),
    ("PUT", "/v1/rooms/<room>/seats/<int:seat>/bot"): _in_room("PUT", "/seats/1/bot", bot=None),
    ("POST", "/v1/rooms/<room>/seats/<int:seat>/invite"): _in_room("POST", "/seats/1/invite"),
    ("POST", "/v1/rooms/<room>/seats/<int:seat>/reissue"): _in_room("POST", "/seats/1/reissue"),
    ("POST", "/v1/rooms/<room>/seats/<int:seat>/release"): _in_room("POST", "/seats/1/release"),
    ("POST", "/v1/rooms/<room>/start"): _in_room("POST", "/start"),
    ("POST", "/v1/quickmatch"): _only_wrongly("POST", "/v1/quickmatch", {"wait_s": 121}),
    ("GET", "/v1/quickmatch/<ticket>"): _fixed("/v1/quickmatch/none"),
    ("DELETE", "/v1/quickmatch/<ticket>"): _only_wrongly("DELETE", "/v1/quickmatch/none", {}),
    ("GET", "/v1/me/games"): _my_games,
    ("GET", "/v1/games/<game>"): _get(""),
    ("GET", "/v1/games/<game>/events"): _events,
    ("GET", "/v1/games/<game>/transcript"): _get("/transcript"),
    ("GET", "/v1/games/<game>/proofs/<int:n>"): _get("/proofs/0", "/proofs/{v}", "/proofs/99999"),
    ("POST", "/v1/games/<game>/close"): _refused("POST", "/close", {"reason": ""}),
    ("POST", "/v1/games/<game>/overdue"): _guessed("/overdue"),
    ("GET", "/v1/games/<game>/seed-signatures"): _get("/seed-signatures"),
    ("POST", "/v1/games/<game>/hands"): _guessed("/hands"),
    ("POST", "/v1/games/<game>/hands/<int:hand>/draws"): _draws,
    ("POST", "/v1/games/<game>/hands/<int:hand>/score"): _refused(
        "POST", "/hands/{hand}/score", {"result": None}
    ),
    ("POST", "/v1/games/<game>/hands/<int:hand>/abort"): _refused(
        "POST", "/hands/{hand}/abort", {"reason": "no such hand"}
    ),
    ("POST", "/v1/claims"): _claims,
    ("PUT", "/v1/games/<game>/seats/<int:seat>/seed"): _seed,
    ("GET", "/v1/games/<game>/view"): _view,
    ("GET", "/v1/games/<game>/choices"): _get("/choices"),
    ("GET", "/v1/games/<game>/counts"): _get("/counts"),
    ("GET", "/v1/games/<game>/hint"): _get("/hint"),
    ("POST", "/v1/games/<game>/void"): _refused("POST", "/void", {"reason": "x"}),
    ("GET", "/v1/requests"): _kept,
    ("GET", "/v1/rules"): _fixed("/v1/rules"),
    ("GET", "/v1/rules/<preset:preset>"): _fixed("/v1/rules/hoyle@1", "/v1/rules/none@1"),
    ("GET", "/v1/rules/diff"): _fixed("/v1/rules/diff?a=hoyle@1&b=pagat@1"),
    ("POST", "/v1/rules/validate"): _only_wrongly("POST", "/v1/rules/validate", {}, {"preset": 1}),
    ("GET", "/v1/bots"): _fixed("/v1/bots"),
    ("GET", "/v1/bots/<preset:bot>/measurements"): _fixed(
        "/v1/bots/random@1/measurements", "/v1/bots/none@1/measurements"
    ),
    ("GET", "/v1/stats/play"): _fixed("/v1/stats/play"),
    ("GET", "/v1/terms"): _fixed("/v1/terms"),
    ("POST", "/v1/games/<game>/actions"): _actions,
    ("POST", "/v1/games/<game>/more-time"): _guessed("/more-time"),
    ("GET", "/v1/games/<game>/my-record"): _my_record,
    ("GET", "/healthz"): _fixed("/healthz"),
    ("GET", "/readyz"): _fixed("/readyz"),
    ("GET", "/help"): _fixed("/help"),
    ("GET", "/.well-known/canasta-dealer.json"): _fixed("/.well-known/canasta-dealer.json"),
    ("GET", "/openapi.json"): _fixed(),
    ("GET", "/docs"): _fixed("/docs"),
    ("GET", "/help/<code>"): _fixed("/help/not_yours", "/help/no_key"),
    ("GET", "/help/strategy"): _fixed("/help/strategy"),
    ("GET", "/help/strategy/<code>"): _fixed("/help/strategy/feeds_them", "/help/strategy/none"),
}
"""Method and rule -> what is asked there. `/openapi.json` costs much and names no game."""


def routes_of(rules: Sequence[Any]) -> set[tuple[str, str]]:
    """Return method and rule of each route of an application's map."""
    return {
        (method, rule.rule)
        for rule in rules
        for method in set(rule.methods or ()) - {"HEAD", "OPTIONS"}
    }
