"""The public beacon: rounds, signatures, and what is due without the library (2.6)."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.forge import Forge, check, codes, warned
from verifier.beacon import pairing
from verifier.beacon.chains import QUICKNET, mix_field
from verifier.beacon.pairing import is_signed

ROOT = Path(__file__).parents[2]
PUBLISHED = json.loads((ROOT / "tests/vectors/pfd1-vectors.json").read_bytes())["beacon"]
ROUND, SIGNATURE = PUBLISHED["valid"][0]["round"], PUBLISHED["valid"][0]["signature"]
COMES = QUICKNET.round_time(ROUND)
DELAY = 6000
BEACON = {"chain": QUICKNET.name, "delay_ms": DELAY}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without the library."""
    pairing.is_signed.cache_clear()
    monkeypatch.setattr(pairing, "CAN_CHECK", False)
    yield
    pairing.is_signed.cache_clear()


def locked(kinds: str = "pp", left_out: int = 0, **terms: Any) -> Forge:
    """A sealed game with a beacon, locked so that the published round is due."""
    terms = {"beacon": BEACON, "profile": "sealed", "reveal_by": COMES + 10**6, **terms}
    forge = Forge(kinds=kinds, **terms)
    forge.times[0] = COMES - DELAY - 1000
    forge.at(COMES - DELAY - 900)
    players = [seat for seat, kind in enumerate(kinds) if kind == "p"]
    for seat in players:
        forge.seal(seat)
    forge.sealed()
    for seat in players[left_out:]:
        forge.share(seat)
    for seat in players[:left_out]:
        del forge.lines[seat]
    return forge.at(COMES - DELAY).lock(round=ROUND)


def drawn(forge: Forge, **changes: Any) -> Forge:
    """The round, and B mixed in as the records say."""
    body = {"epoch": 1, "round": ROUND, "signature": SIGNATURE, **changes}
    chain = forge.open_body["beacon"]["chain"]
    forge.mixed_in = mix_field(chain, body["round"], bytes.fromhex(body["signature"]))
    return forge.at(max(COMES, forge.times[len(forge.records) - 1])).add("beacon", **body)


def test_the_table_holds_the_published_chain():
    assert (QUICKNET.name, QUICKNET.public_key.hex()) == (
        PUBLISHED["chain"],
        PUBLISHED["public_key"],
    )
    assert (QUICKNET.genesis, QUICKNET.period) == (PUBLISHED["genesis_time"], PUBLISHED["period_s"])
    assert QUICKNET.tag.decode() == PUBLISHED["dst"]


@pytest.mark.parametrize("vector", PUBLISHED["round_rule"])
def test_the_round_due_is_the_published_one(vector):
    assert QUICKNET.due_round(vector["time_ms"]) == vector["round"]


@pytest.mark.parametrize("vector", PUBLISHED["valid"])
def test_a_published_signature_is_good_for_its_round_only(vector):
    signature = bytes.fromhex(vector["signature"])
    assert is_signed(QUICKNET, vector["round"], signature) is True
    assert is_signed(QUICKNET, vector["round"] + 1, signature) is False


@pytest.mark.parametrize("vector", PUBLISHED["invalid"], ids=lambda vector: vector["why"])
def test_a_published_false_signature_is_refused(vector):
    assert is_signed(QUICKNET, vector["round"], bytes.fromhex(vector["signature"])) is False


@pytest.mark.parametrize(
    ("why", "signature"),
    [
        ("a point of the curve outside the subgroup", "80" + "00" * 47),
        ("the same with the other sign", "a0" + "00" * 47),
        ("no flag of compression", "00" * 48),
        ("infinity with a sign", "e0" + "00" * 47),
        ("infinity with a bit of a number", "d0" + "00" * 47),
        ("infinity that is not all zero", "c0" + "00" * 46 + "01"),
        ("a number beyond the field", "9f" + "ff" * 47),
        ("the sign of a good one turned", f"{int(SIGNATURE[:2], 16) ^ 0x20:02x}{SIGNATURE[2:]}"),
    ],
)
def test_what_is_no_point_of_the_subgroup_is_refused(why, signature):
    assert is_signed(QUICKNET, ROUND, bytes.fromhex(signature)) is False


def test_a_result_is_kept():
    pairing.is_signed.cache_clear()
    for _ in range(3):
        is_signed(QUICKNET, ROUND, bytes.fromhex(SIGNATURE))
    assert pairing.is_signed.cache_info().misses == 1


