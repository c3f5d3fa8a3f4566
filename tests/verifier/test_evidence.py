"""Commitments, receipts, levels, and when a fault is FRAUD (docs/protocol.md 3.1 to 3.3)."""

import hashlib

import pytest

from tests.verifier.forge import Forge, Signer, check, codes, honest, warned
from verifier.bundle import Proof
from verifier.held import Held, table_code

ME = Signer()
GAME = honest(2)
DATA = GAME.data()
LINES = DATA.splitlines(keepends=True)
LAST = len(LINES) - 1
LOCK = 2


def hash_of(n: int) -> str:
    return hashlib.sha256(LINES[n]).hexdigest()


def test_nothing_held_is_consistent_only():
    report = check(DATA)
    assert (report.verdict, report.level) == ("VALID", "consistent")
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN"}


def test_open_hash_and_table_code_pin():
    for held in (Held(commit=hash_of(0)), Held(table_code=table_code(hash_of(0)))):
        report = check(DATA, held)
        assert (report.level, warned(report)) == ("pinned", set())


def test_the_master_commitment_alone_pins_nothing():
    report = check(DATA, Held(commit=GAME.open_body["master_commit"]))
    assert (report.verdict, report.level) == ("VALID", "consistent")
    assert warned(report) == {"W_COMMIT_TIME_UNPROVEN", "W_COMMIT_ONLY"}


def test_the_master_commitment_beside_something_that_pins_is_no_warning():
    held = ME.held(ME.receipt(DATA, 0), commit=GAME.open_body["master_commit"])
    assert warned(check(DATA, held)) == set()


@pytest.mark.parametrize("held", [Held(commit="0" * 64), Held(table_code="A" * 26)])
def test_another_commitment_is_named_and_is_never_fraud(held):
    report = check(DATA, held)
    assert (report.verdict, codes(report), report.errors[0].at) == (
        "INVALID",
        ["E_PINNED_COMMIT"],
        0,
    )
    signed = ME.held(ME.receipt(DATA, LAST), commit=held.commit, table_code=held.table_code)
    assert check(DATA, signed).verdict == "INVALID"


@pytest.mark.parametrize("n", range(len(LINES)))
def test_a_receipt_pins_up_to_the_first_lock(n):
    report = check(DATA, ME.held(ME.receipt(DATA, n)))
    assert report.verdict == "VALID"
    assert report.level == ("pinned" if n <= LOCK else "consistent")


def test_any_receipt_pins_while_there_is_no_lock():
    forge = Forge().share()
    report = check(forge, ME.held(ME.receipt(forge.data(), 1)))
    assert (report.verdict, report.level) == ("INCOMPLETE", "pinned")


def test_receipts_without_a_key_or_of_others_are_skipped():
    receipt = ME.receipt(DATA, 0)
    stranger = Signer(seed=9)
    elsewhere = ME.receipt(DATA, 0, game="other-game")
    for held in (
        Held(notes=(receipt,)),
        stranger.held(receipt),
        ME.held(elsewhere),
        ME.held("garbage"),
        ME.held(""),
    ):
        report = check(DATA, held)
        assert (report.verdict, report.level) == ("VALID", "consistent")
        assert warned(report) == {"W_COMMIT_TIME_UNPROVEN", "W_RECEIPT_UNUSABLE"}


def test_a_usable_receipt_counts_beside_one_that_is_skipped():
    report = check(DATA, ME.held("garbage", ME.receipt(DATA, 0)))
    assert report.level == "pinned"
    assert warned(report) == {"W_RECEIPT_UNUSABLE"}


def test_another_origin_is_named_and_the_receipt_not_used():
    elsewhere = ME.receipt(DATA, 0, origin="other.example/pfd1")
    report = check(DATA, ME.held(elsewhere))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_ORIGIN"])
    renamed = Signer("other.example/pfd1")
    report = check(DATA, renamed.held(renamed.receipt(DATA, LAST)))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_ORIGIN"])


def test_a_cut_file_is_truncated_and_never_fraud():
    cut = b"".join(LINES[:-1])
    report = check(cut, ME.held(ME.receipt(DATA, LAST), ME.receipt(DATA, 4)))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_TRUNCATED"])
    assert report.errors[0].at == LAST


def twin() -> bytes:
    """The same game with another score in its first hand."""
    forge = honest(2)
    forge.records[4][1]["result"] = {"north": 11}
    return forge.data()


def test_a_receipt_for_another_record_is_an_equivocation_and_fraud_only_if_both_are_signed():
    other = ME.receipt(twin(), 4)
    report = check(DATA, ME.held(other))
    assert (report.verdict, codes(report), report.errors[0].at) == (
        "INVALID",
        ["E_EQUIVOCATION"],
        4,
    )
    for both in (ME.receipt(DATA, 4), ME.receipt(DATA, LAST)):
        report = check(DATA, ME.held(other, both))
        assert (report.verdict, codes(report)) == ("FRAUD", ["E_EQUIVOCATION"])
    assert check(DATA, ME.held(other, ME.receipt(DATA, 3))).verdict == "INVALID"


