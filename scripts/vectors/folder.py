"""A vector as its folder: the record, what its user holds, the answer that is due."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fairdeal.records.notes import SigningKey, receipt_text
from fairdeal.records.tablecode import grouped, table_code
from scripts.vectors.honest import Recipe
from scripts.vectors.script import Written, as_written
from scripts.vectors.sitting import KEY, Sitting

ALARMS: Final = (
    "W_COMMIT_TIME_UNPROVEN",
    "W_COMMIT_ONLY",
    "W_RECEIPT_UNUSABLE",
    "W_GAME_GIVEN_UP",
    "W_HAND_ABORTED",
    "W_EPOCH_VOIDED",
    "W_LAST_CHOOSER",
    "W_NO_PLAYER_SEED",
    "W_TEXT_ONLY",
    "W_NONCE_REUSED",
    "W_REVEAL_LATE",
)
"""Warnings that an honest game must not get, unless it is said to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One folder."""

    name: str
    data: bytes
    evidence: Mapping[str, Any]
    expect: Mapping[str, Any]

    def files(self) -> dict[str, bytes]:
        """Give the folder's files, by name."""
        return {
            "game.jsonl": self.data,
            "evidence.json": _json(self.evidence),
            "expect.json": _json(self.expect),
        }

    def write(self, folder: Path) -> None:
        """Write the files."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files().items():
            (folder / name).write_bytes(data)


def honest(recipe: Recipe, sitting: Sitting) -> Vector:
    """Give the folder of an honest game."""
    written = as_written(sitting.records)
    expect = {
        "id": recipe.name,
        "title": recipe.title,
        "verdict": recipe.verdict,
        "error": None,
        "warning": recipe.warning,
        "level": recipe.level,
        "not_warnings": [word for word in ALARMS if word not in recipe.warnings],
    }
    return Vector(
        name=recipe.name,
        data=b"".join(written.lines),
        evidence=held(recipe, sitting, written),
        expect=expect,
    )


def held(recipe: Recipe, sitting: Sitting, written: Written) -> dict[str, Any]:
    """Give what the player kept of an honest game."""
    evidence: dict[str, Any] = {}
    if "commit" in recipe.holds:
        evidence["commit"] = written.hashes[0]
    if "table_code" in recipe.holds:
        evidence["table_code"] = grouped(table_code(written.hashes[0]))
    if "receipts" in recipe.holds:
        evidence |= receipts(written, [pinning(sitting), len(written.lines) - 1])
    if "own_seed" in recipe.holds:
        seat = max(recipe.texts)
        evidence["own_seed"] = {"seat": seat, "text": sitting.text(seat)}
    if "hand_cards" in recipe.holds:
        seat = min(recipe.texts)
        hands = range(1, sitting.game.hand + 1)
        evidence["hand_cards"] = [sitting.shown(hand, seat) for hand in hands]
    return evidence


def pinning(sitting: Sitting) -> int:
    """Give the number of the first lock: the last record whose receipt pins record 0."""
    return next(one.n for one in sitting.records if one.type == "lock")


def receipts(written: Written, numbers: Sequence[int], key: SigningKey = KEY) -> dict[str, Any]:
    """Give the service's key and its receipts for some records."""
    return {"log_vkey": KEY.vkey, "receipts": [receipt(written, n, key) for n in numbers]}


def receipt(written: Written, n: int, key: SigningKey = KEY) -> str:
    """Give the receipt of one record."""
    return key.sign(receipt_text(key.name, written.game, n, written.hashes[n]))


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=1, sort_keys=False, ensure_ascii=True) + "\n").encode()
