"""Finds the table: a service of one's own, a game at another one, or a claim link."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from fairdeal.cli.client import ApiError
from fairdeal.cli.play import seats
from fairdeal.cli.play.kept import Folder, Seat
from fairdeal.cli.play.remote import Remote
from fairdeal.cli.play.screen import Screen
from fairdeal.cli.play.story import Names
from fairdeal.records.tablecode import grouped, table_code

if TYPE_CHECKING:
    from fairdeal.cli.server import Server

ORIGIN: Final = "fairdeal.localhost/play"
"""The name of a service beside a game."""
LEVEL: Final = "steady"
"""What bots play where nothing is said and the service has it."""
_HERE: Final = ("127.0.0.1", "::1", "localhost")
_WAIT_S: Final = 20
_DRAW_WAIT_S: Final = 1
"""In a draw the others' seals and seeds are waited for, of which a room's version does not tell."""


class CannotOpen(Exception):
    """There is no game to play; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be played.

    Attributes:
        preset: The ruleset.
        bots: A name or level for all bots, or one for each; none for the usual one.
        target: The points to play to; None for those of the preset.
        hands: The hands to play at most; None for as many as it takes.
        rules: Further fields of the ruleset that are changed.
    """

    preset: str
    bots: tuple[str, ...] = ()
    target: int | None = None
    hands: int | None = None
    rules: Mapping[str, object] = field(default_factory=dict)

    @property
    def overrides(self) -> dict[str, object]:
        """The fields of the ruleset that are changed."""
        ends: dict[str, object] = {} if self.target is None else {"target": self.target}
        if self.hands is not None:
            ends = {"target": self.target, "max_hands": self.hands}
        return {**self.rules, **ends}


@contextmanager
def own_service(folder: Folder) -> "Iterator[Server]":
    """Run a service beside the game, in the game's folder, as long as it is played.

    Raises:
        CannotOpen: It does not start.
    """
    from fairdeal.cli.server import Server  # noqa: PLC0415  late: it brings the whole service

    with folder.log.open("ab") as log:
        server = Server(folder.service, ORIGIN, log)
        try:
            server.start()
        except RuntimeError as wrong:
            server.close()
            raise CannotOpen(f"The service beside the game: {wrong}; see {folder.log}.") from wrong
        try:
            yield server
        finally:
            server.close()


def operator_key(path: Path) -> str:
    """Read an operator key from its file.

    Raises:
        OSError: There is none.
    """
    return path.read_text(encoding="ascii").strip()


def read_rules(words: Sequence[str]) -> dict[str, object]:
    """Read ``FIELD=VALUE`` words; a value is JSON, or a word that needs no quotes.

    Raises:
        CannotOpen: One is not of this form.
    """
    found: dict[str, object] = {}
    for word in words:
        name, mark, value = word.partition("=")
        if not name or not mark:
            raise CannotOpen(f"{word!r} is no FIELD=VALUE; docs/rules.md lists the fields.")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def open_game(site: Remote, wish: Wish) -> str:
    """Open a game with one human seat; give the claim of that seat.

    Raises:
        CannotOpen: The service has no such game or bots.
    """
    try:
        offered = [one["preset"] for one in site.get("/v1/rules")["presets"]]
        if wish.preset not in offered:
            said = f"There is no preset {wish.preset!r} here; there are: {', '.join(offered)}."
            raise CannotOpen(said)
        players = site.get(f"/v1/rules/{wish.preset}")["ruleset"]["players"]
        bots = _bots(site, wish.bots, players - 1)
        body: dict[str, Any] = {
            "rules": {"preset": wish.preset, "overrides": wish.overrides},
            "seats": [{"kind": "human"}, *({"kind": "bot", "bot": bot} for bot in bots)],
            "clock": {"between_hands_s": 0},
            "first_seat": 0,  # Whoever sits down begins; three quick bots could end a hand before.
        }
        # The answer may be lost: the same request again is the same game.
        key = {"Idempotency-Key": secrets.token_urlsafe(24)}
        created = site.send("POST", "/v1/games", body, key)
    except ApiError as refusal:
        raise CannotOpen(refusal.sentence or str(refusal)) from refusal
    return str(created["claims"][0]["claim"])


def _bots(site: Remote, wanted: Sequence[str], seats: int) -> tuple[str, ...]:
    """Give a bot for each seat, by name or by level alone."""
    offered = [one["bot"] for one in site.get("/v1/bots")["bots"]]
    if not wanted:
        usual = [bot for bot in offered if bot.partition("@")[0] == LEVEL]
        return ((usual or offered)[-1],) * seats
    if len(wanted) not in (1, seats):
        raise CannotOpen(f"--bots takes one level for all, or one for each of the {seats} bots.")
    found = []
    for name in wanted:
        # The newest version of a level is listed last.
        fitting = [bot for bot in offered if name in (bot, bot.partition("@")[0])]
        if not fitting:
            raise CannotOpen(f"There is no bot {name!r} here; there are {', '.join(offered)}.")
        found.append(fitting[-1])
    return tuple(found) if len(found) == seats else tuple(found) * seats


def split_link(link: str) -> tuple[str, str]:
    """Give the address of the service and the claim of a claim link; either may be empty."""
    url, mark, claim = link.strip().partition("#")
    if not mark:
        return "", url
    return url.removesuffix("/").removesuffix("/claim"), claim


def is_open(url: str) -> bool:
    """Say whether what is sent there can be read on its way: plain http to another machine."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in _HERE


