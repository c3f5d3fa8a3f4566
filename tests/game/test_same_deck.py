"""What a noted table code proves, and what only receipts do (README, what is proved)."""

import io
import random

from fairdeal.canasta import acts, engine
from fairdeal.fairness.keys import Secret
from fairdeal.game import (
    GameConfig,
    SeatConfig,
    decide_act,
    decide_seed,
    fold,
    open_body,
    replay,
)
from fairdeal.records.chain import make
from fairdeal.records.notes import SigningKey, receipt
from verifier.held import Held, table_code
from verifier.notes import parse_key
from verifier.verify import verify

MASTER = Secret(bytes(range(64)))
GAME = "same-deck"
KEY = SigningKey("example.org/deal", bytes(32))


def played(seed):
    """Return the records of one hand of a game that is the same up to its first act."""
    config = GameConfig(
        origin=KEY.name, seats=(SeatConfig(kind="player", label="", custody="player"),) * 4,
        preset="classic@1", overrides={}, hands=1, first_seat=0, reveal_by=10**13,
    )  # fmt: skip
    records = [make(None, GAME, 0, "open", open_body(config, GAME, MASTER))]
    game = replay(records, MASTER)
    chance = random.Random(seed)

    def add(drafts):
        nonlocal game
        for type_, body in drafts:
            records.append(make(game.head, GAME, 0, type_, body))
            game = fold(game, records[-1])

    for seat in range(4):
        add(decide_seed(game, seat, 1, game.open_hash, "00" * 32, "11" * 32))
    while (position := game.position) is not None:
        act = chance.choice(list(engine.legal_acts(position)))
        add(decide_act(game, position.turn, acts.format_act(act)))
    return records


def verdict(records, *, notes=()):
    held = Held(
        table_code=table_code(records[0].hash), notes=notes, receipt_keys=(parse_key(KEY.vkey),)
    )
    report = verify(io.BytesIO(b"".join(record.line for record in records)), held)
    return report.verdict, report.level, [error.code for error in report.errors]


def test_a_deck_played_in_two_legal_ways_is_valid_both_times_and_a_receipt_tells_which_was():
    one, other = played(1), played(2)
    assert one[0] == other[0]
    assert one[-1].hash != other[-1].hash
    assert verdict(one) == verdict(other) == ("VALID", "pinned", [])
    kept = (receipt(KEY, one[20]),)
    assert verdict(one, notes=kept) == ("VALID", "pinned", [])
    assert verdict(other, notes=kept) == ("INVALID", None, ["E_EQUIVOCATION"])