def test_two_receipts_for_one_number_are_fraud_by_themselves():
    third = honest(2)
    third.records[4][1]["result"] = {"north": 12}
    held = ME.held(ME.receipt(twin(), 4), ME.receipt(third.data(), 4))
    report = check(DATA, held)
    assert (report.verdict, codes(report)) == ("FRAUD", ["E_EQUIVOCATION"])


def test_errors_of_receipts_come_in_rising_order():
    held = ME.held(*(ME.receipt(twin(), n) for n in (LAST, 6, 4)))
    assert [error.at for error in check(DATA, held).errors] == [4, 6, LAST]


def faulty() -> Forge:
    forge = honest(2)
    forge.records[3][1]["stock"] += 1
    return forge


def test_a_fault_is_fraud_exactly_from_the_receipt_of_its_record_on():
    data = faulty().data()
    for n in range(len(LINES)):
        report = check(data, ME.held(ME.receipt(data, n)))
        assert codes(report) == ["E_DEAL_STOCK"]
        assert report.verdict == ("FRAUD" if n >= 3 else "INVALID")
        assert (report.proof is not None) == (n >= 3)
        assert report.level is None


def test_a_fraud_comes_with_what_a_third_party_needs():
    data = faulty().data()
    receipt = ME.receipt(data, LAST)
    proof = check(data, ME.held(receipt)).proof
    assert proof == Proof(notes=(receipt,), checkpoints=(), keys=(ME.vkey,), quorum=0)


def test_a_receipt_behind_a_broken_link_signs_nothing():
    lines = faulty().data().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"t":1002', b'"t":1001')
    data = b"".join(lines)
    for n in (3, LAST):  # record 3 is the one whose own link is broken
        report = check(data, ME.held(ME.receipt(data, n)))
        assert codes(report)[0] == "E_CHAIN_BROKEN"
        assert report.verdict == "INVALID"


# ----------------------------------------------------------------------- the chain


def replace(n: int, old: bytes, new: bytes) -> bytes:
    lines = list(LINES)
    assert old in lines[n]
    lines[n] = lines[n].replace(old, new)
    return b"".join(lines)


@pytest.mark.parametrize(
    ("data", "code", "at"),
    [
        (replace(3, b"forged-game-1", b"forged-game-2"), "E_GAME_MIXED", 3),
        (replace(0, b"forged-game-1", b"forged-game-2"), "E_GAME_MIXED", 1),
        (replace(3, b'"n":3', b'"n":4'), "E_SEQUENCE", 3),
        (b"".join(LINES[:3] + LINES[4:]), "E_SEQUENCE", 3),
        (b"".join(LINES[1:]), "E_SEQUENCE", 0),
        (b"".join([LINES[0], *LINES]), "E_SEQUENCE", 1),
        (replace(3, b'"t":1003', b'"t":1004'), "E_CHAIN_BROKEN", 4),
        (replace(0, b'"prev":"0', b'"prev":"1'), "E_CHAIN_BROKEN", 0),
    ],
)
def test_the_first_fault_of_the_chain_is_named(data, code, at):
    report = check(data)
    assert (codes(report)[0], report.errors[0].at) == (code, at)
    assert report.verdict == "INVALID"


def test_times_may_stand_still_and_never_fall():
    forge = honest()
    forge.times[4] = 1003
    assert check(forge).verdict == "VALID"
    forge.times[4] = 1002
    report = check(forge)
    assert (codes(report), report.errors[0].at) == (["E_TIME_REVERSED"], 4)
    data = forge.data()
    assert check(data, ME.held(ME.receipt(data, 4))).verdict == "FRAUD"
    assert check(data, ME.held(ME.receipt(data, 3))).verdict == "INVALID"


def test_only_the_records_before_a_fault_of_the_chain_are_replayed():
    forge = faulty()
    forge.times[5] = 0
    assert codes(check(forge)) == ["E_TIME_REVERSED"]
    forge.times[5], forge.times[6] = 1005, 0
    assert codes(check(forge)) == ["E_TIME_REVERSED", "E_DEAL_STOCK"]


# ----------------------------------------------------------------------- what is not run


def test_a_replay_that_stops_leaves_its_checks_not_run():
    report = check(Forge().share().lock().deal().deal())
    statuses = {check.name: check.status for check in report.checks}
    assert statuses["order"] == "wrong"
    assert statuses["deals"] == statuses["master"] == "not-run" or statuses["deals"] == "not-run"


def test_a_play_of_another_version_leaves_the_rules_not_run():
    forge = Forge()
    forge.open_body["rules"] = forge.open_body["rules"] | {"play": {"v": 2}}
    forge.share().lock().deal()
    forge.add("act", hand=1, seat=0, by="seat", act="fold", took=[], shown=[])
    report = check(forge.score().reveal().end())
    assert (report.verdict, codes(report)) == ("INCOMPLETE", [])
    not_run = {check.name for check in report.checks if check.status == "not-run"}
    assert not_run == {"rules", "game end"}
    forge.records[-2][1]["reason"] = "nobody came"
    assert "W_GAME_GIVEN_UP" in warned(check(forge))


def test_a_draw_in_a_refereed_game_is_out_of_place():
    forge = Forge()
    forge.open_body["rules"] = forge.open_body["rules"] | {"play": {"v": 2}}
    forge.share().lock().deal().add("draw", hand=1, seat=0, pos=0)
    assert codes(check(forge)) == ["E_ORDER"]