def test_an_honest_game_with_a_beacon_is_valid():
    report = check(drawn(locked()).play(2).end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN", "W_LOCK_UNWITNESSED"}


def test_the_profile_open_with_a_beacon_has_no_last_chooser():
    forge = Forge(kinds="pp", beacon=BEACON, reveal_by=COMES + 10**6)
    forge.times[0] = COMES - DELAY - 1000
    forge.at(COMES - DELAY - 900).share(0).share(1).at(COMES - DELAY).lock(round=ROUND)
    report = check(drawn(forge).play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert "W_LAST_CHOOSER" not in warned(report)


def test_a_share_may_be_dropped_with_a_beacon_and_is_named():
    report = check(drawn(locked("ppb", left_out=1, missing_share="drop")).play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert "W_SHARE_DROPPED" in warned(report)
    assert "W_NO_PLAYER_SEED" not in warned(report)


def test_with_every_share_dropped_both_warnings_stand():
    report = check(drawn(locked("ppb", left_out=2, missing_share="drop")).play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert {"W_SHARE_DROPPED", "W_NO_PLAYER_SEED"} <= warned(report)


def test_without_the_policy_a_missing_share_is_an_error():
    assert codes(check(locked("pp", left_out=1))) == ["E_SHARE_MISSING"]


@pytest.mark.parametrize(
    ("terms", "error"),
    [
        ({"chain": "00" * 32, "delay_ms": DELAY}, "E_BEACON_CHAIN"),
        ({"chain": QUICKNET.name, "delay_ms": 0}, "E_BEACON_DELAY"),
        ({"chain": QUICKNET.name, "delay_ms": 5999}, "E_BEACON_DELAY"),
    ],
)
def test_the_terms_of_record_0_are_judged(terms, error):
    report = check(Forge(kinds="pp", profile="sealed", beacon=terms))
    assert (codes(report), report.errors[0].at) == ([error], 0)


def test_with_an_unknown_chain_nothing_else_of_it_is_judged_and_the_deals_still_are():
    forge = drawn(locked(beacon={"chain": "12" * 32, "delay_ms": DELAY}), round=ROUND)
    assert codes(check(forge.play().end())) == ["E_BEACON_CHAIN"]


@pytest.mark.parametrize("number", [None, 0, ROUND - 1, ROUND + 1])
def test_another_round_in_the_lock_is_named(number):
    forge = locked()
    forge.records[-1][1]["round"] = number
    assert codes(check(forge)) == ["E_BEACON_ROUND"]


def test_the_round_follows_from_the_time_of_the_lock_to_the_millisecond():
    forge = locked()
    number = len(forge.records) - 1
    forge.times[number] += 1
    assert codes(check(forge)) == ["E_BEACON_ROUND"]
    forge.times[number] -= 800  # after the shares, and still more than a round before
    assert codes(check(forge)) == []


FAULTS: dict[str, tuple[Forge, list[str]]] = {
    "another round than the lock's": (drawn(locked(), round=ROUND + 1), ["E_BEACON_ROUND"]),
    "another signature": (
        drawn(locked(), signature=PUBLISHED["valid"][1]["signature"]),
        ["E_BEACON_SIGNATURE"],
    ),
    "another epoch": (drawn(locked(), epoch=2), ["E_ORDER"]),
    "a second round": (drawn(drawn(locked())), ["E_ORDER"]),
    "a round in play": (drawn(drawn(locked()).deal()), ["E_ORDER"]),
    "a deal before the round": (locked().deal(), ["E_BEACON_MISSING"]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_round_is_named(name):
    forge, errors = FAULTS[name]
    found = codes(check(forge))
    assert found[: len(errors)] == errors
    assert check(forge).errors[0].at == len(forge.records) - 1


def test_a_round_in_a_game_without_a_beacon_is_out_of_order():
    forge = Forge().share().lock().add("beacon", epoch=1, round=1, signature=SIGNATURE)
    assert codes(check(forge)) == ["E_ORDER"]


def test_a_round_before_the_lock_is_out_of_order():
    forge = Forge(kinds="pp", profile="sealed", beacon=BEACON)
    forge.add("beacon", epoch=1, round=1, signature=SIGNATURE)
    assert codes(check(forge)) == ["E_ORDER"]
    forge.records.pop()
    forge.seal(0).add("beacon", epoch=1, round=1, signature=SIGNATURE)
    assert codes(check(forge)) == ["E_ORDER"]


def test_a_round_before_its_time_is_named():
    forge = locked().at(COMES - 1).add("beacon", epoch=1, round=ROUND, signature=SIGNATURE)
    assert codes(check(forge)) == ["E_BEACON_EARLY"]


def test_no_new_epoch_may_begin_over_a_round_that_was_seen():
    forge = drawn(locked(epoch_hands=1)).next_epoch().seal(0)
    assert codes(check(forge)) == ["E_EPOCH_ORDER"]


def test_without_the_library_the_signature_is_not_checked_and_the_verdict_stays(bare):
    report = check(drawn(locked()).play().end())
    assert (report.verdict, report.errors) == ("VALID", ())
    assert "W_BEACON_NOT_CHECKED" in warned(report)
    assert "not-run" in {check.status for check in report.checks}


def test_without_the_library_infinity_is_refused_all_the_same(bare):
    report = check(drawn(locked(), signature="c0" + "00" * 47).play().end())
    assert codes(report) == ["E_BEACON_SIGNATURE"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "warning"), [(["-E"], set()), (["-S", "-E"], {"W_BEACON_NOT_CHECKED"})]
)
def test_the_library_is_used_where_it_is_installed_and_not_missed_elsewhere(flags, warning):
    game = ROOT / "tests/vectors/cases/H03a/game.jsonl"
    command = [sys.executable, *flags, "-m", "verifier", str(game), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    report = json.loads(done.stdout)
    found = {entry["code"] for entry in report["warnings"]}
    assert (report["verdict"], found & {"W_BEACON_NOT_CHECKED"}) == ("VALID", warning)
