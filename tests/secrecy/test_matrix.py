"""Who may see what and when: the matrix of product 7.1 as a table; docs/secrecy.md has it in words.

One game is played; at four moments each role reads every route that there is, and of each item it
is looked up in all that the role has got whether it is there: the thing itself, a digest or a
count of it, or nothing.
"""

import hashlib
import json
from random import Random

import pytest

from fairdeal.canasta import cards
from fairdeal.fairness.keys import card_salt
from fairdeal.service.callers import digest
from fairdeal.store.ports import Grant, Write
from tests.secrecy.asking import Moment, Who, requests
from tests.secrecy.lines import played_out
from tests.secrecy.noninterference import folders, send
from tests.secrecy.worlds import World, secret_of, worlds_apart
from tests.table import OPERATOR

MOMENTS = ("before the deal", "in play", "hand scored", "game over")
ROLES = ("own seat", "partner", "opponent", "watcher", "public", "site")
AT_TABLE, AWAY = ROLES[:3], ROLES[3:]
OWN = 0
"""The seat whose things are looked for, in turn while a hand runs; 2 is its partner."""

SEES, DIGEST, NOTHING = "●", "○", "–"

# Item -> for some roles a sign for each moment. What it means for people: docs/secrecy.md.
EXPECTED: dict[str, dict[tuple[str, ...], str]] = {
    "server master secret": {ROLES: "○○○●"},
    "secret of the hand": {ROLES: "○○●●"},
    "typed text": {ROLES: "––––"},
    "seat contribution": {ROLES: "○●●●"},
    "deck order of the hand": {ROLES: "––●●"},
    "own hand": {("own seat",): "–●●●", ("partner", "opponent"): "–○●●", AWAY: "––●●"},
    "own draw": {("own seat",): "–●●●", ("partner", "opponent"): "–○●●", AWAY: "––●●"},
    "acts, discards and melds": {AT_TABLE: "–●●●", AWAY: "––●●"},
    "pile and stock as they lie now": {AT_TABLE: "–●●–", AWAY: "––––"},
    "choices": {("own seat",): "–●●–", ("partner", "opponent"): "––––", AWAY: "––––"},
    "hints": {("own seat",): "–●●–", ("partner", "opponent"): "––––", AWAY: "––––"},
    "how often a hint was used": {ROLES: "––●●"},
    "salt of the own hand": {("own seat",): "–●●●", ROLES[1:]: "––––"},
    "who is there": {ROLES: "●●●●"},
    "when the turn ends": {AT_TABLE: "–●●–", AWAY: "––––"},
    "who holds the seat": {ROLES: "●●●●"},
    "published label": {ROLES: "●●●●"},
    "claim of the seat": {ROLES: "––––"},
    "token of the seat": {ROLES: "––––"},
}

TEXT = "what seat 0 typed, which nobody else ever reads"
LABEL = "Ann of Kyoto"


class Read:
    """All that one role got at one moment.

    Args:
        replies: The answers.
    """

    def __init__(self, replies):
        self.text = "\n".join(reply.body.decode() + str(reply.headers) for _, reply in replies)
        self.documents = [
            document for _, reply in replies for document in documents(reply.body.decode())
        ]

    def objects(self):
        """Yield every JSON object, however deep it lies."""
        waiting = list(self.documents)
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                yield value
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)

    def lists(self):
        """Yield every JSON list."""
        for one in self.objects():
            yield from (value for value in one.values() if isinstance(value, list))

    def records(self, *types):
        """Yield the records of these types."""
        return [one for one in self.objects() if one.get("type") in types and "body" in one]


def documents(body):
    """Yield the JSON that a body holds: the whole, or of its lines those that are some."""
    for text in (body, *(line.removeprefix("data: ") for line in body.splitlines())):
        try:
            yield json.loads(text)
        except ValueError:
            continue


