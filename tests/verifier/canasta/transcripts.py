"""Refereed vectors as hands to judge, without the replay that leads to them.

It derives deals with the verifier's code and believes everything else, since the verifier's
other checks are not what is tested here.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from verifier.bodies import DealStep, ReplaceStep, TurnStep
from verifier.canasta import HandInput, HandOutcome, game_over, judge_hand
from verifier.dealing import Table, deal_out
from verifier.derive import mix, seat_line, shuffle, words

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


STEPS = (
    DealStep(count=11, packet=1),
    TurnStep(until_not=("2C", "2D", "2H", "2S", "3D", "3H", "JK")),
    ReplaceStep(faces=("3D", "3H")),
)


def deal_of(deck: list[str], order: list[int], first_seat: int) -> Table:
    """Deal an order by the steps of ``classic@1``."""
    return deal_out(order, deck, STEPS, 4, first_seat)


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
    open_hash = lines[1]["prev"]
    shares: list[str | None] = [None] * rules["seats"]
    totals, scored = [0] * len(play["sides"]), 0
    judged: list[Judged] = []
    for record in lines:
        body = record["body"]
        if record["type"] == "share":
            shares[body["seat"]] = seat_line(
                game, body["epoch"], body["seat"], open_hash, body["nonce"], body["seed_sha256"]
            )
        if record["type"] != "deal":
            continue
        hand, first_seat = body["hand"], body["first_seat"]
        mine = [r for r in lines if r["n"] > record["n"] and r["body"].get("hand") == hand]
        endings = [r for r in mine if r["type"] in ("score", "abort")]
        secrets = [r["body"]["secret"] for r in mine if r["type"] == "reveal"]
        if not endings or not secrets:
            continue
        secret = bytes.fromhex(secrets[0])
        mixed = mix(
            game=game,
            open_hash=open_hash,
            epoch=1,
            hand=hand,
            first_seat=first_seat,
            beacon=b"",
            lines=shares,
        )
        deck = rules["deck"]
        deal = deal_of(deck, shuffle(len(deck), words(secret, mixed)), first_seat)
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
