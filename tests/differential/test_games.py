"""Whole games of every preset and of random rulesets: recorded by the service's core, verified."""

import io
from hashlib import sha512
from itertools import islice
from random import Random

import pytest

from benchmarks.rulesets import by_chance, preset
from fairdeal.canasta import acts, engine, presets
from fairdeal.canasta.ruleset import to_json
from fairdeal.fairness.keys import Secret
from fairdeal.game import (
    GameConfig,
    SeatConfig,
    decide_act,
    decide_start,
    fold,
    open_body,
    replay,
)
from fairdeal.records.chain import make
from tests.verifier.refereed import codes
from verifier.held import Held
from verifier.verify import verify

START = 1_800_000_000_000


def config(rules, name):
    """A game of bots, over after two scored hands and no tie."""
    base = presets.PRESETS[name]
    fields = to_json(rules) | {"max_hands": 2, "target": None}
    return GameConfig(
        origin="deal.example/both",
        seats=(SeatConfig(kind="bot", label="bot:chance@1"),) * rules.players,
        preset=name,
        overrides={f: v for f, v in fields.items() if as_json(base[f]) != v or base[f] is None},
        reveal_by=START + 10**9,
    )


def as_json(value):
    return list(map(as_json, value)) if isinstance(value, tuple) else value


def records_of(given, seed):
    """Play until the game closes, mostly laying what can be laid."""
    chance = Random(seed)
    master = Secret(sha512(f"both readings {seed}".encode()).digest())
    records = [
        make(None, f"both-{seed:05}", START, "open", open_body(given, f"both-{seed:05}", master))
    ]
    game = replay(records, master)
    drafts = decide_start(game)
    while True:
        for kind, body in drafts:
            records.append(make(records[-1], game.id, START + len(records), kind, body))
            game = fold(game, records[-1])
        if game.closed:
            return records
        position = game.position
        assert position is not None
        listed = list(islice(engine.legal_acts(position), 60))
        laying = [act for act in listed if isinstance(act, acts.Take | acts.Lay)]
        chosen = chance.choice(laying if laying and chance.random() < 0.7 else listed)
        drafts = decide_act(game, position.turn, acts.format_act(chosen), "seat")


def report_of(rules, name, seed):
    records = records_of(config(rules, name), seed)
    data = b"".join(record.line for record in records)
    return records, verify(io.BytesIO(data), Held())


@pytest.mark.parametrize("name", sorted(presets.PRESETS))
def test_a_game_of_a_preset_verifies(name):
    records, report = report_of(preset(name), name, sorted(presets.PRESETS).index(name))
    assert (report.verdict, codes(report)) == ("VALID", [])
    assert {made.status for made in report.checks} <= {"ok", "not-applicable"}
    (said,) = (made.detail for made in report.checks if made.name == "preset")
    changed = "target null instead of 5000" if not name.startswith("six") else ""
    assert said.startswith(f"{name}, but for ")
    assert changed in said
    rules = preset(name)
    chosen = (
        f"; chosen at the table: hand_size {rules.hand_size}, red3_all {rules.red3_all},"
        " target null"
    )
    assert said.endswith(chosen) == name.startswith("six")
    assert any(record.type == "act" for record in records)


@pytest.mark.parametrize("seed", range(100, 112))
def test_a_game_of_a_random_ruleset_verifies(seed):
    _, report = report_of(by_chance(Random(seed)), "classic@1", seed)
    assert (report.verdict, codes(report)) == ("VALID", [])
    assert report.errors == ()
