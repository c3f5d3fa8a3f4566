"""Refereed vectors as hands to judge: a reader of this folder's own, for the tests alone.

It derives deals as protocol.md 2.7 says and believes everything else, since the verifier's
other checks are not what is tested here.
"""

import hashlib
import hmac
import json
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from verifier.canasta import HandInput, HandOutcome, game_over, judge_hand

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "refereed"
FOLDERS = sorted(path.name for path in VECTORS.iterdir() if path.is_dir())


@cache
def records(folder: str) -> list[dict[str, Any]]:
    """The records of a vector; never changed."""
    text = (VECTORS / folder / "game.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def expected(folder: str) -> dict[str, Any]:
    """What a vector is due."""
    answer: dict[str, Any] = json.loads((VECTORS / folder / "expect.json").read_text())
    return answer


def _prefixed(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def _tuple(label: str, *fields: bytes) -> bytes:
    return (
        _prefixed(label.encode())
        + struct.pack(">I", len(fields))
        + b"".join(map(_prefixed, fields))
    )


def _order(cards: int, secret: bytes, mix: bytes) -> list[int]:
    words: list[int] = []
    for block in range(1, 40):
        data = struct.pack(">I", block) + b"pfd1/stream\0" + mix
        words += struct.unpack(">32H", hmac.digest(secret, data, "sha512"))
    stream = iter(words)
    order = list(range(cards))
    for last in range(cards - 1, 0, -1):
        bound = last + 1
        word = next(word for word in stream if word < 65536 - 65536 % bound)
        other = word % bound
        order[last], order[other] = order[other], order[last]
    return order


@dataclass
class Deal:
    """A hand as dealt, in indices of the deck."""

    hands: list[list[int]]
    laid: list[list[int]]
    up: list[int]
    stock: list[int]


def deal_of(deck: list[str], order: list[int], first_seat: int, size: int = 11) -> Deal:
    """Deal an order by the steps of ``classic@1``."""
    stock, seats = list(order), [(first_seat + turn) % 4 for turn in range(4)]
    deal = Deal([[] for _ in range(4)], [[] for _ in range(4)], [], stock)
    for _ in range(size):
        for seat in seats:
            deal.hands[seat].append(stock.pop(0))
    while not deal.up or deck[deal.up[-1]] in ("2C", "2D", "2H", "2S", "3D", "3H", "JK"):
        deal.up.append(stock.pop(0))
    for seat in seats:
        for card in deal.hands[seat]:  # what is appended is looked at in its turn
            if deck[card] in ("3D", "3H"):
                deal.laid[seat].append(card)
                deal.hands[seat].append(stock.pop(0))
        deal.hands[seat] = [card for card in deal.hands[seat] if deck[card] not in ("3D", "3H")]
    return deal


@dataclass
class Judged:
    """A hand of a vector with what the judge said of it."""

    given: HandInput
    outcome: HandOutcome
    over_before: bool
    deal_at: int


def judged_hands(folder: str) -> list[Judged]:
    """Judge every hand of a vector that ends, each with the totals that the last one left."""
    lines = records(folder)
    first = lines[0]
    rules, game = first["body"]["rules"], first["game"]
    play = rules["play"]
    raw_first = json.dumps(first, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    open_hash = hashlib.sha256(raw_first.encode()).digest()
    shares = [b""] * rules["seats"]
    totals, scored = [0] * len(play["sides"]), 0
    judged: list[Judged] = []
    for record in lines:
        body = record["body"]
        if record["type"] == "share":
            line = (
                f"pfd1:seat:{game}:{body['epoch']}:{body['seat']}:{open_hash.hex()}"
                f":{body['nonce']}:{body['seed_sha256']}\n"
            )
            shares[body["seat"]] = line.encode()
        if record["type"] != "deal":
            continue
        hand, first_seat = body["hand"], body["first_seat"]
        mine = [r for r in lines if r["n"] > record["n"] and r["body"].get("hand") == hand]
        endings = [r for r in mine if r["type"] in ("score", "abort")]
        secrets = [r["body"]["secret"] for r in mine if r["type"] == "reveal"]
        if not endings or not secrets:
            continue
        secret = bytes.fromhex(secrets[0])
        numbers = (struct.pack(">Q", number) for number in (1, hand, first_seat))
        mix = hashlib.sha512(
            _tuple("pfd1/mix", game.encode(), open_hash, *numbers, b"", *shares)
        ).digest()
        deal = deal_of(rules["deck"], _order(len(rules["deck"]), secret, mix), first_seat)
        assert (deal.up, deal.laid, len(deal.stock)) == (body["up"], body["laid"], body["stock"])
        given = HandInput(
            ruleset=play["ruleset"],
            sides=play["sides"],
            seats=rules["seats"],
            first_seat=first_seat,
            deck=rules["deck"],
            hands=deal.hands,
            laid=deal.laid,
            up=deal.up,
            stock=deal.stock,
            acts=[(r["n"], r["body"]) for r in mine if r["type"] == "act"],
            ending=(endings[0]["n"], endings[0]["type"], endings[0]["body"]),
            totals=totals,
        )
        outcome = judge_hand(given)
        over = game_over(play["ruleset"], totals, scored)
        judged.append(Judged(given, outcome, over, record["n"]))
        totals, scored = outcome.totals, scored + outcome.scored
    return judged
