"""The quick reading of a fast audit refuses whatever concerns a seed, a secret or an order."""

import json
from hashlib import sha256

import pytest

from fairdeal.cli.audit.opened import read_opened
from fairdeal.cli.audit.plain import NotPlain
from fairdeal.cli.audit.rederiving import deals_that_differ
from tests.audit.games import changed
from tests.published import VECTORS
from tests.verifier.forge import Forge

# Profile sealed, two epochs of two hands, three players and a bot.
GAME = (VECTORS / "cases" / "H02a" / "game.jsonl").read_bytes()
OTHER = "ab" * 32


def in_body(kind, **values):
    return lambda data: changed(data, kind, lambda record: record["body"].update(values))


def rechained(data, edit):
    """Edit the list of records, number and chain them anew."""
    records = edit([json.loads(line) for line in data.splitlines()])
    lines, before = [], "0" * 64
    for number, record in enumerate(records):
        record |= {"prev": before, "n": number}
        line = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        lines.append(f"{line}\n".encode())
        before = sha256(lines[-1]).hexdigest()
    return b"".join(lines)


def without(kind):
    def edit(records):
        records.remove(next(record for record in records if record["type"] == kind))
        return records

    return lambda data: rechained(data, edit)


def twice(kind):
    def edit(records):
        at = next(at for at, record in enumerate(records) if record["type"] == kind)
        return [*records[: at + 1], dict(records[at]), *records[at + 1 :]]

    return lambda data: rechained(data, edit)


def other_seal(data):
    """Let a seal and the list of seals agree on what no share opens."""

    def edit(records):
        sealed = next(record for record in records if record["type"] == "sealed")
        seal = next(record for record in records if record["type"] == "seal")
        seal["body"]["seal"] = sealed["body"]["seals"][seal["body"]["seat"]] = OTHER
        return records

    return rechained(data, edit)


def locked_without_a_share(data):
    def edit(records):
        share = next(record for record in records if record["type"] == "share")
        lock = next(record for record in records if record["type"] == "lock")
        lock["body"]["shares"][share["body"]["seat"]] = None
        records.remove(share)
        return records

    return rechained(data, edit)


SPOILT = {
    "another hand secret": in_body("reveal", secret="00" * 64),
    "another master": in_body("master", secret="00" * 64),
    "another nonce": in_body("share", nonce=OTHER),
    "a seal that nothing opens": other_seal,
    "a lock without a share": locked_without_a_share,
    "another list of shares": in_body("lock", shares=[None] * 4),
    "another list of seals": in_body("sealed", seals=[OTHER] * 4),
    "another first hand": in_body("lock", first_hand=2),
    "another first seat": in_body("deal", first_seat=0),
    "another number of hands": in_body("close", hands=4),
    "no seal": without("seal"),
    "no end of sealing": without("sealed"),
    "no lock": without("lock"),
    "no score": without("score"),
    "no secret": without("reveal"),
    "no close": without("close"),
    "no master": without("master"),
    "a second deal": twice("deal"),
    "a second score": twice("score"),
    "a second secret": twice("reveal"),
    "a second lock": twice("lock"),
    "a second master": twice("master"),
    "another epoch": in_body("seal", epoch=2),
    "a seat that is none": in_body("share", seat=True),
    "a broken chain": lambda data: data.replace(b'"reason":"', b'"reason":"x', 1),
    "a cut end": lambda data: data[:-1],
    "nothing": lambda _: b"",
}


def test_an_honest_game_is_read_whole():
    game = read_opened(GAME)
    assert [hand.number for hand in game.hands] == [1, 2, 3]
    assert sum(hand.is_aborted for hand in game.hands) == 1
    assert deals_that_differ([game]) == [False]


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT.keys())
def test_a_spoilt_game_is_left_to_the_verifier(spoil):
    spoilt = spoil(GAME)
    assert spoilt != GAME
    with pytest.raises(NotPlain):
        read_opened(spoilt)


@pytest.mark.parametrize("field", ["hands", "up", "laid", "stock"])
def test_a_deal_that_does_not_come_out_is_found_in_its_game_alone(field):
    false = {"hands": [OTHER] * 4, "up": [1], "laid": [[1], [], [], []], "stock": 1}[field]
    games = [read_opened(data) for data in (GAME, in_body("deal", **{field: false})(GAME), GAME)]
    assert deals_that_differ(games) == [False, True, False]


@pytest.mark.parametrize("deck", [[], ["A"] * 1025, "AB", [["A"], ["B"]]])
def test_a_deck_that_cannot_be_dealt_is_left_to_the_verifier(deck):
    # Without players no line hangs on record 0, so that all else still fits.
    honest = Forge(kinds="bb", hands=1).lock().play().end().data()
    assert deals_that_differ([read_opened(honest)]) == [False]
    spoilt = changed(
        honest, "open", lambda record: record["body"]["rules"].update(deck=deck, steps=[])
    )
    with pytest.raises(NotPlain):
        read_opened(spoilt)
