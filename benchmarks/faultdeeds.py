"""What `benchmarks.faults` does on every route that writes, and how it counts the effects."""

import itertools
import secrets
from hashlib import sha256
from typing import Any, Final

from benchmarks.faultsender import Sender, once, seal_of

HUMANS: Final[dict[str, Any]] = {
    "seats": [{"kind": "human"}] * 4,
    "clock": {"between_hands_s": 0},
}
ROOM: Final[dict[str, Any]] = {"seats": [{"kind": "human"}, *[{"kind": "bot"}] * 3]}
DEALT: Final[dict[str, Any]] = {
    "seats": [{"kind": "human"}, {"kind": "bot"}],
    "hands": 512,
    "rules": {
        "dealt": {
            "name": "cut",
            "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
            "steps": [{"op": "deal", "count": 1, "packet": 1}],
        }
    },
}


def games(sender: Sender, count: int) -> None:
    """Open games, close half of them and call off the others."""
    before = _listed(sender, "/v1/games", "games")
    made = [sender.write("POST games", "/v1/games", HUMANS)["id"] for _ in range(2 * count)]
    sender.proxy.flush()
    once(_listed(sender, "/v1/games", "games") - before == set(made), "games were doubled")
    once(len(set(made)) == 2 * count, "two requests got the same game")
    for game, keyed in zip(made[:count], itertools.cycle((True, False)), strict=False):
        path = f"/v1/games/{game}/close"
        sender.write("POST games/close", path, {"reason": "supper"}, keyed=keyed)
    for game, keyed in zip(made[count:], itertools.cycle((True, False)), strict=False):
        path = f"/v1/games/{game}/void"
        sender.write("POST games/void", path, {"reason": "test"}, keyed=keyed)
    sender.proxy.flush()
    for game in made:
        types = [event["type"] for event in sender.records(game)]
        once(types == ["open", "close", "master"], f"{game}: {types}")


