"""The fourteen leaks that are easy to miss (product 7.2), each by its name.

What is said here about bytes rests on `tests.secrecy.noninterference`; leak 10, about sinks, is in
`test_leaks`. docs/secrecy.md says of each what was decided.
"""

import contextlib
import gc
import hashlib
import inspect
import json
import re
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from fairdeal.bots import levels
from fairdeal.bots.seen import see
from fairdeal.canasta import acts, cards
from fairdeal.canasta.view import seat_view as hand_view
from fairdeal.fairness.keys import Secret
from fairdeal.fairness.shuffle import order as derived_order
from fairdeal.game import Game
from fairdeal.game.dealing import deal_of
from tests.secrecy import worlds
from tests.secrecy.asking import Asked, Moment, requests
from tests.secrecy.forms import Differs
from tests.secrecy.noninterference import (
    Tally,
    Twins,
    first_hand,
    folders,
    look_through,
    play_in,
    send,
)
from tests.secrecy.plans import Plan, plans
from tests.secrecy.worlds import secret_of
from tests.table import OPERATOR, Service

ROOT = Path(__file__).resolve().parents[2]
PLANS = {plan.name: plan for plan in plans()}
CLASSIC = PLANS["classic@1"]
LATE = {"turn_s": 30, "between_hands_s": 0}


def records_of(reply):
    """Return the records that a page holds."""
    return json.loads(reply.body)["events"]


def events(world, table, token, after=-1):
    return records_of(send(world, Asked("GET", f"{table.path}/events?after={after}"), token))


@contextlib.contextmanager
def in_play(moves=14, plan=CLASSIC, seed=1):
    """Give a world in the middle of a first hand, its table and its hand."""
    with (
        first_hand(plan, seed) as (table, look, folder),
        contextlib.closing(look.waiting.fork(folder())) as world,
    ):
        for move in (look.dealing, *look.hand.moves[:moves]):
            play_in(world, table, move)
        yield world, table, look.hand


# --------------------------------------------------------------------------- 1 copy identity


def test_leak_01_copy_identity():
    """Which of two equal cards it is that was laid changes no byte for anybody but its holder."""
    with first_hand(CLASSIC, 1) as (table, look, folder):
        found, deck = look.game.deal_of(1), look.game.deck
        played = {
            (step["seat"], face)
            for step in map(said_in, look.hand.moves)
            for face in acts.cards_of(acts.parse(step["act"]))
        }
        swaps = [
            (mine, theirs)
            for seat in (0, 1)
            for mine in found.hands[seat]
            for theirs in (*found.hands[1 - seat], *found.stock)
            if deck[mine] == deck[theirs] and (seat, deck[mine]) in played
        ]
        assert swaps, "a card that is played has its other copy elsewhere"
        mine, theirs = swaps[0]
        order = [{mine: theirs, theirs: mine}.get(card, card) for card in look.order]
        tally = Tally()
        for seat in (2, 3, None):
            with contextlib.closing(look.twins(order, table, seat, tally, folder)) as twins:
                twins.play(look.dealing)
                twins.follow(look.hand, len(look.hand.moves), Random(1), 0.06)
        assert tally.all_pairs > 5


def said_in(move):
    """Return what an act says, with its seat."""
    seat, asked = move
    return {**json.loads(asked.data), "seat": seat}


def test_leak_01_live_records_name_faces_and_no_copies():
    """Only `up`, `laid` and the own deal are positions in the deck; `took` counts in the stock."""
    with in_play() as (world, table, _):
        for record in events(world, table, table.tokens[0]):
            body = record["body"]
            if record["type"] == "act":
                assert set(body) == {"act", "by", "hand", "seat", "shown", "took"}
                assert set(body["shown"]) <= set(cards.FACES)
                for card in record.get("private", {}).get("drawn", ()):
                    assert set(card) == {"face", "note", "position"}
                    assert card["position"] in body["took"]
            if record["type"] == "deal":
                assert set(body) == {"first_seat", "hand", "hands", "laid", "stock", "up"}
                assert set(record["private"]) == {"cards", "faces", "salt"}


# ----------------------------------------------------------------------- 2 sequence numbers