class Seen:
    """A game that is played, and all that every role got of it."""

    def __init__(self, folder):
        self.world = World(folder())
        self.at = {}
        seats = [{"kind": "human", "label": LABEL if seat == OWN else ""} for seat in range(4)]
        body = {
            "seats": seats, "hands": 3, "profile": "sealed",
            "clock": {"turn_s": 3600, "between_hands_s": 0},
        }  # fmt: skip
        self.created = self.world.call("POST", "/v1/games", body, OPERATOR).json
        self.id = self.created["id"]
        self.players = [self.world.seat(self.created, seat) for seat in range(4)]
        watcher = "cd_live_watch_" + "w" * 43
        grant = Grant(digest=digest(watcher), role="watch", site="site_main", game=self.id)
        self.world.store.write(Write(grants=(grant,)))
        self.who = dict(
            zip(
                ROLES,
                (
                    *(Who(str(s), self.players[s].token, s) for s in (0, 2, 1)),
                    Who("watcher", watcher),
                    Who("public", None),
                    Who("site", OPERATOR),
                ),
                strict=True,
            )
        )

    def play(self):
        """Play the game, reading at each moment."""
        for player in self.players:
            player.seal(text=self.text_of(player))
        self.read("before the deal")
        for player in self.players:
            player.share(text=self.text_of(player))
        line = played_out(self.world.game_as_dealt(self.id), Random(4), range(4))
        half = next(
            i for i, step in enumerate(line.steps) if i > 20 and step.took and not step.seat
        )
        self.act(line.steps[: half + 1])
        self.read("in play")
        self.act(line.steps[half + 1 :])
        seat, text = line.last
        self.players[seat].act(self.version, text)
        line = played_out(self.world.game_as_dealt(self.id), Random(5), range(4))
        own = next(i for i, step in enumerate(line.steps) if step.seat == OWN)
        self.act(line.steps[:own])
        self.read("hand scored")
        self.world.call("POST", f"/v1/games/{self.id}/close", {"reason": "late"}, OPERATOR)
        self.read("game over")

    @property
    def version(self):
        return self.world.game(self.id).version

    def act(self, steps):
        for step in steps:
            self.players[step.seat].act(self.version, step.text)

    @staticmethod
    def text_of(player):
        return TEXT if player.seat == OWN else f"seat {player.seat}"

    def read(self, moment):
        """Let every role read all there is."""
        self.world.settle()
        game = self.world.game(self.id)
        others = {
            "game": self.id,
            "used claim": self.created["claims"][OWN]["claim"],
            "room": "rnone",
        }
        for role, who in self.who.items():
            asked = [
                one
                for seed in range(3)
                for one in requests(Moment(game, who, others, Random(seed), all=True))
                if one.method == "GET"
            ]
            self.at[role, moment] = Read([(a, send(self.world, a, who.token)) for a in asked])


class Truth:
    """What there is to be seen of hand 1."""

    def __init__(self, seen):
        game = seen.world.game(seen.id)
        first = seen.world.store.lines(seen.id, limit=1)[0]
        opening = json.loads(first)["body"]
        self.deal = game.deals[0]
        self.deck = game.deck
        self.master, self.secret = game.master.hex(), secret_of(game, 1).hex()
        self.master_commit, self.hand_commit = opening["master_commit"], opening["hand_commits"][0]
        self.salt = card_salt(secret_of(game, 1), OWN)
        share = hashlib.sha256(TEXT.encode()).hexdigest()
        self.share, self.seal = share, hashlib.sha256(seen.players[OWN].line(text=TEXT)).hexdigest()
        self.claim, self.token = seen.created["claims"][OWN]["claim"], seen.players[OWN].token


@pytest.fixture(scope="module")
def seen():
    with folders() as folder, worlds_apart():
        game = Seen(folder)
        game.play()
        yield game
        game.world.close()


@pytest.fixture(scope="module")
def truth(seen):
    return Truth(seen)


def sign(*, sees, digest=False):
    return SEES if sees else DIGEST if digest else NOTHING