def take_seat(public: Remote, claim: str, *, own: bool) -> Seat:
    """Exchange a claim for a seat, and note what fixes the deck; a room tells of its own games.

    Raises:
        CannotOpen: The claim opens nothing.
    """
    body = {"claim": claim, "key": secrets.token_urlsafe(24)}
    try:
        seating: Mapping[str, Any] = public.send("POST", "/v1/claims", body)
        vkey = public.get("/.well-known/canasta-dealer.json")["receipt_key"]
    except ApiError as refusal:
        raise CannotOpen(refusal.sentence or str(refusal)) from refusal
    seat = Seat(
        url="" if own else public.url,
        token=seating["token"],
        room=seating["room"] or "",
        seat=seating["seat"],
        vkey=vkey,
    )
    if seat.room or seating["game"] is None:
        return seat
    return replace(seat, game=seating["game"], open_hash=seating["commitment"]["open_hash"])


def wait_for_game(mine: Remote, seat: Seat, screen: Screen, keep: Callable[[Seat], None]) -> Seat:
    """Say in a room that one is ready, and wait until its game starts; give the seat there.

    Where the room draws its seats first, a cut is asked for in the draw too.

    Raises:
        CannotOpen: The room was closed.
    """
    path, number = f"/v1/rooms/{seat.room}", seat.seat
    try:
        room = mine.get(path)
        while (game := room["game"]) is None or game["kind"] == "draw":
            if room["state"] == "closed":
                raise CannotOpen("The room was closed.")
            if game is not None:
                seat = seats.give(mine, seat, game, screen, keep)
            elif not room["seats"][number]["ready"]:
                screen.say(f"You have seat {number} of a room. Its code is {room['code']}.")
                screen.ask("Enter when you are ready: ")
                room = mine.send("POST", f"{path}/ready", {"ready": True})
                screen.say("Waiting for the others; Ctrl-C leaves.")
                continue
            wait_s = _WAIT_S if game is None else _DRAW_WAIT_S
            room = mine.get(f"{path}?at_least={room['version'] + 1}&wait={wait_s}")
        if drew := seats.told(mine, room, number):
            screen.say(drew)
    except ApiError as refusal:
        raise CannotOpen(refusal.sentence or str(refusal)) from refusal
    noted = game["commitment"]["open_hash"]
    # In a room whose seats were drawn the seat of the game is another one.
    return replace(seat, game=game["id"], seat=room["seats"][number]["game_seat"], open_hash=noted)


def introduce(screen: Screen, remote: Remote, seat: Seat) -> None:
    """Say who sits there, that the deck is locked, and by which code that can be shown later."""
    body = remote.get(f"/v1/games/{seat.game}/events?limit=1")["events"][0]["body"]
    play = body["rules"].get("play")
    if play is None:
        raise CannotOpen("In this game no rules are refereed; it cannot be played here.")
    names = Names.of(body["seats"], play["sides"], seat.seat)
    others = [name for number, name in enumerate(names.full) if number != seat.seat]
    rules = play["ruleset"]
    until = [] if rules["target"] is None else [f"to {rules['target']:,} points"]
    if (most := rules["max_hands"]) is not None:
        until.append(f"at most {most} hands" if most > 1 else "one hand")
    screen.say(f"Canasta, {play['preset']}, {', '.join(until)}. At the table: {'; '.join(others)}.")
    screen.say("The deck is locked, before your cut. Its table code, kept for the check:")
    screen.say(f"  {grouped(table_code(seat.open_hash))}", "bold")
