"""What people read in a report says what is so: how far judged, who signed, what is missing."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verifier.forge import Forge, Signer, canonical, check, codes, honest
from tests.verifier.test_refereed import chained, of, records
from verifier.cli import main
from verifier.held import Held, HeldFault, OwnSeed
from verifier.report import to_json, to_text
from verifier.verdict import SENTENCES

ROOT = Path(__file__).parents[2]
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


def test_a_hand_that_goes_on_behind_a_fault_is_not_called_in_play():
    lines = said(check(edited(3, stock=1)))
    assert "  hand 1 (record 3): cut short, judged only up to record 3" in lines


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
    assert "Below" not in to_text(pinned, require="pinned")
    assert "Below" not in to_text(pinned)
    assert "Below" not in to_text(check(game), require="consistent")


# ------------------------------------------------------- a seat that can have no seed of yours


def own(seat, text="hello"):
    return Held(own_seed=OwnSeed(seat=seat, texts={None: text.encode()}))


@pytest.mark.parametrize("seat", [3, 9])
def test_a_seat_that_the_game_does_not_have_is_a_wrong_argument(seat):
    with pytest.raises(HeldFault, match=f"no seat {seat}; this game has the seats 0 to 2$"):
        check(GAME, own(seat))


def test_a_file_in_which_your_seat_is_a_bots_lacks_your_seed():
    """A dealer who makes a bot of your seat contradicts you; that is no wrong argument."""
    report = check(GAME, own(1))
    assert codes(report) == ["E_OWN_SEED"]
    assert "seat 1 is a bot's in this file" in report.errors[0].detail


def test_another_file_than_the_one_noted_is_never_called_a_wrong_argument():
    """A dealer who makes a bot of your seat cannot turn your evidence into a usage error."""
    held = Held(own_seed=OwnSeed(seat=1, texts={None: b"hello"}), commit="0" * 64)
    assert codes(check(GAME, held)) == ["E_PINNED_COMMIT", "E_OWN_SEED"]


def test_wrong_seats_are_status_2_and_nothing_is_judged(tmp_path, capsysbinary):
    path = tmp_path / "game.jsonl"
    path.write_bytes(GAME.data())
    assert main([str(path), "--seed=hello", "--seat=9"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert b"there is no seat 9; this game has the seats 0 to 2" in err


# ------------------------------------------------------------------ scores, files, broken pipes


def refereed(change):
    """The details of a whole refereed game with its first score changed."""
    changed = records()
    change(of("score", changed)["body"]["result"])
    return check(chained(changed)).errors[0].detail


def test_score_lines_are_told_in_words():
    due = of("score", records())["body"]["result"]["sides"][0]["lines"]
    words = ", ".join(f"{code} {points}" for code, points in due)
    assert len(due) > 1

    def no_lines(result):
        result["sides"][0]["lines"] = []

    assert refereed(no_lines) == f"lines of side 0: stated none, due {words}"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("seat", None, "seat is nobody, due is 1"),
        ("concealed", True, "concealed is yes, due is no"),
        ("stood_in", [1, 0, 0, 0], "stood_in is 1, 0, 0, 0, due is 0, 0, 0, 0"),
    ],
)
def test_the_rest_of_a_score_is_told_in_words(key, value, said):
    assert refereed(lambda result: result.update({key: value})) == said


HINT = "; saved by an editor or a mail program? Download it again."


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (GAME.data().replace(b"\n", b"\r\n"), "E_NOT_CANONICAL"),
        (b"\xef\xbb\xbf" + GAME.data(), "E_JSON"),
        (GAME.data().decode().encode("utf-16") + b"\n", "E_UTF8"),
    ],
)
def test_a_file_that_an_editor_saved_is_told_as_that(data, code):
    (error,) = check(data).errors
    assert (error.code, error.at) == (code, 0)
    assert error.detail.endswith(HINT)


def test_a_line_spoilt_otherwise_is_not_put_down_to_an_editor():
    assert HINT not in to_text(check(GAME.data().replace(b'":', b'": ')))


@pytest.mark.slow
@pytest.mark.parametrize("flags", [["--explain"], ["--json"], ["--help"], ["--version"]])
def test_a_pipe_that_nobody_reads_is_left_in_silence(flags, tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(GAME.data())
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-S", "-E", "-m", "verifier", str(path), *flags]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (done.stderr, done.returncode) == (b"", 141)
