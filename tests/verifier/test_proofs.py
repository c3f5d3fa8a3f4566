"""Proofs of single records and mirrors of the log, offline (C2SP tlog-proof, tlog-tiles)."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.forge import Signer, check, codes
from tests.verifier.logbook import LOG_KEY, W1, checkpoint, held, root
from tests.verifier.test_log import DATA, GAME, LINES, LOG, SEEN, twin
from verifier.cli import main
from verifier.held import Held, HeldFault
from verifier.mirror import MirrorFault, open_mirror
from verifier.proofs import parse_proof

COSIGNED = [(W1, SEEN)]


def path_of(lines: list[bytes], index: int) -> list[bytes]:
    """RFC 6962, 2.1.1, as it is written there: by halves."""
    if len(lines) == 1:
        return []
    half = 1
    while half * 2 < len(lines):
        half *= 2
    if index < half:
        return [*path_of(lines[:half], index), root(lines[half:])]
    return [*path_of(lines[half:], index - half), root(lines[:half])]


def proof(index: int, note: str | None = None, lines: list[bytes] = LOG, extra: str = "") -> str:
    hashes = "".join(f"{base64.b64encode(one).decode()}\n" for one in path_of(lines, index))
    signed = checkpoint(lines, COSIGNED) if note is None else note
    return f"c2sp.org/tlog-proof@v1\n{extra}index {index}\n{hashes}\n{signed}"


OPEN, LOCK = LOG.index(LINES[0]), LOG.index(LINES[2])


def with_proofs(*proofs: str, **more) -> Held:
    return replace(held(LOG, **more), log=None, proofs=proofs)


# ------------------------------------------------------------------------------------ levels


def test_witnessed_proofs_of_record_0_and_of_the_lock_give_the_level_without_the_log():
    report = check(DATA, with_proofs(proof(OPEN), proof(LOCK)))
    assert (report.verdict, report.level, report.errors) == ("VALID", "witnessed", ())
    assert any("2 of 2" in each.detail for each in report.checks if each.name == "checkpoints")


@pytest.mark.parametrize("which", [[OPEN], [LOCK], [OPEN, LOG.index(LINES[-1])]])
def test_without_one_of_the_two_the_level_is_the_lowest(which):
    report = check(DATA, with_proofs(*map(proof, which)))
    assert (report.verdict, report.level) == ("VALID", "consistent")


def test_without_witnesses_a_proof_has_no_time_and_gives_no_level():
    report = check(DATA, with_proofs(proof(OPEN), proof(LOCK), witnesses=()))
    assert (report.verdict, report.level) == ("VALID", "consistent")


def test_what_a_proof_calls_extra_changes_nothing():
    lies = base64.b64encode(b"record 5 of another game").decode()
    given = [proof(at, extra=f"extra {lies}\n") for at in (OPEN, LOCK)]
    assert check(DATA, with_proofs(*given)).level == "witnessed"


def test_a_proof_never_shows_that_a_master_is_missing():
    late = checkpoint(LOG, [(W1, GAME.records[0][1]["reveal_by"] // 1000 + 60)])
    cut = b"".join(LINES[:-1])
    report = check(cut, with_proofs(proof(OPEN, late)))
    assert (report.verdict, codes(report)) == ("INVALID", ["E_REVEAL_WITHHELD"])


# ------------------------------------------------------------------------------------ errors


def test_every_fault_of_a_proof_is_named_and_is_no_fraud():
    elsewhere = Signer("other.example/pfd1")
    other = twin()
    faults = {
        "E_CHECKPOINT_SIGNATURE": proof(OPEN, checkpoint(LOG, COSIGNED, signer=Signer(seed=9))),
        "E_ORIGIN": proof(OPEN, checkpoint(LOG, COSIGNED, origin=elsewhere.name)),
        "E_WITNESS_QUORUM": proof(OPEN, checkpoint(LOG)),
        "E_PROOF": proof(4, lines=other),  # the other game's record of that number
    }
    receipt = LOG_KEY.receipt(DATA, len(LINES) - 1)
    for code, given in faults.items():
        report = check(DATA, with_proofs(given, notes=(receipt,)))
        assert (report.verdict, codes(report)) == ("INVALID", [code])


@pytest.mark.parametrize("place", [0, len(LOG) - 1])
def test_a_proof_of_a_line_of_the_service_s_own_fits_no_record(place):
    assert codes(check(DATA, with_proofs(proof(place)))) == ["E_PROOF"]


def test_a_proof_under_another_place_size_or_path_fits_nothing():
    good = proof(OPEN)
    moved = good.replace(f"index {OPEN}\n", f"index {OPEN + 2}\n")
    short = good.replace(good.split("\n")[2] + "\n", "", 1)
    beyond = good.replace(f"index {OPEN}\n", f"index {10**15}\n")
    smaller = proof(OPEN, checkpoint(LOG, COSIGNED, size=len(LOG) - 1))
    for bad in (moved, short, beyond, smaller):
        assert codes(check(DATA, with_proofs(bad))) == ["E_PROOF"]


HASH = "A" * 43 + "="


@pytest.mark.parametrize(
    "text",
    [
        "",
        "index 0\n\nnote\n",
        "c2sp.org/tlog-proof@v2\nindex 0\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 00\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex -1\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 99999999999999999\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 0\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n\nnote",
        "c2sp.org/tlog-proof@v1\r\nindex 0\r\n\r\nnote\r\n",
        f"c2sp.org/tlog-proof@v1\nindex 0\n{HASH[:-2]}B=\n\nnote\n",
        f"c2sp.org/tlog-proof@v1\nindex 0\n{HASH} \n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n" + f"{HASH}\n" * 64 + "\nnote\n",
        "c2sp.org/tlog-proof@v1\nextra !\nindex 0\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nextra AAA\nindex 0\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nextra AA==\nextra AA==\nindex 0\n\nnote\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n\n" + "n" * 2**20 + "\n",
    ],
    ids=range(17),
)
def test_a_file_of_another_form_is_no_proof(text):
    with pytest.raises(HeldFault):
        parse_proof(text)


def test_the_longest_path_is_one_of_63_hashes():
    text = "c2sp.org/tlog-proof@v1\nextra \nindex 0\n" + f"{HASH}\n" * 63 + "\nnote\n"
    assert len(parse_proof(text).path) == 63


# ----------------------------------------------------------------------------------- mirrors


def write_mirror(folder: Path, lines: list[bytes], note: str | None = None) -> Path:
    for number in range(-(-len(lines) // 256)):
        part = lines[256 * number : 256 * number + 256]
        groups = f"{number:03d}" if number < 1000 else f"x{number // 1000:03d}/{number % 1000:03d}"
        end = "" if len(part) == 256 else f".p/{len(part)}"
        path = folder / f"tile/entries/{groups}{end}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(len(line).to_bytes(2, "big") + line for line in part))
    (folder / "checkpoint").write_text(note or checkpoint(lines, COSIGNED), "utf-8")
    return folder


@pytest.mark.parametrize("size", [1, 255, 256, 257, 700])
def test_a_mirror_reads_as_the_lines_it_was_made_of_and_again(tmp_path, size):
    lines = [b"%d\n" % number for number in range(size)]
    with open_mirror(write_mirror(tmp_path, lines)) as file:
        for _ in range(2):
            file.seek(0)
            assert file.readlines() == lines


def test_of_several_partial_bundles_the_widest_is_read(tmp_path):
    lines = [b"%d\n" % number for number in range(9)]
    for size in (9, 2, 7):
        write_mirror(tmp_path, lines[:size])
    (tmp_path / "tile/entries/000.p/100.new").write_bytes(b"half of one")
    assert open_mirror(tmp_path).readlines() == lines


@pytest.mark.parametrize("data", [b"", b"\0", b"\0\x02a", b"\0\x01\n\0\x01\n", b"\0\x01\nx"])
def test_a_bundle_of_another_length_than_its_name_says_is_refused(tmp_path, data):
    write_mirror(tmp_path, [b"\n"])
    (tmp_path / "tile/entries/000.p/1").write_bytes(data)
    with pytest.raises(MirrorFault):
        open_mirror(tmp_path).readlines()


# ------------------------------------------------------------------------------ command line


@pytest.fixture
def game(tmp_path) -> str:
    path = tmp_path / "game.jsonl"
    path.write_bytes(DATA)
    return str(path)


def run(capsysbinary, *arguments: str) -> tuple[int, str, str]:
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = int(stop.code or 0)
    captured = capsysbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


TRUST = ["--log-key", LOG_KEY.vkey, "--witness", W1.vkey]


def test_the_command_line_takes_several_proofs(game, tmp_path, capsysbinary):
    given = []
    for at in (OPEN, LOCK):
        path = tmp_path / f"{at}.tlog-proof"
        path.write_text(proof(at), "utf-8")
        given += ["--proof", str(path)]
    status, out, _ = run(capsysbinary, game, *given, *TRUST, "--require", "witnessed")
    assert (status, out.split(" The")[0]) == (0, "VALID [witnessed]")


def test_the_command_line_takes_a_mirror_and_the_checkpoint_in_it(game, tmp_path, capsysbinary):
    mirror = str(write_mirror(tmp_path / "mirror", LOG))
    status, out, _ = run(capsysbinary, game, "--log", mirror, *TRUST)
    assert (status, out.split(" The")[0]) == (0, "VALID [witnessed]")
    newer = tmp_path / "newer"
    newer.write_text(checkpoint([*LOG, b"\n"], COSIGNED), "utf-8")
    status, out, _ = run(capsysbinary, game, "--log", mirror, "--checkpoint", str(newer), *TRUST)
    assert (status, "E_LOG_TRUNCATED" in out) == (1, True)


def test_a_mirror_with_another_entry_is_of_another_root(game, tmp_path, capsysbinary):
    mirror = write_mirror(tmp_path / "mirror", [*LOG[:-1], b"{}\n"], checkpoint(LOG, COSIGNED))
    status, out, _ = run(capsysbinary, game, "--log", str(mirror), *TRUST)
    assert (status, "E_LOG_ROOT" in out) == (1, True)


def test_a_torn_bundle_is_status_2_and_nothing_is_judged(game, tmp_path, capsysbinary):
    mirror = write_mirror(tmp_path / "mirror", LOG)
    (mirror / f"tile/entries/000.p/{len(LOG)}").write_bytes(b"\0")
    status, out, err = run(capsysbinary, game, "--log", str(mirror), *TRUST)
    assert (status, out, "no bundle of" in err) == (2, "", True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--proof", "PROOF"], "--proof needs --log-key"),
        (["--proof", "GAME", "--log-key", LOG_KEY.vkey], "no proof of the form"),
        (["--proof", "/nonexistent", "--log-key", LOG_KEY.vkey], "No such file"),
        (["--proof", "/", "--log-key", LOG_KEY.vkey], "Is a directory"),
        (
            ["--proof", "PROOF", "--log-key", LOG_KEY.vkey, "--quorum", "1"],
            "--quorum asks for more",
        ),
        (["--log", "/nonexistent", "--log-key", LOG_KEY.vkey], "No such file"),
        (["--log", "FOLDER", "--log-key", LOG_KEY.vkey], "checkpoint"),
    ],
)
def test_wrong_use_of_proofs_and_mirrors_is_status_2(arguments, said, game, tmp_path, capsysbinary):
    path = tmp_path / "one.tlog-proof"
    path.write_text(proof(OPEN), "utf-8")
    names = {"GAME": game, "PROOF": str(path), "FOLDER": str(tmp_path)}
    status, out, err = run(capsysbinary, game, *(names.get(each, each) for each in arguments))
    assert (status, out, said in err) == (2, "", True)
    assert "Traceback" not in err
