"""Each write of seeding and dealing fails once, before or after the deed, with and without a kill.

Whatever happened, the repeated request makes each record once and gets the same receipts again.
"""

import hashlib
import itertools
import json

import pytest

from tests.stores.failing import FailingStore
from tests.table import OPERATOR, QUICKNET, Player, Service, quick_folder, time_of
from tests.verdicts import report

DEALT = {
    "name": "five and a draw",
    "deck": [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"],
    "steps": [{"op": "deal", "count": 5, "packet": 1}],
}


class Run:
    """A script of requests, of which one meets a store that fails."""

    def __init__(self, folder, fail_at, fail, kill):
        self.folder = folder
        self.fail_at, self.fail, self.kill = fail_at, fail, kill
        self.steps = 0
        self.starts = itertools.count()
        self.game, self.now = "", None
        self.start()

    def start(self):
        self.service = Service(self.folder, f"start {next(self.starts)}", FailingStore)
        if self.now is not None:
            self.service.clock.set(self.now)

    def at(self, ms):
        self.now = ms
        self.service.clock.set(ms)

    def ask(self, method, path, body, token=None, **headers):
        """Send a request that writes; twice where the store fails, and once more to compare."""
        disturbed = self.steps == self.fail_at
        self.steps += 1

        def send():
            return self.service.call(method, path, body, token, headers=headers)

        if disturbed:
            self.service.store.fail = self.fail
            refused = send()
            if headers and self.fail == "after":
                # The answer was kept with the deed, so there is nothing to wonder about.
                assert refused.headers["Idempotent-Replayed"] == "true"
            else:
                assert (refused.status_code, refused.json["code"]) == (503, "store_failed")
            if self.kill:
                self.service.close()
                self.start()
        answer = send()
        assert answer.status_code in (200, 201), answer.text
        assert send().json == answer.json
        return answer.json

    def advance(self):
        """Let the service do what it does by itself; it asks nobody when the store fails."""
        # A game of bots may be over earlier, under other secrets.
        disturbed = self.steps == self.fail_at and self.service.store.unfinished()
        self.steps += 1
        if disturbed:
            self.service.store.fail = self.fail
            with pytest.raises(Exception, match="store_failed"):
                self.service.dealer.advance(self.game)
            if self.kill:
                self.service.close()
                self.start()
        self.service.dealer.advance(self.game)

    def create(self, kinds, **more):
        seats = [{"kind": "human" if kind == "h" else "bot"} for kind in kinds]
        headers = {"Idempotency-Key": "once"}
        body = {"seats": seats, "clock": {"between_hands_s": 0}, **more}
        created = self.ask("POST", "/v1/games", body, OPERATOR, **headers)
        self.game = created["id"]
        players = []
        for claim in created["claims"]:
            body = {"claim": claim["claim"], "key": "a-random-key-of-mine"}
            players.append(Player(self, self.ask("POST", "/v1/claims", body)))
        return players

    def site(self, what, body, token=OPERATOR):
        return self.ask("POST", f"/v1/games/{self.game}/{what}", body, token)

    def seal(self, player, epoch):
        body = player.seed_body(epoch=epoch)
        del body["nonce"], body["seed_sha256"]
        body["seal"] = hashed(player.line(epoch=epoch))
        return self.ask("PUT", f"{player.path}/seats/{player.seat}/seed", body, player.token)

    def share(self, player, epoch):
        path = f"{player.path}/seats/{player.seat}/seed"
        return self.ask("PUT", path, player.seed_body(epoch=epoch), player.token)


def hashed(line):
    return hashlib.sha256(line).hexdigest()


def sealed_with_a_void(run):
    """Seals, a seat that stays away, all again, a hand that is stopped, the end."""
    one, other = run.create("hhbb", profile="sealed", hands=2, epoch_hands=1)
    version = run.seal(one, 1)["version"]
    version = run.site("overdue", {"expect": version})["version"]
    for player in (one, other):
        run.seal(player, 2)
    for player in (one, other):
        run.share(player, 2)
    run.site("hands/1/abort", {"reason": "power cut"})
    for player in (one, other):
        run.seal(player, 3)
    for player in (other, one):
        run.share(player, 3)
    run.site("close", {"reason": "enough"})


def dropped_with_a_beacon(run):
    """A share that never comes, a lock without it, the round, the deal, the end."""
    run.at(time_of(1000) - 7500)
    beacon = {"chain": QUICKNET, "delay_ms": 6000}
    one, _ = run.create("hhbb", beacon=beacon, missing_share="drop", hands=1)
    version = run.share(one, 1)["version"]
    run.site("overdue", {"expect": version})
    run.at(time_of(1000))
    run.advance()
    run.site("hands/1/abort", {"reason": "enough"})


def dealt_only(run):
    """Two hands dealt, drawn from, scored and stopped by request."""
    one, other = run.create("hh", rules={"dealt": DEALT}, hands=2)
    for player in (one, other):
        version = run.share(player, 1)["version"]
    for hand in (1, 2):
        version = run.site("hands", {"expect": version})["version"]
        for player in (one, other, one):
            body = {"seat": player.seat, "expect": version}
            version = run.site(f"hands/{hand}/draws", body, player.token)["version"]
        if hand == 1:
            version = run.site("hands/1/score", {"result": [1, 2]})["version"]
    run.site("close", {"reason": "enough"})


def bots_alone(run):
    """A game that goes on by itself, epoch after epoch."""
    run.create("bbbb", profile="sealed", epoch_hands=1, hands=2)
    for _ in range(8):
        run.advance()


SCRIPTS = [sealed_with_a_void, dropped_with_a_beacon, dealt_only, bots_alone]


def run_script(script, fail_at=-1, fail="", kill=False):
    """Return what the script's records come to, and how many requests it made."""
    with quick_folder() as folder:
        run = Run(folder, fail_at, fail, kill)
        script(run)
        lines = run.service.store.lines(run.game)
        found = report(run.service, run.game)
        assert (found.verdict, found.errors) == ("VALID", ())
        run.service.close()
    kept = [json.loads(line) for line in lines]
    return [shape(record) for record in kept if record["type"] != "act"], run.steps


def shape(record):
    """Return what of a record does not follow from secrets and times."""
    names = ("epoch", "seat", "seats", "hand", "pos", "reason", "first_hand", "hands", "result")
    body = record["body"]
    plain = {"close": {**body}, "score": {**body} if "sides" not in str(body) else {}}
    chosen = plain.get(record["type"], body)
    return record["type"], {
        name: chosen[name]
        for name in names
        if name in chosen and not (name == "hands" and record["type"] == "deal")
    }


@pytest.mark.slow
@pytest.mark.parametrize("kill", [False, True], ids=["lives", "killed"])
@pytest.mark.parametrize("fail", ["before", "after"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.__name__)
def test_a_write_that_fails_anywhere_happens_once_when_it_is_repeated(script, fail, kill):
    expected, steps = run_script(script)
    for at in range(steps):
        made, _ = run_script(script, at, fail, kill)
        if script is bots_alone:
            # Other secrets, other hands: what may never differ is that each is dealt once.
            hands = [body["hand"] for type_, body in made if type_ == "deal"]
            assert hands == list(range(1, len(hands) + 1))
            continue
        assert made == expected, at


def test_the_scripts_meet_every_record_that_seeding_and_dealing_make():
    met = {type_ for script in SCRIPTS for type_, _ in run_script(script)[0]}
    assert met >= {
        "open", "seal", "sealed", "share", "void", "lock", "beacon", "deal", "draw", "score",
        "abort", "reveal", "close", "master",
    }  # fmt: skip