def looked_up(item, read, truth, moment):
    """Return the sign for an item in what a role has got."""
    text = read.text
    opened = truth.secret in text
    match item:
        case "server master secret":
            return sign(sees=truth.master in text, digest=truth.master_commit in text)
        case "secret of the hand":
            return sign(sees=opened, digest=truth.hand_commit in text)
        case "typed text":
            return sign(sees=TEXT in text)
        case "seat contribution":
            return sign(sees=truth.share in text, digest=truth.seal in text)
        case "deck order of the hand":
            return sign(sees=opened or holds_order(read, truth))
        case "own hand":
            return sign(
                sees=opened or holds_hand(read, truth),
                digest=any(one["body"]["hands"] for one in read.records("deal"))
                and any("cards" in seat for one in read.objects() for seat in seats_of(one)),
            )
        case "own draw":
            drew = [act for act in read.records("act") if act["body"]["seat"] == OWN]
            drawn = [act for act in drew if act.get("private", {}).get("drawn")]
            return sign(sees=opened or drawn, digest=any(act["body"]["took"] for act in drew))
        case "acts, discards and melds":
            acts = [act["body"]["act"] for act in read.records("act") if act["body"]["hand"] == 1]
            words = {act.split()[0] for act in acts}
            return sign(sees={"draw", "lay", "discard"} <= words)
        case "pile and stock as they lie now":
            return sign(sees=any(is_table(one) for one in read.objects()))
        case "choices":
            return sign(sees=any(one.get("can") for one in read.objects()))
        case "hints":
            return sign(sees=any("alternatives" in one for one in read.objects()))
        case "how often a hint was used":
            return sign(sees=any("hints" in one["body"]["result"] for one in read.records("score")))
        case "salt of the own hand":
            return sign(sees=truth.salt in text)
        case "who is there":
            return sign(sees=any(there(one) for one in read.objects()))
        case "when the turn ends":
            return sign(sees=any(one.get("deadline") for one in read.objects()))
        case "who holds the seat":
            return sign(sees=any(one.get("custody") == "player" for one in read.objects()))
        case "published label":
            return sign(sees=LABEL in text)
        case "claim of the seat":
            return sign(sees=truth.claim in text)
        case "token of the seat":
            return sign(sees=truth.token in text)
        case _:
            raise LookupError(item)


def seats_of(one):
    table = one.get("table")
    return table["seats"] if isinstance(table, dict) else []


def is_table(one):
    return {"stock", "pile", "turn"} <= one.keys() and one["pile"]["count"] is not None


def there(one):
    presence = one.get("presence")
    return isinstance(presence, list) and len(presence) == 4


def holds_hand(read, truth):
    """Say whether a list anywhere is the own hand, as it was dealt, sorted or as faces."""
    hand = truth.deal.hands[OWN]
    faces = sorted(truth.deck[card] for card in hand)
    return any(
        sorted(map(str, one)) in (faces, sorted(map(str, hand))) for one in read.lists() if one
    )


def holds_order(read, truth):
    """Say whether a list anywhere holds ten cards of the stock in a row."""
    stock = truth.deal.stock
    rows = [stock[:10], tuple(truth.deck[card] for card in stock[:10])]
    return any(
        tuple(one[at : at + 10]) in rows
        for one in read.lists()
        for at in range(len(one) - 9)
        if isinstance(one[at], int | str)
    )


CASES = [
    (item, role, moment, signs[MOMENTS.index(moment)])
    for item, by_roles in EXPECTED.items()
    for roles, signs in by_roles.items()
    for role in roles
    for moment in MOMENTS
]


def test_the_table_says_something_of_each_item_role_and_moment():
    assert len(CASES) == len({case[:3] for case in CASES}) == 19 * 6 * 4
    assert set(cards.FACES)


@pytest.mark.parametrize(("item", "role", "moment", "expected"), CASES)
def test_a_role_sees_of_an_item_what_the_matrix_says(seen, truth, item, role, moment, expected):
    assert looked_up(item, seen.at[role, moment], truth, moment) == expected
