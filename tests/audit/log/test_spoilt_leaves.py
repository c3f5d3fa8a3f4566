"""Each leaf that may not be where it is, or as it is, is named with its code and its place."""

import json

import pytest

from fairdeal.records.chain import Record, make
from fairdeal.tlog.leaves import ServiceLeaf
from tests.audit.log.made import (
    NOW_S,
    WITNESS,
    Made,
    audit,
    leaves_of,
    lines_of,
    rechained,
)
from tests.tlog.logmaker import numbered


def game(seed=1):
    return lines_of(seed, 2)


def log_of(entries, games=(), **more):
    return Made(list(entries), {"2026-11-30": list(games)} if games else {}, (WITNESS,), **more)


def kinds(lines):
    return [json.loads(line)["type"] for line in lines]


def without(kind):
    leaves = leaves_of(game())
    at = kinds(leaves).index(kind)
    return leaves[:at] + leaves[at + 1 :], at


def swapped(kind):
    leaves = leaves_of(game())
    at = kinds(leaves).index(kind)
    leaves[at], leaves[at + 1] = leaves[at + 1], leaves[at]
    return leaves, at


def twice(kind):
    leaves = leaves_of(game())
    at = kinds(leaves).index(kind)
    return leaves[: at + 1] + leaves[at:], at + 1


def changed(kind, change, hand=0):
    lines = game()
    at = [i for i, one in enumerate(kinds(lines)) if one == kind][hand]
    leaves = leaves_of(rechained(lines, at, change))
    return leaves, [i for i, one in enumerate(kinds(leaves)) if one == kind][hand]


def body(**more):
    return lambda record: record["body"].update(more)


def line(said):
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"{text}\n".encode()


def with_extra(extra, at=None):
    leaves = leaves_of(game())
    at = len(leaves) if at is None else at
    return [*leaves[:at], extra, *leaves[at:]], at


def unlike(change, at=2):
    """Return leaves of which one is written in another way."""
    leaves = leaves_of(game())
    leaves[at] = change(leaves[at])
    return leaves, at


def act():
    lines = game()
    at = kinds(lines).index("act")
    leaves = leaves_of(lines)
    return [*leaves[:at], lines[at], *leaves[at:]], at


def of_another_game():
    first, second = leaves_of(game(1)), leaves_of(game(2))
    renamed = line(json.loads(second[0]) | {"game": json.loads(first[0])["game"]})
    return [*first, renamed], len(first)


def commitment_again():
    first, second = leaves_of(game(1)), json.loads(leaves_of(game(2))[0])
    second["body"]["master_commit"] = json.loads(first[0])["body"]["master_commit"]
    return [*first, line(second)], len(first)


def time_falls():
    lines = game()
    return changed("lock", lambda record: record.update(t=1)) if lines else None


def service_twice():
    leaf = ServiceLeaf(5, "notice", {"text": "maintenance"}).entry
    return [leaf, leaf], 1


def after_closed():
    leaf = ServiceLeaf(5, "closed", {"reason": "moved", "successor": ""}).entry
    return [leaf, *leaves_of(game())], 1


def reveal_before_deal():
    leaves = leaves_of(game())
    names = kinds(leaves)
    deal, reveal = names.index("deal"), names.index("reveal")
    record = json.loads(leaves[reveal]) | {
        "n": json.loads(leaves[deal])["n"],
        "prev": json.loads(leaves[deal])["prev"],
    }
    return [*leaves[:deal], line(record)], deal


def secret_of_hand_two():
    lines = game()
    secrets = [json.loads(one)["body"] for one in lines if json.loads(one)["type"] == "reveal"]
    return changed("reveal", body(secret=secrets[1]["secret"]))


def remade(move):
    """Return leaves of a game without acts whose records come in another order, chained so."""
    said = [(record["type"], record["body"]) for record in map(json.loads, leaves_of(game()))]
    name = json.loads(game()[0])["game"]
    lines: list[Record] = []
    for kind, told in move(said):
        lines.append(make(lines[-1] if lines else None, name, 5, kind, told))
    return [record.line for record in lines]


