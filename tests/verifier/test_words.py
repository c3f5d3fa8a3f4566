"""What people read in a report says what is so: how far judged, who signed, what is missing."""

import hashlib
import json

import pytest

from tests.verifier.forge import Forge, Signer, canonical, check, honest
from verifier.held import Held, OwnSeed
from verifier.report import to_json, to_text
from verifier.verdict import SENTENCES

ME = Signer()
GAME = honest(2)
LAST = len(GAME.records) - 1


def said(report, **how):
    return to_text(report, **how).splitlines()


def edited(at, **changes):
    """The bytes of the game with one record changed by hand, the chain not made anew."""
    lines = GAME.data().splitlines(keepends=True)
    record = json.loads(lines[at])
    record["body"] |= changes
    lines[at] = canonical(record)
    return b"".join(lines)


def digest(data, at):
    return hashlib.sha256(data.splitlines(keepends=True)[at]).hexdigest()


# ------------------------------------------------------------------ a record edited by hand


def test_a_broken_chain_is_told_as_two_records_that_do_not_fit():
    at = 4  # the score of hand 1; its reveal follows
    assert [kind for kind, _ in GAME.records[3:6]] == ["deal", "score", "reveal"]
    data = edited(at, result={"north": 99})
    (error,) = check(data).errors
    assert (error.code, error.at) == ("E_CHAIN_BROKEN", at + 1)
    assert error.detail == (
        f"record 5 does not follow from record 4: one of the two was changed"
        f" (prev {digest(GAME.data(), at)}, due {digest(data, at)})"
    )


def test_a_first_record_that_names_one_before_it_is_told_as_that():
    lines = GAME.data().splitlines(keepends=True)
    record = json.loads(lines[0])
    record["prev"] = "1" * 64
    lines[0] = canonical(record)
    (error,) = check(b"".join(lines)).errors
    assert error.detail.startswith("the first record names one before it (prev 1111")
    assert "hands: 0 of 2 verified against their own commitments; not judged" in said(
        check(b"".join(lines))
    )


def test_a_hand_behind_a_fault_is_not_judged_and_not_called_secret():
    lines = said(check(edited(4, result={"north": 99})))
    assert "hands: 0 of 2 verified against their own commitments; judged only up to record 4" in (
        lines
    )
    assert "  hand 1 (record 3): scored, judged only up to record 4" in lines
    assert "is not out" not in "".join(lines)


def test_a_hand_whose_secret_is_behind_a_record_out_of_place_is_not_called_secret():
    forge = Forge().share().lock().deal().score().close().reveal().end()
    lines = said(check(forge))
    assert "  hand 1 (record 3): scored, judged only up to record 5" in lines


def test_a_hand_in_play_at_the_end_of_a_whole_file_is_called_secret():
    lines = said(check(Forge().share().lock().deal()))
    assert "hands: 0 of 1 verified against their own commitments" in lines
    assert "  hand 1 (record 3): in play, its secret is not out" in lines


# ------------------------------------------------------------------------ receipts and keys


def forged_scores():
    """Another score in hand 1, the chain made anew, and the receipts of the true game."""
    forge = honest(2)
    forge.records[4][1]["result"] = {"north": 99}
    return forge.data()


def test_receipts_of_another_file_are_one_line_of_text_and_stay_apart_in_json():
    notes = [ME.receipt(GAME.data(), n) for n in range(LAST + 1)]
    report = check(forged_scores(), ME.held(*notes))
    lines = [line for line in said(report) if line.startswith("E_")]
    (line,) = lines
    assert line.startswith(
        f"E_EQUIVOCATION at record 4: {LAST - 3} receipts, from record 4 on, are of another file; "
    )
    assert digest(forged_scores(), 4) in line
    assert [error["at"] for error in json.loads(to_json(report))["errors"]] == [*range(4, LAST + 1)]


def test_the_errors_behind_the_receipts_are_read_without_scrolling():
    forge = honest(2)
    forge.records[3][1]["stock"] += 1
    notes = [ME.receipt(GAME.data(), n) for n in range(3, LAST + 1)]
    lines = [line for line in said(check(forge, ME.held(*notes))) if line.startswith("E_")]
    assert [line.split()[0].strip(":") for line in lines] == ["E_EQUIVOCATION", "E_DEAL_STOCK"]


def test_a_single_receipt_of_another_file_is_told_with_its_hash():
    report = check(forged_scores(), ME.held(ME.receipt(GAME.data(), 4)))
    (line,) = [line for line in said(report) if line.startswith("E_")]
    assert line.startswith("E_EQUIVOCATION at record 4: the receipts say ")


def test_how_far_the_server_signed_is_said_with_every_verdict():
    held = ME.held(ME.receipt(GAME.data(), 0), ME.receipt(GAME.data(), 3))
    assert said(check(GAME, held))[1] == f"Signed by the server up to record 3 of {LAST}."
    assert f"Signed by the server up to record 3 of {LAST}." in said(check(forged_scores(), held))
    assert "Signed by" not in to_text(check(GAME))


def test_a_fraud_names_the_key_that_it_rests_on_as_the_user_s_own():
    forge = honest()
    forge.records[3][1]["stock"] += 1
    report = check(forge, ME.held(ME.receipt(forge.data(), 4)))
    first, second, third = said(report)[:3]
    assert first == f"FRAUD {SENTENCES['FRAUD']}"
    assert second == f"Proved by the key YOU gave: {ME.name}+{ME.key_id.hex()}"
    assert third == f"Signed by the server up to record 4 of {len(forge.records) - 1}."


# ----------------------------------------------------------- what the first line leaves open


def test_a_game_that_has_ended_is_not_said_to_end_later():
    own = OwnSeed(seat=0, texts={7: b"hello"})
    first, second = said(check(GAME, Held(own_seed=own)))[:2]
    assert first == f"INCOMPLETE [consistent] {SENTENCES['INCOMPLETE']}"
    assert second == ("The game has ended, but this verifier could not run every check: own seed.")


def test_of_a_game_that_goes_on_nothing_is_added_to_the_first_line():
    lines = said(check(Forge().share().lock().deal()))
    assert lines[0].startswith("INCOMPLETE ")
    assert lines[1].startswith("W_COMMIT_TIME_UNPROVEN")


@pytest.mark.parametrize("game", [GAME, Forge().share().lock()])
def test_a_level_below_the_one_asked_for_is_said(game):
    lines = said(check(game), require="pinned")
    assert lines[1] == "Below the level you asked for: pinned."
    pinned = check(game, Held(commit=game.open_hash))
    for report, level in ((pinned, "pinned"), (pinned, None), (check(game), "consistent")):
        assert "Below" not in to_text(report, require=level)
