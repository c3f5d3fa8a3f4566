"""Small finished games for audits, and ways to spoil one that keep its chain whole."""

import json
from functools import cache
from hashlib import sha256, sha512

from benchmarks import games


@cache
def transcript(seed, hands=1):
    """Return a VALID game of that many committed hands."""
    return games.play(seed, hands=hands).transcript


def with_master_of_another(seed, monkeypatch):
    """Return a game of its own name whose master is the same whatever the seed."""
    with monkeypatch.context() as patch:
        patch.setattr(games, "sha512", lambda _: sha512(b"one for all"))
        return games.play(seed, hands=1).transcript


def with_name_of_another(seed, monkeypatch):
    """Return a game whose name is the same whatever the seed."""
    with monkeypatch.context() as patch:
        patch.setattr(games, "game_id", lambda _: "gabcdefghijklmnop")
        return games.play(seed, hands=1).transcript


def changed(data, kind, change):
    """Change the body of the first record of a kind and chain all records anew."""
    records = [json.loads(line) for line in data.splitlines()]
    change(next(record for record in records if record["type"] == kind))
    lines, before = [], "0" * 64
    for record in records:
        record["prev"] = before
        line = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        lines.append(f"{line}\n".encode())
        before = sha256(lines[-1]).hexdigest()
    return b"".join(lines)


def with_false_upcard(data):
    """Return a game whose first deal shows another card."""

    def change(record):
        record["body"]["up"][-1] = (record["body"]["up"][-1] + 1) % 108

    return changed(data, "deal", change)


def with_false_score(data):
    """Return a game whose first score is not that of its acts."""

    def change(record):
        record["body"]["result"]["sides"][0]["total"] += 5

    return changed(data, "score", change)