def test_leak_02_sequence_numbers():
    """A number is that of a record, so it tells of records alone, and everybody counts the same."""
    with in_play(moves=30) as (world, table, hand):
        kept = [json.loads(line) for line in world.store.lines(table.id)]
        for token in (*table.tokens.values(), None, OPERATOR):
            seen = events(world, table, token)
            assert [record["n"] for record in seen] == list(range(len(seen)))
            public = [{k: v for k, v in record.items() if k != "private"} for record in seen]
            assert public == kept[: len(seen)]
        version = world.game(table.id).version
        for who in table.seated():
            for asked in private_doings(hand.moments[30], who, table):
                send(world, asked, who.token)
        assert world.game(table.id).version == version


def private_doings(game, who, table):
    """Give all that a seat may do for itself: look, try out, be refused, with and without a key."""
    return requests(Moment(game, who, table.others, Random(3), all=True))


def test_leak_02_what_a_seat_does_for_itself_leaves_no_trace_for_others():
    """Refusals, dry runs, hints, looks and kept answers change no byte that anybody else gets."""
    with first_hand(CLASSIC, 1) as (table, look, folder):
        tally = Tally()
        with contextlib.closing(look.twins(look.order, table, None, tally, folder)) as twins:
            twins.play(look.dealing)
            for at, move in enumerate(look.hand.moves[:24]):
                game = look.hand.moments[at]
                if at % 12 == 11:
                    for world in twins.worlds:  # that it is there is told, and no secret
                        send(world, Asked("GET", f"{table.path}/view"), table.tokens[0])
                    for asked in private_doings(game, next(table.seated()), table):
                        send(twins.worlds[1], asked, table.tokens[0])
                    twins.level()
                    others = (*islice(table.seated(), 1, None), *table.without_seat)
                    for who in others:
                        twins.ask(Moment(game, who, table.others, Random(at), all=True))
                twins.play(move)
        assert tally.replaced == 0
        assert tally.answers > 500


def test_leak_02_a_trace_would_be_found(monkeypatch):
    """A refusal that is kept is a commit; `/healthz` once told how many of these there were."""

    def dress(answer):
        answer.headers["X-Commits"] = str(worlds.here().store.commits)
        return answer

    functions = worlds.application().after_request_funcs
    monkeypatch.setitem(functions, None, [*functions[None], dress])
    with pytest.raises(Differs, match="X-Commits"):
        test_leak_02_what_a_seat_does_for_itself_leaves_no_trace_for_others()


# -------------------------------------------------------------------------- 3 order of a hand


def test_leak_03_hand_order():
    """In what order a hand came together shows nowhere but in the evidence of its deal."""
    with first_hand(CLASSIC, 1) as (table, look, folder):
        hand = [card for card in look.order if card in look.game.deal_of(1).hands[0]]
        turned = dict(zip(hand, hand[::-1], strict=True))
        order = [turned.get(card, card) for card in look.order]
        with contextlib.closing(look.twins(order, table, 0, Tally(), folder)) as twins:
            twins.seat = None  # its own answers hold the evidence, which does differ
            twins.play(look.dealing)
            dealt = [events(world, table, table.tokens[0])[-1] for world in twins.worlds]
            assert dealt[0]["private"]["cards"] == dealt[1]["private"]["cards"][::-1]
            for move in look.hand.moves[:24]:
                for what in ("view", "choices", "counts", "hint"):
                    asked = Asked("GET", f"{table.path}/{what}")
                    twins.compare(asked, *(send(w, asked, table.tokens[0]) for w in twins.worlds))
                twins.play(move)
            view = json.loads(
                send(twins.worlds[1], Asked("GET", f"{table.path}/view"), table.tokens[0]).body
            )
            holding = view["table"]["you"]["holding"]
            assert holding == sorted(holding, key=cards.FACES.index)


# ---------------------------------------------------------------------- 4 length and timing


COSTED = ("/view", "/choices", "/counts", "/hint", "/actions", "dry_run=true")


class Costed(Twins):
    """Compares how much work an answer took, in calls, as well as its bytes."""

    def ask(self, moment):
        for asked in requests(moment):
            if not asked.path.endswith(COSTED) or "Idempotency-Key" in dict(asked.headers):
                continue
            costs = []
            for world in self.worlds:
                for _ in range(2):  # what is remembered of the first time is no secret's work
                    send(world, asked, moment.who.token)
                costs.append(cost(lambda w=world, a=asked: send(w, a, moment.who.token)))
            if costs[0] != costs[1]:
                raise Differs(f"{asked} took {costs[0]} calls or {costs[1]}")
            self.tally.answers += 1
        self.tally.pairs[moment.who.name] += 1


