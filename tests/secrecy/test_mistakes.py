"""Mistakes that others made with secrets (product 4d), as far as they are none of the fourteen.

Each test names whose it was. WebCrypto that is missing, and cards in a page, belong to the client.
"""

import contextlib
import hashlib
import json
import re
from random import Random
from typing import Any

import pytest

from api import streams
from fairdeal.fairness.keys import hand_secret
from fairdeal.records.notes import open_note, parse_vkey
from fairdeal.service.callers import digest
from fairdeal.store.bell import Ear
from fairdeal.store.ports import Grant, Write
from tests.secrecy.asking import ROUTES, Asked
from tests.secrecy.noninterference import first_hand, folders, play_in, send
from tests.secrecy.plans import plans
from tests.secrecy.worlds import TICK_S, World, worlds_apart
from tests.table import OPERATOR, Player, play_out

PLANS = {plan.name: plan for plan in plans()}
CLASSIC = PLANS["classic@1"]
WATCHER = "cd_live_watch_" + "w" * 43


@pytest.fixture
def world():
    with folders() as folder, worlds_apart(), contextlib.closing(World(folder())) as made:
        yield made


def master_of(world, game_id):
    return world.game(game_id).master


def test_the_first_state_is_filtered_like_every_later_one():
    """boardgame.io 1159: the initial state went whole to every client."""
    with first_hand(CLASSIC, 1) as (table, look, folder):
        order = look.hand.redealt(look.order, 0, 0, Random(1))
        worlds = [look.waiting.fork(folder()), look.waiting.fork(folder())]
        assert order is not None
        worlds[1].deal_as(look.game, 1, order)
        for one in worlds:
            play_in(one, table, look.dealing)
        stream = Asked(
            "GET", f"{table.path}/events", headers=(("Accept", "text/event-stream"),), chunks=2
        )
        first, other = (send(one, stream, table.tokens[0]).body for one in worlds)
        snapshots = [re.search(rb"event: snapshot\ndata: (.*)\n", body) for body in (first, other)]
        assert snapshots[0] is not None
        assert snapshots[1] is not None
        assert snapshots[0][1] == snapshots[1][1]
        view = json.loads(snapshots[0][1])["view"]
        assert len(view["table"]["you"]["holding"]) == 11
        assert all(set(seat) == {"cards", "seat", "side"} for seat in view["table"]["seats"])
        for one in worlds:
            one.close()


def test_no_state_holds_what_later_shuffles_come_from(world):
    """phase-rs 5368: the generator's seed stood in the filtered state."""
    created, players = world.started("hhhh", hands=3)
    play_out(players[:0])
    master = master_of(world, created["id"])
    secrets = [master.hex(), *(hand_secret(master, created["id"], k).hex() for k in (1, 2, 3))]
    for what in ("view", "choices", "counts", "events", "my-record"):
        told = json.dumps(players[0].get(what))
        assert not [secret for secret in secrets if secret in told]


def test_reading_again_shows_nothing_else(world):
    """FreeBoardGames.org 768: a refresh undid a peek, or showed what lies face down."""
    _, players = world.started("hhhh")
    player = players[0]
    once = [player.get(what) for what in ("view", "choices", "counts", "events")]
    player.try_act(player.get("view")["version"], "nonsense")
    assert [player.get(what) for what in ("view", "choices", "counts", "events")] == once


def test_equal_games_have_secrets_of_their_own(world):
    """boardgame.io 233: one seed for each kind of game."""
    made = [world.started("hhhh") for _ in range(4)]
    masters = {master_of(world, created["id"]).hex() for created, _ in made}
    commits = {created["commitment"]["master_commit"] for created, _ in made}
    hands = {
        tuple(players[0].get("events")["events"][-1]["private"]["cards"]) for _, players in made
    }
    assert len(masters) == len(commits) == len(hands) == 4


