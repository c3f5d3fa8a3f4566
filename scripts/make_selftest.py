"""Write the vectors of ``fairdeal-verify selftest`` from the published ones.

They are a copy, so that one file of the verifier can test itself: three whole games that are dealt
only, a refereed one, a signed fraud, and the values of notes, log and beacon. A test holds the
file to what this script writes.
"""

import json
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
VECTORS: Final = ROOT / "tests" / "vectors"
TARGET: Final = ROOT / "verifier" / "selftest" / "vectors.json"
HONEST: Final = ("solo-0001", "table-0042", "beacon-0007", "reject-0023")
REFEREED: Final = "ours/V09a"
FRAUD: Final = "ours/V09-stays-in"

# A game, the record to change, where in it, the new value, and the first error that is due.
PLANTED: Final[tuple[tuple[str, int, str, Any, str], ...]] = (
    ("solo-0001", 0, "body.first_seat", 9, "E_SCHEMA"),
    ("solo-0001", 2, "n", 3, "E_SEQUENCE"),
    ("solo-0001", 4, "game", "another-game", "E_GAME_MIXED"),
    ("solo-0001", 5, "t", 0, "E_TIME_REVERSED"),
    ("solo-0001", 2, "body.first_hand", 2, "E_HAND_ORDER"),
    ("solo-0001", 2, "body.round", 7, "E_BEACON_ROUND"),
    ("solo-0001", 2, "body.shares.0", None, "E_LOCK_SHARES"),
    ("solo-0001", 3, "body.first_seat", 0, "E_FIRST_SEAT"),
    ("solo-0001", 3, "body.stock", 7, "E_DEAL_STOCK"),
    ("solo-0001", 3, "body.up", [], "E_DEAL_UPCARD"),
    ("solo-0001", 3, "body.hands.0", "00" * 32, "E_DEAL_HANDS"),
    ("solo-0001", 4, "body.pos", 1, "E_DRAW_ORDER"),
    ("solo-0001", 7, "body.secret", "00" * 64, "E_HAND_OPENING"),
    ("solo-0001", 8, "body.hands", 2, "E_HAND_COUNT"),
    ("solo-0001", 9, "body.secret", "00" * 64, "E_MASTER_OPENING"),
    ("table-0042", 3, "body.seat", 3, "E_SEAT"),
    ("table-0042", 4, "body.seals.0", None, "E_SEALED_LIST"),
    ("table-0042", 5, "body.nonce", "11" * 32, "E_SEAL_OPENING"),
    ("table-0042", 6, "body.seat", 0, "E_SEAT_TWICE"),
    ("table-0042", 16, "body.epoch", 3, "E_EPOCH_ORDER"),
    ("table-0042", 15, "body.hand", 1, "E_REVEAL_WRONG_HAND"),
    ("beacon-0007", 0, "body.beacon.delay_ms", 0, "E_BEACON_DELAY"),
    ("beacon-0007", 0, "body.beacon.chain", "00" * 32, "E_BEACON_CHAIN"),
    ("beacon-0007", 10, "body.round", 1001, "E_BEACON_ROUND"),
    ("beacon-0007", 11, "body.round", 999, "E_BEACON_ROUND"),
    ("beacon-0007", 11, "body.signature", "c0" + "00" * 47, "E_BEACON_SIGNATURE"),
    ("refereed", 4, "body.act", "Draw", "E_ACT_FORM"),
    ("refereed", 4, "body.act", "yes", "E_ACT_RULE"),
    ("refereed", 4, "body.took", [1], "E_DRAW_ORDER"),
    ("refereed", 4, "body.shown", ["3H"], "E_ACT_RED_THREE"),
    ("refereed", 5, "body.seat", 0, "E_ACT_TURN"),
)


def build() -> bytes:
    """Return the bytes of the file."""
    published = json.loads((VECTORS / "pfd1-vectors.json").read_bytes())
    games = {
        name: {
            "lines": published["transcripts"][name]["lines"],
            "receipt": published["transcripts"][name]["open_receipt"],
            "key": published["signed_note"]["vkey"],
        }
        for name in HONEST
    }
    fraud, refereed = case(FRAUD), case(REFEREED)
    games["refereed"] = {**refereed, "receipt": refereed["receipts"][0]}
    del games["refereed"]["receipts"]
    made = {
        "games": games,
        "planted": [
            dict(zip(("game", "at", "path", "value", "error"), fault, strict=True))
            for fault in PLANTED
        ],
        "fraud": {**fraud, "error": expected(FRAUD)},
        "merkle": published["merkle"],
        "cosignature": {**published["cosignature"], "key": published["signed_note"]["vkey"]},
        "beacon": {name: published["beacon"][name] for name in ("valid", "invalid", "round_rule")},
    }
    return json.dumps(made, indent=0, sort_keys=True).encode("ascii") + b"\n"


def case(name: str) -> dict[str, Any]:
    """Return lines, receipts and key of a case folder."""
    evidence = json.loads((VECTORS / name / "evidence.json").read_bytes())
    lines = (VECTORS / name / "game.jsonl").read_text("utf-8").splitlines()
    return {"lines": lines, "receipts": evidence["receipts"], "key": evidence["log_vkey"]}


def expected(name: str) -> str:
    """Return the error that a case is due."""
    return str(json.loads((VECTORS / name / "expect.json").read_bytes())["error"])


if __name__ == "__main__":
    TARGET.write_bytes(build())