def cost(do):
    """Count the calls of functions while something is done."""
    count = 0

    def called(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(called)
    try:
        do()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


def test_leak_04_answer_length_and_timing():
    """What an answer costs does not depend on cards that the caller may not see, to a call."""
    tally = Tally()
    look_through(CLASSIC, 3, tally, share=0.02, enough=lambda: tally.all_pairs >= 12, kind=Costed)
    assert tally.answers > 100


def test_leak_04_work_that_depends_on_hidden_cards_would_be_found(monkeypatch):
    def view(position, seat):
        for _ in range(position.stock[-1]):
            len("work")
        return hand_view(position, seat)

    monkeypatch.setattr("fairdeal.game.seats.hand_view", view)
    with pytest.raises(Differs, match="calls"):
        test_leak_04_answer_length_and_timing()


def test_leak_04_no_answer_is_compressed():
    """The length of a compressed answer would tell what it repeats."""
    with in_play() as (world, table, _):
        for what in ("view", "events", "transcript", "choices"):
            asked = Asked("GET", f"{table.path}/{what}", headers=(("Accept-Encoding", "gzip, br"),))
            assert "Content-Encoding" not in dict(send(world, asked, table.tokens[0]).headers)


# -------------------------------------------------------------------------------- 5 errors


def test_leak_05_errors():
    """Whoever names a card gets the same refusal, whether another holds it or nobody does."""
    with in_play() as (world, table, hand):
        game = hand.moments[14]
        assert game.position is not None
        turn = game.position.turn
        for seat, token in table.tokens.items():
            if seat == turn:
                continue
            said: Counter[tuple[bool, str]] = Counter()
            for face in cards.FACES:
                body = json.dumps({"expect": game.version, "act": f"discard {face}"}).encode()
                reply = send(world, Asked("POST", f"{table.path}/actions", body), token)
                problem = json.loads(reply.body)
                own = game.position.held[seat][cards.NUMBER[face]] > 0
                del problem["request_id"]
                said[own, json.dumps(problem).replace(face, "FACE")] += 1
            # One refusal for what the caller holds and one for what it lacks, at the most.
            assert len({text for own, text in said if own}) <= 1, said
            assert len({text for own, text in said if not own}) <= 2, said


# --------------------------------------------------------------------------- 6 auto-actions


def test_leak_06_auto_actions():
    """What a clock does shows to others what a player would have shown, and who did it."""
    plan = Plan("clocks", {"rules": {"preset": "classic@1"}, "clock": LATE}, "hhhh")
    with first_hand(plan, 1) as (table, look, folder):
        both = [look.waiting.fork(folder()) for _ in range(2)]
        for world in both:
            play_in(world, table, look.dealing)
        by_clock, by_hand = both
        for _ in range(8):
            position = by_clock.game(table.id).position
            assert position is not None
            turn = position.turn
            for world in both:
                world.ticks.next = max(w.ticks.next for w in both) + 31_000
            with by_clock.entered():
                by_clock.dealer.advance(table.id)
            made = [
                json.loads(line)["body"]
                for line in by_clock.store.lines(table.id, after=by_hand.game(table.id).version)
            ]
            assert made
            assert {body["by"] for body in made} == {"clock"}
            for body in made:
                move = table.act(turn, by_hand.game(table.id).version, body["act"])
                play_in(by_hand, table, move)
            for seat, token in table.tokens.items():
                if seat != turn:
                    one, other = (timeless(events(w, table, token)) for w in both)
                    assert not [r for r in one if r["body"].get("seat") == turn and "private" in r]
                    assert one == [
                        {**record, "body": {**record["body"], "by": mine["body"]["by"]}}
                        if record["type"] == "act"
                        else record
                        for record, mine in zip(other, one, strict=True)
                    ]
        for world in both:
            world.close()


def timeless(records):
    """Return records without what hangs on the time at which they were made."""
    return [{k: v for k, v in record.items() if k not in ("t", "prev")} for record in records]


# ------------------------------------------------------------------------- 7 end of the stock


def test_leak_07_stock_out_duty():
    """That a hand was ended tells what the rules let it tell; the record says no more than that."""
    plan = PLANS["two-player@1"]
    for seed in range(20):
        with first_hand(plan, seed) as (table, look, folder):
            seat, asked = look.hand.onward[0]
            if said_in((seat, asked))["act"] != "end":
                continue
            with contextlib.closing(look.waiting.fork(folder())) as world:
                for move in (look.dealing, *look.hand.moves):
                    play_in(world, table, move)
                version = world.game(table.id).version
                play_in(world, table, (seat, asked))
                record = events(world, table, table.tokens[1 - int(seat or 0)], version)[0]
            assert record["body"] == {
                "act": "end", "by": "seat", "hand": 1, "seat": seat, "shown": [], "took": [],
            }  # fmt: skip
            break
    else:
        pytest.fail("no hand was ended at an empty stock")
    assert "could not take the pile, or did not want to" in (ROOT / "docs/secrecy.md").read_text()


# -------------------------------------------------------------------- 8 caches, shared addresses


class Cache:
    """A cache that many share, as proxies are.

    Args:
        world: What it stands before.
        obeys: `no-store`, or nothing but `vary`: then it keeps whatever it is given.
    """

    def __init__(self, world, obeys):
        self.world = world
        self.obeys = obeys
        self.kept = {}

    def ask(self, asked, token):
        shown = {"authorization": token}
        for varies, before, reply in self.kept.get(asked.path, ()):
            if all(shown.get(name) == before.get(name) for name in varies):
                return reply
        reply = send(self.world, asked, token)
        said = dict(reply.headers)
        control = set(said.get("Cache-Control", "").split(", "))
        if self.obeys == "vary" or not {"no-store", "private"} & control:
            varies = [name.lower() for name in re.findall(r"[\w-]+", said.get("Vary", ""))]
            self.kept.setdefault(asked.path, []).append((varies, shown, reply))
        return reply


@pytest.mark.parametrize("obeys", ["no-store", "vary"])
def test_leak_08_caching_and_shared_urls(obeys):
    """Behind a cache that all share, each caller gets what is its own."""
    with in_play() as (world, table, hand):
        cache, asked_for = Cache(world, obeys), set()
        for who in (*table.seated(), *table.without_seat):
            moment = Moment(hand.moments[14], who, table.others, Random(2), all=True)
            for asked in requests(moment):
                if asked.method == "GET" and not (asked.chunks or asked.headers or asked.streams):
                    there = cache.ask(asked, who.token)
                    # What says that it is everybody's has to be: compared with nobody's.
                    is_public = "public" in dict(there.headers).get("Cache-Control", "")
                    one = send(world, asked, None if is_public else who.token)
                    assert (there.status, own(there)) == (one.status, own(one)), (who, asked)
                    asked_for.add(asked.path)
        assert len(asked_for) > 30


def own(reply):
    """Return a body without the name of its request and the time."""
    try:
        told = json.loads(reply.body)
    except ValueError:
        return reply.body
    return {k: v for k, v in told.items() if k != "request_id"} if isinstance(told, dict) else told


# --------------------------------------------------------------------- 9 commit and outcome


def test_leak_09_commit_equals_outcome():
    """Nothing public, taken for the secret, gives the deck or the place of a single card."""
    with in_play(moves=8) as (world, table, hand):
        game: Game = hand.moments[0]
        true = world.order_of(game, 1)
        said = b"".join(world.store.lines(table.id))
        public = set(words_of(json.loads(line) for line in said.splitlines()))
        public |= {table.id, world.key.vkey, world.key.name}
        found = 0
        for text in public:
            for secret in secrets_from(text):
                taken = order_from(game, secret)
                assert taken != true
                # Of 108 cards one stands in its place by chance, five or more hardly ever.
                assert sum(a == b for a, b in zip(taken, true, strict=True)) < 12
                found += 1
        assert found > 200
        assert order_from(game, secret_of(world.game(table.id), 1)) == true


def words_of(value):
    """Yield every text and number of some JSON, each as text."""
    for one in value:
        if isinstance(one, dict):
            yield from words_of(one.values())
        elif isinstance(one, list):
            yield from words_of(one)
        else:
            yield str(one)


def secrets_from(text):
    """Yield secrets that a public text could be taken for."""
    raw = [
        text.encode(),
        hashlib.sha256(text.encode()).digest(),
        hashlib.sha512(text.encode()).digest(),
    ]
    with contextlib.suppress(ValueError):
        raw.append(bytes.fromhex(text))
    for one in raw:
        for padded in (one[:64].ljust(64, b"\0"), one[:64].rjust(64, b"\0"), (one * 64)[:64]):
            if len(padded) == 64:
                yield Secret(padded)


def order_from(game, secret):
    """Return the order of hand 1 that a secret gives, with all that is public."""
    bare = replace(game, master=None, opened={1: secret})
    dealt = {}

    def order(secret, mix, n):
        dealt["order"] = derived_order(secret, mix, n)
        return dealt["order"]

    with patch("fairdeal.game.dealing.order", order):
        deal_of(bare, 1)
    return dealt["order"]


# ------------------------------------------------------------- 11 a second seat in one client


def test_leak_11_second_seat_in_one_browser():
    """A token is a header of each request: nothing of one seat stays in the client for another."""
    with in_play() as (world, table, _):
        for turn in range(3):
            for seat, token in table.tokens.items():
                view = send(world, Asked("GET", f"{table.path}/view"), token)
                assert json.loads(view.body)["seat"] == seat
                assert "Set-Cookie" not in dict(view.headers), turn
        nobody = send(world, Asked("GET", f"{table.path}/choices"), None)
        assert nobody.code == 401
        for cookie in (f"token={table.tokens[0]}", f"Authorization=Bearer {table.tokens[0]}"):
            asked = Asked("GET", f"{table.path}/choices", headers=(("Cookie", cookie),))
            assert send(world, asked, None).code == 401


# ---------------------------------------------------------------------------- 12 watch yourself


class WatchesToo(Twins):
    """A player who also asks as everybody else may."""

    def roles(self, chance):
        public = [who for who in self.table.without_seat if who.name in ("anyone", "watcher")]
        return [*super().roles(chance), *public] if self.seat is not None else []


def test_leak_12_watch_yourself():
    """A player who watches as well learns nothing that its seat does not see."""
    tally = Tally()
    look_through(
        CLASSIC, 5, tally, share=0.05, enough=lambda: tally.all_pairs >= 20, kind=WatchesToo
    )
    assert tally.pairs["watcher"] == tally.pairs["anyone"] > 5


def test_leak_12_a_watcher_sees_no_record_that_a_seat_could_use():
    with in_play() as (world, table, _):
        watcher = next(who for who in table.without_seat if who.name == "watcher")
        seen = events(world, table, watcher.token)
        assert {record["type"] for record in seen} <= {"open", "share", "lock"}
        view = json.loads(send(world, Asked("GET", f"{table.path}/view"), watcher.token).body)
        assert (view["table"], view["dealt"]) == (None, None)


# ----------------------------------------------------------------------------- 13 bots


def test_leak_13_bot_process(monkeypatch):
    """A bot is handed what its seat knows, by the door through which a player's view comes."""
    handed = []

    def choose(name, known, seat, memory, seed):
        handed.append((known.copy(), seat))
        return true_choose(name, known, seat, memory, seed)

    true_choose = levels.choose
    monkeypatch.setattr(levels, "choose", choose)
    with folders() as folder, contextlib.closing(Service(folder())) as service:
        service.started("hbbb", first_seat=1)
    assert len(handed) > 3
    for known, seat in handed:
        for other in range(4):
            if other != seat:
                assert not any(known.held[other])
                assert not any(known.counts[other])
        assert set(known.stock) <= {0}
    taken = list(inspect.signature(true_choose).parameters)
    assert taken == ["name", "known", "seat", "memory", "seed"]
    assert list(inspect.signature(see).parameters) == ["known", "seat", "memory"]


# ------------------------------------------------------------------------- 14 link previews


def test_leak_14_link_previews():
    """A claim's link hides the claim from servers, and nothing but a POST takes the seat."""
    with folders() as folder, contextlib.closing(Service(folder())) as service:
        created = service.create("hhhh")
        claim = created["claims"][0]
        address, _, secret = claim["url"].partition("#")
        assert claim["claim"] in secret
        assert claim["claim"] not in address
        preview = address[address.index("/", address.find("//") + 2 if "//" in address else 0) :]
        for method in ("GET", "HEAD", "OPTIONS"):
            for path in (preview, "/v1/claims"):
                assert service.call(method, path).status_code != 500
        assert service.call("GET", "/v1/claims").status_code == 405
        shown = service.call("GET", f"/v1/claims?claim={claim['claim']}")
        assert shown.status_code in (400, 405)
        assert service.seat(created).seat == 0, "nobody took it meanwhile"