def test_nobody_can_see_an_outcome_and_then_choose_another_act():
    """vassal 15004: a replayed random stream let a player look at his rolls beforehand."""
    with first_hand(CLASSIC, 2) as (table, look, folder):
        seat, asked = look.hand.moves[0]
        assert json.loads(asked.data or b"")["act"] == "draw"
        assert seat is not None
        token = table.tokens[seat]
        with contextlib.closing(look.waiting.fork(folder())) as world:
            play_in(world, table, look.dealing)
            before = world.game(table.id)
            dry = Asked("POST", f"{asked.path}?dry_run=true", asked.data)
            told = {send(world, dry, token).body for _ in range(3)}
            assert len(told) == 1
            face = before.deck[before.deal_of(1).stock[0]]
            assert not [word for word in ("drawn", "took", f'"{face}"') if word in str(told)]
            play_in(world, table, (seat, asked))
            drawn = json.loads(send(world, asked, token).body)["events"][0]["private"]["drawn"]
            assert drawn[0]["face"] == face
            # The same request again is a repeat, and no other act is taken for it.
            body = json.dumps({"expect": before.version, "act": "end"}).encode()
            assert send(world, Asked("POST", asked.path, body), token).code == 409
            assert world.game(table.id).version == before.version + 1


def writes(path, game):
    """Give an address for each route that writes."""
    for method, rule in ROUTES:
        if method != "GET" and rule != "/v1/claims":
            address = re.sub(r"<(?:int:)?(seat|hand)>", "0", rule)
            yield method, re.sub(r"<\w+>", "x", address.replace("<game>", game))


def test_a_watcher_can_do_nothing(world):
    """netrunner 571, Cockatrice 1678: spectators acted, and saw previews."""
    created, players = world.started("hhhh")
    grant = Grant(digest=digest(WATCHER), role="watch", site="site_main", game=created["id"])
    world.store.write(Write(grants=(grant,)))
    version = players[0].get("view")["version"]
    bodies: tuple[dict[str, Any], ...] = (
        {},
        {"expect": version, "act": "draw"},
        {"reason": "x"},
        {"expect": version},
    )
    for method, path in writes("", created["id"]):
        for body in bodies:
            answer = world.call(method, path, body, WATCHER)
            assert answer.status_code in (400, 403, 404, 422), (method, path, answer.text)
    assert players[0].get("view")["version"] == version
    for what in ("choices", "my-record"):
        assert (
            world.call("GET", f"/v1/games/{created['id']}/{what}", token=WATCHER).status_code == 403
        )


def test_what_one_seat_keeps_of_a_game_shows_no_other_side(world):
    """netrunner 5865: a replay from one side showed the other."""
    created, players = world.started("hhhh", hands=1)
    found = world.game(created["id"]).deals[0]
    for player in players:
        mine = json.dumps(player.get("my-record"))
        assert json.dumps(list(found.hands[player.seat])) in mine
        for other in range(4):
            if other != player.seat:
                assert json.dumps(list(found.hands[other])) not in mine
        assert mine.count('"salt"') == 1


def test_equal_contributions_do_not_cancel_and_a_copied_seal_is_refused(world):
    """keybase 16529: contributions were XORed, so the last could mirror another's and cancel it."""
    created = world.create("hhhh", profile="sealed")
    players = [world.seat(created, seat) for seat in range(4)]
    line = players[0].line()
    sealed = hashlib.sha256(line).hexdigest()
    assert players[0].try_seal().status_code == 200
    copied = players[1].try_seal(seal=sealed)
    assert (copied.status_code, copied.json["code"]) == (409, "seed_repeated")

    # The same text and nonce from all: each line names its seat, and the deck follows from all.
    orders = set()
    for texts in (["same"] * 4, ["same", "same", "other", "other"], ["other"] * 4):
        made = world.create("hhhh")
        seats = [world.seat(made, seat) for seat in range(4)]
        for player, text in zip(seats, texts, strict=True):
            player.share(text=text)
        orders.add(tuple(world.order_of(world.game(made["id"]), 1)))
    assert len(orders) == 3


def test_who_withholds_a_seed_after_seeing_the_others_gains_no_deck_and_is_named(world):
    """defi-threat 19, 0xFable 42: whoever saw the others' values could abort what it disliked."""
    created = world.create("hhhh", profile="sealed")
    players = [world.seat(created, seat) for seat in range(4)]
    for player in players:
        player.seal()
    for player in players[:3]:
        version = player.share()["version"]
    # All the others' seeds are out, and still nothing of the deck: the secret is the server's.
    assert world.game(created["id"]).hand == 0
    path = f"/v1/games/{created['id']}/overdue"
    gone_on = world.call("POST", path, {"expect": version}, OPERATOR).json
    assert gone_on["events"][0]["type"] == "void"
    assert gone_on["events"][0]["body"]["seats"] == [3]
    # Everybody contributes anew, with seals first: what was seen of the old seeds is worth nothing.
    assert players[0].try_seal(epoch=2, nonce="1" * 64).status_code == 200