def moved(kind, to, hand=0):
    """Return leaves of which one comes where it may not, and its place."""

    def move(said):
        at = [at for at, (one, _) in enumerate(said) if one == kind][hand]
        one = said.pop(at)
        place = next(at for at, (other, _) in enumerate(said) if other == to)
        return [*said[:place], one, *said[place:]]

    leaves = remade(move)
    names = kinds(leaves)
    return leaves, [at for at, one in enumerate(names) if one == kind][hand]


def added(kind, behind, **body):
    """Return leaves with one more record, chained so, and its place."""

    def move(said):
        place = next(at for at, (one, _) in enumerate(said) if one == behind) + 1
        return [*said[:place], (kind, body), *said[place:]]

    leaves = remade(move)
    return leaves, kinds(leaves).index(behind) + 1


def a_leaf_too_late():
    leaves = leaves_of(game())
    return [*leaves[:4], leaves[1], *leaves[4:]], 4


SHARE = {"seat": 0, "nonce": "0" * 64, "seed_sha256": "0" * 64}

LEAVES = {
    "a deal before its lock, chained so": (
        lambda: moved("deal", "lock"),
        "E_DEAL_BEFORE_LOCK",
    ),
    "a master before the close, chained so": (
        lambda: moved("master", "close"),
        "E_MASTER_EARLY",
    ),
    "a seed after the lock": (
        lambda: added("share", "lock", epoch=1, **SHARE),
        "E_SEED_AFTER_LOCK",
    ),
    "a seed during a hand": (
        lambda: added("share", "deal", epoch=2, **SHARE),
        "E_SEEDS_DURING_HAND",
    ),
    "a record where a secret is due": (
        lambda: added("close", "score", hands=1, reason="x"),
        "E_REVEAL_SKIPPED",
    ),
    "a record where the master is due": (
        lambda: added("share", "close", epoch=2, **SHARE),
        "E_MASTER_SKIPPED",
    ),
    "a record after the master": (
        lambda: added("share", "master", epoch=2, **SHARE),
        "E_AFTER_MASTER",
    ),
    "a game that is closed during a hand": (
        lambda: added("close", "deal", hands=1, reason="x"),
        "E_ORDER",
    ),
    "a beacon without a lock": (
        lambda: added("beacon", "open", epoch=1, round=1, signature="0" * 96),
        "E_ORDER",
    ),
    "a leaf that comes too late": (a_leaf_too_late, "E_LEAF_ORDER"),
    "an open that is dropped": (lambda: without("open"), "E_NO_OPEN"),
    "a share that is dropped": (lambda: without("share"), "E_LEAF_DROPPED"),
    "a lock that is dropped": (lambda: without("lock"), "E_LEAF_DROPPED"),
    "a reveal that is dropped": (lambda: without("reveal"), "E_LEAF_DROPPED"),
    "a score that is dropped": (lambda: without("score"), "E_REVEAL_EARLY"),
    "an open after its share": (lambda: swapped("open"), "E_NO_OPEN"),
    "a share after the lock": (lambda: swapped("share"), "E_LEAF_DROPPED"),
    "a deal before its lock": (lambda: swapped("lock"), "E_LEAF_DROPPED"),
    "a reveal before its score": (lambda: swapped("score"), "E_REVEAL_EARLY"),
    "a master before the close": (lambda: swapped("close"), "E_LEAF_DROPPED"),
    "an open twice": (lambda: twice("open"), "E_LEAF_TWICE"),
    "a share twice": (lambda: twice("share"), "E_LEAF_TWICE"),
    "a deal twice": (lambda: twice("deal"), "E_LEAF_TWICE"),
    "a master twice": (lambda: twice("master"), "E_LEAF_TWICE"),
    "a reveal before the deal": (reveal_before_deal, "E_REVEAL_EARLY"),
    "a secret that is wrong": (
        lambda: changed("reveal", body(secret="ab" * 64)),
        "E_HAND_COMMIT",
    ),
    "the secret of the next hand": (secret_of_hand_two, "E_HAND_COMMIT"),
    "a reveal of another hand": (lambda: changed("reveal", body(hand=2)), "E_REVEAL_WRONG_HAND"),
    "a master that is wrong": (
        lambda: changed("master", body(secret="ab" * 64)),
        "E_MASTER_COMMIT",
    ),
    "a master of no form": (lambda: changed("master", body(secret="AB" * 64)), "E_LEAF_FORM"),
    "a deal of another hand": (lambda: changed("deal", body(hand=2)), "E_ORDER"),
    "a hand dealt twice": (lambda: changed("deal", body(hand=1), hand=1), "E_ORDER"),
    "a score of another hand": (lambda: changed("score", body(hand=2)), "E_ORDER"),
    "a close with another count": (lambda: changed("close", body(hands=1)), "E_ORDER"),
    "a lock of another hand": (lambda: changed("lock", body(first_hand=2)), "E_ORDER"),
    "an epoch that is left out": (lambda: changed("share", body(epoch=3)), "E_EPOCH_ORDER"),
    "a lock of another epoch": (lambda: changed("lock", body(epoch=3)), "E_EPOCH_ORDER"),
    "time that falls": (time_falls, "E_TIME"),
    "a chain that breaks": (
        lambda: unlike(lambda one: line(json.loads(one) | {"prev": "0" * 64})),
        "E_CHAIN",
    ),
    "a first record with one before": (
        lambda: changed("open", lambda record: record.update(prev="1" * 64)),
        "E_CHAIN",
    ),
    "a game of another log": (
        lambda: changed("open", body(origin="fairdeal.localhost/other")),
        "E_ORIGIN",
    ),
    "an act": (act, "E_LEAF_TYPE"),
    "a type that nobody knows": (
        lambda: unlike(lambda one: line(json.loads(one) | {"type": "peek"})),
        "E_LEAF_TYPE",
    ),
    "a line with a space": (
        lambda: unlike(lambda one: one.replace(b":", b": ", 1)),
        "E_LEAF_FORM",
    ),
    "a line without its end": (lambda: unlike(lambda one: one[:-1]), "E_LEAF_FORM"),
    "a number that is none": (
        lambda: unlike(lambda one: one.replace(b'"epoch":1', b'"epoch":1.0')),
        "E_LEAF_FORM",
    ),
    "a key twice": (
        lambda: unlike(lambda one: one.replace(b'"game"', b'"game":"x","game"', 1)),
        "E_LEAF_FORM",
    ),
    "a field too many": (
        lambda: changed("share", lambda record: record.update(more=1)),
        "E_LEAF_FORM",
    ),
    "another version": (
        lambda: changed("share", lambda record: record.update(v="pfd2")),
        "E_LEAF_FORM",
    ),
    "a service leaf of another form": (
        lambda: with_extra(line({"v": "pfd1-log", "t": 1, "type": "notice", "body": {}}), 0),
        "E_LEAF_FORM",
    ),
    "an empty leaf": (lambda: with_extra(b"", 0), "E_LEAF_FORM"),
    "anything": (lambda: with_extra(numbered(1)[0], 0), "E_LEAF_FORM"),
    "no JSON": (lambda: with_extra(b"hello\n", 0), "E_LEAF_FORM"),
    "a name used again": (of_another_game, "E_GAME_ID_REUSED"),
    "a commitment used again": (commitment_again, "E_MASTER_REUSED"),
    "a service leaf twice": (service_twice, "E_LEAF_TWICE"),
    "a leaf after the log was closed": (after_closed, "E_AFTER_CLOSED"),
}


@pytest.mark.parametrize("name", LEAVES)
def test_a_spoilt_leaf_is_named(tmp_path, name):
    spoil, code = LEAVES[name]
    entries, index = spoil()
    found = audit(log_of(entries, times=[NOW_S]).write(tmp_path / "log"))
    assert (code, index) in {(one.code, one.index) for one in found.findings}, found.findings
    assert found.exit_status == 1