def play(sender: Sender, count: int) -> None:
    """Take seats, give seeds, and act."""
    taken = acted = 0
    keyed = itertools.cycle((True, False))
    while taken < count or acted < count:
        game, seats = _seated(sender, HUMANS, keyed)
        taken += len(seats)
        mine = 0
        while mine < max(count // 8, 20):
            for token in seats:
                listed = sender.look(f"/v1/games/{game}/choices", token)
                if listed["can"]:
                    break
            else:
                break
            body = {"expect": listed["version"], "act": listed["can"][0]["act"]}
            path = f"/v1/games/{game}/actions"
            answer = sender.write("POST actions", path, body, token, keyed=next(keyed))
            once(answer["events"][0]["body"]["act"] == body["act"], "another act was answered")
            mine += 1
        acts = [one for one in sender.records(game, seats[0]) if one["type"] == "act"]
        once(len(acts) == mine, f"{game}: {mine} acts were sent, {len(acts)} recorded")
        acted += mine


def times(sender: Sender, count: int) -> None:
    """Have turns end later."""
    wanted = {**ROOM, "clock": {"turn_s": 600, "extend_s": 60, "extends": 2}}
    keyed = itertools.cycle((True, False))
    for _ in range(count):
        game, (token, *_) = _seated(sender, wanted, keyed)
        version = sender.look(f"/v1/games/{game}/view", token)["version"]
        path = f"/v1/games/{game}/more-time"
        for _ in range(2):  # At one version it is given once, with or without a key.
            body = {"expect": version}
            given = sender.write("POST more-time", path, body, token, keyed=next(keyed))
            once(given["left"] == 1, f"{game}: {given['left']} left")


def sealed(sender: Sender, count: int) -> None:
    """Seal seeds, give up on half of the epochs, and share."""
    keyed = itertools.cycle((True, False))
    for _ in range(max(count, 4) // 2):
        game, seats, nonces = _sealing(sender, keyed)
        version = sender.look(f"/v1/games/{game}/view", seats[0])["version"]
        path = f"/v1/games/{game}/overdue"
        sender.write("POST overdue", path, {"expect": version}, keyed=next(keyed))
        sender.records(game)
        _seal(sender, game, seats, nonces, 2, keyed)
        version = sender.look(f"/v1/games/{game}/view", seats[0])["version"]
        sender.write("POST overdue", path, {"expect": version}, keyed=next(keyed))
        types = [event["type"] for event in sender.records(game)]
        wanted = ["open", "seal", "seal", "void", "seal", "seal", "void", "close", "master"]
        once(types == wanted, f"{game}: {types}")


def hands(sender: Sender, count: int) -> None:
    """Deal, draw, score and abort hands of games that the site referees."""
    done = 0
    keyed = itertools.cycle((True, False))
    while done < count:
        game, (token, *_) = _seated(sender, DEALT, keyed)
        path = f"/v1/games/{game}/hands"
        for hand in range(1, min(250, count - done) * 2 + 1):
            version = sender.look(f"/v1/games/{game}/view", token)["version"]
            dealt = sender.write("POST hands", path, {"expect": version}, keyed=next(keyed))
            body = {"seat": 0, "expect": dealt["version"]}
            where = f"{path}/{hand}/draws"
            sender.write("POST hands/draws", where, body, token, keyed=next(keyed))
            if hand % 2:
                where, end = f"{path}/{hand}/score", {"result": {"hand": hand}}
                sender.write("POST hands/score", where, end, keyed=next(keyed))
            else:
                where, why = f"{path}/{hand}/abort", {"reason": "supper"}
                sender.write("POST hands/abort", where, why, keyed=next(keyed))
                done += 1
        types = [event["type"] for event in sender.records(game, token)][3:]
        one, two = ["deal", "draw", "score", "reveal"], ["deal", "draw", "abort", "reveal"]
        once(types == (one + two) * (hand // 2), f"{game}: {len(types)} records")


def seats(sender: Sender, count: int) -> None:
    """Invite to a seat, give it out anew, take it back."""
    game = sender.write("POST games", "/v1/games", HUMANS)["id"]
    path, told = f"/v1/games/{game}/seats/0", set()
    for _ in range(count):
        told.add(sender.write("POST seats/invite", f"{path}/invite", {})["claim"])
        told.add(sender.write("POST seats/reissue", f"{path}/reissue", {})["claim"])
        sender.write("POST seats/release", f"{path}/release", None)
    once(len(told) == 2 * count, "two requests got the same claim")
    sender.proxy.flush()
    last = sender.write("POST seats/invite", f"{path}/invite", {})["claim"]
    sender.proxy.flush()
    # A copy that was carried out again would have taken the last claim away.
    sender.write("POST claims", "/v1/claims", {"claim": last}, "")


def watchers(sender: Sender, count: int) -> None:
    """Let watchers in and out."""
    game = sender.write("POST games", "/v1/games", HUMANS)["id"]
    path = f"/v1/games/{game}/watchers"
    kept = []
    for number in range(count):
        made = sender.write("POST watchers", path, {"label": f"w{number}"})["id"]
        if number < 20:
            kept.append(made)
        else:
            sender.write("DELETE watchers", f"{path}/{made}", None)
    for made in kept[:20]:
        sender.write("DELETE watchers", f"{path}/{made}", None)
    sender.proxy.flush()
    once(sender.look(path)["watchers"] == [], "a watcher came back")


def keys(sender: Sender, count: int) -> None:
    """Make keys, roll them, take them away; rename the site."""
    before = {key["id"] for key in sender.look("/v1/keys")["keys"]}
    for number in range(count):
        made = sender.write("POST keys", "/v1/keys", {"label": f"k{number}"})["id"]
        rolled = sender.write("POST keys/roll", f"/v1/keys/{made}/roll", {"overlap_s": 0})["id"]
        sender.write("DELETE keys", f"/v1/keys/{rolled}", None)
        sender.write("PATCH site", "/v1/site", {"name": f"site {number}"})
    sender.proxy.flush()
    once({key["id"] for key in sender.look("/v1/keys")["keys"]} == before, "a key was left over")
    once(sender.look("/v1/site")["name"] == f"site {count - 1}", "an older name came back")


def rooms(sender: Sender, count: int) -> None:
    """Open rooms, start their games, close them."""
    before = _listed(sender, "/v1/rooms", "rooms")
    made = [sender.write("POST rooms", "/v1/rooms", ROOM) for _ in range(count)]
    sender.proxy.flush()
    now = _listed(sender, "/v1/rooms", "rooms")
    once(now - before == {room["id"] for room in made}, "rooms were doubled")
    for room in made:
        path, claim = f"/v1/rooms/{room['id']}", room["claims"][0]["claim"]
        key = secrets.token_urlsafe(24)
        token = sender.write("POST claims", "/v1/claims", {"claim": claim, "key": key}, "")["token"]
        sender.write("POST rooms/ready", f"{path}/ready", {"ready": True}, token)
        latest = sender.write("POST rooms/start", f"{path}/start", {}, token)
        game = latest["game"]["id"]
        sender.write("POST games/close", f"/v1/games/{game}/close", {"reason": "supper"})
        sender.write("DELETE rooms", path, None)
        sender.proxy.flush()
        last = sender.look(path)
        once((last["state"], len(last["games"])) == ("closed", 1), f"{path}: {last['games']}")


def rematches(sender: Sender, count: int) -> None:
    """Play on and on in one room."""
    room = sender.write("POST rooms", "/v1/rooms", ROOM)
    path, body = f"/v1/rooms/{room['id']}", {"claim": room["claims"][0]["claim"]}
    token = sender.write("POST claims", "/v1/claims", body, "")["token"]
    sender.write("POST rooms/ready", f"{path}/ready", {"ready": True}, token)
    game = sender.write("POST rooms/start", f"{path}/start", {}, token)["game"]["id"]
    played = [game]
    for _ in range(count):
        sender.write("POST games/close", f"/v1/games/{game}/close", {"reason": "again"})
        again = sender.write("POST rooms/rematch", f"{path}/rematch", {"game": game}, token)
        game = again["game"]["id"]
        played.append(game)
    sender.proxy.flush()
    once(len(set(played)) == count + 1, "a rematch gave the game before")
    listed = [one["game"] for one in sender.look(path)["games"]]
    once(listed == played[-len(listed) :], "another game was started")


def lobby(sender: Sender, count: int) -> None:
    """Do in one room, again and again, all that can be done in a lobby."""
    wanted = {"seats": [{"kind": "human"}] * 4}
    room = sender.write("POST rooms", "/v1/rooms", wanted)
    path = f"/v1/rooms/{room['id']}"
    first = _sit(sender, room["claims"][0]["claim"])
    _sit(sender, room["claims"][1]["claim"])
    version = sender.look(path)["version"]
    for number in range(count):
        changes = 0
        sender.write("POST rooms/ready", f"{path}/ready", {"ready": number % 2 == 0}, first)
        seat = f"{path}/seats/2"
        sender.write("POST rooms/invite", f"{seat}/invite", {"label": f"n{number}"})
        claim = sender.write("POST rooms/reissue", f"{seat}/reissue", {})["claims"][0]["claim"]
        token = _sit(sender, claim)
        sender.write("POST rooms/leave", f"{path}/leave", {}, token)
        sender.write("PUT rooms/bot", f"{path}/seats/3/bot", {"bot": "steady@1"})
        sender.write("PUT rooms/bot", f"{path}/seats/3/bot", {"bot": None})
        sender.write("POST rooms/invite", f"{seat}/invite", {})
        sender.write("POST rooms/release", f"{seat}/release", {})
        sender.write("POST rooms/host", f"{path}/host", {"seat": (number + 1) % 2})
        game = {"rules": {"preset": "classic@1"}, "hands": 20 + number % 2}
        last = sender.write("PUT rooms/game", f"{path}/game", game)
        changes = last["version"] - version
        version = last["version"]
        if number == 0:
            usual = changes
        once(number < 2 or abs(changes - usual) <= 1, f"{changes} changes, once {usual}")
    sender.proxy.flush()
    now = sender.look(path)
    once(now["version"] == version, "a late copy changed the room")
    once(now["seats"][2]["state"] == "open", f"seat 2 is {now['seats'][2]['state']}")


def matches(sender: Sender, count: int) -> None:
    """Find two players a table, and withdraw them again."""
    keyed = itertools.cycle((True, False))
    before = _listed(sender, "/v1/rooms", "rooms")
    met = set()
    for number in range(count):
        wish = {"wait_s": 120, "label": f"n{number}"}
        two = [sender.write("POST quickmatch", "/v1/quickmatch", wish) for _ in range(2)]
        seats = [(one["room"], one["seat"]) for one in two]
        once(seats == [(two[0]["room"], 0), (two[0]["room"], 1)], f"the players sit at {seats}")
        for one in two:
            path = f"/v1/quickmatch/{one['ticket']}"
            sender.write("DELETE quickmatch", path, None, keyed=next(keyed))
        sender.proxy.flush()
        last = sender.look(f"/v1/rooms/{two[0]['room']}")
        issued = [seat["issued"] for seat in last["seats"]]
        once((last["state"], issued) == ("closed", [1, 1, 0, 0]), f"{last['state']}, {issued}")
        met.add(last["id"])
    once(_listed(sender, "/v1/rooms", "rooms") - before == met, "a table was doubled")


# ------------------------------------------------------------------------------------ the pieces


def _listed(sender: Sender, path: str, name: str) -> set[str]:
    found: set[str] = set()
    cursor = ""
    while True:
        page = sender.look(f"{path}?limit=100{cursor}")
        found |= {one["id"] for one in page[name]}
        if not page["has_more"]:
            return found
        cursor = f"&cursor={page['cursor']}"


def _sit(sender: Sender, claim: str) -> str:
    body = {"claim": claim, "key": secrets.token_urlsafe(24)}
    token: str = sender.write("POST claims", "/v1/claims", body, "", keyed=False)["token"]
    return token


def _seated(sender: Sender, wanted: dict[str, Any], keyed: Any) -> tuple[str, list[str]]:  # noqa: ANN401  JSON
    """Open a game, take all its seats, and share a seed on each human one."""
    made = sender.write("POST games", "/v1/games", wanted)
    game, tokens = made["id"], []
    for claim in made["claims"]:
        tokens.append(_sit(sender, claim["claim"]))
        if wanted["seats"][claim["seat"]]["kind"] == "bot":
            continue
        body = {
            "epoch": 1,
            "open_hash": made["commitment"]["open_hash"],
            "nonce": secrets.token_hex(32),
            "seed_sha256": sha256(b"text").hexdigest(),
        }
        path = f"/v1/games/{game}/seats/{claim['seat']}/seed"
        sender.write("PUT seed (share)", path, body, tokens[-1], keyed=next(keyed))
    return game, tokens


def _sealing(sender: Sender, keyed: Any) -> tuple[str, list[str], list[str]]:  # noqa: ANN401  JSON
    """Open a sealed game of three humans of whom two seal."""
    wanted = {"seats": [*[{"kind": "human"}] * 3, {"kind": "bot"}], "profile": "sealed"}
    made = sender.write("POST games", "/v1/games", wanted)
    tokens = [_sit(sender, claim["claim"]) for claim in made["claims"]]
    nonces = [secrets.token_hex(32) for _ in tokens]
    hashes = [made["commitment"]["open_hash"], *nonces]
    _seal(sender, made["id"], tokens, hashes, 1, keyed)
    return made["id"], tokens, hashes


def _seal(
    sender: Sender, game: str, tokens: list[str], hashes: list[str], epoch: int, keyed: Any  # noqa: ANN401  JSON
) -> None:  # fmt: skip
    open_hash, *nonces = hashes
    for seat in range(2):
        seal = seal_of(game, epoch, seat, open_hash, nonces[seat], f"epoch {epoch}")
        body = {"epoch": epoch, "open_hash": open_hash, "seal": seal}
        path = f"/v1/games/{game}/seats/{seat}/seed"
        sender.write("PUT seed (seal)", path, body, tokens[seat], keyed=next(keyed))