@pytest.mark.parametrize("query", ["token={}", "access_token={}", "x={}"])
def test_a_token_in_an_address_opens_nothing(world, query):
    """gamejolt 748, natlas 139: tokens stood in shared addresses, or left by Referer."""
    _, players = world.started("hhhh")
    player: Player = players[0]
    for path in (f"{player.path}/view", f"{player.path}/events", "/healthz"):
        answer = world.call("GET", f"{path}?{query.format(player.token)}")
        assert (answer.status_code, answer.json["code"]) == (400, "token_in_address")
        assert player.token not in answer.text


def test_pages_send_no_referer(world):
    """Whatever address a page of ours was reached by, its links tell nobody."""
    for path in ("/docs", "/help", "/help/no_key"):
        assert world.call("GET", path).headers["Referrer-Policy"] == "no-referrer"


def test_what_is_signed_is_the_bytes_that_are_served(world):
    """normandy 1210, perkeep 163: signatures over JSON that was serialised again broke."""
    created, players = world.started("hhhh", hands=1)
    answer = players[0].get("my-record")
    close = {"reason": "enough"}
    world.call("POST", f"/v1/games/{created['id']}/close", close, OPERATOR)
    transcript = world.call("GET", f"/v1/games/{created['id']}/transcript").data
    hashes = {hashlib.sha256(line).hexdigest() for line in transcript.splitlines(keepends=True)}
    for receipt in answer["receipts"]:
        text = open_note(receipt, [parse_vkey(world.key.vkey)])
        assert text.splitlines()[4] in hashes


@pytest.fixture
def handed_over(world, monkeypatch):
    """A game of which seat 0 is given out anew while its holder waits; then somebody draws."""
    created, players = world.started("hhhh")
    acting = next(player for player in players if player.choose())
    old = players[(acting.seat + 1) % 4]

    def hand_over():
        path = f"/v1/games/{created['id']}/seats/{old.seat}/reissue"
        assert world.call("POST", path, {}, OPERATOR).status_code == 201
        assert acting.choose()
        acting.act(*acting.choose())

    done: list[bool] = []

    def wait(_ear, _seconds):
        if not done:
            done.append(True)
            hand_over()
        return True

    async def wait_in_loop(ear, seconds):
        wait(ear, seconds)

    world.dealer.feed.beat_s = 1000 * TICK_S  # the next look at the token is far
    monkeypatch.setattr(Ear, "wait", wait)
    monkeypatch.setattr(streams._Ear, "wait", wait_in_loop)
    return old, old.get("view")["version"]


@pytest.mark.parametrize("process", [False, True], ids=["service", "streams"])
def test_a_stream_gives_nothing_to_whoever_lost_the_seat(world, handed_over, process):
    """A token that was replaced dies at once, also where somebody follows with it."""
    old, version = handed_over
    path = f"{old.path}/events?after={version}"
    form = (("Accept", "text/event-stream"),)
    reply = world.ask("GET", path, old.token, headers=form, chunks=9, streams=process)
    assert b"event: record" not in reply.body
    assert reply.body.endswith(b'event: end\ndata: {"reason":"token_replaced"}\n\n')


@pytest.mark.parametrize("what", ["events?after={}&wait=9", "view?at_least={}&wait=9"])
def test_a_wait_gives_nothing_to_whoever_lost_the_seat(world, handed_over, what):
    old, version = handed_over
    wanted = version if what.startswith("events") else version + 1
    reply = world.ask("GET", f"{old.path}/{what.format(wanted)}", old.token)
    assert (reply.code, json.loads(reply.body)["code"]) == (410, "token_replaced")


def test_a_wait_in_the_process_of_streams_gives_nothing_to_whoever_lost_the_seat(
    world, handed_over
):
    old, version = handed_over
    path = f"{old.path}/events?after={version}&wait=9"
    reply = world.ask("GET", path, old.token, streams=True)
    assert (reply.code, json.loads(reply.body)["code"]) == (410, "token_replaced")
